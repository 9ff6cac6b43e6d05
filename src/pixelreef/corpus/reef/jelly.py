"""What jellies share: a bell of clear jelly, what shows inside it, tentacles and mouth arms below.

A jelly is drawn along the way it swims: +x points to the top of its bell (`swim` turns that upwards in the picture),
tentacles trail towards −x, and y runs across.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from pixelreef.corpus.reef.canvas import Canvas, Point
from pixelreef.corpus.reef.details import lights
from pixelreef.corpus.reef.patterns import skin
from pixelreef.corpus.reef.shape import Bits, Floats, Shape
from pixelreef.corpus.reef.shapes import lines, profile, stroke
from pixelreef.corpus.reef.zones import Traits

# Half-widths of a bell from its rim to its top, as shares of the widest.
DOME = (1.0, 0.99, 0.87, 0.52, 0.14)
FULL = (0.86, 1.0, 1.0, 0.68, 0.14)
FLARED = (1.0, 0.86, 0.78, 0.56, 0.14)
CONE = (1.0, 0.94, 0.66, 0.28, 0.0)
BOX = (1.0, 1.03, 1.0, 0.86, 0.14)

_THREAD = 0.05  # units: the width of a tentacle where a pixel is smaller than that


def swim(canvas: Canvas, random: np.random.Generator, traits: Traits, lean: float = 0.45) -> float:
    """Set the frame: the top of the bell upwards, leaning to either side. Gives the lean in radians."""
    tilt = random.uniform(-lean, lean)
    canvas.pose(traits.facing, tilt - math.pi / 2)
    return round(tilt, 3)


def bell(
    canvas: Canvas,
    rim: float,
    top: float,
    half: float,
    knots: Sequence[float],
    bow: float = 0.12,
    lobes: int = 0,
    notch: float = 0.0,
) -> Shape:
    """A bell between x = rim and x = top, `half` as wide: its rim bows down towards us and may hang in lobes.

    u runs from rim to top, v across.
    """
    widths = [half * knot for knot in knots]
    shape = profile(canvas, rim, top, widths, widths)
    return shape & (canvas.x >= rim + hem(shape.v, bow, lobes, notch))


def hem(v: Floats, bow: float, lobes: int, notch: float) -> Floats:
    """How far above its lowest point a rim lies at v: higher to the sides, and in the notches between the lobes."""
    v = np.minimum(np.maximum(v, -1), 1)
    rise = bow * v * v
    if not lobes:
        return np.asarray(rise)
    around = np.arcsin(v) * (lobes / math.pi)  # lobes look narrower towards the sides
    return np.asarray(rise + notch * np.abs(np.sin(around * math.pi)) ** 3)


def gel(canvas: Canvas, traits: Traits, shape: Shape, part: str = "body") -> None:
    """Paint clear jelly: lit like a ball, its far side brighter where the light comes through, and a gloss."""
    canvas.paint(shape, part, traits.body, traits.low, traits.high)
    through = shape.mask & (shape.lit < 0.3)
    canvas.mark(through, shift=0.7)
    canvas.mark(shape.mask & (shape.lit > 0.94), shift=1.0)


def inner_tones(traits: Traits) -> tuple[float, float]:
    """Steps, in shadow and in light, of what shows through a bell: darker than it, but in dark water a faint shine."""
    if traits.zone == "midnight":
        return traits.high + 0.2, traits.high + 1.2
    return max(traits.low - 1.2, 0.6), traits.low + 0.8


def coat(
    canvas: Canvas, random: np.random.Generator, traits: Traits, shape: Shape, tall: float, wide: float
) -> dict[str, Any]:
    """The animal's pattern on a bell: rings, ribs, spots, or dark above and bright below."""
    if traits.pattern == "countershading":
        shape = Shape(shape.mask, shape.lit, shape.v, 1 - 2 * shape.u)
    return skin(canvas, random, traits, shape, tall, wide)


def trim(canvas: Canvas, traits: Traits, shape: Shape, rim: float, edge: Floats, ramp: int, shift: float) -> None:
    """A band of two pixels along a rim, as the hem lies."""
    wide = max(0.08, 1.6 * canvas.pixel)
    canvas.mark(shape.mask & (canvas.x < rim + edge + wide), "pattern", ramp, shift=shift)


def roots(half: float, count: int, inset: float = 0.9) -> list[float]:
    """Places across a bell from which tentacles hang, evenly, the outermost at `inset` of its half-width."""
    if count == 1:
        return [0.0]
    return [half * inset * (2 * i / (count - 1) - 1) for i in range(count)]


def tentacles(
    canvas: Canvas,
    random: np.random.Generator,
    traits: Traits,
    places: Sequence[Point],
    length: float,
    ramp: int,
    *,
    sway: float = 0.0,
    spread: float = 0.25,
    wave: float = 0.07,
    waves: float = 1.2,
    uneven: float = 0.3,
    width: float = _THREAD,
) -> None:
    """Threads that trail from the places, waving together; every second one lies behind and is darker."""
    phase = random.uniform(0, 2 * math.pi)
    threads = []
    for number, (x, y) in enumerate(places):
        reach = length * (1 - uneven * random.random())
        late = phase + 0.55 * number
        threads.append(_thread((x, y), reach, spread * y, sway, wave, (waves, late)))
    if canvas.size < 24:
        threads = threads[:: 2 if len(threads) > 3 else 1]
    tone = thread_tone(traits)
    for start, shift in ((1, -1.0), (0, 0.0)):
        lay(canvas, threads[start::2], ramp, tone + shift, width)


def thread_tone(traits: Traits) -> float:
    """The step of a thread: light enough to be seen in the zone's water."""
    return {"shallows": 4.6, "twilight": 3.6, "midnight": 3.0, "abyss": 3.6, "hadal": 5.2}[traits.zone]


def frill(
    canvas: Canvas,
    points: Sequence[Point],
    thick: float,
    ramp: int,
    low: float,
    high: float,
    *,
    curls: int = 4,
    part: str = "limb",
    edge: float = 0.0,
) -> Shape:
    """A mouth arm: a ribbon that swells and narrows along its way, tapering to its end."""
    widths = [thick * (1 - 0.6 * i / (2 * curls)) * (1.0 if i % 2 == 0 else 0.55) for i in range(2 * curls + 1)]
    shape = stroke(canvas, points, widths)
    canvas.paint(shape, part, ramp, low, high, edge=edge)
    return shape


def rim_lights(canvas: Canvas, traits: Traits, rim: float, half: float, bow: float, rows: int = 1) -> None:
    """Light organs along the rim, more of them where the zone has more."""
    if traits.lights < 0.15:
        return
    count = 2 + round(3 * traits.lights)
    for row in range(rows):
        across = [1.5 * (i + 0.5 + 0.5 * (row % 2)) / count - 0.75 for i in range(count)]
        up = rim + 0.14 + 0.2 * row
        lights(canvas, traits, [(up + bow * v * v, half * v * (1 - 0.12 * row)) for v in across])


def meridians(shape: Shape, count: int, share: float = 0.4, phase: float = 0.5) -> Bits:
    """Ribs from top to rim of a round bell: `count` over the half that is seen, `share` of each."""
    around = np.arcsin(np.minimum(np.maximum(shape.v, -1), 1)) * (1 / math.pi) + 0.5
    return np.asarray((around * count + phase) % 1 < share)


def _thread(
    root: Point, reach: float, apart: float, sway: float, wave: float, waves: tuple[float, float]
) -> list[Point]:
    x, y = root
    points = []
    for step in range(7):
        s = step / 6
        bend = wave * math.sin(waves[1] + 2 * math.pi * waves[0] * s) - wave * math.sin(waves[1])
        points.append((x - reach * s, y + apart * s + sway * s * s + bend * min(1.0, 1.5 * s)))
    return points


def lay(canvas: Canvas, threads: Sequence[Sequence[Point]], ramp: int, tone: float, width: float) -> None:
    """Paint threads of one pixel, or of their width where a pixel is smaller, with no outline."""
    if not threads:
        return
    if width <= 1.4 * canvas.pixel:
        canvas.paint(lines(canvas, threads), "tentacle", ramp, tone, bare=True)
        return
    for points in threads:
        canvas.paint(stroke(canvas, points, (width / 2, width / 2, width / 3)), "tentacle", ramp, tone, bare=True)
