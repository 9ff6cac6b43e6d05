"""Ways to be wrong, made on purpose: each takes the truth and gives back a mask with that one fault.

Faults of labels take and give label grids; faults of the picture take an exhibit and give (H, W, 3) bytes. All lengths
are pixels of the truth. Void pixels go along with the others: what is predicted there is never counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pixelreef.errors import InputError
from pixelreef.masks.classes import Classes
from pixelreef.masks.exhibit import Exhibit
from pixelreef.masks.render import Rgb, rgb_from_labels
from pixelreef.metrics.overlap import Labels
from pixelreef.metrics.windows import window_extremes

Corner = Literal["top left", "top right", "bottom left", "bottom right"]
_BLACK, _GREY, _WHITE = (0, 0, 0), (96, 96, 96), (255, 255, 255)


def shifted(labels: Labels, right: int, down: int) -> Labels:
    """Everything moved; what comes in at a side is the edge continued.

    >>> shifted(np.array([[1, 2, 3]]), right=1, down=0).tolist()
    [[1, 1, 2]]
    """
    height, width = labels.shape
    rows = np.clip(np.arange(height) - down, 0, height - 1)
    columns = np.clip(np.arange(width) - right, 0, width - 1)
    return labels[rows[:, None], columns]


def scaled(labels: Labels, factor: float) -> Labels:
    """Everything larger (factor above 1) or smaller about the middle, by the nearest pixel.

    >>> scaled(np.array([[1, 1, 2, 3, 3]]), 2.0).tolist()
    [[1, 2, 2, 3, 3]]
    """
    rows, columns = (
        np.clip(np.floor((np.arange(size) + 0.5 - size / 2) / factor + size / 2).astype(np.intp), 0, size - 1)
        for size in labels.shape
    )
    return np.asarray(labels[rows[:, None], columns])


def flipped(labels: Labels, axes: tuple[int, ...] = (1,)) -> Labels:
    """Mirrored along the axes: 1 is left for right, 0 top for bottom."""
    return np.flip(labels, axes)


def renamed(labels: Labels, names: Mapping[int, int]) -> Labels:
    """Every label in `names` replaced.

    >>> renamed(np.array([[0, 1, 2]]), {0: 1, 1: 0}).tolist()
    [[1, 0, 2]]
    """
    table = np.arange(int(labels.max(initial=0)) + 1, dtype=labels.dtype)
    for old, new in names.items():
        if old < len(table):
            table[old] = new
    return np.asarray(table[labels])


def sides_swapped(labels: Labels, classes: Classes) -> Labels:
    """Left for right in every pair of classes; the shapes stay where they are."""
    return renamed(labels, {label: other for label, other in enumerate(classes.partners) if other is not None})


def present(labels: Labels, classes: Classes) -> list[int]:
    """The scored classes in a grid, the one with most pixels first."""
    counts = np.bincount(labels.ravel(), minlength=len(classes))[: len(classes)]
    return [int(label) for label in np.argsort(-counts, kind="stable") if counts[label]]


def without(labels: Labels, dropped: Sequence[int], filling: int | None = None) -> Labels:
    """Classes left out; their pixels take the label `filling`, or that of the nearest pixel of another class.

    >>> without(np.array([[0, 1, 1, 2]]), [1]).tolist(), without(np.array([[0, 1, 1, 2]]), [1], filling=2).tolist()
    ([[0, 0, 2, 2]], [[0, 2, 2, 2]])
    """
    gone = np.isin(labels, list(dropped))
    if gone.all():
        raise InputError("classes to drop", "leave one in the picture", list(dropped))
    if filling is not None:
        return np.where(gone, np.asarray(filling, labels.dtype), labels)
    from scipy.ndimage import distance_transform_edt

    nearest = distance_transform_edt(gone, return_distances=False, return_indices=True)
    return np.asarray(labels[tuple(nearest)])


def recoloured(labels: Labels, colours: Rgb) -> Rgb:
    """Painted in other colours than asked for: (labels, 3) bytes, the last ones for any label beyond."""
    return np.asarray(colours[np.minimum(labels, len(colours) - 1)])


def painted_over(exhibit: Exhibit, opacity: float) -> Rgb:
    """The truth laid over the photograph, in sRGB bytes."""
    mask = rgb_from_labels(exhibit.truth, exhibit.classes).astype(np.float32)
    return np.rint(opacity * mask + (1 - opacity) * photograph_of(exhibit)).astype(np.uint8)


def outlined(exhibit: Exhibit, width: int, ground: tuple[int, int, int] = _BLACK, coloured: bool = True) -> Rgb:
    """Only lines where the labels change, about `width` pixels, in class colours or all in one, on an empty ground."""
    labels = exhibit.truth
    least, largest = window_extremes(labels, max(1, width // 2))
    line = least != largest
    if width == 1:  # one side of the border only
        line &= labels == largest
    ink = rgb_from_labels(labels, exhibit.classes)
    if not coloured:
        ink = np.full_like(ink, 255 if sum(ground) < 3 * 128 else 0)
    return np.where(line[..., None], ink, np.array(ground, np.uint8))


def with_legend(
    exhibit: Exhibit,
    side: int = 16,
    corner: Corner = "bottom right",
    panel: tuple[int, int, int] | None = _GREY,
    upright: bool = True,
) -> Rgb:
    """The truth with a legend drawn inside: a swatch of `side` pixels, or as many as there is room for, and the name of
    every class in the picture, in a column or a row."""
    from PIL import Image, ImageDraw, ImageFont

    classes, rgb = exhibit.classes, rgb_from_labels(exhibit.truth, exhibit.classes)
    height, width = rgb.shape[:2]
    listed = present(exhibit.truth, classes)
    length = height if upright else width
    side = max(4, min(side, int(length / ((1.25 if upright else 5.25) * len(listed) + 1))))  # so that all fit
    gap = max(1, side // 4)
    pitch = side + gap if upright else 5 * side + gap
    wide = (6 * side + 2 * gap) if upright else len(listed) * pitch + gap
    tall = len(listed) * pitch + gap if upright else side + 2 * gap
    left = 0 if corner.endswith("left") else max(0, width - wide)
    top = 0 if corner.startswith("top") else max(0, height - tall)
    image = Image.fromarray(rgb)
    draw = ImageDraw.Draw(image)
    if panel is not None:
        draw.rectangle((left, top, min(left + wide, width) - 1, min(top + tall, height) - 1), fill=panel)
    ink = _BLACK if panel is None or sum(panel) > 3 * 128 else _WHITE
    font = ImageFont.load_default(max(6, round(side * 0.7)))
    for place, label in enumerate(listed):
        x = left + gap + (0 if upright else place * pitch)
        y = top + gap + (place * pitch if upright else 0)
        draw.rectangle((x, y, x + side - 1, y + side - 1), fill=tuple(int(v) for v in classes.rgb[label]))
        draw.text((x + side + gap, y), classes.names[label][: 10 if upright else 7], fill=ink, font=font)
    return np.asarray(image)


def photograph_of(exhibit: Exhibit) -> Rgb:
    """The photograph itself; an exhibit without one can't give it back."""
    if exhibit.photograph is None:
        raise InputError("exhibit", "have a photograph", None)
    return exhibit.photograph


def noise(random: np.random.Generator, shape: tuple[int, int], colours: Rgb | None, block: int = 1) -> Rgb:
    """Squares of `block` pixels, each in one of the colours, or in any colour at all."""
    size = tuple(-(-side // block) for side in shape)
    if colours is None:
        cells: NDArray[np.uint8] = random.integers(0, 256, (*size, 3), np.uint8)
    else:
        cells = colours[random.integers(0, len(colours), size)]
    return np.asarray(cells.repeat(block, axis=0).repeat(block, axis=1)[: shape[0], : shape[1]])
