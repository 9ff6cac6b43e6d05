"""Tilesets: read as XML and JSON, and by a public reader of Tiled's maps."""

from __future__ import annotations

import io
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from strategies import sprites

from pixelreef.core import Frame, Grid, Palette, Sprite
from pixelreef.sprites.export.order import order_from_sprites
from pixelreef.sprites.export.tiled import tiled

PALETTE = Palette.from_hex(["000000", "ff8800", "0088ff"], transparent=0)
HOSTILE = 'a"><tile id="9"/>&\x00\x0b\ufffe'
LINEAGE = {"cell": HOSTILE, "seed": 2**40, "number": 3}
FISH = Sprite(
    PALETTE, (Frame(Grid.from_rows([[1, 2]]), 80), Frame(Grid.from_rows([[2, 1]]), 120)), f"fish {HOSTILE}", LINEAGE
)
CORAL = Sprite.still(Grid.from_rows([[1, 1]]), PALETTE, "coral")

MAP = """<?xml version="1.0" encoding="UTF-8"?>
<map version="1.8" orientation="orthogonal" renderorder="right-down" width="{count}" height="1" tilewidth="{width}"
 tileheight="{height}" infinite="0"><tileset firstgid="1" source="{source}"/>
 <layer id="1" name="all" width="{count}" height="1"><data encoding="csv">{tiles}</data></layer></map>
"""


def test_a_tileset_says_what_its_tiles_are() -> None:
    files = tiled(order_from_sprites([CORAL, FISH], "Reef"))
    assert list(files) == ["reef.png", "reef.tsx", "reef.tsj"]
    root = ET.fromstring(files["reef.tsx"])
    assert root.attrib == {
        "version": "1.8",
        "name": "reef",
        "tilewidth": "2",
        "tileheight": "1",
        "tilecount": "4",
        "columns": "2",
    }
    assert [child.attrib for child in root.iter("image")] == [{"source": "reef.png", "width": "4", "height": "2"}]
    coral, fish = root.findall("tile")
    assert (coral.attrib, fish.attrib) == ({"id": "0"}, {"id": "1"})
    assert [(one.get("name"), one.get("type"), one.get("value")) for one in fish.iter("property")] == [
        ("cell", None, 'a"><tile id="9"/>&'),
        ("name", None, 'fish a"><tile id="9"/>&'),
        ("number", "int", "3"),
        ("seed", None, str(2**40)),
    ]
    assert [frame.attrib for frame in fish.iter("frame")] == [
        {"tileid": "1", "duration": "80"},
        {"tileid": "2", "duration": "120"},
    ]
    assert not list(coral.iter("frame"))


def test_the_json_says_the_same_as_the_xml() -> None:
    files = tiled(order_from_sprites([CORAL, FISH], "Reef"))
    root, document = ET.fromstring(files["reef.tsx"]), json.loads(files["reef.tsj"])
    assert (document["type"], document["margin"], document["spacing"]) == ("tileset", 0, 0)
    for key in ("version", "name", "tilewidth", "tileheight", "tilecount", "columns"):
        assert str(document[key]) == root.get(key)
    assert (document["image"], document["imagewidth"], document["imageheight"]) == ("reef.png", 4, 2)
    for fields, tile in zip(document["tiles"], root.findall("tile"), strict=True):
        assert str(fields["id"]) == tile.get("id")
        assert [(one["name"], str(one["value"])) for one in fields["properties"]] == [
            (one.get("name"), one.get("value")) for one in tile.iter("property")
        ]
        assert [{key: str(value) for key, value in one.items()} for one in fields.get("animation", [])] == [
            frame.attrib for frame in tile.iter("frame")
        ]


def test_sprites_of_several_sizes_are_several_tilesets() -> None:
    tall = Sprite.still(Grid.from_rows([[1], [2]]), PALETTE, "tall")
    files = tiled(order_from_sprites([CORAL, tall, FISH], "reef"))
    assert [name for name in files if name.endswith(".tsx")] == ["reef-2x1.tsx", "reef-1x2.tsx"]
    assert ET.fromstring(files["reef-2x1.tsx"]).get("tilecount") == "4"


@given(st.lists(sprites(most_colours=20, side=5, frames=3), min_size=1, max_size=5))
@settings(max_examples=30)
def test_every_tile_is_found_by_counting_along_the_columns(some: list[Sprite]) -> None:
    one_size = [sprite for sprite in some if sprite.size == some[0].size]
    files = tiled(order_from_sprites(one_size, "all"))
    root = ET.fromstring(files["all.tsx"])
    pixels = np.array(Image.open(io.BytesIO(files["all.png"])).convert("RGBA"))
    (width, height), columns = some[0].size, int(root.get("columns", "0"))
    frames = [(sprite, frame) for sprite in one_size for frame in sprite.frames]
    assert root.get("tilecount") == str(columns * (pixels.shape[0] // height))
    for number, (sprite, frame) in enumerate(frames):
        y, x = number // columns * height, number % columns * width
        assert np.array_equal(pixels[y : y + height, x : x + width], sprite.palette.rgba[frame.grid.cells])


def test_a_public_reader_finds_tiles_animation_and_properties(tmp_path: Path) -> None:
    pytmx = pytest.importorskip("pytmx", reason="needs the package pytmx")
    files = tiled(order_from_sprites([CORAL, FISH], "reef"))
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "all.tmx").write_text(MAP.format(count=3, width=2, height=1, source="reef.tsx", tiles="1,2,3"))
    read = pytmx.TiledMap(str(tmp_path / "all.tmx"))
    assert [(one.name, one.tilecount, one.columns) for one in read.tilesets] == [("reef", 4, 2)]
    regions = [read.get_tile_image(x, 0, 0)[1] for x in range(3)]
    assert regions == [(0, 0, 2, 1), (2, 0, 2, 1), (0, 1, 2, 1)]
    fish = read.get_tile_properties(1, 0, 0)
    assert (fish["cell"], fish["number"], fish["seed"]) == ('a"><tile id="9"/>&', 3, str(2**40))
    assert [frame.duration for frame in fish["frames"]] == [80, 120]
    assert [read.images[frame.gid][1] for frame in fish["frames"]] == regions[1:]
