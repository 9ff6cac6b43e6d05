"""Classification accuracy score: what a probe that saw only samples knows about the real (Ravuri and Vinyals 2019).

Per label it is the sharpest sign of what was not learnt: samples of one mode teach little about the rest, noise teaches
nothing. Its reverse, a probe of the real tried on samples, asks whether each sample can be told for what it should be,
and does not mind a lack of variety.
"""

from __future__ import annotations

from collections.abc import Sequence

from pixelreef.metrics.features import Features
from pixelreef.metrics.probe import Probe, probe_apart


def accuracy_score(
    samples: Features,
    sample_labels: Sequence[str],
    real: Features,
    real_labels: Sequence[str],
    *,
    standardise: bool = True,
) -> Probe:
    """The labels of real sprites, told by a probe that learnt from samples; `by_label` has each cell's share.

    Range: 0 to 1. Direction: higher is better. Empty: refused; samples need two labels, the real one sprite.
    """
    return probe_apart(samples, sample_labels, real, real_labels, standardise=standardise)


def reverse_accuracy_score(
    samples: Features,
    sample_labels: Sequence[str],
    real: Features,
    real_labels: Sequence[str],
    *,
    standardise: bool = True,
) -> Probe:
    """The labels of samples, told by a probe that learnt from real sprites.

    Range: 0 to 1. Direction: higher is better. Empty: refused; the real need two labels, samples one sprite.
    """
    return probe_apart(real, real_labels, samples, sample_labels, standardise=standardise)
