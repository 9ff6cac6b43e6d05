"""A packed sheet and its JSON: every frame is found where the JSON says, by Pillow and by the importer of sheets."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from strategies import sprites

from pixelreef.core import Frame, Grid, Palette, Sprite
from pixelreef.corpus.intake import Intake
from pixelreef.corpus.sheets.atlas import read_atlas
from pixelreef.sprites.export.order import order_from_sprites
from pixelreef.sprites.export.pack import packed
from pixelreef.sprites.export.sheet import sheet

PALETTE = Palette.from_hex(["000000", "ff8800"], transparent=0)


def filled(width: int, height: int, name: str, times: tuple[int, ...] = (125,)) -> Sprite:
    return Sprite(PALETTE, tuple(Frame(Grid(np.ones((height, width), np.uint8)), time) for time in times), name)


def test_the_json_is_as_texturepacker_writes_it() -> None:
    files = sheet(order_from_sprites([filled(2, 3, "fish", (80, 120)), filled(2, 3, "coral")], "Reef", scale=2))
    assert list(files) == ["reef.png", "reef.json", "reef-array.json"]
    by_name = json.loads(files["reef.json"])
    assert list(by_name) == ["frames", "animations", "meta"]
    assert list(by_name["frames"]) == ["fish-0.png", "fish-1.png", "coral.png"]
    assert by_name["frames"]["coral.png"] == {
        "frame": {"x": 10, "y": 0, "w": 4, "h": 6},
        "rotated": False,
        "trimmed": False,
        "spriteSourceSize": {"x": 0, "y": 0, "w": 4, "h": 6},
        "sourceSize": {"w": 4, "h": 6},
    }
    assert [by_name["frames"][f"fish-{number}.png"]["duration"] for number in (0, 1)] == [80, 120]
    assert by_name["animations"] == {"fish": ["fish-0.png", "fish-1.png"]}
    meta = by_name["meta"]
    assert (meta["image"], meta["size"], meta["scale"]) == ("reef.png", {"w": 14, "h": 6}, "2")
    assert (meta["app"], meta["format"]) == ("pixelreef", "RGBA8888")
    assert meta["frameTags"] == [{"name": "fish", "from": 0, "to": 1, "direction": "forward"}]
    in_order = json.loads(files["reef-array.json"])
    assert in_order["meta"] == meta
    assert [frame.pop("filename") for frame in in_order["frames"]] == list(by_name["frames"])
    assert in_order["frames"] == list(by_name["frames"].values())


def test_stills_say_nothing_of_time() -> None:
    made = json.loads(sheet(order_from_sprites([filled(1, 1, "a")]))["a.json"])
    assert list(made) == ["frames", "meta"]
    assert "duration" not in made["frames"]["a.png"]
    assert "frameTags" not in made["meta"]


@given(st.lists(sprites(most_colours=20, side=9, frames=3), min_size=1, max_size=6))
@settings(max_examples=30)
def test_every_frame_stands_where_the_json_says(some: list[Sprite]) -> None:
    files = sheet(order_from_sprites(some, "all"))
    image = Image.open(io.BytesIO(files["all.png"]))
    assert image.mode == "RGBA"
    pixels = np.array(image)
    free = np.ones(pixels.shape[:2], bool)
    places = json.loads(files["all-array.json"])["frames"]
    frames = [(one, frame) for one in some for frame in one.frames]
    for (sprite, frame), place in zip(frames, places, strict=True):
        x, y, w, h = (place["frame"][key] for key in "xywh")
        assert np.array_equal(pixels[y : y + h, x : x + w], sprite.palette.rgba[frame.grid.cells])
        assert free[max(y - 1, 0) : y + h, max(x - 1, 0) : x + w].all()  # a clear pixel between any two
        free[y : y + h, x : x + w] = False
    assert not pixels[free].any()


@given(st.lists(st.tuples(st.integers(1, 40), st.integers(1, 40)), min_size=1, max_size=40))
@settings(max_examples=50)
def test_a_sheet_is_no_long_strip(sizes: list[tuple[int, int]]) -> None:
    made = packed(order_from_sprites(filled(*size, "a") for size in sizes).pieces)
    area = sum(width * height for width, height in sizes)
    assert made.width <= max(width for width, _ in sizes) + int(area**0.5) + 1
    assert made.width * made.height <= 4 * area + 40 * 40


def test_sprites_of_one_size_are_a_table_in_their_order() -> None:
    made = packed(order_from_sprites(filled(4, 4, f"s{number}") for number in range(7)).pieces)
    assert [(place.x, place.y) for place in made.places] == [(0, 0), (4, 0), (8, 0), (0, 4), (4, 4), (8, 4), (0, 8)]
    assert (made.width, made.height) == (12, 12)


def test_the_importer_of_sheets_reads_it_back(tmp_path: Path) -> None:
    files = sheet(order_from_sprites([filled(3, 2, "fish", (80, 80)), filled(1, 5, "coral")], "reef"))
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    size = Image.open(io.BytesIO(files["reef.png"])).size
    intake = Intake()
    for name in ("reef.json", "reef-array.json"):
        cut = read_atlas(tmp_path / name, size, intake)
        assert sorted((place.width, place.height) for place in cut.places) == [(1, 5), (3, 2), (3, 2)]
