"""Which images a page shows when it can't show all: the best, the worst, those with failures, and an even sample.

They take turns, so that however few fit, each kind has its share. An image is judged by the mean of the primary figure
over the entrants that are no controls (over all, where there is no other).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from pixelreef.masks.item import AttemptScore
from pixelreef.masks.report.analysis import Analysis, Entrant

KINDS = ("best", "worst", "failed", "sample")


@dataclass(frozen=True)
class Chosen:
    """An image, why it is shown, and its figure; None where it has none."""

    item: str
    kinds: tuple[str, ...]
    figure: float | None


def in_turns(found: Analysis) -> list[Chosen]:
    """Every image once, in the order in which they would be shown, with every kind that it was chosen as.

    A quarter of the images may be called best and a quarter worst, and at most so many that a page can show.
    """
    figures = item_figures(found.entrants or found.everyone)
    ranked = sorted((item for item in figures if figures[item] is not None), key=lambda item: -(figures[item] or 0.0))
    few = max(1, min(60, len(ranked) // 4))
    failed = failed_items(found.entrants or found.everyone)
    orders = {
        "best": ranked[:few],
        "worst": ranked[::-1][:few],
        "failed": failed,
        "sample": evenly(list(figures)),
    }
    kinds: dict[str, list[str]] = {}
    for turn in zip_longest(*orders.values()):
        for kind, item in zip(orders, turn, strict=True):
            if item is not None:
                kinds.setdefault(item, []).append(kind)
    return [Chosen(item, _kept(found_as), figures[item]) for item, found_as in kinds.items()]


def item_figures(entrants: Sequence[Entrant]) -> dict[str, float | None]:
    """Item → the mean over entrants of the primary figure."""
    each = [one.standing.by_item() for one in entrants]
    figures: dict[str, float | None] = {}
    for item in each[0]:
        values = [value for one in each if (value := one[item]) is not None]
        figures[item] = math.fsum(values) / len(values) if values else None
    return figures


def failed_items(entrants: Sequence[Entrant]) -> list[str]:
    """Items at which an attempt failed, the kinds of failure in turns."""
    by_kind: dict[str, list[str]] = {}
    for one in entrants:
        for attempt, failure in failed_attempts(one):
            by_kind.setdefault(failure, []).append(attempt.item)
    turns = zip_longest(*(by_kind[kind] for kind in sorted(by_kind)))
    return list(dict.fromkeys(item for turn in turns for item in turn if item is not None))


def failed_attempts(one: Entrant) -> list[tuple[AttemptScore, str]]:
    """The attempts of an entrant that failed, and how."""
    name = one.standing.decoders[0]
    return [(attempt, failure) for attempt in one.standing.attempts if (failure := attempt.scores[name].failure)]


def evenly(items: Sequence[str]) -> list[str]:
    """All items in an order of which every beginning is spread evenly: by the golden section.

    >>> evenly(["a", "b", "c", "d", "e"])
    ['a', 'd', 'b', 'e', 'c']
    """
    share = (math.sqrt(5) - 1) / 2
    left = dict.fromkeys(items)
    order: list[str] = []
    for step in range(len(items)):
        place = int((step * share) % 1 * len(items))
        for near in range(len(items)):
            item = items[(place + near) % len(items)]
            if item in left:
                del left[item]
                order.append(item)
                break
    return order


def counted(chosen: Sequence[Chosen]) -> Mapping[str, int]:
    """Kind → how many are shown as it."""
    return {kind: sum(kind in one.kinds for one in chosen) for kind in KINDS}


def _kept(found_as: Sequence[str]) -> tuple[str, ...]:
    """`sample` says nothing of what is shown for another reason."""
    return tuple(kind for kind in found_as if kind != "sample") or ("sample",)
