"""The file: appended to by several at once, torn by a crash, and never losing what stood before."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trail.histories import history, run

from pixelreef.core.locks import taken
from pixelreef.errors import FileError
from pixelreef.trail import file as trail_file
from pixelreef.trail.file import append_record, read_trail
from pixelreef.trail.record import Record, line_from_record, now


def test_what_is_appended_is_read_in_its_order(tmp_path: Path) -> None:
    path = tmp_path / "below" / "trail.jsonl"
    written = [append_record(path, one) for one in history([0.5, 0.4], ["lwnc", "llll"])]
    read = read_trail(path)
    assert read.records == tuple(written)
    assert read.notes == ()
    assert read.folder == path.parent


def test_a_torn_last_line_is_passed_over_and_the_next_begins_on_its_own(tmp_path: Path) -> None:
    path = tmp_path / "trail.jsonl"
    first = append_record(path, run(1, 0.5, "lwnc"))
    with path.open("ab") as file:
        file.write(line_from_record(run(2, 0.4, "lwnc"))[:100])
    torn = read_trail(path)
    assert torn.records == (first,)
    assert torn.notes == ("Line 2 was passed over: it is torn, as a crash leaves it",)
    third = append_record(path, run(3, 0.3, "lwnc"))
    assert read_trail(path).records == (first, third)
    assert len(read_trail(path).notes) == 1


@given(st.integers(0, 2000))
def test_wherever_a_line_is_torn_the_others_stay(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = tmp_path_factory.mktemp("torn") / "trail.jsonl"
    first = append_record(path, run(1, 0.5, "lwnc"))
    line = line_from_record(run(2, 0.4, "lwnc"))
    with path.open("ab") as file:
        file.write(line[: cut % (len(line) + 1)])
    last = append_record(path, run(3, 0.3, "lwnc"))
    read = read_trail(path).records
    assert (read[0], read[-1]) == (first, last)
    assert len(read) == 2 + (cut % (len(line) + 1) >= len(line) - 1)  # only its end is missing


def test_bad_lines_in_the_middle_are_passed_over_with_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "trail.jsonl"
    one, two = (line_from_record(run(number, 0.5, "lwnc")) for number in (1, 2))
    path.write_bytes(one + b"\n\n" + b"nonsense\n" + b'{"version":1,"kind":"run","time":"soon"}\n' + two)
    read = read_trail(path)
    assert len(read.records) == 2
    assert [note.split(" was")[0] for note in read.notes] == ["Line 4", "Line 5"]


def test_of_too_many_records_the_last_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trail_file, "MAX_RECORDS", 3)
    monkeypatch.setattr(trail_file, "MAX_NOTES", 2)
    path = tmp_path / "trail.jsonl"
    for number in range(1, 6):
        append_record(path, run(number, 0.5, "lwnc"))
    read = read_trail(path)
    assert [record.minutes for record in read.records] == [15.0] * 3
    assert read.records[-1].command.endswith("run-5")
    assert read.notes == ("2 older records were left out.",)
    path.write_bytes(b"x\n" * 3)
    assert read_trail(path).notes[-1] == "1 more lines were passed over."


@pytest.mark.parametrize("name", ["folder", "none.jsonl"])
def test_what_can_not_be_read_is_one_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileError, match="must"):
        read_trail(tmp_path / name)


def test_what_can_not_be_written_is_one_line(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", tmp_path / "a\0b"):
        with pytest.raises(FileError, match="must be"):
            append_record(path, Record("corpus", now()))


def test_whoever_holds_a_trail_is_waited_for_and_not_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "trail.jsonl"
    with path.open("ab") as file:
        assert taken(file.fileno())
        with pytest.raises(FileError, match="be nobody's"):
            append_record(path, Record("corpus", now()), patience=0.05)
    append_record(path, Record("corpus", now()), patience=0.05)
    assert len(read_trail(path).records) == 1


WRITER = """
import sys
from pixelreef.trail.file import append_record
from pixelreef.trail.record import Record, now
for number in range(int(sys.argv[3])):
    append_record(sys.argv[1], Record("corpus", now(), f"{sys.argv[2]} {number} " + "x" * 3900))
"""


def test_several_processes_never_mix_their_lines(tmp_path: Path) -> None:
    path, count = tmp_path / "trail.jsonl", 40
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(n), str(count)]) for n in range(4)]
    assert [writer.wait(60) for writer in writers] == [0] * 4
    read = read_trail(path)
    assert read.notes == ()
    told = [tuple(map(int, record.command.split()[:2])) for record in read.records]
    assert sorted(told) == [(writer, number) for writer in range(4) for number in range(count)]
    for writer in range(4):
        assert [number for who, number in told if who == writer] == list(range(count))
