"""All frames of a picture file: GIF, APNG and WebP by Pillow, `.aseprite` by our own reader, stills as one frame.

A frame is as it is seen, whole: what a file leaves out because the frame before shows it already is filled in. The
number of frames and the pixels of all of them together are bounded. `images` reads the first frame only.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from PIL import Image

from pixelreef.core.aseprite import aseprite_from_bytes, looks_like_aseprite
from pixelreef.core.files import read_bytes
from pixelreef.core.frames import Animation, Still
from pixelreef.core.images import MAX_PIXELS, Picture, broken, decoded, is_animated, opened
from pixelreef.core.sprite import Sprite
from pixelreef.errors import ImageError

MAX_FRAMES = 4096
_MOVING = ("GIF", "PNG", "WEBP")  # the pages of a TIFF are no frames


def read_frames(path: str | os.PathLike[str], max_pixels: int = MAX_PIXELS) -> Animation:
    """Read all frames of a picture or an Aseprite file, known by its content."""
    return frames_from_bytes(read_bytes(path), f"image {os.fspath(path)!r}", max_pixels)


def frames_from_bytes(data: bytes, what: str = "image", max_pixels: int = MAX_PIXELS) -> Animation:
    """Read all frames from bytes; `what` names the file in errors, `max_pixels` is for all frames together."""
    if looks_like_aseprite(data):
        return aseprite_from_bytes(data, what, max_pixels)
    with opened(data, what, max_pixels) as image:
        most = min(MAX_FRAMES, max_pixels // (image.width * image.height))
        pictures = list(_pictures(image, what, most))
    first = pictures[0][0]
    notes = dict.fromkeys(note for picture, _ in pictures for note in picture.notes)
    if len(pictures) == 1:
        frames: tuple[Still, ...] = (Still(first.rgba, pictures[0][1], first.indices),)
        return Animation(first.format, first.mode, frames, first.palette, notes=tuple(notes))
    # Of several frames Pillow keeps the indices of the first alone, so they are known by their colours.
    frames = tuple(Still(picture.rgba, milliseconds) for picture, milliseconds in pictures)
    return Animation(first.format, first.mode, frames, notes=tuple(notes))


def animation_from_sprite(sprite: Sprite) -> Animation:
    """The frames of a sprite document."""
    frames = tuple(
        Still(sprite.palette.rgba[frame.grid.cells], frame.milliseconds, frame.grid.cells) for frame in sprite.frames
    )
    return Animation("sprite document", "P", frames, sprite.palette)


def _pictures(image: Image.Image, what: str, most: int) -> Iterator[tuple[Picture, int]]:
    """Each frame and its milliseconds."""
    several = is_animated(image, what)
    moving = several and image.format in _MOVING
    pages = ["several pages: the first is used"] if several and not moving else []
    start = int(moving and getattr(image, "default_image", False))  # an APNG's picture for those who can't play it
    size = image.size
    for number in range(start, start + most + 1):
        try:
            image.seek(number)
        except EOFError:
            return
        except Exception as error:  # as many kinds as for a still
            raise broken(what, error) from None
        if number == start + most:
            rule = f"have at most {most:,} frames of {size[0]} × {size[1]}"
            raise ImageError(what, rule, "more", verbatim=True)
        if image.size != size:
            raise ImageError(what, "have frames of one size", f"{size} and {image.size}", verbatim=True)
        picture = decoded(image, what, list(pages))
        duration = image.info.get("duration", 0) if moving else 0  # known to all plug-ins once a frame is decoded
        yield picture, round(min(max(duration, 0), 65_535))
        if not moving:
            return
