"""What is exported: sprites under file names that are safe and unlike, at a scale, with what is known of each.

Names and lineages come from files and are untrusted: a name becomes a file name only through `safe_name`, and of a
lineage only short plain values are handed on. A format is a function from an `Order` to the bytes of its files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from pixelreef.core.file_names import FileNames
from pixelreef.core.files import safe_name
from pixelreef.core.grid import Cells, Grid
from pixelreef.core.images import MAX_PIXELS
from pixelreef.core.render import enlarged
from pixelreef.core.sprite import Frame, Sprite
from pixelreef.errors import GridError, InputError

MAX_SPRITES = 4096
_WORD = 200  # characters of a value that is handed on
_TOLD = ("cell", "species", "seed", "number")  # of a lineage, where it has them


@dataclass(frozen=True, eq=False)
class Labelled:
    """A sprite, and which part of the creature every pixel is, where that is known."""

    sprite: Sprite
    parts: tuple[Cells, ...] = ()
    """For every frame (height, width) indices of `corpus.parts.PARTS`, 0 where nothing is; empty when not known."""

    def __post_init__(self) -> None:
        shapes = {part.shape for part in self.parts}
        if self.parts and (len(self.parts) != len(self.sprite.frames) or shapes != {self.sprite.grid.cells.shape}):
            raise GridError("parts", "be one grid a frame, as large as the sprite", sorted(shapes))


@dataclass(frozen=True, eq=False)
class Piece:
    """One sprite of an order, already at its scale."""

    name: str
    """A file name with no ending that no other piece has."""
    stems: tuple[str, ...]
    """The same for every frame: the name itself for a still, else with the frame's number."""
    sprite: Sprite
    parts: tuple[Cells, ...]
    told: Mapping[str, str | int]
    """What its lineage says in short values: cell, species, seed, number."""


@dataclass(frozen=True, eq=False)
class Order:
    """The sprites of one export."""

    name: str
    """A file name with no ending, for what holds all of them."""
    title: str
    """The same as it was given, on one line, for people."""
    scale: int
    pieces: tuple[Piece, ...]


Files = dict[str, bytes]
"""Path inside the folder of the export → content."""
Format = Callable[[Order], Files]


def order_from_sprites(sprites: Iterable[Sprite | Labelled], name: str = "", scale: int = 1) -> Order:
    """Name and enlarge the sprites; `name` is for what holds all of them, that of a lone sprite unless given."""
    given = [one if isinstance(one, Labelled) else Labelled(one) for one in sprites]
    _check(given, scale)
    title = name or (given[0].sprite.name if len(given) == 1 else "") or "sprites"
    names = FileNames("sprite")
    return Order(
        safe_name(title, "sprites"),
        plain(title),
        scale,
        tuple(_piece(one, scale, names) for one in given),
    )


def plain(text: str) -> str:
    r"""Any text on one line: no control or unassigned characters, no half of a pair, cut short.

    >>> plain("a\x00b\n<c>")
    'a b <c>'
    """
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text[: 4 * _WORD]).split())[:_WORD]


def _check(given: list[Labelled], scale: int) -> None:
    if not 1 <= len(given) <= MAX_SPRITES:
        raise InputError("sprites", f"be 1 to {MAX_SPRITES:,} in one export", len(given))
    if not 1 <= scale <= 64:
        raise InputError("scale", "be from 1 to 64", scale)
    pixels = scale**2 * sum(len(one.sprite.frames) * one.sprite.grid.cells.size for one in given)
    if pixels > MAX_PIXELS:
        todo = "Export fewer at once, or at a smaller scale."
        raise GridError("frames of all sprites", f"have at most {MAX_PIXELS:,} pixels at their scale", pixels, todo)


def _piece(one: Labelled, scale: int, names: FileNames) -> Piece:
    name = names.of(one.sprite.name, lambda name: _stems(name, len(one.sprite.frames)))
    frames = tuple(Frame(Grid(enlarged(frame.grid.cells, scale)), frame.milliseconds) for frame in one.sprite.frames)
    parts = tuple(enlarged(part, scale) for part in one.parts)
    told = {key: value for key in _TOLD if (value := _short(one.sprite.lineage.get(key))) is not None}
    return Piece(name, _stems(name, len(one.sprite.frames)), replace(one.sprite, frames=frames), parts, told)


def _short(value: object) -> str | int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if value.bit_length() < 64 else None
    return plain(value) or None if isinstance(value, str) else None


def _stems(name: str, frames: int) -> tuple[str, ...]:
    digits = len(str(frames - 1))
    return (name,) if frames == 1 else tuple(f"{name}-{number:0{digits}d}" for number in range(frames))
