from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixelreef.core.seeds import rng
from pixelreef.sprites.config import Config
from pixelreef.sprites.given import KINDS, random_given

CONFIG = Config(height=12, width=8, colours=4)


@given(st.integers(0, 2**32))
def test_something_is_always_left_to_draw(seed: int) -> None:
    random = rng(seed, "given")
    found = random_given(random, CONFIG)
    assert found.shape == (12, 8)
    assert found.dtype == np.bool_
    assert not found.all()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gives_some_pixels_and_leaves_some(kind: object) -> None:
    shares = [float(kind(rng(seed, "kind"), CONFIG).mean()) for seed in range(50)]  # type: ignore[operator]
    assert 0.05 < np.mean(shares) < 0.95
