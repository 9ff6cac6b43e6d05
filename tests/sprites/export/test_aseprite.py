"""Exported Aseprite files: parts as layers, frames as a tag."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from strategies import sprites

from pixelreef.core import Frame, Grid, Palette, Sprite
from pixelreef.core.aseprite import aseprite_from_bytes
from pixelreef.core.frames import Tag
from pixelreef.corpus.parts import PART_INDEX, PARTS
from pixelreef.corpus.reef.make import make_sprite
from pixelreef.sprites.export.aseprite import aseprite
from pixelreef.sprites.export.gather import labelled_from_entry
from pixelreef.sprites.export.order import Labelled, order_from_sprites

PALETTE = Palette.from_hex(["000000", "ff8800", "00ffaa"], transparent=0)


def test_a_made_creature_has_a_layer_for_every_part() -> None:
    entry = make_sprite("jellyfish", "abyss", 0, 0)
    assert entry.parts is not None
    (name,), (data,) = zip(*aseprite(order_from_sprites([labelled_from_entry(entry, 3)])).items(), strict=True)
    assert name.endswith(".aseprite")
    read = aseprite_from_bytes(data)
    assert read.layers == tuple(PARTS[part] for part in np.unique(entry.parts[entry.cells != 0]))
    assert len(read.layers) > 1
    assert read.frames[0].indices is not None
    assert np.array_equal(read.frames[0].indices, entry.cells)
    assert read.tags == ()


@given(sprites(most_colours=8, side=8, frames=3), st.data())
@settings(max_examples=40)
def test_whatever_the_parts_are_the_picture_is_the_sprite(sprite: Sprite, data: st.DataObject) -> None:
    shape = sprite.grid.cells.shape
    parts = tuple(data.draw(npst.arrays(np.uint8, shape)) for _ in sprite.frames)
    (made,) = aseprite(order_from_sprites([Labelled(sprite, parts)])).values()
    read = aseprite_from_bytes(made)
    assert read.palette == sprite.palette
    for still, frame in zip(read.frames, sprite.frames, strict=True):
        assert still.indices is not None
        assert np.array_equal(still.indices, frame.grid.cells)


def test_frames_are_a_tag_and_layers_hold_over_all_of_them() -> None:
    cells = [[1, 2], [0, 2]], [[2, 1], [0, 0]]
    sprite = Sprite(PALETTE, tuple(Frame(Grid.from_rows(rows), 90) for rows in cells), "Swim\nfast")
    eye = PART_INDEX["eye"]
    parts = np.array([[eye, 0], [0, 0]], np.uint8), np.array([[0, eye], [eye, eye]], np.uint8)
    (data,) = aseprite(order_from_sprites([Labelled(sprite, parts)])).values()
    read = aseprite_from_bytes(data)
    assert read.layers == ("rest", "eye")
    assert read.tags == (Tag("Swim fast", 0, 1),)
    assert [still.milliseconds for still in read.frames] == [90, 90]


def test_unknown_parts_and_opaque_palettes_are_one_layer() -> None:
    sprite = Sprite.still(Grid.from_rows([[1, 2]]), PALETTE, "fish")
    opaque = Sprite.still(sprite.grid, Palette.from_hex(PALETTE.hex()), "fish")
    parts = np.array([[1, 2]], np.uint8)
    for given_, layer in ((Labelled(sprite), "fish"), (Labelled(opaque, (parts,)), "Background")):
        (data,) = aseprite(order_from_sprites([given_])).values()
        assert aseprite_from_bytes(data).layers == (layer,)


def test_every_part_has_a_name_even_one_not_yet_known() -> None:
    sprite = Sprite.still(Grid.from_rows([[1, 2]]), PALETTE, "fish")
    (data,) = aseprite(order_from_sprites([Labelled(sprite, (np.array([[1, 200]], np.uint8),))])).values()
    assert aseprite_from_bytes(data).layers == ("body", "part 200")
