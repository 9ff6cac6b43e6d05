"""A snail: a shell, coiled flat or drawn out to a spire, on a creeping foot, eyes on stalks."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas, Point
from pixelreef.corpus.reef.details import eye, lights, organ
from pixelreef.corpus.reef.limbs import limbs
from pixelreef.corpus.reef.patterns import bands
from pixelreef.corpus.reef.shapes import ellipse, line, profile
from pixelreef.corpus.reef.zones import Traits, pick


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Foot, head and stalks, then the shell over them."""
    canvas.pose(traits.facing, 0.4 * traits.tilt)
    rear, front = random.uniform(-0.85, -0.65), random.uniform(0.45, 0.6)
    rise = random.uniform(0.12, 0.3)
    thin = 0.2 - 0.06 * traits.slender
    foot = profile(
        canvas,
        rear,
        front + 0.2,
        (0.02, 0.5 * thin, thin, thin, thin, thin, 0.0),
        (0.04, 0.1, 0.1, 0.1, 0.1, 0.1, 0.0),
        (0.62,),
    )
    canvas.paint(foot, "body", traits.accent, traits.low, traits.high)
    canvas.mark(foot.mask & (foot.v > 0.15), "belly", None, shift=0.9)
    neck = limbs(canvas, [([(front - 0.16, 0.58), (front + 0.08, 0.55 - rise)], [0.16, 0.14])])
    canvas.paint(neck, "head", traits.accent, traits.low, traits.high)
    width = _stalks(canvas, random, traits, (front + 0.08, 0.5 - rise))
    if traits.lights > 0.15:
        lights(canvas, traits, [(rear + 0.2 + 0.24 * number, 0.62) for number in range(2 + round(4 * traits.lights))])
    kind = pick(random, ("coil", "spire", "spire", "cap") if traits.deep < 2 else ("coil", "spire"))
    middle = (rear + front) / 2 + random.uniform(-0.08, 0.08)
    {"coil": _coil, "spire": _spire, "cap": _cap}[kind](canvas, random, traits, (middle, 0.5))
    return {"shell": kind, "rise": round(rise, 3), "eye pixels": width, "pattern": "none"}


def _stalks(canvas: Canvas, random: np.random.Generator, traits: Traits, at: Point) -> int:
    x, y = at
    long = random.uniform(0.22, 0.32) + 0.14 * traits.slender
    width = 0
    for back, lean in ((0.16, -0.14), (0.0, 0.2)):
        tip = (x - back + lean * random.uniform(0.6, 1.3), y - long * (1.0 if back else 0.85))
        stalk = limbs(canvas, [([(x - back + 0.04, y), tip], [0.05, 0.04])])
        canvas.paint(stalk, "head", traits.accent, traits.low, traits.high)
        width = eye(canvas, traits, *tip, min(0.115, 0.14 / max(traits.eye, 0.2)))
    return width


def _coil(canvas: Canvas, random: np.random.Generator, traits: Traits, foot: Point) -> None:
    """A disc with a spiral seam."""
    radius = random.uniform(0.48, 0.6) * (1 - 0.22 * traits.slender)
    x, y = foot[0], foot[1] - 0.86 * radius
    shell = ellipse(canvas, x, y, radius * random.uniform(0.98, 1.1), radius * random.uniform(0.9, 1.05))
    canvas.paint(shell, "shell", traits.body, traits.low, traits.high, edge=1.4)
    turns, start = random.uniform(1.3, 1.8), random.uniform(0.2, 1.2)
    steps = [number / 14 for number in range(15)]
    seam = [_polar((x, y), start - math.tau * turns * t, radius * (0.95 - 0.85 * t)) for t in steps]
    inner = ellipse(canvas, x + 0.06, y - 0.02, 0.5 * radius, 0.5 * radius)
    angle = np.arctan2(canvas.y - y, canvas.x - x) / math.tau
    if traits.pattern in ("bars", "spots", "stripes"):
        ribs = bands(angle + 0.5, int(random.integers(5, 8)), 0.4, random.random()) & ~inner.mask
        canvas.mark(shell.mask & ribs, "pattern", traits.second, shift=-0.8)
    if traits.clear > 0.5:
        organ(canvas, traits, ellipse(canvas, x + 0.1, y + 0.1, 0.45 * radius, 0.35 * radius), shell)
    canvas.mark(
        line(canvas, seam).mask & shell.mask, "shell", None, max(traits.low - 2.0, 0) if traits.deep != 2 else 3.0
    )


def _spire(canvas: Canvas, random: np.random.Generator, traits: Traits, foot: Point) -> None:
    """Whorls, each smaller than the one before, towards a tip above and behind."""
    count = int(random.integers(3, 6))
    radius = random.uniform(0.38, 0.48) * (1 - 0.25 * traits.slender)
    lean = random.uniform(-1.25, -0.35)
    shrink = random.uniform(0.66, 0.76)
    x, y = foot[0] + 0.16, foot[1] - 0.8 * radius
    whorls = []
    for _ in range(count):
        whorls.append((x, y, radius))
        x, y = x + 0.95 * radius * math.sin(lean), y - 0.95 * radius * math.cos(lean)
        radius *= shrink
    for number, (x, y, radius) in reversed(list(enumerate(whorls))):
        whorl = ellipse(canvas, x, y, 1.12 * radius, 0.82 * radius, turn=lean)
        canvas.paint(whorl, "shell", traits.body, traits.low, traits.high, edge=1.6)
        canvas.mark(whorl.mask & (whorl.v < -0.6), shift=-1.5)
        if traits.pattern in ("bars", "stripes") and radius > 3 * canvas.pixel:
            canvas.mark(whorl.mask & (np.abs(whorl.v) < 0.3), "pattern", traits.second, shift=-0.8)
        if traits.clear > 0.5 and number < 2:
            organ(canvas, traits, ellipse(canvas, x, y, 0.5 * radius, 0.4 * radius), whorl)
    x, y, radius = whorls[0]
    gap = ellipse(canvas, x + 0.6 * radius, y + 0.45 * radius, 0.34 * radius, 0.24 * radius, turn=-0.6)
    canvas.mark(gap.mask, "mouth", traits.accent, max(traits.low - 1.4, 0.0))


def _cap(canvas: Canvas, random: np.random.Generator, traits: Traits, foot: Point) -> None:
    """A limpet's hat, ribbed from its tip."""
    half, tall = random.uniform(0.5, 0.62), random.uniform(0.5, 0.75)
    tip = random.uniform(0.3, 0.55)
    above = tuple(tall * share for share in (0.0, 0.3, 0.3 + tip, 1.0, 1.1 - 0.5 * tip, 0.35, 0.0))
    shell = profile(canvas, foot[0] - half, foot[0] + half, above, (0.1,), (foot[1],))
    canvas.paint(shell, "shell", traits.body, traits.low, traits.high, edge=1.4)
    angle = np.arctan2(canvas.x - foot[0], foot[1] + 0.1 - canvas.y + tall) / 1.4 + 0.5
    ribs = bands(angle, int(random.integers(5, 8)), 0.4, random.random())
    canvas.mark(shell.mask & ribs, "pattern", traits.second if traits.pattern == "bars" else None, shift=-1.0)


def _polar(at: Point, angle: float, radius: float) -> Point:
    return at[0] + radius * math.cos(angle), at[1] + radius * math.sin(angle)


SPECIES = Species("snail", "grazer", draw)
