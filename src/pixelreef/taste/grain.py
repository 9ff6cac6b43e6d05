"""The grain of sprites: a few numbers per sprite that tell drawn pixels from noise and from photographs.

    orphans      the share of opaque pixels none of whose eight neighbours has their colour
    agreement    how much oftener neighbours have one colour than chance would have it: 1 all of them, 0 as by chance
    clusters     the mean size of a cluster of one colour, in doublings of a pixel
    packed       bits of the compressed sprite for each bit of the entropy of its colours: about 1 for shuffled pixels
    steps        how far neighbours are apart in OKLab, squared, against any two pixels of the sprite: 1 as by chance
    outline      the length of the silhouette's border against that of a square of its area, in doublings
    colours      how many colours are used, in doublings
    area         the share of pixels that are opaque
    border       the share of the outermost pixels that are opaque: 1 for a picture that fills its frame

Every one is NaN for a sprite of which it can't be told, such as a blank one; blank sprites are counted elsewhere.
"""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Cells
from pixelreef.core.palette import Palette
from pixelreef.metrics.features.regions import regions

GRAIN = ("orphans", "agreement", "clusters", "packed", "steps", "outline", "colours", "area", "border")
Values = NDArray[np.float64]
Bits = NDArray[np.bool_]
_BLOCK = 1024  # sprites looked at together


def grain(cells: Cells, palette: Palette) -> dict[str, Values]:
    """Name → (N,) values of a batch (N, H, W)."""
    parts = [_grain(cells[start : start + _BLOCK], palette) for start in range(0, len(cells), _BLOCK)]
    return {name: np.concatenate([part[name] for part in parts]) for name in GRAIN}


def _grain(cells: Cells, palette: Palette) -> dict[str, Values]:
    opaque = np.ones(cells.shape, np.bool_) if palette.transparent is None else cells != palette.transparent
    pixels = opaque.sum(axis=(1, 2)).astype(float)
    counts = _counts(cells, len(palette))
    seen = counts.copy()
    if palette.transparent is not None:
        seen[:, palette.transparent] = 0
    shares = seen / np.maximum(pixels, 1)[:, None]
    right = opaque[:, :, 1:] & opaque[:, :, :-1]
    down = opaque[:, 1:] & opaque[:, :-1]
    same_right = right & (cells[:, :, 1:] == cells[:, :, :-1])
    same_down = down & (cells[:, 1:] == cells[:, :-1])
    pairs = _summed(right) + _summed(down)
    chance = (shares**2).sum(axis=1)
    agreed = (_summed(same_right) + _summed(same_down)) / _or_nan(pairs)
    return {
        "orphans": _summed(opaque & ~_accompanied(cells)) / _or_nan(pixels),
        "agreement": (agreed - chance) / _or_nan(1 - chance),
        "clusters": np.log2(pixels / _or_nan(_clusters(opaque, same_right, same_down))),
        "packed": _packed(cells, counts),
        "steps": _steps(cells, palette, shares, right, down) / _or_nan(pairs),
        "outline": np.log2(_or_nan(_border(opaque)) / (4 * np.sqrt(_or_nan(pixels)))),
        "colours": np.log2(_or_nan((seen > 0).sum(axis=1).astype(float))),
        "area": np.where(pixels > 0, pixels / cells[0].size, np.nan),
        "border": np.where(pixels > 0, opaque[:, _outermost(*cells.shape[1:])].mean(axis=1), np.nan),
    }


def _or_nan(values: Values) -> Values:
    return np.where(values > 1e-9, values, np.nan)


def _summed(bits: Bits) -> Values:
    return np.asarray(bits.sum(axis=(1, 2)), float)


def _counts(cells: Cells, colours: int) -> Values:
    """(N, colours): how often each index stands in each sprite."""
    first = np.arange(len(cells))[:, None, None] * colours
    return np.bincount((cells + first).ravel(), minlength=len(cells) * colours).reshape(-1, colours).astype(float)


def _accompanied(cells: Cells) -> Bits:
    """(N, H, W): pixels of which one of the eight neighbours has the colour."""
    found = np.zeros(cells.shape, np.bool_)
    height, width = cells.shape[1:]
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        here = np.s_[:, : height - dy, max(0, -dx) : width - max(0, dx)]
        there = np.s_[:, dy:, max(0, dx) : width + min(0, dx)]
        equal = cells[here] == cells[there]
        found[here] |= equal
        found[there] |= equal
    return found


def _clusters(opaque: Bits, right: Bits, down: Bits) -> Values:
    found = regions(right, down)
    return np.bincount(found.grid[opaque.ravel()[found.first]], minlength=len(opaque)).astype(float)


def _packed(cells: Cells, counts: Values) -> Values:
    shares = counts / cells[0].size
    entropy = -(shares * np.log2(np.where(shares > 0, shares, 1))).sum(axis=1) * cells[0].size
    bits = np.array([8 * len(zlib.compress(one.tobytes(), 6)) for one in cells], float)
    return bits / _or_nan(entropy)


def _steps(cells: Cells, palette: Palette, shares: Values, right: Bits, down: Bits) -> Values:
    lab = palette.oklab
    apart = ((lab[:, None] - lab[None]) ** 2).sum(axis=2)
    chance = np.einsum("nk,kj,nj->n", shares, apart, shares)
    total = (apart[cells[:, :, 1:], cells[:, :, :-1]] * right).sum(axis=(1, 2))
    total += (apart[cells[:, 1:], cells[:, :-1]] * down).sum(axis=(1, 2))
    return np.asarray(total / _or_nan(chance))


def _outermost(height: int, width: int) -> Bits:
    places = np.zeros((height, width), np.bool_)
    places[[0, -1]] = True
    places[:, [0, -1]] = True
    return places


def _border(opaque: Bits) -> Values:
    mask = np.pad(opaque, ((0, 0), (1, 1), (1, 1)))
    return _summed(mask[:, :, 1:] != mask[:, :, :-1]) + _summed(mask[:, 1:] != mask[:, :-1])
