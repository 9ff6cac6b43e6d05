"""A sprite from any file: a sprite document, a picture (all frames of a GIF, APNG or WebP) or an Aseprite file.

Told by content, never by name, and bounded as a sprite document is: what is read here can be written as one, unless
its palette is too long. An indexed file keeps its indices and its whole palette; any other gets its colours in
reading order, transparent first, as `sprite_from_picture` does. Layers and tags are left to `animation`.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import PurePath

import numpy as np

from pixelreef.core.animation import frames_from_bytes
from pixelreef.core.aseprite import looks_like_aseprite
from pixelreef.core.document import MAX_CELLS, MAX_FRAMES, MAX_SIDE, sprite_from_json
from pixelreef.core.files import read_bytes
from pixelreef.core.frames import Animation, Still
from pixelreef.core.grid import Cells, Grid
from pixelreef.core.palette import Palette
from pixelreef.core.palette_files import palette_kind
from pixelreef.core.quantise import quantise
from pixelreef.core.sprite import DEFAULT_MILLISECONDS, Frame, Sprite, palette_of_pixels
from pixelreef.errors import GridError, ImageError, PaletteError

_MOST_MILLISECONDS = 60_000  # as in a document
_NAME = 200  # characters, as in a document


def sprite_from_file(path: str | os.PathLike[str], palette: Palette | None = None) -> Sprite:
    """Read a sprite, with its frames and, from a document, its lineage; mapped to `palette` if one is given.

    What has no name of its own is named after the file.
    """
    sprite = sprite_from_bytes(read_bytes(path), f"sprite {os.fspath(path)!r}", palette)
    return sprite if sprite.name else replace(sprite, name=PurePath(path).stem[:_NAME])


def sprite_from_bytes(data: bytes, what: str = "sprite", palette: Palette | None = None) -> Sprite:
    """Read a sprite from bytes; `what` names it in errors."""
    kind = palette_kind(data)
    if looks_like_aseprite(data) or kind == "image":
        return sprite_from_animation(frames_from_bytes(data, what, MAX_CELLS), what, palette)
    if kind == "json":
        return sprite_in_palette(sprite_from_json(data, what), palette)
    rule = "be a sprite document, a picture or an Aseprite file"
    raise ImageError(what, rule, "something else" if data else "an empty file", verbatim=True)


def sprite_from_animation(animation: Animation, what: str = "sprite", palette: Palette | None = None) -> Sprite:
    """The frames in the file's own indices where they say all there is to see, else in one palette of all colours."""
    if len(animation.frames) > MAX_FRAMES:
        raise GridError(what, f"have at most {MAX_FRAMES} frames", len(animation.frames))
    if max(animation.width, animation.height) > MAX_SIDE:
        size = f"{animation.width} × {animation.height}"
        raise GridError(what, f"be at most {MAX_SIDE} pixels on a side", size, verbatim=True)
    if palette is not None and palette != animation.palette:
        cells = [quantise(frame.rgba, palette) for frame in animation.frames]
        return _sprite(animation, palette, cells)
    own = [_own_cells(frame, animation.palette) for frame in animation.frames]
    kept = [cells for cells in own if cells is not None]
    if animation.palette is not None and len(kept) == len(own):
        return _sprite(animation, animation.palette, kept)
    try:
        found, stacked = palette_of_pixels(np.concatenate([frame.rgba for frame in animation.frames]))
    except PaletteError as error:
        raise PaletteError(what, error.rule, "more", "Give a palette to map it to.", verbatim=True) from None
    return _sprite(animation, found, np.split(stacked, len(animation.frames)))


def sprite_in_palette(sprite: Sprite, palette: Palette | None) -> Sprite:
    """The sprite in the nearest colours of another palette; itself where that is its own, or None."""
    if palette is None or palette == sprite.palette:
        return sprite
    table = quantise(sprite.palette.rgba[None], palette)[0]
    frames = tuple(replace(frame, grid=Grid(table[frame.grid.cells])) for frame in sprite.frames)
    return replace(sprite, palette=palette, frames=frames)


def _own_cells(frame: Still, palette: Palette | None) -> Cells | None:
    """The file's indices; None without such, or where several entries, or half of one, are see-through."""
    if frame.indices is None or palette is None:
        return None
    visible = np.where(frame.rgba[..., 3:] > 0, frame.rgba, np.uint8(0))
    return frame.indices if np.array_equal(palette.rgba[frame.indices], visible) else None


def _sprite(animation: Animation, palette: Palette, cells: list[Cells]) -> Sprite:
    return Sprite(
        palette,
        tuple(
            Frame(Grid(one), min(still.milliseconds, _MOST_MILLISECONDS) or DEFAULT_MILLISECONDS)
            for one, still in zip(cells, animation.frames, strict=True)
        ),
    )
