from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixelreef.draw import raster

AT = st.integers(0, 23)
POINT = st.tuples(AT, AT)


def picture(mask: raster.Mask, side: int) -> str:
    return "\n".join("".join(".#"[int(cell)] for cell in row[:side]) for row in mask[:side])


@pytest.mark.parametrize(
    ("mask", "drawn"),
    [
        (raster.circle(2, 2, 2), ".###.\n#####\n#####\n#####\n.###."),
        (raster.ellipse(0, 1, 4, 3), ".....\n.###.\n#####\n.###.\n....."),
        (raster.polygon([(0, 4), (2, 0), (4, 4)]), "..#..\n..##.\n.###.\n.####\n#####"),
        (raster.line((0, 0), (4, 2)), "#....\n.##..\n...##\n.....\n....."),
        (raster.rect(1, 1, 3, 2), ".....\n.###.\n.###.\n.....\n....."),
    ],
)
def test_small_shapes(mask: raster.Mask, drawn: str) -> None:
    assert picture(mask, 5) == drawn


@given(POINT, POINT)
def test_a_line_is_the_same_from_either_end_and_connected(start: tuple[int, int], end: tuple[int, int]) -> None:
    mask = raster.line(start, end)
    assert (mask == raster.line(end, start)).all()
    assert mask[start[1], start[0]]
    assert mask[end[1], end[0]]
    assert mask.sum() == max(abs(start[0] - end[0]), abs(start[1] - end[1])) + 1


@given(AT, AT, AT, AT)
def test_an_ellipse_is_mirrored_both_ways_and_touches_its_box(x0: int, y0: int, x1: int, y1: int) -> None:
    (left, right), (top, bottom) = sorted([x0, x1]), sorted([y0, y1])
    whole = raster.ellipse(left, top, right, bottom)
    inner = whole[top : bottom + 1, left : right + 1]
    assert whole.sum() == inner.sum() > 0
    assert (inner == inner[::-1]).all()
    assert (inner == inner[:, ::-1]).all()
    assert inner[0].any() or inner.shape[1] % 2 == 0  # no cell is centred on the tip of an even one
    assert inner[:, 0].any() or inner.shape[0] % 2 == 0


@given(st.lists(POINT, min_size=3, max_size=7))
def test_a_polygon_is_the_same_from_every_corner_and_both_ways_round(points: list[tuple[int, int]]) -> None:
    mask = raster.polygon(points)
    assert (mask == raster.polygon(points[1:] + points[:1])).all()
    assert (mask == raster.polygon(points[::-1])).all()


@given(AT, AT, AT, AT)
def test_a_rectangle_as_polygon_is_the_rectangle(x0: int, y0: int, x1: int, y1: int) -> None:
    (left, right), (top, bottom) = sorted([x0, x1]), sorted([y0, y1])
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    assert (raster.polygon(corners) == raster.rect(left, top, right, bottom)).all()


def test_circles_grow() -> None:
    sizes = [raster.circle(12, 12, radius) for radius in range(12)]
    for small, large in itertools.pairwise(sizes):
        assert not (small & ~large).any()
    areas = np.array([mask.sum() for mask in sizes[3:]])
    wanted = np.pi * (np.arange(3, 12) + 0.5) ** 2
    assert (np.abs(areas / wanted - 1) < 0.09).all()
