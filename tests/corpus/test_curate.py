"""Decisions, the corpus that follows from them, and the difference to its parent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from corpus.samples import FACTORS, blob, blobs

from pixelreef.core import read_image, write_json
from pixelreef.corpus.curate import (
    FORMAT,
    Decision,
    Decisions,
    curate,
    decisions_from_document,
    factors_after,
    history_after,
    read_decisions,
)
from pixelreef.corpus.diff import Change, diff, write_diff_sheets
from pixelreef.corpus.entry import Entry
from pixelreef.corpus.intake import Intake
from pixelreef.corpus.store import Corpus, open_corpus, write_corpus
from pixelreef.errors import InputError

HASHES = [blob(number).hash for number in range(30)]


def parent_of(path: Path, *entries: Entry) -> Corpus:
    write_corpus(path, entries or blobs(12), FACTORS, {"by": "make", "seed": 3})
    return open_corpus(path)


def curated(parent: Corpus, path: Path, decisions: Decisions) -> tuple[Corpus, Intake]:
    intake = Intake()
    factors = factors_after(parent.factors, decisions)
    write_corpus(path, curate(parent, decisions, intake), factors, lambda: history_after(parent, decisions, intake))
    return open_corpus(path), intake


def test_keep_drop_relabel_reweight(tmp_path: Path) -> None:
    parent = parent_of(tmp_path / "a")
    decisions = Decisions(
        parent.hash,
        {
            HASHES[0]: Decision(),
            HASHES[1]: Decision(keep=False),
            HASHES[2]: Decision(relabel={"depth": "abyss"}),
            HASHES[3]: Decision(relabel={"kind": "crab", "depth": ""}, weight=2.5),
            HASHES[20]: Decision(keep=False),
        },
    )
    made, intake = curated(parent, tmp_path / "b", decisions)
    entries = {entry.name: entry for entry in made}
    assert list(entries) == [f"blob {number}" for number in (0, *range(2, 12))]
    assert entries["blob 2"].cell == "weed/abyss"
    assert (entries["blob 3"].cell, entries["blob 3"].weight) == ("crab", 2.5)
    assert made.factors == {**FACTORS, "depth": ("low", "deep", "abyss")}
    assert dict(intake.counts) == {"not decided": 8, "dropped": 1, "kept": 3, "relabelled": 2, "reweighted": 1}
    assert [one.item for one in intake.refused] == [HASHES[20]]


def test_the_new_corpus_knows_its_parent_and_the_decisions(tmp_path: Path) -> None:
    parent = parent_of(tmp_path / "a")
    first = Decisions(parent.hash, {HASHES[1]: Decision(keep=False), HASHES[2]: Decision(weight=2)})
    child, _ = curated(parent, tmp_path / "b", first)
    assert child.history["parents"] == [{"hash": parent.hash, "count": 12, "file": "a"}]
    assert child.history["decisions"] == {"hash": first.hash, "made_on": parent.hash, "drop": 1, "reweight": 1}
    assert child.history["before"] == [{"by": "make", "seed": 3}]
    grandchild, _ = curated(child, tmp_path / "c", Decisions("", {HASHES[3]: Decision()}))
    assert [step["by"] for step in grandchild.history["before"]] == ["make", "curate"]
    assert grandchild.history["parents"][0]["hash"] == child.hash


def test_a_decision_holds_for_every_copy(tmp_path: Path) -> None:
    parent = parent_of(tmp_path / "a", blob(1), blob(2), blob(1, factors={"kind": "fish"}))
    made, intake = curated(parent, tmp_path / "b", Decisions("", {HASHES[1]: Decision(keep=False)}))
    assert [entry.name for entry in made] == ["blob 2"]
    assert intake.counts["dropped"] == 2


def test_no_decisions_change_nothing(tmp_path: Path) -> None:
    parent = parent_of(tmp_path / "a")
    made, _ = curated(parent, tmp_path / "b", Decisions(parent.hash, {}))
    assert made.hash == parent.hash


def test_a_corpus_without_factors_can_be_labelled(tmp_path: Path) -> None:
    write_corpus(tmp_path / "a", blobs(2, factors={}))
    relabel = {HASHES[0]: Decision(relabel={"category": "coral"})}
    made, _ = curated(open_corpus(tmp_path / "a"), tmp_path / "b", Decisions("", relabel))
    assert [entry.cell for entry in made] == ["coral", "all"]


def test_a_corpus_can_be_replaced_by_what_follows_from_it(tmp_path: Path) -> None:
    parent = parent_of(tmp_path / "a")
    made, _ = curated(parent, tmp_path / "a", Decisions("", {HASHES[0]: Decision(keep=False)}))
    assert made.count == 11


def test_decisions_survive_their_file(tmp_path: Path) -> None:
    decisions = Decisions("ab", {HASHES[0]: Decision(weight=0.5), HASHES[1]: Decision(relabel={"kind": "x"})})
    write_json(tmp_path / "d.json", decisions.document())
    read = read_decisions(tmp_path / "d.json")
    assert read == decisions
    assert (
        read.hash == Decisions("other", dict(reversed(list(decisions.by_hash.items())))).hash != Decisions("", {}).hash
    )


WRONG: dict[str, tuple[Any, str]] = {
    "a list": ([], "be an object of format"),
    "another format": ({"format": "x"}, "be an object of format"),
    "a later version": ({"format": FORMAT, "version": 2, "decisions": {}}, "version 1, got 2"),
    "no decisions": ({"format": FORMAT, "version": 1}, "hold decisions"),
    "no hash": ({"x": {"do": "keep"}}, "32 hex digits"),
    "no verdict": ({HASHES[0]: {}}, "say keep or drop"),
    "another verdict": ({HASHES[0]: {"do": "maybe"}}, "say keep or drop"),
    "another key": ({HASHES[0]: {"do": "keep", "wait": 1}}, "say keep or drop"),
    "a verdict that is no object": ({HASHES[0]: "drop"}, "say keep or drop"),
    "a label of numbers": ({HASHES[0]: {"do": "keep", "relabel": {"kind": 1}}}, "relabel by an object"),
    "a weight below 0": ({HASHES[0]: {"do": "keep", "weight": -1}}, "weight from 0 up"),
    "a weight of text": ({HASHES[0]: {"do": "keep", "weight": "2"}}, "weight from 0 up"),
    "a weight that is true": ({HASHES[0]: {"do": "keep", "weight": True}}, "weight from 0 up"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_in_a_file_of_decisions_is_one_line(tmp_path: Path, name: str) -> None:
    document, rule = WRONG[name]
    if isinstance(document, dict) and "format" not in document:
        document = {"format": FORMAT, "version": 1, "decisions": document}
    (tmp_path / "d.json").write_text(json.dumps(document))
    with pytest.raises(InputError, match=rule):
        read_decisions(tmp_path / "d.json")


def test_a_label_can_not_be_another_column(tmp_path: Path) -> None:
    wrong = decisions_from_document(
        {"format": FORMAT, "version": 1, "decisions": {HASHES[0]: {"do": "keep", "relabel": {"width": "9"}}}}
    )
    with pytest.raises(InputError, match="factor name"):
        factors_after(FACTORS, wrong)


def test_a_difference_by_hand(tmp_path: Path) -> None:
    before = parent_of(tmp_path / "a", blob(0), blob(1), blob(2), blob(3), blob(0), blob(7))
    moved = blob(2, factors={"kind": "fish", "depth": "low"})
    after = parent_of(tmp_path / "b", blob(0), blob(1, weight=3.0), moved, blob(4), blob(7))
    found = diff(before, after)
    assert found.changes == [
        Change("removed", HASHES[0], "fish/low", ""),
        Change("reweighted", HASHES[1], "crab/low", "crab/low", (1.0, 3.0)),
        Change("relabelled", HASHES[2], "weed/low", "fish/low"),
        Change("removed", HASHES[3], "fish/deep", ""),
        Change("added", HASHES[4], "", "crab/deep"),
    ]
    assert found.by_kind() == {"added": 1, "removed": 2, "relabelled": 1, "reweighted": 1}
    assert found.document()["by_cell"]["fish/low"] == {
        "before": 2,
        "after": 2,
        "added": 0,
        "removed": 1,
        "relabelled_in": 1,
        "relabelled_out": 0,
        "reweighted": 0,
    }
    assert found.text() == (
        "cell       before  after  added  removed  relabelled in  relabelled out  reweighted\n"
        "fish/low        2      2      ·        1              1               ·           ·\n"
        "fish/deep       1      ·      ·        1              ·               ·           ·\n"
        "crab/low        2      2      ·        ·              ·               ·           1\n"
        "weed/low        1      ·      ·        ·              ·               1           ·\n"
        "crab/deep       ·      1      1        ·              ·               ·           ·\n"
        "in all          6      5      1        2              1               1           1\n"
    )


def test_a_difference_adds_up(tmp_path: Path) -> None:
    """Whatever was decided, what is there after is what was there before, less and more what the table says."""
    parent = parent_of(tmp_path / "a", *blobs(30), *blobs(5))
    decisions = Decisions(
        "",
        {
            name: [Decision(keep=False), Decision(relabel={"kind": "new"}), Decision(weight=2.0), Decision()][place % 4]
            for place, name in enumerate(HASHES[:20])
        },
    )
    made, intake = curated(parent, tmp_path / "b", decisions)
    found = diff(parent, made)
    kinds = found.by_kind()
    assert kinds == {
        "added": 0,
        "removed": intake.counts["dropped"],
        "relabelled": intake.counts["relabelled"],
        "reweighted": intake.counts["reweighted"],
    }
    for row in found.document()["by_cell"].values():
        gained = row["added"] + row["relabelled_in"] - row["removed"] - row["relabelled_out"]
        assert row["after"] == row["before"] + gained
    assert diff(parent, parent).changes == []


def test_sheets_show_each_kind_of_change(tmp_path: Path) -> None:
    before = parent_of(tmp_path / "a", *blobs(10))
    moved = blob(0, factors={"kind": "weed"})
    after = parent_of(tmp_path / "b", moved, blob(1, weight=2.0), *(blob(number) for number in range(3, 12)))
    paths = write_diff_sheets(diff(before, after), before, after, tmp_path / "out")
    assert [path.name for path in paths] == ["added.png", "removed.png", "relabelled.png", "reweighted.png"]
    assert all(read_image(path).width > 96 for path in paths)
    assert write_diff_sheets(diff(before, before), before, before, tmp_path / "none") == []
