"""Parts for sprites that came without: told where the labeller knows their kind and is sure, else none."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from pixelreef.core import Frame, Grid, Palette, Sprite, reef_palette
from pixelreef.core.sprite import palette_of_pixels
from pixelreef.corpus.reef.make import make_sprite
from pixelreef.sprites.export.gather import labelled_from_entry
from pixelreef.sprites.export.label import fits, with_parts
from pixelreef.sprites.export.order import Labelled
from pixelreef.sprites.idle.animate import Animator
from pixelreef.sprites.parts.labeller import Labeller, labeller_from


@cache
def labeller() -> Labeller:
    return labeller_from(None)


@cache
def fish() -> Sprite:
    return labelled_from_entry(make_sprite("reef-fish", "shallows", 77, 0), 0).sprite


def parts_of(sprite: Sprite) -> tuple[np.ndarray, ...]:
    return with_parts([Labelled(sprite)], labeller())[0].parts


def test_a_document_gets_what_the_labeller_says() -> None:
    sprite = fish()
    (parts,) = parts_of(sprite)
    found = labeller().label(sprite.grid.cells, sprite.palette, {"category": "reef-fish", "zone": "shallows"})
    assert not found.unsure
    assert np.array_equal(parts, found.labels)
    assert ((parts > 0) == (sprite.grid.cells != 0)).all()


def test_a_picture_in_the_reefs_colours_has_parts_too() -> None:
    entry = make_sprite("coral", "shallows", 77, 2)
    palette, cells = palette_of_pixels(entry.palette.rgba[entry.cells])
    assert palette != reef_palette()
    assert parts_of(Sprite.still(Grid(cells), palette))


def test_known_parts_stay() -> None:
    known = (np.ones((32, 32), np.uint8),)
    assert with_parts([Labelled(fish(), known)], labeller())[0].parts is known


def test_an_idle_animation_carries_the_parts_of_its_first_frame() -> None:
    moving = Animator(None, labeller()).idle(fish())
    assert moving.idle.way == "parts"
    parts = parts_of(moving.sprite)
    assert np.array_equal(parts[0], parts_of(fish())[0])
    for frame, part in zip(moving.sprite.frames, parts, strict=True):
        assert ((part > 0) == (frame.grid.cells != 0)).all()
    second, told = moving.sprite.frames[1].grid.cells, labeller().told_by(fish())
    by_itself = labeller().label(second, reef_palette(), told).labels
    counts = [np.bincount(one.ravel(), minlength=25) for one in (parts[0], parts[1], by_itself)]
    # Pixels may cover one another, yet no part turns into another, as it does where each frame is labelled by itself.
    assert abs(counts[1] - counts[0]).sum() < abs(counts[2] - counts[0]).sum()


def test_frames_of_another_animation_are_labelled_each_and_one_that_is_unsure_leaves_all_without() -> None:
    cells = fish().grid.cells
    two = replace(fish(), frames=(Frame(Grid(cells)), Frame(Grid(np.ascontiguousarray(cells[:, ::-1])))))
    parts = parts_of(two)
    assert len(parts) == 2
    assert not np.array_equal(parts[0], parts[1])
    full = Frame(Grid(np.full_like(cells, 3)))  # what has no outline is no creature
    assert parts_of(replace(two, frames=(*two.frames, full))) == ()


@pytest.mark.parametrize("size", [16, 23, 65, 128])
def test_a_sprite_of_another_size_is_not_tried(size: int) -> None:
    cells = np.zeros((32, size), np.uint8)
    cells[4:20, 4:12] = 5
    sprite = Sprite.still(Grid(cells), reef_palette())
    assert not fits(sprite)
    assert parts_of(sprite) == ()


def test_a_sprite_in_other_colours_or_without_ground_is_not_tried() -> None:
    cells = fish().grid.cells
    assert fits(fish())
    rgb = reef_palette().rgba[:, :3].copy()
    index = int(cells[cells > 0][0])
    rgb[index] ^= 1
    assert not fits(Sprite.still(Grid(cells), Palette(rgb, 0)))
    unused = int(np.setdiff1d(np.arange(1, 64), cells)[0])
    rgb[index] ^= 1
    rgb[unused] ^= 1
    assert fits(Sprite.still(Grid(cells), Palette(rgb, 0)))  # what is not seen does not count
    assert not fits(Sprite.still(Grid(cells), Palette(reef_palette().rgba[:, :3], None)))
