"""Is it the same sprite again and again? Near-copies among the samples, and how near each has its nearest."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pixelreef.metrics.likeness import keepers
from pixelreef.metrics.neighbourhoods import apart
from pixelreef.taste.against.pairing import TINY, Pair, Pairing, Progress, Values, told
from pixelreef.taste.evidence import Evidence, Figure, Gate
from pixelreef.taste.sprites import Places, Sprites


class Collapse:
    """Figures, each over what as many real sprites have:

    `distinct`  the share of samples that stay when near-copies are merged
    `spacing`   the mean distance of a sample to the nearest other, in features; sees variations that are no copies
    """

    name = "collapse"
    gates = (
        Gate("samples_distinct", name, "distinct", "low", "distinct samples against as many real sprites"),
        Gate("samples_spacing", name, "spacing", "low", "room between samples against that between real sprites"),
    )

    def run(self, pairing: Pairing, progress: Progress) -> Mapping[str, Evidence]:
        """At most `MOST` samples of a cell are compared."""
        return {pair.cell: _evidence(pairing, pair) for pair in told(pairing, progress)}


def _evidence(pairing: Pairing, pair: Pair) -> Evidence:
    kept = _keepers(pairing.samples, pair.samples)
    within, real_within = apart(pair.values, pair.values), apart(pair.real_values, pair.real_values)
    drawn = list(pair.draws())
    spacing = [_spacing(within[mine][:, mine]) for mine, _, _ in drawn]
    real_spacing = [_spacing(real_within[held][:, held]) for _, held, _ in drawn]
    distinct = [_distinct(pairing.samples, pair.samples[mine]) for mine, _, _ in drawn]
    real_distinct = [_distinct(pairing.real, pair.real[held]) for _, held, _ in drawn]
    figures = {
        "distinct": ratio(distinct, real_distinct),
        "spacing": ratio(spacing, real_spacing),
        "distinct_share": Figure(len(np.unique(kept)) / len(kept)),
    }
    often, times = np.unique(kept, return_counts=True)
    most = often[np.argsort(-times, kind="stable")][:8]
    shown = {"drawn most often": pair.samples[most].tolist()} if len(often) < len(kept) else {}
    return Evidence(pair.n, figures, shown)


def ratio(samples: list[float], real: list[float]) -> Figure:
    """The mean of the one over the mean of the other; NaN where nothing could be held out."""
    if not samples or not real:
        return Figure(float("nan"))
    return Figure(float(np.mean(samples)) / max(float(np.mean(real)), TINY))


def _keepers(sprites: Sprites, places: Places) -> Places:
    return keepers(sprites.signatures[places])


def _distinct(sprites: Sprites, places: Places) -> float:
    return len(np.unique(_keepers(sprites, places))) / len(places)


def _spacing(within: Values) -> float:
    return float(np.partition(within, 1, axis=1)[:, 1].mean())
