"""The sun: a round disc of warm colour, with or without rays."""

from __future__ import annotations

import numpy as np
from scipy import ndimage

from pixelreef.draw.drawing import Drawing
from pixelreef.draw.subject import Check, Subject, drawing_from_rows
from pixelreef.draw.vision.colours import Tone, hue_between
from pixelreef.draw.vision.regions import Region, largest, regions
from pixelreef.draw.vision.shapes import lie_of, opened, overlap, shape_of
from pixelreef.draw.vision.sight import Mask, background, mask_of

REFERENCE = drawing_from_rows(
    [
        "58b8ee",  # sky
        "ffd33a",  # yellow
        "f9a024",  # orange
        "fff2a6",  # glow
        "e8731c",  # deep orange
    ],
    [
        "000000000000000000000000",
        "000000000004400000000000",
        "000000000004400000000000",
        "000000000002200000000000",
        "000400000002200000004000",
        "000042000000000000240000",
        "000002200000000002200000",
        "000000000222222000000000",
        "000000002211112200000000",
        "000000022113311220000000",
        "000000021133331120000000",
        "044220021333333120022440",
        "044220021333333120022440",
        "000000021133331120000000",
        "000000022113311220000000",
        "000000002211112200000000",
        "000000000222222000000000",
        "000002200000000002200000",
        "000042000000000000240000",
        "000400000002200000004000",
        "000000000002200000000000",
        "000000000004400000000000",
        "000000000004400000000000",
        "000000000000000000000000",
    ],
)

LEAST_ACROSS = 5  # cells; below it, a star
LEAST_ROUND = 0.85  # overlap with a disc
LEAST_SHARE = 0.45  # of the warm cells in the disc; the rest may be rays
MOST_STRETCH = 1.3  # rays go all round; a ring, as Saturn's, goes one way

# The larger brush is round, so that what it leaves of a disc is a disc.
_BRUSHES = (np.ones((3, 3), bool), np.array([list("01110"), *[list("11111")] * 3, list("01110")]) == "1")


def warm(tone: Tone) -> bool:
    """From red over orange to a lemon yellow, and neither dark nor pale."""
    return hue_between(tone, 15, 118) and tone.chroma >= 0.07 and tone.lightness >= 0.5


def check(drawing: Drawing) -> Check:
    """A warm disc on a ground of another colour, with nothing across it that makes it long."""
    ground = background(drawing)
    mask = mask_of(drawing, warm, without=ground)
    whole = largest(mask)
    if whole is None or whole.area < LEAST_ACROSS**2 // 2:
        return Check(False, "there is no patch of warm colour")
    disc = _disc(whole)
    if disc is None or disc.area < LEAST_SHARE * np.count_nonzero(mask):
        return Check(False, f"the largest warm patch, {whole.width} by {whole.height}, is not round")
    things = regions([drawing.cells != ground], least=disc.area, corners=True)
    figure = next(thing for thing in things if thing.holds(whole))
    if figure.area < 2 * disc.area and lie_of(figure.mask).stretch > MOST_STRETCH:
        return Check(False, "a warm disc has something long across it")
    rays = int(np.count_nonzero(mask)) - disc.area
    return Check(True, f"a warm disc {disc.width} across, {'with' if rays > 3 else 'without'} rays")


def _disc(whole: Region) -> Region | None:
    """The region itself if it is round, or what is left of it once rays up to two or four cells thick are cut off."""
    for brush in (None, *_BRUSHES):
        core = whole if brush is None else largest(opened(whole.mask, brush))
        if core is None or min(core.width, core.height) < LEAST_ACROSS:
            return None
        if brush is not None and (whole.width < core.width + 2 or whole.height < core.height + 2):
            continue  # what was cut off is no rays but corners, or nothing
        if _is_round(core.mask) or _is_round(ndimage.binary_fill_holes(core.mask)):  # a sun's face is holes in it
            return core
    return None


def _is_round(mask: Mask) -> bool:
    return shape_of(mask) == "circle" and overlap(mask, "circle") >= LEAST_ROUND


SUBJECT = Subject("sun", "the sun", "nature", REFERENCE, check)
