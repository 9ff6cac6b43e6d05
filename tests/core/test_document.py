from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from strategies import sprites

from pixelreef.core import Frame, Grid, Palette, Sprite, json_from_sprite, sprite_from_json
from pixelreef.core.document import ALPHABET, schema, sprite_from_fields
from pixelreef.errors import DocumentError

SCHEMA = Path(__file__).parents[2] / "docs" / "sprite-document.schema.json"
REPLY = {"palette": ["000000", "ff8800"], "grid": ["0" * 23 + "1"] * 24}


def document(**changes: Any) -> dict[str, Any]:
    base = {"format": "pixelreef-sprite", "version": 1, "palette": ["000000", "ff8800"], "frames": [{"rows": ["01"]}]}
    return {key: value for key, value in {**base, **changes}.items() if value != "left out"}


@given(sprites(frames=3))
def test_any_sprite_round_trips_and_keeps_to_the_schema(sprite: Sprite) -> None:
    text = json_from_sprite(sprite)
    assert sprite_from_json(text.encode()) == sprite
    jsonschema.validate(json.loads(text), schema())


def test_ten_thousand_random_grids_round_trip() -> None:
    random = np.random.default_rng(5)
    batch = random.integers(0, 64, (10_000, 24, 24), dtype=np.uint8)
    palette = Palette(random.integers(0, 256, (64, 3)), transparent=0)
    for cells in batch:
        read = sprite_from_json(json_from_sprite(Sprite.still(Grid(cells), palette)).encode())
        assert read.grid.cells.tobytes() == cells.tobytes()
        assert read.palette == palette


def test_name_lineage_and_times_are_kept() -> None:
    frames = (Frame(Grid.from_rows([[0]]), 40), Frame(Grid.from_rows([[1]]), 80))
    sprite = Sprite(Palette.from_hex(["000000", "ffffff"]), frames, "Ünï", {"seed": 7, "parents": ["a", "b"]})
    read = sprite_from_json(json_from_sprite(sprite).encode())
    assert (read.name, read.lineage, [frame.milliseconds for frame in read.frames]) == (
        sprite.name,
        sprite.lineage,
        [40, 80],
    )


def test_a_rows_reply_is_a_legal_document_and_opaque() -> None:
    sprite = sprite_from_fields(REPLY)
    assert sprite.size == (24, 24)
    assert sprite.palette.transparent is None
    assert sprite.grid.cells[:, 23].tolist() == [1] * 24


def test_the_alphabet_starts_with_the_digits_and_has_room_for_64_colours_and_transparency() -> None:
    assert ALPHABET.startswith("0123456789")
    assert len(set(ALPHABET)) == 65


def test_a_dot_is_the_transparent_index_and_needs_one() -> None:
    both = sprite_from_fields(document(transparent=1, frames=[{"rows": [".1"]}]))
    assert both.grid.cells.tolist() == [[1, 1]]
    with pytest.raises(DocumentError, match="only where 'transparent'"):
        sprite_from_fields(document(frames=[{"rows": [".1"]}]))


def test_the_published_schema_is_that_of_the_code() -> None:
    assert json.loads(SCHEMA.read_text()) == schema()


@pytest.mark.parametrize(
    ("raw", "rule"),
    [
        ([], "be a JSON object, got list"),
        ({}, "just the keys palette and grid"),
        ({**REPLY, "title": "x"}, "got also 'title'"),
        ({**REPLY, "version": 2}, "at most 1, got 2. Update"),
        ({**REPLY, "version": True}, "whole number"),
        ({**REPLY, "version": -1}, "whole number"),
        (document(format="x"), "format"),
        (document(palette=[]), "palette"),
        (document(palette=["fff"]), "palette.0"),
        (document(palette=["000000"] * 66), "palette"),
        (document(transparent=2), "transparent"),
        (document(frames=[]), "frames"),
        (document(frames=[{"rows": []}]), "rows"),
        (document(frames=[{"rows": ["01", "0"]}]), "all have one length"),
        (document(frames=[{"rows": ["02"]}]), "row 0, column 1: the character must stand for one of 2"),
        (document(frames=[{"rows": ["0é"]}]), "rows.0"),
        (document(frames=[{"rows": ["01"]}, {"rows": ["0"]}]), "one size"),
        (document(frames=[{"rows": ["01"], "milliseconds": 0}]), "milliseconds"),
        (document(frames=[{"rows": ["01"], "milliseconds": 10**30}]), "milliseconds"),
        (document(frames=[{"rows": ["0" * 1024] * 1024}] * 5), "4,194,304 cells"),
        (document(author="me"), "author"),
        (document(frames="01"), "frames"),
    ],
)
def test_faults_are_named_in_one_line(raw: Any, rule: str) -> None:
    with pytest.raises(DocumentError) as caught:
        sprite_from_fields(raw)
    assert rule in str(caught.value)
    assert "\n" not in str(caught.value)


def test_more_than_65_colours_can_not_be_written() -> None:
    with pytest.raises(DocumentError, match="at most 65"):
        json_from_sprite(Sprite.still(Grid.from_rows([[0]]), Palette(np.zeros((66, 3), np.uint8))))
