"""A palette on the page: one row of colour cells per ramp, dark to light.

The hex digits and the index of a colour show when it is pointed at or focused; the arrow keys walk from cell to cell.
The transparent entry and colours that stand on no ramp have rows of their own, so that every index is seen.

    Swatches(reef_palette(), reef_ramps())
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pixelreef.core.palette import Palette
from pixelreef.core.ramps import Ramps
from pixelreef.errors import PaletteError
from pixelreef.report.html import Html, attribute, joined, text
from pixelreef.report.part import Fragment


@dataclass(frozen=True)
class Swatches:
    """A palette as the rows of its ramps."""

    palette: Palette
    ramps: Ramps
    caption: str = ""

    def __post_init__(self) -> None:
        if self.ramps.colours != len(self.palette):
            raise PaletteError("ramps", f"be of a palette of {len(self.palette)} colours", self.ramps.colours)

    def fragment(self, name: str) -> Fragment:
        rows = joined(self._row(label, line) for label, line in self._lines())
        caption = f"<figcaption>{text(self.caption)}</figcaption>" if self.caption else ""
        body = f'<figure class="swatches"><div class="ramps">{rows}</div>{caption}</figure>\n'
        return Fragment(Html(body), ("swatches.css", "swatches.js"))

    def _lines(self) -> list[tuple[str, Sequence[int]]]:
        lines = list(zip(self.ramps.names, self.ramps.lines, strict=True))
        ramped = {index for line in self.ramps.lines for index in line}
        loose = [int(index) for index in self.palette.opaque if int(index) not in ramped]
        clear = [] if self.palette.transparent is None else [self.palette.transparent]
        extra = [("on no ramp", loose), ("transparent", clear)]
        return [*lines, *((label, line) for label, line in extra if line)]

    def _row(self, label: str, line: Sequence[int]) -> Html:
        cells = joined(self._cell(label, index) for index in line)
        return Html(
            f'<div class="ramp"><span class="ramp-name">{text(label)}</span>'
            f'<span class="ramp-cells" role="group" aria-label="{attribute(label)}">{cells}</span></div>'
        )

    def _cell(self, label: str, index: int) -> Html:
        if index == self.palette.transparent:
            words, look = f"{index} transparent", 'class="swatch clear"'
        else:
            colour = bytes(self.palette.rgb[index]).hex()
            words, look = f"{index} #{colour}", f'class="swatch" style="--colour:#{colour}"'
        # The script lets one cell of the whole figure keep the focus; without it, every cell can be reached.
        return Html(f'<span {look} tabindex="0" role="img" aria-label="{words}"><span>{words}</span></span>')
