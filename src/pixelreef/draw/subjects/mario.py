"""Mario, from the front: red cap, big nose and moustache, blue overalls with yellow buttons, white gloves."""

from __future__ import annotations

import numpy as np

from pixelreef.draw.drawing import Drawing
from pixelreef.draw.subject import Check, Subject, drawing_from_rows
from pixelreef.draw.vision.colours import Tone, hue_between, tones
from pixelreef.draw.vision.regions import Region, in_layer, regions
from pixelreef.draw.vision.sight import Mask, background, mask_of

REFERENCE = drawing_from_rows(
    [
        "a5dcf5",  # sky
        "e5372c",  # red
        "a3202c",  # dark red
        "f8c898",  # skin
        "dc8f5a",  # skin shade
        "44231c",  # brown
        "2f62cf",  # blue
        "20398c",  # dark blue
        "ffd84a",  # yellow
        "ffffff",  # white
    ],
    [
        "000000000000000000000000",
        "000000001111111100000000",
        "000000111199991111000000",
        "000001111991199111100000",
        "000001111199991111100000",
        "000022222222222222220000",
        "000005533333333335500000",
        "000055533333333335550000",
        "000035339533335933530000",
        "000035339544445933530000",
        "000033333444444333330000",
        "000003555544445555300000",
        "000000355555555553000000",
        "000000033333333330000000",
        "000011166111111661110000",
        "000111166111111661111000",
        "001111166666666661111100",
        "001110686666666686011100",
        "009906666666666666609900",
        "009906666666666666609900",
        "000006666667766666600000",
        "000006666700007666600000",
        "000055555000000555550000",
        "000555555000000555555000",
    ],
)

LEAST_CAP, LEAST_FACE, LEAST_OVERALLS = 10, 8, 10  # cells
LEAST_SKIN, LEAST_BLUE = 0.4, 0.6  # of all skin in the face (hands are skin too), of all blue in the overalls
MOST_ASIDE = 4.0  # columns between the middles of cap, face and overalls
LEAST_DARK = 2  # cells of moustache, eyes or hair within the face's box
DARKER = 0.2  # OKLab lightness


def red(tone: Tone) -> bool:
    """The cap's colour in light and shade."""
    return hue_between(tone, -10, 42) and tone.chroma >= 0.12 and 0.25 <= tone.lightness <= 0.75


def skin(tone: Tone) -> bool:
    """Any skin from pale to tanned."""
    return hue_between(tone, 25, 95) and 0.03 <= tone.chroma <= 0.17 and tone.lightness >= 0.6 and not red(tone)


def blue(tone: Tone) -> bool:
    """The overalls' colour in light and shade."""
    return hue_between(tone, 225, 295) and tone.chroma >= 0.07 and tone.lightness <= 0.75


def check(drawing: Drawing) -> Check:
    """From top to bottom: a red cap, a face with dark marks under it, blue overalls; all about one upright line."""
    ground = background(drawing)
    masks = [mask_of(drawing, wanted, without=ground) for wanted in (red, skin, blue)]
    found = regions(masks, least=min(LEAST_CAP, LEAST_FACE, LEAST_OVERALLS))
    caps, faces, overalls = (in_layer(found, layer) for layer in range(3))
    if not (caps and faces and overalls):
        names = [name for name, seen in zip(("red", "skin", "blue"), (caps, faces, overalls), strict=True) if not seen]
        return Check(False, f"there is no patch of {' or '.join(names)}")
    cap, face, suit = min(caps, key=lambda region: region.top), faces[0], overalls[0]
    if cap.area < LEAST_CAP or suit.area < LEAST_OVERALLS or not _stacked(cap, face, suit):
        return Check(False, "red, skin and blue do not stand above one another")
    skins, blues = np.count_nonzero(masks[1]), np.count_nonzero(masks[2])
    if face.area < LEAST_SKIN * skins or suit.area < LEAST_BLUE * blues:
        return Check(False, "skin or blue lies scattered")
    dark = _dark_within(drawing, face)
    if dark < LEAST_DARK:
        return Check(False, "the face has no dark marks: no moustache, no eyes")
    return Check(True, f"a red cap over a face with {dark} dark cells over blue overalls")


def _stacked(cap: Region, face: Region, suit: Region) -> bool:
    middles = [region.middle[1] for region in (cap, face, suit)]
    return (
        cap.bottom <= face.middle[0]
        and face.top - cap.bottom <= 4  # hair may be between them
        and cap.width >= face.width / 2
        and face.middle[0] + 3 <= suit.middle[0]
        and suit.top >= face.middle[0]
        and suit.top - face.bottom <= 6  # beard, collar or shirt may be between them
        and max(middles) - min(middles) <= MOST_ASIDE
    )


def _dark_within(drawing: Drawing, face: Region) -> int:
    """Cells in the face's box that are clearly darker than the face."""
    lightness = np.array([tone.lightness for tone in tones(drawing.palette)])[drawing.cells]
    box: Mask = lightness[face.top : face.bottom + 1, face.left : face.right + 1]
    return int(np.count_nonzero(box < box[face.mask].mean() - DARKER))


SUBJECT = Subject("mario", "Mario from Super Mario Bros", "character", REFERENCE, check)
