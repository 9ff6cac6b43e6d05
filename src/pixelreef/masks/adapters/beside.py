"""`beside`: models that take one picture: the photograph on the left, the palette picture on the right of it.

    photograph W × H │ gutter │ palette picture, H high

A model may return the mask alone, or the whole with the palette still beside it. The rule that tells them apart knows
only the proportions: if width : height of what came back is nearer, as a ratio, to that of the whole picture sent than
to that of the photograph, then its left part, in the photograph's share of the width, is the mask, and is written as
PNG; otherwise the file stays as it came.
"""

from __future__ import annotations

import math

import numpy as np

from pixelreef.core.images import image_from_bytes
from pixelreef.core.render import png_from_rgba
from pixelreef.errors import InputError
from pixelreef.masks.adapter import Adapter, Size
from pixelreef.masks.classes import Classes
from pixelreef.masks.legend import legend_picture
from pixelreef.masks.render import Rgb

GUTTER = 16  # pixels of white between the two


def _lead(size: Size) -> str:
    return (
        f"On the left of the picture is the photograph, {size[0]} × {size[1]} pixels. On the right is the colour code: "
        "a swatch of the colour of each class, with its name. Paint a mask of the photograph alone, without the right "
        "part."
    )


def _pictures(photograph: Rgb, shown: Classes) -> tuple[bytes, ...]:
    height, width = photograph.shape[:2]
    legend = legend_picture(shown, height)
    whole = np.full((max(height, legend.shape[0]), width + GUTTER + legend.shape[1], 3), 255, np.uint8)
    whole[:height, :width] = photograph
    whole[: legend.shape[0], width + GUTTER :] = legend
    return (png_from_rgba(whole),)


def _mask(data: bytes, size: Size, shown: Classes) -> bytes:
    try:
        picture = image_from_bytes(data, "answer")
    except InputError:  # for scoring to say
        return data
    legend = legend_picture(shown, size[1])
    whole = (size[0] + GUTTER + legend.shape[1], max(size[1], legend.shape[0]))
    came = math.log(picture.width / picture.height)
    if abs(came - math.log(whole[0] / whole[1])) >= abs(came - math.log(size[0] / size[1])):
        return data
    right = max(1, round(picture.width * size[0] / whole[0]))
    below = max(1, round(picture.height * size[1] / whole[1]))
    return png_from_rgba(picture.rgba[:below, :right])


ADAPTER = Adapter(
    name="beside",
    about="One picture: the photograph with the palette picture beside it; the palette is cut off what comes back.",
    lead=_lead,
    pictures=_pictures,
    mask=_mask,
    models=r"(?i)kontext|pix2pix|qwen-image-edit$",
)
