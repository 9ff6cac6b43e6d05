"""Whatever stands in a trail, it is read, joined and shown, or refused in one line."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trail.histories import history, run

from pixelreef.errors import InputError
from pixelreef.trail.file import read_trail
from pixelreef.trail.iterations import iterations_from_records
from pixelreef.trail.page import trail_page
from pixelreef.trail.record import Record, line_from_record
from pixelreef.trail.story import story_from_trail

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
)
hashes = st.sampled_from(["ab" * 16, "cd" * 16, "", "00" * 6])
words = st.sampled_from(["learned", "weak", "noise", "copied", "too few to tell", "", "<b>"])
cell = st.sampled_from(["coral/abyss", "jellyfish/hadal", "", "<i>"])
sound = st.fixed_dictionaries(
    {
        "version": st.integers(1, 3),
        "kind": st.sampled_from(["corpus", "forecast", "run", "verdict", "note", "dream"]),
        "time": st.sampled_from(["2026-11-16T15:30:12.000001Z", "2026-11-16", "2031-01-01T00:00:00+05:00"]),
    },
    optional={
        "corpus": hashes,
        "weights": hashes,
        "calibration": hashes,
        "about": hashes,
        "loss": st.floats(0, 9),
        "losses": st.dictionaries(cell, st.floats(0, 9)),
        "verdicts": st.dictionaries(cell, words),
        "recipe": st.fixed_dictionaries(
            {"name": st.text(max_size=4), "fields": st.dictionaries(st.text(max_size=6), anything)}
        ),
        "made": st.dictionaries(st.sampled_from(["path", "count", "cells", "parents", "stages"]), anything),
        "sheets": st.lists(
            st.fixed_dictionaries({"path": st.text(min_size=1, max_size=9), "hash": hashes}), max_size=2
        ),
        "note": st.text(max_size=9),
        "minutes": st.floats(0, 1e8),
    },
)


@settings(max_examples=40)  # a page each
@given(
    st.lists(
        sound | st.dictionaries(st.sampled_from(["version", "kind", "time", "loss", "sheets"]), anything), max_size=8
    )
)
def test_any_trail_has_a_page_and_loses_no_run(tmp_path_factory: pytest.TempPathFactory, told: list[Any]) -> None:
    path = tmp_path_factory.mktemp("odd") / "trail.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in told), "utf-8")
    trail = read_trail(path)
    assert len(trail.records) + len(trail.notes) == len(told)
    story = story_from_trail(trail)
    json.dumps(story.document(), allow_nan=False)
    story.text()
    page = trail_page(story).html()
    assert "<i>" not in page
    assert "<b>" not in page
    joined = iterations_from_records(trail.records)
    assert [one.number for one in joined.iterations] == list(range(1, len(joined.iterations) + 1))
    runs = {(one.weights or one.id) for one in trail.records if one.kind == "run"}
    assert {(one.run.weights or one.run.id) for one in joined.iterations if one.run} == runs


@given(st.binary(max_size=200), st.integers(0, 2000), st.integers(0, 40))
def test_any_damage_leaves_the_lines_that_are_sound(
    tmp_path_factory: pytest.TempPathFactory, noise: bytes, at: int, gone: int
) -> None:
    path = tmp_path_factory.mktemp("hurt") / "trail.jsonl"
    lines = [line_from_record(one) for one in history([0.5, 0.4, 0.3], ["lwnc"] * 3)]
    data = b"".join(lines)
    at %= len(data)
    path.write_bytes(data[:at] + noise + data[at + gone :])
    read = {one.time for one in read_trail(path).records}
    first = len(lines[0])
    if at >= first + len(lines[1]):
        assert {one.time for one in history([0.5, 0.4], ["lwnc"] * 2)} <= read
    if at + gone < first:
        assert {run(number, 0.5, "lwnc").time for number in (2, 3)} <= read


def test_a_trail_of_many_records_is_joined_in_good_time(tmp_path: Path) -> None:
    """A search through all records for each of them would take minutes."""
    made = [
        Record(**{**vars(run(number, 1.0, "----")), "time": "2026-11-16T15:30:12Z", "weights": f"{number:032x}"})
        for number in range(5000)
    ]
    records = [Record(**{**vars(one), "kind": kind}) for one in made for kind in ("corpus", "run")]
    began = time.process_time()
    assert len(iterations_from_records(records).iterations) == 5000
    assert time.process_time() - began < 5


def test_a_trail_that_is_too_large_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pixelreef.trail.file.MAX_BYTES", 100)
    (tmp_path / "trail.jsonl").write_bytes(line_from_record(run(1, 0.5, "lwnc")))
    with pytest.raises(InputError, match="must be at most 100 bytes"):
        read_trail(tmp_path / "trail.jsonl")
