"""A living picture: a scene and its swimmers, drawn in the browser from palette indices alone.

Light is never blended: it walks each pixel along its ramp, lighter or darker, so that whatever moves, every colour on
the screen is one of the palette's. Ripples of light pass over the scene, a lamp follows the pointer (or the arrow
keys), and in the dark theme it is night. Stands still, with a button to start it, where less motion is asked for.

    Aquarium(scene, palette, ramps, [Swimmer([fish], x=20, y=30, speed=7)], alt="A reef with one fish")
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pixelreef.core.grid import Grid
from pixelreef.core.palette import Palette
from pixelreef.core.ramps import Ramps
from pixelreef.core.render import png_from_grid
from pixelreef.errors import InputError, PaletteError
from pixelreef.report.html import Html, attribute, script_json, text
from pixelreef.report.part import Fragment

DARKEST, LIGHTEST = -3, 3  # how many steps light may walk


@dataclass(frozen=True)
class Swimmer:
    """A sprite that looks to the right, where it starts, and its speed in pixels a second.

    A negative speed is to the left; with none it keeps its place. A sprite of one frame beats its tail, one of several
    plays them.
    """

    frames: Sequence[Grid]
    x: float
    y: float
    speed: float
    milliseconds: int = 160
    """For each frame."""

    def __post_init__(self) -> None:
        if not self.frames or len({frame.size for frame in self.frames}) > 1:
            raise InputError("frames of a swimmer", "be at least one, all of one size", len(self.frames))


@dataclass(frozen=True)
class Aquarium:
    """A scene, its palette and ramps, and what swims in it. `alt` says in words what is to be seen."""

    scene: Grid
    palette: Palette
    ramps: Ramps
    swimmers: Sequence[Swimmer]
    alt: str
    caption: str = ""
    gif: bytes | None = None
    """The same as an animation to save."""
    gif_name: str = "aquarium.gif"

    def __post_init__(self) -> None:
        if self.ramps.colours != len(self.palette):
            raise PaletteError("ramps", f"be of a palette of {len(self.palette)} colours", self.ramps.colours)
        if self.swimmers and self.palette.transparent is None:
            raise PaletteError("palette", "declare a transparent entry, for swimmers to have a shape", "none")
        if not self.alt.strip():
            raise InputError("alt", "say what is to be seen", self.alt)

    def fragment(self, name: str) -> Fragment:
        width, height = self.scene.size
        still = base64.b64encode(png_from_grid(self.scene, self.palette)).decode()
        caption = f"<figcaption>{text(self.caption)}</figcaption>" if self.caption else ""
        save = ""
        if self.gif is not None:
            data = base64.b64encode(self.gif).decode()
            name = attribute(self.gif_name)
            save = f'<a class="save" download="{name}" href="data:image/gif;base64,{data}">Save as GIF</a>'
        body = (
            '<figure class="aquarium"><div class="tank">'
            f'<canvas width="{width}" height="{height}" tabindex="0" role="img"'
            f' aria-label="{attribute(self.alt)}"></canvas>'
            '<button type="button" class="pause" aria-pressed="false">Pause</button>'
            f"{save}</div>"
            f'<noscript><img src="data:image/png;base64,{still}" alt="{attribute(self.alt)}"></noscript>'
            f'<script type="application/json">{script_json(self._document())}</script>{caption}</figure>\n'
        )
        return Fragment(Html(body), ("aquarium.css", "aquarium.js"))

    def _document(self) -> dict[str, object]:
        return {
            "scene": _packed(self.scene),
            "rgb": self.palette.rgb.tolist(),
            "clear": self.palette.transparent,
            "darkest": DARKEST,
            "walks": np.stack([self.ramps.walk(steps) for steps in range(DARKEST, LIGHTEST + 1)]).tolist(),
            "swimmers": [
                {
                    "frames": [_packed(frame) for frame in one.frames],
                    "width": one.frames[0].width,
                    "x": one.x,
                    "y": one.y,
                    "speed": one.speed,
                    "seconds": one.milliseconds / 1000,
                }
                for one in self.swimmers
            ],
        }


def _packed(grid: Grid) -> str:
    return base64.b64encode(grid.cells.tobytes()).decode()
