from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter
from scipy.sparse.csgraph import connected_components

from pixelreef.errors import GridError, InputError
from pixelreef.metrics.likeness import NEAR_COPY, distances, groups, keepers, nearest, nearest_other, signatures

Cells = NDArray[np.uint8]
Fact = tuple[str, int, int]
QUICK = settings(max_examples=60, deadline=None)


def batches(count: int, largest: int = 6, colours: int = 4) -> st.SearchStrategy[Cells]:
    side = st.integers(1, largest)
    return st.tuples(side, side).flatmap(
        lambda size: hnp.arrays(np.uint8, (count, *size), elements=st.integers(0, colours - 1))
    )


def distance(a: Cells, b: Cells, transparent: int | None = 0) -> float:
    return float(distances(signatures(a[None], transparent), signatures(b[None], transparent))[0, 0])


def plain_facts(grid: list[list[int]], transparent: int | None) -> set[Fact]:
    height, width = len(grid), len(grid[0])

    def cell(y: int, x: int) -> int | None:
        inside = 0 <= y < height and 0 <= x < width
        return grid[y][x] if inside else transparent

    facts: set[Fact] = set()
    first = 0 if transparent is None else -1
    last = (height - 1, width - 1) if transparent is None else (height, width)
    for y in range(height):
        for x in range(width):
            if transparent is not None and grid[y][x] != transparent:
                facts.add(("opaque", y, x))
        facts |= {("right", y, x) for x in range(first, last[1]) if cell(y, x) != cell(y, x + 1)}
    for x in range(width):
        facts |= {("lower", y, x) for y in range(first, last[0]) if cell(y, x) != cell(y + 1, x)}
    return facts


def plain_distance(a: Cells, b: Cells, transparent: int | None) -> float:
    """As the module's docstring says it, with sets."""
    ours = plain_facts(a.tolist(), transparent)
    found = []
    for theirs in (plain_facts(b.tolist(), transparent), plain_facts(b[:, ::-1].tolist(), transparent)):
        union = ours | theirs
        found.append(1 - len(ours & theirs) / len(union) if union else 0.0)
    return min(found)


def blobs(count: int, seed: int, colours: int, size: int = 32) -> Cells:
    """Smooth random shapes with smooth patches of colour, about a third of the canvas; 0 is transparent."""
    g = np.random.default_rng(seed)
    shape, patches = gaussian_filter(g.normal(size=(2, count, size, size)), (0, 0, size / 10, size / 10))
    y, x = np.mgrid[:size, :size] / (size - 1) - 0.5
    shape = shape / shape.std(axis=(1, 2), keepdims=True) - 6 * (y**2 + x**2)
    opaque = shape > np.quantile(shape, 0.65, axis=(1, 2), keepdims=True)
    ranks = patches.reshape(count, -1).argsort(axis=1).argsort(axis=1).reshape(patches.shape)
    return np.where(opaque, 1 + ranks * colours // (size * size), 0).astype(np.uint8)


def disguised(batch: Cells, share: float, colours: int, seed: int) -> Cells:
    """Copies with a share of the opaque pixels changed one by one, all recoloured one to one, and mirrored."""
    g = np.random.default_rng(seed)
    copies = batch.copy()
    for sprite in copies:
        ys, xs = np.nonzero(sprite)
        chosen = g.choice(len(ys), int(share * len(ys)), replace=False)
        at = ys[chosen], xs[chosen]
        sprite[at] = (sprite[at] - 1 + g.integers(1, colours, len(chosen))) % colours + 1
    return np.concatenate([[0], 1 + g.permutation(255)]).astype(np.uint8)[copies][:, :, ::-1]


class TestDistance:
    def test_a_case_by_hand(self) -> None:
        # One pixel: 1 opaque, 2 + 2 edges. Two pixels of two colours: 2 opaque, 3 + 4 edges. Shared: 1 + 2 + 2 of 9.
        one, two = np.array([[1, 0]], np.uint8), np.array([[1, 2]], np.uint8)
        assert distance(one, two) == pytest.approx(1 - 5 / 9)

    @pytest.mark.parametrize("transparent", [0, 3, None])
    @QUICK
    @given(batch=batches(4))
    def test_against_sets(self, batch: Cells, transparent: int | None) -> None:
        found = distances(signatures(batch[:2], transparent), signatures(batch, transparent))
        assert found.dtype == np.float32
        expected = [[plain_distance(a, b, transparent) for b in batch] for a in batch[:2]]
        np.testing.assert_allclose(found, expected, atol=1e-6)

    @pytest.mark.parametrize("size", [(1, 1), (1, 9), (9, 1), (8, 8), (7, 5)])
    @pytest.mark.parametrize("transparent", [0, None])
    def test_odd_sizes_against_sets(self, size: tuple[int, int], transparent: int | None) -> None:
        batch = np.random.default_rng(0).integers(0, 3, (5, *size), dtype=np.uint8)
        found = distances(signatures(batch, transparent), signatures(batch, transparent))
        np.testing.assert_allclose(
            found, [[plain_distance(a, b, transparent) for b in batch] for a in batch], atol=1e-6
        )

    @pytest.mark.parametrize("transparent", [0, None])
    @QUICK
    @given(batch=batches(1), seed=st.integers(0, 1000))
    def test_recolouring_and_mirroring_change_nothing(self, batch: Cells, seed: int, transparent: int | None) -> None:
        table = np.random.default_rng(seed).permutation(256).astype(np.uint8)
        if transparent is not None:
            other = int(np.flatnonzero(table == 0)[0])
            table[other], table[0] = table[0], 0
        assert distance(batch[0], table[batch[0]][:, ::-1], transparent) == 0.0

    @QUICK
    @given(batch=batches(3, largest=4, colours=3))
    def test_is_a_metric(self, batch: Cells) -> None:
        marks = signatures(batch, 0)
        table = distances(marks, marks)
        assert (table.diagonal() == 0).all()
        assert (table == table.T).all()
        assert ((table >= 0) & (table <= 1)).all()
        assert table[0, 2] <= table[0, 1] + table[1, 2] + 1e-6

    def test_blank_sprites(self) -> None:
        blank, dot = np.zeros((4, 4), np.uint8), np.eye(4, dtype=np.uint8)
        assert distance(blank, blank) == 0.0
        assert distance(blank, dot) == 1.0
        assert distance(blank, blank + 7, None) == 0.0

    def test_an_empty_border_changes_nothing(self) -> None:
        a, b = np.random.default_rng(1).integers(0, 4, (2, 6, 6), dtype=np.uint8)
        assert distance(np.pad(a, 2), np.pad(b, 2)) == distance(a, b)

    def test_merged_colours_are_a_change(self) -> None:
        stripes = np.array([[1, 2, 1, 2]], np.uint8)
        assert distance(stripes, np.ones((1, 4), np.uint8)) > 0

    def test_sets_that_do_not_go_together_are_refused(self) -> None:
        small, large = np.zeros((1, 2, 2), np.uint8), np.zeros((1, 3, 3), np.uint8)
        with pytest.raises(InputError, match="sprites must have one size"):
            distances(signatures(small, 0), signatures(large, 0))
        with pytest.raises(InputError, match="both a transparent colour or neither"):
            distances(signatures(small, 0), signatures(small, None))
        with pytest.raises(GridError, match="batch must be a"):
            signatures(np.zeros((2, 2), np.uint8), 0)


class TestNearest:
    @pytest.mark.parametrize("block", [1, 3, 7, 1000])
    def test_blocks_give_what_the_whole_table_gives(self, block: int) -> None:
        batch = np.random.default_rng(2).integers(0, 3, (25, 4, 5), dtype=np.uint8)
        a, b = signatures(batch[:10], 0), signatures(batch, 0)
        table = distances(a, b)
        np.testing.assert_array_equal(distances(a, b, block=block), table)
        index, near = nearest(a, b, block=block)
        np.testing.assert_array_equal(index, table.argmin(axis=1))
        np.testing.assert_array_equal(near, table.min(axis=1))
        whole = distances(b, b)
        np.fill_diagonal(whole, np.inf)
        index, near = nearest_other(b, block=block)
        np.testing.assert_array_equal(index, whole.argmin(axis=1))
        np.testing.assert_array_equal(near, whole.min(axis=1))

    def test_of_nothing(self) -> None:
        none, one = signatures(np.zeros((0, 2, 2), np.uint8), 0), signatures(np.zeros((1, 2, 2), np.uint8), 0)
        assert [len(part) for part in nearest(none, one)] == [0, 0]
        assert [len(part) for part in nearest_other(none)] == [0, 0]
        with pytest.raises(InputError, match="sprites to compare with must be at least one, got 0"):
            nearest(one, none)
        with pytest.raises(InputError, match="sprites to compare among must be at least two, got 1"):
            nearest_other(one)


class TestGroups:
    def test_copies_share_a_group(self) -> None:
        sprites = blobs(3, seed=1, colours=4)
        batch = np.concatenate([sprites, disguised(sprites, 0.0, 4, seed=2)])
        assert groups(signatures(batch, 0)).tolist() == [0, 1, 2, 0, 1, 2]

    def test_a_chain_is_one_group(self) -> None:
        # A bar that grows by one pixel: neighbours are near, the ends are not.
        batch = np.array([[[1] * n + [0] * (20 - n)] for n in range(8, 21)], np.uint8)
        marks = signatures(batch, 0)
        assert distances(marks[:1], marks[-1:])[0, 0] > NEAR_COPY
        assert groups(marks).tolist() == [0] * 13

    @pytest.mark.parametrize("block", [1, 4, 1000])
    def test_against_plain_merging(self, block: int) -> None:
        batch = np.random.default_rng(3).integers(0, 2, (40, 3, 3), dtype=np.uint8)
        marks = signatures(batch, 0)
        near = distances(marks, marks) <= 0.3
        labels = list(range(40))
        for i, j in np.argwhere(near):
            low, high = sorted((labels[i], labels[j]))
            labels = [low if label == high else label for label in labels]
        order = {label: place for place, label in enumerate(dict.fromkeys(labels))}
        found = groups(marks, 0.3, block=block).tolist()
        assert found == [order[label] for label in labels]
        assert 1 < len(order) < 40

    @pytest.mark.parametrize("transparent", [0, None])
    @QUICK
    @given(batch=batches(12, largest=9, colours=3), threshold=st.sampled_from([0.0, 0.1, 0.2, 0.5, 1.0]))
    def test_no_bound_hides_a_near_copy(self, batch: Cells, threshold: float, transparent: int | None) -> None:
        marks = signatures(batch, transparent)
        _, expected = connected_components(distances(marks, marks) <= np.float32(threshold), directed=False)
        found = groups(marks, threshold, block=5)
        assert ((found[:, None] == found) == (expected[:, None] == expected)).all()

    def test_sprites_of_one_kind(self) -> None:
        sprites = blobs(120, seed=8, colours=3)
        batch = np.concatenate([sprites, disguised(sprites, 0.05, 3, seed=9), disguised(sprites, 0.2, 3, seed=10)])
        marks = signatures(batch, 0)
        _, expected = connected_components(distances(marks, marks) <= np.float32(NEAR_COPY), directed=False)
        found = groups(marks, block=64)
        assert 120 < len(set(found.tolist())) < 360
        assert ((found[:, None] == found) == (expected[:, None] == expected)).all()

    def test_of_nothing(self) -> None:
        assert groups(signatures(np.zeros((0, 0, 0), np.uint8), 0)).tolist() == []


class TestKeepers:
    @staticmethod
    def plain(near: NDArray[np.bool_]) -> list[int]:
        stay: list[int] = []
        found = []
        for place, row in enumerate(near):
            first = next((other for other in stay if row[other]), place)
            if first == place:
                stay.append(place)
            found.append(first)
        return found

    @pytest.mark.parametrize("transparent", [0, None])
    @QUICK
    @given(batch=batches(14, largest=6, colours=3), threshold=st.sampled_from([0.0, 0.2, 0.5, 0.8]))
    def test_against_plain_choosing(self, batch: Cells, threshold: float, transparent: int | None) -> None:
        marks = signatures(batch, transparent)
        expected = self.plain(distances(marks, marks) <= np.float32(threshold))
        for block in (4, 100):
            assert keepers(marks, threshold, block=block).tolist() == expected

    def test_of_a_long_chain_several_stay(self) -> None:
        batch = np.array([[[1] * n + [0] * (30 - n)] for n in range(8, 31)], np.uint8)
        marks = signatures(batch, 0)
        found = keepers(marks, block=5)
        stay = np.flatnonzero(found == np.arange(len(batch)))
        assert len(set(groups(marks).tolist())) == 1
        assert 1 < len(stay) < len(batch)
        table = distances(marks, marks)
        assert (table[np.ix_(stay, stay)][~np.eye(len(stay), dtype=bool)] > NEAR_COPY).all()
        assert (table[np.arange(len(batch)), found] <= NEAR_COPY).all()

    def test_of_nothing(self) -> None:
        assert keepers(signatures(np.zeros((0, 2, 2), np.uint8), 0)).tolist() == []


class TestThreshold:
    @pytest.mark.parametrize("colours", [2, 4, 8])
    def test_finds_disguised_copies_and_keeps_others_apart(self, colours: int) -> None:
        sprites = blobs(300, seed=4, colours=colours)
        copies = disguised(sprites, 0.05, colours, seed=5)
        index, near = nearest(signatures(copies, 0), signatures(sprites, 0))
        assert (index == np.arange(300)).all()
        assert near.max() <= NEAR_COPY  # by arithmetic: it cannot be more
        assert (nearest_other(signatures(sprites, 0))[1] > NEAR_COPY).all()

    def test_the_worst_case_reaches_but_never_passes_it(self) -> None:
        # A plain square of which every 20th pixel changes, no two of them neighbours.
        square = np.ones((40, 40), np.uint8)
        y, x = np.mgrid[:40, :40]
        spotted = np.where((x + 4 * y) % 20 == 0, 2, 1).astype(np.uint8)
        assert 0.12 < distance(square, spotted) <= NEAR_COPY
