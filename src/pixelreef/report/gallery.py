"""A gallery: pictures at whole multiples of their size, with a filter and a closer look.

Pixels stay square: a picture is shown at the largest whole multiple that fits a tile, or, when it is larger than the
tile, at a whole fraction, smoothed. The closer look is always at a whole multiple. The same PNG bytes are stored once.
Drawing the PNG is `core.render`; this module reads no picture.

Tags filter. In `zone:abyss` the part before the colon is a group: chips of one group widen what is shown, chips of
another group narrow it. Left and right go through what the filter shows.

    Gallery([Picture(png, 24, 24, "jellyfish", "tide-2, strict", tags=("zone:abyss",), detail=reply)], tile=120)
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pixelreef.errors import InputError
from pixelreef.report.html import Html, attribute, joined, text
from pixelreef.report.part import Fragment

_PNG = b"\x89PNG\r\n\x1a\n"
FILTER_FROM = 9  # pictures; fewer are seen at a glance


@dataclass(frozen=True)
class Picture:
    """PNG bytes and their size in pixels, words, tags to filter by, and a long text for the closer look."""

    png: bytes
    width: int
    height: int
    title: str
    caption: str = ""
    tags: tuple[str, ...] = ()
    detail: str = ""

    def __post_init__(self) -> None:
        if not self.png.startswith(_PNG):
            raise InputError(f"picture {self.title!r}", "be PNG bytes", self.png[:8])
        if self.width < 1 or self.height < 1:
            raise InputError(f"size of picture {self.title!r}", "be at least 1 × 1", (self.width, self.height))

    def shown_size(self, tile: int) -> tuple[int, int]:
        """Width and height in CSS pixels, so that the longer side is at most `tile`.

        >>> Picture(_PNG, 24, 16, "a").shown_size(120), Picture(_PNG, 500, 300, "b").shown_size(120)
        ((120, 80), (100, 60))
        """
        longer = max(self.width, self.height)
        if longer <= tile:
            scale = tile // longer
            return self.width * scale, self.height * scale
        part = -(-longer // tile)
        return max(1, self.width // part), max(1, self.height // part)


@dataclass(frozen=True)
class Gallery:
    """Pictures in tiles of `tile` CSS pixels. `label` names the gallery to a screen reader."""

    pictures: Sequence[Picture]
    tile: int = 120
    label: str = "Pictures"

    def __post_init__(self) -> None:
        if self.tile < 16:
            raise InputError("tile", "be at least 16 CSS pixels", self.tile)

    def fragment(self, name: str) -> Fragment:
        tags = _numbered(tag for picture in self.pictures for tag in picture.tags)
        first: dict[bytes, int] = {}
        items = joined((self._item(n, p, tags, first) for n, p in enumerate(self.pictures)), "\n")
        tallest = max((p.shown_size(self.tile)[1] for p in self.pictures), default=0)
        body = (
            f'<div class="gallery" style="--tile:{self.tile}px;--tallest:{tallest}px">{self._filter(name, list(tags))}'
            f'<ul class="pictures" aria-label="{attribute(self.label)}">\n{items}</ul>'
            f'<p class="none" hidden>No picture matches the filter.</p>{_dialog(name)}</div>\n'
        )
        return Fragment(Html(body), ("gallery.css", "gallery.js"))

    def _filter(self, name: str, tags: Sequence[str]) -> str:
        count = len(self.pictures)
        if count < FILTER_FROM and not tags:
            return ""
        return (
            f'<div class="filter" role="search"><div class="filter-row"><label for="{name}_words">Filter</label>'
            f'<input id="{name}_words" type="search" autocomplete="off" spellcheck="false" placeholder="words">'
            f'<output class="matches" for="{name}_words">{count:,} of {count:,}</output></div>{_chips(tags)}</div>'
        )

    def _item(self, number: int, picture: Picture, tags: dict[str, int], first: dict[bytes, int]) -> Html:
        width, height = picture.shown_size(self.tile)
        marks = " ".join(str(tags[tag]) for tag in picture.tags)
        caption = f'<span class="caption">{text(picture.caption)}</span>' if picture.caption else ""
        detail = f'<div class="detail" hidden>{text(picture.detail)}</div>' if picture.detail else ""
        return Html(
            f'<li data-tags="{marks}"><button type="button" class="look">'
            f'<img {_source(number, picture, first)} alt="{attribute(picture.title)}" width="{width}" height="{height}"'
            f' data-size="{picture.width} {picture.height}"{"" if width >= picture.width else " data-smooth"}'
            f' loading="lazy" decoding="async"></button>'
            f'<span class="name">{text(picture.title)}</span>{caption}{detail}</li>'
        )


def _numbered(tags: Iterable[str]) -> dict[str, int]:
    return {tag: number for number, tag in enumerate(dict.fromkeys(tags))}


def _source(number: int, picture: Picture, first: dict[bytes, int]) -> str:
    """The bytes where a picture is seen for the first time; afterwards, the number of the item that has them."""
    same = first.setdefault(picture.png, number)
    if same != number:
        return f'data-same="{same}"'
    return f'src="data:image/png;base64,{base64.b64encode(picture.png).decode()}"'


def _chips(tags: Sequence[str]) -> str:
    groups: dict[str, list[int]] = {}
    for number, tag in enumerate(tags):
        groups.setdefault(tag.partition(":")[0] if ":" in tag else "", []).append(number)
    return "".join(_group(group, [(n, tags[n]) for n in numbers]) for group, numbers in groups.items())


def _group(group: str, tags: Sequence[tuple[int, str]]) -> str:
    chips = "".join(
        f'<button type="button" class="chip" aria-pressed="false" data-tag="{number}" data-group="{attribute(group)}">'
        f"{text(tag.partition(':')[2] if group else tag)}</button>"
        for number, tag in tags
    )
    label = group or "tags"
    legend = f'<span class="group" aria-hidden="true">{text(group)}</span>' if group else ""
    return f'<div class="chips" role="group" aria-label="{attribute(label)}">{legend}{chips}</div>'


def _dialog(name: str) -> str:
    return (
        f'<dialog class="closer" aria-labelledby="{name}_title"><div class="closer-bar">'
        f'<p class="closer-title" id="{name}_title"></p><span class="closer-place"></span>'
        '<button type="button" data-go="-1" aria-label="Previous picture">←</button>'
        '<button type="button" data-go="1" autofocus aria-label="Next picture">→</button>'
        '<button type="button" data-close aria-label="Close">×</button></div>'
        '<div class="closer-body"><div class="closer-picture"><img alt=""></div>'
        '<p class="closer-caption"></p><pre class="closer-detail" tabindex="0" hidden></pre></div></dialog>'
    )
