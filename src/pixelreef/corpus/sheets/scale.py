"""Undoing an enlargement by a whole factor: found from where neighbouring pixels differ, then undone.

In a sheet enlarged ×s, neighbours differ only where one block of s × s pixels meets the next, so all such places have
one remainder modulo s (the phase, which is not 0 when the picture was cropped). Where the file is lossless this holds
without exception; under JPEG noise it holds for nearly all of the strong steps in lightness.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats
from pixelreef.errors import InputError

MAX_FACTOR = 16
_WEAK, _STRONG = 14.0, 64.0  # steps in lightness (0–255): below, noise; above, no stronger evidence
_SHARE = 0.8  # of the strong steps must lie between blocks; the next best factor has about one half
_EVIDENCE = 40.0  # strong steps that there must be to speak of a factor at all
LUMA = np.array([0.299, 0.587, 0.114], np.float32)


@dataclass(frozen=True)
class Scale:
    """An enlargement: the side of a block, and the width and height of a cropped first block."""

    factor: int = 1
    phase: tuple[int, int] = (0, 0)
    """(x, y) pixels before the first whole block, under `factor`."""

    def starts(self, length: int, axis: int) -> NDArray[np.intp]:
        """Where blocks begin along x (axis 0) or y (axis 1), a cropped first one included.

        >>> Scale(3, (2, 0)).starts(9, 0).tolist()
        [0, 2, 5, 8]
        """
        first = np.arange(self.phase[axis], length, self.factor)
        return first if not self.phase[axis] else np.concatenate([[0], first])


def exact_scale(rgba: NDArray[np.uint8]) -> Scale:
    """The largest factor up to 16 that explains every step between neighbours; 1 when there is none.

    >>> exact_scale(np.eye(4, dtype=np.uint8).repeat(3, 0).repeat(3, 1)[:, 1:, None].repeat(4, 2) * 255)
    Scale(factor=3, phase=(2, 0))
    """
    clear = rgba[..., 3:] == 0
    pixels = np.where(clear, np.uint8(0), rgba)  # what colour hides under transparency does not count
    packed = np.ascontiguousarray(pixels).view(np.uint32)[..., 0]
    across = 1 + np.flatnonzero((packed[:, 1:] != packed[:, :-1]).any(axis=0))
    down = 1 + np.flatnonzero((packed[1:] != packed[:-1]).any(axis=1))
    apart = [*np.diff(across).tolist(), *np.diff(down).tolist()]
    common = gcd(*apart) if apart else 1
    factor = max(number for number in range(1, MAX_FACTOR + 1) if common % number == 0)
    return Scale(factor, (_phase(across, factor), _phase(down, factor)))


def noisy_scale(rgb: NDArray[np.uint8]) -> Scale:
    """The factor that explains nearly all strong steps in lightness; 1 when there is none."""
    luma = rgb[..., :3].astype(np.float32) @ LUMA
    across = _steps(np.abs(np.diff(luma, axis=1)).T)
    down = _steps(np.abs(np.diff(luma, axis=0)))
    total = float(across.sum() + down.sum())
    if total < _EVIDENCE * (_STRONG - _WEAK):
        return Scale()
    for factor in range(MAX_FACTOR, 1, -1):
        x, on_x = _best_phase(across, factor)
        y, on_y = _best_phase(down, factor)
        if on_x + on_y >= _SHARE * total:
            return Scale(factor, (x, y))
    return Scale()


def unscaled(rgba: NDArray[np.uint8], scale: Scale) -> NDArray[np.uint8]:
    """One pixel per block: its middle one, which is every one where the enlargement is exact."""
    rows, columns = (_middles(scale.starts(rgba.shape[1 - axis], axis), rgba.shape[1 - axis]) for axis in (1, 0))
    return rgba[np.ix_(rows, columns)]


def block_means(values: Floats, scale: Scale) -> Floats:
    """(H, W, channels) → the mean of each block, cropped ones over what is there."""
    rows, columns = scale.starts(values.shape[0], 1), scale.starts(values.shape[1], 0)
    summed = np.add.reduceat(np.add.reduceat(values, rows, axis=0), columns, axis=1)
    heights, widths = np.diff([*rows, values.shape[0]]), np.diff([*columns, values.shape[1]])
    return np.asarray(summed / (heights[:, None, None] * widths[None, :, None]))


def enlarged_as(cells: NDArray[np.generic], scale: Scale, shape: tuple[int, int]) -> NDArray[np.generic]:
    """One value per block → one per pixel of a picture of (height, width) `shape`."""
    rows = np.searchsorted(scale.starts(shape[0], 1), np.arange(shape[0]), side="right") - 1
    columns = np.searchsorted(scale.starts(shape[1], 0), np.arange(shape[1]), side="right") - 1
    return np.asarray(cells[np.ix_(rows, columns)])


def scale_from_text(text: str) -> Scale | None:
    """`auto` → None, `3` → a factor of 3 from the first pixel on."""
    if text == "auto":
        return None
    if not text.isdecimal() or not 1 <= int(text[:4]) <= MAX_FACTOR:
        raise InputError("--scale", f"be auto or a whole number from 1 to {MAX_FACTOR}", text)
    return Scale(int(text))


def _steps(change: Floats) -> Floats:
    """(places, pixels) changes → the weight of strong steps before each place; place 0 has none before it."""
    weights = (np.minimum(change, _STRONG) - _WEAK).clip(min=0).sum(axis=1)
    return np.concatenate([[0.0], weights])


def _best_phase(steps: Floats, factor: int) -> tuple[int, float]:
    by_phase = [float(steps[phase::factor].sum()) for phase in range(factor)]
    best = int(np.argmax(by_phase))
    return best, by_phase[best]


def _phase(places: NDArray[np.intp], factor: int) -> int:
    return int(places[0]) % factor if len(places) else 0


def _middles(starts: NDArray[np.intp], length: int) -> NDArray[np.intp]:
    ends = np.concatenate([starts[1:], [length]])
    return np.asarray((starts + ends - 1) // 2)
