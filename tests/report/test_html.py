"""Escaping: whatever a text holds, it stays text."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from report.samples import png, read

from pixelreef.core.palette import Palette
from pixelreef.core.ramps import Ramps
from pixelreef.report import (
    Board,
    Chart,
    Column,
    Command,
    Gallery,
    Part,
    Picture,
    Points,
    Row,
    Swatches,
    Tiles,
    attribute,
    script_json,
    text,
    visible,
)

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</script><!--<script>",
    "' autofocus onfocus='alert(1)",
    "&lt;b&gt; &amp; &#0;",
    "\x00\x1b[31m\r\n\x85\ud800\u202e\u2066\ufeff",
    "]]></style><style>*{display:none}",
]
# Surrogates on purpose: a model's reply decoded with errors="surrogateescape" holds them.
anything = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(st.characters(exclude_categories=()), min_size=1),
    st.lists(st.sampled_from([*"<>&\"'/=;#! \n\r\t\x00x", "script", "&#x", "\u2028", "\u202e"]), min_size=1).map(
        "".join
    ),
)
_PNG = png()
_PALETTE = Palette.from_hex(["000000", "ffffff"])
Make = Callable[[str], Part]
PARTS: dict[str, Make] = {
    "points": lambda t: Points([t]),
    "command": Command,
    "tiles": lambda t: Tiles([(t, t, "a" + t)]),
    "board": lambda t: Board(
        [Column("a", t, hint="h" + t, flag="f" + t), Column("n", t, "number")], [Row({"a": t, "n": 1}, "n" + t)], t
    ),
    "gallery": lambda t: Gallery(
        [Picture(_PNG, 8, 8, t, "c" + t, ("t" + t.replace(":", "."), "g:" + t), "d" + t)], label=t
    ),
    "chart": lambda t: Chart(
        {"data": [{"type": "bar", "name": t, "y": [1]}]}, "a" + t, title="t" + t, caption="c" + t, table=Points([t])
    ),
    "swatches": lambda t: Swatches(_PALETTE, Ramps(((0, 1),), (t,), 2), "c" + t),
}


@given(anything)
@example("".join(HOSTILE))
def test_text_and_attribute_round_trip(value: str) -> None:
    seen = read(f'<p title="{attribute(value)}">{text(value)}</p>')
    assert seen.tags == [("p", ("title",))]
    assert "".join(seen.texts) == visible(value)
    assert seen.values == [visible(value)]


@pytest.mark.parametrize("make", PARTS.values(), ids=PARTS)
@given(value=anything)
@example(value="".join(HOSTILE))
def test_no_text_changes_the_structure_of_a_part(make: Make, value: str) -> None:
    seen = read(make(value))
    assert seen.tags == read(make("word")).tags
    assert visible(value) in seen.texts or visible("c" + value) in seen.texts


@given(st.recursive(anything | st.integers() | st.none() | st.booleans(), lambda inner: st.lists(inner, max_size=3)))
@example(HOSTILE)
def test_json_in_a_script_round_trips_and_cannot_end_it(value: object) -> None:
    document = script_json(value)
    assert json.loads(document) == value
    assert not set(document) & set("<>&\u2028\u2029")
    assert document.isascii()


def test_json_refuses_what_is_no_json() -> None:
    with pytest.raises(ValueError):
        script_json(float("nan"))


@given(anything)
def test_visible_text_can_be_written_as_utf8_and_is_a_fixed_point(value: str) -> None:
    once = visible(value)
    once.encode()
    assert visible(once) == once


@pytest.mark.parametrize(
    ("given_text", "shown"),
    [
        ("a\tb\nc", "a\tb\nc"),
        ("a\r\nb\rc", "a\nb␍c"),
        ("\x7f", "␡"),
        ("\x85", "⟨U+0085⟩"),
        ("\udcff", "⟨U+DCFF⟩"),
        ("\u202eabc\u202c", "⟨U+202E⟩abc⟨U+202C⟩"),
        ("שלום, é, 🐙, 日本", "שלום, é, 🐙, 日本"),
    ],
)
def test_visible(given_text: str, shown: str) -> None:
    assert visible(given_text) == shown
