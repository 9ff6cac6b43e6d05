"""Many limbs at once, on small cases worked by hand."""

import math

import numpy as np
import pytest

from pixelreef.corpus.reef import limbs as module
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.limbs import dots, limbs
from pixelreef.corpus.reef.shapes import stroke


def canvas(size: int = 64, facing: int = 1, tilt: float = 0.0) -> Canvas:
    made = Canvas(size)
    made.pose(facing, tilt)
    return made


def test_a_straight_limb_is_a_capsule() -> None:
    shape = limbs(canvas(), [([(-0.5, 0.0), (0.5, 0.0)], [0.1875, 0.1875])])
    area = 1.0 * 0.375 + math.pi * 0.1875**2
    assert shape.mask.sum() == pytest.approx(area * 32**2, rel=0.03)


def test_a_curved_limb_is_a_stroke() -> None:
    drawn = canvas(tilt=0.4, facing=-1)
    points, widths = [(-0.6, 0.3), (-0.2, -0.2), (0.5, 0.1)], [0.2, 0.15, 0.1]
    one, other = limbs(drawn, [(points, widths)]), stroke(drawn, points, widths)
    both = one.mask & other.mask
    assert (one.mask ^ other.mask).sum() < 0.06 * both.sum()
    assert np.abs(one.u - other.u)[both].mean() < 0.06
    assert np.abs(one.v - other.v)[both].mean() < 0.12
    assert np.abs(one.lit - other.lit)[both].mean() < 0.06


def test_along_runs_from_root_to_tip_of_each_limb() -> None:
    shape = limbs(canvas(), [([(-0.5, 0.5), (-0.5, -0.5)], [0.1, 0.1]), ([(0.5, -0.5), (0.5, 0.5)], [0.1, 0.1])])
    middle = shape.mask.shape[0] // 2
    for column, sign in ((middle - 16, -1), (middle + 16, 1)):
        along = shape.u[middle - 15 : middle + 16, column]
        assert (np.sign(np.diff(along)) == sign).all()
        assert along.min() < 0.1
        assert along.max() > 0.9


def test_nothing_is_thinner_than_a_pixel() -> None:
    shape = limbs(canvas(16), [([(-0.7, -0.6), (0.7, 0.55)], [0.0, 0.0])])
    assert shape.mask.any(axis=0).sum() >= 11
    assert shape.mask.sum() >= 11


def test_few_pieces_at_a_time_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    paths = [([(float(x), float(y)) for x, y in rng.uniform(-0.9, 0.9, (3, 2))], [0.1, 0.08, 0.05]) for _ in range(6)]
    whole = limbs(canvas(), paths)
    monkeypatch.setattr(module, "_AT_ONCE", 1)
    parts = limbs(canvas(), paths)
    assert (whole.mask == parts.mask).all()
    assert np.abs(whole.lit - parts.lit)[whole.mask].max() < 1e-5


def test_limbs_off_the_canvas_are_nothing() -> None:
    assert not limbs(canvas(), [([(5.0, 5.0), (6.0, 6.0)], [0.1, 0.1])]).mask.any()


def test_dots_are_clusters() -> None:
    for place in np.linspace(-0.1, 0.1, 9).tolist():
        assert dots(canvas(16), [(place, place)], 0.0).sum() >= 2
    assert dots(canvas(), [(-0.5, 0), (0.5, 0)], 0.25).sum() == pytest.approx(2 * math.pi * 8**2, rel=0.04)
