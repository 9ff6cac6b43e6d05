"""Looking at a palette before it is used for masks: colours twice, colours too near, colours that JPEG blurs.

A model paints a class in about its colour, a JPEG moves that further, and a decoder must still tell which was meant.
Two colours are too near when a decoder may take one for the other: in OKLab, when the distances up to which the decoder
`robust` takes a colour for that of a class meet; in sRGB, when they are nearer than twice the error that a JPEG of
quality 75 leaves in one pixel of a hundred four pixels off an edge (16 bytes, on the sheets of `survival`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats, oklab_from_rgb
from pixelreef.core.palette import MAX_COLOURS, Palette
from pixelreef.errors import PaletteError
from pixelreef.masks.classes import Classes
from pixelreef.masks.decoder import ROBUST
from pixelreef.masks.survival import QUALITIES, survival

LEAST_OKLAB = 2 * ROBUST.close
LEAST_RGB = 32.0
LEAST_SURVIVAL = 0.97
_NAMED = 5  # pairs or colours in one finding


@dataclass(frozen=True)
class Nearest:
    """The two nearest colours."""

    distance: float
    first: str
    second: str


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong; an error makes the palette useless, a warning costs points."""

    level: Literal["error", "warning"]
    text: str


@dataclass(frozen=True)
class Lint:
    """What is known of a palette."""

    names: tuple[str, ...]
    findings: tuple[Finding, ...]
    oklab: Nearest | None
    """None for a single colour."""
    rgb: Nearest | None
    survival: Mapping[int, tuple[float, ...]]
    """JPEG quality → share of the pixels of each colour that come back; colours that are there twice have one value."""

    @property
    def is_usable(self) -> bool:
        """Whether there is no error."""
        return all(finding.level != "error" for finding in self.findings)

    def record(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "usable": self.is_usable,
            "findings": [{"level": one.level, "text": one.text} for one in self.findings],
            "nearest": {"oklab": _fields(self.oklab), "rgb": _fields(self.rgb)},
            "survival": {
                str(quality): dict(zip(self.names, kept, strict=True)) for quality, kept in self.survival.items()
            },
        }


Colours = Palette | Classes | Mapping[str, tuple[int, int, int]]
"""A palette, the colours of classes, or name → colour, where a colour may be there twice."""


def lint(palette: Colours) -> Lint:
    """Everything that is known of a palette, or of the colours of classes.

    >>> found = lint(Palette.from_hex(["000000", "ff0000", "ff0000"]))
    >>> found.is_usable, found.findings[0].text
    (False, 'one colour for several classes: 1 = 2')
    """
    names, rgb = _named(palette)
    place_of = {bytes(colour): place for place, colour in reversed(list(enumerate(rgb)))}
    places = sorted(place_of.values())  # of each colour where it first stands
    own = np.array([places.index(place_of[bytes(colour)]) for colour in rgb])
    distinct, first = rgb[places], [names[place] for place in places]
    in_oklab = _distances(oklab_from_rgb(distinct, flare=ROBUST.flare))
    in_rgb = _distances(distinct.astype(np.float64))
    kept = {quality: survival(Palette(distinct), quality) for quality in QUALITIES}
    findings = [
        *_duplicates(names, own),
        *_near(first, in_oklab, LEAST_OKLAB, "in OKLab", 3),
        *_near(first, in_rgb, LEAST_RGB, "bytes in sRGB", 1),
        *(finding for quality in QUALITIES for finding in _blurred(first, kept[quality], quality)),
    ]
    return Lint(
        names,
        tuple(findings),
        _nearest(first, in_oklab),
        _nearest(first, in_rgb),
        {quality: tuple(values[own].tolist()) for quality, values in kept.items()},
    )


def _named(palette: Colours) -> tuple[tuple[str, ...], NDArray[np.uint8]]:
    """What the colours are called, and (n, 3) bytes."""
    if isinstance(palette, Palette):
        return tuple(str(index) for index in range(len(palette))), palette.rgb
    if isinstance(palette, Classes):
        palette = {one.name: one.colour for one in palette.classes if one.colour is not None}
    if not 1 <= len(palette) <= MAX_COLOURS:
        raise PaletteError("palette", f"have 1 to {MAX_COLOURS} colours to be looked at", len(palette))
    return tuple(palette), np.array(list(palette.values()), np.uint8)


def _distances(points: Floats) -> Floats:
    """(n, n), infinite on the diagonal."""
    apart = np.sqrt(((points[:, None] - points) ** 2).sum(axis=2))
    np.fill_diagonal(apart, np.inf)
    return np.asarray(apart)


def _nearest(names: Sequence[str], apart: Floats) -> Nearest | None:
    if len(names) == 1:
        return None
    first, second = sorted(divmod(int(apart.argmin()), len(names)))
    return Nearest(float(apart.min()), names[first], names[second])


def _duplicates(names: Sequence[str], own: NDArray[np.intp]) -> Iterator[Finding]:
    for colour in range(int(own.max()) + 1):
        group = [names[int(place)] for place in np.flatnonzero(own == colour)]
        if len(group) > 1:
            yield Finding("error", f"one colour for several classes: {' = '.join(group)}")


def _near(names: Sequence[str], apart: Floats, least: float, where: str, digits: int) -> Iterator[Finding]:
    near = sorted((float(apart[one, two]), int(one), int(two)) for one, two in np.argwhere(np.triu(apart < least, 1)))
    if near:
        pairs = _listed([f"{names[one]} – {names[two]} {distance:.{digits}f}" for distance, one, two in near])
        yield Finding("warning", f"{_count(len(near), 'pair')} nearer than {least:g} {where}: {pairs}")


def _blurred(names: Sequence[str], kept: Floats, quality: int) -> Iterator[Finding]:
    lost = [int(place) for place in np.argsort(kept, kind="stable") if kept[place] < LEAST_SURVIVAL]
    if lost:
        colours = _listed([f"{names[place]} {kept[place]:.3f}" for place in lost])
        yield Finding(
            "warning",
            f"{_count(len(lost), 'colour')} of which JPEG {quality} keeps less than {LEAST_SURVIVAL}: {colours}",
        )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _listed(texts: Sequence[str]) -> str:
    more = len(texts) - _NAMED
    return ", ".join(texts[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _fields(nearest: Nearest | None) -> dict[str, Any] | None:
    return None if nearest is None else {"distance": nearest.distance, "pair": [nearest.first, nearest.second]}
