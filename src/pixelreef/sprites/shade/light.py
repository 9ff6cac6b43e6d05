"""How a sprite is lit: where the light stands and how much of each kind there is."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields, replace

from pixelreef.errors import InputError

_GRAIN = 100  # parts of a degree that are told apart
_HALF, _WHOLE = 180 * _GRAIN, 360 * _GRAIN


@dataclass(frozen=True)
class Light:
    """A direction, and amounts from 0 to 1; with all amounts 0 nothing changes.

    What faces the viewer keeps its colour: light and shadow are against that. The defaults come from the upper left, as
    the reef is drawn, and are small, because most sprites are lit already.
    """

    azimuth: float = 127.0
    """Where the light stands around the picture, in degrees: 0 on the right, 90 above, 180 on the left.

    Kept to a hundredth of a degree, so that the mirror image of a direction is exact.
    """
    elevation: float = 35.0
    """How far it stands before the picture, in degrees: 0 beside it, 90 at the viewer's eye."""
    light: float = 0.35
    """Lifts what is turned to the light."""
    shadow: float = 0.35
    """Lowers what is turned away."""
    occlusion: float = 0.4
    """Lowers what lies below its surroundings."""
    edges: float = 0.1
    """Lowers the outermost pixels."""
    rim: float = 0.3
    """Lifts the outermost pixels on the side away from the light, as one from behind would."""

    def __post_init__(self) -> None:
        for name in AMOUNTS:
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(name, "be from 0 to 1", getattr(self, name))
        if not 0 <= self.elevation <= 90:
            raise InputError("elevation", "be from 0 to 90 degrees", self.elevation)
        if not -3600 <= self.azimuth <= 3600:
            raise InputError("azimuth", "be an angle in degrees such as 127", self.azimuth)
        object.__setattr__(self, "azimuth", round(self.azimuth, 2))

    @property
    def direction(self) -> tuple[float, float, float]:
        """Towards the light, of length 1: x to the right, y up, z to the viewer.

        >>> Light(azimuth=0, elevation=0).direction, Light(azimuth=90, elevation=90).direction
        ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
        """
        x, y = _on_circle(round(self.azimuth * _GRAIN))
        across, z = _on_circle(round(self.elevation * _GRAIN))
        return x * across, y * across, z

    def mirrored(self) -> Light:
        """The light that a mirror shows, left for right."""
        return replace(self, azimuth=180.0 - self.azimuth)

    def turned(self, degrees: float) -> Light:
        """The light, further round the picture, against the clock."""
        return replace(self, azimuth=(self.azimuth + degrees) % 360)

    def document(self) -> dict[str, float]:
        """As JSON values."""
        return asdict(self)


AMOUNTS = tuple(field.name for field in fields(Light) if field.name not in ("azimuth", "elevation"))


def _on_circle(angle: int) -> tuple[float, float]:
    """Cosine and sine of an angle in hundredths of degrees, worked out in the first quadrant: mirrors are exact."""
    angle %= _WHOLE
    below, angle = angle > _HALF, min(angle, _WHOLE - angle)
    left, angle = angle > _HALF // 2, min(angle, _HALF - angle)
    x, y = math.cos(math.radians(angle / _GRAIN)), math.sin(math.radians(angle / _GRAIN))
    x = 0.0 if angle == _HALF // 2 else x
    return -x if left else x, -y if below else y
