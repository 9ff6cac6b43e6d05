"""The board as a LaTeX table: entrants, then controls under a rule of their own, with what the figures are."""

from __future__ import annotations

from collections.abc import Sequence

from pixelreef.masks.measures import FAILURES, PRIMARY
from pixelreef.masks.report.analysis import ACCURACY, Analysis, Entrant
from pixelreef.masks.report.boards import PRIMARY_WORDS, TITLES
from pixelreef.metrics.summary import Summary
from pixelreef.report.latex import latex_table, latex_text

_SHOWN = (ACCURACY, PRIMARY, "macro_f1_union")


def board_latex(found: Analysis) -> str:
    """A booktabs table and a sentence on how to read it."""
    head = ["entrant", *(TITLES[name] for name in _SHOWN), "share of ceiling", *FAILURES, "n"]
    numeric = [False, *[True] * (len(head) - 1)]
    groups = [[_cells(one) for one in group] for group in (found.entrants, found.controls)]
    said = f"{PRIMARY_WORDS}. Intervals: 95 %, over images. n: attempts. Below the rule: controls made from the truth."
    return f"{latex_table(head, numeric, groups)}\n{latex_text(said)}\n"


def _cells(one: Entrant) -> Sequence[str]:
    rates = [one.failures[kind].mean for kind in FAILURES]
    return [
        one.name,
        *(_spread(one.measures[name]) for name in _SHOWN),
        _spread(one.share_of_ceiling),
        *("–" if rate is None else f"{100 * rate:.1f} %" for rate in rates),
        f"{len(one.standing.attempts)}",
    ]


def _spread(one: Summary | None) -> str:
    if one is None or one.mean is None:
        return "–"
    span = "" if one.low is None or one.high is None else f" ({one.low:.3f}–{one.high:.3f})"
    return f"{one.mean:.3f}{span}"
