"""What a zone does to a creature: far more than colour. Every species is given the `Traits` of one animal to draw.

shallows   full and round, saturated, strong patterns, dark outline, a clear white eye
twilight   slim and silver, countershaded (dark back, bright belly), large reflecting eyes, a few lights below
midnight   nearly black with a lit rim, wide mouth, rows of bright light organs, eyes huge or small
abyss      long and fragile, dim and even in tone, trailing threads, one lure, tiny eyes
hadal      soft, tapering and pale, gelatinous: organs and spine shine through, hardly an outline, eyes gone
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from pixelreef.core.reef import RAMP_NAMES
from pixelreef.corpus.cells import ZONES

SLATE, SAND, AMBER, CORAL, ORCHID, VIOLET, AZURE, TEAL, KELP = range(len(RAMP_NAMES))
PATTERNS = ("none", "bars", "stripes", "spots", "gradient", "countershading")
Item = TypeVar("Item")
Span = tuple[float, float]


@dataclass(frozen=True)
class Zone:
    """The ranges from which the traits of an animal are drawn."""

    colours: tuple[tuple[int, int, int], ...]
    """Schemes: ramps of the body, of its pattern (or what shows through) and of its fins."""
    glow: tuple[int, ...]
    """Ramps of light organs."""
    low: float
    """The step of the body in shadow …"""
    high: float
    """… and in full light."""
    line: tuple[float, float]
    """Steps of the outline, away from the light and towards it."""
    patterns: tuple[str, ...]
    eye: Span
    """Size of the eye, 1 is usual, below 0.2 none."""
    slender: Span
    """0 as round as the species gets, 1 as slender."""
    gape: Span
    """0 closed, 1 the mouth wide open."""
    trail: Span
    """0 short fins, 1 threads as long as the body."""
    lights: Span
    """0 none, 1 rows of light organs."""
    clear: float
    """How far the inside shows: organs and spine, 0 to 1."""


TABLE: Mapping[str, Zone] = {
    "shallows": Zone(
        colours=(
            (AMBER, SLATE, CORAL),
            (AMBER, AZURE, AMBER),
            (CORAL, SLATE, AMBER),
            (CORAL, SLATE, CORAL),
            (AZURE, AMBER, AMBER),
            (AZURE, SLATE, TEAL),
            (TEAL, AMBER, CORAL),
            (ORCHID, AMBER, VIOLET),
            (VIOLET, AMBER, ORCHID),
            (KELP, AMBER, TEAL),
            (TEAL, ORCHID, ORCHID),
        ),
        glow=(AMBER,),
        low=2.2,
        high=5.4,
        line=(0.0, 1.0),
        patterns=("bars", "bars", "stripes", "spots", "gradient", "countershading"),
        eye=(0.9, 1.15),
        slender=(0.0, 0.35),
        gape=(0.0, 0.3),
        trail=(0.0, 0.5),
        lights=(0.0, 0.0),
        clear=0.0,
    ),
    "twilight": Zone(
        colours=(
            (SLATE, AZURE, AZURE),
            (AZURE, SLATE, SLATE),
            (TEAL, SLATE, AZURE),
            (SLATE, TEAL, VIOLET),
            (AZURE, TEAL, SLATE),
            (SLATE, VIOLET, AZURE),
        ),
        glow=(TEAL, AZURE),
        low=1.4,
        high=4.2,
        line=(0.0, 0.0),
        patterns=("countershading", "countershading", "countershading", "stripes", "gradient", "bars"),
        eye=(1.1, 1.4),
        slender=(0.45, 0.85),
        gape=(0.0, 0.35),
        trail=(0.0, 0.4),
        lights=(0.0, 0.5),
        clear=0.0,
    ),
    "midnight": Zone(
        colours=(
            (SLATE, SLATE, AZURE),
            (SLATE, VIOLET, TEAL),
            (VIOLET, VIOLET, AZURE),
            (AZURE, AZURE, TEAL),
            (CORAL, CORAL, SLATE),
            (SAND, SLATE, SLATE),
        ),
        glow=(TEAL, AZURE, KELP, AMBER),
        low=0.0,
        high=2.0,
        line=(0.0, 3.0),
        patterns=("none", "none", "gradient", "spots"),
        eye=(0.7, 1.6),
        slender=(0.2, 0.7),
        gape=(0.5, 1.0),
        trail=(0.1, 0.6),
        lights=(0.6, 1.0),
        clear=0.0,
    ),
    "abyss": Zone(
        colours=(
            (SLATE, SAND, CORAL),
            (SAND, SLATE, CORAL),
            (SAND, SAND, SLATE),
            (SLATE, VIOLET, SAND),
            (CORAL, SAND, SAND),
            (VIOLET, SLATE, SLATE),
        ),
        glow=(KELP, AMBER, TEAL),
        low=1.5,
        high=3.4,
        line=(1.0, 1.0),
        patterns=("none", "none", "gradient", "stripes"),
        eye=(0.25, 0.6),
        slender=(0.7, 1.0),
        gape=(0.1, 0.7),
        trail=(0.6, 1.0),
        lights=(0.0, 0.3),
        clear=0.3,
    ),
    "hadal": Zone(
        colours=(
            (SAND, CORAL, SLATE),
            (SAND, ORCHID, SAND),
            (SLATE, ORCHID, SAND),
            (SLATE, CORAL, VIOLET),
            (VIOLET, ORCHID, SLATE),
            (ORCHID, CORAL, SLATE),
            (AZURE, ORCHID, SLATE),
        ),
        glow=(AZURE, TEAL),
        low=4.2,
        high=6.2,
        line=(3.0, 4.0),
        patterns=("none",),
        eye=(0.0, 0.3),
        slender=(0.35, 0.9),
        gape=(0.0, 0.3),
        trail=(0.0, 0.5),
        lights=(0.0, 0.0),
        clear=1.0,
    ),
}
assert tuple(TABLE) == ZONES


@dataclass(frozen=True)
class Traits:
    """One animal of a zone. Ramps are numbers of the palette's; the spans are as in `Zone`."""

    zone: str
    body: int
    second: int
    accent: int
    glow: int
    low: float
    high: float
    line: tuple[float, float]
    pattern: str
    eye: float
    slender: float
    gape: float
    trail: float
    lights: float
    clear: float
    age: float
    """0 just hatched (large head and eye), 1 grown."""
    facing: int
    """1 to the right, −1 to the left."""
    tilt: float
    """Radians, nose down; a side view turns by this much or more."""

    @property
    def deep(self) -> int:
        """0 in the shallows to 4 in the hadal zone."""
        return ZONES.index(self.zone)

    def parameters(self) -> dict[str, Any]:
        """What was drawn for this animal, as JSON values."""
        numbers = ("eye", "slender", "gape", "trail", "lights", "age", "tilt")
        return {
            "pattern": self.pattern,
            "colours": [RAMP_NAMES[ramp] for ramp in (self.body, self.second, self.accent, self.glow)],
            "facing": "right" if self.facing > 0 else "left",
            "stage": "juvenile" if self.age < 0.35 else "adult",
            **{name: round(float(getattr(self, name)), 3) for name in numbers},
        }


def pick(random: np.random.Generator, items: Sequence[Item]) -> Item:
    """One of a few, all alike; several times faster than `random.choice`."""
    return items[int(random.random() * len(items))]


def traits_of(zone: str, random: np.random.Generator) -> Traits:
    """Draw one animal of a zone."""
    table = TABLE[zone]
    body, second, accent = pick(random, table.colours)
    spans = (table.eye, table.slender, table.gape, table.trail, table.lights)
    eye, slender, gape, trail, lights = (low + (high - low) * random.random() for low, high in spans)
    return Traits(
        zone=zone,
        body=body,
        second=second,
        accent=accent,
        glow=pick(random, table.glow),
        low=table.low + random.uniform(-0.2, 0.2),
        high=table.high + random.uniform(-0.2, 0.2),
        line=table.line,
        pattern=pick(random, table.patterns),
        eye=eye,
        slender=slender,
        gape=gape,
        trail=trail,
        lights=lights,
        clear=table.clear,
        age=random.random() ** 0.6,
        facing=1 if random.random() < 0.5 else -1,
        tilt=random.uniform(-0.22, 0.22),
    )
