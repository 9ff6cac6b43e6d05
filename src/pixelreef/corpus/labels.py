"""Which factors an imported sprite has: from flags, from the names of its folders, or from a table of labels.

A table wins over folders, folders win over flags: the more particular speaks last.
"""

from __future__ import annotations

import csv
import io
import os
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath

from pixelreef.core.files import read_bytes
from pixelreef.errors import InputError

_PATH = "file"


@dataclass(frozen=True)
class Labels:
    """How factors are found.

    >>> labels = Labels({"zone": "abyss"}, folders=("category",))
    >>> labels.factors_of("jellyfish/moon.png")
    {'category': 'jellyfish', 'zone': 'abyss'}
    """

    flags: Mapping[str, str] = field(default_factory=dict)
    """Factors that all share."""
    folders: Sequence[str] = ()
    """The factors that folder names give, outermost first."""
    table: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Path inside the source, as `path_key` gives it → factors."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The factors that can be had, in their declared order: folders, then the table's, then flags."""
        from_table = [name for row in self.table.values() for name in row]
        return tuple(dict.fromkeys([*self.folders, *from_table, *self.flags]))

    def factors_of(self, path: str) -> dict[str, str]:
        """The factors of a path inside the source, in declared order; those that nobody gave are left out."""
        parents = PurePosixPath(path).parts[:-1]
        found = {**self.flags, **dict(zip(self.folders, parents, strict=False)), **self.table.get(path, {})}
        return {name: found[name] for name in self.names if found.get(name)}


def read_labels(path: str | os.PathLike[str]) -> dict[str, dict[str, str]]:
    """A CSV with a column `file` and one column per factor → path → factors; empty fields are left out."""
    text = read_bytes(path).decode("utf-8-sig", errors="replace")
    what = f"labels {os.fspath(path)!r}"
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
        names = [name.strip() for name in reader.fieldnames or []]
        if _PATH not in names or len(names) < 2 or len(set(names)) < len(names) or not all(names):
            raise InputError(what, "have a column 'file' and one column per factor", names)
        reader.fieldnames = names
        rows = list(reader)
    except csv.Error as error:
        raise InputError(what, "be a CSV table", str(error), verbatim=True) from None
    return {
        path_key(row[_PATH]): {name: value for name in names if name != _PATH and (value := (row[name] or "").strip())}
        for row in rows
        if row[_PATH]
    }


def path_key(path: str) -> str:
    """A path inside a source as it is compared: `/` between folders, one form of each letter, nothing for `.`.

    >>> path_key(".\\\\a\\\\b.png"), path_key("e\u0301.png") == "\u00e9.png"
    ('a/b.png', True)
    """
    told = unicodedata.normalize("NFC", path).encode("utf-8", "replace").decode()
    return PurePosixPath(told.replace("\\", "/")).as_posix()
