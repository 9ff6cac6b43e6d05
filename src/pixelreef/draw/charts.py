"""The report's charts, from an `Analysis`: bars, matrices, radar, lines. Each says in words what it shows.

Only drawing: no figure is worked out here, and colours are the page's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pixelreef.draw.analysis import Analysis
from pixelreef.draw.axes import AXES, DISTRIBUTIONAL, STRUCTURAL
from pixelreef.draw.baselines import DAMAGES, DOSES, REFERENCE
from pixelreef.draw.boards import SCORES, subject_means
from pixelreef.draw.correlation import Coefficient
from pixelreef.draw.failures import FAILURES
from pixelreef.draw.sizes import parameters
from pixelreef.draw.theirs import ENTRANT, HEADLINE, MARK
from pixelreef.metrics.summary import Summary, mean
from pixelreef.report import Chart

THREE = {
    "json_validity": "JSON validity",
    "render_success": "Render success",
    "pixel_art_quality": "Pixel-art quality",
}
COMPOSITES = ("usable", "render_success", "pixel_art_quality", "craft")
MOST = 20
"""Entrants that one chart shows; the board has all."""
_LONGEST = 44  # characters of a name in a chart
_OTHER = "other"
_MOST_FAILURES = 7  # the page has eight series colours, and one is for `strict`


def words(name: str) -> str:
    """`edge_density` → `edge density`."""
    return name.replace("_", " ")


def labels(names: Sequence[str]) -> list[str]:
    """Names short enough for an axis, and each its own.

    >>> labels(["a" * 50, "a" * 50 + "b"])
    ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa… 1', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa… 2']
    """
    cut = [name if len(name) <= _LONGEST else f"{name[: _LONGEST - 2]}…" for name in names]
    return [name if cut.count(name) == 1 else f"{name} {cut[: i + 1].count(name)}" for i, name in enumerate(cut)]


def headline_bars(found: Analysis) -> Chart:
    """Three bars an entrant, with intervals; the article's figures apart, marked as theirs."""
    shown = found.models[:MOST]
    theirs = f"{ENTRANT}, {MARK}"
    places = [*labels([one.entrant for one in shown]), theirs]
    data = []
    for name, title in THREE.items():
        summaries = [one.scores[name] for one in shown]
        data.append(
            {
                "type": "bar",
                "name": title,
                "x": places,
                "y": [*(one.mean for one in summaries), HEADLINE[name]],
                "error_y": _errors([*summaries, None]),
                "marker": {"pattern": {"shape": [*("" for _ in shown), "/"]}},
            }
        )
    layout = {"yaxis": {"range": [0, 1.02]}, "barmode": "group", "xaxis": {"type": "category"}}
    said = "; ".join(
        f"{one.entrant} {', '.join(f'{title} {_said(one.scores[name])}' for name, title in THREE.items())}"
        for one in shown
    )
    return Chart(
        {"data": data, "layout": layout},
        alt=f"Bars of the three headline scores. {said}. {theirs}: 1.0, 0.74, 0.42.",
        caption=f"Whiskers: 95 %, clustered by subject. Hatched: {ENTRANT} as the article reports it, by the published "
        "formulas, over replies that are not at hand; theirs is not computed as ours are.",
        height=400,
    )


def matrix(coefficients: Sequence[Coefficient], names: Sequence[str], title: str, caption: str) -> Chart:
    """A correlation matrix; a missing coefficient is an empty cell."""
    value = {(one.first, one.second): one for one in coefficients}
    grid: list[list[float | None]] = []
    said: list[list[str]] = []
    for row in names:
        found = [value.get((row, column)) or value.get((column, row)) for column in names]
        grid.append([None if one is None else one.value for one in found])
        said.append([_cell(one) for one in found])
    known = [one for one in coefficients if one.value is not None]
    strongest = max(known, key=lambda one: abs(one.value or 0.0), default=None)
    alt = f"Correlation matrix of {len(names)} measures; {len(known)} of {len(coefficients)} coefficients are known"
    if strongest is not None:
        alt += f", the strongest {strongest.value:.2f} between {strongest.first} and {strongest.second}"
    spoken = [words(name) for name in names]
    small = len(names) <= 8
    heat = {
        "type": "heatmap",
        "x": spoken,
        "y": spoken,
        "z": grid,
        "zmin": -1,
        "zmax": 1,
        "colorscale": _DIVERGING,
        "text": [[("" if cell is None else f"{cell:.2f}".replace("-", "−")) for cell in row] for row in grid],
        "texttemplate": "%{text}",
        "textfont": {"size": 13 if small else 10, "color": _INK},
        "customdata": said,
        "hovertemplate": "%{y} – %{x}: %{customdata}<extra></extra>",
        "hoverongaps": False,
    }
    layout = {"yaxis": {"autorange": "reversed", "showgrid": False}, "xaxis": {"tickangle": -40}}
    return Chart({"data": [heat], "layout": layout}, alt + ".", title, caption, height=400 if small else 640)


def radar(found: Analysis) -> Chart:
    """Every entrant on the axes, structural ones first; reference and noise dotted."""
    models = {one.entrant for one in found.models[:MOST]}
    shapes = [one for one in found.shapes if one.entrant in models] + list(found.shapes[len(found.entrants) :])
    shapes = [one for one in shapes if one.complete]
    spoken = [f"{words(name)}{' ▪' if name in STRUCTURAL else ' ▫'}" for name in AXES]
    data = [
        {
            "type": "scatterpolar",
            "name": name,
            "theta": [*spoken, spoken[0]],
            "r": [*(one.axes[axis].mean for axis in AXES), one.axes[AXES[0]].mean],
            "mode": "lines+markers",
            "line": {"width": 2, "dash": "solid" if one.entrant in models else "dot"},
            "fill": "toself" if one.entrant in models and len(models) <= 4 else "none",
        }
        for name, one in zip(labels([one.entrant for one in shapes]), shapes, strict=True)
    ]
    said = "; ".join(
        f"{one.entrant}: {', '.join(f'{words(axis)} {_said(one.axes[axis])}' for axis in AXES)}" for one in shapes
    )
    layout = {"polar": {"radialaxis": {"range": [0, 1]}}, "showlegend": True}
    return Chart(
        {"data": data, "layout": layout},
        alt=f"Radar of {len(AXES)} axes. {said or 'No entrant has a drawing'}.",
        title="Structural ▪ and distributional ▫ axes",
        caption=f"Structural: {', '.join(map(words, STRUCTURAL))}. Distributional: "
        f"{', '.join(map(words, DISTRIBUTIONAL))}. Repaired drawings count. Far out is more, not better: noise "
        "(dotted) is far out on edge density and entropy.",
        height=520,
    )


def failure_bars(found: Analysis) -> Chart:
    """One stacked bar an entrant: strict, then the primary failures, as shares of what was asked."""
    shown = list(found.failures.items())[:MOST]
    totals: dict[str, int] = {}
    for _, counts in shown:
        for code, count in counts.items():
            totals[code] = totals.get(code, 0) + count
    common = sorted((code for code in totals if code != "strict"), key=lambda code: -totals[code])
    kept = common[:_MOST_FAILURES] if len(common) <= _MOST_FAILURES else common[: _MOST_FAILURES - 1]
    series = ["strict", *kept, *([_OTHER] if len(common) > len(kept) else [])]
    grouped = [_grouped(counts, series) for _, counts in shown]
    places = labels([name for name, _ in shown])
    data = [
        {
            "type": "bar",
            "orientation": "h",
            "name": code,
            "y": places,
            "x": [one[code] / max(sum(one.values()), 1) for one in grouped],
            "customdata": [one[code] for one in grouped],
            "hovertemplate": "%{y}: %{customdata} " + code + "<extra></extra>",
            **({"marker": {"color": "rgba(128,128,128,0.35)"}} if code == "strict" else {}),
        }
        for code in series
    ]
    layout = {
        "barmode": "stack",
        "legend": {"traceorder": "normal"},
        "xaxis": {"range": [0, 1], "tickformat": ".0%"},
        "yaxis": {"type": "category", "autorange": "reversed"},
    }
    said = "; ".join(
        f"{name}: {', '.join(f'{count} {code}' for code, count in counts.items())}" for name, counts in shown
    )
    return Chart(
        {"data": data, "layout": layout},
        alt=f"What became of each reply. {said or 'There are none'}.",
        caption="By primary failure: the first of "
        f"{len(FAILURES)} kinds, in the order of a reader who stops at the first thing wrong.",
        height=130 + 44 * max(len(shown), 1),
    )


def dose_lines(found: Analysis) -> Chart:
    """What each score makes of damaged references."""
    data: list[dict[str, Any]] = []
    for number, name in enumerate(COMPOSITES):
        for dash, damage in zip(("solid", "dash", "dot"), DAMAGES, strict=True):
            steps = [REFERENCE, *(f"{damage}-{dose:02}" for dose in DOSES)]
            values = [mean(_known(subject_means(found.control(one), SCORES[name]))).mean for one in steps]
            data.append(
                {
                    "type": "scatter",
                    "mode": "lines+markers",
                    "name": f"{words(name)}, {damage}",
                    "legendgroup": name,
                    "x": [0, *DOSES],
                    "y": values,
                    "line": {"dash": dash, "width": 2, "color": _SERIES[number]},
                    "marker": {"color": _SERIES[number]},
                }
            )
    layout = {
        "xaxis": {"title": {"text": "cells damaged, per cent"}},
        "yaxis": {"range": [0, 1.02]},
        "legend": {"orientation": "v", "x": 1.02, "y": 1, "yanchor": "top"},
    }
    alt = "Scores of references damaged in 0, 5, 10, 20, 40 and 80 % of their cells: " + "; ".join(
        f"{one['name']} {' '.join('–' if y is None else f'{y:.2f}' for y in one['y'])}" for one in data
    )
    return Chart({"data": data, "layout": layout}, alt + ".", "Scores against the dose of damage", height=400)


def row_lines(found: Analysis) -> Chart:
    """Errors by row number."""
    shown = [one for one in found.row_errors if one.shares][:8]
    data = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": f"{name} ({one.replies})",
            "x": list(range(1, len(one.shares) + 1)),
            "y": list(one.shares),
        }
        for name, one in zip(labels([one.entrant for one in shown]), shown, strict=True)
    ]
    layout = {
        "xaxis": {"title": {"text": "row"}},
        "yaxis": {"range": [0, 1.02], "tickformat": ".0%"},
        "showlegend": True,
    }
    said = "; ".join(f"{one.entrant} {one.shares[0]:.2f} in row 1, {one.shares[-1]:.2f} in row 24" for one in shown)
    return Chart(
        {"data": data, "layout": layout},
        alt=f"Share of replies with an error in each of 24 rows. {said or 'No reply has rows'}.",
        title="Error by row number",
        caption="Share of replies whose row is not there, has not 24 cells or holds an index outside the palette; in "
        "brackets, the replies that parse as they stand and have rows.",
        height=340,
    )


def size_points(found: Analysis) -> Chart | None:
    """Headline scores against parameter count; None where fewer than two counts are known."""
    known = [(one, size) for one in found.models if (size := parameters(one.entrant)) is not None]
    if len({size for _, size in known}) < 2:
        return None
    data = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": title,
            "x": [size for _, size in known],
            "y": [one.scores[name].mean for one, _ in known],
            "error_y": _errors([one.scores[name] for one, _ in known]),
            "text": [one.entrant for one, _ in known],
            "marker": {"size": 10},
        }
        for name, title in {"usable": "Usable", **THREE}.items()
    ]
    ticks = {"tickvals": [1e8, 3e8, 1e9, 3e9, 1e10], "ticktext": ["100 M", "300 M", "1 B", "3 B", "10 B"]}
    layout = {"xaxis": {"type": "log", "title": {"text": "parameters"}, **ticks}, "yaxis": {"range": [-0.02, 1.02]}}
    said = "; ".join(
        f"{one.entrant}, {size:.3g} parameters: usable {_said(one.scores['usable'])}" for one, size in known
    )
    return Chart({"data": data, "layout": layout}, f"Scores against size. {said}.", height=340)


def _grouped(counts: Mapping[str, int], series: Sequence[str]) -> dict[str, int]:
    found = dict.fromkeys(series, 0)
    for code, count in counts.items():
        found[code if code in found else _OTHER] += count
    return found


def _errors(summaries: Sequence[Summary | None]) -> dict[str, Any]:
    up = [_reach(one, "high") for one in summaries]
    down = [_reach(one, "low") for one in summaries]
    return {"type": "data", "symmetric": False, "array": up, "arrayminus": down}


def _reach(one: Summary | None, end: str) -> float | None:
    bound = None if one is None else getattr(one, end)
    return None if one is None or bound is None or one.mean is None else abs(bound - one.mean)


def _said(one: Summary) -> str:
    return "missing" if one.mean is None else f"{one.mean:.2f}"


def _cell(one: Coefficient | None) -> str:
    if one is None or one.value is None:
        return "none"
    interval = "" if one.low is None or one.high is None else f" ({one.low:.2f} to {one.high:.2f})"
    return f"{one.value:.2f}{interval}, n {one.n}"


def _known(values: Mapping[str, float | None]) -> list[float]:
    return [value for value in values.values() if value is not None]


# From blue through a pale ground to amber, none of them dark: one ink is read on all of it, in light and dark pages.
_DIVERGING = [[0, "rgb(108,170,226)"], [0.5, "rgb(240,241,238)"], [1, "rgb(238,160,84)"]]
_INK = "rgb(24,32,36)"
_SERIES = ("rgb(0,141,144)", "rgb(214,126,44)", "rgb(47,125,196)", "rgb(170,90,170)")
