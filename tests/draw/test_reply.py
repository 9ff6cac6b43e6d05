"""Hand-worked replies: one for every failure and one for every repair, and what holds for any text."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pixelreef.core import Grid, Palette
from pixelreef.draw.drawing import Drawing
from pixelreef.draw.failures import FAILURES
from pixelreef.draw.repairs import REPAIRS
from pixelreef.draw.reply import MAX_CHARACTERS, read
from pixelreef.errors import InputError

COLOURS = ["102030", "ff0000", "00ff00"]
ROWS = ["0" * 10 + "1122" + "0" * 10 for _ in range(24)]
INTS = [[int(digit) for digit in row] for row in ROWS]
PALETTE = Palette.from_hex(COLOURS)
DRAWING = Drawing(Grid.from_rows(INTS), PALETTE)
SHAPES = ["background 0", "rect 1 10 0 11 23", "rect 2 12 0 13 23"]
RUNS = ["0*10 1*2 2*2 0*10"] * 24


def rows(grid: Any = None, palette: Any = None, **more: Any) -> str:
    fields = {"palette": COLOURS if palette is None else palette, "grid": ROWS if grid is None else grid}
    return json.dumps({**fields, **more})


def ints(grid: Any, palette: Any = None) -> str:
    return json.dumps({"palette": COLOURS if palette is None else palette, "grid": grid})


def shapes(commands: Any, palette: Any = None) -> str:
    return json.dumps({"palette": COLOURS if palette is None else palette, "shapes": commands})


def changed(place: int, row: Any) -> list[Any]:
    return [*ROWS[:place], row, *ROWS[place + 1 :]]


GOOD = rows()
FENCED = f"```json\n{GOOD}\n```"

# code → (encoding, reply, all its failures)
FAILING: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "empty": ("rows", " \n", ("empty",)),
    "runaway": ("rows", "spam and eggs " * 2_000, ("runaway", "not JSON")),
    "refusal": ("rows", "I’m sorry, I can’t draw Mario.", ("refusal",)),
    "too deep": ("rows", "[" * 40 + "]" * 40, ("too deep",)),
    "truncated": ("rows", GOOD[:-40], ("truncated",)),
    "not JSON": ("rows", GOOD.replace('"grid":', '"grid"'), ("not JSON",)),
    "fenced": ("rows", FENCED, ("fenced",)),
    "prose around": ("rows", f"Here it is: {GOOD}", ("prose around",)),
    "duplicate keys": ("rows", f'{{"palette": [], {GOOD[1:]}', ("duplicate keys",)),
    "missing key": ("rows", json.dumps({"grid": ROWS}), ("missing key",)),
    "extra key": ("rows", rows(title="x"), ("extra key",)),
    "wrong type": ("rows", rows(grid=changed(3, 7)), ("wrong type",)),
    "palette too small": ("rows", rows(palette=["000000"], grid=["0" * 24] * 24), ("palette too small",)),
    "palette too large": ("rows", rows(palette=["000000"] * 11), ("palette too large",)),
    "bad colour": ("rows", rows(palette=["#102030", "ff0000", "00ff00"]), ("bad colour",)),
    "bad command": ("shapes", shapes([*SHAPES, "hexagon 1 2 3"]), ("bad command",)),
    "wrong row count": ("rows", rows(grid=ROWS[:23]), ("wrong row count",)),
    "wrong row length": ("rows", rows(grid=changed(3, ROWS[0] + "0")), ("wrong row length",)),
    "bad digit": ("rows", rows(grid=changed(3, "x" + ROWS[0][1:])), ("bad digit",)),
    "index outside the palette": ("rows", rows(grid=changed(3, "3" * 24)), ("index outside the palette",)),
}


@pytest.mark.parametrize("code", FAILURES)
def test_every_failure_is_told(code: str) -> None:
    name, text, failures = FAILING[code]
    reading = read(text, name)
    assert reading.failures == failures
    assert reading.failures[0] == code
    assert reading.strict is None
    assert reading.reason
    assert reading.refusal == (code == "refusal")


@pytest.mark.parametrize(
    ("text", "failures"),
    [
        ("\ufeff" + GOOD, ("prose around",)),
        ("\u00a0" + GOOD, ("prose around",)),
        (GOOD + GOOD, ("prose around",)),
        (GOOD + "\x00", ("prose around",)),
        (f"<think>{{}}</think>\n{GOOD}", ("prose around",)),
        (f"Sure!\n{FENCED}", ("fenced", "prose around")),
        (f"```\n{GOOD[:-30]}", ("truncated", "fenced")),
        (FENCED.replace("102030", "red"), ("fenced", "bad colour")),
        ("Sorry: " + json.dumps({"palette": COLOURS}), ("prose around", "missing key")),
        ('I cannot do it. {"error": 1}', ("prose around", "missing key", "extra key")),
        ("A cat sits on a mat.", ("not JSON",)),
        (GOOD.replace("102030", "1020", 1), ("bad colour",)),
        ("[1, 2]", ("wrong type",)),
        ("NaN", ("wrong type",)),
        (GOOD.replace('"102030"', "NaN"), ("wrong type",)),
        (rows(grid="0" * 576), ("wrong type",)),
        (rows(grid=INTS), ("wrong type",)),
        (GOOD.replace('"102030"', "9" * 5000), ("not JSON",)),
        (rows(grid=changed(0, "０" * 24)), ("bad digit",)),
        ('{"palette": tru', ("truncated",)),
        (GOOD + " " * MAX_CHARACTERS, ("runaway",)),
        ("{" * 1_000_000, ("runaway", "too deep")),
    ],
)
def test_several_failures_and_edges(text: str, failures: tuple[str, ...]) -> None:
    reading = read(text)
    assert reading.failures == failures
    assert reading.strict is None


REPAIRING: dict[str, tuple[str, str, int, int]] = {
    # repair → (encoding, reply, how often, cells changed); the drawing that comes out is DRAWING but for these cells
    "reply cut": ("rows", GOOD + " " * MAX_CHARACTERS, 1, 0),
    "thinking dropped": ("rows", f"<think>{{'grid'}} hm</think>{GOOD}", 1, 0),
    "fence stripped": ("rows", FENCED, 1, 0),
    "prose removed": ("rows", f"Look {{here}}: {GOOD} Nice!", 1, 0),
    "trailing comma": ("rows", GOOD.replace("]", ",]"), 2, 0),
    "single quotes": ("rows", GOOD.replace('"', "'"), 1, 0),
    "JSON mended": ("rows", GOOD[:-2], 1, 0),
    "duplicate key dropped": ("rows", f'{{"palette": [], {GOOD[1:]}', 1, 0),
    "nested object unwrapped": ("rows", f'{{"result": [{GOOD}]}}', 1, 0),
    "bare grid": ("grid-only", json.dumps(ROWS), 1, 0),
    "key renamed": ("rows", GOOD.replace("palette", "Colors").replace("grid", "pixels"), 2, 0),
    "key dropped": ("rows", rows(title="x", size=24), 2, 0),
    "palette listed": ("rows", rows(palette=dict(enumerate(COLOURS))), 1, 0),
    "colour with #": ("rows", rows(palette=["#102030", "0xFF0000", "00ff00"]), 2, 0),
    "colour of 3 digits": ("rows", rows(palette=["102030", "f00", "00ff00ff"]), 2, 0),
    "colour name": ("rows", rows(palette=["102030", "red", "Lime"]), 2, 0),
    "colour given in parts": ("rows", rows(palette=[[16, 32, 48], {"hex": "ff0000"}, "00ff00"]), 2, 0),
    "colour invented": ("rows", rows(palette=["102030", "ff0000", "mauve"]), 1, 48),
    "palette padded": ("rows", rows(palette=["102030"]), 1, 96),
    "palette cut": ("rows", rows(palette=[*COLOURS, *["abcdef"] * 9]), 2, 0),
    "grid split": ("rows", rows(grid="".join(ROWS)), 1, 0),
    "row given as list": ("rows", rows(grid=changed(5, INTS[5])), 1, 0),
    "row given as text": ("ints", ints(ROWS), 24, 0),
    "index given as text": ("ints", ints([*INTS[1:], [0.0, "0", *INTS[0][2:]]]), 2, 0),
    "row separators removed": ("rows", rows(grid=changed(5, " ".join(ROWS[0]))), 1, 0),
    "row given in full": ("runs", rows(grid=[*RUNS[1:], ROWS[0]]), 1, 0),
    "run respelled": ("runs", rows(grid=[*RUNS[1:], "0x10, 1x2, 2x2, 0x10"]), 1, 0),
    "bad digit replaced": ("rows", rows(grid=changed(5, "x?" + ROWS[0][2:])), 2, 2),
    "row padded": ("rows", rows(grid=changed(5, ROWS[0][:20])), 1, 4),
    "row cut": ("rows", rows(grid=changed(5, ROWS[0] + "222")), 1, 0),
    "rows added": ("rows", rows(grid=ROWS[:20]), 4, 96),
    "rows dropped": ("rows", rows(grid=[*ROWS, "1", "2"]), 2, 0),
    "index clamped": ("rows", rows(grid=changed(5, ROWS[0].replace("2", "9"))), 2, 2),
    "command respelled": ("shapes", shapes([*SHAPES[:2], ["Rectangle", 2, 12, 0, 13, 23]]), 1, 0),
    "command dropped": ("shapes", shapes([*SHAPES, "star 1 2 3", "pixel 1"]), 2, 0),
    "coordinate clamped": ("shapes", shapes([*SHAPES[:2], "rect 2 12 -3 13 40"]), 1, 48),
    "background added": ("shapes", shapes(["rect 0 0 0 9 23", *SHAPES[1:]]), 1, 240),
}


@pytest.mark.parametrize("name", REPAIRS)
def test_every_repair_is_named_and_counted(name: str) -> None:
    encoding, text, count, cells = REPAIRING[name]
    reading = read(text, encoding, PALETTE if encoding == "grid-only" else None)
    assert reading.strict is None
    assert {repair.name: repair.count for repair in reading.repairs}[name] == count
    assert reading.cells_changed == cells
    assert reading.repaired is not None
    differ = reading.repaired.palette.rgb[reading.repaired.cells] != PALETTE.rgb[DRAWING.cells]
    assert int(differ.any(axis=2).sum()) <= cells


@pytest.mark.parametrize(
    "text",
    [
        rows(palette="102030, ff0000,00ff00"),
        rows(grid=dict(enumerate(ROWS))),
        rows(grid="\n".join(ROWS)),
        rows(grid=[cell for row in INTS for cell in row]),
        rows(grid=[", ".join(row) for row in ROWS]),
        rows(grid=[row[:8] + " " + row[8:16] + " " + row[16:] for row in ROWS]),
        rows(grid=[[row] for row in ROWS]),
        GOOD.replace('", "00', '" "00'),
        GOOD.replace('"palette"', "palette").replace('"grid"', "grid"),
        GOOD.replace('"grid"', '/* rows */ "grid"'),
        GOOD.replace("[", "(").replace("]", ")"),
        f'[{{"text": {GOOD}}}]',
    ],
)
def test_other_ways_to_write_it_lose_nothing(text: str) -> None:
    reading = read(text)
    assert reading.strict is None
    assert reading.repaired == DRAWING
    assert reading.cells_changed == 0


def test_what_is_added_is_the_background() -> None:
    short = read(rows(grid=changed(5, "1" * 20))).repaired
    assert short is not None
    assert short.cells[5].tolist() == [1] * 24
    few = read(rows(grid=ROWS[:20])).repaired
    assert few is not None
    assert not few.cells[20:].any()


def test_dropped_cells_are_counted_apart() -> None:
    reading = read(rows(grid=[*changed(5, ROWS[0] + "222"), "01", "2"]))
    assert (reading.cells_changed, reading.cells_dropped) == (0, 6)


def test_a_palette_is_cut_to_what_is_used_and_the_rest_goes_to_the_nearest() -> None:
    palette = [f"{level:02x}0000" for level in range(0, 240, 20)]  # 12 reds, 0 to 220
    grid = [[x % 12 for x in range(24)] for _ in range(24)]
    grid[0] = [x % 10 for x in range(24)]  # 10 and 11 are used least
    reading = read(ints(grid, palette), "ints")
    assert reading.repaired is not None
    assert reading.repaired.palette.hex() == palette[:10]
    assert reading.repaired.cells[1, :12].tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9]
    assert reading.cells_changed == 23 * 4


@pytest.mark.parametrize(
    "text",
    [
        rows(grid=ROWS[:11]),  # 264 of 576 cells
        rows(grid=["9" * 24] * 24),
        rows(palette=[]),
        rows(palette=["?", "!", 3]),
        rows(grid={"a": 1}),
        rows(grid=3),
        rows(grid=[]),
        rows(grid=["?" * 24] * 24),
        json.dumps({"grid": ROWS}),
        "I can't do that.",
        GOOD[:60],
    ],
)
def test_too_little_is_not_repaired(text: str) -> None:
    reading = read(text)
    assert reading.repaired is None
    assert reading.repairs == ()


def test_half_of_the_cells_is_enough() -> None:
    assert read(rows(grid=ROWS[:12])).cells_changed == 288


def test_the_last_drawing_among_prose_is_taken() -> None:
    other = GOOD.replace("102030", "405060").replace("0011", "0111")
    assert read(f"First try: {other}\nBetter: {GOOD}\nMeta: {{}}").repaired == DRAWING
    assert read(f"```json\n{other}\n```\nor\n```json\n{GOOD}\n```").repaired == DRAWING


@pytest.mark.parametrize(
    ("text", "valid"),
    [(GOOD, True), ("[]", True), ("NaN", True), (FENCED, False), (GOOD[:-1], False), ("", False), ("[" * 99, False)],
)
def test_json_validity_is_that_of_the_standard_parser(text: str, valid: bool) -> None:
    assert read(text).json_valid == valid


def test_the_published_grid_is_as_it_stands() -> None:
    reading = read(json.dumps({"palette": ["red"], "grid": ["0129", [7, 300, -1], "", []], "note": 1}))
    assert reading.published is not None
    assert reading.published.palette == ("red",)
    assert reading.published.rows == ((0, 1, 2, 9), (7, 300, -1), (), ())
    assert read(json.dumps({"grid": ROWS}), "grid-only", PALETTE).published is not None
    assert read(json.dumps({"palette": COLOURS, "grid": ["01x"]})).published is None
    assert read(FENCED).published is None
    assert read(json.dumps({"palette": COLOURS, "grid": RUNS}), "runs").published == read(GOOD).published
    assert read(shapes(SHAPES), "shapes").published == read(GOOD).published


def test_what_the_caller_gets_wrong_is_an_error() -> None:
    with pytest.raises(InputError, match="encoding must be one of"):
        read(GOOD, "rowz")
    with pytest.raises(InputError, match="palette must be given"):
        read(GOOD, "grid-only")
    with pytest.raises(InputError, match="opaque"):
        read(GOOD, "grid-only", Palette.from_hex(COLOURS, transparent=0))


def test_the_reason_is_a_sentence_about_this_reply() -> None:
    assert read(rows(grid=ROWS[:7])).reason == "The grid has 7 rows, must have 24."
    assert read("").reason == "There is nothing but whitespace."
    assert read(" " * 300_000).reason == "There is nothing but whitespace."
    assert "300,000 characters" in read("x" * 300_000).reason


@pytest.mark.parametrize("depth", [31, 100, 900, 980, 2_000])
def test_deep_values_are_no_danger(depth: int) -> None:
    deep = "[" * depth + "]" * depth
    for text in (f'{{"palette": [{deep}], "grid": []}}', f'{{"palette": [], "grid": [{deep}]}}', f'{{"a": {deep}}}'):
        assert read(text).failures[0] == ("too deep" if depth > 31 else read(text).failures[0])


@given(st.text())
@settings(max_examples=300)
def test_any_text_is_read(text: str) -> None:
    assert read(text).strict is None


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30) | st.sampled_from(ROWS + COLOURS),
    lambda inner: (
        st.lists(inner, max_size=30)
        | st.dictionaries(st.sampled_from(["palette", "grid", "shapes", "colors", "a"]), inner)
    ),
    max_leaves=40,
)


@given(VALUES, st.sampled_from(["rows", "ints", "grid-only", "runs", "shapes"]))
@settings(max_examples=150)
def test_any_json_is_read(value: object, name: str) -> None:
    reading = read(json.dumps(value), name, PALETTE)
    assert reading.json_valid
    assert (reading.strict is None) == bool(reading.failures)


@given(VALUES, VALUES, st.sampled_from(["rows", "ints", "runs", "shapes"]))
@settings(max_examples=150)
def test_any_palette_and_grid_are_read(palette: object, grid: object, name: str) -> None:
    key = "shapes" if name == "shapes" else "grid"
    for one, other in ((palette, ROWS), (COLOURS, grid)):
        reading = read(json.dumps({"palette": one, key: other}), name)
        assert np.count_nonzero([reading.strict is None, not reading.failures]) == 1
