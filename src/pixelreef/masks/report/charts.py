"""The charts of a report of masks. Only drawing: no figure is worked out here, and each says in words what it shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pixelreef.masks.measures import PRIMARY
from pixelreef.masks.report.analysis import ACCURACY, Analysis, Entrant
from pixelreef.masks.report.boards import FAMILY_ORDER, TITLES
from pixelreef.masks.standings import LOST_TO_FAILURE
from pixelreef.metrics.summary import Summary
from pixelreef.report import Chart

MOST = 24
"""Entrants that one chart shows; the board has all."""
MOST_CLASSES = 24
"""Classes that a confusion matrix shows, those with most pixels in the truth; board.json has all."""
_LONGEST = 40  # characters of a name on an axis


def comparison(found: Analysis) -> Chart:
    """Two bars for everyone, with intervals; controls hatched."""
    shown = _shown(found)
    data = [
        {
            "type": "bar",
            "name": TITLES[measure],
            "x": names(shown),
            "y": [one.measures[measure].mean for one in shown],
            "error_y": _errors([one.measures[measure] for one in shown]),
            "marker": {"pattern": {"shape": ["/" if one.is_control else "" for one in shown]}},
        }
        for measure in (ACCURACY, PRIMARY)
    ]
    layout = {"yaxis": {"range": [0, 1.02]}, "barmode": "group", "xaxis": {"type": "category", "tickangle": -35}}
    said = "; ".join(f"{one.name} {_said(one.measures[ACCURACY])} and {_said(one.measures[PRIMARY])}" for one in shown)
    hatched = " Hatched: controls." if found.controls else ""
    return Chart(
        {"data": data, "layout": layout},
        alt=f"Pixel accuracy and mIoU of each. {said}.",
        caption=f"Failures count as 0. Whiskers: 95 %, over images.{hatched}{_more(found)}",
        height=420,
    )


def sensitivity(found: Analysis) -> Chart:
    """The primary measure under each decoder as a line for each entrant, with its ceiling."""
    shown = _shown(found)
    symbols = ("circle", "diamond-open", "square-open", "cross-open")
    data: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": [value for one in shown for value in (*_ends(one), None)],
            "y": [value for name in names(shown) for value in (name, name, None)],
            "line": {"width": 2, "color": "rgb(128,150,158)"},
            "hoverinfo": "skip",
            "showlegend": False,
        }
    ]
    data += [
        {
            "type": "scatter",
            "mode": "markers",
            "name": decoder,
            "x": [one.sensitivity[decoder].mean for one in shown],
            "y": names(shown),
            "marker": {"size": 11, "symbol": symbols[place % len(symbols)]},
        }
        for place, decoder in enumerate(found.decoders)
    ]
    if any(one.ceiling for one in shown):
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": "ceiling",
                "x": [one.ceiling.mean if one.ceiling else None for one in shown],
                "y": names(shown),
                "marker": {"size": 15, "symbol": "line-ns-open", "line": {"width": 3}},
            }
        )
    layout = {
        "xaxis": {"range": [-0.02, 1.04], "title": {"text": "mIoU"}, "showgrid": True},
        "yaxis": {"type": "category", "autorange": "reversed", "showgrid": False},
    }
    said = "; ".join(
        f"{one.name} {', '.join(f'{name} {_said(value)}' for name, value in one.sensitivity.items())}" for one in shown
    )
    return Chart(
        {"data": data, "layout": layout},
        alt=f"mIoU under each decoder. {said}.",
        caption="A long line is a score that the decoder makes, not the model. The ceiling is by the first decoder."
        + _more(found),
        height=140 + 26 * len(shown),
    )


def lost_points(found: Analysis) -> Chart | None:
    """Stacked bars: the points there are, and where the others went."""
    shown = [one for one in _shown(found) if one.verdicts is not None]
    if not shown:
        return None
    splits = [one.verdicts.split if one.verdicts else {} for one in shown]
    families = [family for family in FAMILY_ORDER if any(split.get(family, 0) > 0.05 for split in splits)]
    series = [("right", [one.verdicts.score if one.verdicts else 0.0 for one in shown])]
    series += [(family, [split.get(family, 0.0) for split in splits]) for family in families]
    data = [
        {
            "type": "bar",
            "orientation": "h",
            "name": name,
            "x": values,
            "y": names(shown),
            "marker": {"color": _FAMILY_COLOURS.get(name)} if name in _FAMILY_COLOURS else {},
            "hovertemplate": f"{name}: %{{x:.1f}} points<extra>%{{y}}</extra>",
        }
        for name, values in series
    ]
    layout = {
        "barmode": "stack",
        "legend": {"traceorder": "normal"},
        "xaxis": {"range": [0, 100], "title": {"text": "points of 100"}},
        "yaxis": {"type": "category", "autorange": "reversed"},
    }
    said = "; ".join(
        f"{one.name}: {', '.join(f'{family} {split[family]:.0f}' for family in families if split.get(family, 0) >= 1)}"
        for one, split in zip(shown, splits, strict=True)
    )
    return Chart(
        {"data": data, "layout": layout},
        alt=f"Where the points went. {said}.",
        title="Where the points went",
        caption="A point is a hundredth of mIoU, the mean over attempts. A repair that was named takes the points that "
        "it would bring back; of the rest, what lies along borders of the truth is edges, and what remains is region."
        + _more(found),
        height=150 + 26 * len(shown),
    )


def confusion(one: Entrant) -> Chart:
    """Where the pixels of each class went, as shares of its truth; the largest classes."""
    matrix = one.standing.confusion.matrix
    truth = matrix.sum(axis=1)
    kept = [int(label) for label in np.argsort(-truth, kind="stable")[:MOST_CLASSES] if truth[label]]
    classes = [one.standing.classes.names[label] for label in kept]
    shares = matrix[kept] / truth[kept][:, None]
    columns = [*shares[:, kept].T, shares[:, :-1].sum(axis=1) - shares[:, kept].sum(axis=1), shares[:, -1]]
    grid = np.array(columns).T
    heads = [*classes, "other classes", "unknown"]
    if grid[:, -2].max(initial=0) < 1e-9:
        grid, heads = np.delete(grid, -2, axis=1), [*classes, "unknown"]
    heat = {
        "type": "heatmap",
        "x": heads,
        "y": classes,
        "z": [[round(float(value), 4) for value in row] for row in grid],
        "zmin": 0,
        "zmax": 1,
        "hovertemplate": "%{y} painted as %{x}: %{z:.1%}<extra></extra>",
    }
    layout = {
        "yaxis": {"autorange": "reversed", "showgrid": False, "title": {"text": "truth"}, "type": "category"},
        "xaxis": {"tickangle": -40, "title": {"text": "painted as"}, "type": "category"},
    }
    wrong = grid[:, : len(classes)].copy()
    np.fill_diagonal(wrong, 0)
    alt = f"Confusion matrix of {one.name}, {len(classes)} classes"
    if wrong.size and wrong.max() > 0:
        row, column = divmod(int(wrong.argmax()), wrong.shape[1])
        alt += f"; most often mistaken: {classes[row]} for {classes[column]}, {wrong[row, column]:.0%}"
    left = len([label for label in truth if label]) - len(kept)
    more = f" {left} smaller classes are not shown; board.json has them." if left > 0 else ""
    caption = f"Each row adds up to 1. All attempts; the pixels of a failure are unknown.{more}"
    return Chart({"data": [heat], "layout": layout}, alt + ".", one.name, caption, height=210 + 21 * len(classes))


def names(shown: Sequence[Entrant]) -> list[str]:
    """Names short enough for an axis, and each its own."""
    cut = [one.name if len(one.name) <= _LONGEST else f"{one.name[: _LONGEST - 2]}…" for one in shown]
    return [name if cut.count(name) == 1 else f"{name} {cut[: i + 1].count(name)}" for i, name in enumerate(cut)]


def _shown(found: Analysis) -> list[Entrant]:
    """Entrants before controls, as many as fit."""
    return [*found.entrants, *found.controls][:MOST]


def _more(found: Analysis) -> str:
    left = len(found.everyone) - MOST
    return f" {left} more are on the board." if left > 0 else ""


def _ends(one: Entrant) -> tuple[float | None, float | None]:
    values = [value.mean for value in one.sensitivity.values() if value.mean is not None]
    return (min(values), max(values)) if values else (None, None)


def _errors(summaries: Sequence[Summary]) -> dict[str, Any]:
    def reach(one: Summary, bound: float | None) -> float | None:
        return None if one.mean is None or bound is None else abs(bound - one.mean)

    up = [reach(one, one.high) for one in summaries]
    down = [reach(one, one.low) for one in summaries]
    return {"type": "data", "symmetric": False, "array": up, "arrayminus": down}


def _said(one: Summary) -> str:
    return "missing" if one.mean is None else f"{one.mean:.2f}"


# Right is calm, what was named is loud, what stays unexplained is grey; read on light and dark alike.
_FAMILY_COLOURS = {
    "right": "rgb(38,150,136)",
    "left and right": "rgb(236,196,70)",
    "geometry": "rgb(232,140,60)",
    "colours": "rgb(214,90,150)",
    "naming": "rgb(150,110,220)",
    "picture": "rgb(200,70,60)",
    "missing classes": "rgb(90,150,220)",
    "edges": "rgb(178,190,196)",
    "region": "rgb(126,140,148)",
    LOST_TO_FAILURE: "rgb(84,92,100)",
}
