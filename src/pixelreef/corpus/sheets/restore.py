"""A sheet as its artist had it: one pixel per cell of the grid, colours without noise, nothing behind the sprites."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats
from pixelreef.core.images import Picture
from pixelreef.core.palette import Palette
from pixelreef.corpus.sheets.background import Background, background_mask, cleared, find_background, has_colour
from pixelreef.corpus.sheets.jpeg import SIDE, Codec, codec_from_bytes
from pixelreef.corpus.sheets.noise import consensus, found_palette, refitted, snapped
from pixelreef.corpus.sheets.options import SheetOptions
from pixelreef.corpus.sheets.scale import Scale, exact_scale, noisy_scale, unscaled
from pixelreef.corpus.sheets.synthesis import Synthesis


@dataclass(frozen=True, eq=False)
class Restored:
    """The restored picture and how it was had."""

    rgba: NDArray[np.uint8]
    """(h, w, 4), transparent where nothing is."""
    scale: Scale
    background: Background
    noisy: bool
    unsure: int = 0
    """Cells whose colour does not explain the file's pixels; 0 where the file is lossless."""


@dataclass
class SheetReport:
    """What was found out about one sheet."""

    file: str
    found: dict[str, Any] = field(default_factory=dict)
    """As JSON values: scale, background, the cut, sprites."""

    def document(self) -> dict[str, Any]:
        return {"file": self.file, **self.found}

    def line(self) -> str:
        """In one line, for a person."""
        parts = [f"{name} {_plain(value)}" for name, value in self.found.items() if value or name == "confidence"]
        return f"{self.file}: {', '.join(parts)}"


def restored(picture: Picture, data: bytes, options: SheetOptions) -> Restored:
    """Undo noise, enlargement and backdrop, each as the options say or as found."""
    lossy = picture.format == "JPEG"
    scale = options.scale or (Scale() if lossy else exact_scale(picture.rgba))
    if options.scale is None and scale.factor == 1:
        scale = noisy_scale(picture.rgba)
        lossy = lossy or scale.factor > 1
    unsure = 0
    if lossy:
        rgba, unsure = _without_noise(picture, data, scale, options)
    else:
        rgba = unscaled(picture.rgba, scale)
    background = options.background or find_background(rgba)
    mask = background_mask(rgba, background, options.enclosed, options.palette)
    return Restored(cleared(rgba, mask), scale, background, lossy, unsure)


def _without_noise(picture: Picture, data: bytes, scale: Scale, options: SheetOptions) -> tuple[NDArray[np.uint8], int]:
    rgb, codec = picture.rgba[..., :3], codec_from_bytes(data)
    means = consensus(rgb, scale, codec)
    found = found_palette(means, scale, codec)
    unsure = 0
    if options.palette is None:
        cells = snapped(rgb, means, found, scale, codec)
        colours = refitted(means, cells, found)
    else:
        colours = _with_backdrop(options.palette, found[0], codec, options.background)
        cells = snapped(rgb, means, colours, scale, codec)
        if codec is not None:
            unsure = Synthesis(rgb.astype(np.float32), cells, colours, scale, codec).run()
    opaque = np.full((*cells.shape, 1), 255, np.uint8)
    return np.concatenate([colours[cells], opaque], axis=-1), unsure


def _with_backdrop(
    palette: Palette, common: NDArray[np.uint8], codec: Codec | None, background: Background | None
) -> NDArray[np.uint8]:
    """The visible colours of the palette, and the backdrop's where the palette has none like it."""
    visible = palette.rgb[palette.opaque]
    if background is not None:
        return np.concatenate([visible, np.array(background.colours, np.uint8).reshape(-1, 3)])
    rgb = _before_loss(common, codec) if codec else common
    if has_colour(palette, (int(rgb[0]), int(rgb[1]), int(rgb[2]))):
        return visible
    return np.concatenate([visible, rgb[None]])


def _before_loss(seen: NDArray[np.uint8], codec: Codec) -> NDArray[np.uint8]:
    """The plain colour that the codec turns into the one seen; of several, the one with most channels full or empty."""
    steps = np.stack(np.meshgrid(*[np.arange(-4, 5)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    tried = np.clip(seen.astype(int) + steps, 0, 255)
    flat = np.broadcast_to(tried[:, None, None, :], (len(tried), SIDE, SIDE, 3)).reshape(-1, SIDE, 3)
    passed: Floats = codec.passed(flat).reshape(len(tried), SIDE, SIDE, 3)[:, SIDE // 2, SIDE // 2]
    error = np.abs(passed - seen).sum(axis=1)
    plain = ((tried == 0) | (tried == 255)).sum(axis=1)
    away = np.abs(steps).sum(axis=1)
    return np.asarray(tried[np.lexsort((away, -plain, error))[0]], np.uint8)


def _plain(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ("x" if all(isinstance(one, int) for one in value) else "; ").join(str(one) for one in value)
    return "yes" if value is True else str(value)
