"""What the measures of a drawing count: colours, neighbours, borders, for a batch at once, each counted once.

A `Tally` holds no score. Colours that the eye cannot tell apart are one colour here (`same`), so that no measure is
raised by writing one colour down twice; cells that are no index of the palette share one further value, the *stray*
one, whatever they are. Nothing depends on the order of the palette, and index 0 means nothing.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats, oklab_from_rgb
from pixelreef.errors import GridError, PaletteError

Cells = NDArray[np.uint8]
Bits = NDArray[np.bool_]
Integers = NDArray[np.integer[Any]]

# OKLab distance below which two colours count as one: about the least that one notices.
NEAR_DUPLICATE = 0.02
# OKLab stretches what is nearly black: 000000 and 010101 are 0.07 apart. So few byte steps are never told apart.
SAME_BYTES = 3
# Neighbours at a distance of two cells as well, because walls and dithering of one pixel repeat every two.
LAGS = (1, 2)
# How far above chance information must be to count, in standard deviations of what chance gives.
_CHANCE_DEVIATIONS = 2.0
MOST_COLOURS = 254


class Tally:
    """Counts of N drawings of one size: cells (N, H, W), padded palettes (N, K, 3), palette lengths (N,)."""

    def __init__(self, cells: Cells, rgb: Cells, colours: Integers) -> None:
        _check(cells, rgb, colours)
        self.cells = cells
        self.rgb = rgb
        self.colours = colours
        self.measured: dict[str, Floats] = {}
        """Name → values of the measures computed so far."""
        self.kinds = rgb.shape[1] + 1
        """How many values a merged cell can have: the palette's, and the stray one, which is the last."""

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def size(self) -> int:
        """Cells of one drawing."""
        return int(self.cells.shape[1]) * int(self.cells.shape[2])

    @cached_property
    def strays(self) -> Bits:
        """(N, H, W): cells that are no index of their palette."""
        return np.asarray(self.cells >= self.colours.astype(np.int16)[:, None, None])

    @cached_property
    def lab_distances(self) -> Floats:
        """(N, K, K): OKLab distance of every two palette entries; padding is far from all."""
        lab = oklab_from_rgb(self.rgb, np.float32)
        squares = (lab**2).sum(axis=2)
        products = lab @ lab.transpose(0, 2, 1)
        apart = np.sqrt(np.maximum(squares[:, :, None] + squares[:, None] - 2 * products, 0))
        padding = np.arange(self.kinds - 1) >= self.colours[:, None]
        apart[padding[:, :, None] | padding[:, None]] = 2.0  # black to white is 1
        diagonal = np.arange(self.kinds - 1)
        apart[:, diagonal, diagonal] = 0
        return np.asarray(apart)

    @cached_property
    def near_duplicates(self) -> Bits:
        """(N, K, K): palette entries too close to tell apart, each with itself too."""
        channels = np.ascontiguousarray(self.rgb.transpose(2, 0, 1)).astype(np.int16)
        bytes_apart = np.abs(channels[:, :, :, None] - channels[:, :, None]).max(axis=0)
        is_entry = self.lab_distances < 2.0
        return np.asarray((self.lab_distances < NEAR_DUPLICATE) | (is_entry & (bytes_apart <= SAME_BYTES)))

    @cached_property
    def same(self) -> Cells:
        """(N, K): for each palette entry the first entry that is the same colour, through others if need be."""
        reached = self.near_duplicates
        if (reached.sum(axis=(1, 2)) > self.kinds - 1).any():  # most palettes have no such pair
            steps = 1
            while steps < self.kinds - 1:
                numbers = reached.astype(np.float32)
                reached, steps = (numbers @ numbers) > 0, 2 * steps
        return np.asarray(reached.argmax(axis=2), dtype=np.uint8)

    @cached_property
    def merged(self) -> Cells:
        """(N, H, W): the cells with same colours as one value and strays as the last."""
        table = np.full((len(self), 256), self.kinds - 1, np.uint8)
        entries = np.arange(self.kinds - 1)
        table[:, : self.kinds - 1] = np.where(entries < self.colours[:, None], self.same, self.kinds - 1)
        return table[np.arange(len(self))[:, None, None], self.cells]

    @cached_property
    def histogram(self) -> Integers:
        """(N, kinds): cells of each value."""
        return _table(self.merged.reshape(len(self), -1), self.kinds)

    @cached_property
    def used(self) -> Bits:
        """(N, K): palette entries that are the first of their colour and have a cell."""
        return np.asarray(self.histogram[:, :-1] > 0)

    @cached_property
    def nats(self) -> Floats:
        """(N,): Shannon entropy of the values."""
        return entropy_of(self.histogram)

    @cached_property
    def most_nats(self) -> Floats:
        """(N,): ln of the palette's length, the entropy when every entry is used alike; ln 2 for a palette of one."""
        return np.log(np.maximum(self.colours, 2).astype(np.float64))

    @cached_property
    def background(self) -> Integers:
        """(N,): the value most common on the outermost cells; of several, the one with more cells in the drawing.

        A tie in that too goes to the brighter colour, never to the lower index.
        """
        merged = self.merged
        ring = np.concatenate([merged[:, 0], merged[:, -1], merged[:, 1:-1, 0], merged[:, 1:-1, -1]], axis=1)
        light = np.pad(oklab_from_rgb(self.rgb, np.float32)[:, :, 0], ((0, 0), (0, 1)))
        rank = _table(ring, self.kinds) * (self.size + 1.0) + self.histogram + 0.5 * light
        return np.asarray(rank.argmax(axis=1))

    @cached_property
    def along_rows(self) -> Integers:
        """(N, lags, kinds, kinds): how often two values are neighbours sideways, one and two cells apart.

        Each pair is counted in both orders, so that the table is symmetric.
        """
        return np.stack([self._pairs(self.merged[:, :, lag:], self.merged[:, :, :-lag]) for lag in LAGS], axis=1)

    @cached_property
    def along_columns(self) -> Integers:
        """(N, lags, kinds, kinds): the same, up and down."""
        return np.stack([self._pairs(self.merged[:, lag:], self.merged[:, :-lag]) for lag in LAGS], axis=1)

    @cached_property
    def neighbours(self) -> Integers:
        """(N, kinds, kinds): how often two values touch, sideways or up and down; each pair in both orders."""
        return self.along_rows[:, 0] + self.along_columns[:, 0]

    @cached_property
    def row_information(self) -> Floats:
        """(N,): nats that a cell tells of its neighbour sideways, beyond chance."""
        return np.asarray(information_of(self.along_rows).max(axis=1))

    @cached_property
    def column_information(self) -> Floats:
        """(N,): nats that a cell tells of its neighbour up and down, beyond chance."""
        return np.asarray(information_of(self.along_columns).max(axis=1))

    @cached_property
    def any_row_information(self) -> Floats:
        """(N,): nats that a cell tells of the cell in its column in *any* other row: what is left in shuffled rows."""
        columns = np.arange(self.merged.shape[2], dtype=np.uint16)
        return _plain_information(self._within(columns))

    @cached_property
    def any_column_information(self) -> Floats:
        """(N,): nats that a cell tells of the cell in its row in any other column."""
        rows = np.arange(self.merged.shape[1], dtype=np.uint16)[:, None]
        return _plain_information(self._within(rows))

    def _pairs(self, first: Cells, second: Cells) -> Integers:
        kinds = self.kinds
        if first.size == 0:
            return np.zeros((len(self), kinds, kinds), np.intp)
        wide = first.astype(np.uint16 if kinds > 15 else np.uint8)
        joint = _table((wide * kinds + second).reshape(len(self), -1), kinds * kinds).reshape(-1, kinds, kinds)
        return np.asarray(joint + joint.transpose(0, 2, 1))

    def _within(self, places: Integers) -> Integers:
        """(N, kinds, kinds): pairs of different cells with one place, given for each cell (its column, or its row)."""
        count, most = len(self), places.size
        flat = (self.merged + places * self.kinds).reshape(count, self.size)
        # Whole numbers below 2²⁴ are exact in float32, whose products are several times faster than those of integers.
        table = _table(flat, most * self.kinds).reshape(count, most, self.kinds).astype(np.float32)
        joint = (table.transpose(0, 2, 1) @ table).astype(np.intp)
        diagonal = np.arange(self.kinds)
        joint[:, diagonal, diagonal] -= self.histogram  # no cell is its own neighbour
        return joint


@lru_cache(maxsize=8)
def _count_logs(most: int) -> Floats:
    """k · ln k for k from 0 to `most`: looking them up is several times faster than logarithms."""
    counts = np.arange(most + 1, dtype=np.float64)
    return counts * np.log(np.maximum(counts, 1))


def entropy_of(counts: Integers) -> Floats:
    """Whole counts (N, …) → Shannon entropy in nats (N,); 0 for no counts.

    >>> entropy_of(np.array([[1, 1], [2, 0]])).round(3).tolist()
    [0.693, 0.0]
    """
    flat = counts.reshape(len(counts), int(np.prod(counts.shape[1:])))
    total = np.maximum(flat.sum(axis=1), 1)
    most = int(total.max(initial=1))
    logs = _count_logs(1 << most.bit_length())[flat]
    # −Σ p ln p = ln n − (Σ c ln c)/n. One value alone must be 0 exactly, not 1e-16.
    nats = np.log(total) - logs.sum(axis=1) / total
    return np.where(nats > 1e-12, nats, 0.0)


def information_of(joint: Integers) -> Floats:
    """Counts of pairs in both orders (…, kinds, kinds) → nats that one of a pair tells of the other, beyond chance.

    With k values and n pairs, unrelated neighbours seem to share k(k − 1)/2 · 1/(2n) nats: half of chi-square with so
    many degrees, over n. That mean and two standard deviations of it are taken off, so that noise has 0.

    >>> float(information_of(np.array([[[100, 0], [0, 100]]]))[0].round(2))
    0.67
    """
    shape, kinds = joint.shape[:-2], joint.shape[-1]
    flat = joint.reshape(-1, kinds, kinds)
    each = flat.sum(axis=2)
    pairs = np.maximum(each.sum(axis=1) / 2, 1)
    values = (each > 0).sum(axis=1)
    degrees = values * (values - 1) / 2
    chance = (degrees + _CHANCE_DEVIATIONS * np.sqrt(2 * degrees)) / (2 * pairs)
    return np.asarray(np.maximum(_plain_information(flat) - chance, 0).reshape(shape))


def substance(shared: Floats, nats: Floats) -> Floats:
    """√shared · nats: ordered, and much to be ordered; the form of every composite.

    Noise shares no information and a blank drawing has none: both are 0. Damage that adds disorder takes from the
    first factor more than it adds to the second; merging colours takes from the second more than it adds to the first.

    >>> substance(np.array([0.25, 0.0]), np.array([1.0, 2.0])).tolist()
    [0.5, 0.0]
    """
    return np.asarray(np.sqrt(shared) * nats)


def _plain_information(joint: Integers) -> Floats:
    return np.asarray(np.maximum(2 * entropy_of(joint.sum(axis=2)) - entropy_of(joint), 0))


def _table(values: Integers, kinds: int) -> NDArray[np.intp]:
    """(N, cells) of values below `kinds` → (N, kinds) counts."""
    offsets = np.arange(len(values), dtype=np.intp)[:, None] * kinds
    return np.bincount((values + offsets).ravel(), minlength=len(values) * kinds).reshape(-1, kinds)


def _check(cells: Cells, rgb: Cells, colours: Integers) -> None:
    if cells.ndim != 3 or cells.dtype != np.uint8 or 0 in cells.shape[1:]:
        raise GridError("cells", "be a (N, H, W) array of uint8", (cells.shape, str(cells.dtype)))
    if rgb.ndim != 3 or rgb.shape[0] != len(cells) or rgb.shape[2] != 3 or rgb.dtype != np.uint8:
        raise PaletteError("rgb", f"be a ({len(cells)}, K, 3) array of uint8", (rgb.shape, str(rgb.dtype)))
    if not 1 <= rgb.shape[1] <= MOST_COLOURS:
        raise PaletteError("rgb", f"have room for 1 to {MOST_COLOURS} colours", rgb.shape[1])
    if colours.shape != (len(cells),) or colours.dtype.kind not in "iu":
        raise PaletteError("colours", f"be {len(cells)} whole numbers", (colours.shape, str(colours.dtype)))
    if len(colours) and not 1 <= int(colours.min()) <= int(colours.max()) <= rgb.shape[1]:
        raise PaletteError("colours", f"be from 1 to {rgb.shape[1]}", [int(colours.min()), int(colours.max())])
