from __future__ import annotations

import numpy as np
import pytest

from pixelreef.core.orphans import orphans
from pixelreef.core.reef import reef_palette
from pixelreef.metrics.craft import orphan_pixels
from pixelreef.metrics.tally import Tally


def test_orphans_are_what_the_measure_counts() -> None:
    random = np.random.default_rng(0)
    for _ in range(20):
        cells = random.integers(1, 40, (12, 12)).astype(np.uint8)
        counted = orphan_pixels(Tally(cells[None], reef_palette().rgb[None], np.array([64])))[0] * 144
        assert orphans(cells).sum() == pytest.approx(counted)


def test_a_single_pixel_is_alone_and_the_last_index_is_no_frame() -> None:
    assert orphans(np.array([[255]], np.uint8)).all()
    assert not orphans(np.full((1, 2), 255, np.uint8)).any()
