"""What holds for every sprite, palette and light."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sprites.shade.shapes import Cells, drawn, lights

from pixelreef.core import Palette, ramps_from_palette
from pixelreef.sprites.shade import Light, shade
from pixelreef.sprites.shade.form import form_from_cells
from pixelreef.sprites.shade.light import AMOUNTS
from pixelreef.sprites.shade.stairs import stairs_from
from pixelreef.sprites.shade.walk import steps, walked

LIFTS, LOWERS = ("light", "rim"), ("shadow", "occlusion", "edges")
NO_LIGHT = dict.fromkeys(AMOUNTS, 0.0)


def check(sprite: tuple[Cells, Palette], light: Light, more: float, labels: bool) -> None:
    cells, palette = sprite
    parts = (cells % 25).astype(np.uint8) if labels else None
    ramps = ramps_from_palette(palette)
    made = shade(cells, palette, light, parts)
    solid = cells != palette.transparent if palette.transparent is not None else np.ones(cells.shape, np.bool_)
    assert made.dtype == np.uint8
    assert (made < len(palette)).all()
    assert np.array_equal(made[~solid], cells[~solid])
    assert (ramps.ramp_of[made[solid]] == ramps.ramp_of[cells[solid]]).all()
    assert np.array_equal(shade(cells, palette, replace(light, **NO_LIGHT), parts), cells)
    mirrored = shade(cells[:, ::-1], palette, light.mirrored(), None if parts is None else parts[:, ::-1])
    assert np.array_equal(mirrored[:, ::-1], made)
    stairs = stairs_from(palette)
    form = form_from_cells(cells[None], stairs, None if parts is None else parts[None])
    assert np.array_equal(walked(cells[None], stairs, steps(form, light))[0], made)
    for names, sign in ((LIFTS, 1), (LOWERS, -1)):
        for name in names:
            stronger = replace(light, **{name: max(more, getattr(light, name))})
            lit = walked(cells[None], stairs, steps(form, stronger))[0]
            assert (sign * (ramps.step_of[lit] - ramps.step_of[made]) >= 0).all(), name


LAWS = given(sprite=drawn(), light=lights, more=st.floats(0, 1), labels=st.booleans())


@LAWS
@settings(max_examples=200)
def test_the_laws(sprite: tuple[Cells, Palette], light: Light, more: float, labels: bool) -> None:
    """Colours stay on their ramps, silhouettes stay, no light is no change, mirrors are exact, amounts are monotone."""
    check(sprite, light, more, labels)


@pytest.mark.slow
@LAWS
@settings(max_examples=10_000)
def test_the_laws_ten_thousand_times(sprite: tuple[Cells, Palette], light: Light, more: float, labels: bool) -> None:
    check(sprite, light, more, labels)


@given(sprites=st.lists(drawn(side=6), min_size=1, max_size=4), light=lights)
@settings(max_examples=50)
def test_a_sprite_is_shaded_alike_alone_and_among_others(sprites: list[tuple[Cells, Palette]], light: Light) -> None:
    palette = sprites[0][1]
    height, width = sprites[0][0].shape
    batch = np.stack([np.resize(cells, (height, width)) % len(palette) for cells, _ in sprites])
    together = shade(batch, palette, light)
    assert all(np.array_equal(shade(one, palette, light), made) for one, made in zip(batch, together, strict=True))
