from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pixelreef.core import reef_palette
from pixelreef.core.seeds import rng
from pixelreef.errors import InputError
from pixelreef.metrics.features import COLOURLESS, Features, features
from pixelreef.metrics.probe import Probe, fold_of, probe, probe_apart

KINDS = ("ring", "cross", "slant", "drop")


def made(values: NDArray[np.float64]) -> Features:
    names = tuple(f"made.{place}" for place in range(values.shape[1]))
    return Features(names, values.astype(np.float32))


def shapes(per_kind: int, size: int, seed: int) -> tuple[NDArray[np.uint8], list[str]]:
    """Rings, crosses, slanting bars and drops of any size, place and colour."""
    g = rng(seed, "shapes")
    batch = np.zeros((len(KINDS) * per_kind, size, size), np.uint8)
    labels = [kind for kind in KINDS for _ in range(per_kind)]
    for cells, kind in zip(batch, labels, strict=True):
        y, x = (np.mgrid[:size, :size] + 0.5) / size - g.uniform(0.42, 0.58, (2, 1, 1))
        r = g.uniform(0.2, 0.38)
        away = np.hypot(y, x)
        mask = {
            "ring": (away < r) & (away > r * g.uniform(0.4, 0.7)),
            "cross": ((abs(y) < r / 4) | (abs(x) < r / 4)) & (abs(x) < r) & (abs(y) < r),
            "slant": (abs(y - g.choice([-1, 1]) * x) < r / 2) & (abs(x) < r),
            "drop": (away < r * (0.55 + 0.45 * y / (away + 1e-6))),
        }[kind]
        cells[mask] = g.integers(1, 64)
        cells[mask & (y < 0)] = g.integers(1, 64)
    return batch, labels


class TestProbe:
    @pytest.mark.parametrize("size", [16, 32])
    def test_tells_shapes_without_their_colours(self, size: int) -> None:
        batch, labels = shapes(40, size, seed=1)
        found = probe(features(batch, reef_palette(), COLOURLESS), labels, seed=2)
        assert found.accuracy >= 0.97

    def test_learns_at_one_size_what_it_tells_at_another(self) -> None:
        small, small_labels = shapes(40, 24, seed=3)
        large, large_labels = shapes(40, 48, seed=4)
        kept = ("silhouette", "light")
        found = probe_apart(
            features(small, reef_palette(), kept), small_labels, features(large, reef_palette(), kept), large_labels
        )
        assert found.accuracy >= 0.95
        assert found.labels == tuple(sorted(KINDS))

    def test_chance_is_chance(self) -> None:
        g = np.random.default_rng(5)
        found = probe(made(g.normal(size=(400, 10))), g.choice(["a", "b", "c", "d"], 400).tolist())
        assert 0.15 < found.accuracy < 0.35

    def test_groups_take_away_what_copies_give(self) -> None:
        # Forty originals of random label, ten copies each: only who has seen a copy can tell.
        g = np.random.default_rng(6)
        originals = g.normal(size=(40, 60))
        labels = np.repeat(g.choice(["a", "b"], 40), 10).tolist()
        copies = made(np.repeat(originals, 10, axis=0) + g.normal(size=(400, 60)) / 100)
        groups = np.repeat(np.arange(40), 10).tolist()
        assert probe(copies, labels).accuracy > 0.9
        assert probe(copies, labels, groups=groups).accuracy < 0.75

    def test_the_same_twice(self) -> None:
        batch, labels = shapes(10, 16, seed=7)
        found = features(batch, reef_palette())
        first, again = probe(found, labels, seed=3, folds=3), probe(found, labels, seed=3, folds=3)
        np.testing.assert_array_equal(first.predicted, again.predicted)

    def test_a_label_never_learnt_is_never_right(self) -> None:
        g = np.random.default_rng(8)
        learnt = made(g.normal(size=(20, 3)) + np.repeat([[0, 0, 0], [9, 9, 9]], 10, axis=0))
        found = probe_apart(learnt, ["a"] * 10 + ["b"] * 10, made(np.full((2, 3), 9.0)), ["b", "c"])
        assert found.by_label == {"a": None, "b": 1.0, "c": 0.0}

    def test_counts_by_hand(self) -> None:
        found = Probe(("a", "b"), np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1]))
        assert found.confusion.tolist() == [[2, 1], [0, 1]]
        assert found.accuracy == 0.75
        assert found.by_label == {"a": pytest.approx(2 / 3), "b": 1.0}
        assert found.document()["confusion"] == [[2, 1], [0, 1]]

    def test_wrong_input(self) -> None:
        four = made(np.zeros((4, 2)))
        with pytest.raises(InputError, match="be one for each of 4 sprites, got 3"):
            probe(four, ["a", "b", "a"])
        with pytest.raises(InputError, match="labels must be at least two, each in at least two groups"):
            probe(four, ["a", "a", "a", "b"])
        with pytest.raises(InputError, match="labels must be at least two"):
            probe(four, ["a"] * 4)
        with pytest.raises(InputError, match="features of both sets must be the same"):
            probe_apart(four, ["a", "b"] * 2, made(np.zeros((4, 3))), ["a"] * 4)
        with pytest.raises(InputError, match="labels must be at least two"):
            probe_apart(four, ["a"] * 4, four, ["a"] * 4)
        with pytest.raises(InputError, match="labels must be one for each"):
            probe_apart(four, ["a", "b"], four, ["a"] * 4)


class TestFolds:
    @given(
        sizes=st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 6)), min_size=12, max_size=40),
        seed=st.integers(0, 9),
        folds=st.integers(2, 6),
    )
    def test_no_group_is_in_two_folds_and_labels_are_spread(
        self, sizes: list[tuple[str, int]], seed: int, folds: int
    ) -> None:
        sizes += [("a", 1), ("a", 1), ("b", 1), ("b", 1)]
        labels = [label for label, size in sizes for _ in range(size)]
        groups = [group for group, (_, size) in enumerate(sizes) for _ in range(size)]
        if min(Counter(label for label, _ in sizes).values()) < 2:
            with pytest.raises(InputError, match="two groups"):
                fold_of(labels, groups, seed, folds)
            return
        fold = fold_of(labels, groups, seed, folds)
        assert len(set(zip(groups, fold.tolist(), strict=True))) == len(sizes)
        for label in set(labels):
            held = np.bincount(fold[np.array(labels) == label], minlength=int(fold.max()) + 1)
            assert held.max() - held.min() <= max(size for one, size in sizes if one == label)

    def test_the_seed_decides(self) -> None:
        labels, groups = ["a", "b"] * 20, list(range(40))
        assert fold_of(labels, groups, 1).tolist() == fold_of(labels, groups, 1).tolist()
        assert fold_of(labels, groups, 1).tolist() != fold_of(labels, groups, 2).tolist()
