"""`grid-only`: the palette is given in the prompt, and the reply holds 24 strings of 24 digits."""

from __future__ import annotations

from pixelreef.draw.encodings.rows import Rows


class GridOnly(Rows):
    """24 strings of digits for a given palette."""

    name = "grid-only"
    version = 1
    keys = ("grid",)
    palette_given = True


ENCODING = GridOnly()
