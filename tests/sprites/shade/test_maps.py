"""The maps and the shader: Godot's own text, run on the files as they are written, paints what `shade` does."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray
from PIL import Image
from sprites.shade.gdshader import Vec, run
from sprites.shade.shapes import GREYS, Cells, disc, drawn, lights

from pixelreef.core import Palette, png_from_channels, reef_palette
from pixelreef.corpus.reef.make import make_sprite
from pixelreef.sprites.shade import Light, shade
from pixelreef.sprites.shade.light import AMOUNTS
from pixelreef.sprites.shade.maps import maps_from_cells, relight_shader

ONLY = dict.fromkeys(AMOUNTS, 0.0)


def reread(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    image = Image.open(io.BytesIO(png_from_channels(pixels)))
    assert image.mode == "RGBA"
    return np.array(image)


def relit(cells: Cells, palette: Palette, light: Light, parts: Cells | None = None) -> NDArray[np.uint8]:
    maps = maps_from_cells(cells, palette, parts)
    height, width = maps.normal.shape[:2]
    uniforms = {
        "normal_map": reread(maps.normal),
        "ramp_map": reread(maps.ramp),
        "ramp_table": reread(maps.table),
        "direction": Vec(*(np.float32(part) for part in light.direction)),
        **{name: getattr(light, name) for name in AMOUNTS},
        **maps.uniforms(),
    }
    return run(relight_shader(), width, height, uniforms)


@pytest.mark.parametrize("azimuth", range(0, 360, 45))
@pytest.mark.parametrize("amounts", [{**ONLY, "light": 1.0, "shadow": 0.8}, {}], ids=["directional", "all"])
def test_an_engine_lights_the_reef_as_shade_does(azimuth: float, amounts: dict[str, float]) -> None:
    light = replace(Light(azimuth), **amounts)
    for number, cell in enumerate([("jellyfish", "abyss"), ("reef-fish", "shallows"), ("coral", "hadal")]):
        entry = make_sprite(*cell, seed=3, number=number)
        expected = reef_palette().rgba[shade(entry.cells, reef_palette(), light, entry.parts)]
        assert np.array_equal(relit(entry.cells, reef_palette(), light, entry.parts), expected)
        assert not np.array_equal(expected, reef_palette().rgba[entry.cells])


@given(drawn(), lights)
@settings(max_examples=150)
def test_an_engine_lights_any_sprite_as_shade_does(sprite: tuple[Cells, Palette], light: Light) -> None:
    cells, palette = sprite
    assert np.array_equal(relit(cells, palette, light), palette.rgba[shade(cells, palette, light)])


def test_a_sprite_that_is_flipped_has_its_light_flipped_back() -> None:
    """Godot mirrors the picture and its maps; the uniform mirrors the normals."""
    cells, light = disc(17, 7.5, 4), Light(20, light=1, shadow=1)
    cells[3:8, 3:8] = 5
    maps = maps_from_cells(cells, GREYS)
    uniforms = {
        "normal_map": maps.normal[:, ::-1],
        "ramp_map": maps.ramp[:, ::-1],
        "ramp_table": maps.table,
        "direction": Vec(*(np.float32(part) for part in light.direction)),
        "flip": -1.0,
        **{name: getattr(light, name) for name in AMOUNTS},
        **maps.uniforms(),
    }
    mirrored = shade(np.ascontiguousarray(cells[:, ::-1]), GREYS, light)
    assert np.array_equal(run(relight_shader(), 17, 17, uniforms), GREYS.rgba[mirrored])


def test_the_shader_starts_from_the_usual_light() -> None:
    cells = make_sprite("cephalopod", "twilight", seed=1, number=0).cells
    maps = maps_from_cells(cells, reef_palette())
    uniforms = {"normal_map": maps.normal, "ramp_map": maps.ramp, "ramp_table": maps.table}
    painted = run(relight_shader(), 32, 32, uniforms)
    assert np.array_equal(painted, reef_palette().rgba[shade(cells, reef_palette())])


def test_maps_by_hand() -> None:
    """A ball: in the middle the usual flat blue, red to the right, green upwards; ramp and level as the palette has."""
    maps = maps_from_cells(disc(17, 7.5, 1 + 7 * 2 + 4), reef_palette())
    assert maps.normal[8, 8].tolist() == [128, 128, 255, 255]
    assert maps.normal[8, 14, 0] > 200 > 128 > 60 > maps.normal[8, 2, 0]
    assert maps.normal[2, 8, 1] > 200 > 128 > 60 > maps.normal[14, 8, 1]
    assert maps.ramp[8, 8].tolist() == [2, 4, 0, 255]
    assert maps.ramp[8, 15].tolist() == [2, 4, 128, 255]
    assert not maps.normal[0, 0].any()
    assert not maps.ramp[0, 0].any()
    assert np.array_equal(maps.table, reef_palette().rgba[1:].reshape(9, 7, 4))
    assert maps.uniforms() == {"per_step": 1.0, "base": 2.0}


def test_frames_stand_side_by_side() -> None:
    one, two = disc(9, 3), disc(9, 4)
    together = maps_from_cells(np.stack([one, two]), GREYS)
    assert together.normal.shape == (9, 18, 4)
    assert np.array_equal(together.ramp[:, 9:], maps_from_cells(two, GREYS).ramp)
