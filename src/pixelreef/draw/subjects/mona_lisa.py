"""The Mona Lisa in a gold frame: dark hair, a calm face, folded hands, hills and water behind."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pixelreef.draw.drawing import Drawing
from pixelreef.draw.subject import Check, Subject, drawing_from_rows
from pixelreef.draw.vision.colours import Tone, hue_between, tones
from pixelreef.draw.vision.regions import Region, regions
from pixelreef.draw.vision.sight import Mask, background, mask_of

REFERENCE = drawing_from_rows(
    [
        "d8a441",  # gold
        "7c4f1e",  # frame shade
        "dcd08a",  # evening sky
        "86a06a",  # hills
        "2b1c18",  # hair
        "f2c890",  # skin
        "cb8f58",  # skin shade
        "43402a",  # dress
        "a8552f",  # lips
        "6f9a98",  # water
    ],
    [
        "000000000000000000000000",
        "011111111111111111111110",
        "012222222222222222222210",
        "012222222444444222222210",
        "012222224444444422222210",
        "012222244455554442222210",
        "012222244555555442222210",
        "012223344555555443322210",
        "012233344545545443332210",
        "012333344555555443333210",
        "013333344556655443333310",
        "013393344555555443393310",
        "013999344568865443999310",
        "019999344455554443999910",
        "019933344466664443339910",
        "013333344455554443333310",
        "013333774555555477333310",
        "013337777555555777733310",
        "013377777755557777773310",
        "013777777777777777777310",
        "017777776666666667777710",
        "017777665555556655577710",
        "011111111111111111111110",
        "000000000000000000000000",
    ],
)

LEAST_FACE = 18  # cells
FACE_ASPECT = 1.5  # a face is at most so many times as tall as wide; below that, a region is neck and chest
LEAST_EVEN = 0.75  # overlap of the face with its mirror image
LEAST_HAIR = 0.7  # of the cells beside and above the face
LEAST_DRESS = 0.4  # of the cells below the face, across twice its width
DARKER = 0.22  # OKLab lightness, against the face


def skin(tone: Tone) -> bool:
    """Any skin from pale to tanned, in a painting's yellow light too."""
    return hue_between(tone, 25, 100) and 0.02 <= tone.chroma <= 0.15 and tone.lightness >= 0.6


def check(drawing: Drawing) -> Check:
    """An upright, even face of skin with two eyes, dark hair on three sides of it and a dark dress below."""
    found = regions([mask_of(drawing, skin, without=background(drawing))], least=LEAST_FACE)
    lightness = np.array([tone.lightness for tone in tones(drawing.palette)])[drawing.cells]
    vivid = np.array([tone.chroma > 0.13 for tone in tones(drawing.palette)])[drawing.cells]
    verdict = Check(False, "there is no patch of skin")
    for region in sorted(found[:3], key=lambda region: region.top):
        verdict = _portrait(region, lightness, vivid)
        if verdict.passed:
            break
    return verdict


def _portrait(region: Region, lightness: NDArray[np.float64], vivid: Mask) -> Check:
    top, left, right = region.top, region.left, region.right
    bottom = min(region.bottom, top + round(FACE_ASPECT * region.width))
    face = region.mask[: bottom - top + 1]
    height, width = face.shape
    if width < 4 or height < width or not 3 <= left <= right <= 20 or face.mean() < 0.6:
        return Check(False, f"a patch of skin, {width} by {height}, is no upright oval")
    even = float(np.count_nonzero(face & face[:, ::-1])) / float(np.count_nonzero(face | face[:, ::-1]))
    if even < LEAST_EVEN:
        return Check(False, f"the face is {even:.0%} even")
    dark = lightness < float(lightness[top : bottom + 1, left : right + 1][face].mean()) - DARKER
    hair = dark & ~vivid
    sides = [
        hair[top : bottom + 1, left - 2 : left].mean(),
        hair[top : bottom + 1, right + 1 : right + 3].mean(),
        hair[max(top - 2, 0) : top, left : right + 1].mean() if top else 0.0,
    ]
    if min(sides) < LEAST_HAIR:
        return Check(False, f"dark hair covers {min(sides):.0%} of one side of the face")
    upper = dark[top + 1 : top + 2 + height * 2 // 3, left + 1 : right]  # eyes are inside the face
    half = upper.shape[1] // 2
    if not (upper[:, :half].any(axis=1) & upper[:, -half:].any(axis=1)).any():
        return Check(False, "the face has no two eyes on one level")
    below = dark[bottom + 1 :, max(left - width // 2, 0) : right + 1 + width // 2]
    if below.shape[0] < 3 or below.mean() < LEAST_DRESS:
        return Check(False, "there is no dark dress below the face")
    return Check(True, f"a face, {even:.0%} even, with two eyes between dark hair, over a dark dress")


SUBJECT = Subject("mona_lisa", "the Mona Lisa", "art", REFERENCE, check)
