"""Colours and what they stand for: a list of swatches with names.

Legend({"000000": "background", "ff8800": "fish"})
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pixelreef.core.palette import rgb_from_hex
from pixelreef.report.html import Html, joined, text
from pixelreef.report.part import Fragment


@dataclass(frozen=True)
class Legend:
    """Hex digits → name, in their order."""

    names: Mapping[str, str]
    caption: str = ""

    def __post_init__(self) -> None:
        for colour in self.names:
            rgb_from_hex(colour)

    def fragment(self, name: str) -> Fragment:
        items = joined(
            Html(
                f'<li><span class="legend-colour" style="--colour:#{colour}"></span>'
                f"<span>{text(meaning)}</span> <code>#{colour}</code></li>"
            )
            for colour, meaning in self.names.items()
        )
        caption = f"<figcaption>{text(self.caption)}</figcaption>" if self.caption else ""
        return Fragment(Html(f'<figure class="legend"><ul>{items}</ul>{caption}</figure>\n'), ("legend.css",))
