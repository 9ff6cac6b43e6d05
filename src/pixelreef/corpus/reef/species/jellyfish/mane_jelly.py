"""A lion's mane: a wide bell in heavy lobes over a mane of hair."""

from __future__ import annotations

from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.jelly import (
    DOME,
    FLARED,
    bell,
    gel,
    hem,
    meridians,
    rim_lights,
    roots,
    swim,
    tentacles,
    trim,
)
from pixelreef.corpus.reef.shapes import profile
from pixelreef.corpus.reef.zones import Traits, pick


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Loose threads, the mane, mouth arms, the bell with ribs and lobes."""
    lean = swim(canvas, random, traits, 0.35)
    half = (0.8 - 0.24 * traits.slender) * random.uniform(0.9, 1.06)
    tall = random.uniform(0.42, 0.56) + 0.12 * traits.slender
    rim, bow = 0.12, random.uniform(0.1, 0.18)
    lobes, sway = int(random.integers(5, 8)), random.uniform(-0.3, 0.3)
    long = random.uniform(0.7, 0.85) + 0.3 * traits.trail
    loose = [(rim + 0.1, y) for y in roots(half, 6, 0.9)]
    tentacles(canvas, random, traits, loose, 1.25 * long, traits.second, sway=1.2 * sway, spread=0.1, wave=0.06)
    _mane(canvas, random, traits, rim, half, long, sway)
    shape = bell(canvas, rim - 0.06, rim + tall, half, pick(random, (DOME, DOME, FLARED)), bow, lobes, 0.14)
    gel(canvas, traits, shape)
    ribs = meridians(shape, lobes, 0.3, 0.85)
    canvas.mark(shape.mask & ribs & (shape.u < 0.7), "pattern", traits.second, shift=-1.0)
    edge = hem(shape.v, bow, lobes, 0.14)
    trim(canvas, traits, shape, rim - 0.06, edge, traits.accent, 0.5 if traits.deep < 4 else -1.0)
    rim_lights(canvas, traits, rim + 0.04, half, bow, rows=2 if traits.lights > 0.7 else 1)
    return {"lean": lean, "lobes": lobes, "sway": round(sway, 3)}


def _mane(
    canvas: Canvas, random: np.random.Generator, traits: Traits, rim: float, half: float, long: float, sway: float
) -> None:
    """Hair in locks: one mass that narrows downwards, combed into strands, each ending where it likes."""
    ramp = traits.accent if traits.accent != traits.body else traits.second
    full = random.uniform(0.62, 0.8)
    widths = [half * k for k in (0.3, 0.42, 0.6, full, full)]
    mass = profile(canvas, rim - long, rim + 0.2, widths, widths, (sway, 0.5 * sway, 0.15 * sway, 0.0, 0.0))
    count = 4 if canvas.size < 24 else 7
    curl = 0.5 * np.sin(canvas.x * random.uniform(5, 8) + random.uniform(0, 6))
    strand = (mass.v + 1) * (count / 2) + 0.5 * curl
    number = np.floor(strand).astype(np.intp)
    ends = np.array([random.uniform(0.0, 0.5) for _ in range(count + 4)])
    hair = mass & (mass.u > ends[np.minimum(np.maximum(number + 1, 0), count + 3)])
    canvas.paint(hair, "tentacle", ramp, traits.low + 0.1, traits.high - 0.2)
    canvas.mark(hair.mask & (strand - number > 0.6), shift=-1.3)


SPECIES = Species("mane-jelly", "jellyfish", draw)
