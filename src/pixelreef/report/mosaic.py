"""A mosaic: tiles laid out by two factors, or as a list, each with a word, a tone and a picture, each opening to more.

A tile leads to a box below the mosaic that holds its parts. Boxes are closed at first and open when their tile is
chosen, without a script too. A tone is told by its sign as well as by its colour.

    Mosaic([Tile("coral/abyss", "fail", "bad", "stray pixels: 0.31", row="abyss", column="coral", parts=[board])],
           rows=["abyss"], columns=["coral"], label="Verdicts by zone and category")
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pixelreef.errors import InputError
from pixelreef.report.gallery import Picture
from pixelreef.report.html import Html, attribute, joined, text
from pixelreef.report.part import Fragment, Part, assets_once, stacked

Tone: TypeAlias = Literal["good", "warn", "bad", "open"]
_SIGNS: dict[Tone, str] = {"good": "✓", "warn": "!", "bad": "✕", "open": "?"}
_PICTURE = 72  # CSS pixels that a tile's picture may take


@dataclass(frozen=True)
class Tile:
    """One tile. `row` and `column` say where it stands; `parts` is what it opens to."""

    title: str
    word: str
    tone: Tone
    remark: str = ""
    picture: Picture | None = None
    row: str = ""
    column: str = ""
    parts: Sequence[Part] = field(default_factory=tuple)

    def __post_init__(self) -> None:
        if self.tone not in _SIGNS:
            raise InputError(f"tone of tile {self.title!r}", f"be one of {', '.join(_SIGNS)}", self.tone)


@dataclass(frozen=True)
class Mosaic:
    """Tiles in a table of `rows` and `columns`; one after the other where these are not given."""

    tiles: Sequence[Tile]
    label: str
    rows: Sequence[str] = ()
    columns: Sequence[str] = ()

    def __post_init__(self) -> None:
        if bool(self.rows) != bool(self.columns):
            raise InputError("rows and columns", "be given both or neither", [len(self.rows), len(self.columns)])
        if not self.rows:
            return
        for tile in self.tiles:
            if tile.row not in self.rows or tile.column not in self.columns:
                raise InputError(f"tile {tile.title!r}", "stand in a row and a column", (tile.row, tile.column))
        places = [(tile.row, tile.column) for tile in self.tiles]
        if len(set(places)) < len(places):
            raise InputError("tiles", "stand in different places", places)

    def fragment(self, name: str) -> Fragment:
        names = {id(tile): f"{name}_{number}" for number, tile in enumerate(self.tiles, start=1)}
        faces = {id(tile): _face(tile, names[id(tile)]) for tile in self.tiles}
        laid = self._table(faces) if self.rows else self._list(faces)
        boxes = [_box(tile, names[id(tile)]) for tile in self.tiles if tile.parts]
        body = f'<div class="mosaic">{laid}<div class="boxes">{joined(box.body for box in boxes)}</div></div>\n'
        return Fragment(Html(body), assets_once([("mosaic.css", "mosaic.js"), *(box.assets for box in boxes)]))

    def _table(self, faces: dict[int, Html]) -> Html:
        at = {(tile.row, tile.column): faces[id(tile)] for tile in self.tiles}
        head = joined(Html(f'<th scope="col">{text(column)}</th>') for column in self.columns)
        lines = joined(
            Html(
                f'<tr><th scope="row">{text(row)}</th>'
                + joined(Html(f"<td>{at.get((row, column), '')}</td>") for column in self.columns)
                + "</tr>"
            )
            for row in self.rows
        )
        return Html(
            f'<div class="mosaic-scroll"><table><caption class="unseen">{text(self.label)}</caption>'
            f"<thead><tr><td></td>{head}</tr></thead><tbody>{lines}</tbody></table></div>"
        )

    def _list(self, faces: dict[int, Html]) -> Html:
        items = joined(Html(f"<li>{faces[id(tile)]}</li>") for tile in self.tiles)
        return Html(f'<ul class="mosaic-list" aria-label="{attribute(self.label)}">{items}</ul>')


def _face(tile: Tile, name: str) -> Html:
    inside = (
        f"{_image(tile)}"
        f'<span class="verdict"><span class="sign" aria-hidden="true">{_SIGNS[tile.tone]}</span>'
        f'<span class="tile-title">{text(tile.title)}</span> <span class="word">{text(tile.word)}</span></span>'
        + (f'<span class="why">{text(tile.remark)}</span>' if tile.remark else "")
    )
    if not tile.parts:
        return Html(f'<span class="face {tile.tone}">{inside}</span>')
    return Html(f'<a class="face {tile.tone}" href="#{name}">{inside}</a>')


def _image(tile: Tile) -> str:
    if tile.picture is None:
        return ""
    width, height = tile.picture.shown_size(_PICTURE)
    source = base64.b64encode(tile.picture.png).decode()
    return f'<img src="data:image/png;base64,{source}" alt="" width="{width}" height="{height}">'


def _box(tile: Tile, name: str) -> Fragment:
    inside = stacked(tile.parts, name)
    body = (
        f'<details class="box {tile.tone}"><summary><span class="sign" aria-hidden="true">{_SIGNS[tile.tone]}</span>'
        f"<strong>{text(tile.title)}</strong> {text(tile.word)}"
        + (f'<span class="why">{text(tile.remark)}</span>' if tile.remark else "")
        # A browser opens a closed box when it is sent to something inside it.
        + f'</summary><div id="{name}" class="box-inside" tabindex="-1">{inside.body}</div></details>'
    )
    return Fragment(Html(body), inside.assets)
