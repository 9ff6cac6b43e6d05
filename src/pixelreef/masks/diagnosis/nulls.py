"""The nulls: how much evidence for each fault chance gives, and from where on a fault has a name.

`nulls.json` holds, for every fault, the quantiles of its evidence over honest imperfect masks, as `calibration` made
them. A fault is named above its 99.5th percentile and a quarter more, and never below a floor, which stands for what
such a fault means: a repair that brings back less than 15 % of what is lost does not explain a mask; a scale with a
shift of its own, which has three numbers to fit with, must bring back 35 %.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

FLOORS = {
    "scaled": 0.35,
    "missing": 0.3,
    "blank": 0.98,
    "photograph": 0.5,
    "painted over": 0.5,
    "noise": 0.9,
    "outlines": 0.7,
}
REPAIR_FLOOR = 0.15
QUANTILE = "0.995"
MARGIN = 0.25
VERSION = 1


@dataclass(frozen=True)
class Nulls:
    """Fault → quantile of its evidence on honest masks → value."""

    quantiles: Mapping[str, Mapping[str, float]]

    def threshold(self, fault: str) -> float:
        """The evidence above which a fault is named."""
        null = self.quantiles.get(fault, {}).get(QUANTILE, 0.0)
        return max(FLOORS.get(fault, REPAIR_FLOOR), min((1 + MARGIN) * null, (1 + null) / 2))


@cache
def shipped_nulls() -> Nulls:
    """Those that come with the package."""
    import json
    from importlib.resources import files

    document = json.loads(files("pixelreef.masks.diagnosis").joinpath("nulls.json").read_text("utf-8"))
    return Nulls(document["quantiles"])
