"""Do pixels lie beside each other as the real ones do? Each sample against the bands of its cell.

A feature of texture or silhouette has a band: the median of the cell's real sprites and their robust spread. How far a
sprite is off is the root mean square of its distances from all bands, in spreads. Real sprites say how far is far.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pixelreef.taste.against.pairing import TINY, Pair, Pairing, Progress, Values, told
from pixelreef.taste.evidence import Evidence, Figure, Gate
from pixelreef.taste.sprites import Places

_FAR = 0.95  # quantile of the real sprites beyond which one is off
_MOST = 20.0  # spreads that a single feature may count for


class Texture:
    """Figures: `off` share of samples beyond what 19 of 20 real ones keep to, `drift` of the median sample."""

    name = "texture"
    gates = (
        Gate("samples_off_texture", name, "off", "high", "samples whose texture no real sprite has"),
        Gate("samples_drift", name, "drift", "high", "how far off the middle sample's texture is"),
    )

    def run(self, pairing: Pairing, progress: Progress) -> Mapping[str, Evidence]:
        """The bands are those of the cell itself; where it hardly varies, those of all cells."""
        columns = pairing.family("texture", "silhouette")
        spread = _spread(np.concatenate([pair.real_values[:, columns] for pair in pairing.pairs.values()]))
        return {pair.cell: _evidence(pair, columns, spread) for pair in told(pairing, progress)}


def _evidence(pair: Pair, columns: Places, everywhere: Values) -> Evidence:
    drawn = list(pair.draws())
    real, samples = pair.real_values[:, columns], pair.values[:, columns]
    if not drawn:
        return Evidence(pair.n, {})
    off, drift = [], []
    for mine, held, left in drawn:
        middle, spread = np.median(real[left], axis=0), np.maximum(_spread(real[left]), 0.25 * everywhere)
        far, real_far = (_off(values, middle, spread) for values in (samples[mine], real[held]))
        limit = float(np.quantile(real_far, _FAR))
        off.append(float((far > limit).mean()))
        drift.append(float(np.median(far)) / max(float(np.median(real_far)), TINY))
    figures = {"off": Figure(float(np.mean(off))), "drift": Figure(float(np.mean(drift)))}
    farthest = np.argsort(-_off(samples, np.median(real, axis=0), np.maximum(_spread(real), 0.25 * everywhere)))
    return Evidence(pair.n, figures, {"texture furthest off": pair.samples[farthest[:8]].tolist()})


def _off(values: Values, middle: Values, spread: Values) -> Values:
    """(N,): the root mean square of what each sprite is off, in spreads."""
    away = np.minimum(np.abs(values - middle) / spread, _MOST)
    return np.asarray(np.sqrt((away**2).mean(axis=1)))


def _spread(values: Values) -> Values:
    """(F,): the median absolute deviation as a standard deviation, never nothing."""
    middle = np.median(values, axis=0)
    return np.maximum(1.4826 * np.median(np.abs(values - middle), axis=0), 0.05)
