"""The family `hue`: which colours, how strong, and where. All that lightness does not say."""

from __future__ import annotations

import numpy as np

from pixelreef.core.colour import Floats
from pixelreef.metrics.features.planes import TINY, Planes, folded, pooled

_HUES = 12


def hue(planes: Planes) -> dict[str, Floats]:
    """Name → (N,) or (N, k) values."""
    lab = planes.colours.lab
    chroma = np.hypot(lab[:, :, 1], lab[:, :, 2])
    mean = planes.averaged(chroma)
    hues = planes.averaged(_soft_hues(lab) * chroma[:, :, None])
    maps: dict[str, Floats] = {}
    for name, channel in (("a", 1), ("b", 2)):
        same, apart = folded(pooled(planes.mapped(planes.looked_up(lab[:, :, channel])), 4))
        maps |= {f"{name}_map": same, f"{name}_lopsided": apart}
    shares = planes.shares[:, 0]
    return {
        "chroma": mean,
        "chroma_spread": np.sqrt(np.maximum(planes.averaged(chroma**2) - mean**2, 0)),
        "a": planes.averaged(lab[:, :, 1]),
        "b": planes.averaged(lab[:, :, 2]),
        "hues": hues / (mean + np.float32(0.01))[:, None],
        "chroma_map": folded(pooled(planes.mapped(planes.looked_up(chroma)), 4))[0],
        **maps,
        "colours": np.log2(1 + (shares > 0).sum(axis=1, dtype=np.float32)),
        "colour_entropy": -(shares * np.log2(shares + TINY)).sum(axis=1),
    }


def _soft_hues(lab: Floats) -> Floats:
    """(P, K, 3) → (P, K, 12): each hue shared between the two nearest of 12 around the circle."""
    place = np.arctan2(lab[:, :, 2], lab[:, :, 1]) / (2 * np.pi) * _HUES
    away = np.abs((place[:, :, None] - np.arange(_HUES) + _HUES / 2) % _HUES - _HUES / 2)
    return np.asarray(np.maximum(0, 1 - away), np.float32)
