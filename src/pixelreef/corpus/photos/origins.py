"""Where photographs come from, by a table beside them: CSV with the columns `file`, `author`, `licence`, `address`."""

from __future__ import annotations

import csv
import io
import os

from pixelreef.core.files import read_bytes
from pixelreef.corpus.entry import Origin
from pixelreef.corpus.photos.free_licences import free_licence
from pixelreef.errors import InputError

MAX_ROWS = 1_000_000
_FIELDS = ("author", "licence", "address")


def read_origins(path: str | os.PathLike[str], source: str) -> dict[str, Origin]:
    """Path inside the folder → origin. Licences that are known become SPDX identifiers, others stay as written."""
    text = read_bytes(path).decode("utf-8-sig", errors="replace")
    what = f"origins {os.fspath(path)!r}"
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
        names = list(reader.fieldnames or [])
        if "file" not in names or not set(names) & set(_FIELDS) or len(set(names)) < len(names):
            raise InputError(what, "have a column 'file' and any of author, licence, address", names)
        rows = [row for row, _ in zip(reader, range(MAX_ROWS), strict=False)]
    except csv.Error as error:
        raise InputError(what, "be a CSV table", str(error), verbatim=True) from None
    return {row["file"]: _origin(row, source) for row in rows if row["file"]}


def _origin(row: dict[str, str], source: str) -> Origin:
    author, licence, address = ((row.get(name) or "").strip() for name in _FIELDS)
    return Origin(source, author, free_licence(licence) or licence, address)
