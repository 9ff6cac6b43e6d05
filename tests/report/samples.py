"""Parts with made-up content, and a reader of the HTML that they give."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

import numpy as np
from PIL import Image

from pixelreef.report import Board, Card, Column, Deck, Fragment, Gallery, Label, Part, Picture, Row

VOID = {"meta", "link", "img", "input", "br", "hr"}


@dataclass(frozen=True)
class Summary:
    """Of the shape of `metrics.summary.Summary`."""

    mean: float | None
    low: float | None
    high: float | None
    n: int
    missing: int = 0


def png(seed: int = 0, width: int = 8, height: int = 8) -> bytes:
    cells = np.random.default_rng(seed).integers(0, 256, (height, width, 4), dtype=np.uint8)
    out = io.BytesIO()
    Image.fromarray(cells).save(out, "PNG")
    return out.getvalue()


def board() -> Board:
    columns = [
        Column("entrant", "Entrant"),
        Column("score", "Score", "interval", better="high", flag="Does not rank references above nulls."),
        Column("valid", "Valid", "percent"),
        Column("replies", "Replies", "count"),
        Column("cost", "Cost", "number", better="low", digits=2),
    ]
    rows = [
        Row({"entrant": "kelp", "score": Summary(0.5, 0.4, 0.6, 60), "valid": 0.5, "replies": 1200, "cost": 0.25}),
        Row({"entrant": "Anemone", "score": Summary(None, None, None, 0, 60), "valid": 0.0, "replies": 0}, "refused"),
        Row({"entrant": "tide", "score": Summary(0.75, 0.7, 0.8, 60, 2), "valid": 1.0, "replies": 60, "cost": 1.5}),
        Row({"entrant": "noise", "score": Summary(0.0, None, None, 1), "valid": 1.0, "cost": 0.0}, ranked=False),
    ]
    return Board(columns, rows, "Drawings of 60 subjects", sort="score", rank=True)


def gallery(count: int = 12) -> Gallery:
    zones = ("abyss", "hadal", "shallows")
    pictures = [
        Picture(
            png(number % 10),
            8,
            8,
            f"sprite {number}",
            "tide" if number % 2 else "kelp",
            tags=(f"zone:{zones[number % 3]}", "odd" if number % 2 else "even"),
            detail=f"reply {number}\n<b>&</b>" if number % 2 else "",
        )
        for number in range(count)
    ]
    return Gallery(pictures, tile=64)


LABELS = [Label("crab/low", {"kind": "crab", "depth": "low"}), Label("fish/deep", {"kind": "fish", "depth": "deep"})]


def card(number: int, size: int = 8, **changes: Any) -> Card:
    pixels = np.random.default_rng(number).integers(0, 256, (size, size, 4), dtype=np.uint8)
    pixels[..., 3] = 255
    made = {"title": f"card {number}", "caption": f"<i>{number}</i>", "group": "ab"[number % 2], **changes}
    return Card(f"id{number}", pixels, **made)


def deck(count: int = 6, **changes: Any) -> Deck:
    near = {n: tuple(m for m in range(count) if m % 2 == n % 2 and m != n)[:4] for n in range(count)}
    made = {"key": "k", "header": {"format": "f", "version": 1}, "labels": LABELS, "groups": "cell", **changes}
    return Deck([card(n, near=near[n]) for n in range(count)], **made)


@dataclass
class Read(HTMLParser):
    """What a parser makes of HTML: the tags with the names of their attributes, the texts, the values."""

    tags: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(name for name, _ in attrs)))
        self.values.extend(value or "" for _, value in attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(name for name, _ in attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def read(source: str | Fragment | Part) -> Read:
    """Parse, and hold every element to be closed in order."""
    if isinstance(source, Fragment):
        source = source.body
    elif not isinstance(source, str):
        source = source.fragment("part").body
    reader = Read()
    reader.feed(source)
    reader.close()
    assert reader.open == []
    return reader
