"""The ground floor: grids, palettes, colour, images, documents, seeds and files. Imports no other room.

Everything a user of the Python API needs from here can be imported from `pixelreef.core` itself.
"""

from pixelreef.core.animation import frames_from_bytes, read_frames
from pixelreef.core.colour import oklab_from_rgb, rgb_from_oklab
from pixelreef.core.document import json_from_sprite, read_sprite, sprite_from_json
from pixelreef.core.files import safe_name, write_bytes, write_json, write_text
from pixelreef.core.frames import Animation, Still, Tag
from pixelreef.core.grid import Grid, batch_from_grids, grids_from_batch
from pixelreef.core.images import Picture, image_from_bytes, read_image
from pixelreef.core.palette import Palette
from pixelreef.core.palette_files import palette_from_bytes, read_palette
from pixelreef.core.quantise import quantise
from pixelreef.core.ramps import Ramps, ramps_from_palette
from pixelreef.core.reef import reef_palette, reef_ramps
from pixelreef.core.render import (
    gif_from_sprite,
    png_from_channels,
    png_from_grid,
    png_from_rgba,
    png_from_sprite,
    rgba_from_grid,
)
from pixelreef.core.seeds import derive, rng
from pixelreef.core.sheet import contact_sheet
from pixelreef.core.sprite import Frame, Sprite, sprite_from_picture
from pixelreef.core.sprite_files import sprite_from_file

__all__ = [
    "Animation",
    "Frame",
    "Grid",
    "Palette",
    "Picture",
    "Ramps",
    "Sprite",
    "Still",
    "Tag",
    "batch_from_grids",
    "contact_sheet",
    "derive",
    "frames_from_bytes",
    "gif_from_sprite",
    "grids_from_batch",
    "image_from_bytes",
    "json_from_sprite",
    "oklab_from_rgb",
    "palette_from_bytes",
    "png_from_channels",
    "png_from_grid",
    "png_from_rgba",
    "png_from_sprite",
    "quantise",
    "ramps_from_palette",
    "read_frames",
    "read_image",
    "read_palette",
    "read_sprite",
    "reef_palette",
    "reef_ramps",
    "rgb_from_oklab",
    "rgba_from_grid",
    "rng",
    "safe_name",
    "sprite_from_file",
    "sprite_from_json",
    "sprite_from_picture",
    "write_bytes",
    "write_json",
    "write_text",
]
