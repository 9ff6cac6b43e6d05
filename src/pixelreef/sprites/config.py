"""The shape of a model: what it draws, and how large it is. Kept in the metadata of its weights.

    Config(height=32, width=32, colours=64, factors={"category": (…), "zone": (…)})

A picture is cut into square patches. Codes of pixels are the colours, then `unknown`, `filled` and `outside`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from math import gcd
from typing import Any

from pixelreef.errors import InputError, shown

MAX_SIDE = 64
MAX_COLOURS = 256
MAX_FACTORS = 8
MAX_VALUES = 256
_SQUARES = 256

EMPTY, FULL, MIXED = range(3)  # kinds of a patch, by its ground
NEVER = -1e9  # a log-odds that no sampling survives, and that float32 adds without becoming NaN
NEAR, WHOLE = 4, 3  # numbers for a pixel among what is known around a patch, and in a coarse square of all


@dataclass(frozen=True)
class Sizes:
    """Of one painter."""

    wide: int
    """Of its trunk over patches."""
    layers: int
    heads: int
    inner: int
    """The width of its network inside a patch."""
    inner_layers: int
    hidden: int
    window: int
    colour: int
    """Numbers for a code."""
    unit: int
    """Pixels that are drawn at once, side by side."""
    classes: int
    """What a unit may become."""

    @property
    def span(self) -> tuple[int, int]:
        """Height and width of the window around a unit."""
        return self.window, self.window + self.unit - 1


@dataclass(frozen=True)
class Config:
    """Everything that decides the parameters of a `reef` model."""

    height: int = 32
    width: int = 32
    colours: int = 64
    ground: int = 0
    """The colour of empty patches: the transparent one, or the commonest."""
    factors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ramps: tuple[tuple[int, int], ...] | None = None
    """(ramp, step) of each colour, for colours of one ramp to begin alike; None: each by itself."""
    patch: int = 4
    trunk_width: int = 192
    trunk_layers: int = 3
    heads: int = 6
    pixel_width: int = 192
    pixel_layers: int = 2
    pixel_hidden: int = 384
    window: int = 7
    """Pixels along a side of the neighbourhood that a pixel sees; odd."""
    colour_width: int = 16
    shape_width: int = 128
    """This and what follows: of the painter of shapes, as above of the painter of colours."""
    shape_layers: int = 3
    shape_heads: int = 4
    shape_row_width: int = 96
    shape_row_layers: int = 1
    shape_row_hidden: int = 192
    shape_window: int = 9
    shape_colour_width: int = 4

    def __post_init__(self) -> None:
        object.__setattr__(self, "factors", {name: tuple(values) for name, values in self.factors.items()})
        for name, least, most in _BOUNDS:
            if not least <= getattr(self, name) <= most:
                raise InputError(f"{name} of a model", f"be from {least} to {most}", getattr(self, name))
        if self.height % self.patch or self.width % self.patch:
            raise InputError("patch of a model", "divide height and width", self.patch)
        for heads, wide in (("heads", "trunk_width"), ("shape_heads", "shape_width")):
            if getattr(self, wide) % getattr(self, heads):
                raise InputError(f"{heads} of a model", f"divide its {wide}", getattr(self, heads))
        for window in ("window", "shape_window"):
            if getattr(self, window) % 2 == 0:
                raise InputError(f"{window} of a model", "be odd", getattr(self, window))
        if not 0 <= self.ground < self.colours:
            raise InputError("ground of a model", "be one of its colours", self.ground)
        self._check_factors()
        if self.ramps is not None and len(self.ramps) != self.colours:
            raise InputError("ramps of a model", "have one entry for each colour", len(self.ramps))

    def _check_factors(self) -> None:
        if len(self.factors) > MAX_FACTORS:
            raise InputError("model", f"have at most {MAX_FACTORS} factors", len(self.factors))
        for name, values in self.factors.items():
            if not 1 <= len(values) <= MAX_VALUES or len(set(values)) < len(values):
                raise InputError(
                    f"factor {shown(name)} of a model", f"have 1 to {MAX_VALUES} values, all different", values
                )

    @property
    def unknown(self) -> int:
        """The code of a pixel that is not known."""
        return self.colours

    @property
    def filled(self) -> int:
        """The code of a pixel that is known not to be ground, and no more."""
        return self.colours + 1

    @property
    def outside(self) -> int:
        """The code of what lies outside the picture."""
        return self.colours + 2

    @property
    def codes(self) -> int:
        """So many there are."""
        return self.colours + 3

    @property
    def coarse(self) -> int:
        """Pixels along a side of the squares in which a whole picture is seen at once: as few as 256 squares allow."""
        common = gcd(self.height, self.width)
        sides = [side for side in range(1, common + 1) if common % side == 0]
        return next((side for side in sides if self.height * self.width <= _SQUARES * side**2), common)

    @property
    def rows(self) -> int:
        """Of patches."""
        return self.height // self.patch

    @property
    def columns(self) -> int:
        """Of patches."""
        return self.width // self.patch

    @property
    def patches(self) -> int:
        """Of a picture."""
        return self.rows * self.columns

    @property
    def pixels(self) -> int:
        """Of a patch."""
        return self.patch * self.patch

    @property
    def painters(self) -> dict[str, Sizes]:
        """First shapes, row by row of a patch, then colours, pixel by pixel."""
        shape = Sizes(
            self.shape_width,
            self.shape_layers,
            self.shape_heads,
            self.shape_row_width,
            self.shape_row_layers,
            self.shape_row_hidden,
            self.shape_window,
            self.shape_colour_width,
            self.patch,
            2**self.patch,
        )
        colours = Sizes(
            self.trunk_width,
            self.trunk_layers,
            self.heads,
            self.pixel_width,
            self.pixel_layers,
            self.pixel_hidden,
            self.window,
            self.colour_width,
            1,
            self.colours,
        )
        return {"shape": shape, "colours": colours}

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        ramps = None if self.ramps is None else [list(pair) for pair in self.ramps]
        return {
            **asdict(self),
            "factors": {name: list(values) for name, values in self.factors.items()},
            "ramps": ramps,
        }


def config_from_document(document: Any) -> Config:
    """From JSON values that anybody may have written."""
    if not isinstance(document, dict) or set(document) != {one.name for one in fields(Config)}:
        raise InputError("configuration of a model", "be an object with just the known fields", document)
    values = dict(document)
    for one in fields(Config):
        if one.type == "int" and type(values[one.name]) is not int:
            raise InputError(f"{one.name} of a model", "be a whole number", values[one.name])
    values["factors"] = _factors(values["factors"])
    if values["ramps"] is not None:
        values["ramps"] = _ramps(values["ramps"])
    return Config(**values)


def _factors(found: Any) -> dict[str, tuple[str, ...]]:
    sound = isinstance(found, dict) and all(
        isinstance(values, list) and all(isinstance(value, str) for value in values) for values in found.values()
    )
    if not sound:
        raise InputError("factors of a model", "be an object of lists of text", found)
    return {str(name): tuple(values) for name, values in found.items()}


def _ramps(found: Any) -> tuple[tuple[int, int], ...]:
    sound = isinstance(found, list) and all(
        isinstance(pair, list) and len(pair) == 2 and all(type(one) is int and 0 <= one < MAX_COLOURS for one in pair)
        for pair in found
    )
    if not sound:
        raise InputError("ramps of a model", "be a list of pairs of small whole numbers", found)
    return tuple((pair[0], pair[1]) for pair in found)


_BOUNDS = (
    ("height", 1, MAX_SIDE),
    ("width", 1, MAX_SIDE),
    ("colours", 2, MAX_COLOURS),
    ("patch", 1, 8),
    ("trunk_width", 8, 1024),
    ("trunk_layers", 1, 32),
    ("heads", 1, 64),
    ("pixel_width", 8, 1024),
    ("pixel_layers", 1, 8),
    ("pixel_hidden", 8, 4096),
    ("window", 3, 15),
    ("colour_width", 1, 64),
    ("shape_width", 8, 1024),
    ("shape_layers", 1, 32),
    ("shape_heads", 1, 64),
    ("shape_row_width", 8, 1024),
    ("shape_row_layers", 1, 8),
    ("shape_row_hidden", 8, 4096),
    ("shape_window", 3, 15),
    ("shape_colour_width", 1, 64),
)
