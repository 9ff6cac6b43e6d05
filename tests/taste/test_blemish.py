"""A stray pixel or two: what they are, and that they are no fault."""

from __future__ import annotations

import numpy as np

from pixelreef.core.seeds import rng
from pixelreef.metrics.features import features
from pixelreef.taste.against.blemish import blemish_changes, blemished
from pixelreef.taste.against.pairing import Pairing
from pixelreef.taste.samples import sample_evidence
from pixelreef.taste.worlds import tokens


def test_two_pixels_in_a_thousand_take_a_colour_of_the_sprite() -> None:
    cells = np.zeros((50, 32, 32), np.uint8)
    cells[:, 8:24, 8:24] = 3
    made = blemished(cells, rng(1, "test"))
    changed = (made != cells).sum(axis=(1, 2))
    assert changed.max() == 2
    assert set(np.unique(made)) == {0, 3}
    assert (cells[:, 8:24, 8:24] == 3).all()


def test_a_small_sprite_has_one_at_least() -> None:
    cells = np.tile(np.arange(64, dtype=np.uint8).reshape(8, 8), (40, 1, 1))
    changed = (blemished(cells, rng(1, "test")) != cells).sum(axis=(1, 2))
    assert changed.max() == 1
    assert changed.sum() > 30


def test_changes_are_those_of_the_features() -> None:
    made = tokens().make(3, 4)
    values = features(made.cells, made.palette).values
    found = blemish_changes(made.cells, values, made.palette, rng(2, "test"))
    again = features(blemished(made.cells, rng(2, "test")), made.palette).values
    assert np.allclose(found**2, ((again - values) ** 2).mean(axis=0), atol=1e-9)
    assert found.max() > 0


def test_no_feature_counts_a_blemish_for_more_than_a_quarter_of_a_spread() -> None:
    made = tokens().make(4, 80)
    real = made.at(np.concatenate([of[:60] for of in made.by_cell.values()]))
    samples = made.at(np.concatenate([of[60:] for of in made.by_cell.values()]))
    blemishes = samples.changed(blemished(samples.cells, rng(3, "test")))
    before = np.concatenate([pair.values for pair in Pairing(samples, real, 0).pairs.values()])
    after = np.concatenate([pair.values for pair in Pairing(blemishes, real, 0).pairs.values()])
    moved = np.sqrt(((after - before) ** 2).mean(axis=0))
    assert np.quantile(moved, 0.95) < 0.35
    assert moved.max() < 1.0  # one that blemishes rarely touch moves by chance


def test_blemished_samples_are_still_told_and_among_the_real() -> None:
    made = tokens().make(5, 120)
    real = made.at(np.concatenate([of[:80] for of in made.by_cell.values()]))
    samples = made.at(np.concatenate([of[80:] for of in made.by_cell.values()]))
    found = sample_evidence(samples.changed(blemished(samples.cells, rng(4, "test"))), real)[0]
    lost = [stages["accuracy"].value("reverse_lost") for stages in found.values()]
    density = [stages["fidelity"].value("density") for stages in found.values()]
    assert max(lost) < 0.15
    assert np.median(density) > 0.7
