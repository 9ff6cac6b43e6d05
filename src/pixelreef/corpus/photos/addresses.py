"""A list of pictures to download: a CSV with the columns `address`, `licence` and `author`, a `page` if there is one,
and one column for each factor.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from pixelreef.core.files import read_bytes
from pixelreef.corpus.intake import Intake
from pixelreef.corpus.photos.download import Wanted
from pixelreef.corpus.photos.web import checked_address
from pixelreef.errors import InputError

MAX_ROWS = 20_000
_NEEDED = ("address", "licence", "author")
_KNOWN = (*_NEEDED, "page")


def wanted_from_addresses(path: str | os.PathLike[str], intake: Intake) -> Iterator[Wanted]:
    """The pictures of a list, in its order; a row that is no http address is one refusal."""
    text = read_bytes(path).decode("utf-8-sig", errors="replace")
    what = f"list {os.fspath(path)!r}"
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
        names = list(reader.fieldnames or [])
        if any(name not in names for name in _NEEDED) or len(set(names)) < len(names):
            raise InputError(what, "have the columns address, licence and author, once each", names)
        rows = [row for row, _ in zip(reader, range(MAX_ROWS + 1), strict=False)]
    except csv.Error as error:
        raise InputError(what, "be a CSV table", str(error), verbatim=True) from None
    if len(rows) > MAX_ROWS:
        raise InputError(what, f"have at most {MAX_ROWS:,} rows", "more", verbatim=True)
    for number, row in enumerate(rows, 2):
        fields = {name: (row[name] or "").strip() for name in names}
        try:
            address = checked_address(fields["address"])
        except InputError as error:
            intake.refuse(f"line {number}", error)
            continue
        factors = {name: value for name, value in fields.items() if name not in _KNOWN and value}
        last = PurePosixPath(unquote(urlsplit(address).path)).name or f"line {number}"
        yield Wanted(last, address, fields["licence"], fields["author"], fields.get("page", ""), factors=factors)
