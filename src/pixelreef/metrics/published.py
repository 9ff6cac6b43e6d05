"""The formulas of Pixel Art Bench as they were published, defects and all, so that figures can be compared.

Nothing is mended here: ten-value noise has the full `pixel_art_quality`, a one-colour palette sends `entropy` to 1e9,
indices outside the palette push `color_efficiency` above 1, a free model has the best `efficiency`. The mended measures
are `drawing`, `craft` and `headline`. The names are the published ones, American spelling included.

A grid is whatever a reply held: rows of whole numbers, ragged, tall, empty. Where a formula is silent:

    ragged rows       `edge_density`, which needs one width, is missing, and with it `quality_score` and `efficiency`;
                      all else is a count of cells, or of neighbours within a row, and is taken over the cells there are
    one row or one    no neighbours in both directions: `edge_density` is missing; a grid with no horizontal neighbours
    column            has no `row_consistency`
    no cells          shares of cells are missing; the three headline scores and `grid_completeness` are 0
    palette of none   `color_efficiency` and `lora_quality`, which divide by its length, are missing
    cost not known    `efficiency` is missing

Missing is NaN.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pixelreef.errors import GridError

Floats = NDArray[np.float64]
Integers = NDArray[np.integer[Any]]
Rows = Sequence[Sequence[int]]

PUBLISHED_VERSION = 1
NAMES = (
    "json_validity",
    "render_success",
    "pixel_art_quality",
    "overall",
    "palette_valid",
    "grid_valid",
    "edge_density",
    "entropy",
    "color_efficiency",
    "fill_balance",
    "quality_score",
    "efficiency",
    "lora_quality",
    "row_consistency",
    "grid_completeness",
)
SIDE = 24
_TINY = 1e-9  # the formulas' own, added inside both logarithms
_CELLS_AT_ONCE = 512 * SIDE * SIDE  # 300,000 cells: a chunk's indices take 2.4 MB, which a core's cache holds
_FEW_VALUES = 64  # below it, a table with a column for every possible value is cheaper than finding those that occur


@dataclass(frozen=True)
class Counts:
    """What the formulas are made of, for N grids; every field is (N,)."""

    cells: Floats
    distinct: Floats
    dominant: Floats
    """Cells of the most common value."""
    nats: Floats
    """Shannon entropy of the values."""
    inside: Floats
    """Cells with an index of the palette, or below 0: the published test is index ≤ length − 1."""
    filled: Floats
    """Cells that are not 0."""
    pairs: Floats
    """Horizontal neighbours."""
    unequal: Floats
    """Horizontal neighbours that differ."""
    edge_density: Floats
    rectangular: NDArray[np.bool_]
    right_size: NDArray[np.bool_]
    """24 rows of 24."""
    top: Floats
    """Cells of the first 24 rows."""


def published(rows: Rows, colours: int, *, json_valid: bool = True, cost: float | None = None) -> dict[str, float]:
    """Every published figure of one grid with a palette of so many colours; NaN is missing.

    Range: 0 to 1 for the first four and `grid_valid`, `palette_valid`, `edge_density`, `row_consistency`; the others
    are not bounded as published. Direction: higher is better, as published. Empty: see the module.

    >>> figures = published([[0, 1], [1, 1]], colours=1)
    >>> figures["color_efficiency"], figures["edge_density"], figures["fill_balance"]
    (2.0, 1.0, 0.75)
    >>> f"{figures['entropy']:.2e}"
    '5.62e+08'
    """
    return {name: float(values[0]) for name, values in published_grids([rows], [colours], [json_valid], [cost]).items()}


def published_grids(
    grids: Sequence[Rows],
    colours: Sequence[int],
    json_valid: Sequence[bool] | None = None,
    cost: Sequence[float | None] | None = None,
) -> dict[str, Floats]:
    """Every published figure of many grids of any shapes, in their order; those of one shape are computed together.

    >>> published_grids([[[0, 1]], [[0], [1, 2]]], [2, 3])["grid_valid"].tolist()
    [1.0, 0.0]
    """
    flags = [True] * len(grids) if json_valid is None else list(json_valid)
    costs = [None] * len(grids) if cost is None else list(cost)
    if not len(grids) == len(colours) == len(flags) == len(costs):
        raise GridError("grids, colours, flags and costs", "be equally many", (len(grids), len(colours), len(flags)))
    found = {name: np.full(len(grids), np.nan) for name in NAMES}
    for chosen, counts in _counted(grids, colours):
        prices = np.array([costs[index] for index in chosen], dtype=np.float64)  # None becomes NaN
        lengths = np.array([colours[index] for index in chosen])
        figures = _figures(counts, lengths, np.array([flags[index] for index in chosen]), prices)
        for name in NAMES:
            found[name][chosen] = figures[name]
    return found


def published_batch(
    cells: Integers, colours: ArrayLike, json_valid: ArrayLike = True, cost: ArrayLike = np.nan
) -> dict[str, Floats]:
    """Every published figure of a batch (N, H, W) of grids of one shape; the other arguments are (N,) or one value.

    >>> published_batch(np.zeros((2, 24, 24), np.uint8), [2, 4])["color_efficiency"].tolist()
    [0.5, 0.25]
    """
    if cells.ndim != 3 or cells.dtype.kind not in "iub":
        raise GridError("batch", "be a (N, H, W) array of whole numbers", (cells.shape, str(cells.dtype)))
    count = len(cells)
    lengths = np.broadcast_to(np.asarray(colours), (count,))
    flags = np.broadcast_to(np.asarray(json_valid), (count,))
    prices = np.broadcast_to(np.asarray(cost, dtype=np.float64), (count,))
    found = {name: np.empty(count) for name in NAMES}
    step = max(1, _CELLS_AT_ONCE // max(1, cells.shape[1] * cells.shape[2]))
    for start in range(0, count, step):
        part = slice(start, start + step)
        figures = _figures(_counts(cells[part], lengths[part]), lengths[part], flags[part], prices[part])
        for name in NAMES:
            found[name][part] = figures[name]
    return found


def _figures(counts: Counts, colours: Integers, json_valid: NDArray[Any], cost: Floats) -> dict[str, Floats]:
    """The formulas. A division by nothing is missing, which is what 0/0 gives."""
    length = colours.astype(np.float64)
    length_or_missing = np.where(length > 0, length, np.nan)
    cells = np.where(counts.cells > 0, counts.cells, np.nan)
    valid = json_valid.astype(np.float64)
    render = counts.right_size.astype(np.float64)
    quality = np.minimum(counts.distinct / 10, 1)
    palette_valid = counts.inside / cells
    grid_valid = counts.rectangular.astype(np.float64)
    entropy = np.where(counts.cells > 0, counts.nats, np.nan) / np.log(length + _TINY)
    efficiency = np.where(counts.cells > 0, counts.distinct, np.nan) / length_or_missing
    balance = 1 - np.abs(counts.filled / cells - 0.5)
    score = 2 * grid_valid + 2 * palette_valid + 1.5 * counts.edge_density + entropy + efficiency + balance
    with np.errstate(invalid="ignore", divide="ignore"):
        row_consistency = 1 - np.where(counts.pairs > 0, counts.unequal / counts.pairs, np.nan)
        log_cost = np.log(cost + _TINY)
    return {
        "json_validity": valid,
        "render_success": render,
        "pixel_art_quality": quality,
        "overall": (valid + render + quality) / 3,
        "palette_valid": palette_valid,
        "grid_valid": grid_valid,
        "edge_density": counts.edge_density,
        "entropy": entropy,
        "color_efficiency": efficiency,
        "fill_balance": balance,
        "quality_score": score,
        "efficiency": score - log_cost,
        "lora_quality": 0.7 * np.minimum(efficiency, 1) + 0.3 * (1 - counts.dominant / cells),
        "row_consistency": row_consistency,
        "grid_completeness": counts.top / (SIDE * SIDE),
    }


def _counted(grids: Sequence[Rows], colours: Sequence[int]) -> Iterator[tuple[list[int], Counts]]:
    """The grids' numbers with their counts: rectangles of one shape together, ragged grids one by one."""
    shapes: dict[tuple[int, int], list[int]] = {}
    for index, rows in enumerate(grids):
        widths = {len(row) for row in rows}
        if len(widths) == 1:
            shapes.setdefault((len(rows), widths.pop()), []).append(index)
        else:
            yield [index], _counts_of_ragged(rows, colours[index])
    for (height, width), chosen in shapes.items():
        step = max(1, _CELLS_AT_ONCE // max(1, height * width))
        for start in range(0, len(chosen), step):
            part = chosen[start : start + step]
            batch = np.array([grids[index] for index in part], dtype=np.int64).reshape(len(part), height, width)
            yield part, _counts(batch, np.array([colours[index] for index in part]))


def _counts(batch: Integers, colours: Integers) -> Counts:
    count, height, width = batch.shape
    right, down = _unequal(batch)
    unequal = _sum(right)
    places = 2 * (height - 1) * (width - 1)
    if places > 0:
        density = (unequal - _sum(right[:, -1:]) + _sum(down) - _sum(down[:, :, -1:])) / places
    else:
        density = np.full(count, np.nan)
    values, table = _table(batch.reshape(count, height * width))
    distinct, dominant, nats = _of_values(table)
    return Counts(
        cells=np.full(count, float(height * width)),
        distinct=distinct,
        dominant=dominant,
        nats=nats,
        inside=np.where(values <= colours[:, None] - 1, table, 0).sum(axis=1).astype(np.float64),
        filled=np.where(values != 0, table, 0).sum(axis=1).astype(np.float64),
        pairs=np.full(count, float(height * max(width - 1, 0))),
        unequal=unequal,
        edge_density=density,
        rectangular=np.full(count, height > 0),
        right_size=np.full(count, (height, width) == (SIDE, SIDE)),
        top=np.full(count, float(min(height, SIDE) * width)),
    )


def _counts_of_ragged(rows: Rows, colours: int) -> Counts:
    """Counts of cells are those of one long row; neighbours are counted within the rows."""
    flat = np.array([value for row in rows for value in row], dtype=np.int64).reshape(1, 1, -1)
    as_one_row = _counts(flat, np.array([colours]))
    pairs = sum(max(len(row) - 1, 0) for row in rows)
    unequal = sum(a != b for row in rows for a, b in pairwise(row))
    return Counts(
        cells=as_one_row.cells,
        distinct=as_one_row.distinct,
        dominant=as_one_row.dominant,
        nats=as_one_row.nats,
        inside=as_one_row.inside,
        filled=as_one_row.filled,
        pairs=np.array([float(pairs)]),
        unequal=np.array([float(unequal)]),
        edge_density=np.array([np.nan]),
        rectangular=np.array([False]),
        right_size=np.array([False]),
        top=np.array([float(sum(len(row) for row in rows[:SIDE]))]),
    )


def _unequal(batch: Integers) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which cells differ from the right neighbour (N, H, W), the last column being false, and from the lower one."""
    right = np.zeros(batch.shape, np.bool_)
    if batch.size > 0:
        # One long row is compared several times faster than many short ones; what crosses a line's end is put right.
        flat = np.ascontiguousarray(batch).reshape(-1)
        np.not_equal(flat[1:], flat[:-1], out=right.reshape(-1)[:-1])
        right[:, :, -1] = False
    return right, np.asarray(batch[:, 1:] != batch[:, :-1])


def _sum(bits: NDArray[np.bool_]) -> Floats:
    """(N, …) → how many are true, (N,). Bytes added up in 32 bits are faster than truth values in 64."""
    flat = bits.reshape(len(bits), int(np.prod(bits.shape[1:]))).view(np.uint8)
    return np.asarray(flat.sum(axis=1, dtype=np.uint32), dtype=np.float64)


def _table(flat: Integers) -> tuple[Integers, Integers]:
    """(N, cells) → the values there may be (kinds,), and how many cells of each grid have them (N, kinds)."""
    count = len(flat)
    if flat.size == 0:
        return np.zeros(1, np.intp), np.zeros((count, 1), np.intp)
    places, values = flat, np.arange(int(flat.max()) + 1)
    if int(flat.min()) < 0 or len(values) > _FEW_VALUES:
        values, inverse = np.unique(flat, return_inverse=True)
        places = inverse.reshape(flat.shape)
    kinds = len(values)
    offsets = np.arange(count, dtype=np.intp)[:, None] * kinds
    return values, np.bincount((places + offsets).ravel(), minlength=count * kinds).reshape(count, kinds)


def _of_values(table: Integers) -> tuple[Floats, Floats, Floats]:
    """(N, kinds) counts → how many distinct values, cells of the most common one, and the entropy in nats."""
    shares = table / np.maximum(table.sum(axis=1, keepdims=True), 1)
    logs = np.log(shares, out=np.zeros_like(shares), where=table > 0)
    distinct, dominant = (table > 0).sum(axis=1), table.max(axis=1)
    return distinct.astype(np.float64), dominant.astype(np.float64), -(shares * logs).sum(axis=1)
