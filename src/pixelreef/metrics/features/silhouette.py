"""The family `silhouette`: the shape of what is opaque, whatever its colours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats
from pixelreef.metrics.features.planes import FIELDS, TINY, Bits, Planes, counted, folded, pooled
from pixelreef.metrics.features.regions import regions

_RINGS = 6
_WIDTHS = (1 / 16, 1 / 8, 1 / 4, 1 / 2)  # of the frame: borders between thin and thick pieces


def silhouette(planes: Planes) -> dict[str, Floats]:
    """Name → (N,) or (N, k) values."""
    top, bottom, left, right = planes.box.astype(np.float32)
    rows, columns = planes.cells.shape[1:]
    tall, wide = bottom - top, right - left
    pixels, seen = planes.pixels, np.sign(planes.pixels)
    occupancy = planes.occupancy
    same, apart = folded(pooled(occupancy, 8))
    place, place_apart = folded(planes.placed(4))
    return {
        "area": pixels / (rows * columns),
        "box_height": seen * tall / rows,
        "box_width": seen * wide / columns,
        "elongation": seen * np.log2(tall / wide),
        "box_fill": pixels / (tall * wide),
        "top": seen * top / rows,
        "bottom": seen * (rows - bottom) / rows,
        **_perimeter(planes, tall, wide),
        **_moments(occupancy),
        **_symmetry(occupancy),
        **_pieces(planes),
        **_parts(planes),
        "rings": _rings(occupancy),
        "rows": occupancy.mean(axis=2),
        "columns": folded(occupancy.mean(axis=1)[:, None])[0][:, 0],
        "occupancy": same,
        "lopsided": apart,
        "place": place,
        "place_lopsided": place_apart,
    }


def _perimeter(planes: Planes, tall: Floats, wide: Floats) -> dict[str, Floats]:
    """Edges of the outline against those of the box: 1 and more for one connected shape without holes."""
    mask = np.pad(planes.opaque, ((0, 0), (1, 1), (1, 1)))
    edges = counted(mask[:, :, 1:] != mask[:, :, :-1]) + counted(mask[:, 1:] != mask[:, :-1])
    return {
        "perimeter": edges / (2 * (tall + wide)),
        "thickness": 4 * planes.pixels / np.maximum(edges, 1) / planes.side,
    }


def _moments(occupancy: Floats) -> dict[str, Floats]:
    """Centre and central moments to order 3, in frame sides; those that change sign in a mirror without it."""
    place = (np.arange(FIELDS, dtype=np.float32) + 0.5) / FIELDS - 0.5
    mass = occupancy.sum(axis=(1, 2)) + TINY
    y = (occupancy.sum(axis=2) @ place) / mass
    x = (occupancy.sum(axis=1) @ place) / mass
    found = {"centre_y": y, "centre_x": np.abs(x)}
    dy, dx = place[None] - y[:, None], place[None] - x[:, None]  # (N, fields)
    for p, q in ((2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3)):  # powers of x and y
        moment = (((dy**q)[:, None] @ occupancy)[:, 0] * dx**p).sum(axis=1) / mass
        found[f"moment_x{p}y{q}"] = np.abs(moment) if p % 2 else moment
    return found


def _symmetry(occupancy: Floats) -> dict[str, Floats]:
    """1 where a half is the other's mirror image, 0 where they share nothing."""
    twice = 2 * occupancy.sum(axis=(1, 2)) + TINY
    across = np.abs(occupancy - occupancy[:, :, ::-1]).sum(axis=(1, 2))
    along = np.abs(occupancy - occupancy[:, ::-1]).sum(axis=(1, 2))
    seen = np.sign(twice - TINY)
    return {"symmetry_x": seen - across / twice, "symmetry_y": seen - along / twice}


def _pieces(planes: Planes) -> dict[str, Floats]:
    """How rows and columns are broken into pieces, by their number and by their length."""
    found: dict[str, Floats] = {}
    top, bottom, left, right = planes.box
    for name, mask, start, end in (
        ("row", planes.opaque, top, bottom),
        ("column", planes.opaque.transpose(0, 2, 1), left, right),
    ):
        number, span, lengths = _runs(mask, planes.side)
        found[f"{name}_widths"] = lengths / np.maximum(planes.pixels, 1)[:, None]
        found[f"{name}_fill"] = planes.pixels / np.maximum(span.sum(axis=1), 1)
        thirds = _thirds(number, start, end)
        if name == "row":
            found["row_pieces"] = thirds
        else:
            found["column_pieces"] = np.stack([(thirds[:, 0] + thirds[:, 2]) / 2, thirds[:, 1]], axis=1)
    return found


def _runs(mask: Bits, side: Floats) -> tuple[Floats, Floats, Floats]:
    """Per line the number of pieces (N, H) and the length from the first to the last (N, H); pixels by piece (N, 5)."""
    count, height, width = mask.shape
    line = np.zeros((count, height, width + 2), np.bool_)
    line[:, :, 1:-1] = mask
    flat = line.ravel()
    turns = np.flatnonzero(flat[1:] != flat[:-1]) + 1
    starts, ends = turns[0::2], turns[1::2]
    row = starts // (width + 2)
    number = np.bincount(row, minlength=count * height).reshape(count, height)
    span = np.zeros(count * height, np.float32)
    if len(row):
        fresh = np.flatnonzero(np.diff(row, prepend=-1))
        last = np.append(fresh[1:], len(row)) - 1
        span[row[fresh]] = ends[last] - starts[fresh]
    lengths = (ends - starts).astype(np.float32)
    sprite = row // max(height, 1)
    kind = np.searchsorted(_WIDTHS, lengths / side[sprite] - 1e-4)
    kinds = len(_WIDTHS) + 1
    pixels = np.bincount(sprite * kinds + kind, lengths, minlength=count * kinds)
    return number.astype(np.float32), span.reshape(count, height), pixels.reshape(count, kinds).astype(np.float32)


def _thirds(number: Floats, start: NDArray[np.int32], end: NDArray[np.int32]) -> Floats:
    """(N, 3): the mean number of pieces per line in each third of the box."""
    third = ((end - start) / 3).astype(np.float32)[:, None, None]
    borders = start[:, None, None] + np.arange(4, dtype=np.float32)[:, None] * third  # (N, 4, 1)
    below = np.clip(borders - np.arange(number.shape[1], dtype=np.float32), 0, 1)
    return np.asarray((((below[:, 1:] - below[:, :-1]) / third) @ number[:, :, None])[:, :, 0])


def _parts(planes: Planes) -> dict[str, Floats]:
    """Pieces that do not touch, not even at a corner, and holes, which the background outside does not reach."""
    mask = np.pad(planes.opaque, ((0, 0), (1, 1), (1, 1)))
    a, b, c, d = mask[:, :-1, :-1], mask[:, :-1, 1:], mask[:, 1:, :-1], mask[:, 1:, 1:]
    corners = np.stack([a & d & ~b & ~c, b & c & ~a & ~d])
    found = regions(mask[:, :, 1:] == mask[:, :, :-1], mask[:, 1:] == mask[:, :-1], corners)
    count = len(mask)
    is_part = mask.ravel()[found.first]
    number = np.bincount(found.grid[is_part], minlength=count).astype(np.float32)
    largest = np.zeros(count, np.float32)
    np.maximum.at(largest, found.grid[is_part], found.pixels[is_part].astype(np.float32))
    is_outside = found.first == found.grid * mask[0].size if count else is_part
    is_hole = ~is_part & ~is_outside
    holes = np.bincount(found.grid[is_hole], minlength=count).astype(np.float32)
    hole_pixels = np.bincount(found.grid[is_hole], found.pixels[is_hole], minlength=count).astype(np.float32)
    return {
        "parts": np.log2(1 + number),
        "largest_part": largest / np.maximum(planes.pixels, 1),
        "holes": np.log2(1 + holes),
        "hole_area": hole_pixels / np.maximum(planes.pixels + hole_pixels, 1),
    }


def _rings(occupancy: Floats) -> Floats:
    """(N, 6): how full each ring around the frame's middle is, from the inside to the corners."""
    place = (np.arange(FIELDS) + 0.5) / FIELDS - 0.5
    radius = np.hypot(place[:, None], place[None]).ravel()
    ring = np.minimum((radius / np.sqrt(0.5) * _RINGS).astype(int), _RINGS - 1)
    weights = (ring[:, None] == np.arange(_RINGS)).astype(np.float32)
    return np.asarray(occupancy.reshape(len(occupancy), FIELDS**2) @ (weights / weights.sum(axis=0)))
