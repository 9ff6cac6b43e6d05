"""Making palettes for masks: colours as far from one another as they can be.

Far is measured in OKLab, as the decoder `robust` measures it, with the same flare. Colours are chosen from a lattice in
sRGB: first by always taking the one farthest from all before it, then by moving every colour to where the others repel
it least, with forces that reach less and less far. Of the palettes from several lattices the one whose nearest two
colours are farthest apart is painted, saved as JPEG and decoded; if a colour does not survive that, the next best is
tried. The first colour is always black, for a background.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats, oklab_from_rgb
from pixelreef.core.palette import MAX_COLOURS, Palette
from pixelreef.errors import InputError
from pixelreef.masks.decoder import ROBUST
from pixelreef.masks.survival import survival

STEPS = (15, 17)  # bytes between the colours of a lattice: 5,832 and 4,096 of them; both divide 255
SURVIVES = 0.95  # of the pixels of every colour, at JPEG 75
_EXPONENTS = (4, 8, 16, 32)
_SWEEPS = 30


def make(n: int) -> Palette:
    """`n` colours, the same for the same number.

    >>> make(3).hex()
    ['000000', '00ff00', 'ff00ff']
    """
    if not 1 <= n <= MAX_COLOURS:
        raise InputError("-n", f"be from 1 to {MAX_COLOURS}", n)
    return _made(n)


@cache
def _made(n: int) -> Palette:
    candidates = sorted((_candidate(n, step) for step in STEPS), key=lambda one: -one[0])
    kept = []
    for _, rgb in candidates:
        palette = Palette(rgb, name=f"{n} colours")
        kept.append((float(survival(palette).min()), palette))
        if kept[-1][0] >= SURVIVES:
            return palette
    return max(kept, key=lambda one: one[0])[1]


def _candidate(n: int, step: int) -> tuple[float, NDArray[np.uint8]]:
    """The least distance, and the colours from one lattice."""
    levels = np.arange(0, 256, step, dtype=np.uint8)
    rgb = np.stack(np.meshgrid(levels, levels, levels, indexing="ij"), axis=-1).reshape(-1, 3)
    lattice = oklab_from_rgb(rgb, flare=ROBUST.flare).round(9)  # rounded, so that ties are ties on every machine
    places = _spread(lattice, _farthest(lattice, n))
    return _least(lattice[places]), rgb[places]


def _farthest(lattice: Floats, n: int) -> list[int]:
    """Black, then always the place that is farthest from all before it."""
    places = [0]
    nearest = _squares(lattice, 0)
    while len(places) < n:
        places.append(int(nearest.argmax()))
        nearest = np.minimum(nearest, _squares(lattice, places[-1]))
    return places


def _spread(lattice: Floats, start: list[int]) -> list[int]:
    """The places after moving each to where the others repel it least, by 1 / distance²ᵖ; the best on the way."""
    places, best = list(start), list(start)
    for exponent in _EXPONENTS:
        unit = max(_least(lattice[places]) ** 2, 1e-6)  # keeps powers within range

        def forces(place: int, unit: float = unit, exponent: int = exponent) -> Floats:
            return np.asarray(np.maximum(_squares(lattice, place) / unit, 1e-3) ** -exponent)

        of_each = np.stack([forces(place) for place in places])
        for _ in range(_SWEEPS):
            before = list(places)
            for own in range(1, len(places)):
                total = of_each[:own].sum(axis=0) + of_each[own + 1 :].sum(axis=0)
                places[own] = int(total.argmin())
                of_each[own] = forces(places[own])
            if _least(lattice[places]) > _least(lattice[best]):
                best = list(places)
            if places == before:
                break
    return best


def _least(lab: Floats) -> float:
    """The distance of the nearest two; infinite for a single colour."""
    squares = ((lab[:, None] - lab) ** 2).sum(axis=2)
    np.fill_diagonal(squares, np.inf)
    return float(np.sqrt(squares.min()))


def _squares(lattice: Floats, place: int) -> Floats:
    """(places,): squared distances from one."""
    return np.asarray(((lattice - lattice[place]) ** 2).sum(axis=1))
