"""Names, scale and bounds of an export, and the folder it is written to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pixelreef.core import Frame, Grid, Palette, Sprite
from pixelreef.errors import GridError, InputError
from pixelreef.sprites.export import FORMATS, Labelled, export
from pixelreef.sprites.export.order import order_from_sprites, plain

PALETTE = Palette.from_hex(["000000", "ff8800"], transparent=0)


def sprite(name: str = "", frames: int = 1, **lineage: object) -> Sprite:
    return Sprite(PALETTE, tuple(Frame(Grid.from_rows([[0, 1], [1, 1]])) for _ in range(frames)), name, lineage)


def test_names_are_safe_and_unlike_and_so_are_those_of_frames() -> None:
    given = [sprite("../Ä fish"), sprite("a fish"), sprite("a fish"), sprite("b", 2), sprite("b-0"), sprite(), sprite()]
    order = order_from_sprites(given)
    assert [piece.name for piece in order.pieces] == [
        "a-fish",
        "a-fish-2",
        "a-fish-3",
        "b",
        "b-0-2",
        "sprite",
        "sprite-2",
    ]
    assert order.pieces[3].stems == ("b-0", "b-1")
    assert order_from_sprites([sprite("x", 11)]).pieces[0].stems[1] == "x-01"


@given(st.lists(st.tuples(st.text("ab-01", max_size=4), st.integers(1, 3)), min_size=1, max_size=12))
def test_no_two_files_are_named_alike(wanted: list[tuple[str, int]]) -> None:
    pieces = order_from_sprites(sprite(name, frames) for name, frames in wanted).pieces
    several = [{piece.name, *piece.stems} for piece in pieces]
    assert sum(map(len, several)) == len(set().union(*several))


def test_what_holds_all_is_named_as_asked_or_after_a_lone_sprite() -> None:
    assert [
        order_from_sprites(*args).name for args in (([sprite("A")], "My Sheet"), ([sprite("A")],), ([sprite()] * 2,))
    ] == [
        "my-sheet",
        "a",
        "sprites",
    ]


def test_only_short_plain_values_of_a_lineage_are_told() -> None:
    told = order_from_sprites(
        [sprite(cell="a/b\n<", seed=7, number=True, species=["x"], likelihood=-1.5), sprite(seed=2**70, cell="")]
    )
    assert [dict(piece.told) for piece in told.pieces] == [{"cell": "a/b <", "seed": 7}, {}]


@given(st.text())
@settings(max_examples=200)
def test_plain_text_is_one_short_line_that_any_file_can_hold(text: str) -> None:
    line = plain(text)
    assert len(line) <= 200
    assert line.isprintable()
    assert line.encode("utf-8").decode() == line
    assert plain(line) == line


def test_a_scale_repeats_pixels_and_parts() -> None:
    parts = np.array([[0, 1], [2, 3]], np.uint8)
    (piece,) = order_from_sprites([Labelled(sprite("a"), (parts,))], scale=2).pieces
    assert piece.sprite.grid.cells.tolist() == [[0, 0, 1, 1], [0, 0, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]]
    assert np.array_equal(piece.parts[0][::2, ::2], parts)


def test_parts_must_fit_the_sprite() -> None:
    with pytest.raises(GridError, match="one grid a frame"):
        Labelled(sprite("a"), (np.zeros((3, 3), np.uint8),))
    with pytest.raises(GridError, match="one grid a frame"):
        Labelled(sprite("a", 2), (np.zeros((2, 2), np.uint8),))


def test_an_export_is_bounded() -> None:
    with pytest.raises(InputError, match=r"be 1 to 4,096 in one export, got 0"):
        order_from_sprites([])
    with pytest.raises(InputError, match=r"be 1 to 4,096 in one export, got 4097"):
        order_from_sprites([sprite()] * 4097)
    with pytest.raises(InputError, match=r"scale must be from 1 to 64, got 65"):
        order_from_sprites([sprite()], scale=65)
    large = Sprite.still(Grid(np.zeros((1024, 1024), np.uint8)), PALETTE)
    with pytest.raises(GridError, match=r"at most 16,777,216 pixels at their scale, got 26214400"):
        order_from_sprites([large], scale=5)


@pytest.mark.parametrize("format", FORMATS)
def test_the_same_sprites_give_the_same_bytes_inside_the_folder(format: str, tmp_path: Path) -> None:
    some = [sprite("../../a", 2, cell="x"), sprite("b")]
    first = export(some, format, tmp_path / "one", name="../out")
    again = export(some, format, tmp_path / "two", name="../out")
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in again]
    assert sorted(first) == sorted(path for path in (tmp_path / "one").rglob("*") if path.is_file())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "two"]


def test_an_unknown_format_is_named_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"format must be one of png, .*, godot, got 'bmp'"):
        export([sprite()], "bmp", tmp_path)
