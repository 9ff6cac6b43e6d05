"""A nautilus: a coiled shell with flames, a hood, an eye and a beard of many small arms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.cephalopod import arm, arm_lights, curl, gaze, siphon
from pixelreef.corpus.reef.patterns import bands
from pixelreef.corpus.reef.shapes import ellipse, fan, line
from pixelreef.corpus.reef.zones import Traits


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Arms, siphon, the soft head, shell with flames or chambers, hood, eye. The shell opens towards +x."""
    canvas.pose(traits.facing, random.uniform(-0.4, 0.4))
    size = random.uniform(0.5, 0.58) - 0.06 * traits.slender
    reach = random.uniform(0.36, 0.5) + 0.2 * traits.trail
    droop = random.uniform(-0.2, 0.8)
    siphon(canvas, traits, (0.2, 0.4), (0.42, 0.56))
    count = 5
    for number in range(count):
        at = 2 * number / (count - 1) - 1
        way = curl(
            (0.34, 0.2 + 0.22 * at), 0.15 + 0.55 * at, reach * random.uniform(0.8, 1.1), droop * (0.3 + 0.5 * at)
        )
        arm(
            canvas,
            traits,
            way,
            0.06,
            "limb",
            shade=0.5 * (number % 2),
            ramp=traits.second if traits.deep < 2 else traits.body,
        )
    head = ellipse(canvas, 0.26, 0.2, 0.24, 0.3)
    canvas.paint(head, "head", traits.body, traits.low + 0.2, traits.high)
    coil = _shell(canvas, random, traits, size)
    hood = fan(canvas, 0.16, 0.1, -1.45, 0.1, (0.3, 0.36, 0.3))
    canvas.paint(hood, "head", traits.accent, traits.low, None, edge=1.2)
    canvas.mark(hood.mask & (hood.v < 0), shift=1.0)
    arm_lights(
        canvas,
        traits,
        [(-0.16 + 0.8 * size * math.cos(a), -0.04 + 0.8 * size * math.sin(a)) for a in (1.4, 2.2, 3.0, 3.8)],
    )
    width = gaze(canvas, traits, 0.3, 0.2, 0.12, "eye", (1.0, 0.0))
    return {"view": "side", "eye pixels": width, "flames": coil, "droop": round(droop, 3)}


def _shell(canvas: Canvas, random: np.random.Generator, traits: Traits, size: float) -> int:
    """The coil: a disc, its whorl, flames on the light side, or the chambers of a clear one."""
    x, y = -0.16, -0.04
    shell = ellipse(canvas, x, y, 1.06 * size, size)
    canvas.paint(shell, "shell", traits.body, traits.low + 0.4, traits.high + 0.6)
    middle = (x + 0.2 * size, y + 0.12 * size)
    count = int(random.integers(7, 11))
    rays = fan(canvas, *middle, -math.pi, math.pi, (2 * size,))
    sweep = (rays.v + 1) / 2 + random.uniform(0.1, 0.2) * rays.u
    flames = shell.mask & bands(sweep, count, 0.42, random.random())
    reach = random.uniform(0.2, 0.5)
    if traits.clear > 0.5:
        canvas.mark(flames & (rays.u > 0.2), "organ", traits.second, traits.low - 0.6)
    else:
        canvas.mark(
            flames & (canvas.y < y + reach * size), "pattern", traits.second, shift=-2.0 if traits.deep < 2 else -1.0
        )
    whorl = ellipse(canvas, *middle, 0.34 * size, 0.3 * size)
    canvas.paint(whorl & shell.mask, "shell", traits.body, traits.low - 0.4, traits.high - 0.2, edge=1.0)
    turn = line(
        canvas,
        [
            (middle[0] + 0.3 * size, middle[1]),
            (middle[0] + 0.4 * size, y + 0.5 * size),
            (x + 0.1 * size, y + 0.72 * size),
        ],
    )
    canvas.mark(turn.mask & shell.mask, "shell", None, shift=-1.4)
    return count


SPECIES = Species("nautilus", "cephalopod", draw)
