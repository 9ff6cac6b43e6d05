"""The table that a paper needs, as LaTeX, Markdown or CSV.

LaTeX and Markdown have four pieces: the scores with intervals and n, the pairs corrected by Holm, the exact model ids
and settings, and a paragraph on methods with versions and citation. CSV is one tidy table: a row per score of an
entrant and per pair, the settings and versions in columns of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pixelreef.draw.analysis import Analysis, analyse
from pixelreef.draw.baselines import NULLS, REFERENCE
from pixelreef.draw.boards import SCORES, Standing
from pixelreef.draw.cite import bibtex
from pixelreef.draw.controls import with_baselines
from pixelreef.draw.findings import p_words
from pixelreef.draw.provenance import Settings, versions
from pixelreef.draw.score import Attempt
from pixelreef.errors import InputError
from pixelreef.metrics.summary import CONFIDENCE, Summary
from pixelreef.report.latex import latex_table, latex_text
from pixelreef.report.tables import csv_table, markdown_table, markdown_text

_PERCENT = f"{100 * CONFIDENCE:.0f} %"
KINDS = ("latex", "md", "csv")
_SHOWN = {
    "usable": "usable",
    "valid": "strictly valid",
    "json_validity": "JSON validity",
    "render_success": "render success",
    "pixel_art_quality": "pixel-art quality",
    "craft": "craft",
}
_SETTINGS = ("entrant", "model", "encoding", "decoding", "max_tokens", "sampling", "prompts", "task", "seeds")


@dataclass(frozen=True)
class Table:
    """A head and groups of rows, all of plain text; the first column names, the others follow `numeric`."""

    head: Sequence[str]
    numeric: Sequence[bool]
    groups: Sequence[Sequence[Sequence[str]]]


def table_text(attempts: Sequence[Attempt], kind: str, seed: int = 0) -> str:
    """The table as `latex`, `md` or `csv`; nulls and references are added."""
    if kind not in KINDS:
        raise InputError("--table", f"be one of {', '.join(KINDS)}", kind)
    found = analyse(with_baselines(attempts, seed), seed)
    return {"latex": _latex, "md": _markdown, "csv": _csv}[kind](found)


def methods(found: Analysis) -> str:
    """How the figures came about, in one paragraph."""
    named = versions()
    asked = sum(attempt.asked for attempt in found.given)
    flagged = ", ".join(_SHOWN.get(name, name) for name in found.flags if name in _SHOWN)
    return (
        f"{len(found.models)} entrants made {asked:,} attempts ({found.suite}). A reply is read strictly, to the "
        "letter of its encoding's contract. Usable, the headline fixed in advance, is the share of attempts that are "
        "strictly valid and pass their subject's check; attempts without a strict drawing score 0 on render success, "
        f"pixel-art quality and craft. Means give each subject the same weight; intervals are {_PERCENT}, over "
        "subjects (Student's t under 20, BCa bootstrap from 20 on, Wilson for a share of 0 or 1 throughout). Pairs are "
        "compared by paired differences over subjects (t-test under 20 subjects, sign flips from 20 on), p-values "
        "corrected by Holm for all pairs; the smallest difference is the one shown with a power of 0.8 at 5 %. Nulls "
        "and references stand beside the entrants"
        + (f"; they show that {flagged} alone say nothing of quality" if flagged else "")
        + f". Pixelreef {named['pixelreef']}, metrics version {named['metrics']}, published formulas version "
        f"{named['published']}, seed {found.seed}."
    )


def score_table(found: Analysis) -> Table:
    """Entrants, then nulls and references: n, and each score with its interval."""
    head = ["entrant", "n", "subjects", *_SHOWN.values()]
    beside = [one for one in found.standings if one.control in {*NULLS, REFERENCE}]
    return Table(head, [False, *[True] * (len(head) - 1)], [_ranked(found.models), [_scores(one) for one in beside]])


def pair_table(found: Analysis) -> Table:
    """Every two entrants on the headline."""
    head = ["first", "second", "usable, first − second", "subjects", "p, Holm", "smallest difference"]
    rows = [
        [one.first, one.second, interval(one.gap), str(one.gap.n), p_words(one.p) or "–", _figure(one.gap.smallest)]
        for one in found.pairs
    ]
    return Table(head, [False, False, True, True, True, True], [rows])


def settings_table(found: Analysis) -> Table:
    """Exact ids and settings."""
    rows = [_settings(one) for one in found.settings]
    return Table([name.replace("_", " ") for name in _SETTINGS], [False] * len(_SETTINGS), [rows])


def interval(summary: Summary) -> str:
    """`0.81 [0.79, 0.83]`, or `–` where there is nothing.

    >>> interval(Summary(0.5, 0.25, 0.75, 8, 0, None, "t", 0.95))
    '0.50 [0.25, 0.75]'
    """
    if summary.mean is None:
        return "–"
    if summary.low is None or summary.high is None:
        return _figure(summary.mean)
    return f"{_figure(summary.mean)} [{_figure(summary.low)}, {_figure(summary.high)}]"


def _latex(found: Analysis) -> str:
    tables = (score_table(found), pair_table(found), settings_table(found))
    pieces = [latex_table(one.head, one.numeric, one.groups) for one in tables if any(one.groups)]
    remark = "% Needs \\usepackage{booktabs}. Brackets: 95 % intervals over subjects.\n"
    cited = f"% {bibtex()}\n"
    return remark + "\n".join([*pieces, latex_text(methods(found)) + "\n", cited])


def _markdown(found: Analysis) -> str:
    tables = {
        "Scores": score_table(found),
        "Pairs on the headline": pair_table(found),
        "Settings": settings_table(found),
    }
    pieces = [f"## {title}\n\n{_markdown_table(one)}" for title, one in tables.items() if any(one.groups)]
    return "\n".join([*pieces, f"## Methods\n\n{markdown_text(methods(found))}\n", f"```bibtex\n{bibtex()}\n```\n"])


def _markdown_table(table: Table) -> str:
    rows = [[markdown_text(cell) for cell in row] for group in table.groups for row in group]
    return markdown_table([markdown_text(one) for one in table.head], table.numeric, rows)


def _csv(found: Analysis) -> str:
    named = versions()
    fixed: list[str | int | float | None] = [
        found.suite,
        named["pixelreef"],
        named["metrics"],
        named["published"],
        found.seed,
    ]
    known = {one.entrant: one for one in found.settings}
    head = ["kind", "first", "second", "score", "mean", "low", "high", "n", "missing", "subjects", "method"]
    head += ["p_holm", "smallest", *_SETTINGS[1:], "suite", "pixelreef", "metrics", "published", "seed"]
    rows: list[list[str | int | float | None]] = []
    for one in found.standings:
        settings: list[str | None] = [None] * (len(_SETTINGS) - 1)
        if one.entrant in known and not one.baseline:
            settings = [*_settings(known[one.entrant])[1:]]
        for name in SCORES:
            summary = one.scores[name]
            kind = "baseline" if one.baseline else "entrant"
            rows.append([kind, one.entrant, None, name, *_numbers(summary), None, None, *settings, *fixed])
    for pair in found.pairs:
        settings = [None] * (len(_SETTINGS) - 1)
        numbers = [*_numbers(pair.gap), pair.p, pair.gap.smallest]
        rows.append(["pair", pair.first, pair.second, "usable", *numbers, *settings, *fixed])
    return csv_table(head, rows)


def _numbers(one: Summary) -> list[str | int | float | None]:
    subjects = one.n if one.clusters is None else one.clusters
    return [one.mean, one.low, one.high, one.n, one.missing, subjects, one.method]


def _ranked(models: Sequence[Standing]) -> list[list[str]]:
    ordered = sorted(models, key=lambda one: -(one.scores["usable"].mean or 0.0))
    return [_scores(one) for one in ordered]


def _scores(one: Standing) -> list[str]:
    return [one.entrant, str(one.asked), str(one.subjects), *(interval(one.scores[name]) for name in _SHOWN)]


def _settings(one: Settings) -> list[str]:
    record = one.record()
    return [record[name] for name in _SETTINGS]


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}".replace("-", "−")
