"""Forms of an answer: what an Accept header asks for, sheets, documents."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from PIL import Image
from sprite_models import perturbed, small_config, weights

from pixelreef.core.document import sprite_from_fields
from pixelreef.sprites.choose import Sampling
from pixelreef.sprites.serve.answers import documents_from_grids, kind_wanted, png_from_grids, sheet
from pixelreef.sprites.serve.limits import Refused
from pixelreef.sprites.write import Order

BOTH = ("png", "json")


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("", "png"),
        ("*/*", "png"),
        ("image/*", "png"),
        ("application/json", "json"),
        ("APPLICATION/JSON ; q=0.5", "json"),
        ("image/png;q=0.4, application/json;q=0.5", "json"),
        ("application/json;q=0.5, */*", "png"),
        ("image/png;q=0, */*", "json"),
        ("text/html, image/avif, image/webp, */*;q=0.8", "png"),
        ("application/*", "json"),
    ],
)
def test_an_accept_header_decides(accept: str, kind: str) -> None:
    assert kind_wanted("auto", accept, BOTH) == kind


@pytest.mark.parametrize("accept", ["text/html", "image/png;q=0", ",;,;q=", "*/*;q=high", "*/*;q=nan", "*/*;q=7"])
def test_what_cannot_be_had_is_refused(accept: str) -> None:
    with pytest.raises(Refused, match="the Accept header must allow image/png or application/json") as refused:
        kind_wanted("auto", accept, BOTH)
    assert refused.value.status == 406


def test_a_format_goes_before_the_header_where_there_is_it() -> None:
    assert kind_wanted("json", "image/png", BOTH) == "json"
    with pytest.raises(Refused, match="format must be png for this palette"):
        kind_wanted("json", "*/*", ("png",))


def test_a_sheet_has_eight_in_a_row_and_ground_at_its_end() -> None:
    grids = np.arange(11, dtype=np.uint8)[:, None, None].repeat(2, 1).repeat(3, 2)
    found = sheet(grids, 99)
    assert found.shape == (4, 24)
    assert found[::2, ::3].tolist() == [list(range(8)), [8, 9, 10, 99, 99, 99, 99, 99]]
    assert (sheet(grids[:1], 99) == grids[0]).all()


def test_pictures_and_documents_hold_the_sprites() -> None:
    model = weights(perturbed(small_config()), corpus="blake2b:00", verdicts={})
    grids = np.random.default_rng(0).integers(0, 9, (3, 16, 16), np.uint8)
    order = Order(model, 5, Sampling(temperature=0.9))
    picture = np.asarray(Image.open(io.BytesIO(png_from_grids(grids, model.palette, 0, 2))))
    assert (picture[::2, ::2] == np.concatenate(list(grids), axis=1)).all()
    document = json.loads(documents_from_grids(grids, order, "fish/top", 7, {"verdict": None, "learned": None}))
    assert (document["cell"], document["verdict"]) == ("fish/top", None)
    for place, fields in enumerate(document["sprites"]):
        sprite = sprite_from_fields(fields)
        assert (sprite.grid.cells == grids[place]).all()
        assert sprite.name == f"fish-top-000{7 + place}"
        assert sprite.lineage["seed"] == 5
        assert sprite.lineage["number"] == 7 + place
        assert sprite.lineage["corpus"] == "blake2b:00"
        assert "likelihood" not in sprite.lineage
