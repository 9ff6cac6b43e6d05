from __future__ import annotations

import json
from pathlib import Path

import pytest

from pixelreef.draw.encodings import encoding
from pixelreef.draw.find import find_subject
from pixelreef.draw.score import score_replies
from pixelreef.errors import InputError
from pixelreef.runs.replies import Reply
from pixelreef.tune.compare import ASKED, Part, compare, document, taught_subjects
from pixelreef.tune.report import answers, write_comparison

BASE, TUNED = "local/smollm2", "local/smollm2+run/adapter.gguf"
CANONICAL, HELD = ("sun", "maze", "saturn"), ("heldout-55-0", "heldout-55-1", "heldout-55-2", "heldout-55-3")


def reference(item: str) -> str:
    subject = find_subject(item)
    assert subject is not None
    return encoding("rows").encode(subject.reference)


def replies(entrant: str, good: set[str], decoding: str = "free", attempts: int = 2) -> list[Reply]:
    """The reference where it is good, else a reply that is cut short after a few rows."""
    return [
        Reply(
            entrant,
            item,
            reference(item) if item in good else reference(item)[:120],
            attempt,
            metadata={"encoding": "rows", "decoding": decoding},
        )
        for item in (*CANONICAL, *HELD)
        for attempt in range(1, attempts + 1)
    ]


def part(found: list[Part], group: str, decoding: str = "free") -> Part:
    return next(one for one in found if (one.group, one.decoding) == (group, decoding))


def test_differences_are_paired_by_subject_and_apart_by_group() -> None:
    attempts = score_replies([*replies(BASE, {"sun"}), *replies(TUNED, {"sun", "maze", *HELD})])
    found = compare(attempts)
    assert (found.base, found.tuned) == (BASE, TUNED)
    assert [one.group for one in found.parts] == ["canonical", "held-out"]
    canonical = {one.asked.name: one for one in part(list(found.parts), "canonical").rows}
    valid = canonical["valid"]
    assert [valid.base.mean, valid.tuned.mean] == pytest.approx([1 / 3, 2 / 3])
    # Subjects' differences 0, 1, 0: mean 1/3; with t(2) = 4.303 and s = 0.577 it is 1.434 more or less, cut at ±1.
    assert valid.gap.mean == pytest.approx(1 / 3)
    assert (valid.gap.low, valid.gap.high) == (-1, 1)
    assert valid.verdict == "no difference shown"
    held = {one.asked.name: one for one in part(list(found.parts), "held-out").rows}
    assert held["valid"].verdict == "perhaps higher"  # signs of four differences can't be surer than 1 in 8
    assert held["usable"].gap.mean == 1.0
    assert held["right_size"].verdict == "perhaps higher"


def test_a_verdict_without_perhaps_outlasts_the_correction_for_all_figures() -> None:
    many = {f"heldout-55-{number}" for number in range(20)}
    asked = [
        Reply(entrant, item, reference(item)[: None if good else 120], metadata={"encoding": "rows"})
        for entrant, good in ((BASE, False), (TUNED, True))
        for item in sorted(many)
    ]
    (only,) = compare(score_replies(asked)).parts
    valid = next(one for one in only.rows if one.asked.name == "valid")
    assert valid.verdict == "higher"
    assert valid.p is not None
    assert valid.p < 0.05
    assert answers(only)[0].startswith("Does it keep the format better? Yes: valid +1.000")
    (other,) = compare(score_replies(asked), base=TUNED, tuned=BASE).parts
    assert answers(other)[0].startswith("Does it keep the format better? No, worse: valid −1.000")


def test_quality_of_what_was_drawn_does_not_rise_with_validity() -> None:
    attempts = score_replies([*replies(BASE, {"sun"}), *replies(TUNED, {"sun", "maze", *HELD})])
    canonical = {one.asked.name: one for one in part(list(compare(attempts).parts), "canonical").rows}
    assert (canonical["pixel_art_quality"].gap.mean or 0) > 0
    drawn = canonical["pixel_art_quality_drawn"]
    assert drawn.gap.n == 1  # only the sun was drawn by both
    assert drawn.gap.mean == 0
    assert drawn.verdict == "can't be asked"


def test_ways_of_asking_stand_apart() -> None:
    every = {*CANONICAL, *HELD}
    given = [
        *replies(BASE, set()),
        *replies(BASE, every, "constrained", 1),
        *replies(TUNED, every),
        *replies(TUNED, every, "constrained", 1),
    ]
    found = compare(score_replies(given)).parts
    assert {(one.decoding, one.group) for one in found} == {
        (decoding, group) for decoding in ("free", "constrained") for group in ("canonical", "held-out")
    }
    same = part(list(found), "held-out", "constrained")
    assert {one.verdict for one in same.rows} == {"the same throughout"}
    assert (same.base_attempts, part(list(found), "held-out").base_attempts) == (4, 8)


def test_entrants_are_found_or_named() -> None:
    attempts = score_replies([*replies("a", {"sun"}), *replies("b", {"maze"})])
    with pytest.raises(InputError, match=r"hold one pair BASE and BASE\+ADAPTER, got 0"):
        compare(attempts)
    with pytest.raises(InputError, match="--base must be one of a, b, got 'c'"):
        compare(attempts, "c", "b")
    assert compare(attempts, "b", "a").tuned == "a"
    two = score_replies([*replies("a", set()), *replies("a+x", set()), *replies("a+y", set())])
    with pytest.raises(InputError, match="got 2"):
        compare(two)
    assert compare(two, tuned="a+y").tuned == "a+y"


def test_subjects_that_were_taught_are_no_test(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps({"pairs": {"canonical_taught": ["sun"]}}))
    tuned = f"a+{tmp_path / 'adapter.gguf'}"
    found = compare(score_replies([*replies("a", set()), *replies(tuned, set())]), taught=taught_subjects)
    assert {one.group: one.subjects for one in found.parts} == {"canonical": 2, "held-out": 4, "taught": 1}
    assert taught_subjects("a") == taught_subjects("a+nowhere/adapter.gguf") == []


def test_nothing_in_common_is_one_line() -> None:
    one = Reply("a", "sun", "x", metadata={"decoding": "free"})
    two = Reply("a+b", "sun", "x", metadata={"decoding": "constrained"})
    with pytest.raises(InputError, match="be asked for the same subjects in the same way"):
        compare(score_replies([one, two]))


def test_page_json_and_table_say_the_same(tmp_path: Path) -> None:
    found = compare(score_replies([*replies(BASE, {"sun"}), *replies(TUNED, {"sun", "maze", *HELD})]))
    written = write_comparison(found, tmp_path)
    made = json.loads((tmp_path / "compare.json").read_text("utf-8"))
    assert made == json.loads(json.dumps(document(found), allow_nan=False))
    page = written.page.read_text("utf-8")
    assert "Do pictures show their subjects?" in page
    assert all(one.name in page for one in ASKED)
    assert "| format | valid: follows the contract to the letter |" in written.markdown.replace("\\_", "_")
    told = answers(part(list(found.parts), "held-out"))
    sure = "Perhaps (p 0.75 for all figures together)"
    assert told[0].startswith(f"Does it keep the format better? {sure}: valid +1.000 [+1.000, +1.000], 4 subjects")
    first = written.page.read_bytes()
    assert write_comparison(found, tmp_path).page.read_bytes() == first


def test_a_hostile_name_stays_text(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    found = compare(score_replies([*replies(evil, set()), *replies(f"{evil}+b", set())]))
    page = write_comparison(found, tmp_path).page.read_text("utf-8")
    assert evil not in page
