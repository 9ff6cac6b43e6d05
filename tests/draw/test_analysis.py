"""The article's questions on made-up replies: steps, directions, repeats, axes, pairs, sizes, settings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from draw.replies_made import STRIPES, attempts, mixed, reference_text, reply, written
from numpy.typing import NDArray

from pixelreef.core.grid import Grid
from pixelreef.draw.analysis import analyse, document, failure_counts, outcome, primary_failure
from pixelreef.draw.axes import AXES, dominance
from pixelreef.draw.boards import by_entrant, summary_of
from pixelreef.draw.controls import with_baselines
from pixelreef.draw.direction import directions, encoding_gaps, row_errors
from pixelreef.draw.diversity import diversity, near_copy_groups
from pixelreef.draw.drawing import Drawing
from pixelreef.draw.hierarchy import BY_CONSTRUCTION, FALLS, NOTHING, RISES, UNDECIDABLE, ladder
from pixelreef.draw.pairs import pairs
from pixelreef.draw.provenance import UNKNOWN, settings, suite_of
from pixelreef.draw.score import Attempt
from pixelreef.draw.sizes import parameters
from pixelreef.draw.subjects import canonical
from pixelreef.draw.suite import suite

CHECKED = ("mario", "maze", "mona_lisa", "rainbow", "saturn", "sun")


def all_of(entrant: str, texts: Sequence[str], **metadata: object) -> list[Attempt]:
    return attempts([reply(entrant, name, text, metadata=metadata) for name, text in zip(CHECKED, texts, strict=True)])


def references(**metadata: object) -> list[Attempt]:
    return all_of("exact", [reference_text(name) for name in CHECKED], **metadata)


def verdicts(given: Sequence[Attempt]) -> list[str]:
    return [step.verdict for step in ladder("x", given).steps]


def test_steps_of_perfect_answers() -> None:
    assert verdicts(references()) == [FALLS, FALLS, RISES], "on their scales; which is why references stand beside"


def test_steps_against_the_references_own() -> None:
    steps = ladder("x", references(), references()).steps
    assert [step.beyond.mean for step in steps if step.beyond] == [0.0, 0.0, 0.0]


def test_steps_of_valid_pictures_that_show_nothing() -> None:
    found = ladder("x", all_of("stripes", [STRIPES] * 6)).steps
    assert found[2].verdict == FALLS
    assert found[2].means[1] == 0.0


def test_the_floor_is_undecidable() -> None:
    assert verdicts(all_of("refuses", ["I can't."] * 6)) == [UNDECIDABLE] * 3


def test_one_subject_is_undecidable() -> None:
    assert verdicts(attempts([reply("a", "sun", reference_text("sun"), n) for n in (1, 2, 3)])) == [UNDECIDABLE] * 3
    assert verdicts([]) == [UNDECIDABLE] * 3


def test_a_step_that_differs_by_chance_only() -> None:
    # Valid in two of six subjects, usable in none: too little to show a fall.
    texts = [STRIPES, STRIPES, *["no"] * 4]
    assert verdicts(all_of("a", texts))[2] == NOTHING


def test_constrained_validity_is_no_evidence() -> None:
    assert verdicts(references(decoding="constrained"))[0] == BY_CONSTRUCTION


def grid_of(cells: NDArray[np.integer[Any]]) -> Drawing:
    return Drawing(Grid(cells.astype(np.uint8)), canonical()["sun"].reference.palette)


def test_rows_against_columns() -> None:
    random = np.random.default_rng(0)
    bands = [grid_of(np.sort(random.integers(0, 4, (24, 24)), axis=0)) for _ in CHECKED]
    along = directions("x", all_of("x", [written(grid_of(one.cells.T)) for one in bands]))
    across = directions("x", all_of("x", [written(one) for one in bands]))
    assert along.gap.mean is not None
    assert across.gap.mean is not None
    assert along.gap.mean == pytest.approx(-across.gap.mean)
    assert abs(along.gap.mean) > 0.1
    assert directions("x", []).gap.mean is None


def test_errors_by_row_number() -> None:
    value = json.loads(reference_text("sun"))
    short = {**value, "grid": [*value["grid"][:20], "0", *value["grid"][21:23]]}  # row 21 short, row 24 not there
    outside = {"palette": ["000000", "ffffff"], "grid": ["9" * 24, *["0" * 24] * 23]}
    texts = [reference_text("sun"), json.dumps(short), json.dumps(outside), "not JSON"]
    found = row_errors("x", attempts([reply("x", "sun", text, n + 1) for n, text in enumerate(texts)]))
    wrong = {row + 1: share for row, share in enumerate(found.shares) if share}
    assert found.replies == 3
    assert wrong == pytest.approx({1: 1 / 3, 21: 1 / 3, 24: 1 / 3})
    assert row_errors("x", []).shares == ()


def test_encodings_are_compared_on_the_same_subjects() -> None:
    (found,) = encoding_gaps([one for one in attempts(mixed()) if one.reply.entrant == "paid/exact"])
    assert (found.first, found.second, found.decoding) == ("rows", "ints", "free")
    assert found.gaps["usable"].mean == 0
    assert found.gaps["usable"].n == 3


def test_repeats() -> None:
    sun, stripes = reference_text("sun"), STRIPES
    recoloured = sun.replace(json.loads(sun)["palette"][0], "123456")
    given = attempts([reply("x", "sun", text, n + 1) for n, text in enumerate([sun, recoloured, stripes, "no"])])
    found = diversity("x", given)
    assert found.distinct.mean == pytest.approx(2 / 3)
    assert (found.near_copies, found.drawings, found.subjects) == (2, 3, 1)
    assert diversity("x", given[:1]).subjects == 0
    assert diversity("x", []).distinct.mean is None


def test_the_background_is_transparent_for_likeness() -> None:
    reference = canonical()["sun"].reference
    cells = reference.cells.copy()
    cells[::6, ::6] = (cells[::6, ::6] + 1) % len(reference.palette)  # 16 of 576 cells
    assert near_copy_groups([reference, Drawing(Grid(cells), reference.palette)]).tolist() == [0, 0]


def test_one_entrant_on_all_axes() -> None:
    low = all_of("low", [written(grid_of(np.eye(24, dtype=np.uint8))) for _ in CHECKED])
    assert dominance({"low": low}).startswith("Whether one entrant dominates can't be asked")
    said = dominance({"high": references(), "twin": references()})
    assert said.startswith(f"high is at least as high as every other entrant on all {len(AXES)} axes; on 0 of them")
    assert dominance({"high": references(), "stripes": all_of("s", [STRIPES] * 6)}).startswith("No entrant dominates")


def test_pairs_are_corrected() -> None:
    groups = {"good": references(), "bad": all_of("bad", ["no"] * 6), "worse": all_of("worse", [STRIPES] * 6)}
    found = pairs(groups)
    assert [(one.first, one.second) for one in found] == [("good", "bad"), ("good", "worse"), ("bad", "worse")]
    # Six equal differences of 1: p = 2 · 2⁻⁶ each, times three and two tests, the third is 1.
    assert [one.p for one in found] == pytest.approx([3 / 32, 3 / 32, 1.0])
    assert pairs({}) == []
    assert pairs({"one": references()}) == []


def test_a_share_without_spread_has_an_interval() -> None:
    found = summary_of(references(), lambda attempt: attempt.usable, share=True)
    assert (found.mean, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(0.6097, abs=1e-4)


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("hf/microsoft/Phi-3.5-mini-instruct", 3.8e9),
        ("Phi-3-mini-4k-instruct", 3.8e9),
        ("microsoft/Phi-4-mini-instruct · ints", 3.8e9),
        ("HuggingFaceTB/SmolLM2-360M-Instruct", 3.6e8),
        ("local/smollm2 · constrained", 1.35e8),
        ("meta-llama/Llama-3.2-1B-Instruct", 1e9),
        ("LiquidAI/LFM2.5-1.2B-Instruct", 1.2e9),
        ("Qwen/Qwen3-1.7B", 1.7e9),
        ("Llama-3.2-11B", None),
        ("local/smollm2-1.7b", 1.7e9),
        ("openai/gpt-4o-mini", None),
        ("", None),
    ],
)
def test_sizes(name: str, count: float | None) -> None:
    assert parameters(name) == count


def test_settings_are_read_from_the_replies() -> None:
    given = attempts(
        [
            reply("m", "sun", "", n, seed=n, sampling={"max_tokens": 512, "temperature": 0.5 * n}, task="draw")
            for n in (1, 2)
        ]
    )
    found = settings("m", given)
    assert (found.max_tokens, found.sampling, found.seeds) == ("512", "temperature 0.5, 1.0", "1, 2")
    assert (found.encoding, found.decoding, found.prompts) == ("rows (version 1)", "free", UNKNOWN)
    assert settings("m", []).model == UNKNOWN


def test_the_suite_is_recognised() -> None:
    whole = attempts([reply("m", subject.id, "") for subject in suite().subjects])
    assert suite_of(whole) == f"draw-1 ({suite().content_hash[:12]})"
    assert suite_of(whole[:1]) == "1 subject, no frozen suite"


def test_outcomes_and_failures() -> None:
    given = by_entrant(attempts(mixed()))
    assert {outcome(one) for one in given["free/fenced"]} == {"repaired"}
    assert {primary_failure(one) for one in given["free/refuses"]} == {"refusal"}
    assert failure_counts(given["broken"]) == {"call failed": 4}
    assert failure_counts(given["stopped"]) == {}, "what was not asked for is missing"
    assert failure_counts(given["paid/exact"]) == {"strict": 9}


@pytest.mark.parametrize("count", [0, 1, None])
def test_the_document_is_strict_json(count: int | None) -> None:
    found = analyse(with_baselines(attempts(mixed()[:count]), 0), 0)
    json.dumps(document(found), allow_nan=False)
