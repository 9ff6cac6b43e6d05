"""What fishes share: the face, and what their zone adds to a body that is seen from the side, head at +x."""

from __future__ import annotations

import numpy as np

from pixelreef.corpus.reef.canvas import Canvas, Point
from pixelreef.corpus.reef.details import eye, glow, lights, organ, spine
from pixelreef.corpus.reef.fins import thread
from pixelreef.corpus.reef.shape import Shape
from pixelreef.corpus.reef.shapes import ellipse, fan, line
from pixelreef.corpus.reef.zones import CORAL, SLATE, Traits

# Half-heights of a body from tail to nose, as shares of the largest: full in the light, all head in the dark.
_SPINDLES = {
    "shallows": (0.22, 0.36, 0.84, 1.0, 0.82, 0.0),
    "twilight": (0.20, 0.32, 0.80, 1.0, 0.78, 0.0),
    "midnight": (0.14, 0.24, 0.55, 0.9, 1.05, 0.0),
    "abyss": (0.12, 0.2, 0.5, 0.82, 0.9, 0.0),
    "hadal": (0.06, 0.14, 0.42, 0.85, 1.1, 0.0),
}


def spindle(traits: Traits, high: float) -> tuple[float, ...]:
    """Knots of a body's half-height from tail to nose, as the zone shapes it; the young have larger heads."""
    knots = list(_SPINDLES[traits.zone])
    knots[4] *= 1.15 - 0.15 * traits.age
    return tuple(high * knot for knot in knots)


def face(
    canvas: Canvas,
    random: np.random.Generator,
    traits: Traits,
    body: Shape,
    nose: float,
    high: float,
    eye_at: Point,
    eye_radius: float = 0.115,
) -> int:
    """Gill, mouth (open as far as the zone opens it) and eye. Gives the eye's width in pixels."""
    behind = nose - 0.46
    gill = line(canvas, [(behind, -0.3 * high), (behind + 0.05, 0.1 * high), (behind, 0.5 * high)])
    canvas.mark(gill.mask & body.mask, "gill", None, shift=-1.2)
    open_mouth(canvas, traits, body, (nose, 0.16 * high), 0.12 + 0.22 * traits.gape)
    return eye(canvas, traits, *eye_at, eye_radius)


def open_mouth(canvas: Canvas, traits: Traits, body: Shape, lip: Point, deep: float) -> None:
    """A dark line from the lip backwards, or a wedge cut out of the head with a pale upper lip and a red throat."""
    x, y = lip
    if traits.gape > 0.4:
        half = 0.25 + 0.35 * traits.gape
        wedge = fan(canvas, x - deep, y, -half, half, (3 * deep,))
        teeth = fan(canvas, x - deep - 2 * canvas.pixel, y - 0.5 * canvas.pixel, -half - 0.1, -half + 0.5, (3 * deep,))
        canvas.mark(teeth.mask & body.mask & (teeth.u > 0.25), "mouth", SLATE, 4.6)
        canvas.paint(wedge & (body.mask & (wedge.u < 0.2)), "mouth", CORAL, 1)
        canvas.erase(wedge.mask & (wedge.u >= 0.2))
    else:
        slit = line(canvas, [(x + 0.02, y), (x - deep, y + 0.03)])
        canvas.mark(slit.mask & body.mask, "mouth", None, max(traits.low - 2.2, 0.0))


def photophores(canvas: Canvas, traits: Traits, body: Shape, back: float, front: float, below: float) -> None:
    """A row of light organs along the belly, and in the darkest water one along the side."""
    if traits.lights < 0.15:
        return
    count = 3 + round(3 * traits.lights)
    gap = (front - back) * 0.72 / count
    lights(canvas, traits, [(back + 0.14 + gap * i, below) for i in range(count)])
    if traits.lights > 0.8:
        lights(canvas, traits, [(back + 0.2 + gap * i, -0.1) for i in range(0, count, 2)])


def insides(canvas: Canvas, traits: Traits, body: Shape, back: float, front: float, high: float) -> None:
    """The backbone and the stomach of a clear body."""
    if traits.clear < 0.5:
        return
    spine(canvas, traits, body, [(back - 0.1, -0.05 * high), (front - 0.4, -0.1 * high)], ribs=5)
    stomach = ellipse(canvas, front - 0.42 * (front - back), 0.25 * high, 0.17, 0.38 * high)
    organ(canvas, traits, stomach, body)


def trailing(canvas: Canvas, random: np.random.Generator, traits: Traits, at_tail: Point, at_breast: Point) -> None:
    """Threads that a fish of the abyss drags, and the lure that one in three carries."""
    if traits.trail < 0.55 or traits.deep < 2:
        return
    tone = traits.high + 0.4
    reach = 0.35 * traits.trail
    sag = random.uniform(0.05, 0.25)
    x, y = at_breast
    thread(canvas, [(x, y), (x - reach, y + sag), (x - 2 * reach, y + 1.6 * sag)], "fin", traits.accent, tone)
    if random.random() < 0.5:
        x, y = at_tail
        thread(canvas, [(x, y), (x - reach, y - sag / 2), (x - 1.8 * reach, y + sag)], "tail", traits.accent, tone)


def lure(canvas: Canvas, random: np.random.Generator, traits: Traits, brow: Point, reach: float) -> None:
    """A rod from the brow with a light at its end."""
    x, y = brow
    up, forward = reach * random.uniform(0.7, 1.0), reach * random.uniform(0.6, 1.1)
    tip = (x + forward, y - up * 0.7)
    thread(canvas, [(x, y), (x + 0.35 * forward, y - up), tip], "light organ", traits.accent, traits.high)
    glow(canvas, traits, *tip, 0.07)
