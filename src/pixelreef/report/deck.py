"""A deck: small pictures judged one by one, with single keys, and the judgement saved as a JSON file.

k keeps, d drops, r gives another label, w another weight, u takes the last one back; arrows and the space bar move on.
What was decided is kept in the browser, where it lets a page from disk do so, and saved by a button as

    {**header, "decisions": {id: {"do": "keep" | "drop", "relabel": {…}, "weight": 2}}}

All pictures are one atlas, drawn at whole multiples, so that thousands stay light. The deck knows nothing about what is
judged: `header` names the format and `key` what was judged, for the browser to find its decisions again.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.render import png_from_rgba
from pixelreef.errors import InputError
from pixelreef.report.html import Html, attribute, joined, script_json, text
from pixelreef.report.part import Fragment

MAX_PIXELS = 2**24  # of the atlas
_WIDTH = 2048  # of the atlas, or its widest picture
_KEYS = "123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, eq=False)
class Card:
    """One picture to be judged."""

    id: str
    """Names its decision in the file."""
    pixels: NDArray[np.uint8]
    """(H, W, 4) bytes."""
    title: str
    caption: str = ""
    group: str = ""
    near: tuple[int, ...] = ()
    """The numbers of cards that are shown beside it, for comparison."""


@dataclass(frozen=True)
class Label:
    """What a card may be relabelled as: its words, and what stands in the file."""

    title: str
    value: Mapping[str, str]


@dataclass(frozen=True)
class Deck:
    """Cards in order. `groups` names in one word what `Card.group` is; `file` is the name of the saved file."""

    cards: Sequence[Card]
    key: str
    header: Mapping[str, Any] = field(default_factory=dict)
    labels: Sequence[Label] = ()
    weights: Sequence[float] = (0.25, 0.5, 1, 2, 4)
    groups: str = "group"
    file: str = "decisions.json"

    def __post_init__(self) -> None:
        ids = [card.id for card in self.cards]
        if len(set(ids)) < len(ids) or not ids:
            raise InputError("cards", "be at least one, each with an id of its own", len(ids))
        if any(not 0 <= near < len(ids) for card in self.cards for near in card.near):
            raise InputError("near cards", f"be numbers from 0 to {len(ids) - 1}", "others", verbatim=True)

    def fragment(self, name: str) -> Fragment:
        atlas, places = packed([card.pixels for card in self.cards])
        picture = base64.b64encode(png_from_rgba(atlas)).decode()
        body = (
            f'<div class="deck" tabindex="-1">{self._bar(name)}<p class="deck-note" role="status" hidden></p>'
            '<div class="deck-table"><div class="deck-mat"><canvas class="deck-big" role="img"></canvas></div>'
            '<div class="deck-side"><div class="deck-words"><p class="deck-title"></p><p class="deck-place"></p>'
            '<p class="deck-verdict" role="status"></p><p class="deck-caption"></p></div>'
            f'<p class="deck-like">Nearest of the same {text(self.groups)}</p><div class="deck-near"></div></div>'
            f'<p class="deck-none" hidden>Nothing left to show here.</p></div>{self._buttons()}'
            f"{_choice('relabel', 'Relabel as', [label.title for label in self.labels])}"
            f"{_choice('weight', 'Weight', [f'{weight:g}' for weight in self.weights])}"
            "<noscript><p>Judging needs scripts.</p></noscript>"
            f'<img class="deck-atlas" alt="" hidden src="data:image/png;base64,{picture}">'
            f'<script type="application/json">{script_json(self._document(places))}</script></div>\n'
        )
        return Fragment(Html(body), ("deck.css", "deck.js"))

    def _bar(self, name: str) -> str:
        groups = list(dict.fromkeys(card.group for card in self.cards))
        options = joined(Html(f'<option value="{n}">{text(group)}</option>') for n, group in enumerate(groups))
        states = "".join(f'<option value="{state}">{state or "all"}</option>' for state in _STATES)
        return (
            '<div class="deck-bar">'
            f'<label for="{name}_group">{text(self.groups.capitalize())}</label>'
            f'<select id="{name}_group" class="deck-group"><option value="">all</option>{options}</select>'
            f'<label for="{name}_state">Show</label><select id="{name}_state" class="deck-state">{states}</select>'
            '<span class="deck-space"></span><button type="button" data-do="open">Open…</button>'
            f'<button type="button" class="deck-save" data-do="save">Save {attribute(self.file)}</button>'
            '<input type="file" accept=".json,application/json" hidden aria-label="A file of decisions">'
            f'<progress max="{len(self.cards)}" value="0" aria-label="Decided"></progress>'
            '<output class="deck-counts"></output></div>'
        )

    def _buttons(self) -> str:
        offered = [one for one in _BUTTONS if one[0] != "relabel" or self.labels]
        return (
            '<div class="deck-keys" role="group" aria-label="Decide">'
            + "".join(
                f'<button type="button" data-do="{do}"><kbd>{key}</kbd> {word}</button>' for do, key, word in offered
            )
            + "</div>"
        )

    def _document(self, places: Sequence[tuple[int, int]]) -> dict[str, Any]:
        groups = {group: number for number, group in enumerate(dict.fromkeys(card.group for card in self.cards))}
        return {
            "key": self.key,
            "file": self.file,
            "header": dict(self.header),
            "labels": [dict(label.value) for label in self.labels],
            "titles": [label.title for label in self.labels],
            "weights": list(self.weights),
            "cards": [
                [
                    *(card.id, *place, card.pixels.shape[1], card.pixels.shape[0]),
                    *(card.title, card.caption, groups[card.group], list(card.near)),
                ]
                for card, place in zip(self.cards, places, strict=True)
            ],
        }


_STATES = ("", "undecided", "kept", "dropped", "relabelled", "reweighted")
_BUTTONS = (
    ("back", "←", "Back"),
    ("keep", "k", "Keep"),
    ("drop", "d", "Drop"),
    ("relabel", "r", "Relabel"),
    ("weight", "w", "Weight"),
    ("undo", "u", "Undo"),
    ("next", "→", "Next"),
)


def packed(pictures: Sequence[NDArray[np.uint8]]) -> tuple[NDArray[np.uint8], list[tuple[int, int]]]:
    """Pictures in rows on one: the atlas (H, W, 4), and the (x, y) of each.

    >>> packed([np.zeros((2, 3, 4), np.uint8), np.zeros((4, 1, 4), np.uint8)])[1]
    [(0, 0), (3, 0)]
    """
    places: list[tuple[int, int]] = []
    width = max(_WIDTH, *(picture.shape[1] for picture in pictures)) if pictures else _WIDTH
    x = y = tall = used = 0
    for picture in pictures:
        if x + picture.shape[1] > width:
            x, y, tall = 0, y + tall, 0
        places.append((x, y))
        x, tall = x + picture.shape[1], max(tall, picture.shape[0])
        used = max(used, x)
    if used * (y + tall) > MAX_PIXELS:
        raise InputError("pictures of a deck", f"have at most {MAX_PIXELS:,} pixels", used * (y + tall), "Show fewer.")
    atlas = np.zeros((y + tall, used, 4), np.uint8)
    for picture, (left, top) in zip(pictures, places, strict=True):
        atlas[top : top + picture.shape[0], left : left + picture.shape[1]] = picture
    return atlas, places


def _choice(do: str, title: str, options: Sequence[str]) -> str:
    items = "".join(
        f'<li><button type="button" data-choice="{number}">'
        f"<kbd>{_KEYS[number] if number < len(_KEYS) else ''}</kbd> {text(option)}</button></li>"
        for number, option in enumerate(options)
    )
    return (
        f'<dialog class="deck-choice" data-choose="{do}" aria-label="{attribute(title)}">'
        f"<p>{text(title)} …</p><ol>{items}</ol></dialog>"
    )
