from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sprites.shade.shapes import GREYS, disc

from pixelreef.core import Frame, Grid, Palette, Sprite, gif_from_sprite, read_image, read_sprite
from pixelreef.core.sprite_files import sprite_from_file
from pixelreef.sprites.shade import Light, shade
from pixelreef.sprites.shade.maps import maps_from_cells, relight_shader
from pixelreef.sprites.shade.sheet import flat_against_shaded
from pixelreef.sprites.shade.turntable import turntable
from pixelreef.sprites.shade.write import Order, Writer, shaded, without_light

BALL = Sprite.still(Grid(disc(17, 7.5, 4)), GREYS, "ball")
MOVING = Sprite(GREYS, (Frame(Grid(disc(9, 3)), 40), Frame(Grid(disc(9, 4)), 60)), "mover", {"seed": 3})


def test_every_frame_is_shaded_and_the_lineage_grows() -> None:
    once = shaded(MOVING, Light(10))
    assert [frame.milliseconds for frame in once.frames] == [40, 60]
    for before, after in zip(MOVING.frames, once.frames, strict=True):
        assert np.array_equal(after.grid.cells, shade(before.grid.cells, GREYS, Light(10)))
    assert once.lineage == {"seed": 3, "shaded": Light(10).document()}
    twice = shaded(once, Light(20))
    assert twice.lineage["shaded"] == {**Light(20).document(), "before": [Light(10).document()]}
    thrice = shaded(twice, Light(30))
    assert thrice.lineage["shaded"] == {**Light(30).document(), "before": [Light(10).document(), Light(20).document()]}


def test_files_are_what_the_record_says(tmp_path: Path) -> None:
    made, record = Writer(tmp_path, Order(Light(), maps=True, turntable=4)).write(MOVING)
    files = [record["file"], record["document"], record["animation"], record["turntable"]]
    files += [record["maps"][kind] for kind in ("normal", "ramp", "table")]
    assert sorted(map(Path, files)) == sorted(set(tmp_path.iterdir()) - {tmp_path / "relight.gdshader"})
    assert (tmp_path / "relight.gdshader").read_text() == relight_shader()
    assert read_sprite(record["document"]) == made
    assert sprite_from_file(record["file"]).grid == made.grid
    assert Path(record["animation"]).read_bytes() == gif_from_sprite(made)
    assert read_image(record["maps"]["normal"]).rgba.shape == (9, 18, 4)
    assert record["maps"]["uniforms"] == {"per_step": 4.0, "base": 0.0}
    assert record["changed_share"] > 0


def test_maps_and_turntables_are_of_the_sprite_without_its_drawn_light(tmp_path: Path) -> None:
    lit = shaded(BALL, Light(0, light=1, shadow=1))
    bare = without_light(lit, 0.8)
    made, record = Writer(tmp_path, Order(Light(), 0.8, True, 4)).write(lit)
    assert made.lineage["flattened"] == bare.lineage["flattened"] == 0.8
    assert made.grid == shaded(bare, Light()).grid != shaded(lit, Light()).grid
    assert np.array_equal(read_image(record["maps"]["ramp"]).rgba, maps_from_cells(bare.grid.cells, GREYS).ramp)
    assert Path(record["turntable"]).read_bytes() == gif_from_sprite(turntable(bare, Light(), 4), 7)
    assert without_light(lit, 0.0) is lit


def test_no_file_is_written_over_another(tmp_path: Path) -> None:
    writer = Writer(tmp_path, Order(Light(), maps=True))
    names = ["ball", "ball", "ball-normal", "sheet", "Ball", "../ball"]
    records = [writer.write(Sprite.still(BALL.grid, GREYS, name))[1] for name in names]
    made = [Path(record["file"]).name for record in records]
    assert made == ["ball.png", "ball-2.png", "ball-normal-2.png", "sheet-2.png", "ball-3.png", "ball-4.png"]
    every = [record["maps"][kind] for record in records for kind in ("normal", "ramp", "table")] + made
    assert len(set(every)) == len(every)


def test_a_long_palette_has_no_document(tmp_path: Path) -> None:
    greys = Palette(np.repeat(np.arange(100, dtype=np.uint8)[:, None], 3, axis=1), transparent=0)
    _, record = Writer(tmp_path, Order(Light())).write(Sprite.still(BALL.grid, greys))
    assert "document" not in record
    assert [path.name for path in tmp_path.iterdir()] == ["sprite.png"]


def test_the_sheet_sets_flat_beside_shaded() -> None:
    dark = Sprite.still(Grid(np.full((17, 17), 1, np.uint8)), GREYS)
    bright = Sprite.still(Grid(np.full((17, 17), 8, np.uint8)), GREYS)
    sheet = flat_against_shaded([(dark, bright)] * 7, "title")
    assert sheet.shape[2] == 3
    middle = sheet.shape[0] - 10 - 40
    colours = [tuple(pixel) for pixel in sheet[middle, :200].tolist()]
    assert colours.index((40, 40, 40)) < colours.index((250, 250, 250))
    assert flat_against_shaded([(dark, bright)]).shape[0] < sheet.shape[0]


def test_a_sheet_of_large_sprites_shows_the_first_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pixelreef.sprites.shade.sheet._MOST", 3 * 2 * 96**2)
    some = Sprite.still(Grid(np.zeros((96, 96), np.uint8)), GREYS)
    expected = flat_against_shaded([(some, some)] * 3, "x, the first 3 of 20")
    assert np.array_equal(flat_against_shaded([(some, some)] * 20, "x"), expected)
