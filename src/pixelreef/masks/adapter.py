"""An adapter: how one kind of model is shown an item, and what of the picture it returns is the mask.

One file each in `adapters/`. An adapter is chosen by the name of the model, or said; the pictures and the words around
them are its doing, the task and the colour code are the same for all.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from pixelreef.core.render import png_from_rgba
from pixelreef.masks.classes import Classes
from pixelreef.masks.render import Rgb

Size = tuple[int, int]


@dataclass(frozen=True)
class Adapter:
    """One kind of model."""

    name: str
    about: str
    """A sentence for people."""
    lead: Callable[[Size], str]
    """(width, height) of the photograph → what the pictures are, in words for the model."""
    pictures: Callable[[Rgb, Classes], tuple[bytes, ...]]
    """Photograph and the classes that are shown → the files that are sent, in order."""
    mask: Callable[[bytes, Size, Classes], bytes]
    """A returned file, the photograph's size and the classes that were shown → the file of the mask."""
    models: str = ""
    """An expression that finds the models it is for in their full names; none: only when said."""
    called: Callable[[str], str] = str
    """The name of a model as typed → the name that Inspect is asked by."""

    def suits(self, model: str) -> bool:
        """Whether a model is known to be of this kind."""
        return bool(self.models and re.search(self.models, model))


def photograph_and_palette(photograph: Rgb, shown: Classes) -> tuple[bytes, ...]:
    """Two files: the photograph, and the palette picture."""
    from pixelreef.masks.legend import legend_picture

    return png_from_rgba(photograph), png_from_rgba(legend_picture(shown))


def two_pictures(size: Size) -> str:
    """The lead for photograph and palette picture."""
    return (
        f"The first picture is the photograph, {size[0]} × {size[1]} pixels. The second picture is the colour code: a "
        "swatch of the colour of each class, with its name. Paint a mask of the first picture."
    )


def as_it_came(data: bytes, size: Size, shown: Classes) -> bytes:
    """The whole of a returned file is the mask."""
    return data
