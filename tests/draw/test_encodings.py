"""What holds for every encoding; a new one is tested by being there."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from pixelreef.core import Grid, Palette
from pixelreef.draw import encodings as package
from pixelreef.draw.drawing import Drawing
from pixelreef.draw.encodings import encoding, encodings
from pixelreef.draw.failures import Failure
from pixelreef.draw.reply import read
from pixelreef.errors import InputError

EVERY = pytest.mark.parametrize("name", encodings())


@st.composite
def drawings(draw: st.DrawFn) -> Drawing:
    """From blank to noise: random cells, shown through a random number of rectangles."""
    colours = draw(st.integers(2, 10))
    rgb = draw(npst.arrays(np.uint8, (colours, 3)))
    cells = np.full((24, 24), draw(st.integers(0, colours - 1)), np.uint8)
    for _ in range(draw(st.integers(0, 5))):
        left, top = draw(st.integers(0, 23)), draw(st.integers(0, 23))
        right, bottom = draw(st.integers(left, 23)), draw(st.integers(top, 23))
        cells[top : bottom + 1, left : right + 1] = draw(st.integers(0, colours - 1))
    if draw(st.booleans()):
        cells = draw(npst.arrays(np.uint8, (24, 24), elements=st.integers(0, colours - 1)))
    return Drawing(Grid(cells), Palette(rgb))


def encoded(name: str, drawing: Drawing) -> str:
    try:
        return encoding(name).encode(drawing)
    except InputError:
        assume(False)
        raise


@EVERY
@given(drawings())
@settings(max_examples=60)
def test_every_drawing_comes_back(name: str, drawing: Drawing) -> None:
    text = encoded(name, drawing)
    assert encoding(name).strict(json.loads(text), drawing.palette) == drawing
    reading = read(text, name, drawing.palette)
    assert reading.strict == reading.repaired == drawing
    assert (reading.failures, reading.repairs) == ((), ())


@EVERY
@given(drawings())
@settings(max_examples=20)
def test_the_schema_accepts_what_is_strict(name: str, drawing: Drawing) -> None:
    one = encoding(name)
    jsonschema.Draft202012Validator(one.schema(drawing.palette)).validate(json.loads(encoded(name, drawing)))


def drawing() -> Drawing:
    cells = np.zeros((24, 24), np.uint8)
    cells[4:9, 3:20] = 2
    return Drawing(Grid(cells), Palette.from_hex(["000000", "ff0000", "00ff00"]))


def damaged(value: Any, key: str) -> list[Any]:
    """The value with one thing wrong at a time."""
    listed = value[key]
    made = [{**value, key: listed[1:]}, {**value, key: [*listed, listed[-1] + listed[-1]]}, {**value, "x": 1}]
    made += [{**value, key: [*listed[:-1], 5]}, {k: v for k, v in value.items() if k != key}]
    if "palette" in value:
        made += [{**value, "palette": value["palette"][:1]}, {**value, "palette": ["000000"] * 11}]
        made += [{**value, "palette": ["#000000", *value["palette"][1:]]}, {**value, "palette": value["palette"][:2]}]
    return made


@EVERY
def test_the_schema_refuses_what_is_not_strict(name: str) -> None:
    one, made = encoding(name), drawing()
    checker = jsonschema.Draft202012Validator(one.schema(made.palette))
    for value in damaged(json.loads(one.encode(made)), one.keys[-1]):
        with pytest.raises(Failure):
            one.strict(value, made.palette)
        assert not checker.is_valid(value), value


@EVERY
def test_instructions_give_the_sizes_and_the_keys(name: str) -> None:
    one = encoding(name)
    words = one.instructions(drawing().palette)
    assert "24 cells wide and 24 cells high" in words
    assert all(f'"{key}"' in words for key in one.keys)
    assert "nothing else" in words
    assert words.endswith("\n")
    assert one.version >= 1
    if one.palette_given:
        assert "0 = 000000, 1 = ff0000, 2 = 00ff00" in words


@EVERY
def test_a_local_server_can_follow_the_schema(name: str) -> None:
    xllamacpp = pytest.importorskip("xllamacpp")
    assert xllamacpp.json_schema_to_grammar(encoding(name).schema(drawing().palette))


def test_noise_is_too_much_for_shapes() -> None:
    cells = np.random.default_rng(0).integers(0, 4, (24, 24)).astype(np.uint8)
    noise = Drawing(Grid(cells), Palette.from_hex(["000000", "ff0000", "00ff00", "0000ff"]))
    with pytest.raises(InputError, match=r"need at most 64 rectangles to be written as shapes, got [0-9]{3}\."):
        encoding("shapes").encode(noise)


def test_shapes_are_painted_in_order() -> None:
    commands = ["background 1", "circle 0 12 12 23", "triangle 2 0 0 5 0 0 5", "line 1 0 0 23 23", "pixel 2 23 0"]
    value = {"palette": ["000000", "ff0000", "00ff00"], "shapes": commands}
    cells = encoding("shapes").strict(value).cells
    assert (cells[0, 0], cells[0, 4], cells[0, 23], cells[9, 9], cells[12, 0]) == (1, 2, 2, 1, 0)


@pytest.mark.parametrize(
    "command",
    [
        "rect 1 0 0 5",
        "rect 1 0 0 5 24",
        "rect 1  0 0 5 5",
        "Rect 1 0 0 5 5",
        "rect 01 0 0 5 5",
        "rect 1 0 0 5 5 5",
        "polygon 1 0 0 5 5",
        "polygon 1" + " 1 1" * 13,
        "background 1",
        "",
        "1 2 3",
        "pixel 1 -1 0",
        "pixel 1 2.0 0",
    ],
)
def test_commands_are_written_to_the_letter(command: str) -> None:
    value = {"palette": ["000000", "ff0000"], "shapes": ["background 0", command]}
    with pytest.raises(Failure) as caught:
        encoding("shapes").strict(value)
    assert caught.value.codes == ("bad command",)


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("0*23", "wrong row length"),
        ("0*24 1*1", "wrong row length"),
        ("0*25", "bad digit"),
        ("0*12  1*12", "bad digit"),
        ("0*012 1*12", "bad digit"),
        ("0*12 5*12", "index outside the palette"),
        ("0x24", "bad digit"),
        ("", "bad digit"),
    ],
)
def test_runs_are_written_to_the_letter(row: str, code: str) -> None:
    value = {"palette": ["000000", "ff0000"], "grid": ["0*24"] * 23 + [row]}
    with pytest.raises(Failure) as caught:
        encoding("runs").strict(value)
    assert caught.value.codes == (code,)


def test_the_grammar_of_runs_counts_to_24() -> None:
    """Follow the rules of a two-colour row by hand: the counts along every path add up to 24."""
    grammar = encoding("runs").grammar()
    assert grammar is not None
    rules = dict(line.split(" ::= ", 1) for line in grammar.splitlines())
    for left in range(1, 25):
        steps = re.findall(r'"([0-9]+) ?"(?: left2x([0-9]+))?', rules[f"left2x{left}"])
        assert [int(count) + int(rest or 0) for count, rest in steps] == [left] * left
    named = set(re.findall(r"\b(?:left\d+x\d+|row\d+|object\d+|colour)\b", grammar))
    assert named == set(rules) - {"root"}


NEW = """
from pixelreef.draw.encodings.rows import Rows

class Upside(Rows):
    name = "upside"

    def grid_value(self, cells):
        return super().grid_value(cells[::-1])

ENCODING = Upside()
"""


def test_a_new_encoding_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "upside.py").write_text(NEW)
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    encodings.cache_clear()
    try:
        text = encoding("upside").encode(drawing())
        assert read(text, "upside").encoding == "upside"
    finally:
        encodings.cache_clear()
        sys.modules.pop(f"{package.__name__}.upside", None)
