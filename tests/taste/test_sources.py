"""Samples from files: folders, names, tables, empty pictures, one document, a corpus."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from pixelreef.core.document import json_from_sprite
from pixelreef.core.grid import Grid
from pixelreef.core.render import png_from_rgba
from pixelreef.core.sprite import Sprite
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.store import write_corpus
from pixelreef.errors import InputError
from pixelreef.taste.sources import cell_from_path, labels_match, samples_from_path
from pixelreef.taste.sprites import Sprites
from pixelreef.taste.worlds import tokens

CORPUS = tokens().make(1, 3)


def written(folder: Path, names: list[str]) -> Path:
    for name, cells in zip(names, CORPUS.cells, strict=False):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(png_from_rgba(CORPUS.palette.rgba[cells]))
    return folder


def counted(sprites: Sprites) -> dict[str, int]:
    return {cell: len(places) for cell, places in sprites.by_cell.items() if len(places)}


@pytest.mark.parametrize(
    "names",
    [
        ["gem/red/1.png", "gem/red/2.png", "flask/blue/1.png"],
        ["gem-red/1.png", "gem-red/2.png", "flask-blue/1.png"],
        ["gem-red-1.png", "gem-red_2.png", "flask-blue 1.png"],
        ["night/gem-red/1.png", "night/gem-red/2.png", "night/flask-blue/1.png"],
    ],
)
def test_the_cell_is_read_from_folders_or_names(tmp_path: Path, names: list[str]) -> None:
    assert counted(samples_from_path(written(tmp_path / "drawn", names), CORPUS)) == {"gem/red": 2, "flask/blue": 1}


def test_a_table_of_labels_wins(tmp_path: Path) -> None:
    folder = written(tmp_path / "drawn", ["gem/red/1.png", "x.png"])
    labels = {"x.png": {"kind": "flask", "tint": "gold"}, "gem/red/1.png": {"kind": "invader", "tint": "gold"}}
    assert counted(samples_from_path(folder, CORPUS, labels=labels)) == {"invader/gold": 1, "flask/gold": 1}
    labels_match(labels, CORPUS)
    with pytest.raises(InputError, match="have the factors kind, tint"):
        labels_match({"x.png": {"colour": "red"}}, CORPUS)


def test_what_names_no_cell_and_what_is_broken_is_told(tmp_path: Path) -> None:
    folder = written(tmp_path / "drawn", ["gem-red-1.png", "dragon.png"])
    (folder / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n but no more")
    made = samples_from_path(folder, CORPUS)
    assert counted(made)["gem/red"] == 1
    assert any("dragon.png" in note for note in made.notes)
    assert any("broken.png" in note for note in made.notes)


def test_an_empty_picture_is_a_sample(tmp_path: Path) -> None:
    folder = written(tmp_path / "drawn", ["gem/red/1.png"])
    (folder / "gem" / "red" / "2.png").write_bytes(png_from_rgba(np.zeros((24, 24, 4), np.uint8)))
    made = samples_from_path(folder, CORPUS)
    assert counted(made) == {"gem/red": 2}
    assert sorted(made.opaque.sum(axis=(1, 2)) > 0) == [False, True]


def test_one_document_and_a_corpus_of_one_cell(tmp_path: Path) -> None:
    document = tmp_path / "gem-red.json"
    document.write_text(json_from_sprite(Sprite.still(Grid(CORPUS.cells[0]), CORPUS.palette)))
    assert counted(samples_from_path(document, CORPUS)) == {"gem/red": 1}
    loose = tmp_path / "7.json"
    loose.write_text(document.read_text())
    assert counted(
        samples_from_path(
            loose,
            CORPUS.at(CORPUS.of("gem/red")).__class__(
                CORPUS.cells[:3],
                CORPUS.palette,
                ("only",),
                np.zeros(3, np.intp),
                {},
                ("made",),
                np.zeros(3, np.intp),
                np.arange(3),
                np.arange(3),
            ),
        )
    ) == {"only": 1}


def test_a_parquet_corpus(tmp_path: Path) -> None:
    entries = [
        Entry(cells, CORPUS.palette, Origin("drawn"), CORPUS.values_of(cell))
        for cells, cell in zip(CORPUS.cells, CORPUS.labels(), strict=True)
    ]
    write_corpus(tmp_path / "drawn.parquet", entries, CORPUS.factors)
    made = samples_from_path(tmp_path / "drawn.parquet", CORPUS)
    assert counted(made) == dict(Counter(CORPUS.labels()))


def test_the_longest_name_wins_and_must_end_where_it_ends() -> None:
    cells = {"fish-abyss": "fish/abyss", "fish": "fish"}
    assert cell_from_path("fish-abyss-7.png", cells) == "fish/abyss"
    assert cell_from_path("fish-7.png", cells) == "fish"
    assert cell_from_path("fisher.png", cells) is None
    assert cell_from_path("deep/fish/x.png", cells) == "fish"


def test_nothing_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="be a folder, got nothing there"):
        samples_from_path(tmp_path / "none", CORPUS)
    (tmp_path / "bare").mkdir()
    with pytest.raises(InputError, match="at least one sprite"):
        samples_from_path(tmp_path / "bare", CORPUS)
