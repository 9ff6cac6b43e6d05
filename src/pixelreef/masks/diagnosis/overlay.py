"""A diagnosis as a picture: what is right, what is wrong, and which way it lies.

Right pixels show the photograph (or the truth) in grey; pixels of a wrong class are red, of no class violet, ignored
ones dark. Borders of the truth are white. A shift or a scale is drawn as arrows from where things are to where they
were painted, a flip as the line that it mirrors in; a legend is framed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pixelreef.masks.classes import Classes
from pixelreef.masks.diagnosis.findings import Diagnosis
from pixelreef.masks.diagnosis.geometry import Move
from pixelreef.masks.render import Rgb, rgb_from_labels
from pixelreef.metrics.overlap import Labels
from pixelreef.metrics.windows import window_extremes

WRONG = (220, 50, 40)
NOTHING = (170, 60, 220)
IGNORED = (16, 16, 16)
BORDER = (255, 255, 255)
ARROW = (255, 220, 0)
_ARROWS = 4  # along a side
_SHORTEST = 1 / 32  # of the side that an arrow is drawn long, so that it can be seen


def overlay(diagnosis: Diagnosis, truth: Labels, classes: Classes, photograph: Rgb | None = None) -> Rgb:
    """(H, W, 3) bytes of the truth's size."""
    grey = _grey(rgb_from_labels(truth, classes) if photograph is None else photograph[..., :3])
    wrong = diagnosis.labels != truth
    picture = np.repeat(grey[..., None], 3, axis=2)
    for where, colour in (
        (wrong, WRONG),
        (wrong & (diagnosis.labels == classes.unknown), NOTHING),
        (truth == classes.void, IGNORED),
    ):
        picture[where] = (0.35 * picture[where] + 0.65 * np.array(colour)).astype(np.uint8)
    least, largest = window_extremes(truth, 1)
    picture[(least != largest) & (truth == largest)] = BORDER
    return _marked(picture, diagnosis)


def _grey(rgb: Rgb) -> NDArray[np.uint8]:
    """Lightness, in the middle of the range so that colours stand out."""
    light = rgb.astype(np.float32) @ np.array([0.2126, 0.7152, 0.0722], np.float32)
    return (40 + light * 0.5).astype(np.uint8)


def _marked(picture: Rgb, diagnosis: Diagnosis) -> Rgb:
    from PIL import Image, ImageDraw

    moves = [one.move for one in diagnosis.findings if one.move is not None]
    boxes = [one.box for one in diagnosis.findings if one.box is not None]
    if not moves and not boxes:
        return picture
    image = Image.fromarray(picture)
    draw = ImageDraw.Draw(image)
    height, width = picture.shape[:2]
    line = max(1, max(height, width) // 256)
    for box in boxes:
        draw.rectangle((box.left, box.top, box.right - 1, box.bottom - 1), outline=ARROW, width=2 * line)
    for move in moves[:1]:
        if 1 in move.flip:
            draw.line((width / 2, 0, width / 2, height), fill=ARROW, width=line)
        if 0 in move.flip:
            draw.line((0, height / 2, width, height / 2), fill=ARROW, width=line)
        for start, end in arrows(move, (height, width)):
            draw.line((*start, *end), fill=ARROW, width=line)
            draw.ellipse((end[0] - 2 * line, end[1] - 2 * line, end[0] + 2 * line, end[1] + 2 * line), fill=ARROW)
    return np.asarray(image)


def arrows(move: Move, shape: tuple[int, int]) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """(x, y) of starts and ends: where a thing is, and where it was painted, flips apart; short ones are drawn longer.

    >>> arrows(Move(right=100), (800, 800))[0]
    ((100.0, 100.0), (200.0, 100.0))
    """
    height, width = shape
    starts = [
        ((column + 0.5) * width / _ARROWS, (row + 0.5) * height / _ARROWS)
        for row in range(_ARROWS)
        for column in range(_ARROWS)
    ]
    drawn = []
    for x, y in starts:
        away_x = (x - width / 2) * (move.scale - 1) + move.right
        away_y = (y - height / 2) * (move.scale - 1) + move.down
        length = float(np.hypot(away_x, away_y))
        if length:
            longer = max(1.0, _SHORTEST * max(shape) / length)
            drawn.append(((x, y), (x + away_x * longer, y + away_y * longer)))
    return drawn
