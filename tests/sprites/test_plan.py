"""The order of patches, and the way between grids and patches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from sprite_models import small_config

from pixelreef.errors import InputError
from pixelreef.sprites.config import Config, config_from_document
from pixelreef.sprites.pixels import seen_places
from pixelreef.sprites.plan import Plan, grid_from_patches, patches_from_grid, plain_plan, plan_from_given


def test_given_patches_come_first_and_parts_are_shown() -> None:
    config = Config(height=4, width=6, patch=2)
    given_ = np.zeros((4, 6), np.bool_)
    given_[2:, 2:4] = True
    given_[0, 5] = True
    assert plan_from_given(given_, config) == Plan((4, 0, 1, 2, 3, 5), (2,), 1)
    assert plan_from_given(np.zeros((4, 6), np.bool_), config) == plain_plan(config)
    with pytest.raises(InputError, match="mask of given pixels must be 4 × 6"):
        plan_from_given(given_.T, config)


def test_patches_by_hand() -> None:
    config = Config(height=2, width=4, patch=2)
    grid = np.arange(8).reshape(2, 4)
    assert patches_from_grid(grid, config).tolist() == [[0, 1, 4, 5], [2, 3, 6, 7]]


@given(some.sampled_from([(8, 24, 4), (6, 4, 2), (3, 5, 1)]), some.integers(0, 3))
def test_there_and_back(size: tuple[int, int, int], count: int) -> None:
    config = Config(height=size[0], width=size[1], patch=size[2])
    grids = np.random.default_rng(0).integers(0, 9, (count, *size[:2]))
    assert (grid_from_patches(patches_from_grid(grids, config), config) == grids).all()


def test_what_a_pixel_sees_by_hand() -> None:
    """The second patch of two, 2×2 each: its first pixel sees the first patch, its last all but itself."""
    config = Config(height=2, width=4, patch=2, window=3)
    seen = seen_places(plain_plan(config), np.zeros((2, 4), np.bool_), config)
    assert seen[1, 0].reshape(3, 3).tolist() == [[False] * 3, [True, False, False], [True, False, False]]
    assert seen[1, 3].reshape(3, 3).tolist() == [[True, True, False], [True, False, False], [False] * 3]
    given_ = np.zeros((2, 4), np.bool_)
    given_[1, 3] = True
    seen = seen_places(plan_from_given(given_, config), given_, config)
    assert seen[1, 0].reshape(3, 3).tolist() == [[False] * 3, [True, False, False], [True, False, True]]


def test_configurations_survive_as_documents() -> None:
    for config in (small_config(), small_config(factors={}, ramps=((0, 1),) * 9)):
        assert config_from_document(config.document()) == config


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"patch": 3}, "patch of a model must divide height and width"),
        ({"heads": 5}, "heads of a model must divide its trunk_width of 24, got 5"),
        ({"window": 4}, "window of a model must be odd"),
        ({"ground": 9}, "ground of a model must be one of its colours"),
        ({"colours": 300}, "colours of a model must be from 2 to 256"),
        ({"factors": {"a": ()}}, "factor 'a' of a model must have 1 to 256 values"),
        ({"factors": {str(place): ("b",) for place in range(9)}}, "have at most 8 factors"),
        ({"ramps": ((0, 0),)}, "one entry for each colour"),
    ],
)
def test_shapes_have_bounds(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        small_config(**wrong)
