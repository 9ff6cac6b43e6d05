"""The manifest of a folder of downloads: `manifest.csv`, a row for each file, with its source and its licence.

It is rewritten whole, by a rename, after every file, so that a killed run loses at most the file it was at. What it
says of a file is believed only while the file has the size and the hash that it says. `corpus photos FOLDER` reads it
again, so that a folder of downloads can be imported anew without the network.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from pixelreef.core.files import inside, read_bytes, write_text
from pixelreef.errors import FileError, InputError, PixelreefError

NAME = "manifest.csv"
MAX_ROWS = 20_000
_FACTOR = "factor:"
_COLUMNS = ("file", "author", "licence", "address", "licence_address", "fetched", "version", "sha1", "bytes")


@dataclass(frozen=True)
class Row:
    """One downloaded file."""

    file: str
    """Its name in the folder."""
    author: str
    licence: str
    address: str
    """Where a person finds it: its page, or the file itself."""
    licence_address: str = ""
    fetched: str = ""
    """The address that its bytes came from."""
    version: str = ""
    """What its source says of its content, such as a hash of the original; another one means to fetch it again."""
    sha1: str = ""
    """Of the bytes in the folder."""
    bytes: int = 0
    factors: Mapping[str, str] = field(default_factory=dict)


class Manifest:
    """The rows of a folder, by the address that they were fetched from."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.rows: dict[str, Row] = {row.fetched: row for row in read_manifest(self.folder)}

    def kept(self, fetched: str, version: str) -> Row | None:
        """The row of an address whose file is here and whole, and of that version."""
        row = self.rows.get(fetched)
        return row if row and row.version == version and is_whole(self.folder, row) else None

    def add(self, row: Row) -> None:
        """Take a row in, in place of the one of its address, and write all of them."""
        if row.fetched not in self.rows and len(self.rows) >= MAX_ROWS:
            raise InputError(f"folder {str(self.folder)!r}", f"hold at most {MAX_ROWS:,} downloads", "more")
        self.rows[row.fetched] = row
        write_text(self.folder / NAME, _text(self.rows))


def read_manifest(folder: str | os.PathLike[str]) -> list[Row]:
    """The rows of a folder's manifest, in order; none when it has none. Rows that lead out of the folder are errors."""
    path = Path(folder) / NAME
    if not path.exists():
        return []
    text = read_bytes(path).decode("utf-8-sig", errors="replace")
    what = f"manifest {str(path)!r}"
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
        rows = [row for row, _ in zip(reader, range(MAX_ROWS), strict=False)]
        if missing := [name for name in _COLUMNS if name not in (reader.fieldnames or [])]:
            raise InputError(what, "have the columns of a manifest", f"no {missing[0]!r}", verbatim=True)
    except csv.Error as error:
        raise InputError(what, "be a CSV table", str(error), verbatim=True) from None
    return [_row({name: value or "" for name, value in row.items() if name}, folder, what) for row in rows]


def is_whole(folder: str | os.PathLike[str], row: Row) -> bool:
    """Whether a row's file has the size and the hash that the row says."""
    try:
        content = read_bytes(inside(folder, row.file), max(row.bytes, 1))
    except PixelreefError:
        return False
    return len(content) == row.bytes and hashlib.sha1(content, usedforsecurity=False).hexdigest() == row.sha1


def _row(fields: dict[str, str], folder: str | os.PathLike[str], what: str) -> Row:
    name = fields["file"]
    if not name or name != Path(name).name:
        raise FileError(what, "name files of its own folder", name)
    inside(folder, name)
    if not fields["bytes"].isdecimal() or len(fields["bytes"]) > 15:
        raise InputError(what, "count bytes", fields["bytes"])
    factors = {
        column.removeprefix(_FACTOR): value for column, value in fields.items() if column.startswith(_FACTOR) and value
    }
    texts = {column: fields[column] for column in _COLUMNS if column != "bytes"}
    return Row(**texts, bytes=int(fields["bytes"]), factors=factors)


def _text(rows: Mapping[str, Row]) -> str:
    factors = sorted({name for row in rows.values() for name in row.factors})
    buffer = io.StringIO(newline="")
    writer = csv.DictWriter(buffer, [*_COLUMNS, *(_FACTOR + name for name in factors)], lineterminator="\n")
    writer.writeheader()
    for row in rows.values():
        fields = asdict(row)
        given = fields.pop("factors")
        writer.writerow({**fields, **{_FACTOR + name: given.get(name, "") for name in factors}})
    return buffer.getvalue()
