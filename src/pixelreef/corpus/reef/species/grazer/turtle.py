"""A turtle, seen from above: a shell of plates, four flippers, a head that looks out."""

from __future__ import annotations

from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.details import eye, lights, organ
from pixelreef.corpus.reef.limbs import Limb, limbs
from pixelreef.corpus.reef.shape import Shape
from pixelreef.corpus.reef.shapes import ellipse
from pixelreef.corpus.reef.zones import Traits, pick


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Tail, flippers, head, shell. Its head is at −y, so its left is at −x."""
    canvas.pose(1, random.uniform(-1.2, 1.2))
    half = (0.5 - 0.14 * traits.slender) * random.uniform(0.92, 1.06)
    long = random.uniform(0.46, 0.54)
    sweep = random.uniform(-0.3, 0.45)
    tip = 0.22 + 0.26 * traits.slender * traits.trail
    rump = limbs(canvas, [([(0, 0.4), (random.uniform(-0.08, 0.08), long + tip)], [0.1, 0.03])])
    canvas.paint(rump, "tail", traits.accent, traits.low, traits.high - 0.4)
    for side, part in ((-1, "left limb"), (1, "right limb")):
        flippers = limbs(canvas, _flippers(random, traits, side, (half, long), sweep))
        canvas.paint(flippers, part, traits.accent, traits.low, traits.high)
        if traits.pattern in ("spots", "bars"):
            canvas.mark(flippers.mask & ((flippers.u * 3) % 1 < 0.4), shift=-1.0)
    width = _head(canvas, random, traits, long)
    shell = ellipse(canvas, 0, 0, half, long, power=random.uniform(2.0, 2.3))
    canvas.paint(shell, "shell", traits.body, traits.low, traits.high, edge=1.2)
    plates = _plates(canvas, random, traits, shell, (half, long))
    if traits.clear > 0.5:
        organ(canvas, traits, ellipse(canvas, 0, -0.05, 0.35 * half, 0.5 * long), shell)
    if traits.lights > 0.15:
        rim = [
            (0.72 * half * np.cos(a), 0.75 * long * np.sin(a))
            for a in np.linspace(0.3, 5.98, 3 + round(5 * traits.lights))
        ]
        lights(canvas, traits, [(float(x), float(y)) for x, y in rim])
    return {"shell": plates, "sweep": round(sweep, 3), "eye pixels": width, "view": "above", "pattern": "none"}


def _flippers(
    random: np.random.Generator, traits: Traits, side: int, size: tuple[float, float], sweep: float
) -> list[Limb]:
    """The long one in front and the short one behind, of one side."""
    half, long = size
    reach = random.uniform(0.42, 0.5) + 0.16 * traits.slender
    sweep += random.uniform(-0.12, 0.12)
    wide = 0.15 - 0.05 * traits.slender
    front = [
        (side * 0.6 * half, -0.55 * long),
        (side * (half + 0.5 * reach), -0.75 * long + 0.3 * sweep),
        (side * (half + 0.8 * reach), -0.2 * long + sweep),
    ]
    kick = random.uniform(-0.1, 0.15)
    rear = [(side * 0.55 * half, 0.6 * long), (side * (0.8 * half + 0.16), 0.95 * long + kick)]
    return [(front, [wide, 0.95 * wide, 0.45 * wide]), (rear, [0.8 * wide, 0.6 * wide])]


def _head(canvas: Canvas, random: np.random.Generator, traits: Traits, long: float) -> int:
    turn, out = random.uniform(-0.12, 0.12), long + 0.14 + 0.1 * traits.slender
    neck = limbs(canvas, [([(0, -0.7 * long), (turn, -out)], [0.15, 0.22])])
    canvas.paint(neck, "head", traits.accent, traits.low + 0.2, traits.high + 0.2)
    apart, look = 0.1, (0.0, -1.0)
    small = 0.068 / max(traits.eye, 0.5)  # there is no room for more than two pixels
    width = eye(canvas, traits, turn - apart, -out, small, "left eye", look)
    eye(canvas, traits, turn + apart, -out, small, "right eye", look)
    return width


def _plates(
    canvas: Canvas, random: np.random.Generator, traits: Traits, shell: Shape, size: tuple[float, float]
) -> str:
    """Seams of plates in three rows, or keels along the back, inside a rim."""
    half, long = size
    a, b = 2 * shell.u - 1, shell.v
    seam = 0.55 * canvas.pixel
    rim = a * a + b * b > random.uniform(0.66, 0.76)
    kind = pick(random, ("plates", "plates", "keels") if traits.deep < 2 else ("plates", "keels"))
    apart = random.uniform(0.34, 0.42)
    sides = np.abs(a) > apart
    if kind == "plates":
        rows = random.uniform(1.5, 2.1)
        step = (b * rows + 0.5 * sides + random.random()) % 1
        lines = (np.abs(np.abs(a) - apart) * half < seam) | (step * (long / rows) < 2 * seam)
    else:
        lines = ((np.abs(a) * random.uniform(2.0, 2.6) + 0.4) % 1) * half < 4 * seam
    canvas.mark(shell.mask & ~rim & ~sides, None, None, shift=0.4)
    canvas.mark(shell.mask & lines & ~rim, "pattern", traits.second, shift=-1.6 if traits.deep != 2 else 1.2)
    canvas.mark(shell.mask & rim, None, traits.accent if traits.deep < 2 else None, shift=-0.6)
    return kind


SPECIES = Species("turtle", "grazer", draw)
