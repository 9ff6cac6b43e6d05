"""Corpus files from strangers: a bad row is left out with its reason, a bad file is one line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from corpus.samples import COLOURS, FACTORS, blobs

from pixelreef.corpus import opened
from pixelreef.corpus.layout import KEY
from pixelreef.corpus.store import open_corpus, write_corpus
from pixelreef.errors import InputError

GOOD: dict[str, Any] = {
    "grid": b"\0\1\2\3",
    "width": 2,
    "height": 2,
    "palette": " ".join(COLOURS),
    "transparent": 0,
    "parameters": "{}",
    "parts": b"\0\1\1\1",
    "weight": 1.0,
    "name": "good",
}
KINDS = {
    "grid": pa.binary(),
    "parts": pa.binary(),
    "width": pa.int64(),
    "height": pa.int64(),
    "transparent": pa.int64(),
}
BAD_ROWS: dict[str, dict[str, Any]] = {
    "too short": {"grid": b"\0\1\2"},
    "too long": {"grid": b"\0" * 5},
    "no grid": {"grid": None},
    "empty": {"grid": b"", "width": 0, "height": 0},
    "negative size": {"width": -2, "height": -2},
    "absurd size": {"width": 2**62, "height": 2**62},
    "a long side": {"width": 4096, "height": 1, "grid": b"\0" * 4096, "parts": None},
    "no size": {"width": None},
    "index beyond the palette": {"grid": b"\0\1\2\x08"},
    "no palette": {"palette": None},
    "palette of words": {"palette": "red green"},
    "palette of 257": {"palette": " ".join(["000000"] * 257)},
    "transparent beyond": {"transparent": 8},
    "transparent below": {"transparent": -1},
    "parts too short": {"parts": b"\0"},
    "unknown part": {"parts": b"\0\0\0\xff"},
    "weight below 0": {"weight": -1.0},
    "weight nan": {"weight": float("nan")},
    "parameters of text": {"parameters": "seed 7"},
    "parameters of a list": {"parameters": "[1]"},
    "parameters too deep": {"parameters": '{"a":' * 40 + "1" + "}" * 40},
    "a text too long": {"name": "x" * 70_000},
}


def file_of(path: Path, rows: list[dict[str, Any]]) -> Path:
    kinds = [(name, KINDS.get(name, pa.float64() if name == "weight" else pa.string())) for name in GOOD]
    pq.write_table(pa.Table.from_pylist(rows, pa.schema(kinds)), path)
    return path


@pytest.mark.parametrize("name", BAD_ROWS)
def test_a_bad_row_is_left_out_and_the_rest_is_read(tmp_path: Path, name: str) -> None:
    path = file_of(tmp_path / "c.parquet", [GOOD, {**GOOD, **BAD_ROWS[name]}, GOOD])
    corpus = open_corpus(path)
    assert [entry.name for entry in corpus] == ["good", "good"]
    assert list(corpus.refused) == [1]
    assert " must " in corpus.refused[1]
    assert list(corpus.at([0, 1, 2])) == [0, 2]


@pytest.mark.parametrize("name", [name for name in BAD_ROWS if not name.startswith(("parameters", "a text"))])
def test_arrays_leave_out_the_same_rows_for_the_same_reason(tmp_path: Path, name: str) -> None:
    path = file_of(tmp_path / "c.parquet", [GOOD, {**GOOD, **BAD_ROWS[name]}, GOOD])
    one_by_one, at_once = open_corpus(path), open_corpus(path)
    list(one_by_one)
    assert at_once.arrays().rows.tolist() == [0, 2]
    assert at_once.refused == one_by_one.refused


def test_text_that_is_no_utf8_is_read_with_marks(tmp_path: Path) -> None:
    table = pa.Table.from_pylist([GOOD], pa.schema([(n, KINDS.get(n, pa.binary())) for n in GOOD if n != "weight"]))
    raw = pa.array([b"a\xffb"]).view(pa.string())
    table = table.set_column(table.schema.names.index("name"), "name", raw)
    for name in ("palette", "parameters"):
        table = table.set_column(table.schema.names.index(name), name, table[name].cast(pa.string()))
    pq.write_table(table, tmp_path / "c.parquet")
    assert [entry.name for entry in open_corpus(tmp_path / "c.parquet")] == ["a\ufffdb"]


def test_a_file_of_nothing_but_bad_rows_gives_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opened, "MAX_REFUSED", 10)
    corpus = open_corpus(file_of(tmp_path / "c.parquet", [{**GOOD, "grid": b""}] * 30))
    with pytest.raises(InputError, match="at most 10 unreadable rows"):
        list(corpus)


def broken_footer(change: dict[str, Any] | bytes) -> bytes:
    plain = {"version": 1, "count": 1, "hash": "0" * 32, "factors": [], "history": {}}
    return change if isinstance(change, bytes) else json.dumps({**plain, **change}).encode()


FOOTERS: dict[str, dict[str, Any] | bytes] = {
    "no JSON": b"\x00\xff",
    "a list": b"[]",
    "deep": b"[" * 100_000,
    "a later version": {"version": 2},
    "another part": {"parts": ["none", "wing"]},
    "factor without a column": {"factors": [{"name": "zone", "values": []}]},
    "factor named as a column": {"factors": [{"name": "grid", "values": []}]},
    "factors of numbers": {"factors": [{"name": "name", "values": [1]}]},
    "no count": {"count": None},
    "no hash": {"hash": 7},
    "history of text": {"history": "long"},
}


@pytest.mark.parametrize("name", FOOTERS)
def test_a_wrong_footer_is_one_line(tmp_path: Path, name: str) -> None:
    table = pq.read_table(file_of(tmp_path / "c.parquet", [GOOD]))
    pq.write_table(table.replace_schema_metadata({KEY: broken_footer(FOOTERS[name])}), tmp_path / "c.parquet")
    with pytest.raises(InputError, match=" must ") as caught:
        open_corpus(tmp_path / "c.parquet")
    assert "\n" not in str(caught.value)


def test_a_value_that_the_footer_does_not_list_is_refused(tmp_path: Path) -> None:
    footer = broken_footer({"factors": [{"name": "kind", "values": ["fish"]}]})
    table = pq.read_table(file_of(tmp_path / "c.parquet", [GOOD, GOOD]))
    table = table.append_column("kind", pa.array(["fish", "crab"])).replace_schema_metadata({KEY: footer})
    pq.write_table(table, tmp_path / "c.parquet")
    corpus = open_corpus(tmp_path / "c.parquet")
    assert [entry.cell for entry in corpus] == ["fish"]
    assert corpus.arrays().labels["kind"].tolist() == [0]
    assert list(corpus.refused) == [1]


@pytest.mark.parametrize(
    ("columns", "rule"),
    [
        ({"width": None}, "have the columns grid, width, height, palette, got none named width"),
        ({"width": ["2"]}, "be whole numbers"),
        ({"grid": ["text"]}, "be bytes"),
        ({"palette": [7]}, "be text or lists of text"),
        ({"weight": ["heavy"]}, "be numbers"),
        ({"species": [7]}, "be text"),
    ],
)
def test_columns_of_another_kind_are_one_line(tmp_path: Path, columns: dict[str, Any], rule: str) -> None:
    needed = {"grid": [b"\0"], "width": [1], "height": [1], "palette": ["000000"]}
    given = {name: values for name, values in {**needed, **columns}.items() if values is not None}
    pq.write_table(pa.table(given), tmp_path / "c")
    with pytest.raises(InputError, match=rule):
        open_corpus(tmp_path / "c")


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1PAR1", b"PAR1" + b"\xff" * 100 + b"PAR1", b"GIF89a", None])
def test_what_is_no_corpus_is_one_line(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "c.parquet"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    for given in (path, tmp_path / "nothing"):
        with pytest.raises(InputError, match=r"corpus '.*' must be a ") as caught:
            open_corpus(given)
        assert "\n" not in str(caught.value)


# In a process of its own: a fault in native code would end it, and the tests with it.
FUZZ = """
import random, sys, time
from pathlib import Path
from pixelreef.corpus.store import open_corpus
from pixelreef.errors import InputError

base, target, rounds = Path(sys.argv[1]).read_bytes(), Path(sys.argv[2]), int(sys.argv[3])
footer = int.from_bytes(base[-8:-4], "little")
uses = [list, lambda c: c.arrays(), lambda c: c.hash, lambda c: c.cells(), lambda c: c.at([0, 7])]
refused = 0
for seed in range(rounds):
    chance, damaged = random.Random(seed), bytearray(base)
    low = len(base) - 8 - footer if seed % 2 else 4
    for _ in range(chance.randrange(1, 6)):
        damaged[chance.randrange(low, len(base) - 4)] = chance.randrange(256)
    if seed % 5 == 0:
        damaged = damaged[: chance.randrange(8, len(base) - 8)] + damaged[-8:]
    target.write_bytes(damaged)
    started = time.perf_counter()
    for use in uses:
        try:
            use(open_corpus(target))
        except InputError as error:
            assert "\\n" not in str(error), error
            refused += 1
    assert time.perf_counter() - started < 10, seed
print(refused)
"""


@pytest.mark.parametrize("plain", [False, True], ids=["ours", "without checksums"])
def test_damaged_bytes_are_refused_or_read(tmp_path: Path, plain: bool) -> None:
    rounds = 120
    path = write_corpus(tmp_path / "c.parquet", blobs(40), FACTORS).path
    if plain:
        pq.write_table(pq.read_table(path), path, compression="none")
    command = [sys.executable, "-c", FUZZ, str(path), str(tmp_path / "damaged"), str(rounds)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) > rounds  # of five uses each, and most damage is seen
