"""The family `texture`: what a neighbourhood of pixels looks like, in pixels. From lightness alone, as `light` is.

Two pixels are *level* when both are opaque and their lightness differs by at most 0.04. Colours that differ in hue
alone are one here, so that nothing of hue is left in it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats
from pixelreef.metrics.features.planes import LEVEL, TINY, Bits, Planes, counted
from pixelreef.metrics.features.regions import regions, runs

_SIZES = (2, 4, 8, 16, 32, 64)  # pixels of a cluster: 1, 2–3, 4–7, …, 64 and more
_LENGTHS = (2, 3, 5, 9)  # pixels of a run: 1, 2, 3–4, 5–8, 9 and more
_STEP = round(LEVEL * 1000)  # lightness in thousandths, so that whole numbers are compared
_NOTHING = np.int16(-2000)  # stands for transparent: far from every lightness
Levels = NDArray[np.int16]


def texture(planes: Planes) -> dict[str, Floats]:
    """Name → (N,) or (N, k) values."""
    mask = planes.opaque
    level = np.where(mask, (planes.lightness * 1000).round(), _NOTHING).astype(np.int16)
    joined_x, joined_y = _near(level[:, :, 1:], level[:, :, :-1]), _near(level[:, 1:], level[:, :-1])
    right, down = joined_x & mask[:, :, 1:], joined_y & mask[:, 1:]
    return {
        "agree_x": _share(right, mask[:, :, 1:] & mask[:, :, :-1]),
        "agree_y": _share(down, mask[:, 1:] & mask[:, :-1]),
        **_neighbours(planes, level),
        **_contrast(planes),
        **_outline(planes),
        **_clusters(planes, joined_x, joined_y),
        "runs_x": _run_lengths(planes, joined_x),
        "runs_y": _run_lengths(planes, joined_y, upright=True),
        **_squares(level, mask, right, down),
        **_shades(planes),
    }


def _near(a: Levels, b: Levels) -> Bits:
    """Level with each other, or both transparent."""
    return np.asarray(np.abs(a - b) <= _STEP)


def _share(part: Bits, whole: Bits) -> Floats:
    return counted(part) / np.maximum(counted(whole), 1)


def _contrast(planes: Planes) -> dict[str, Floats]:
    """How far neighbours inside the sprite are apart in lightness."""
    level, mask = planes.lightness, planes.opaque
    across = np.abs(level[:, :, 1:] - level[:, :, :-1]) * (mask[:, :, 1:] & mask[:, :, :-1])
    along = (level[:, 1:] - level[:, :-1]) * (mask[:, 1:] & mask[:, :-1])
    pixels = np.maximum(planes.pixels, 1)
    return {
        "contrast_x": across.sum(axis=(1, 2)) / pixels,
        "contrast_y": np.abs(along).sum(axis=(1, 2)) / pixels,
        "darker_below": -along.sum(axis=(1, 2)) / pixels,
        "steepest": np.maximum(across.max(axis=(1, 2), initial=0), np.abs(along).max(axis=(1, 2), initial=0)),
    }


def _outline(planes: Planes) -> dict[str, Floats]:
    """Pixels that touch transparency: their lightness against the sprite's mean, above and below, and its spread."""
    mask = np.pad(planes.opaque, ((0, 0), (1, 1), (1, 1)))
    inner = mask[:, 1:-1, :-2] & mask[:, 1:-1, 2:] & mask[:, :-2, 1:-1] & mask[:, 2:, 1:-1]
    rim = planes.opaque & ~inner
    light = planes.lightness * rim
    mean = planes.averaged(planes.colours.lab[:, :, 0])
    number, total, square = rim.sum(axis=2, dtype=np.float32), light.sum(axis=2), (light**2).sum(axis=2)
    middle = (planes.box[0] + planes.box[1]) / 2
    is_upper = np.arange(rim.shape[1]) + 0.5 < middle[:, None]
    found = {}
    for name, rows in (("outline", is_upper | True), ("outline_upper", is_upper), ("outline_lower", ~is_upper)):
        pixels = (number * rows).sum(axis=1)
        found[name] = np.sign(pixels) * ((total * rows).sum(axis=1) / np.maximum(pixels, 1) - mean)
    pixels = np.maximum(number.sum(axis=1), 1)
    spread = square.sum(axis=1) / pixels - (total.sum(axis=1) / pixels) ** 2
    return {**found, "outline_spread": np.sqrt(np.maximum(spread, 0))}


def _neighbours(planes: Planes, level: Levels) -> dict[str, Floats]:
    """Of the eight neighbours of a pixel, how many are level with it, and how many lighter: as in local binary
    patterns, but counted, so that turning and mirroring change nothing."""
    count, height, width = level.shape
    line = width + 2
    flat = np.pad(level, ((0, 0), (1, 1), (1, 1)), constant_values=_NOTHING).ravel()
    mask = flat != _NOTHING
    equal, lighter = np.zeros((2, flat.size), np.uint8)
    for away in (1, line - 1, line, line + 1):
        step = flat[away:] - flat[:-away]
        same = np.abs(step) <= _STEP
        equal[away:] += same
        equal[:-away] += same
        lighter[:-away] += step > _STEP
        lighter[away:] += step < -_STEP  # a transparent neighbour never is: it counts as darker than black
    where = np.flatnonzero(mask)
    key = where // ((height + 2) * line) * 81 + equal[where] * 9 + lighter[where]
    both = np.bincount(key, minlength=count * 81).reshape(count, 9, 9) / np.maximum(planes.pixels, 1)[:, None, None]
    of_equal, of_lighter = both.sum(axis=2), both.sum(axis=1)
    return {"orphans": of_equal[:, 0], "level_neighbours": of_equal[:, 1:], "lighter_neighbours": of_lighter}


def _clusters(planes: Planes, right: Bits, down: Bits) -> dict[str, Floats]:
    """Regions of level pixels: the share of pixels in regions of each size, and how many regions there are."""
    found = regions(right, down)
    seen = planes.opaque.ravel()[found.first]
    grid, pixels = found.grid[seen], found.pixels[seen]
    kinds = len(_SIZES) + 1
    kind = np.searchsorted(_SIZES, pixels, side="right")
    total = np.bincount(grid * kinds + kind, pixels, minlength=len(planes) * kinds).reshape(len(planes), kinds)
    number = np.bincount(grid, minlength=len(planes))
    return {
        "cluster_sizes": total / np.maximum(planes.pixels, 1)[:, None],
        "clusters": np.log2(1 + number),
        "mean_cluster": np.log2(1 + planes.pixels / np.maximum(number, 1)),
    }


def _run_lengths(planes: Planes, joined: Bits, upright: bool = False) -> Floats:
    """(N, 5): the share of pixels in runs of 1, 2, 3–4, 5–8, and 9 and more level pixels along a line."""
    mask = planes.opaque
    if upright:
        mask, joined = mask.transpose(0, 2, 1), joined.transpose(0, 2, 1)
    _, heads, lengths = runs(joined)
    seen = mask.ravel()[heads]
    heads, lengths = heads[seen], lengths[seen]
    kinds = len(_LENGTHS) + 1
    key = heads // max(mask[:1].size, 1) * kinds + np.searchsorted(_LENGTHS, lengths, side="right")
    total = np.bincount(key, lengths, minlength=len(mask) * kinds).reshape(len(mask), kinds)
    return np.asarray(total / np.maximum(planes.pixels, 1)[:, None], np.float32)


def _squares(level: Levels, mask: Bits, right: Bits, down: Bits) -> dict[str, Floats]:
    """Squares of 2×2 opaque pixels by which of their neighbours are level, left and right being one."""
    count = len(level)
    whole = mask[:, :-1, :-1] & mask[:, :-1, 1:] & mask[:, 1:, :-1] & mask[:, 1:, 1:]
    top, bottom, left, other = right[:, :-1], right[:, 1:], down[:, :, :-1], down[:, :, 1:]
    code = top.astype(np.uint8)
    for bit, joined in ((2, bottom), (4, left), (8, other)):
        code += joined * np.uint8(bit)
    where = np.flatnonzero(whole)
    key = where // max(whole[:1].size, 1) * 16 + code.ravel()[where]
    seen = np.bincount(key, minlength=count * 16).reshape(count, 16)
    number = np.maximum(seen.sum(axis=1), 1)
    kinds = {
        "flat": (15, 14, 13, 11, 7),
        "edge_level": (3,),
        "edge_upright": (12,),
        "corner_low": (5, 9),
        "corner_high": (6, 10),
        "pair_high": (1,),
        "pair_low": (2,),
        "pair_upright": (4, 8),
        "broken": (0,),
    }
    cross = _near(level[:, :-1, :-1], level[:, 1:, 1:]) & _near(level[:, :-1, 1:], level[:, 1:, :-1])
    checks = counted(whole & cross & (code == 0))
    return {
        **{f"square_{name}": (seen[:, list(codes)].sum(axis=1) / number) for name, codes in kinds.items()},
        "checks": checks / number,
    }


def _shades(planes: Planes) -> dict[str, Floats]:
    """How many shades of light there are: bands of 0.04 that are used, and their entropy in bits."""
    bands = round(1 / LEVEL)
    place = np.clip((planes.colours.lab[:, :, 0] * bands).astype(np.intp), 0, bands - 1)
    shares = planes.averaged((place[:, :, None] == np.arange(bands)).astype(np.float32))
    return {
        "shades": np.log2(1 + (shares > 0).sum(axis=1)),
        "shade_entropy": -(shares * np.log2(shares + TINY)).sum(axis=1),
    }
