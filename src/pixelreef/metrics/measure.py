"""What a measure of a drawing is: a function from a `Tally` to one number per drawing, with a label that says how to
read it.

    @measure("symmetry", direction="neither", version=1)
    def symmetry(tally: Tally) -> Floats:
        ...

in any module of this package is all that a new measure needs: `profile` finds it. Its range is 0 to 1 always.

Only a measure that ranks drawings above every null and falls with every damage may claim quality; the others describe,
and a null can tie or top them. `topped_by` names the nulls that do so by definition, for a board to show.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Literal

from pixelreef.core.colour import Floats
from pixelreef.errors import InputError
from pixelreef.metrics.tally import Tally

Direction = Literal["higher", "lower", "neither"]
Compute = Callable[[Tally], Floats]

# blank and one-colour; iid noise, of the whole palette or of the drawing's own colours; the same cells in another order
NULLS = ("blank", "one-colour", "uniform noise", "palette noise", "shuffled rows", "shuffled pixels")


@dataclass(frozen=True)
class Measure:
    """One measure: its name, how to compute it and how to read it."""

    name: str
    compute: Compute
    direction: Direction
    """Which way is better; "neither" for what only describes."""
    range: tuple[float, float]
    claims_quality: bool
    version: int
    topped_by: tuple[str, ...]
    """The nulls that by definition score as well as a good drawing, or better."""


MEASURES: dict[str, Measure] = {}
"""Every measure by name, in the order of their modules' names; full once `profile` is imported."""


def measure(
    name: str,
    *,
    direction: Direction,
    range: tuple[float, float] = (0.0, 1.0),
    claims_quality: bool = False,
    version: int = 1,
    topped_by: tuple[str, ...] = (),
) -> Callable[[Compute], Compute]:
    """Registers a function as a measure, and makes it compute once per tally: composites call their parts freely."""
    if claims_quality and (topped_by or direction != "higher"):
        raise InputError(
            f"measure {name!r}", "be better when higher, and topped by no null, to claim quality", direction
        )
    if unknown := set(topped_by) - set(NULLS):
        raise InputError(f"nulls of measure {name!r}", f"be among {', '.join(NULLS)}", sorted(unknown))

    def register(compute: Compute) -> Compute:
        @wraps(compute)
        def once(tally: Tally) -> Floats:
            if name not in tally.measured:
                tally.measured[name] = compute(tally)
            return tally.measured[name]

        known = MEASURES.get(name)
        if known is not None and known.compute.__module__ != compute.__module__:
            raise InputError("measure", f"have a name of its own; {known.compute.__module__} has one", name)
        MEASURES[name] = Measure(name, once, direction, range, claims_quality, version, topped_by)
        return once

    return register
