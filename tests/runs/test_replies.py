"""The reply record: both files hold the same, foreign lines are read, bad ones are counted."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixelreef.errors import FileError, PixelreefError
from pixelreef.runs.replies import (
    MAX_IMAGES,
    MAX_TEXT,
    Reply,
    read_replies,
    reply_from_json,
    write_jsonl,
    write_parquet,
)

pytestmark = pytest.mark.inspect

FULL = Reply(
    entrant="local/smollm2",
    item="sun",
    text='{"palette": ["é\u2028"]}',
    attempt=3,
    reasoning="hm",
    images=("data:image/png;base64,AAAA",),
    stop_reason="stop",
    input_tokens=10,
    output_tokens=20,
    cost=0.25,
    cached=True,
    seconds=1.5,
    seed=2**31 - 2,
    task="draw",
    task_version="1",
    sampling={"temperature": 1.0, "constrained": True},
    metadata={"category": "nature", "n": [1, 2]},
)
FAILED = Reply("m", "rainbow", "", failure="error", error="InternalServerError")

text = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20)
replies = st.builds(
    Reply,
    entrant=text,
    item=text,
    text=text,
    attempt=st.integers(1, 9),
    images=st.lists(text, max_size=3).map(tuple),
    failure=st.sampled_from([None, "error", "limit", "not-asked"]),
    error=st.none() | text,
    input_tokens=st.none() | st.integers(0, 10**9),
    cost=st.none() | st.floats(0, 1e6),
    cached=st.booleans(),
    metadata=st.dictionaries(text, st.integers(-5, 5) | text | st.none(), max_size=3),
)


@given(st.lists(replies, max_size=4))
def test_both_files_give_back_what_was_written(tmp_path_factory: pytest.TempPathFactory, many: list[Reply]) -> None:
    folder = tmp_path_factory.mktemp("replies")
    assert read_replies(write_jsonl(folder / "a.jsonl", many)) == many
    assert read_replies(write_parquet(folder / "a.parquet", many)) == many


def test_a_full_reply_survives_both_files(tmp_path: Path) -> None:
    assert read_replies(write_jsonl(tmp_path / "a", [FULL, FAILED])) == [FULL, FAILED]
    assert read_replies(write_parquet(tmp_path / "b", [FULL, FAILED])) == [FULL, FAILED]


def test_a_line_from_elsewhere_needs_three_fields(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"entrant": "m", "item": 7, "text": "x", "colour": "red"}\n\n')
    assert read_replies(path) == [Reply("m", "7", "x", metadata={"colour": "red"})]


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        "[1]",
        '{"entrant": "m", "item": "a"}',
        '{"entrant": "m", "item": "a", "text": 5}',
        '{"entrant": "m", "item": "a", "text": "", "version": 2}',
        '{"entrant": "m", "item": "a", "text": "", "attempt": 0}',
        '{"entrant": "m", "item": "a", "text": "", "attempt": true}',
        '{"entrant": "m", "item": "a", "text": "", "cost": NaN}',
        '{"entrant": "m", "item": "a", "text": "", "failure": "bored"}',
        '{"entrant": "m", "item": "a", "text": "", "images": [1]}',
        '{"entrant": "m", "item": "a", "text": "", "metadata": []}',
        "[" * 100_000,
    ],
)
def test_a_bad_line_is_one_failure_with_its_number(tmp_path: Path, line: str) -> None:
    path = tmp_path / "a.jsonl"
    good = json.dumps({"entrant": "m", "item": "a", "text": "x"})
    path.write_text("\n".join([good, line, good]))
    first, bad, last = read_replies(path)
    assert first == last == Reply("m", "a", "x")
    assert bad.failure == "unreadable"
    assert (bad.error or "").startswith("line 2: ")
    assert len(bad.error or "") <= 500


def test_a_bad_row_is_one_failure_with_its_number(tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.table({"entrant": ["m", None], "item": ["a", "b"], "text": ["x", "y"]})
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    good, bad = read_replies(tmp_path / "a.parquet")
    assert good == Reply("m", "a", "x")
    assert (bad.failure, bad.error) == (
        "unreadable",
        "row 2: reply must have entrant, item and text, got no 'entrant'.",
    )


def test_files_that_are_none_are_one_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="must exist"):
        read_replies(tmp_path / "none.jsonl")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(FileError, match="must be a readable parquet file"):
        read_replies(tmp_path / "bad.parquet")


def test_long_text_and_many_images_are_cut() -> None:
    document = {"entrant": "m", "item": "a", "text": "x" * (MAX_TEXT + 5), "images": ["data:,"] * (MAX_IMAGES + 1)}
    reply = reply_from_json(document)
    assert (len(reply.text), len(reply.images), reply.cut) == (MAX_TEXT, MAX_IMAGES, True)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | text, lambda v: st.lists(v) | st.dictionaries(text, v)
    )
)
def test_any_value_is_a_reply_or_one_of_our_errors(value: object) -> None:
    for document in (value, {"entrant": "m", "item": value, "text": "x"}, {"entrant": "m", "item": "a", "text": value}):
        with suppress(PixelreefError):
            reply_from_json(document)
