"""Saturn: a disc and a ring that crosses it and is wider than it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pixelreef.draw.drawing import Drawing
from pixelreef.draw.subject import Check, Subject, drawing_from_rows
from pixelreef.draw.vision.regions import largest
from pixelreef.draw.vision.shapes import lie_of
from pixelreef.draw.vision.sight import background

REFERENCE = drawing_from_rows(
    [
        "0d1130",  # space
        "f9e4b0",  # pale
        "ecc27a",  # sand
        "d29a56",  # ochre
        "9c6238",  # umber
        "e9d8c8",  # ring
        "a98ca0",  # ring shade
        "ffffff",  # star
        "5a6ab0",  # faint star
    ],
    [
        "000000000000000000000000",
        "000000000000000000000700",
        "000700000000080000000000",
        "000000000000000000000000",
        "000000000000000000000000",
        "000000000033330000000000",
        "000000003333333300000000",
        "000000033333222226666600",
        "000000333222221111555660",
        "000000222221111122005560",
        "000000221111122222055600",
        "000001111122222223556000",
        "000651122222223355600000",
        "006550222223355563000000",
        "065500223355566644000000",
        "066555555666444444000000",
        "006666664444444440000000",
        "000000004444444400000000",
        "000000000044440000000000",
        "000000000000000000000000",
        "008000000000000000000000",
        "000000000000000000008000",
        "000007000000000000000000",
        "000000000000000700000000",
    ],
)

LEAST_RADIUS = 2.5
LEAST_WIDER = 1.3  # the ring's width over the disc's
LEAST_FILLED = 0.85  # of the disc's circle
LEAST_CROSSED = 0.8  # of the disc's columns, seen along the ring
LEAST_BESIDE = 3  # cells of the disc's own colours on each side of the ring
LEAST_WING = 3  # cells of the ring on each side of the disc


def check(drawing: Drawing) -> Check:
    """The largest thing on the background, seen along its long axis: a full circle, two thin wings, a band across."""
    figure = largest(drawing.cells != background(drawing), corners=True)
    if figure is None or figure.area < 30:
        return Check(False, "there is nothing large on the background")
    along, across = _axes(figure.mask)
    colours = drawing.cells[figure.top : figure.bottom + 1, figure.left : figure.right + 1][figure.mask]
    radius = _radius(along, across)
    wider = float(np.abs(along).max() + 0.5) / radius
    if radius < LEAST_RADIUS or wider < LEAST_WIDER:
        return Check(False, f"the figure is {wider:.1f} times as long as wide: no ring reaches past a disc")
    away = np.hypot(along, across)
    filled = float(np.count_nonzero(away <= radius)) / (math.pi * radius**2)
    if filled < LEAST_FILLED:
        return Check(False, f"the middle fills {min(filled, 1):.0%} of a circle: no disc")
    wing = away > radius + 0.5
    thin = np.abs(across[wing]) <= 0.75 * radius
    sides = [int(np.count_nonzero(wing & (sign * along > 0))) for sign in (1, -1)]
    if min(sides) < LEAST_WING or np.count_nonzero(thin) < 0.9 * len(thin):
        return Check(False, "what reaches past the disc is no ring on both sides of it")
    return _crossing(along, across, colours, wing, radius, wider)


def _crossing(
    along: NDArray[np.float64],
    across: NDArray[np.float64],
    colours: NDArray[np.uint8],
    wing: NDArray[np.bool_],
    radius: float,
    wider: float,
) -> Check:
    """Whether the colours of the wings run through the disc, with disc on both sides of them."""
    ring = np.isin(colours, np.unique(colours[wing]))
    inside = np.hypot(along, across) <= radius
    band = inside & ring & (np.abs(across) <= 0.75 * radius)
    near = np.abs(along) <= 0.8 * radius  # at its very ends the disc is all ring, or none
    crossed = len(np.unique(np.floor(along[band & near]))) / len(np.unique(np.floor(along[inside & near])))
    beside = [int(np.count_nonzero(inside & ~ring & (sign * across > 0))) for sign in (1, -1)]
    if crossed < LEAST_CROSSED or min(beside) < LEAST_BESIDE:
        return Check(False, f"wings stand beside a disc, but their colours cross {min(crossed, 1):.0%} of it")
    return Check(True, f"a ring crosses the disc, {wider:.1f} times as wide")


def _axes(mask: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Each cell's place along the figure's long axis and across it, from its middle."""
    lie = lie_of(mask)
    rows, columns = np.nonzero(mask)
    y, x = rows - lie.row, columns - lie.column
    cos, sin = math.cos(lie.turn), math.sin(lie.turn)
    return x * cos + y * sin, y * cos - x * sin


def _radius(along: NDArray[np.float64], across: NDArray[np.float64]) -> float:
    """Half the figure's thickness where it is thickest."""
    return float(np.ptp(across[np.abs(along) <= 2.5]) + 1) / 2 if (np.abs(along) <= 2.5).any() else 0.5


SUBJECT = Subject("saturn", "the planet Saturn with its rings", "space", REFERENCE, check)
