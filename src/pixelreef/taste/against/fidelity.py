"""Does it stand among the real, and everywhere among them? Density, coverage and kernel distance of a cell."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pixelreef.metrics.coverage import clipped_coverage
from pixelreef.metrics.density import clipped_density
from pixelreef.metrics.kernel_distance import kernel_distance
from pixelreef.metrics.neighbourhoods import K, apart
from pixelreef.taste.against.collapse import ratio
from pixelreef.taste.against.pairing import TINY, Pair, Pairing, Progress, Values, told
from pixelreef.taste.evidence import Evidence, Figure, Gate


class Fidelity:
    """Figures:

    `density`, `coverage`  clipped, over what real sprites held out have
    `kernel`               the kernel distance over the spread of the real sprites, with its interval; can be below 0
    """

    name = "fidelity"
    gates = (
        Gate("samples_density", name, "density", "low", "samples among the real, against real sprites held out"),
        Gate("samples_coverage", name, "coverage", "low", "real sprites reached, against real sprites held out"),
        Gate("samples_kernel", name, "kernel", "high", "kernel distance in spreads of the real", digits=3),
    )

    def run(self, pairing: Pairing, progress: Progress) -> Mapping[str, Evidence]:
        """On the standardised features of at most `MOST` sprites of either side."""
        return {pair.cell: _evidence(pair) for pair in told(pairing, progress)}


def _evidence(pair: Pair) -> Evidence:
    within, between = apart(pair.real_values, pair.real_values), apart(pair.real_values, pair.values)
    among, real = [], []
    for mine, held, left in pair.draws():
        k = max(1, min(K, len(left) // 4))
        rest = within[np.ix_(left, left)]
        among.append(_scores(rest, between[np.ix_(left, mine)], k))
        real.append(_scores(rest, within[np.ix_(left, held)], k))
    figures = {
        "density": ratio([dense for dense, _ in among], [dense for dense, _ in real]),
        "coverage": ratio([covered for _, covered in among], [covered for _, covered in real]),
        "kernel": _kernel(pair),
    }
    reach = np.sort(between, axis=0)[: max(1, min(K, len(between) // 4))].mean(axis=0)
    return Evidence(pair.n, figures, {"furthest from the real": pair.samples[np.argsort(-reach)[:8]].tolist()})


def _scores(within: Values, between: Values, k: int) -> tuple[float, float]:
    return clipped_density(within, between, k), clipped_coverage(within, between, k)


def _kernel(pair: Pair) -> Figure:
    if min(len(pair.samples), len(pair.real)) < 2:
        return Figure(float("nan"))
    found = kernel_distance(pair.real_values, pair.values)
    spread = max(found.spread, TINY)
    return Figure(found.value / spread, found.low / spread, found.high / spread)
