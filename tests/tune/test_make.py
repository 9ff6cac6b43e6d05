from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from pixelreef.core.palette import Palette
from pixelreef.corpus.cells import REEF_FACTORS
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.reef.make import make_reef
from pixelreef.corpus.store import write_corpus
from pixelreef.draw.dataset import write_dataset
from pixelreef.draw.encodings import encoding, encodings
from pixelreef.draw.find import find_subject
from pixelreef.draw.prompts import prompt
from pixelreef.draw.reply import read
from pixelreef.draw.score import score_replies
from pixelreef.draw.subjects import canonical
from pixelreef.errors import InputError
from pixelreef.runs.replies import Reply, write_jsonl
from pixelreef.tune.make import make_pairs
from pixelreef.tune.sources import least_from, source_from

CELLS = ("coral/shallows", "jellyfish/abyss", "reef-fish/twilight")
PALETTE = Palette.from_hex(["000000", "ff0000", "00ff00"], transparent=0)


@pytest.fixture(scope="module")
def reef(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("reef") / "reef.parquet"
    write_corpus(path, make_reef(0, 6, 16, CELLS), REEF_FACTORS)
    return path


def replies(*items: str, entrant: str = "m") -> list[Reply]:
    """The references of subjects, as a perfect model would send them."""
    found = []
    for item in items:
        subject = find_subject(item)
        assert subject is not None
        found.append(Reply(entrant, item, encoding("rows").encode(subject.reference)))
    return found


def test_a_corpus_in_every_encoding_reads_back_to_one_drawing(reef: Path) -> None:
    made = make_pairs([source_from(str(reef))], held=0.2)
    by_origin: dict[str, set[object]] = {}
    for pair in made.pairs:
        given = None
        if pair.encoding == "grid-only":
            told = pair.prompt.partition("The palette is fixed: ")[2].partition(".\n")[0]
            given = Palette.from_hex([one.split(" = ")[1] for one in told.split(", ")])
        drawing = read(pair.answer, pair.encoding, given).strict
        assert drawing is not None
        by_origin.setdefault(pair.origin, set()).add((drawing.grid, drawing.palette))
    assert {len(drawings) for drawings in by_origin.values()} == {1}
    assert {pair.encoding for pair in made.pairs} == set(encodings())
    assert sum(made.facts["pairs"].values()) == len(made.pairs)


def test_subjects_are_the_corpus_own_words_and_stay_on_one_side(reef: Path) -> None:
    made = make_pairs([source_from(str(reef))], ["rows"], held=0.2)
    taught, held = ({pair.subject for pair in made.pairs if pair.split == split} for split in ("train", "held"))
    assert taught
    assert held
    assert not taught & held
    assert any("jellyfish, abyss" in subject for subject in taught | held)
    assert made.pairs[0].prompt.startswith(f"Draw this subject as pixel art: {made.pairs[0].subject}\n")


def test_the_same_seed_gives_the_same_pairs_and_most_is_kept(reef: Path) -> None:
    one, two = (make_pairs([source_from(str(reef))], ["rows"], most=7, seed=3) for _ in range(2))
    assert one.pairs == two.pairs
    assert len(one.pairs) == 7
    assert make_pairs([source_from(str(reef))], ["rows"], most=7, seed=4).pairs != one.pairs


def test_prompts_are_those_that_draw_asks_with(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "r.jsonl", replies("heldout-900-1", "heldout-900-2"))
    made = make_pairs([source_from(str(path))], ["rows", "grid-only"])
    for pair in made.pairs:
        subject = find_subject(pair.origin.split("/")[1])
        assert subject is not None
        contract = encoding(pair.encoding)
        assert pair.prompt == prompt(subject, contract, subject.reference.palette if contract.palette_given else None)


def test_a_subject_of_the_test_is_never_taught(tmp_path: Path) -> None:
    sun = Entry(np.eye(24, dtype=np.uint8), PALETTE, Origin("icons"), {"kind": "weather"}, "the_sun_3")
    moon = Entry(np.eye(24, dtype=np.uint8) * 2, PALETTE, Origin("icons"), {"kind": "weather"}, "moon")
    write_corpus(tmp_path / "icons.parquet", [sun, moon])
    path = write_jsonl(tmp_path / "r.jsonl", replies(*canonical(), "heldout-55-3", "heldout-900-1"))
    made = make_pairs([source_from(str(tmp_path / "icons.parquet")), source_from(str(path))], ["rows"])
    text = find_subject("heldout-900-1")
    assert text is not None
    assert {pair.subject for pair in made.pairs} == {"moon, weather", text.text}
    assert made.facts["left_out"]["drawings of a subject of the test"] == 1 + 7 + 1
    assert made.facts["canonical_taught"] == []


def test_replies_are_filtered_by_score(tmp_path: Path) -> None:
    good = replies("heldout-900-1", "heldout-900-2")
    bad = [Reply("m", "heldout-900-3", "no"), Reply("m", "heldout-900-4", good[0].text)]
    path = write_jsonl(tmp_path / "r.jsonl", [*good, *bad])
    made = make_pairs([source_from(str(path), least_from(["usable=1"]))], ["rows"], held=0)
    assert {pair.origin for pair in made.pairs} == {"m/heldout-900-1/1", "m/heldout-900-2/1"}
    assert made.facts["left_out"] == {
        "replies that are not strictly valid": 1,
        "replies that score too little": 1,
    }
    with pytest.raises(InputError, match="--least must be SCORE=0…1"):
        least_from(["craft=two"])


def test_the_public_layout_is_read_and_says_what_it_teaches(tmp_path: Path) -> None:
    """A file of the source dataset's columns, which holds the canonical subjects."""
    write_dataset(tmp_path / "set", score_replies(replies(*canonical())))
    path = str(tmp_path / "set" / "data" / "train.parquet")
    with pytest.raises(InputError, match=r"hold drawings that may be taught, got none\. 7 were of the test's subjects"):
        make_pairs([source_from(path)])
    made = make_pairs([source_from(path)], ["grid-only"], test="heldout:55:40")
    assert made.facts["subjects"] == {"train": 6, "held": 1}
    assert len(made.facts["canonical_taught"]) == 6
    json.dumps(made.facts, allow_nan=False)


def test_what_shapes_cannot_hold_is_counted(tmp_path: Path) -> None:
    noise = np.indices((24, 24)).sum(axis=0) % 2 + 1
    write_corpus(tmp_path / "n.parquet", [Entry(noise.astype(np.uint8), PALETTE, Origin("x"), name="noise")])
    made = make_pairs([source_from(str(tmp_path / "n.parquet"))])
    assert made.facts["left_out"] == {"drawings that shapes can't hold": 1}
    assert "shapes" not in {pair.encoding for pair in made.pairs}
