"""The Godot folder: settings, resource and scene by public parsers, scripts by a parser of GDScript."""

from __future__ import annotations

import configparser
import io
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from pixelreef.core import Frame, Grid, Palette, Sprite, reef_palette
from pixelreef.corpus.parts import PART_INDEX
from pixelreef.sprites.export import export
from pixelreef.sprites.export.godot import godot
from pixelreef.sprites.export.godot.scene import WINDOW, scene
from pixelreef.sprites.export.godot.text import call, quoted, value_text
from pixelreef.sprites.export.order import Labelled, order_from_sprites
from pixelreef.sprites.idle.frames import animated
from pixelreef.sprites.idle.motion import carried, sources
from pixelreef.sprites.parts.labeller import Labels
from pixelreef.sprites.shade import flattened, maps_from_cells

PALETTE = Palette.from_hex(["000000", "ff8800", "0088ff"], transparent=0)


def sprite(name: str, rows: list[list[list[int]]], times: list[int], **lineage: object) -> Sprite:
    frames = tuple(Frame(Grid.from_rows(one), time) for one, time in zip(rows, times, strict=True))
    return Sprite(PALETTE, frames, name, lineage)


JELLY = 'jelly"/\\abyss'
SOME = [
    sprite("b.fish", [[[1, 2]], [[2, 1]], [[2, 2]]], [80, 120, 40], cell=JELLY, seed=1, number=0),
    sprite("a fish", [[[1, 1]]], [125], cell=JELLY, seed=0, number=5),
    sprite("coral", [[[2, 2], [1, 1]]], [125]),
]


def parsed(text: str) -> Any:
    """By a public parser, which is older than Godot 4 and does not know its `&"names"`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it calls its own parser by old names
        godot_parser = pytest.importorskip("godot_parser", reason="needs the package godot-parser")
        return godot_parser.parse(text.replace('&"', '"'))


def files_of(some: list[Sprite], name: str = "reef") -> dict[str, str | bytes]:
    made = godot(order_from_sprites(some, name))
    return {path: data if path.endswith(".png") else data.decode() for path, data in made.items()}


def text_of(path: str, some: list[Sprite] = SOME, name: str = "reef") -> str:
    text = files_of(some, name)[path]
    assert isinstance(text, str)
    return text


def test_the_folder_has_all_that_its_files_name(tmp_path: Path) -> None:
    export(SOME, "godot", tmp_path)
    texts = [path.read_text() for path in tmp_path.rglob("*") if path.suffix != ".png" and path.is_file()]
    named = {path for text in texts for path in re.findall(r"res://([\w./-]+)", text)}
    assert named >= {"main.tscn", "reef/sprites.tres", "reef/sprites.png"}
    assert [path for path in named if not (tmp_path / path).is_file()] == []


def test_settings_start_the_scene_with_nearest_filtering() -> None:
    first, rest = text_of("project.godot", name='My "reef" \\').split("\n", 1)
    assert first == "config_version=5"
    settings_ = configparser.ConfigParser(interpolation=None)
    settings_.read_string(rest)
    assert settings_["application"]["config/name"] == '"My \\"reef\\" \\\\"'
    assert settings_["application"]["run/main_scene"] == '"res://main.tscn"'
    assert settings_["rendering"]["textures/canvas_textures/default_texture_filter"] == "0"


def test_every_frame_is_a_region_of_the_sheet_and_stands_as_long() -> None:
    read = parsed(text_of("reef/sprites.tres"))
    (head,) = (one.header for one in read.get_sections() if one.header.name == "gd_resource")
    assert (head["type"], head["load_steps"], head["format"]) == ("SpriteFrames", 7, 3)
    (body,) = (one for one in read.get_sections() if one.header.name == "resource")
    png = files_of(SOME)["reef/sprites.png"]
    assert isinstance(png, bytes)
    pixels = np.array(Image.open(io.BytesIO(png)))
    assert [one["name"] for one in body["animations"]] == ["b.fish", "a-fish", "coral"]
    for one, animation in zip(SOME, body["animations"], strict=True):
        assert animation["loop"] is True
        for frame, shown in zip(one.frames, animation["frames"], strict=True):
            region = read.find_sub_resource(id=shown["texture"].args[0])["region"]
            x, y, width, height = region.args
            assert np.array_equal(pixels[y : y + height, x : x + width], PALETTE.rgba[frame.grid.cells])
            assert shown["duration"] / animation["speed"] * 1000 == pytest.approx(frame.milliseconds)


def test_sprites_are_found_by_cell_in_the_order_of_their_seeds() -> None:
    read = parsed(text_of("reef/sprites.tres"))
    (body,) = (one for one in read.get_sections() if one.header.name == "resource")
    cells = {cell: list(names.args) for cell, names in body["metadata/cells"].items()}
    assert cells == {JELLY: ["a-fish", "b.fish"], "all": ["coral"]}


def test_the_scene_plays_every_sprite() -> None:
    read = parsed(text_of("main.tscn"))
    with read.use_tree() as tree:
        children = tree.root.get_children()
        assert tree.root["texture_filter"] == 1
    assert [child.name for child in children] == ["0_b_fish", "1_a-fish", "2_coral"]
    assert [(child.type, child["animation"], child["autoplay"]) for child in children] == [
        ("AnimatedSprite2D", name, name) for name in ("b.fish", "a-fish", "coral")
    ]
    assert {str(child["material"].args[0]) for child in children} == {"2_material"}
    assert {(int(scale.x), int(scale.y)) for scale in (child["scale"] for child in children)} == {(16, 16)}


@pytest.mark.parametrize("count", [1, 30, 500, 1200])
def test_what_the_scene_shows_stands_inside_the_window(count: int) -> None:
    order = order_from_sprites(sprite(f"s{number}", [[[1] * 32] * 32], [125]) for number in range(count))
    text = scene(order.pieces, "res://reef/sprites.tres")
    corners = [(int(x), int(y)) for x, y in re.findall(r"position = Vector2\((\d+), (\d+)\)", text)]
    zoom = int(re.findall(r"scale = Vector2\((\d+),", text)[0])
    assert len(corners) == min(count, WINDOW[0] // 40 * (WINDOW[1] // 40))
    free = np.ones((WINDOW[1], WINDOW[0]), bool)
    for x, y in corners:
        place = free[y : y + 32 * zoom, x : x + 32 * zoom]
        assert place.shape == (32 * zoom, 32 * zoom)
        assert place.all()
        place[:] = False


def test_the_scripts_are_gdscript() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parser = pytest.importorskip("gdtoolkit.parser", reason="needs the package gdtoolkit").parser
        for path, text in files_of(SOME).items():
            if path.endswith(".gd"):
                parser.parse(text)


def channels(data: bytes | str) -> Any:
    assert isinstance(data, bytes)
    return np.array(Image.open(io.BytesIO(data)).convert("RGBA"))


def balls() -> list[Sprite]:
    """Two frames of a ball that is drawn lit from the left, and a still that is not lit."""
    y, x = np.mgrid[-5:6, -5:6]
    lit = np.clip(4 - np.round(x / 2), 1, 6).astype(np.uint8)
    rows = [np.where(x**2 + y**2 < size, lit, 0).astype(np.uint8) for size in (26, 17)]
    ball = Sprite(reef_palette(), tuple(Frame(Grid(one)) for one in rows), "ball")
    return [ball, Sprite.still(Grid(np.minimum(rows[0], 3)), reef_palette(), "flat")]


@pytest.mark.parametrize("scale", [1, 3])
def test_the_maps_lie_below_the_sprites_and_fit_the_shader(scale: int) -> None:
    stills = [Sprite.still(frame.grid, reef_palette(), "ball") for frame in balls()[0].frames]
    made = godot(order_from_sprites([*stills, balls()[1]], scale=scale))
    normals, ramps = (channels(made[f"reef/{name}.png"]) for name in ("normals", "ramps"))
    seen = channels(made["reef/sprites.png"])[..., 3]
    assert np.array_equal(normals[..., 3], seen)
    assert np.array_equal(ramps[..., 3], seen)
    cells = np.stack([one.grid.cells for one in stills])
    bare = flattened(cells, reef_palette())
    assert not np.array_equal(bare, cells)
    wanted = maps_from_cells(bare, reef_palette())
    for number, (x, y) in enumerate(re.findall(r"Rect2\((\d+), (\d+)", made["reef/sprites.tres"].decode())[:2]):
        at = slice(int(y), int(y) + 11 * scale, scale), slice(int(x), int(x) + 11 * scale, scale)
        assert np.array_equal(normals[at], wanted.normal[:, 11 * number : 11 * number + 11])
        assert np.array_equal(ramps[at], wanted.ramp[:, 11 * number : 11 * number + 11])
    assert np.array_equal(channels(made["reef/table.png"]), wanted.table)


def maps_of_frames(sprite: Sprite, parts: tuple[Any, ...] = (), scale: int = 1) -> tuple[list[Any], list[Any]]:
    """The normal and the ramp map of every frame."""
    made = godot(order_from_sprites([Labelled(sprite, parts)], scale=scale))
    normals, ramps = (channels(made[f"reef/{name}.png"]) for name in ("normals", "ramps"))
    places = re.findall(r"Rect2\((\d+), (\d+), (\d+), (\d+)", made["reef/sprites.tres"].decode())
    regions = [
        (slice(int(y), int(y) + int(high), scale), slice(int(x), int(x) + int(wide), scale))
        for x, y, wide, high in places
    ]
    return [normals[at] for at in regions], [ramps[at] for at in regions]


@pytest.mark.parametrize("scale", [1, 2])
def test_the_maps_of_an_idle_animation_go_along_with_what_moves(scale: int) -> None:
    labels = np.zeros((16, 16), np.uint8)
    labels[5:11, 2:8], labels[7:9, 8:14] = PART_INDEX["body"], PART_INDEX["tail"]
    cells = np.where(labels == PART_INDEX["body"], 24, np.where(labels > 0, 53, 0)).astype(np.uint8)
    frames = animated(cells, 0, Labels(labels, 1.0), None, {}).frames
    came = sources(frames, 0, labels)
    assert came is not None
    sprite = Sprite(reef_palette(), tuple(Frame(Grid(one)) for one in frames), "fish")
    parts = tuple(carried(labels, one, np.zeros_like(labels)) for one in came)
    for of_frames in maps_of_frames(sprite, parts, scale):
        for one, made in zip(came, of_frames, strict=True):
            assert np.array_equal(made, carried(of_frames[0], one, np.zeros_like(made)))
    still = maps_from_cells(flattened(cells, reef_palette(), parts=labels), reef_palette(), labels)
    assert np.array_equal(maps_of_frames(sprite, parts)[0][0], still.normal)


def test_what_keeps_its_colour_in_any_other_animation_keeps_its_maps() -> None:
    ball = balls()[0]
    one, other = (frame.grid.cells for frame in ball.frames)
    same = (one == other) & (one > 0)
    assert same.sum() > 30
    apart = maps_from_cells(flattened(np.stack([one, other]), reef_palette()), reef_palette())
    assert not np.array_equal(apart.normal[:, :11][same], apart.normal[:, 11:][same])
    for first, second in maps_of_frames(ball):
        assert np.array_equal(first[same], second[same])


def test_the_material_sets_only_what_the_shader_has() -> None:
    made = {path: data for path, data in files_of(SOME).items() if isinstance(data, str)}
    uniforms = set(re.findall(r"^uniform \w+ (\w+)", made["reef/relight.gdshader"], re.MULTILINE))
    parameters = set(re.findall(r"^shader_parameter/(\w+) = ", made["reef/relight.tres"], re.MULTILINE))
    assert {"normal_map", "ramp_map", "ramp_table", "light", "shadow"} <= parameters <= uniforms
    assert set(re.findall(r'set_shader_parameter\("(\w+)"', made["reef/lamp.gd"])) == {"direction"} <= uniforms
    (body,) = (one for one in parsed(made["reef/relight.tres"]).get_sections() if one.header.name == "resource")
    assert body["shader_parameter/light"] == 0.6


def test_sprites_of_several_palettes_are_lit_by_one_of_all_their_colours() -> None:
    other = Sprite.still(Grid.from_rows([[0, 1]]), Palette.from_hex(["ffffff", "ff8800"]), "other")
    made = godot(order_from_sprites([*SOME, other]))
    seen, ramps, table = (channels(made[f"reef/{name}.png"]) for name in ("sprites", "ramps", "table"))
    shown = seen[..., 3] > 0
    assert np.array_equal(table[ramps[shown, 0], ramps[shown, 1]], seen[shown])  # too small to have a drawn light


def test_sprites_of_too_many_colours_stay_unlit() -> None:
    grid = Grid(np.arange(256, dtype=np.uint8).reshape(16, 16))
    greys = np.repeat(np.arange(256)[:, None], 3, axis=1)
    pair = [Sprite.still(grid, Palette(greys // by), "grey") for by in (2, 4)]
    reds = Sprite.still(grid, Palette(greys * [1, 0, 0]), "red")
    assert "reef/relight.tres" in godot(order_from_sprites(pair))
    made = godot(order_from_sprites([*pair, reds]))
    assert not [path for path in made if "relight" in path or "lamp" in path]
    assert b"material" not in made["main.tscn"]


def test_the_client_keeps_the_address_of_the_service_in_one_place() -> None:
    client = text_of("reef/client.gd")
    assert client.count("127.0.0.1") == 1
    assert 'const ADDRESS := "http://127.0.0.1:8765"' in client
    assert '"/sample?cell=%s&seed=%d&n=1" % [cell.uri_encode(), from_seed]' in client


@given(st.text())
@settings(max_examples=100)
def test_no_text_leaves_its_quotes(text: str) -> None:
    inside = quoted(text)[1:-1]
    assert re.fullmatch(r'(?:[^"\\]|\\["\\])*', inside)
    assert re.sub(r"\\(.)", r"\1", inside) == text


def test_values_are_written_as_godot_does() -> None:
    assert value_text([1, 2.0, False, call("Vector2", 1, 2)]) == "[1, 2.0, false, Vector2(1, 2)]"
    with pytest.raises(TypeError, match="no value of Godot"):
        value_text(None)
