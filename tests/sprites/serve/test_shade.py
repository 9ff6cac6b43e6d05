"""`POST /shade`: what the shader does, over HTTP, and nothing that a body can hold is a fault of the server's."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from serving import Answer, Serving, answer, request, serving
from sprite_models import perturbed, small_config, weights

from pixelreef.core.document import fields_from_sprite, sprite_from_fields
from pixelreef.core.grid import Grid
from pixelreef.core.reef import reef_palette
from pixelreef.core.sprite import Frame, Sprite
from pixelreef.sprites.sample import Sampler
from pixelreef.sprites.shade.light import Light
from pixelreef.sprites.shade.write import shaded


@pytest.fixture(scope="module")
def served() -> Iterator[Serving]:
    with serving(Sampler(weights(perturbed(small_config())), threads=1)) as running:
        yield running


def ball(frames: int = 1) -> Sprite:
    y, x = np.mgrid[:16, :16]
    cells = np.where((y - 8) ** 2 + (x - 8) ** 2 < 40, 12, 0).astype(np.uint8)
    return Sprite(reef_palette(), (Frame(Grid(cells), 90),) * frames, "ball", {"seed": 3})


def post(running: Serving, body: Any, query: str = "format=json", **headers: str) -> Answer:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    sent = request(f"/shade?{query}", "POST", Content_Length=str(len(data)), **headers)
    return answer(running.port, sent + data)


def test_a_sprite_comes_back_lit(served: Serving) -> None:
    light = {"azimuth": 30.0, "light": 1, "shadow": 0.9}
    found = post(served, {"sprite": fields_from_sprite(ball(2)), "light": light})
    assert found.status == 200, found.body
    made = sprite_from_fields(found.document)
    expected = shaded(ball(2), Light(azimuth=30, light=1, shadow=0.9))
    assert made == expected
    assert (made.grid.cells != ball().grid.cells).any()
    assert made.lineage["seed"] == 3


def test_as_a_picture_its_frames_stand_side_by_side(served: Serving) -> None:
    body = {"sprite": fields_from_sprite(ball(3))}
    found = post(served, body, "scale=2", Accept="image/png")
    picture = np.asarray(Image.open(io.BytesIO(found.body)))
    lit = shaded(ball(), Light()).grid.cells
    assert (picture[::2, ::2] == np.concatenate([lit] * 3, axis=1)).all()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "the body must be JSON"),
        (b"[" * 100_000, "the body must be nested at most 32 deep"),
        (b'{"sprite": NaN}', "the body must hold finite numbers only"),
        (b"\xff", "the body must be UTF-8 text"),
        ([], "the body: document must follow the format"),
        ({}, "the body: sprite must follow the format (field required)"),
        ({"sprite": fields_from_sprite(ball()), "light": {"rim": 2}}, "the body: light.rim must follow the format"),
        ({"sprite": fields_from_sprite(ball()), "dark": 1}, "the body: dark must follow the format"),
        ({"sprite": {**fields_from_sprite(ball()), "palette": ["000000"]}}, "stand for one of 1 palette entries"),
    ],
)
def test_a_wrong_body_is_one_sentence(body: Any, words: str, served: Serving) -> None:
    found = post(served, body)
    assert found.status == 422
    assert words in found.error


def test_a_picture_too_large_is_refused(served: Serving) -> None:
    rows = [{"rows": ["0" * 500] * 400}]
    body = {"sprite": {"format": "pixelreef-sprite", "version": 1, "palette": ["112233"], "frames": rows}}
    found = post(served, body, "format=png&scale=32")
    assert (found.status, found.error) == (422, "scale must keep the picture within 4194304 pixels, got 32.")
    assert post(served, body, "format=png").status == 200


COLOURS = st.lists(st.integers(0, 2**24 - 1).map(lambda value: f"{value:06x}"), min_size=1, max_size=64, unique=True)


@given(colours=COLOURS, clear=st.booleans(), width=st.integers(1, 9), height=st.integers(1, 9), seed=st.integers(0, 99))
@settings(max_examples=60)
def test_any_document_is_lit_inside_its_palette(
    colours: list[str], clear: bool, width: int, height: int, seed: int, served: Serving
) -> None:
    from pixelreef.core.palette import Palette

    cells = np.random.default_rng(seed).integers(0, len(colours), (height, width), np.uint8)
    sprite = Sprite.still(Grid(cells), Palette.from_hex(colours, 0 if clear else None))
    found = post(served, {"sprite": fields_from_sprite(sprite), "light": {"light": 1, "rim": 1}})
    assert found.status == 200, found.body
    made = sprite_from_fields(found.document)
    assert made.palette == sprite.palette
    if clear:
        assert ((made.grid.cells == 0) == (cells == 0)).all()
