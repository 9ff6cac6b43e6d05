"""Part labels for sprites that came without: told by the labeller, where a sprite is of the kind that it knows.

Frames of an idle animation carry the labels of the first one along; any others are labelled each by itself. Where the
labeller is unsure of one of them, the whole sprite has no parts.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from pixelreef.core.grid import Cells
from pixelreef.core.reef import reef_palette
from pixelreef.core.sprite import Sprite
from pixelreef.sprites.export.order import Labelled
from pixelreef.sprites.idle.motion import carried, sources
from pixelreef.sprites.parts.labeller import Labeller

# Sprites of the reef that it is sure of have 83, 86, 85 and 82 % of their pixels right with 24, 32, 48 and 64 pixels on
# a side, and 71 % with 16 (experiments/parts_by_size.py). Of somebody else's tiles it would be sure of one in eight.
SIDES = (24, 64)


def with_parts(sprites: Iterable[Labelled], labeller: Labeller) -> list[Labelled]:
    """The sprites, with parts wherever these are known or can be told."""
    return [one if one.parts else Labelled(one.sprite, _parts(one.sprite, labeller)) for one in sprites]


def fits(sprite: Sprite) -> bool:
    """Whether a sprite is like those that the labeller was fitted on: cut out, in the reef's colours, as large."""
    palette = sprite.palette
    used = np.unique([frame.grid.cells for frame in sprite.frames])
    seen = {tuple(rgba) for rgba in palette.rgba[used[used != palette.transparent]].tolist()}
    reef = {tuple(rgba) for rgba in reef_palette().rgba.tolist()}
    return (
        palette.transparent is not None and seen <= reef and all(SIDES[0] <= side <= SIDES[1] for side in sprite.size)
    )


def _parts(sprite: Sprite, labeller: Labeller) -> tuple[Cells, ...]:
    """Of every frame, or none."""
    if not fits(sprite):
        return ()
    frames = [frame.grid.cells for frame in sprite.frames]
    told = labeller.told_by(sprite)
    found = [labeller.label(cells, sprite.palette, told) for cells in frames]
    labels = [one.labels for one in found]
    assert sprite.palette.transparent is not None
    came = None if found[0].unsure else sources(frames, sprite.palette.transparent, labels[0])
    if came:
        return tuple(carried(labels[0], one, own) for one, own in zip(came, labels, strict=True))
    return () if any(one.unsure for one in found) else tuple(labels)
