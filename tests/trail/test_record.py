"""Records: the way to a line and back, and what a line from a stranger may not do."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trail.histories import run

from pixelreef.errors import InputError
from pixelreef.trail.record import (
    KINDS,
    MAX_CELLS,
    MAX_LINE,
    MAX_TEXT,
    Record,
    Sheet,
    brief,
    line_from_record,
    now,
    record_from_line,
)


def made(**fields: Any) -> bytes:
    return json.dumps({"version": 1, "kind": "run", "time": "2026-11-16T15:30:12.104512Z", **fields}).encode()


def test_a_line_says_all_and_leaves_out_what_is_not_known() -> None:
    record = run(1, 0.5, "lwnc", note="a\nb", sheets=(Sheet("run/sheet.png", "ab" * 16),), made={"step": 100})
    line = line_from_record(record)
    assert line.count(b"\n") == 1
    read = record_from_line(line)
    assert read.document() == record.document()
    assert len(read.id) == 12
    assert set(json.loads(line_from_record(Record("corpus", now())))) == {"version", "kind", "time"}


def test_the_time_is_utc_and_can_be_read() -> None:
    assert now().endswith("Z")
    assert record_from_line(made()).time[:4].isdigit()


text = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | text
cells = st.dictionaries(text, st.floats(0, 1e6), max_size=5)


@given(st.sampled_from(KINDS), text, text, cells, st.dictionaries(text, text, max_size=5), st.dictionaries(text, plain))
def test_what_is_written_is_read(
    kind: str, note: str, command: str, losses: dict[str, float], verdicts: dict[str, str], fields: dict[str, Any]
) -> None:
    record = Record(kind, now(), command, losses=losses, verdicts=verdicts, note=note, fields=fields)
    read = record_from_line(line_from_record(record))
    assert (read.kind, read.note, read.command) == (kind, note, command)
    assert (dict(read.losses), dict(read.verdicts)) == (losses, verdicts)
    assert read.fields == json.loads(json.dumps(brief(fields)))


def test_fields_of_a_newer_version_are_kept_and_ignored() -> None:
    read = record_from_line(made(version=7, mood={"of": ["the", "model"]}))
    assert read.version == 7
    assert read.document()["mood"] == {"of": ["the", "model"]}
    assert record_from_line(line_from_record(read)).more == {"mood": {"of": ["the", "model"]}}


def test_a_kind_that_is_not_known_is_read() -> None:
    assert record_from_line(made(kind="dream")).kind == "dream"


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b"7",
        b"{",
        b'{"version": 1',
        b"\xff\xfe",
        b"[" * 100,
        made(version=0),
        made(version="1"),
        made(version=True),
        made(time="yesterday"),
        made(time=7),
        made(kind=["run"]),
        made(corpus="../../etc"),
        made(weights="ABCDEF01"),
        made(loss="low"),
        made(loss=-1),
        made(loss=True),
        made(minutes=10**30),
        made(losses=[0.1]),
        made(losses={"coral": "low"}),
        made(losses={"coral": True}),
        made(verdicts={"coral": 1}),
        made(verdicts={"coral": "x" * 201}),
        made(losses={"x" * 201: 1}),
        made(recipe="reef"),
        made(recipe={"name": "reef", "fields": []}),
        made(sheets={"path": "a.png"}),
        made(sheets=["a.png"]),
        made(sheets=[{"path": ""}]),
        made(sheets=[{"path": "a.png", "hash": 7}]),
        made(sheets=[{"path": "a.png"}] * 65),
        made(note="x" * (MAX_TEXT + 1)),
        made(made=[]),
        made(losses={f"cell {n}": 0.5 for n in range(MAX_CELLS + 1)}),
        b'{"version":1,"kind":"run","time":"2026-11-16T10:00:00Z","loss":NaN}',
        b'{"version":1,"kind":"run","kind":"run","time":"2026-11-16T10:00:00Z"}',
        made(made={"fill": "x" * MAX_LINE}),
    ],
)
def test_a_line_that_is_no_record_is_one_clear_error(line: bytes) -> None:
    with pytest.raises(InputError, match="must"):
        record_from_line(line)


def test_a_writer_cuts_what_is_too_long() -> None:
    losses = {f"category-{n}/zone": n / 1000 for n in range(5000)}
    record = Record(
        "run",
        now(),
        "x" * 10_000,
        note="y" * 10_000,
        losses={**losses, "odd": math.nan},
        loss=math.inf,
        verdicts=dict.fromkeys(losses, "noise"),
        fields={"deep": [[[[[[1, 2, 3]]]]]], "long": list(range(1000)), "odd": math.nan, "text": "z" * 999},
        sheets=(Sheet("a.png", ""),) * 100,
    )
    line = line_from_record(record)
    assert len(line) < MAX_LINE
    read = record_from_line(line)
    assert len(read.losses) == len(read.verdicts) == MAX_CELLS
    assert (len(read.note), len(read.command), len(read.sheets)) == (MAX_TEXT, MAX_TEXT, 64)
    assert read.loss is None
    assert read.fields["long"][-1] == "… and 960 more"
    assert read.fields["odd"] is None
    assert len(read.fields["text"]) == 200


def test_the_longest_names_still_fit_a_line() -> None:
    names = {f"{n:04d}" + "é" * 95: 0.123456789012 for n in range(MAX_CELLS)}
    assert len(line_from_record(Record("run", now(), losses=names, verdicts=dict.fromkeys(names, "noise")))) < MAX_LINE


def test_odd_letters_of_a_command_line_are_written() -> None:
    """What can't be decoded comes as lone surrogates."""
    assert record_from_line(line_from_record(Record("run", now(), "a\udcffb"))).command == "a?b"
