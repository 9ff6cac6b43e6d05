"""What a part of a page is, and the style sheets and scripts that parts may ask for.

A part turns itself into a `Fragment`: its body, and the names of the assets that the body needs. The page inlines each
asset once, however many parts name it. Assets are files of the folder `assets`, but for `plotly.js`, which is read out
of the installed plotly package.

    class Rule:
        def fragment(self, name: str) -> Fragment:
            return Fragment(Html("<hr>"))
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Protocol

from pixelreef.report.html import Html, joined

PLOTLY = "plotly.js"


@dataclass(frozen=True)
class Fragment:
    """The body of a part, and the assets (`board.css`, `board.js`) without which it does not work."""

    body: Html
    assets: tuple[str, ...] = ()


class Part(Protocol):
    """Anything that can stand in a section."""

    def fragment(self, name: str) -> Fragment:
        """The part as HTML; `name` is unique on the page and starts every id that the part gives out."""


def stacked(parts: Iterable[Part], name: str) -> Fragment:
    """Parts one after the other, named `name_1`, `name_2`, …, as one fragment."""
    fragments = [part.fragment(f"{name}_{number}") for number, part in enumerate(parts, start=1)]
    return Fragment(joined(f.body for f in fragments), assets_once(f.assets for f in fragments))


def assets_once(lists: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """All assets of all lists, each once, in the order in which they are first asked for.

    >>> assets_once([["a.css", "a.js"], ["b.css", "a.js"]])
    ('a.css', 'a.js', 'b.css')
    """
    return tuple(dict.fromkeys(asset for assets in lists for asset in assets))


@cache
def asset_text(name: str) -> str:
    """The text of an asset, fit to stand inside `<style>` or `<script>`."""
    if name == PLOTLY:
        from plotly.offline import get_plotlyjs

        source = str(get_plotlyjs())
    else:
        source = resources.files("pixelreef.report").joinpath("assets", name).read_text(encoding="utf-8")
    source = source.replace("\r\n", "\n").replace("\r", "\n")  # as a browser reads it, so that its hash is ours
    if any(ending in source.lower() for ending in ("</script", "</style", "<!--")):
        raise ValueError(f"asset {name} holds a tag that would end its own element")
    return source
