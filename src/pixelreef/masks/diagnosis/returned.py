"""What came back, told from the picture before any label: one colour, noise, the photograph, or paint over it.

Each has one number as its evidence, from 0 to 1. For the photograph it is how much of the mask's local change follows
the photograph's, where the truth has no border: the squared correlation of the differences between neighbouring pixels
in all channels. A mask painted over a photograph changes by the same share of the photograph's change everywhere; this
share, the *slope*, is how much of the photograph shows through, and taking that away gives the mask beneath.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pixelreef.masks.render import Rgb
from pixelreef.metrics.overlap import Labels
from pixelreef.metrics.windows import window_extremes

SIDE = 256  # pixels of the grid on which a picture is looked at
RETURNED_SLOPE = 0.85
LEAST_SLOPE = 0.08
RETURNED_APART = 24.0  # bytes that a returned photograph may be off on average: brightness, JPEG
SAME = 8.0  # bytes: so near it is the photograph, however soft
_BLANK_STEP = 16  # bytes
_RIM = 3  # pixels along a border of the truth that are not looked at: soft edges
_GROUND = 0.5
_TILES = 8  # along a side
_UNSEEN = 1.0  # bytes² for each pixel, below which there is nothing to see

Signed = NDArray[np.float32]
Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True)
class Showing:
    """How the photograph shows in a mask."""

    slope: float
    explained: float
    apart: float
    """Bytes between mask and photograph, on average."""

    @property
    def returned(self) -> float:
        """Evidence that it is the photograph itself."""
        same = self.apart <= SAME or (self.slope >= RETURNED_SLOPE and self.apart <= RETURNED_APART)
        return self.explained if same else 0.0

    @property
    def painted_over(self) -> float:
        """Evidence that something is painted over it."""
        return self.explained if self.slope >= LEAST_SLOPE and not self.returned else 0.0


def showing(rgb: Rgb, photograph: Rgb, truth: Labels) -> Showing:
    """How much of the photograph there is in a mask; all of one size."""
    step = -(-max(truth.shape) // SIDE)
    mask, photo = (_averaged(one, step) for one in (rgb, photograph))
    least, largest = window_extremes(truth, _RIM)
    inside = _averaged(least == largest, step) == 1
    ours, theirs = _changes(photo, inside), _changes(mask, inside)
    both, own, other = float(ours @ theirs), float(ours @ ours), float(theirs @ theirs)
    apart = float(np.abs(mask - photo).mean())
    if min(own, other) < _UNSEEN * inside.sum() or not inside.any():
        return Showing(0.0, 0.0, apart)
    return Showing(both / own, both * max(both, 0.0) / (own * other), apart)


def uncovered(rgb: Rgb, photograph: Rgb, slope: float) -> Rgb:
    """The paint alone, where `slope` of the photograph shows through it."""
    share = min(max(slope, 0.0), 0.95)
    paint = (rgb.astype(np.float32) - share * photograph) / (1 - share)
    return np.clip(np.rint(paint), 0, 255).astype(np.uint8)


def blankness(rgb: Rgb) -> float:
    """The share of pixels within 16 bytes of the middle colour in every channel.

    >>> blankness(np.full((4, 4, 3), 7, np.uint8))
    1.0
    """
    rgb = _reduced(rgb)
    middle = [_middle(rgb[..., channel]) for channel in range(3)]
    return float((np.abs(rgb - np.array(middle, np.int16)) <= _BLANK_STEP).all(axis=2).mean())


def noisiness(rgb: Rgb) -> float:
    """1 − the share of the picture's variance that lies between its 8 × 8 tiles: nothing larger than a tile is drawn.

    0 where one colour has half of the picture: thin lines on a ground are no noise.

    >>> noisiness(np.indices((64, 64, 3)).sum(axis=0).astype(np.uint8) % 2 * 255)
    1.0
    """
    rgb = _reduced(rgb)
    height, width = (size // _TILES * _TILES for size in rgb.shape[:2])
    values = rgb[:height, :width].astype(np.float64)
    if not values.size or blankness(rgb) > _GROUND or (total := float(values.var(axis=(0, 1)).sum())) < _UNSEEN:
        return 0.0
    tiles = values.reshape(_TILES, height // _TILES, _TILES, width // _TILES, 3).mean(axis=(1, 3))
    return 1 - float(tiles.var(axis=(0, 1)).sum()) / total


def _middle(values: NDArray[np.uint8]) -> int:
    """The median of bytes, the lower one of two."""
    return int(np.bincount(values.ravel(), minlength=256).cumsum().searchsorted((values.size + 1) // 2))


def _reduced(picture: NDArray[Scalar]) -> NDArray[Scalar]:
    """Every so manieth pixel, so that at most `SIDE` are left along a side."""
    step = -(-max(picture.shape[:2]) // SIDE)
    return picture[::step, ::step]


def _averaged(picture: NDArray[Any], step: int) -> Signed:
    """The mean of every square of `step` pixels, (H, W, …)."""
    height, width = (size // step for size in picture.shape[:2])
    total = np.zeros((height, width, *picture.shape[2:]), np.float32)
    for down, along in np.ndindex(step, step):
        total += picture[down : height * step : step, along : width * step : step]
    total /= step * step
    return total


def _changes(picture: Signed, inside: NDArray[np.bool_]) -> Signed:
    """Differences of neighbours that both lie inside an area of the truth, in one row: along, then down."""
    down = (picture[1:] - picture[:-1])[inside[1:] & inside[:-1]]
    along = (picture[:, 1:] - picture[:, :-1])[inside[:, 1:] & inside[:, :-1]]
    return np.concatenate([along.ravel(), down.ravel()])
