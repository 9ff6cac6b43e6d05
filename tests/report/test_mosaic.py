"""A mosaic: tiles by two factors or in a list, each leading to its box."""

from __future__ import annotations

import pytest
from report.samples import png

from pixelreef.errors import InputError
from pixelreef.report import Mosaic, Picture, Prose, Tile

PICTURE = Picture(png(), 1, 1, "a")


def tile(row: str, column: str, **more: object) -> Tile:
    return Tile(f"{column}/{row}", "fail", "bad", "why", row=row, column=column, **more)  # type: ignore[arg-type]


def test_tiles_stand_where_their_factors_say() -> None:
    made = Mosaic([tile("low", "crab"), tile("high", "fish")], "Cells", rows=["high", "low"], columns=["fish", "crab"])
    body = made.fragment("m").body
    high, low = body.split('<th scope="row">')[1:]
    assert high.index("fish/high") < high.rindex("<td></td>")
    assert low.index("<td></td>") < low.index("crab/low")


def test_a_tile_with_parts_leads_to_its_box_and_brings_its_assets() -> None:
    fragment = Mosaic([tile("a", "b", parts=[Prose("inside")]), Tile("plain", "pass", "good")], "Cells").fragment("m")
    assert 'href="#m_1"' in fragment.body
    assert '<div id="m_1"' in fragment.body
    assert "m_2" not in fragment.body
    assert fragment.assets == ("mosaic.css", "mosaic.js", "prose.css")


def test_words_are_text() -> None:
    body = Mosaic([Tile("<b>", "<i>", "warn", "<u>", parts=[Prose("x")])], "<s>").fragment("m").body
    assert not any(f"<{name}>" in body for name in "bius")


@pytest.mark.parametrize(
    ("tiles", "rows", "columns"),
    [
        ([tile("a", "b")], ["a"], []),
        ([tile("a", "b")], ["a"], ["c"]),
        ([tile("a", "b"), tile("a", "b")], ["a"], ["b"]),
    ],
)
def test_a_tile_has_one_place(tiles: list[Tile], rows: list[str], columns: list[str]) -> None:
    with pytest.raises(InputError):
        Mosaic(tiles, "Cells", rows, columns)


def test_a_tone_is_one_of_four() -> None:
    with pytest.raises(InputError, match="good, warn, bad, open"):
        Tile("a", "b", "loud")  # type: ignore[arg-type]
