"""Can a sample be told for what it should be, and do samples teach what the real ones are? Both probes, per cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from pixelreef.metrics.accuracy_score import accuracy_score, reverse_accuracy_score
from pixelreef.metrics.features import Features
from pixelreef.metrics.probe import Probe
from pixelreef.taste.against.pairing import Pairing, Progress
from pixelreef.taste.evidence import Evidence, Figure, Gate

_MOST = 64  # of a cell, to learn from and to be tried on: thirty cells then take some seconds
Labelled = tuple[Features, list[str]]


class Accuracy:
    """Figures, each as what is lost against real sprites in the samples' place:

    `accuracy_lost`  real sprites told by a probe that learnt from samples (the classification accuracy score)
    `reverse_lost`   samples told by a probe that learnt from real sprites
    """

    name = "accuracy"
    gates = (
        Gate("samples_accuracy", name, "accuracy_lost", "high", "real sprites that samples do not teach"),
        Gate("samples_reverse", name, "reverse_lost", "high", "samples that are not what they should be"),
    )

    def run(self, pairing: Pairing, progress: Progress) -> Mapping[str, Evidence]:
        """A corpus of one cell has nothing to tell apart, and a cell of one real sprite nothing to try: no figures."""
        sizes = {cell: _sizes(len(pair.samples), len(pair.real)) for cell, pair in pairing.pairs.items()}
        sizes = {cell: size for cell, size in sizes.items() if min(size) > 0}
        if len(sizes) < 2:
            return {cell: Evidence(pair.n, {}) for cell, pair in pairing.pairs.items()}
        first = {cell: np.arange(taught) for cell, (taught, _) in sizes.items()}
        rest = {cell: np.arange(taught, taught + tried) for cell, (taught, tried) in sizes.items()}
        samples, taught = pairing.features_of(first, real=False), pairing.features_of(first, real=True)
        tried = pairing.features_of(rest, real=True)
        forward = accuracy_score(*samples, *tried, standardise=False)
        progress(0.5)
        # One probe of the real is tried on samples and on real sprites that it has not seen.
        both = reverse_accuracy_score(*_joined(samples, tried), *taught, standardise=False)
        progress(1.0)
        back, floor = _split(both, len(samples[1]))
        return {
            cell: Evidence(
                pair.n, _figures(cell, forward, back, floor) if cell in sizes else {}, notes=_notes(cell, back)
            )
            for cell, pair in pairing.pairs.items()
        }


def _sizes(samples: int, real: int) -> tuple[int, int]:
    """How many to learn from, as many on either side, and how many other real ones to be tried."""
    taught = min(samples, real // 2, _MOST)
    return taught, min(real - taught, _MOST)


def _joined(a: Labelled, b: Labelled) -> Labelled:
    return Features(a[0].names, np.concatenate([a[0].values, b[0].values])), [*a[1], *b[1]]


def _split(probe: Probe, at: int) -> tuple[Probe, Probe]:
    first = Probe(probe.labels, probe.truth[:at], probe.predicted[:at])
    return first, Probe(probe.labels, probe.truth[at:], probe.predicted[at:])


def _figures(cell: str, forward: Probe, back: Probe, floor: Probe) -> dict[str, Figure]:
    told, told_back, best = (probe.by_label.get(cell) for probe in (forward, back, floor))
    if told is None or told_back is None or best is None:
        return {}
    return {
        "accuracy": Figure(told),
        "reverse": Figure(told_back),
        "accuracy_floor": Figure(best),
        "accuracy_lost": Figure(best - told),
        "reverse_lost": Figure(best - told_back),
    }


def _notes(cell: str, back: Probe) -> list[str]:
    """What most of the mistaken samples are taken for, where they are a fifth or more."""
    if cell not in back.labels:
        return []
    place = back.labels.index(cell)
    taken = Counter(back.predicted[back.truth == place].tolist())
    wrong = [(other, count) for other, count in taken.most_common() if other != place][:1]
    total = sum(taken.values())
    return [
        f"{count / total:.0%} of the samples look like {back.labels[other]}."
        for other, count in wrong
        if 5 * count >= total
    ]
