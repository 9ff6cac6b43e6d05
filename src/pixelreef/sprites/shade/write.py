"""The files of `pixelreef sprites shade`: for each sprite a PNG and a document, and what else was asked for.

    NAME.png, NAME.json          shaded; of several frames also NAME.gif
    NAME-normal.png, -ramp.png   the maps, and NAME-table.png (see `maps`), with relight.gdshader beside them
    NAME-turntable.gif           the light going round

Names are those of the sprites, made safe, and no two alike.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from pixelreef.core.document import ALPHABET, json_from_sprite
from pixelreef.core.file_names import FileNames
from pixelreef.core.files import write_bytes, write_text
from pixelreef.core.grid import Cells, Grid, batch_from_grids
from pixelreef.core.render import gif_from_sprite, png_from_channels, png_from_grid
from pixelreef.core.sprite import Sprite
from pixelreef.sprites.shade.flatten import flattened
from pixelreef.sprites.shade.light import Light
from pixelreef.sprites.shade.maps import SHADER, maps_from_cells, relight_shader
from pixelreef.sprites.shade.turntable import turntable
from pixelreef.sprites.shade.walk import shade

SHEET = "sheet.png"
_ENDINGS = ("", "-normal", "-ramp", "-table", "-turntable")
_GIF_SIDE = 128  # pixels that a turntable is enlarged to, about


@dataclass(frozen=True)
class Order:
    """What is made of each sprite."""

    light: Light
    flatten: float = 0.0
    """The share of the drawn light that is taken out first."""
    maps: bool = False
    turntable: int = 0
    """Directions; 0: none."""


def shaded(sprite: Sprite, light: Light) -> Sprite:
    """The sprite with every frame shaded, and the settings in its lineage, earlier ones under `before`."""
    last = sprite.lineage.get("shaded")
    earlier = {"before": _all_before(last)} if isinstance(last, dict) else {}
    made = _each_frame(sprite, lambda batch: shade(batch, sprite.palette, light))
    return replace(made, lineage={**sprite.lineage, "shaded": {**light.document(), **earlier}})


def _all_before(last: dict[str, Any]) -> list[Any]:
    before = last.get("before", [])
    return [*(before if isinstance(before, list) else []), {key: last[key] for key in last if key != "before"}]


def without_light(sprite: Sprite, amount: float) -> Sprite:
    """The sprite with that share of its drawn light taken out of every frame, and that said in its lineage."""
    if not amount:
        return sprite
    made = _each_frame(sprite, lambda batch: flattened(batch, sprite.palette, amount))
    return replace(made, lineage={**sprite.lineage, "flattened": amount})


def _each_frame(sprite: Sprite, change: Callable[[Cells], Cells]) -> Sprite:
    batch = change(batch_from_grids(frame.grid for frame in sprite.frames))
    frames = tuple(replace(frame, grid=Grid(cells)) for frame, cells in zip(sprite.frames, batch, strict=True))
    return replace(sprite, frames=frames)


class Writer:
    """Writes into one folder, no two sprites under one name."""

    def __init__(self, out: Path, order: Order) -> None:
        self.out, self.order = out, order
        self.names = FileNames("sprite", {SHEET.removesuffix(".png")})

    def write(self, flat: Sprite) -> tuple[Sprite, dict[str, Any]]:
        """Shade a sprite, write its files, and say which; a document needs a palette of at most 65 colours."""
        bare = without_light(flat, self.order.flatten)
        made = shaded(bare, self.order.light)
        name = self.names.of(flat.name, lambda name: [name + ending for ending in _ENDINGS])
        png = write_bytes(self.out / f"{name}.png", png_from_grid(made.grid, made.palette))
        record: dict[str, Any] = {"name": flat.name, "file": str(png)}
        if len(made.palette) <= len(ALPHABET):
            record["document"] = str(write_text(self.out / f"{name}.json", json_from_sprite(made)))
        if len(made.frames) > 1:
            record["animation"] = str(write_bytes(self.out / f"{name}.gif", gif_from_sprite(made)))
        cells = [(one.grid.cells, two.grid.cells) for one, two in zip(flat.frames, made.frames, strict=True)]
        record["changed_share"] = round(float(np.mean([one != two for one, two in cells])), 4)
        if self.order.maps:
            record["maps"] = self._maps(name, bare)
        if self.order.turntable:
            turning = turntable(bare, self.order.light, self.order.turntable)
            data = gif_from_sprite(turning, max(1, _GIF_SIDE // max(flat.size)))
            record["turntable"] = str(write_bytes(self.out / f"{name}-turntable.gif", data))
        return made, record

    def _maps(self, name: str, sprite: Sprite) -> dict[str, Any]:
        maps = maps_from_cells(batch_from_grids(frame.grid for frame in sprite.frames), sprite.palette)
        write_text(self.out / SHADER, relight_shader())
        pictures = {"normal": maps.normal, "ramp": maps.ramp, "table": maps.table}
        written = {
            kind: str(write_bytes(self.out / f"{name}-{kind}.png", png_from_channels(pixels)))
            for kind, pixels in pictures.items()
        }
        return {**written, "uniforms": maps.uniforms()}
