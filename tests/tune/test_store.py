from __future__ import annotations

import json
from pathlib import Path

import pytest

from pixelreef.errors import FileError, InputError
from pixelreef.tune.pairs import Pair
from pixelreef.tune.store import FACTS, Form, check_some, read_pairs, write_pairs

PAIRS = [
    Pair("sea fan, coral", "train", "rows", "Draw: ü", '{"a":1}', "x/1", "CC0-1.0"),
    Pair("ray", "held", "runs", "Draw", "{}"),
]


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_pairs_come_back_as_they_were(tmp_path: Path, form: Form) -> None:
    written = write_pairs(tmp_path, PAIRS, {"test": "draw-1"}, form)
    for place in (tmp_path, written.path):
        found = read_pairs(place)
        assert found.pairs == PAIRS
        assert found.hash == written.hash
    assert read_pairs(tmp_path).facts["test"] == "draw-1"
    first = written.path.read_bytes()
    write_pairs(tmp_path, PAIRS, {}, form)
    assert written.path.read_bytes() == first


def broken(line: str) -> list[str]:
    whole = json.loads(line)
    return [
        line[:-4],
        json.dumps({**whole, "answer": "other"}),
        json.dumps({**whole, "version": 2}),
        json.dumps({**whole, "split": "test"}),
        json.dumps({**whole, "prompt": None}),
        "[]",
        '{"a": NaN}',
    ]


@pytest.mark.parametrize("number", range(7))
def test_a_line_that_is_no_pair_is_named(tmp_path: Path, number: int) -> None:
    path = write_pairs(tmp_path, PAIRS, {}).path
    first, second = path.read_text("utf-8").splitlines()
    path.write_text(f"{first}\n{broken(second)[number]}\n", "utf-8")
    with pytest.raises(FileError, match="pair 2 of ") as caught:
        read_pairs(path)
    assert "\n" not in str(caught.value)


def test_lines_that_went_missing_are_noticed(tmp_path: Path) -> None:
    path = write_pairs(tmp_path, PAIRS, {}).path
    path.write_text(path.read_text("utf-8").splitlines()[0] + "\n", "utf-8")
    with pytest.raises(FileError, match="have the hash"):
        read_pairs(tmp_path)
    (tmp_path / FACTS).unlink()
    assert len(read_pairs(tmp_path).pairs) == 1


def test_what_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="be a file or folder of pairs, got none there"):
        read_pairs(tmp_path / "no")
    (tmp_path / "pairs.parquet").write_bytes(b"PAR1 not really PAR1")
    with pytest.raises(FileError, match="be a readable parquet file"):
        read_pairs(tmp_path)


def test_encodings_that_are_not_there_are_refused(tmp_path: Path) -> None:
    found = write_pairs(tmp_path, PAIRS, {})
    assert check_some(found, ["rows", "runs"]) == (PAIRS[:1], PAIRS[1:])
    with pytest.raises(InputError, match=r"hold some in runs, got \['rows', 'runs'\]"):
        check_some(found, ["runs"])
