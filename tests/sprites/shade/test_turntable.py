from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image
from sprites.shade.shapes import GREYS, disc

from pixelreef.core import Grid, Sprite, gif_from_sprite, reef_palette
from pixelreef.corpus.reef.make import make_sprite
from pixelreef.errors import InputError
from pixelreef.sprites.shade import Light, shade
from pixelreef.sprites.shade.turntable import turntable

BALL = Sprite.still(Grid(disc(17, 7.5, 4)), GREYS, "ball")


def test_each_frame_is_the_light_from_there() -> None:
    entry = make_sprite("reef-fish", "shallows", seed=2, number=1)
    turning = turntable(Sprite.still(Grid(entry.cells), entry.palette), Light(30), 5, entry.parts)
    for number, frame in enumerate(turning.frames):
        expected = shade(entry.cells, entry.palette, Light(30 + 72 * number), entry.parts)
        assert np.array_equal(frame.grid.cells, expected), number
    assert [frame.milliseconds for frame in turning.frames] == [400] * 5
    assert turning.lineage["turntable"] == Light(30).document()


def test_the_gif_shows_every_frame_exactly() -> None:
    """By Pillow: colours, transparency, times, and that it goes on for ever."""
    entry = make_sprite("grazer", "shallows", seed=2, number=3)
    turning = turntable(Sprite.still(Grid(entry.cells), entry.palette), Light(light=1, shadow=1), 8)
    read = Image.open(io.BytesIO(gif_from_sprite(turning, 2)))
    assert (read.n_frames, read.info["loop"]) == (8, 0)  # type: ignore[attr-defined]
    for number, frame in enumerate(turning.frames):
        read.seek(number)
        shown = np.array(read.convert("RGBA"))[::2, ::2]
        shown[shown[..., 3] == 0] = 0
        assert np.array_equal(shown, reef_palette().rgba[frame.grid.cells]), number
        assert read.info["duration"] == 250


@pytest.mark.parametrize("directions", [0, 257])
def test_directions_are_bounded(directions: int) -> None:
    with pytest.raises(InputError, match="directions must be from 1 to 256"):
        turntable(BALL, Light(), directions)
