"""The primitives that checks are built from, against hand-worked cases and other implementations."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from drawings import drawing
from scipy import ndimage
from scipy.sparse.csgraph import dijkstra

from pixelreef.core.palette import Palette
from pixelreef.core.seeds import rng
from pixelreef.draw.vision.colours import EXAMPLES, NAMES, hue_between, names, tones
from pixelreef.draw.vision.regions import largest, regions
from pixelreef.draw.vision.routes import shortest, turns
from pixelreef.draw.vision.shapes import LEAST_SIDE, SHAPES, ideal, lie_of, opened, overlap, shape_of
from pixelreef.draw.vision.sight import OTHER, background, classes, counts, rim_share


def test_every_example_has_its_own_name() -> None:
    for name, shades in EXAMPLES.items():
        assert all(called[0] == name for called in names(Palette.from_hex(shades)))


@pytest.mark.parametrize(
    ("colour", "expected"),
    [
        ("ff0000", "red"),
        ("c0392b", "red"),
        ("ffa500", "orange"),
        ("f1c40f", "yellow"),
        ("2ecc71", "green"),
        ("3498db", "blue"),
        ("00ffff", "blue"),
        ("000080", "blue"),
        ("9b59b6", "purple"),
        ("ff69b4", "pink"),
        ("8b4513", "brown"),
        ("333333", "grey"),
        ("bdc3c7", "grey"),
        ("1a1a1a", "black"),
        ("ecf0f1", "white"),
    ],
)
def test_colours_that_models_use_have_the_names_people_give_them(colour: str, expected: str) -> None:
    assert names(Palette.from_hex([colour]))[0][0] == expected


def test_a_colour_on_the_border_has_both_names() -> None:
    (called,) = names(Palette.from_hex(["f05018"]))
    assert set(called) == {"red", "orange"}
    assert len(NAMES) == 11


def test_hues_wrap_round() -> None:
    crimson, red = tones(Palette.from_hex(["dc143c", "ff0000"]))
    assert hue_between(crimson, -20, 45)
    assert hue_between(red, 340, 400)
    assert not hue_between(red, 90, 180)


def test_background_counts_and_classes() -> None:
    cells = np.zeros((24, 24), np.uint8)
    cells[3:20, 3:20] = 1  # most cells, but not the rim
    cells[10, 10] = 2
    made = drawing(cells, np.array([[0, 0, 0], [200, 20, 20], [20, 20, 220]]))
    assert background(made) == 0
    assert counts(made).tolist() == [576 - 289, 288, 1]
    seen = classes(made, ["red", "black"])
    assert [int(seen[place, place]) for place in (0, 3, 10)] == [1, 0, OTHER]
    assert rim_share(np.asarray(seen == 1)) == 1


def test_regions_by_layer_size_and_corner() -> None:
    mask = np.zeros((24, 24), bool)
    mask[2:5, 2:6] = mask[5, 6] = True
    mask[20, 20] = True
    found = regions([mask, ~mask])
    assert [(region.layer, region.area) for region in found] == [(1, 576 - 14), (0, 12), (0, 1), (0, 1)]
    region = found[1]
    assert (region.top, region.left, region.bottom, region.right) == (2, 2, 4, 5)
    assert region.middle == (3.0, 3.5)
    joined = largest(mask, corners=True)
    assert joined is not None
    assert joined.area == 13
    assert regions([mask], least=20) == []
    assert largest(np.zeros((24, 24), bool)) is None


def test_regions_agree_with_their_cells() -> None:
    for seed in range(30):
        mask = rng(seed, "regions").random((24, 24)) < 0.45
        again = np.zeros_like(mask)
        for region in regions([mask]):
            again[region.top : region.bottom + 1, region.left : region.right + 1] |= region.mask
            assert region.mask.sum() == region.area
        assert np.array_equal(again, mask)


@pytest.mark.parametrize("shape", SHAPES)
def test_ideals_are_what_they_are_called(shape: str) -> None:
    for side in range(max(5, LEAST_SIDE[shape]), 20):
        assert shape_of(ideal(shape, side, side)) == shape
        assert overlap(ideal(shape, side, side), shape) == 1


def test_outlines_and_turned_triangles() -> None:
    outline = np.ones((9, 9), bool)
    outline[1:-1, 1:-1] = False
    assert shape_of(outline) == "square"
    assert all(shape_of(ideal("triangle", 5, 9, turn)) == "triangle" for turn in range(4))
    assert shape_of(np.tri(8, dtype=bool)) == "triangle"
    assert shape_of(np.ones((4, 12), bool)) is None
    assert shape_of(np.eye(9, dtype=bool)) is None


def test_opening_agrees_with_scipy() -> None:
    octagon = np.array([list("01110"), *[list("11111")] * 3, list("01110")]) == "1"
    for seed in range(20):
        mask = rng(seed, "opening").random((16, 19)) < 0.85
        for brush in (np.ones((3, 3), bool), octagon):
            margin = brush.shape[0] - 1
            inner = opened(mask, brush)[margin:-margin, margin:-margin]
            assert np.array_equal(inner, ndimage.binary_opening(mask, brush))


def test_lie_agrees_with_eigenvectors() -> None:
    for seed in range(20):
        random = rng(seed, "lie")
        mask = random.random((24, 24)) < 0.2
        mask[random.integers(24)] = True
        lie = lie_of(mask)
        points = np.argwhere(mask).astype(float)
        values, vectors = np.linalg.eigh(np.cov(points.T, bias=True) + np.eye(2) / 12)
        assert (lie.row, lie.column) == pytest.approx(tuple(points.mean(axis=0)))
        assert lie.stretch == pytest.approx(np.sqrt(values[1] / values[0]))
        assert abs(vectors[:, 1] @ [np.sin(lie.turn), np.cos(lie.turn)]) == pytest.approx(1)


def test_shortest_ways_agree_with_dijkstra() -> None:
    for seed in range(40):
        floor = rng(seed, "routes").random((12, 15)) < 0.7
        floor[0, 0] = floor[-1, -1] = True
        start, goal = np.zeros((2, 12, 15), bool)
        start[0, 0] = goal[-1, -1] = True
        way = shortest(floor, start, goal)
        steps = dijkstra(_graph(floor), indices=[0], unweighted=True)[0, -1]
        assert len(way) == (0 if np.isinf(steps) else steps + 1)
        assert all(floor[cell] for cell in way)
        assert all(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 for a, b in pairwise(way))


def _graph(floor: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    height, width = floor.shape
    table = np.zeros((floor.size, floor.size))
    for row, column in np.argwhere(floor):
        for down, right in ((0, 1), (1, 0)):
            if row + down < height and column + right < width and floor[row + down, column + right]:
                table[row * width + column, (row + down) * width + column + right] = 1
    return table + table.T


def test_turns() -> None:
    assert turns([(0, 0), (0, 1), (0, 2)]) == 0
    assert turns([(0, 0), (0, 1), (1, 1), (1, 2)]) == 2
    assert turns([]) == 0
