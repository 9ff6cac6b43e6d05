"""Entrants that are no model: the floor, the ceiling and the steps between, for every board.

    blank                   white, on a palette of white and black
    one-colour              one colour of the reference's palette
    uniform-noise           any of ten chance colours in every cell
    palette-noise           any colour of the reference's palette in every cell
    shuffled-rows           a real answer (the reference, unless answers are given) with its rows in another order
    shuffled-pixels         the same with its cells in another order
    flipped-05 … -80        the reference with so many per cent of its cells in another colour of its palette
    shifted-05 … -80        … of its cells, row by row, taken from a few columns aside
    merged-05 … -80         … of its cells in the colour of a neighbour
    reference               the subject's own reference; for a held-out subject, another layout at each attempt

A dose counts the cells *touched*: flipping changes every one of them, shifting and merging leave what is flat as it is.
The cells of a dose are among those of every higher dose of the same attempt, so a measure falls for no other reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Grid
from pixelreef.core.palette import Palette
from pixelreef.core.seeds import rng
from pixelreef.draw import heldout
from pixelreef.draw.drawing import MAX_COLOURS, SIDE, Drawing
from pixelreef.draw.subject import Subject

Cells = NDArray[np.uint8]
Random = np.random.Generator

DOSES = (5, 10, 20, 40, 80)  # per cent of the cells
REFERENCE = "reference"


class Entry(NamedTuple):
    """One drawing of one entrant."""

    entrant: str
    subject: str
    """The subject's id."""
    attempt: int
    drawing: Drawing


def blank(reference: Drawing, random: Random) -> Drawing:
    """White all over."""
    return Drawing(Grid(np.zeros((SIDE, SIDE), np.uint8)), Palette.from_hex(["ffffff", "000000"]))


def one_colour(reference: Drawing, random: Random) -> Drawing:
    """One colour of the reference all over."""
    return _with(reference, np.full((SIDE, SIDE), random.integers(len(reference.palette)), np.uint8))


def uniform_noise(reference: Drawing, random: Random) -> Drawing:
    """Ten chance colours, by chance."""
    palette = Palette(random.integers(0, 256, (MAX_COLOURS, 3), np.uint8))
    return Drawing(Grid(random.integers(0, MAX_COLOURS, (SIDE, SIDE), np.uint8)), palette)


def palette_noise(reference: Drawing, random: Random) -> Drawing:
    """The reference's colours, by chance."""
    return _with(reference, random.integers(0, len(reference.palette), (SIDE, SIDE), np.uint8))


def shuffled_rows(answer: Drawing, random: Random) -> Drawing:
    """The rows in another order."""
    return _with(answer, random.permutation(answer.cells))


def shuffled_pixels(answer: Drawing, random: Random) -> Drawing:
    """The cells in another order."""
    return _with(answer, random.permutation(answer.cells.ravel()).reshape(SIDE, SIDE))


def flipped(cells: Cells, colours: int, random: Random) -> tuple[Cells, NDArray[np.intp]]:
    """Every cell with another colour, and the order in which cells are taken."""
    step = random.integers(1, colours, cells.shape, np.uint8)
    return (cells + step) % np.uint8(colours), random.permutation(cells.size)


def shifted(cells: Cells, colours: int, random: Random) -> tuple[Cells, NDArray[np.intp]]:
    """Every row moved by 2 to 6 columns, the end coming in at the start; whole rows are taken one after another."""
    by = random.integers(2, 7, SIDE) * random.choice([-1, 1], SIDE)
    moved = cells[np.arange(SIDE)[:, None], (np.arange(SIDE) - by[:, None]) % SIDE]
    order = random.permutation(SIDE)[:, None] * SIDE + np.arange(SIDE)
    return moved, order.ravel()


def merged(cells: Cells, colours: int, random: Random) -> tuple[Cells, NDArray[np.intp]]:
    """Every cell with the colour of one of its eight neighbours (at the edge perhaps its own), taken one by one."""
    steps = np.array([(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right])
    down, right = np.moveaxis(steps[random.integers(0, len(steps), cells.shape)], -1, 0)
    row, column = np.mgrid[0:SIDE, 0:SIDE]
    taken = cells[np.clip(row + down, 0, SIDE - 1), np.clip(column + right, 0, SIDE - 1)]
    return taken, random.permutation(cells.size)


NULLS: Mapping[str, Callable[[Drawing, Random], Drawing]] = {
    "blank": blank,
    "one-colour": one_colour,
    "uniform-noise": uniform_noise,
    "palette-noise": palette_noise,
    "shuffled-rows": shuffled_rows,
    "shuffled-pixels": shuffled_pixels,
}
SHUFFLED = ("shuffled-rows", "shuffled-pixels")
DAMAGES: Mapping[str, Callable[[Cells, int, Random], tuple[Cells, NDArray[np.intp]]]] = {
    "flipped": flipped,
    "shifted": shifted,
    "merged": merged,
}


def damaged(drawing: Drawing, damage: str, dose: int, random: Random) -> Drawing:
    """A drawing with `dose` per cent of its cells damaged. With one stream's state, doses are nested."""
    cells, order = DAMAGES[damage](drawing.cells, len(drawing.palette), random)
    taken = order[: round(dose / 100 * drawing.cells.size)]
    made = drawing.cells.copy()
    made.flat[taken] = cells.flat[taken]
    return _with(drawing, made)


def entrants() -> list[str]:
    """The names of all baselines, from the floor to the ceiling.

    >>> len(entrants()), entrants()[-3:]
    (22, ['merged-40', 'merged-80', 'reference'])
    """
    return [*NULLS, *(f"{damage}-{dose:02}" for damage in DAMAGES for dose in DOSES), REFERENCE]


def baselines(
    subjects: Iterable[Subject], seed: int, attempts: int = 1, answers: Mapping[str, Drawing] | None = None
) -> Iterator[Entry]:
    """Every baseline's drawings of every subject.

    `answers` are real answers by subject id, of which rows and pixels are shuffled; without one, the reference's are.
    """
    for subject in subjects:
        for attempt in range(attempts):
            reference = _reference(subject, seed, attempt)
            answer = (answers or {}).get(subject.id, reference)
            for name, null in NULLS.items():
                random = rng(seed, "draw", "baselines", name, subject.id, attempt)
                made = null(answer if name in SHUFFLED else reference, random)
                yield Entry(name, subject.id, attempt, made)
            for damage in DAMAGES:
                for dose in DOSES:  # the same stream for every dose, so that doses are nested
                    random = rng(seed, "draw", "baselines", damage, subject.id, attempt)
                    made = damaged(reference, damage, dose, random)
                    yield Entry(f"{damage}-{dose:02}", subject.id, attempt, made)
            yield Entry(REFERENCE, subject.id, attempt, reference)


def _reference(subject: Subject, seed: int, attempt: int) -> Drawing:
    """A canonical subject has one reference; a held-out one has a layout for every attempt, its own first."""
    if not subject.specification or attempt == 0:
        return subject.reference
    return heldout.reference(subject.specification, seed + attempt)


def _with(drawing: Drawing, cells: Cells) -> Drawing:
    return Drawing(Grid(cells), drawing.palette)
