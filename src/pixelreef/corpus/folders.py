"""Folders of pictures: PNG, GIF, `.aseprite`, sprite documents and whatever else `core` reads, as entries.

One entry per frame; the frames of one file are one group. Sizes and palettes are kept unless others are asked for.
What can't come in is one line in the `Intake`, and so is everything that was changed on the way.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from pixelreef.core.animation import animation_from_sprite, frames_from_bytes
from pixelreef.core.aseprite import aseprite_from_bytes
from pixelreef.core.document import sprite_from_json
from pixelreef.core.files import read_bytes
from pixelreef.core.frames import Animation
from pixelreef.core.grid import Cells
from pixelreef.core.palette import MAX_COLOURS, Palette
from pixelreef.corpus.colours import Coloured, coloured, half_transparent, with_transparent
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.fit import fitted, subject_box
from pixelreef.corpus.intake import Intake
from pixelreef.corpus.labels import Labels
from pixelreef.corpus.layout import MAX_SIDE
from pixelreef.corpus.walk import files_below, kind_of
from pixelreef.errors import FileError, GridError, InputError, PaletteError

MAX_PIXELS = 2**23  # of all frames of one file: sorting their colours takes about 40 bytes a pixel
_IT = "the file"  # what errors are about; the list of what was refused names it


@dataclass(frozen=True)
class FolderOptions:
    """What is done with the pictures."""

    origin: Origin
    """Shared by all; the address becomes each file's path inside the folder."""
    labels: Labels = field(default_factory=Labels)
    size: tuple[int, int] | None = None
    """(width, height) that all are brought to by `fit`; None keeps each size."""
    palette: Palette | None = None
    """The palette that all are mapped to; None keeps each file's own colours."""
    dither: bool = False


def folder_entries(root: str | os.PathLike[str], options: FolderOptions, intake: Intake) -> Iterator[Entry]:
    """The pictures of a folder and all folders in it, by path; `intake` is told everything else."""
    seen: set[bytes] = set()
    files = files_below(root, intake)
    for name, path in files:
        try:
            for entry in _entries(name, path, options, intake):
                intake.count("taken")
                mark = bytes.fromhex(entry.hash)
                intake.count("repeated, kept", mark in seen)
                seen.add(mark)
                yield entry
        except FileError as error:
            intake.refuse(name, _IT + str(error).removeprefix(error.what))
        except InputError as error:
            intake.refuse(name, error)
    there = {name for name, _ in files}
    intake.count("labels of no file", sum(name not in there for name in options.labels.table))


def _entries(name: str, path: Path, options: FolderOptions, intake: Intake) -> list[Entry]:
    """All entries of one file, or none: an error leaves no half of it behind."""
    kind = kind_of(path)
    if not kind:
        intake.count("no picture, passed over")
        return []
    animation = _animation(path, kind)
    frames = _frames(animation, options)
    shown = [number for number, frame in enumerate(frames) if not _is_empty(frame)]
    if not shown:
        raise GridError(_IT, "show something", "transparency alone", verbatim=True)
    intake.count("empty frames, left out", len(frames) - len(shown))
    for frame in frames:
        intake.count("snapped pixels", frame.snapped)
        intake.count("half-transparent pixels", frame.half_transparent)
    for note in animation.notes:
        intake.count(f"files with a note: {note}")
    factors = options.labels.factors_of(name)
    if not factors:
        intake.unlabelled.append(name)
    origin = replace(options.origin, address=name)
    return [
        Entry(
            cells=frames[number].cells,
            palette=frames[number].palette,
            origin=origin,
            factors=factors,
            name=_name(name, animation, number),
            parameters=_parameters(animation, number),
            group=f"{origin.source}/{name}" if len(frames) > 1 else "",
        )
        for number in shown
    ]


def _animation(path: Path, kind: str) -> Animation:
    data = read_bytes(path)
    if kind == "sprite":
        return animation_from_sprite(sprite_from_json(data, _IT))
    if kind == "aseprite":
        return aseprite_from_bytes(data, _IT, MAX_PIXELS)
    return frames_from_bytes(data, _IT, MAX_PIXELS)


def _frames(animation: Animation, options: FolderOptions) -> list[Coloured]:
    """Each frame in its final colours and size."""
    width, height = options.size or (animation.width, animation.height)
    if max(width, height) > MAX_SIDE:
        todo = "Give a size to bring it to, or cut it up as a sheet."
        raise GridError(_IT, f"be at most {MAX_SIDE} pixels on a side", f"{width} × {height}", todo, verbatim=True)
    frames = _own(animation) if options.palette is None else None
    frames = frames or _mapped(animation, options)
    return _sized(frames, (width, height))


def _own(animation: Animation) -> list[Coloured] | None:
    """The file's own indices and palette, where these are all there is to see."""
    palette = animation.palette
    made = []
    for frame in animation.frames:
        if frame.indices is None or palette is None:
            return None
        visible = np.where(frame.rgba[..., 3:] > 0, frame.rgba, np.uint8(0))
        if not np.array_equal(palette.rgba[frame.indices], visible):  # several, or half-transparent, entries
            return None
        made.append(Coloured(frame.indices, palette, 0, 0))
    return made


def _mapped(animation: Animation, options: FolderOptions) -> list[Coloured]:
    """Frames in the given palette, or in one of all their colours; in one each, where together they have too many."""
    frames = [frame.rgba for frame in animation.frames]
    if options.palette is not None:
        return [coloured(rgba, options.palette, options.dither) for rgba in frames]
    try:
        together = coloured(np.stack(frames))
        halves = [half_transparent(rgba) for rgba in frames]
        return [Coloured(cells, together.palette, 0, half) for cells, half in zip(together.cells, halves, strict=True)]
    except PaletteError:
        pass
    try:
        return [coloured(rgba) for rgba in frames]
    except PaletteError:
        rule = f"have at most {MAX_COLOURS} colours to keep them"
        raise PaletteError(_IT, rule, "more", "Give a palette to map it to.", verbatim=True) from None


def _sized(frames: list[Coloured], size: tuple[int, int]) -> list[Coloured]:
    """All frames cut by the one box around what any of them shows, and fitted alike."""
    if frames[0].cells.shape == size[::-1]:
        return frames
    frames = [replace(frame, palette=with_transparent(frame.palette)) for frame in frames]
    seen = np.zeros(frames[0].cells.shape, np.uint8)
    for frame in frames:
        seen |= frame.cells != frame.palette.transparent
    box = subject_box(seen, 0)
    return [replace(frame, cells=_fitted(frame, size, box)) for frame in frames]


def _fitted(frame: Coloured, size: tuple[int, int], box: tuple[slice, slice]) -> Cells:
    return fitted(frame.cells, size, frame.palette.transparent, box)


def _is_empty(frame: Coloured) -> bool:
    return frame.palette.transparent is not None and bool((frame.cells == frame.palette.transparent).all())


def _name(path: str, animation: Animation, number: int) -> str:
    """The file's name without its ending, then the tag and the number of the frame where there are several."""
    several = len(animation.frames) > 1
    words = [PurePosixPath(path).stem, animation.tag_of(number)[:80], str(number) if several else ""]
    return " ".join(word for word in words if word)[:200]


def _parameters(animation: Animation, number: int) -> dict[str, Any]:
    if len(animation.frames) == 1:
        return {}
    tag = animation.tag_of(number)[:80]
    known = {"frame": number, "frames": len(animation.frames), "milliseconds": animation.frames[number].milliseconds}
    return {**known, "tag": tag} if tag else known
