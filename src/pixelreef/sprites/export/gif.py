"""`gif`: every sprite as an endless GIF with the sprite's own palette.

GIF counts time in hundredths of a second, and players take less than two of them for a tenth. Frames that look like
the one before become one with it that stands as long.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate, pairwise

from pixelreef.core.render import gif_from_sprite
from pixelreef.core.sprite import Sprite
from pixelreef.sprites.export.order import Files, Order

_LEAST = 2  # hundredths that every player keeps
_MOST = 65_535  # two bytes


def gif(order: Order) -> Files:
    """`NAME.gif`."""
    return {f"{piece.name}.gif": gif_from_sprite(_timed(piece.sprite)) for piece in order.pieces}


def _timed(sprite: Sprite) -> Sprite:
    times = hundredths([frame.milliseconds for frame in sprite.frames])
    frames = zip(sprite.frames, times, strict=True)
    return replace(sprite, frames=tuple(replace(frame, milliseconds=10 * time) for frame, time in frames))


def hundredths(milliseconds: list[int]) -> list[int]:
    """Times in hundredths, rounded so that the whole keeps its length: what one frame loses another gets.

    >>> hundredths([125, 125, 125, 125]), hundredths([1, 1])
    ([13, 12, 13, 12], [2, 2])
    """
    ends = [(total + 5) // 10 for total in accumulate(milliseconds, initial=0)]
    return [min(max(end - start, _LEAST), _MOST) for start, end in pairwise(ends)]
