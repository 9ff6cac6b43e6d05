"""The backdrop of a sheet made transparent: one colour, or the checkerboard that editors export for transparency.

Lines of one colour that run across the whole sheet, between cells with a backdrop of another, are cleared as well.

The rule for the backdrop's colour inside a sprite. A colour key (magenta, green, …) is transparent everywhere. White,
black and greys are common in sprites, so there only what hangs together with the backdrop outside is cleared, and
enclosed areas (the white of an eye, but also the hole of a ring) are kept; so too for a checkerboard. `--enclosed`
says otherwise. A palette that does not have the backdrop's colour settles it: no sprite can have it, so it is cleared
everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import oklab_from_rgb
from pixelreef.core.palette import Palette, rgb_from_hex
from pixelreef.corpus.colours import OPAQUE
from pixelreef.errors import InputError

Mask = NDArray[np.bool_]
Enclosed = Literal["auto", "clear", "keep"]
Kind = Literal["none", "transparent", "colour", "checkerboard"]
_CLEAR = 0.005  # share of transparent pixels from which a sheet has a transparent backdrop already
_BORDER, _OVERALL = 0.5, 0.15  # a backdrop has half of the outermost ring and some of the whole, …
_MOST = 0.4  # … or so much of the whole
_NEUTRAL = 0.04  # OKLab chroma below which a colour is black, white or grey
_SAME = 0.02  # OKLab distance below which two colours look alike
_TILES = tuple(range(1, 33))  # sides of a checkerboard's squares, in pixels


@dataclass(frozen=True)
class Background:
    """What lies behind the sprites."""

    kind: Kind
    colours: tuple[tuple[int, int, int], ...] = ()
    """None, one, or the two of a checkerboard: the first is that of the square at the top left."""
    tile: int = 0
    """The side of a checkerboard's squares."""
    ruled: tuple[int, int, int] | None = None
    """The colour of lines drawn between the cells, where it is another."""

    def __str__(self) -> str:
        names = " and ".join(bytes(colour).hex() for colour in self.colours)
        lines = f", ruled in {bytes(self.ruled).hex()}" if self.ruled else ""
        return f"{self.kind} {names}".strip() + (f", {self.tile} px" if self.tile else "") + lines


def find_background(rgba: NDArray[np.uint8]) -> Background:
    """Transparent where the file says so; else what fills the border and much of the sheet; else none.

    >>> str(find_background(np.full((9, 9, 4), 255, np.uint8)))
    'colour ffffff'
    """
    if 1 - visible(rgba).mean() >= _CLEAR:
        return Background("transparent")
    packed = packed_rgb(rgba)
    if ruled := _ruled(packed):
        return ruled
    ring = np.concatenate([packed[0], packed[-1], packed[1:-1, 0], packed[1:-1, -1]])
    colours, counts = np.unique(packed, return_counts=True)
    order = np.argsort(-counts, kind="stable")[:2]
    shares = counts[order] / packed.size
    first = int(colours[order[0]])
    on_ring = float((ring == first).mean())
    if len(order) == 2 and shares[1] > shares[0] / 2:
        board = _checkerboard(packed, first, int(colours[order[1]]))
        if board:
            return board
    if shares[0] >= _MOST or (shares[0] >= _OVERALL and on_ring >= _BORDER):
        return Background("colour", (_rgb(first),))
    return Background("none")


def background_mask(
    rgba: NDArray[np.uint8], background: Background, enclosed: Enclosed = "auto", palette: Palette | None = None
) -> Mask:
    """(H, W) where the backdrop is seen."""
    clear = ~visible(rgba)
    if not background.colours:
        return np.zeros(clear.shape, bool)
    packed = packed_rgb(rgba)
    if background.kind == "checkerboard":
        expected = np.array([_packed(colour) for colour in background.colours])[_squares(packed.shape, background.tile)]
        same = packed == expected
    else:
        same = packed == _packed(background.colours[0])
    if background.ruled:
        same = same | _lines(packed, _packed(background.ruled))
    everywhere = enclosed == "clear" or (enclosed == "auto" and _is_key(background, palette))
    return np.asarray(same & ~clear & (everywhere or _from_outside(same | clear)))


def visible(rgba: NDArray[np.uint8]) -> Mask:
    """(H, W) where something is seen: at least half opaque."""
    return np.asarray(rgba[..., 3] >= OPAQUE)


def cleared(rgba: NDArray[np.uint8], mask: Mask) -> NDArray[np.uint8]:
    """The picture with nothing where the mask is."""
    return np.where(mask[..., None], np.uint8(0), rgba)


def background_from_text(text: str) -> Background | None:
    """`auto` → None, `none` → none, six hex digits → that colour."""
    if text == "auto":
        return None
    if text == "none":
        return Background("none")
    try:
        return Background("colour", (rgb_from_hex(text.removeprefix("#")),))
    except InputError:
        raise InputError("--background", "be auto, none or six hex digits such as ff00ff", text) from None


def enclosed_from_text(text: str) -> Enclosed:
    """`auto`, `clear` or `keep`."""
    if text not in get_args(Enclosed):
        raise InputError("--enclosed", "be auto, clear or keep", text)
    return cast(Enclosed, text)


def packed_rgb(rgba: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """(H, W) one number per colour."""
    wide = rgba[..., :3].astype(np.uint32)
    return np.asarray(wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2])


def has_colour(palette: Palette, rgb: tuple[int, int, int]) -> bool:
    """Whether a visible colour of the palette looks like this one."""
    apart = palette.oklab[palette.opaque] - oklab_from_rgb(np.array(rgb, np.uint8))
    return bool(((apart**2).sum(axis=-1) < _SAME**2).any())


def _is_key(background: Background, palette: Palette | None) -> bool:
    if background.kind != "colour":
        return False
    (rgb,) = background.colours
    if palette is not None:
        return not has_colour(palette, rgb)
    return float(np.hypot(*oklab_from_rgb(np.array(rgb, np.uint8))[1:])) >= _NEUTRAL


def _from_outside(open_: Mask) -> Mask:
    """The parts of `open_` that reach the border of the sheet, neighbours counted across sides only.

    Sprites that hem in the backdrop between them would enclose it too: parts as large as the largest sprite's hole are
    never that, so every part of at least 1/200 of the sheet counts as outside as well.
    """
    from scipy import ndimage

    labels, count = ndimage.label(np.pad(open_, 1, constant_values=True))
    large = np.bincount(labels.ravel(), minlength=count + 1) >= open_.size / 200
    large[0], large[labels[0, 0]] = False, True
    return np.asarray(large[labels][1:-1, 1:-1])


def _ruled(packed: NDArray[np.uint32]) -> Background | None:
    """A backdrop cut up by lines of another colour, which fill whole rows and whole columns."""
    across = (packed == packed[:, :1]).all(axis=1)
    for colour in np.unique(packed[across, 0]):
        lines = _lines(packed, int(colour))
        between = packed[~lines]
        if not lines.any(axis=1).all() or not len(between):  # every row meets a line, since some run down
            continue
        colours, counts = np.unique(between, return_counts=True)
        first = counts.argmax()
        of_lines = int((between == colour).sum())
        if counts[first] > 2 * of_lines and counts[first] >= _OVERALL * len(between):
            return Background("colour", (_rgb(int(colours[first])),), ruled=_rgb(int(colour)))
    return None


def _lines(packed: NDArray[np.uint32], colour: int) -> Mask:
    """The rows and columns that have this colour from end to end."""
    same = packed == colour
    return np.asarray(same.all(axis=1)[:, None] | same.all(axis=0)[None, :])


def _checkerboard(packed: NDArray[np.uint32], first: int, second: int) -> Background | None:
    """The checkerboard of two colours, when nearly all of their pixels stand where it has them."""
    either = (packed == first) | (packed == second)
    if either.mean() < _OVERALL:
        return None
    for tile in _TILES:
        squares = _squares(packed.shape, tile)
        for top_left, other in ((first, second), (second, first)):
            expected = np.where(squares == 0, np.uint32(top_left), np.uint32(other))
            if (packed == expected)[either].mean() > 0.9:
                return Background("checkerboard", (_rgb(top_left), _rgb(other)), tile)
    return None


def _squares(shape: tuple[int, ...], tile: int) -> NDArray[np.intp]:
    rows, columns = np.arange(shape[0])[:, None] // tile, np.arange(shape[1])[None, :] // tile
    return np.asarray((rows + columns) % 2)


def _packed(rgb: tuple[int, int, int]) -> int:
    return rgb[0] << 16 | rgb[1] << 8 | rgb[2]


def _rgb(packed: int) -> tuple[int, int, int]:
    return packed >> 16, packed >> 8 & 255, packed & 255
