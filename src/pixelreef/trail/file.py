"""The file of a trail: records are appended, one line each, and read back with whatever is wrong left out.

A line is written by one call on a file that is open for appending, under a lock, so that commands at work at the same
time never mix. Where a crash left a line without its end, the next one begins on a new line: what stood before stays,
and the torn line is passed over with a note when the trail is read.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from pathlib import Path

from pixelreef.core.files import read_bytes
from pixelreef.core.locks import taken
from pixelreef.errors import FileError, InputError
from pixelreef.trail.record import Record, id_from_line, line_from_record, record_from_line

NAME = "trail.jsonl"
MAX_BYTES = 32 * 2**20  # some thousand iterations of thirty cells
MAX_RECORDS = 10_000
MAX_NOTES = 20  # on lines that could not be read
PATIENCE = 10.0  # seconds to wait for another command's line


@dataclass(frozen=True)
class Trail:
    """The records of a file, in its order, and what was wrong with the others."""

    path: Path
    records: tuple[Record, ...]
    notes: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        """Where its sheets are looked for."""
        return self.path.parent


def append_record(path: str | os.PathLike[str], record: Record, patience: float = PATIENCE) -> Record:
    """Put a record at the end of a trail, which begins with it where there is none; the record with its id."""
    line, place = line_from_record(record), Path(path)
    what = f"trail {str(place)!r}"
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists() and not place.is_file():  # opening a pipe would wait for a reader
            raise FileError(what, "be a regular file", "something else", verbatim=True)
        handle = os.open(place, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        try:
            _lock(handle, what, patience)
            _write(handle, line, what)
        finally:
            os.close(handle)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(what, "be writable", reason, verbatim=True) from None
    return replace(record, id=id_from_line(line))


def _lock(handle: int, what: str, patience: float) -> None:
    until = time.monotonic() + patience
    while not taken(handle):
        if time.monotonic() > until:
            raise FileError(what, "be nobody's", f"another command at work on it for {patience:g} s", verbatim=True)
        time.sleep(0.01)


def _write(handle: int, line: bytes, what: str) -> None:
    size = os.fstat(handle).st_size
    if size:
        os.lseek(handle, size - 1, os.SEEK_SET)
        if os.read(handle, 1) != b"\n":
            line = b"\n" + line
    if os.write(handle, line) != len(line):
        raise FileError(what, "have room for a line", "a full disk", verbatim=True)
    os.fsync(handle)


def read_trail(path: str | os.PathLike[str]) -> Trail:
    """All records that can be read; of more than 10,000 the last."""
    data = read_bytes(path, MAX_BYTES)
    ended = data.endswith(b"\n")
    lines = data.split(b"\n")
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    notes = []
    if len(numbered) > MAX_RECORDS:
        notes.append(f"{len(numbered) - MAX_RECORDS:,} older records were left out.")
    records, wrong = [], []
    for number, line in numbered[-MAX_RECORDS:]:
        try:
            records.append(record_from_line(line, "record"))
        except InputError as error:
            torn = number == len(lines) and not ended
            wrong.append(f"Line {number:,} was passed over: {'it is torn, as a crash leaves it' if torn else error}")
    if len(wrong) > MAX_NOTES:
        wrong = [*wrong[:MAX_NOTES], f"{len(wrong) - MAX_NOTES:,} more lines were passed over."]
    return Trail(Path(path), tuple(records), (*notes, *wrong))
