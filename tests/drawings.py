"""Drawings to try checks on: variants of one that mean the same, and nulls that mean nothing."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import oklab_from_rgb, rgb_from_oklab
from pixelreef.core.grid import Grid
from pixelreef.core.palette import Palette
from pixelreef.core.seeds import rng
from pixelreef.draw.drawing import SIDE, Drawing
from pixelreef.draw.vision.sight import background

NULLS = (
    "blank",
    "one colour",
    "uniform noise",
    "palette noise",
    "shuffled rows",
    "shuffled pixels",
    "random rectangles",
)


def null(kind: str, reference: Drawing, random: np.random.Generator) -> Drawing:
    cells, palette = reference.cells, reference.palette
    if kind == "blank":
        return drawing(np.zeros_like(cells), palette.rgb)
    if kind == "one colour":
        return drawing(np.full_like(cells, random.integers(len(palette))), palette.rgb)
    if kind == "uniform noise":
        colours = int(random.integers(2, 11))
        return drawing(random.integers(0, colours, cells.shape), random.integers(0, 256, (colours, 3)))
    if kind == "palette noise":
        return drawing(random.integers(0, len(palette), cells.shape), palette.rgb)
    if kind == "shuffled rows":
        return drawing(random.permutation(cells), palette.rgb)
    if kind == "shuffled pixels":
        return drawing(random.permutation(cells.ravel()).reshape(cells.shape), palette.rgb)
    assert kind == "random rectangles"
    made = np.full_like(cells, random.integers(len(palette)))
    for _ in range(random.integers(1, 12)):
        (top, left), (height, width) = random.integers(0, SIDE, 2), random.integers(1, 16, 2)
        made[top : top + height, left : left + width] = random.integers(len(palette))
    return drawing(made, palette.rgb)


def nulls(reference: Drawing, count: int, seed: int = 0) -> Iterator[tuple[str, Drawing]]:
    """The kinds in turn, but for the chance that one is the reference itself, such as rows that are all alike."""
    for number in range(count):
        kind = NULLS[number % len(NULLS)]
        made = null(kind, reference, rng(seed, "nulls", kind, number))
        if made.grid != reference.grid or made.palette != reference.palette:
            yield kind, made


def shifted(reference: Drawing, down: int, right: int) -> Drawing:
    """Moved; what comes in is the background."""
    cells = np.full_like(reference.cells, background(reference))
    cells[max(down, 0) : SIDE + min(down, 0), max(right, 0) : SIDE + min(right, 0)] = reference.cells[
        max(-down, 0) : SIDE + min(-down, 0), max(-right, 0) : SIDE + min(-right, 0)
    ]
    return drawing(cells, reference.palette.rgb)


def fits_shifted(reference: Drawing, down: int, right: int) -> bool:
    """Whether a shift pushes nothing but background over the edge."""
    lost = shifted(shifted(reference, down, right), -down, -right)
    return bool(np.array_equal(lost.cells, reference.cells))


def mirrored(reference: Drawing) -> Drawing:
    return drawing(reference.cells[:, ::-1], reference.palette.rgb)


def transposed(reference: Drawing) -> Drawing:
    return drawing(reference.cells.T, reference.palette.rgb)


def turned_round(reference: Drawing) -> Drawing:
    return drawing(reference.cells[::-1, ::-1], reference.palette.rgb)


def jittered(reference: Drawing, random: np.random.Generator, hue: float = 7.0, lightness: float = 0.03) -> Drawing:
    """Every colour moved on its own by up to so many degrees of hue and so much lightness."""
    lab = oklab_from_rgb(reference.palette.rgb)
    turn = np.deg2rad(random.uniform(-hue, hue, len(lab)))
    lab = np.stack(
        [
            lab[:, 0] + random.uniform(-lightness, lightness, len(lab)),
            lab[:, 1] * np.cos(turn) - lab[:, 2] * np.sin(turn),
            lab[:, 1] * np.sin(turn) + lab[:, 2] * np.cos(turn),
        ],
        axis=1,
    )
    return drawing(reference.cells, rgb_from_oklab(lab))


def lightened(reference: Drawing, by: float) -> Drawing:
    lab = oklab_from_rgb(reference.palette.rgb) + np.array([by, 0, 0])
    return drawing(reference.cells, rgb_from_oklab(lab))


def on_background(reference: Drawing, colour: str) -> Drawing:
    rgb = reference.palette.rgb.copy()
    rgb[background(reference)] = list(bytes.fromhex(colour))
    return drawing(reference.cells, rgb)


def permuted(reference: Drawing, random: np.random.Generator) -> Drawing:
    """The same picture with its palette in another order."""
    order = random.permutation(len(reference.palette))
    return drawing(np.argsort(order)[reference.cells], reference.palette.rgb[order])


def drawing(cells: NDArray[np.integer], rgb: NDArray[np.integer]) -> Drawing:
    return Drawing(Grid(np.ascontiguousarray(cells, np.uint8)), Palette(np.asarray(rgb, np.uint8)))
