"""A stage: one way of looking at a corpus, with a price. `judge_corpus` takes any list of them.

A higher room adds its own (a short proxy run of a model) by passing `[*STAGES, mine]`; nothing here has to know it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from pixelreef.errors import InputError
from pixelreef.taste.evidence import Evidence, Gate
from pixelreef.taste.sprites import Sprites

Progress: TypeAlias = Callable[[float], None]
"""Hears which share of a stage is done, from 0 to 1."""


class Stage(Protocol):
    """What a stage has to be."""

    @property
    def name(self) -> str: ...

    @property
    def gates(self) -> Sequence[Gate]:
        """The checks that its figures are put to."""

    def cost(self, sprites: Sprites) -> float:
        """About how many seconds it takes on two idle cores."""

    def run(self, sprites: Sprites, seed: int, progress: Progress) -> Mapping[str, Evidence]:
        """Cell → evidence, for every cell that has sprites."""


@dataclass(frozen=True)
class StageRun:
    """A stage as it was run, or was not."""

    name: str
    estimate: float
    """Seconds."""
    seconds: float | None
    """None when the budget did not allow it."""


def within_budget(stages: Sequence[Stage], sprites: Sprites, budget: float | None) -> list[Stage]:
    """Of the stages, in their order, those that fit a budget in seconds; all without one.

    They are taken in order, and one that does not fit is passed over: a later, cheaper one may fit still.
    """
    if budget is None:
        return list(stages)
    chosen, left = [], budget
    for stage in stages:
        if (price := stage.cost(sprites)) <= left:
            chosen.append(stage)
            left -= price
    if not chosen:
        least = min((stage.cost(sprites) for stage in stages), default=0.0)
        raise InputError("--budget", f"allow the cheapest stage, about {least:.0f}s", f"{budget:.0f}s", verbatim=True)
    return chosen


def seconds_from_text(text: str) -> float:
    """`90`, `90s`, `3m` or `1h` in seconds.

    >>> seconds_from_text("3m"), seconds_from_text("0.5h"), seconds_from_text("20")
    (180.0, 1800.0, 20.0)
    """
    factor = {"s": 1, "m": 60, "h": 3600}.get(text[-1:], 0)
    digits = text[:-1] if factor else text
    try:
        seconds = float(digits) * (factor or 1)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < 1e6:
        raise InputError("--budget", "be a time such as 90s, 3m or 1h", text)
    return seconds
