"""The census and the sheets, counted by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from corpus.samples import COLOURS, FACTORS, PALETTE, blob, blobs

from pixelreef.core import read_image
from pixelreef.core.palette import Palette
from pixelreef.corpus.census import take_census
from pixelreef.corpus.contact import choose, overview, pictures, sheet_of, write_sheets
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.store import Corpus, open_corpus, write_corpus


def tiny(colours: list[list[int]], source: str = "a", licence: str = "", **more: str) -> Entry:
    return Entry(np.array(colours, np.uint8), PALETTE, Origin(source, licence=licence), {"kind": "fish"}, **more)  # type: ignore[arg-type]


def corpus_of(path: Path, *entries: Entry) -> Corpus:
    write_corpus(path, entries, FACTORS)
    return open_corpus(path)


def test_a_census_by_hand(tmp_path: Path) -> None:
    twice = tiny([[0, 2]], licence="CC0-1.0", species="eel", split="train")
    same_to_see = Entry(np.array([[1, 0]], np.uint8), Palette.from_hex([COLOURS[2], "123456"], 1), Origin("b"))
    census = take_census(corpus_of(tmp_path / "c", twice, twice, tiny([[3, 2], [4, 0]], species="ray"), same_to_see))
    assert list(census.cells) == ["fish", "all"]
    fish = census.cells["fish"].document()
    assert fish == {
        "count": 3,
        "unique": 2,
        "weight": 3.0,
        "with_parts": 0,
        "colours": 3,
        "colours_per_sprite": 1.67,
        "sizes": {"2x1": 2, "2x2": 1},
        "species": {"eel": 2, "ray": 1},
        "sources": {"a": 3},
        "licences": {"CC0-1.0": 2, "": 1},
        "splits": {"train": 2, "": 1},
    }
    assert census.cells["fish"].shares() == {"eel": 2 / 3, "ray": 1 / 3}
    assert census.whole.unique == 2  # the one of source b looks like the eel
    assert {name: group.count for name, group in census.sources.items()} == {"a": 3, "b": 1}


def test_the_text_is_two_tables(tmp_path: Path) -> None:
    census = take_census(corpus_of(tmp_path / "c", *blobs(12)))
    assert census.text() == (
        "cell       sprites  unique  species  largest  sizes  colours  split\n"
        "fish/low         2       2        2      50%    8×8        7  –\n"
        "fish/deep        2       2        2      50%    8×8        7  –\n"
        "crab/low         2       2        2      50%    8×8        7  –\n"
        "crab/deep        2       2        2      50%    8×8        7  –\n"
        "weed/low         2       2        2      50%    8×8        7  –\n"
        "weed/deep        2       2        2      50%    8×8        7  –\n"
        "in all          12      12        4      25%    8×8        7  –\n"
        "\n"
        "source  sprites  unique  species  largest  sizes  colours  licences\n"
        "blobs        12      12        4      25%    8×8        7  CC0-1.0 12\n"
    )


def test_sprites_of_a_sheet_are_chosen_by_seed(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path / "c", *blobs(120))
    first, again, other = (choose(corpus, 5, seed) for seed in (1, 1, 2))
    names = [[entry.name for entries in chosen.values() for entry in entries] for chosen in (first, again, other)]
    assert names[0] == names[1] != names[2]
    assert [len(entries) for entries in first.values()] == [5] * 6
    assert list(first) == list(take_census(corpus).cells)


def test_sheets_are_written_per_cell(tmp_path: Path) -> None:
    odd = [blob(0, factors={"kind": "a/b"}), blob(1, factors={"kind": "a-b"}), blob(2, factors={"kind": "../.."})]
    corpus = corpus_of(tmp_path / "c", *odd)
    paths = write_sheets(choose(corpus, 8, 0), tmp_path / "out", {"a/b": 1, "a-b": 1, "../..": 1})
    assert [str(path.relative_to(tmp_path / "out")) for path in paths] == [
        *("overview.png", "cells/a-b.png", "cells/a-b-2.png", "cells/cell.png"),
    ]
    assert all(read_image(path).width > 96 for path in paths)


def test_every_sprite_of_a_sheet_has_one_whole_scale() -> None:
    small, large = blob(0, 8), blob(1, 24)
    shapes = [picture.shape[:2] for picture in pictures([[small, large]])[0]]
    assert shapes == [(32, 32), (96, 96)]
    huge = Entry(np.zeros((1000, 500), np.uint8), PALETTE, Origin("x"))
    assert pictures([[huge]])[0][0].shape[0] <= 192


def test_an_overview_of_many_cells_says_what_it_leaves_out() -> None:
    many = {f"cell {number}": [blob(number, 2)] for number in range(250)}
    assert overview(many, "title").shape[0] < 200 * 110
    named = overview(many, "a title that ends with what is left out")
    plain = overview(dict(list(many.items())[:200]), "a title that ends with what is left out")
    assert not np.array_equal(named[:20], plain[:20])
    assert sheet_of([blob(0)], "one").shape[1] > 96


@pytest.mark.parametrize("count", [1, 3, 21, 56, 200])
def test_an_overview_is_never_a_strip_and_shows_every_cell(count: int) -> None:
    full = Entry(np.ones((8, 8), np.uint8), PALETTE, Origin("x"))
    sheet = overview({f"cell {number}": [full] * 4 for number in range(count)}, "title", 4)
    assert sheet.shape[0] < 2.5 * sheet.shape[1]
    assert (sheet == PALETTE.rgb[1]).all(axis=2).sum() == count * 4 * 96 * 96


@pytest.mark.parametrize("count", [1, 7])
def test_a_small_cell_is_shown_whole(tmp_path: Path, count: int) -> None:
    corpus = corpus_of(tmp_path / "c", *(blob(n, factors={}) for n in range(count)))
    assert len(choose(corpus, 48, 0)["all"]) == count
