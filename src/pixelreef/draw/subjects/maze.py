"""A maze that can be walked from its entrance at the top left to its exit at the bottom right."""

from __future__ import annotations

import numpy as np

from pixelreef.draw.drawing import Drawing
from pixelreef.draw.subject import Check, Subject, drawing_from_rows
from pixelreef.draw.vision.regions import regions
from pixelreef.draw.vision.routes import shortest, turns
from pixelreef.draw.vision.sight import Mask, counts

REFERENCE = drawing_from_rows(
    [
        "f3e3b4",  # path
        "3d8f52",  # hedge
        "2a6b49",  # hedge shade
        "bfdf96",  # lawn
    ],
    [
        "330333333333333333333333",
        "310122212222222221222133",
        "310100010000000001000133",
        "310101022122012201220133",
        "310101000100010001000133",
        "310201210101210222010133",
        "310001010101010000010133",
        "312222010201022222210133",
        "310000010001000000010133",
        "310122012221012221010133",
        "310100010001010001010133",
        "310101220101010101010133",
        "310101000101010101010133",
        "312201012101022101010133",
        "310001010101000101010133",
        "310222010102210201020133",
        "310000010100010001000133",
        "310222210221022101222133",
        "310000010001000101000133",
        "312222020101022202220133",
        "310000000101000000000133",
        "322222222222222222220233",
        "333333333333333333330333",
        "333333333333333333333333",
    ],
)

LEAST_SIDE = 14  # of the walled part
CORNER = 4  # entrance and exit are floor within so many rows and columns of the walls' corners
WALL_SHARE = (0.25, 0.75)
LEAST_CLOSED = 0.75  # of each of the four outer walls
LEAST_STANDING = 0.85  # of the wall's cells in pieces of at least LEAST_PIECE: walls, not specks
LEAST_PIECE = 8
MOST_THICK = 0.45  # of the floor's cells in the middle of a 3×3 of floor, and so the wall's: corridors, not halls
LEAST_TURNS = 5
LEAST_RUN = 1.9  # mean steps between turns: a staircase through noise turns at almost every step
NEAR = 0.18  # OKLab; a colour nearer than this to the wall or the floor is a shade of it


def check(drawing: Drawing) -> Check:
    """Takes the two commonest tones as wall and floor, either way round; other colours are marks on the floor."""
    order = np.argsort(-counts(drawing), kind="stable")
    lab = drawing.palette.oklab
    first = int(order[0])
    near = np.sqrt(((lab - lab[first]) ** 2).sum(axis=1)) < NEAR
    second = next((int(index) for index in order if not near[index]), None)
    if second is None or not counts(drawing)[second]:
        return Check(False, "there is no contrast between wall and floor")
    verdicts = []
    for index in (second, first):
        wall = (np.sqrt(((lab - lab[index]) ** 2).sum(axis=1)) < NEAR)[drawing.cells]
        verdict = _walk(wall)
        if verdict.passed:
            return verdict
        verdicts.append(verdict)
    return verdicts[0]


def _walk(wall: Mask) -> Check:
    """The verdict for one choice of wall. Outside the walls' box there is no floor, so no way leads round."""
    rows, columns = np.flatnonzero(wall.any(axis=1)), np.flatnonzero(wall.any(axis=0))
    inside = wall[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    share = float(inside.mean())
    if min(inside.shape) < LEAST_SIDE or not WALL_SHARE[0] <= share <= WALL_SHARE[1]:
        return Check(False, f"walls fill {share:.0%} of {inside.shape[1]} by {inside.shape[0]} cells: no maze")
    closed = min(float(side.mean()) for side in (inside[0], inside[-1], inside[:, 0], inside[:, -1]))
    if closed < LEAST_CLOSED:
        return Check(False, f"an outer wall is {closed:.0%} closed")
    start, goal = np.zeros((2, *inside.shape), bool)
    start[:CORNER, :CORNER] = goal[-CORNER:, -CORNER:] = True
    way = shortest(~inside, start, goal)
    if not way:
        return Check(False, "no way leads from the top left to the bottom right")
    bends = turns(way)
    if bends < LEAST_TURNS or len(way) < LEAST_RUN * bends:
        return Check(False, f"the way of {len(way)} cells turns {bends} times: no corridors")
    if max(_thick(~inside), _thick(inside)) > MOST_THICK:
        return Check(False, "floor or walls lie in large patches")
    standing = sum(piece.area for piece in regions([inside], least=LEAST_PIECE))
    if standing < LEAST_STANDING * np.count_nonzero(inside):
        return Check(False, "the walls are specks")
    return Check(True, f"a way of {len(way)} cells with {bends} turns from the top left to the bottom right")


def _thick(mask: Mask) -> float:
    """The share of a mask's cells that have all eight neighbours in it."""
    columns = mask[:-2] & mask[1:-1] & mask[2:]
    return float(np.count_nonzero(columns[:, :-2] & columns[:, 1:-1] & columns[:, 2:])) / np.count_nonzero(mask)


SUBJECT = Subject(
    "maze",
    "a maze with its entrance at the top left and its exit at the bottom right",
    "abstract",
    REFERENCE,
    check,
)
