"""Plain parts: paragraphs, points, a command, tiles with one figure each, parts side by side.

What a room says in words beside its boards and charts. No markup is read from the text: a paragraph is a paragraph.

    Points(["Intervals are over subjects, not replies.", "A refusal counts as a reply."])
    Tiles([("valid replies", "93.1 %", "of 2,400"), ("entrants", "8", "")])
    Beside([chart, another_chart])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pixelreef.report.html import Html, joined, text
from pixelreef.report.part import Fragment, Part, assets_once

_ASSETS = ("prose.css",)


@dataclass(frozen=True)
class Prose:
    """One or more paragraphs, parted by empty lines."""

    words: str

    def fragment(self, name: str) -> Fragment:
        return Fragment(Html(f'<div class="prose">{paragraphs(self.words)}</div>'), _ASSETS)


@dataclass(frozen=True)
class Points:
    """A list of short remarks."""

    points: Sequence[str]

    def fragment(self, name: str) -> Fragment:
        items = joined(Html(f"<li>{text(point)}</li>") for point in self.points)
        return Fragment(Html(f'<ul class="prose points">{items}</ul>'), _ASSETS)


@dataclass(frozen=True)
class Command:
    """Text of a terminal or a file, letter for letter; scrolls sideways on a narrow screen."""

    command: str

    def fragment(self, name: str) -> Fragment:
        # A code element inside, since a newline right after <pre> would be swallowed.
        body = f'<pre class="command" tabindex="0"><code>{text(self.command)}</code></pre>'
        return Fragment(Html(body), _ASSETS)


@dataclass(frozen=True)
class Tiles:
    """A few figures in large type, each a label, a value and a remark that may be empty."""

    tiles: Sequence[tuple[str, str, str]]

    def fragment(self, name: str) -> Fragment:
        tiles = joined(_tile(*tile) for tile in self.tiles)
        return Fragment(Html(f'<dl class="tiles">{tiles}</dl>'), _ASSETS)


@dataclass(frozen=True)
class Beside:
    """Parts side by side where the screen is wide enough, else one under the other."""

    parts: Sequence[Part]

    def fragment(self, name: str) -> Fragment:
        fragments = [part.fragment(f"{name}_{number}") for number, part in enumerate(self.parts, start=1)]
        sides = joined(Html(f"<div>{fragment.body}</div>") for fragment in fragments)
        assets = assets_once([_ASSETS, *(fragment.assets for fragment in fragments)])
        return Fragment(Html(f'<div class="beside">{sides}</div>'), assets)


def paragraphs(words: str) -> Html:
    r"""Text as paragraphs, parted by empty lines.

    >>> paragraphs("One.\n\nTwo.")
    '<p>One.</p><p>Two.</p>'
    """
    return joined(Html(f"<p>{text(block.strip())}</p>") for block in words.split("\n\n") if block.strip())


def _tile(label: str, value: str, remark: str) -> Html:
    small = f'<dd class="remark">{text(remark)}</dd>' if remark else ""
    return Html(f'<div class="tile"><dt>{text(label)}</dt><dd class="value">{text(value)}</dd>{small}</div>')
