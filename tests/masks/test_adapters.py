"""Which adapter a model gets, and the cut of a picture that came back with the palette beside it."""

from __future__ import annotations

import io

import numpy as np
import pytest
from mask_pictures import FACES, encoded, face, photograph
from PIL import Image

from pixelreef.core.images import image_from_bytes
from pixelreef.errors import InputError
from pixelreef.masks.adapters import adapter_for, adapters
from pixelreef.masks.legend import legend_picture

BESIDE = adapters()["beside"]
SIDE = 96


@pytest.mark.parametrize(
    ("model", "name", "called"),
    [
        ("openai/gpt-image-1", "edit", "openai-edit/gpt-image-1"),
        ("openai/gpt-image-1.5", "edit", "openai-edit/gpt-image-1.5"),
        ("openai-edit/some-model", "edit", "openai-edit/some-model"),
        ("openai/gpt-5", "chat", "openai/gpt-5"),
        ("google/gemini-3-pro-image-preview", "chat", "google-image/gemini-3-pro-image-preview"),
        ("openai-edit/flux-kontext-dev", "beside", "openai-edit/flux-kontext-dev"),
        ("mockllm/model", "chat", "mockllm/model"),
    ],
)
def test_a_model_gets_the_adapter_of_its_kind(model: str, name: str, called: str) -> None:
    chosen = adapter_for(model)
    assert (chosen.name, chosen.called(model)) == (name, called)


def test_what_is_said_stands_before_what_is_known() -> None:
    assert adapter_for("openai/gpt-image-1", "chat").name == "chat"
    with pytest.raises(InputError, match="--adapter must be auto or one of beside, chat, edit, got 'none'"):
        adapter_for("openai/gpt-5", "none")


def whole_answer(scale: float, kind: str = "PNG") -> tuple[bytes, np.ndarray]:
    """What `beside` sends with the mask in the photograph's place, enlarged; and the mask."""
    (sent,) = BESIDE.pictures(photograph(SIDE), FACES)
    whole = np.array(Image.open(io.BytesIO(sent)).convert("RGB"))
    mask = FACES.rgb[face(SIDE)]
    whole[:SIDE, :SIDE] = mask
    size = (round(whole.shape[1] * scale), round(whole.shape[0] * scale))
    return encoded(np.asarray(Image.fromarray(whole).resize(size, Image.Resampling.NEAREST)), kind), mask


def test_one_picture_is_sent_with_the_photograph_untouched() -> None:
    (sent,) = BESIDE.pictures(photograph(SIDE), FACES)
    whole = image_from_bytes(sent).rgba[..., :3]
    assert np.array_equal(whole[:SIDE, :SIDE], photograph(SIDE))
    legend = legend_picture(FACES, SIDE)
    assert np.array_equal(whole[:, -legend.shape[1] :], legend)


@pytest.mark.parametrize("scale", [1, 2, 3])
def test_the_palette_is_cut_off_where_it_came_back(scale: int) -> None:
    data, mask = whole_answer(scale)
    cut = image_from_bytes(BESIDE.mask(data, (SIDE, SIDE), FACES)).rgba[..., :3]
    assert np.array_equal(cut, mask.repeat(scale, axis=0).repeat(scale, axis=1))


def test_a_mask_that_came_alone_stays_byte_for_byte() -> None:
    for side in (SIDE, 1024):
        data = encoded(FACES.rgb[face(side)], "JPEG")
        assert BESIDE.mask(data, (SIDE, SIDE), FACES) is data


def test_what_is_no_picture_is_left_for_scoring_to_say() -> None:
    assert BESIDE.mask(b"junk", (SIDE, SIDE), FACES) == b"junk"
