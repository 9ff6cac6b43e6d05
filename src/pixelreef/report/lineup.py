"""Rows of pictures that show the same thing: what lies under the pointer in one is read out in all of its row.

A pane is a picture (a photograph, say) or a picture of labels, painted in one colour for each, of which the name under
the pointer is shown. A pane may hold further views of the same size (an overlay, the picture as it came), to which a
button above the rows turns all panes that have them. Pointer, touch and arrow keys work alike.

    Lineup([Lined("reef-1", [Pane("truth", View(png, labels=True)), Pane("tide-2", View(other, labels=True))])],
           labels={"000000": "water", "ff8800": "fish"})

Pictures are PNG or JPEG bytes. All views of a row have the row's shape, whatever their number of pixels.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pixelreef.errors import InputError
from pixelreef.report.html import Html, attribute, joined, script_json, text
from pixelreef.report.part import Fragment

_KINDS = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg"}
_SHORT = 3  # panes
FILTER_FROM = 8  # rows from which a filter is worth its place


@dataclass(frozen=True)
class View:
    """One picture; `labels` where its colours are names."""

    image: bytes
    labels: bool = False

    def __post_init__(self) -> None:
        self.kind  # noqa: B018 - says that it is neither

    @property
    def kind(self) -> str:
        """`png` or `jpeg`, told from the bytes."""
        for head, kind in _KINDS.items():
            if self.image.startswith(head):
                return kind
        raise InputError("image of a view", "be PNG or JPEG bytes", self.image[:8])


@dataclass(frozen=True)
class Pane:
    """A picture with a name and a line under it; `views` are further pictures by the name of their button.

    `apart` sets it off from the others; `detail` is a longer text, folded away.
    """

    name: str
    first: View | None
    caption: str = ""
    views: Mapping[str, View] = field(default_factory=dict)
    apart: bool = False
    detail: str = ""


@dataclass(frozen=True)
class Lined:
    """One row: a title, its panes, and width / height of all of them."""

    title: str
    panes: Sequence[Pane]
    ratio: float = 1.0
    caption: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lineup:
    """Rows of panes. `labels` is hex digits → name; a colour that is not among them has no name."""

    rows: Sequence[Lined]
    labels: Mapping[str, str]
    pane: int = 168
    first: str = "labels"
    """What the first view of a pane is called on its button."""

    def fragment(self, name: str) -> Fragment:
        views = dict.fromkeys(view for row in self.rows for pane in row.panes for view in pane.views)
        rows = joined((self._row(row) for row in self.rows), "\n")
        kind = "lined beside-rows" if self._few else "lined"
        body = (
            f'<div class="lineup" style="--pane:{int(self.pane)}px">{self._bar(list(views))}'
            f'<script type="application/json">{script_json(dict(self.labels))}</script>\n'
            f'<ul class="{kind}">{rows}</ul><p class="none" hidden>No row matches the filter.</p></div>\n'
        )
        return Fragment(Html(body), ("lineup.css", "lineup.js"))

    def size(self) -> int:
        """About how many bytes the pictures take up in a page."""
        images = (
            view.image
            for row in self.rows
            for pane in row.panes
            for view in (*([pane.first] if pane.first else []), *pane.views.values())
        )
        return sum(4 * len(image) // 3 for image in images)

    @property
    def _few(self) -> bool:
        """Whether rows are so short that two of them fit side by side."""
        return max((len(row.panes) for row in self.rows), default=0) <= _SHORT

    def _bar(self, views: Sequence[str]) -> str:
        buttons = ""
        if views:
            buttons = "".join(
                f'<button type="button" class="turn" data-view="{attribute(view)}"'
                f' aria-pressed="{"true" if place == 0 else "false"}">{text(title)}</button>'
                for place, (view, title) in enumerate([("", self.first), *((one, one) for one in views)])
            )
            buttons = f'<div class="turns" role="group" aria-label="What the pictures show">{buttons}</div>'
        tags = list(dict.fromkeys(tag for row in self.rows for tag in row.tags))
        chips = ""
        if len(tags) > 1 and len(self.rows) >= FILTER_FROM:
            chips = "".join(
                f'<button type="button" class="turn" data-tag="{attribute(tag)}" aria-pressed="false">'
                f"{text(tag)}</button>"
                for tag in tags
            )
            chips = f'<div class="turns" role="group" aria-label="Which rows">{chips}</div>'
        return f'<div class="lineup-bar">{buttons}{chips}</div>' if buttons or chips else ""

    def _row(self, row: Lined) -> Html:
        panes = joined(_pane(pane, row.title) for pane in row.panes)
        caption = f'<span class="lined-caption">{text(row.caption)}</span>' if row.caption else ""
        return Html(
            f'<li data-tags="{attribute(" ".join(tag.replace(" ", "-") for tag in row.tags))}">'
            f'<p class="lined-title"><strong>{text(row.title)}</strong> {caption}</p>'
            f'<div class="panes" tabindex="0" role="group" style="--ratio:{row.ratio:.5g}"'
            f' aria-label="{attribute(row.title)}: arrow keys read the labels out">{panes}</div>'
            '<p class="unseen" aria-live="polite"></p></li>'
        )


def _pane(pane: Pane, title: str) -> Html:
    images = "" if pane.first is None else _image(pane.first, "", f"{pane.name}, {title}")
    images += "".join(_image(view, name, f"{pane.name}, {title}: {name}") for name, view in pane.views.items())
    empty = "" if images else '<span class="no-picture">no picture</span>'
    caption = f'<span class="pane-caption">{text(pane.caption)}</span>' if pane.caption else ""
    detail = (
        f'<details class="said"><summary>what it said</summary><pre tabindex="0">{text(pane.detail)}</pre></details>'
        if pane.detail
        else ""
    )
    return Html(
        f'<figure class="pane{" apart" if pane.apart else ""}"><div class="glass">{images}{empty}'
        '<span class="cross" hidden></span></div>'
        f'<figcaption><span class="pane-name">{text(pane.name)}</span>'
        f'<output class="read"></output>{caption}{detail}</figcaption></figure>'
    )


def _image(view: View, name: str, alt: str) -> str:
    source = f"data:image/{view.kind};base64,{base64.b64encode(view.image).decode()}"
    return (
        f'<img src="{source}" alt="{attribute(alt)}" data-view="{attribute(name)}"'
        f'{" data-labels" if view.labels else ""}{" hidden" if name else ""} loading="lazy" decoding="async"'
        ' draggable="false">'
    )
