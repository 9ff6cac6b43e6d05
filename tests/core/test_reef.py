from __future__ import annotations

import numpy as np

from pixelreef.core import reef_palette, reef_ramps
from pixelreef.core.reef import LIGHTNESS, RAMP_NAMES, STEPS, ramp_recipe


def test_the_frozen_table_is_what_the_recipe_makes() -> None:
    made = [colour for name in RAMP_NAMES for colour in ramp_recipe(name)]
    assert reef_palette().hex() == ["000000", *made]


def test_sixty_four_entries_of_which_one_is_transparent_and_all_others_differ() -> None:
    palette = reef_palette()
    assert len(palette) == 64
    assert palette.transparent == 0
    assert len(set(palette.hex()[1:])) == 63


def test_an_index_says_its_ramp_and_step_by_division() -> None:
    ramps = reef_ramps()
    index = np.arange(1, 64)
    assert (ramps.ramp_of[1:] == (index - 1) // STEPS).all()
    assert (ramps.step_of[1:] == (index - 1) % STEPS).all()


def test_lightness_is_even_along_every_ramp() -> None:
    lightness = reef_palette().oklab[1:, 0].reshape(-1, STEPS)
    assert np.abs(lightness - np.array(LIGHTNESS)).max() < 0.002


def test_no_two_colours_are_closer_than_the_eye_can_tell() -> None:
    lab = reef_palette().oklab[1:]
    apart = np.linalg.norm(lab[:, None] - lab[None], axis=-1)
    assert apart[np.triu_indices(63, 1)].min() > 0.02


def test_hues_drift_towards_blue_in_shadow() -> None:
    lab = reef_palette().oklab[1:].reshape(-1, STEPS, 3)
    hue = np.rad2deg(np.arctan2(lab[..., 2], lab[..., 1]))
    to_blue = np.abs((hue - 265 + 180) % 360 - 180)
    for name, ramp in zip(RAMP_NAMES, to_blue, strict=True):
        if name not in ("azure", "slate"):  # these are blue as they are
            assert ramp[0] < ramp[3] - 5, name
