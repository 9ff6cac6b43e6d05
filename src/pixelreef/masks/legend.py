"""The palette picture: a swatch of each class with its name, as a model is shown it.

Swatches are flat and exactly of their class's colour. The same classes give the same bytes on one version of Pillow,
whose own font this is.
"""

from __future__ import annotations

import numpy as np

from pixelreef.masks.classes import Classes
from pixelreef.masks.render import Rgb

ROWS = 20  # in a column, where the height is free: 19 face classes stay in one
LINE, SWATCH, LETTERS, MARGIN = 36, (56, 28), 22, 12  # pixels: of a row, of a swatch (width, height), of the font
_PAPER, _INK, _RIM = (255, 255, 255), (0, 0, 0), (128, 128, 128)


def legend_picture(classes: Classes, height: int | None = None) -> Rgb:
    """(H, W, 3): swatches in columns, from top to bottom. With a `height` the columns are as long as it allows, and
    the picture is exactly so high unless one row needs more.
    """
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.load_default(LETTERS)
    rows = min(ROWS if height is None else max(1, (height - 2 * MARGIN) // LINE), len(classes))
    columns = -(-len(classes) // rows)
    wide = max(int(np.ceil(font.getlength(name))) for name in classes.names)
    step = SWATCH[0] + wide + 3 * MARGIN
    size = (MARGIN + columns * step, max(height or 0, 2 * MARGIN + rows * LINE))
    image = Image.new("RGB", size, _PAPER)
    draw = ImageDraw.Draw(image)
    for label, (name, colour) in enumerate(zip(classes.names, classes.rgb.tolist(), strict=True)):
        left, top = MARGIN + label // rows * step, MARGIN + label % rows * LINE
        above = top + (LINE - SWATCH[1]) // 2
        box = (left, above, left + SWATCH[0] - 1, above + SWATCH[1] - 1)
        draw.rectangle(box, fill=tuple(colour), outline=_RIM if _is_pale(colour) else None)
        draw.text((left + SWATCH[0] + MARGIN, top + LINE // 2), name, fill=_INK, font=font, anchor="lm")
    return np.asarray(image)


def _is_pale(colour: list[int]) -> bool:
    """Whether a swatch would not be seen on the paper."""
    return min(colour) > 230
