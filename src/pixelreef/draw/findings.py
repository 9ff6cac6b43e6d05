"""What was found, as boards: coefficients beside the article's, steps, directions, repeats, pairs, costs, settings.

One small function per table. `boards` has the one board that ranks entrants; these only lay out an `Analysis`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from pixelreef.draw.analysis import Analysis, outcome, primary_failure
from pixelreef.draw.boards import Value, subject_means
from pixelreef.draw.charts import words
from pixelreef.draw.controls import flags
from pixelreef.draw.correlation import Coefficient
from pixelreef.draw.pictures import shown_reply
from pixelreef.draw.provenance import UNKNOWN
from pixelreef.draw.score import Attempt
from pixelreef.draw.sizes import parameters
from pixelreef.draw.theirs import METRICS, coefficient
from pixelreef.metrics.measure import MEASURES
from pixelreef.metrics.summary import Summary
from pixelreef.report import Board, Column, Row

MOST_FAILED = 40
"""Replies without a picture that the page lists."""
_LISTED_REPLY = 240


def p_words(p: float | None) -> str | None:
    """A p-value as it is read.

    >>> p_words(0.0312), p_words(0.00001)
    ('0.031', '<\\xa00.001')
    """
    return None if p is None else "<\u00a00.001" if p < 0.001 else f"{p:.3f}"


def coefficient_board(found: Analysis) -> Board:
    """The five published metrics: the article's coefficients beside ours."""
    columns = [
        Column("first", "Metric"),
        Column("second", "with"),
        Column("theirs", "Article", "number", 2),
        Column("ours", "Here, 95 %", "interval", 2, scale=(-1, 1)),
        Column("agrees", "The article's within our interval"),
    ]
    rows = [
        Row(
            {
                "first": words(one.first),
                "second": words(one.second),
                "theirs": coefficient(one.first, one.second),
                "ours": _spread(one),
                "agrees": _agrees(one),
            }
        )
        for one in sorted(found.published, key=lambda one: -abs(coefficient(one.first, one.second) or 0.0))
    ]
    return Board(columns, rows, "Coefficients of the five published metrics, strongest in the article first")


def hierarchy_board(found: Analysis) -> Board:
    """Three steps an entrant, each with its verdict."""
    columns = [
        Column("entrant", "Entrant"),
        Column("step", "Step"),
        Column("before", "From", "number", 2),
        Column("after", "To", "number", 2),
        Column("gap", "Change, paired", "interval", 2, scale=(-1, 1)),
        Column("p", "p"),
        Column("verdict", "Verdict"),
        Column("beyond", "Beyond the references' change", "interval", 2, scale=(-1, 1)),
    ]
    rows = [
        Row(
            {
                "entrant": one.entrant,
                "step": f"{words(step.first)} → {words(step.second)}",
                "before": step.means[0],
                "after": step.means[1],
                "gap": step.gap,
                "p": p_words(step.gap.p),
                "verdict": step.verdict,
                "beyond": step.beyond,
            }
        )
        for one in found.ladders
        for step in one.steps
    ]
    return Board(columns, rows, "Each step against the one before it, on the same subjects")


def direction_board(found: Analysis) -> Board:
    """Coherence along rows against columns."""
    columns = [
        Column("entrant", "Entrant"),
        Column("rows", "Row coherence", "interval", 2, scale=(0, 1)),
        Column("columns", "Column coherence", "interval", 2, scale=(0, 1)),
        Column("gap", "Rows − columns, paired", "interval", 2, scale=(-1, 1)),
        Column("p", "p"),
    ]
    rows = [
        Row({"entrant": one.entrant, "rows": one.rows, "columns": one.columns, "gap": one.gap, "p": p_words(one.gap.p)})
        for one in found.directions
    ]
    return Board(columns, rows, "What a cell tells of its neighbour along a row and along a column")


def encoding_board(found: Analysis) -> Board | None:
    """Encodings of one model on the same subjects; None where every model has one."""
    if not found.encodings:
        return None
    names = list(found.encodings[0].gaps)
    columns = [
        Column("model", "Model"),
        Column("pair", "Encodings"),
        *(Column(name, words(name), "interval", 2, scale=(-1, 1)) for name in names),
    ]
    rows = [
        Row({"model": one.model, "pair": f"{one.first} − {one.second}, {one.decoding}", **one.gaps})
        for one in found.encodings
    ]
    return Board(columns, rows, "Paired differences between encodings, on the subjects that both were asked for")


def diversity_board(found: Analysis) -> Board | None:
    """Repeats that are pictures of their own; None where nothing was drawn twice."""
    there = [one for one in found.diversity if one.subjects]
    if not there:
        return None
    columns = [
        Column("entrant", "Entrant"),
        Column("distinct", "Distinct", "interval", 2, scale=(0, 1), hint="of a subject's drawings, near-copies once"),
        Column("near", "Near-duplicates", "count"),
        Column("drawings", "Drawings", "count"),
        Column("subjects", "Subjects drawn twice or more", "count"),
    ]
    rows = [
        Row(
            {
                "entrant": one.entrant,
                "distinct": one.distinct,
                "near": one.near_copies,
                "drawings": one.drawings,
                "subjects": one.subjects,
            }
        )
        for one in there
    ]
    return Board(columns, rows, "Repeats at one subject", sort="distinct")


def pair_board(found: Analysis) -> Board | None:
    """Paired differences on the headline; None with fewer than two entrants."""
    if not found.pairs:
        return None
    columns = [
        Column("first", "Entrant"),
        Column("second", "against"),
        Column("gap", "Usable, paired difference", "interval", 3, scale=(-1, 1)),
        Column("p", "p, Holm"),
        Column("smallest", "Smallest difference it can show", "number", 3, hint="four times in five, at 5 %"),
    ]
    rows = [
        Row(
            {
                "first": one.first,
                "second": one.second,
                "gap": one.gap,
                "p": p_words(one.p),
                "smallest": one.gap.smallest,
            }
        )
        for one in found.pairs
    ]
    return Board(columns, rows, "Every two entrants on the headline, on the same subjects")


def cost_board(found: Analysis) -> Board:
    """Dollars per usable picture; models that cost nothing stand apart."""
    columns = [
        Column("entrant", "Entrant"),
        Column("total", "$ in all", "number", 4),
        Column("each", "$ per attempt", "number", 5, better="low"),
        Column("usable", "Usable pictures", "count"),
        Column("price", "$ per usable picture", "number", 4, better="low"),
        Column("tokens", "Output tokens per attempt", "count"),
        Column("note", "Remark"),
    ]
    rows = []
    for one in found.models:
        usable = int(sum(attempt.usable or 0 for attempt in found.entrants[one.entrant]))
        paid = one.cost if one.cost else None
        rows.append(
            Row(
                {
                    "entrant": one.entrant,
                    "total": paid,
                    "each": paid / one.asked if paid and one.asked else None,
                    "usable": usable,
                    "price": one.cost_per_usable if paid else None,
                    "tokens": one.output_tokens / one.asked if one.output_tokens and one.asked else None,
                    "note": _price(one.cost, usable),
                },
                ranked=bool(paid),
            )
        )
    return Board(columns, rows, "Cost per usable picture", sort="price")


def size_board(found: Analysis) -> Board:
    """Parameter counts where they are known."""
    columns = [
        Column("entrant", "Entrant"),
        Column("size", "Parameters"),
        Column("usable", "Usable", "interval", 2, scale=(0, 1)),
    ]
    rows = [
        Row({"entrant": one.entrant, "size": _size(parameters(one.entrant)), "usable": one.scores["usable"]})
        for one in found.models
    ]
    return Board(columns, rows, "Score against parameter count")


def settings_board(found: Analysis) -> Board:
    """Exact ids and settings."""
    names = ("entrant", "model", "encoding", "decoding", "max_tokens", "sampling", "prompts", "task", "seeds")
    columns = [Column(name, words(name).capitalize()) for name in names]
    rows = [Row({name: getattr(one, name) for name in names}) for one in found.settings]
    return Board(columns, rows, f"What the replies record; the rest is {UNKNOWN}")


def measure_board(found: Analysis) -> Board:
    """The single measures of both profiles, each under its flag: they describe, and claim no quality."""
    values: dict[str, Value] = {name: _strict(name) for name, one in MEASURES.items() if not one.claims_quality}
    lower = frozenset(name for name in values if MEASURES[name].direction == "lower")
    theirs = {f"published_{name}": _published(name) for name in ("pixel_art_quality", "overall", *METRICS)}
    values |= theirs
    warned = flags(found.attempts, values, lower)
    columns = [
        Column("entrant", "Entrant"),
        *(Column(name, words(name), "number", 2, flag=_warning(name, warned)) for name in values),
    ]
    groups = {
        **found.entrants,
        **{name: found.control(name) for name in ("reference", "uniform-noise", "shuffled-rows", "blank")},
    }
    rows = [
        Row(
            {"entrant": name, **{key: _plain_mean(mine, value) for key, value in values.items()}},
            ranked=name in found.entrants,
        )
        for name, mine in groups.items()
        if mine
    ]
    return Board(columns, rows, "Means of the single measures: strict drawings, and the published formulas as they are")


def failed_board(found: Analysis) -> tuple[Board, int]:
    """Replies that gave no picture, with their text; and how many more there are."""
    failed = [one for one in found.given if outcome(one) == "failed"]
    columns = [
        Column("entrant", "Entrant"),
        Column("subject", "Subject"),
        Column("why", "Why"),
        Column("reply", "The reply, its start"),
    ]
    rows = [
        Row(
            {
                "entrant": one.entrant,
                "subject": one.reply.item[:60],
                "why": primary_failure(one),
                "reply": shown_reply(one.reply.text or one.reply.error or "", _LISTED_REPLY),
            }
        )
        for one in _spread_out(failed)[:MOST_FAILED]
    ]
    return Board(columns, rows, "Replies that gave no picture"), max(0, len(failed) - MOST_FAILED)


def _spread_out(failed: Sequence[Attempt]) -> list[Attempt]:
    """One of each entrant and kind first, so that a cut list still shows every kind of failure."""
    seen: dict[tuple[str, str], int] = {}
    order: list[tuple[int, int]] = []
    for index, attempt in enumerate(failed):
        key = attempt.entrant, primary_failure(attempt)
        seen[key] = seen.get(key, 0) + 1
        order.append((seen[key], index))
    return [failed[index] for _, index in sorted(order)]


def _spread(one: Coefficient) -> Summary:
    return Summary(one.value, one.low, one.high, one.n, 0, one.clusters, "bootstrap over clusters", 0.95)


def _agrees(one: Coefficient) -> str:
    theirs = coefficient(one.first, one.second)
    if one.low is None or one.high is None or theirs is None:
        return "can't be said"
    return "yes" if one.low <= theirs <= one.high else "no"


def _price(cost: float | None, usable: int) -> str:
    if cost is None:
        return "price not known"
    if cost == 0:
        return "free: apart from the others"
    return "" if usable else "paid, and nothing usable"


def _size(count: float | None) -> str:
    if count is None:
        return "not known"
    return f"{count / 1e9:g} billion" if count >= 1e9 else f"{count / 1e6:g} million"


def _warning(name: str, warned: dict[str, str]) -> str:
    known = MEASURES.get(name)
    if known is not None and known.direction == "neither":
        return "Describes: neither way is better. " + warned.get(name, "")
    return warned.get(name, "")


def _strict(name: str) -> Value:
    return lambda attempt: attempt.measure(name)


def _published(name: str) -> Value:
    return lambda attempt: attempt.published.get(name) if attempt.asked else None


def _plain_mean(attempts: Sequence[Attempt], value: Value) -> float | None:
    """Each subject counts once; no interval, since none is shown."""
    means = [one for one in subject_means(attempts, value).values() if one is not None]
    return math.fsum(means) / len(means) if means else None
