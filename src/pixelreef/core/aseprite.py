"""Reading `.aseprite` and `.ase` files as untrusted data: every frame as Aseprite shows it.

Visible layers are put together with their groups, opacities, blend modes and z-indices, by Aseprite's own arithmetic.
A file of indices keeps them where layers only cover one another. Left out, with a note: reference layers, tilesets in
other files, colour profiles. Taking the bytes apart is `aseprite_chunks`, unpacking pixels `aseprite_pixels`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from pixelreef.core.aseprite_chunks import Cel, FrameRecord, Record, looks_like_aseprite, record_from_bytes
from pixelreef.core.aseprite_pixels import STRIP, Pixels
from pixelreef.core.blend import OF_HUE, Bytes, blended
from pixelreef.core.files import read_bytes
from pixelreef.core.frames import Animation, Still
from pixelreef.core.images import MAX_PIXELS
from pixelreef.core.palette import Palette
from pixelreef.errors import ImageError

__all__ = ["aseprite_from_bytes", "looks_like_aseprite", "read_aseprite"]

_MODES = {8: "P", 16: "LA", 32: "RGBA"}


def read_aseprite(path: str | os.PathLike[str], max_pixels: int = MAX_PIXELS) -> Animation:
    """Read an Aseprite file."""
    return aseprite_from_bytes(read_bytes(path), f"Aseprite file {os.fspath(path)!r}", max_pixels)


def aseprite_from_bytes(data: bytes, what: str = "Aseprite file", max_pixels: int = MAX_PIXELS) -> Animation:
    """Read an Aseprite file from bytes; `what` names it in errors. `max_pixels` is for all frames together."""
    record = record_from_bytes(data, what)
    if record.width * record.height * len(record.frames) > max_pixels:
        size = f"{len(record.frames)} frames of {record.width} × {record.height}"
        raise ImageError(what, f"have at most {max_pixels:,} pixels in all frames", size, verbatim=True)
    palette = _palette(record) if record.depth == 8 else None
    stills = (_indexed_stills(record, palette, what) if palette else None) or _blended_stills(record, what)
    if palette and stills[0].indices is None:
        record.notes["layers are blended: indices are not kept"] = None
    return Animation(
        format="Aseprite",
        mode=_MODES[record.depth],
        frames=tuple(stills),
        palette=palette,
        tags=tuple(record.tags),
        layers=tuple(layer.name for layer in record.layers),
        notes=tuple(record.notes),
    )


def _palette(record: Record) -> Palette | None:
    """The one palette of an indexed file; what stands on a visible background has no transparent entry."""
    colours = record.frames[0].colours
    if not all(np.array_equal(frame.colours, colours) for frame in record.frames):
        record.notes["the palette changes from frame to frame: indices are not kept"] = None
        return None
    on_background = _on_background(record)
    missing = max(0, record.transparent + 1 - len(colours))
    rgb = np.concatenate([colours[:, :3], np.zeros((missing, 3), np.uint8)])
    return Palette(rgb, None if on_background else record.transparent)


def _on_background(record: Record) -> bool:
    return any(layer.background and layer.shown for layer in record.layers)


def _indexed_stills(record: Record, palette: Palette, what: str) -> list[Still] | None:
    """The frames by their indices; None where a colour is mixed from several, so that no index stands for it."""
    shown = [layer for layer in record.layers if layer.shown]
    cels = [cel for frame in record.frames for cel in frame.cels.values()]
    if any(layer.opacity < 255 or layer.mode != "normal" for layer in shown) or any(cel.opacity < 255 for cel in cels):
        return None
    pixels = Pixels(record, what)
    grids = [_covered(record, frame, pixels) for frame in record.frames]
    used = np.unique(np.concatenate([np.unique(grid) for grid in grids]))
    used = used[(used != record.transparent) & (used < len(record.frames[0].colours))]
    if (record.frames[0].colours[used, 3] < 255).any():
        return None
    return [_still(palette.rgba[grid], frame, grid) for grid, frame in zip(grids, record.frames, strict=True)]


def _covered(record: Record, frame: FrameRecord, pixels: Pixels) -> Bytes:
    canvas = np.full((record.height, record.width), record.transparent, np.uint8)
    for cel in _plan(record, frame).cels():
        for place, part in pixels.strips(cel):
            np.copyto(canvas[place], part, where=(part != record.transparent) & (part < len(frame.colours)))
    return canvas


def _blended_stills(record: Record, what: str) -> list[Still]:
    pixels = Pixels(record, what)
    stills = []
    for frame in record.frames:
        canvas = np.zeros((record.height, record.width, 4), np.uint8)
        if record.depth == 8 and _on_background(record) and record.transparent < len(frame.colours):
            canvas[:] = frame.colours[record.transparent]
        _paint(canvas, _plan(record, frame), record, frame, pixels)
        stills.append(_still(canvas, frame))
    return stills


def _still(rgba: Bytes, frame: FrameRecord, indices: Bytes | None = None) -> Still:
    for array in (rgba, indices):
        if array is not None:
            array.flags.writeable = False
    return Still(rgba, frame.milliseconds, indices)


@dataclass
class _Node:
    """A cel, or a group with what is in it."""

    layer: int
    """The cel's or group's own; -1 for the whole picture."""
    order: tuple[bool, int, int] = (False, 0, 0)
    """Backgrounds first, then by place and z-index, then by z-index: what is painted later covers."""
    cel: Cel | None = None
    children: list[_Node] = field(default_factory=list)

    def cels(self) -> Iterator[Cel]:
        """All cels, in the order in which they are painted."""
        if self.cel is not None:
            yield self.cel
        for child in self.children:
            yield from child.cels()


def _plan(record: Record, frame: FrameRecord) -> _Node:
    """What is painted in one frame. Groups are taken apart unless the file says that each is put together first."""
    root = _Node(-1)
    groups: dict[int | None, _Node] = {None: root}

    def group(index: int | None) -> _Node:
        if index is not None and index not in groups:
            layer = record.layers[index]
            groups[index] = _Node(index, (True, layer.place, 0))
            group(layer.parent).children.append(groups[index])
        return groups[index]

    for cel in frame.cels.values():
        layer = record.layers[cel.layer]
        if layer.shown and cel.width and cel.height:
            place = layer.place if record.group_blending else cel.layer
            node = _Node(cel.layer, (not layer.background, place + cel.z, cel.z), cel)
            group(layer.parent if record.group_blending else None).children.append(node)
    for one in groups.values():
        one.children.sort(key=lambda node: node.order)
    return root


def _paint(canvas: Bytes, node: _Node, record: Record, frame: FrameRecord, pixels: Pixels) -> None:
    for child in node.children:
        layer = record.layers[child.layer]
        mode = "normal" if record.depth == 16 and layer.mode in OF_HUE else layer.mode
        if child.cel is not None:
            opacity = round(child.cel.opacity * layer.opacity / 255)
            for place, part in pixels.strips(child.cel):
                _lay(canvas[place], _seen(part, record, frame), opacity, mode)
        else:
            pixels.count(canvas.shape[0] * canvas.shape[1])
            apart = np.zeros_like(canvas)
            _paint(apart, child, record, frame, pixels)
            rows = max(1, STRIP // canvas.shape[1])
            for top in range(0, len(canvas), rows):
                _lay(canvas[top : top + rows], apart[top : top + rows], layer.opacity, mode)


def _seen(part: Bytes, record: Record, frame: FrameRecord) -> Bytes:
    """The file's own pixels as RGBA."""
    if record.depth == 32:
        return part
    if record.depth == 16:
        return part[..., [0, 0, 0, 1]]
    table = np.zeros((256, 4), np.uint8)
    table[: len(frame.colours)] = frame.colours
    table[record.transparent] = 0
    return table[part]


def _lay(canvas: Bytes, pixels: Bytes, opacity: int, mode: str) -> None:
    """Blend onto a part of the canvas, in place."""
    if opacity == 255 and mode == "normal" and ((pixels[..., 3] == 255) | (pixels[..., 3] == 0)).all():
        np.copyto(canvas, pixels, where=pixels[..., 3:] > 0)
    else:
        canvas[:] = blended(canvas, pixels, opacity, mode)
