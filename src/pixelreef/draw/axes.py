"""The axes of the radar, in the article's two groups, and whether any entrant leads on all of them.

All axes are of the repaired drawings: whether a reply is valid is told elsewhere. Far out is *more*, not better: edge
density and entropy describe, and noise leads on both. The question is the article's: does one entrant dominate?
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pixelreef.draw.boards import Value, paired, summary_of
from pixelreef.draw.score import Attempt
from pixelreef.metrics.summary import Summary

STRUCTURAL = ("render_success", "row_coherence", "column_coherence", "edge_density")
DISTRIBUTIONAL = ("colour_efficiency", "fill_balance", "entropy")
AXES = (*STRUCTURAL, *DISTRIBUTIONAL)


@dataclass(frozen=True)
class Shape:
    """One entrant on every axis."""

    entrant: str
    axes: Mapping[str, Summary]

    @property
    def complete(self) -> bool:
        return all(summary.mean is not None for summary in self.axes.values())


def axis_value(name: str) -> Value:
    """The value of an axis; missing, not 0, where nothing could be read."""
    return lambda attempt: attempt.repaired.get(name) if attempt.asked else None


def shape(entrant: str, attempts: Sequence[Attempt], seed: int = 0) -> Shape:
    """Means and intervals on all axes."""
    return Shape(entrant, {name: summary_of(attempts, axis_value(name), seed) for name in AXES})


def dominance(entrants: Mapping[str, Sequence[Attempt]], seed: int = 0, known: Sequence[Shape] = ()) -> str:
    """One line: whether an entrant is at least as high as every other on all axes, and how sure that is.

    `known` are the entrants' shapes, in their order, where they are at hand.
    """
    every = known or [shape(name, mine, seed) for name, mine in entrants.items()]
    shapes = {name: one for name, one in zip(entrants, every, strict=True) if one.complete}
    if len(shapes) < 2:
        return "Whether one entrant dominates can't be asked: fewer than two have drawings on every axis."
    leads = {name: sum(_leads(name, axis, shapes) for axis in AXES) for name in shapes}
    best = max(leads, key=lambda name: leads[name])
    if leads[best] < len(AXES):
        return (
            f"No entrant dominates: none of {len(shapes)} has the highest mean on all {len(AXES)} axes "
            f"({best} has it on {leads[best]})."
        )
    others = [name for name in shapes if name != best]
    sure = sum(all(_above(entrants[best], entrants[other], axis, seed) for other in others) for axis in AXES)
    return (
        f"{best} is at least as high as every other entrant on all {len(AXES)} axes; "
        f"on {sure} of them its 95 % interval against each of the others lies above 0."
    )


def _leads(name: str, axis: str, shapes: Mapping[str, Shape]) -> bool:
    own = shapes[name].axes[axis].mean or 0.0
    return all(own >= (other.axes[axis].mean or 0.0) - 1e-9 for other in shapes.values())


def _above(first: Sequence[Attempt], second: Sequence[Attempt], axis: str, seed: int) -> bool:
    low = paired(first, second, axis_value(axis), seed).low
    return low is not None and low > 0
