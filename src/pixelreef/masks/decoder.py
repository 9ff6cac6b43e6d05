"""How colours become labels: two profiles, every knob of which is recorded with the scores.

`pixelarena` is the published rule: the class whose colour is nearest in sRGB, whatever the distance; of several the
first. Every soft edge and every JPEG block then leaves pixels of classes that nobody painted.

`robust` asks what was painted. Distances are in OKLab; a colour farther than `reject` from every class is *unknown*.
Where the picture is not flat, a pixel is decided by its neighbourhood (`mend`). A picture that is not painted in a few
main colours is no mask, and one that holds a single class where the truth has several is one colour.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from pixelreef.errors import InputError

DECODER_VERSION = 1


@dataclass(frozen=True)
class Decoder:
    """Every knob of decoding. Distances `reject` and `close` are in OKLab, where black to white is 1."""

    name: str
    space: Literal["srgb", "oklab"]
    under: tuple[int, int, int] = (0, 0, 0)
    """What shows through where a prediction is transparent."""
    reject: float | None = None
    """Farther from every class than this is unknown; None: nothing is."""
    flare: float = 0.005
    """White light added to every colour before it is compared in OKLab, as a share of white. Plain OKLab has 000000
    and 030303 as far apart as two greens; with this much, the reflection of a lit room on a screen, they are 0.01."""
    close: float = 0.04
    """Up to this far a colour is taken for that of the class."""
    mend: bool = False
    """Whether pixels that are not flat are decided by their neighbourhood."""
    hard: float = 0.001
    """With at most this share of pixels not close to a class, the picture has hard edges and is not mended."""
    flat: int = 8
    """A pixel is flat when no channel varies by more bytes than this in the 3×3 pixels around it."""
    window: int = 7
    """The side of the square neighbourhood, in pixels, odd."""
    votes: int = 3
    """So many pixels of a neighbourhood must be of a class for it to be a candidate."""
    blend: float = 25.0
    """A colour no farther in sRGB bytes from the line between two neighbouring classes is a blend of them."""
    solid: float = 0.1
    """A class is kept when at least this share of its pixels lies inside it, with only its own around."""
    most_unsteady: float = 0.5
    """With more than this share of pixels not flat there are no areas to mend from."""
    least_painted: float = 0.0
    """With a smaller share of pixels in few main colours (`painted`) the picture is not a mask."""
    one_colour_fails: bool = False
    """Whether a prediction of one class counts as failed where the truth has several."""

    def __post_init__(self) -> None:
        if self.window % 2 == 0 or not 3 <= self.window <= 31:
            raise InputError("window", "be an odd number from 3 to 31", self.window)
        if self.reject is not None and (self.space != "oklab" or not self.close <= self.reject):
            raise InputError("reject", "be at least close, in OKLab", self.reject)
        if not all(0 <= share <= 1 for share in (self.flare, self.hard, self.solid, self.least_painted)):
            raise InputError("shares of a decoder", "be from 0 to 1", self)
        if self.mend and self.space != "oklab":
            raise InputError("mend", "go with distances in OKLab", self.space)

    def record(self) -> dict[str, Any]:
        """The knobs as JSON values, with the version of the rules."""
        return {"version": DECODER_VERSION, **asdict(self)}


PIXELARENA = Decoder("pixelarena", "srgb")
ROBUST = Decoder("robust", "oklab", reject=0.12, mend=True, least_painted=0.6, one_colour_fails=True)
PROFILES = {decoder.name: decoder for decoder in (ROBUST, PIXELARENA)}


def decoder(name: str) -> Decoder:
    """A profile by its name.

    >>> decoder("robust").reject
    0.12
    """
    if name not in PROFILES:
        raise InputError("decoder", f"be one of {', '.join(PROFILES)}", name)
    return PROFILES[name]
