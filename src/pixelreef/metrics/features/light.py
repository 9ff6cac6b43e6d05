"""The family `light`: how light and dark lie in a sprite. OKLab lightness alone; hue and chroma change nothing."""

from __future__ import annotations

import numpy as np

from pixelreef.core.colour import Floats
from pixelreef.metrics.features.planes import Planes, folded, pooled

_BANDS = 8
_WAYS = 5


def light(planes: Planes) -> dict[str, Floats]:
    """Name → (N,) or (N, k) values."""
    table = planes.colours.lab[:, :, 0]
    mean = planes.averaged(table)
    relief = planes.mapped(planes.lightness) - planes.occupancy * mean[:, None, None]
    same, apart = folded(pooled(relief, 8))
    return {
        "mean": mean,
        "spread": np.sqrt(np.maximum(planes.averaged(table**2) - mean**2, 0)),
        "bands": planes.averaged(_soft_bands(table)),
        "from_above": _slope(relief.mean(axis=2)),
        "from_the_side": np.abs(_slope(relief.mean(axis=1))),
        **_edges(relief),
        "relief": same,
        "relief_lopsided": apart,
    }


def _soft_bands(table: Floats) -> Floats:
    """(P, K) → (P, K, 8): each lightness shared between the two nearest of 8 bands from black to white."""
    place = np.clip(table, 0, 1) * (_BANDS - 1)
    return np.asarray(np.maximum(0, 1 - np.abs(place[:, :, None] - np.arange(_BANDS, dtype=np.float32))))


def _slope(profile: Floats) -> Floats:
    """A profile along an axis against a line from 1 to −1: above 0 where its beginning is lighter."""
    line = np.linspace(1, -1, profile.shape[1], dtype=np.float32)
    return np.asarray(profile @ line / profile.shape[1])


def _edges(relief: Floats) -> dict[str, Floats]:
    """How much lightness changes from field to field, where, and which way; left and right are one way."""
    across = relief[:, :, 1:] - relief[:, :, :-1]
    along = relief[:, 1:] - relief[:, :-1]
    x, y = np.abs(across[:, 1:] + across[:, :-1]) / 2, (along[:, :, 1:] + along[:, :, :-1]) / 2  # (N, 15, 15)
    size = np.hypot(x, y)
    # From lighter above (−90°) by sideways to lighter below (90°), shared between the two nearest of five ways.
    way = (np.arctan2(y, x) / np.float32(np.pi) + np.float32(0.5)) * (_WAYS - 1)
    total = size.sum(axis=(1, 2))
    ways = [(size * np.maximum(0, 1 - np.abs(way - k))).sum(axis=(1, 2)) for k in range(_WAYS)]
    return {
        "edges": total / x[:1].size if len(x) else total,
        # Shares of all there is; where there is hardly any edge, of something more, lest rounding be given a direction.
        "ways": np.stack(ways, axis=1) / (total + np.float32(0.1))[:, None],
    }
