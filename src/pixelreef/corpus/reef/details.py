"""The small things that make a creature: eyes, mouths, light organs, lures, what shows through a clear body.

They are set in whole pixels, never fewer than two of a colour together, so that they are clusters and not specks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from pixelreef.corpus.reef.canvas import Canvas, Labels, Point
from pixelreef.corpus.reef.shape import Shape
from pixelreef.corpus.reef.shapes import ellipse, line
from pixelreef.corpus.reef.zones import AMBER, SLATE, Traits

_WHITE, _PUPIL, _RING = 1, 2, 3


def eye(
    canvas: Canvas, traits: Traits, x: float, y: float, radius: float, part: str = "eye", look: Point = (1.0, 0.0)
) -> int:
    """An eye at a point, `radius` for a usual one; the zone makes it larger, smaller or takes it away.

    `look` is where the pupil turns, in the frame. Gives the width in pixels, 0 for none.
    """
    if traits.eye < 0.2:
        return 0
    width = max(2, round(2 * radius * traits.eye * (1.25 - 0.25 * traits.age) / canvas.pixel))
    at_x, at_y = canvas.place(x, y)
    to_x, to_y = canvas.place(x + look[0], y + look[1])
    turned = (int(np.sign(round(to_x - at_x))), int(np.sign(round(to_y - at_y))))
    left, top = round(at_x - width / 2), round(at_y - width / 2)
    dark = _tone_at(canvas, at_x, at_y) < 3
    _stamp(canvas, part, _eye_stamp(width, turned), left, top, _eye_colours(traits, dark, width))
    return width


def mouth(canvas: Canvas, points: Sequence[Point], ramp: int, tone: float = 0.0) -> None:
    """A closed mouth: a dark line on what is painted."""
    canvas.mark(line(canvas, points).mask, "mouth", ramp, tone)


def lights(canvas: Canvas, traits: Traits, points: Sequence[Point], size: float = 0.11) -> None:
    """Light organs: a bright dot of two pixels or more at each point that lies on the creature and near no other."""
    wide = max(2, round(size / canvas.pixel))
    high = max(1, wide // 2)
    label = canvas.label("light organ")
    for x, y in points:
        at_x, at_y = canvas.place(x, y)
        left, top = max(int(at_x) - wide // 2, 1), max(int(at_y), 1)
        dot = (slice(top, top + high), slice(left, left + wide))
        around = canvas.part[top - 1 : top + high + 1, left - 1 : left + wide + 1]
        if canvas.part[dot].all() and not (around == label).any():
            canvas.part[dot], canvas.ramp[dot], canvas.tone[dot] = label, traits.glow, 6


def glow(canvas: Canvas, traits: Traits, x: float, y: float, radius: float) -> None:
    """A lure: a bright ball with a halo and no outline."""
    radius = max(radius, 1.1 * canvas.pixel)
    halo = ellipse(canvas, x, y, radius + canvas.pixel, radius + canvas.pixel)
    canvas.paint(halo, "light organ", traits.glow, 3.6, bare=True)
    canvas.paint(ellipse(canvas, x, y, radius, radius), "light organ", traits.glow, 6, bare=True)


def spine(canvas: Canvas, traits: Traits, body: Shape, points: Sequence[Point], ribs: int = 0) -> None:
    """What shows through a clear body: its backbone and, every so far, a rib."""
    backbone = line(canvas, points, 0.035)
    canvas.mark(backbone.mask & body.mask, "spine", traits.body, traits.low - 1.4)
    if ribs:
        stripe = (body.u * ribs) % 1 < 0.34
        canvas.mark(body.mask & stripe & (np.abs(body.v) < 0.55) & (body.u < 0.75), None, None, shift=-0.8)


def organ(canvas: Canvas, traits: Traits, shape: Shape, within: Shape) -> None:
    """An organ that shows through a clear body."""
    inside = Shape(shape.mask & within.mask, shape.lit, shape.u, shape.v)
    canvas.paint(inside, "organ", traits.second, traits.low - 1.4, traits.low + 0.2)


def _eye_colours(traits: Traits, dark: bool, width: int) -> dict[int, tuple[int, float]]:
    """Kind of pixel → ramp and step."""
    if traits.zone == "hadal":  # a pale dot under the skin
        return {_WHITE: (SLATE, 2), _PUPIL: (SLATE, 1), _RING: (SLATE, 3)}
    if traits.zone in ("midnight", "abyss"):  # a black pupil would be lost on a dark skin, unless it has a wide ring
        ramp = traits.glow if traits.zone == "midnight" else AMBER
        pupil = (SLATE, 6.0) if width == 2 else (ramp, 3.0) if width == 3 else (SLATE, 0.0)
        return {_WHITE: (ramp, 5), _PUPIL: pupil, _RING: (SLATE, 0)}
    if width <= 2:
        return {_WHITE: (SLATE, 6 if dark else 0), _PUPIL: (SLATE, 0), _RING: (SLATE, 0)}
    white = (AMBER, 6) if traits.zone == "twilight" else (SLATE, 6)
    return {_WHITE: white, _PUPIL: (SLATE, 0), _RING: (SLATE, 1)}


@lru_cache(maxsize=512)
def _eye_stamp(width: int, turned: tuple[int, int]) -> Labels:
    """(width + 2, width + 2): a ring, a disc, and in it a pupil turned one way, with a glint on the light's side."""
    middle = np.arange(width + 2) - (width + 1) / 2
    far = middle[:, None] ** 2 + middle[None, :] ** 2
    stamp = np.zeros((width + 2, width + 2), np.uint8)
    if width >= 5:
        stamp[far <= ((width + 2) / 2) ** 2 - 0.6] = _RING
    stamp[far <= (width / 2) ** 2] = _WHITE
    pupil = (width + 1) // 2 if width > 4 else 2
    if width == 2:
        stamp[stamp > 0] = _PUPIL
        return stamp
    room = (width - pupil) / 2
    # Off the middle towards where it looks, but with white on every side if there is room; half pixels go down and
    # to the right, which leaves the side of the light free for the glint.
    off = room - 1 if room >= 1 else room
    left, top = (int(1 + room + turn * off + 0.5) for turn in turned)
    stamp[top : top + pupil, left : left + pupil][stamp[top : top + pupil, left : left + pupil] == _WHITE] = _PUPIL
    if pupil >= 3:
        glint = pupil // 3
        stamp[top : top + glint, left : left + glint] = _WHITE
    return stamp


def _stamp(
    canvas: Canvas, part: str, stamp: Labels, left: int, top: int, colours: dict[int, tuple[int, float]]
) -> None:
    """Set a stamp whose frame of one pixel lies around (left, top)."""
    height, width = stamp.shape
    top, left = top - 1, left - 1
    if min(top, left) < 0 or max(top + height, left + width) > canvas.side:
        return
    box = (slice(top, top + height), slice(left, left + width))
    for kind, (ramp, tone) in colours.items():
        mask = stamp == kind
        if kind == _RING:
            mask &= canvas.part[box] != 0
        canvas.part[box][mask] = canvas.label(part)
        canvas.ramp[box][mask] = ramp
        canvas.tone[box][mask] = tone
        canvas.bare[box][mask] = False


def _tone_at(canvas: Canvas, x: float, y: float) -> float:
    row, column = min(max(int(y), 0), canvas.side - 1), min(max(int(x), 0), canvas.side - 1)
    return float(canvas.tone[row, column])
