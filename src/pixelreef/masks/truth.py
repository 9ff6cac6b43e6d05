"""Reading a truth mask: a picture of class indices, or of class colours, into labels.

What the file holds is what the class file says (`truth`). Where it does not say: a file of one channel (greyscale,
indexed, 16 bit) holds indices if every value in it is the index of a class, and otherwise colours, like any other; what
was found is noted. Indices must all be of a class: one that is to be ignored needs a class with `ignore`. Colours must
match exactly; pixels of any other colour (a resampled edge) are void and noted, and refused when they are more than
one in twenty.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.files import read_bytes
from pixelreef.core.images import Picture, image_from_bytes
from pixelreef.errors import ImageError
from pixelreef.masks.classes import Classes, Kind
from pixelreef.masks.colour_table import ColourTable, packed_from_rgba
from pixelreef.metrics.overlap import Labels

Samples = NDArray[np.uint8] | NDArray[np.uint16]

MOST_STRANGE = 0.05
_DEEP_NOTE = "16 bit reduced to 8"


@dataclass(frozen=True, eq=False)
class Truth:
    """A truth mask."""

    labels: Labels
    """(height, width), read-only; `classes.void` where ignored."""
    kind: Kind
    notes: tuple[str, ...] = ()


def read_truth(path: str | os.PathLike[str], classes: Classes) -> Truth:
    """Read a truth mask from a file."""
    return truth_from_bytes(read_bytes(path), classes, f"truth {os.fspath(path)!r}")


def truth_from_bytes(data: bytes, classes: Classes, what: str = "truth") -> Truth:
    """Read a truth mask from bytes; `what` names it in errors."""
    picture = image_from_bytes(data, what)
    samples = _samples(picture)
    kind, notes = classes.truth, [note for note in picture.notes if note != _DEEP_NOTE or samples is None]
    if kind is None:
        kind = "index" if samples is not None and _stranger(samples, classes) is None else "colour"
        notes.append(f"read as {kind} mask")
    if kind == "index":
        if samples is None:
            rule = "have one channel to hold class indices"
            todo = 'Colour masks need "truth": "colour" in the class file.'
            raise ImageError(what, rule, f"mode {picture.mode}", todo, verbatim=True)
        labels = labels_from_indices(samples, classes, what)
    else:
        labels, strange = labels_from_colours(picture.rgba, classes, what)
        if strange:
            notes.append(f"{strange:,} pixels of no class colour ignored")
    labels.flags.writeable = False
    return Truth(labels, kind, tuple(notes))


def labels_from_indices(samples: Samples, classes: Classes, what: str) -> Labels:
    """(H, W) class indices → labels."""
    stranger = _stranger(samples, classes)
    if stranger is not None:
        todo = 'If it is to be ignored, add a class with this index and "ignore": true.'
        raise ImageError(what, "hold indices of classes only", stranger, todo)
    table = np.zeros(max(one.index for one in classes.classes) + 1, classes.dtype)
    table[[one.index for one in classes.classes]] = classes.labels(classes.classes)
    return np.asarray(table[samples])


def labels_from_colours(rgba: NDArray[np.uint8], classes: Classes, what: str) -> tuple[Labels, int]:
    """(H, W, 4) bytes → labels, void for a colour of no class, and how many pixels those are."""
    labels = _exact_table(classes).look_up(packed_from_rgba(rgba))
    stranger = labels > classes.void
    strange = int(stranger.sum())
    if strange > MOST_STRANGE * labels.size:
        share = f"{strange / labels.size:.1%} of pixels in other colours"
        raise ImageError(what, "be painted in the colours of the classes", share, verbatim=True)
    labels[stranger] = classes.void
    return labels.astype(classes.dtype), strange


@lru_cache(maxsize=2)
def _exact_table(classes: Classes) -> ColourTable:
    """The label of exactly each class's colour, one more than void for any other."""
    coloured = [one for one in classes.classes if one.colour is not None]
    rgb, labels = np.array([one.colour for one in coloured], np.uint8), classes.labels(coloured)

    def decide(colours: NDArray[np.uint8]) -> NDArray[np.uint16]:
        equal = (colours[:, None] == rgb).all(axis=2)
        return np.where(equal.any(axis=1), labels[equal.argmax(axis=1)], np.uint16(classes.void + 1))

    return ColourTable(decide)


def png_from_labels(labels: Labels) -> bytes:
    """One channel of whole numbers as PNG, as truth is read: 16 bit where 8 do not hold them."""
    import io

    from PIL import Image

    deep = np.uint16 if int(labels.max(initial=0)) > 255 else np.uint8
    buffer = io.BytesIO()
    Image.fromarray(labels.astype(deep)).save(buffer, "PNG")
    return buffer.getvalue()


def _samples(picture: Picture) -> Samples | None:
    """What a file of one channel stores for each pixel."""
    if picture.deep is not None:
        return picture.deep
    if picture.indices is not None:
        return picture.indices
    if picture.mode == "1":
        return picture.rgba[..., 0] // 255
    return picture.rgba[..., 0] if picture.mode == "L" else None


def _stranger(samples: Samples, classes: Classes) -> int | None:
    """The first value that is the index of no class, if there is one."""
    strange = np.ones(2**16, np.bool_)
    strange[[one.index for one in classes.classes]] = False
    found = strange[samples]
    return int(samples.ravel()[found.argmax()]) if found.any() else None
