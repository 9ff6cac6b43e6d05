"""Canvas, shapes and finish, on small cases worked by hand."""

import math

import numpy as np
import pytest

from pixelreef.corpus.parts import PART_INDEX
from pixelreef.corpus.reef import finish
from pixelreef.corpus.reef.canvas import LIGHT, Canvas
from pixelreef.corpus.reef.shapes import curve, ellipse, fan, line, polygon, profile, stroke


def canvas(size: int = 32, facing: int = 1, tilt: float = 0.0) -> Canvas:
    made = Canvas(size)
    made.pose(facing, tilt)
    return made


def test_the_light_has_length_one() -> None:
    assert math.hypot(*LIGHT) == pytest.approx(1, abs=0.01)


def test_a_circle_is_a_circle() -> None:
    drawn = canvas()
    assert ellipse(drawn, 0, 0, 0.5, 0.5).mask.sum() == pytest.approx(math.pi * 8**2, rel=0.04)


@pytest.mark.parametrize(("facing", "tilt"), [(1, 0.0), (-1, 0.0), (1, 0.8), (-1, -2.0)])
def test_whatever_the_pose_the_upper_left_is_lit(facing: int, tilt: float) -> None:
    drawn = canvas(facing=facing, tilt=tilt)
    for shape in (ellipse(drawn, 0, 0, 0.7, 0.7), stroke(drawn, [(-0.01, 0), (0.01, 0)], (0.7,))):
        ys, xs = np.nonzero(shape.mask)
        order = np.argsort(shape.lit[ys, xs])
        darkest, lightest = order[:40], order[-40:]
        middle = drawn.side / 2
        assert xs[lightest].mean() < middle < xs[darkest].mean()
        assert ys[lightest].mean() < middle < ys[darkest].mean()


def test_a_profile_of_sines_is_an_ellipse() -> None:
    drawn = canvas(64)
    knots = [0.4 * math.sin(math.pi * i / 8) for i in range(9)]
    found = profile(drawn, -0.7, 0.7, knots, knots).mask
    assert (found ^ ellipse(drawn, 0, 0, 0.7, 0.4).mask).mean() < 0.004


def test_a_polygon_is_what_even_odd_says() -> None:
    drawn = canvas(16)
    square = polygon(drawn, [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]).mask
    assert square.sum() == 64
    hole = polygon(drawn, [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], [(-0.25, -0.25), (0.25, -0.25), (0, 0)])
    assert 0 < square.sum() - hole.mask.sum() < 8


def test_a_fan_opens_where_it_is_told() -> None:
    drawn = canvas()
    ys, xs = np.nonzero(fan(drawn, 0, 0, math.pi - 0.5, math.pi + 0.5, (0.6,)).mask)
    assert xs.max() < drawn.side / 2
    assert ys.mean() == pytest.approx(drawn.side / 2 - 0.5, abs=0.3)
    assert len(xs) == pytest.approx(0.5 * (0.6 * 16) ** 2, rel=0.1)


@pytest.mark.parametrize("size", [16, 32, 64])
def test_a_line_is_one_pixel_wide_without_corners(size: int) -> None:
    mask = line(canvas(size), [(-0.7, -0.3), (0, 0.5), (0.7, 0.1)]).mask
    square = mask[1:, 1:].astype(int) + mask[:-1, 1:] + mask[1:, :-1] + mask[:-1, :-1]
    assert square.max() <= 2
    assert mask.sum() >= 0.6 * size


def test_a_curve_goes_through_its_points() -> None:
    points = [(0.0, 0.0), (0.5, 0.3), (1.0, -0.2)]
    assert curve(points, 5)[[0, 2, 4]] == pytest.approx(np.array(points), abs=1e-6)


def test_a_mirrored_creature_keeps_its_left() -> None:
    for facing, expected in ((1, "left eye"), (-1, "right eye")):
        drawn = canvas(facing=facing)
        drawn.paint(ellipse(drawn, -0.4, -0.3, 0.2, 0.2), "left eye", 0, 3)
        assert set(np.unique(drawn.part)) == {0, PART_INDEX[expected]}


def test_behind_and_edge() -> None:
    drawn = canvas()
    drawn.paint(ellipse(drawn, 0, 0, 0.5, 0.5), "body", 3, 3)
    drawn.paint(ellipse(drawn, 0, 0, 0.6, 0.6), "fin", 4, 5, behind=True)
    assert drawn.part[drawn.side // 2, drawn.side // 2] == PART_INDEX["body"]
    drawn.paint(ellipse(drawn, 0, 0, 0.2, 0.2), "limb", 4, 5, edge=2.0)
    assert (drawn.tone == 1).sum() > 0
    ys, xs = np.nonzero(drawn.tone == 1)
    assert ys.mean() > drawn.side / 2
    assert xs.mean() > drawn.side / 2


def test_an_outline_is_one_pixel_around() -> None:
    drawn = canvas(16)
    drawn.paint(polygon(drawn, [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]), "body", 2, 4)
    finish.outline(drawn, 0, 1)
    cells, parts = finish.sprite(drawn)
    assert (cells == 1 + 7 * 2 + 4).sum() == 64
    assert (cells == 1 + 7 * 2 + 0).sum() == (cells == 1 + 7 * 2 + 1).sum() == 16
    assert (cells[3, 4:12] == 1 + 7 * 2 + 1).all(), "lit above"
    assert cells[3, 3] == 0, "no doubled corner"
    assert (parts[cells != 0] == PART_INDEX["body"]).all()


def test_bare_threads_get_no_outline() -> None:
    drawn = canvas(16)
    drawn.paint(line(drawn, [(-0.6, 0.2), (0.6, 0.2)]), "tentacle", 2, 4, bare=True)
    finish.outline(drawn, 0, 1)
    assert set(np.unique(finish.sprite(drawn)[0])) == {0, 1 + 7 * 2 + 4}


def test_specks_go_and_threads_stay() -> None:
    drawn = canvas(32)
    drawn.part[10:14, 10:14] = 1
    drawn.part[20, 10:13] = 1
    drawn.part[25, 10:14] = 1
    cells, parts = finish.sprite(drawn)
    assert (cells != 0).sum() == (parts != 0).sum() == 16 + 4


def test_too_large_is_seen() -> None:
    drawn = canvas(32)
    drawn.paint(ellipse(drawn, 0, 0, 0.5, 0.5), "body", 0, 3)
    assert finish.fit(drawn) > 1
    drawn.paint(ellipse(drawn, 0, 0, 1.1, 0.5), "body", 0, 3)
    assert finish.fit(drawn) == pytest.approx(30 / 35, abs=0.05)
    drawn.paint(ellipse(drawn, 0, 0, 3, 0.5), "body", 0, 3)
    assert finish.fit(drawn) == 0.85


def test_a_turned_ellipse() -> None:
    drawn = canvas(64)
    x, y = drawn.x - 0.1, drawn.y + 0.1
    along, across = x * math.cos(0.7) + y * math.sin(0.7), y * math.cos(0.7) - x * math.sin(0.7)
    expected = (along / 0.6) ** 2 + (across / 0.2) ** 2 <= 1
    assert (ellipse(drawn, 0.1, -0.1, 0.6, 0.2, turn=0.7).mask ^ expected).sum() <= 2
