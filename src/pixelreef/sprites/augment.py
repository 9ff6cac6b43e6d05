"""Label-safe augmentation: sprites mirrored left to right, moved, and ramps of the palette exchanged with one another.

Mirroring is unsafe where a label tells a side, and so is moving. What touches an edge may stand on it: it stays there,
and moves along it. Exchanging ramps is unsafe where a label goes with colours: then the
shares of the ramps differ between the values of a factor by more than they do when the labels are shuffled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.ramps import Ramps
from pixelreef.core.seeds import rng

Grids = NDArray[np.uint8]
Whole = NDArray[np.intp]
Floats = NDArray[np.float64]

_SIDES = {"left", "right", "east", "west", "l", "r", "e", "w"}
_SHUFFLES = 99  # so that chance alone calls one factor in a hundred unsafe
_LEAST = 0.05  # a difference in shares, of 1 in all, that is too small to be a label's own colour


@dataclass(frozen=True, eq=False)
class Augmentation:
    """What may be done to a sprite, and why something may not."""

    flip: bool
    lines: tuple[tuple[tuple[int, ...], ...], ...]
    """Sets of ramps of one length that may be exchanged; none where they may not."""
    shift: int = 0
    """How far a sprite may be moved."""
    ground: int = 0
    notes: tuple[str, ...] = ()

    def apply(self, grid: Grids, random: np.random.Generator) -> Grids:
        """The sprite, or another that is as true."""
        mirrored, exchanged = random.random(2) < 0.5  # drawn whether needed or not, so that streams stay alike
        if self.flip and mirrored:
            grid = grid[:, ::-1]
        if self.lines and exchanged:
            grid = self._exchanged(grid, random)
        return self._moved(grid, random) if self.shift else grid

    def _moved(self, grid: Grids, random: np.random.Generator) -> Grids:
        seen = grid != self.ground
        steps = [_step(seen.any(axis=1 - axis), self.shift, random) for axis in (0, 1)]
        return np.roll(grid, steps, (0, 1))

    def _exchanged(self, grid: Grids, random: np.random.Generator) -> Grids:
        table = np.arange(256, dtype=np.uint8)
        for ramps in self.lines:
            for old, new in zip(ramps, random.permutation(len(ramps)), strict=True):
                table[list(old)] = ramps[int(new)]
        return np.asarray(table[grid])


NOTHING = Augmentation(False, ())


def _step(seen: NDArray[np.bool_], most: int, random: np.random.Generator) -> int:
    """How far to move along one side of a picture, of which it is told where anything is seen."""
    places = np.flatnonzero(seen)
    if not len(places):
        return 0
    before, after = int(places[0]), len(seen) - 1 - int(places[-1])
    if not (before and after):
        return 0
    return int(random.integers(-min(before, most), min(after, most) + 1))


def augmentation(
    grids: Grids,
    labels: Whole,
    factors: Mapping[str, Sequence[str]],
    ramps: Ramps,
    *,
    flip: bool,
    exchange: bool,
    shift: int = 0,
    ground: int = 0,
) -> Augmentation:
    """What of the wishes is safe for sprites (n, height, width) with labels (n, factors)."""
    notes = []
    if (flip or shift) and (sided := [name for name, values in factors.items() if _sided(values)]):
        flip, shift = False, 0
        notes.append(f"Sprites are neither mirrored nor moved: {sided[0]} tells a side.")
    lines = _alike(ramps) if exchange else ()
    if lines and (bound := _bound_to_colour(grids, labels, factors, ramps)):
        lines = ()
        notes.append(f"Ramps are not exchanged: colours go with {bound}.")
    elif exchange and not lines:
        notes.append("Ramps are not exchanged: no two are of one length.")
    return Augmentation(flip, lines, shift, ground, tuple(notes))


def _sided(values: Sequence[str]) -> bool:
    words = {word for value in values for word in value.lower().replace("_", "-").replace(" ", "-").split("-")}
    return bool(words & _SIDES)


def _alike(ramps: Ramps) -> tuple[tuple[tuple[int, ...], ...], ...]:
    lengths = sorted({len(line) for line in ramps.lines})
    sets = [tuple(line for line in ramps.lines if len(line) == length) for length in lengths]
    return tuple(of for of in sets if len(of) > 1)


def _bound_to_colour(grids: Grids, labels: Whole, factors: Mapping[str, Sequence[str]], ramps: Ramps) -> str | None:
    """The first factor whose values differ in colour; None when there is none."""
    shares = _ramp_shares(grids, ramps)
    for place, (name, values) in enumerate(factors.items()):
        known = labels[:, place] < len(values)
        found = _apart(shares[known], labels[known, place])
        random = rng(0, "augment", name)
        by_chance = [_apart(shares[known], random.permutation(labels[known, place])) for _ in range(_SHUFFLES)]
        if found > max([_LEAST, *by_chance]):
            return name
    return None


def _ramp_shares(grids: Grids, ramps: Ramps) -> Floats:
    """(n, ramps): the share of each ramp among the pixels of a sprite that stand on one."""
    ramp = np.append(ramps.ramp_of, np.full(256 - ramps.colours, -1, np.int16))[grids.reshape(len(grids), -1)]
    counts = np.stack([(ramp == number).sum(axis=1) for number in range(len(ramps.lines))], axis=1)
    return np.asarray(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))


def _apart(shares: Floats, labels: Whole) -> float:
    """The mean difference in shares between a label's sprites and all, each label weighed by its sprites; 0 to 1."""
    if not len(shares):
        return 0.0
    sums = np.zeros((int(labels.max()) + 1, shares.shape[1]))
    np.add.at(sums, labels, shares)
    counts = np.bincount(labels, minlength=len(sums))
    means = sums / np.maximum(counts, 1)[:, None]
    return float((np.abs(means - shares.mean(axis=0)).sum(axis=1) / 2 * counts).sum() / len(shares))
