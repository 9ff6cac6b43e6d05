"""Parquet files from strangers, opened with care: told by content, bounded before memory is taken, one kind of error.

Arrow decides what is a well-formed file; what it raises on the others, of many kinds, becomes one `FileError` here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pixelreef.corpus.layout import FIXED, NEEDED
from pixelreef.errors import FileError, InputError

if TYPE_CHECKING:
    import pyarrow

MAX_ROWS = 4_000_000
MAX_COLUMNS = 1000
MAX_GROUP = 2**31  # bytes of a row group, unpacked
BATCH_BYTES = 2**26  # of a batch, by the file's own account
BATCH_ROWS = 256  # few, since a dictionary inside a file can make one large value into as many as a batch has rows
_MAGIC = b"PAR1"


def is_parquet(path: str | os.PathLike[str]) -> bool:
    """Whether a file is parquet by its first and last bytes."""
    try:
        if not Path(path).is_file():  # a pipe could block
            return False
        with Path(path).open("rb") as file:
            first = file.read(4)
            file.seek(-4, os.SEEK_END)
            return first == _MAGIC == file.read(4)
    except (OSError, ValueError):
        return False


def parquet_file(path: Path, what: str) -> Any:
    """The open file; its footer was read, nothing else."""
    import pyarrow.parquet as parquet

    with _readable(what):
        # The limits are on what a footer may make arrow allocate.
        file = parquet.ParquetFile(
            path, page_checksum_verification=True, thrift_string_size_limit=2**25, thrift_container_size_limit=2**20
        )
        if not 0 <= file.metadata.num_rows <= MAX_ROWS:
            raise FileError(what, f"have at most {MAX_ROWS:,} rows", file.metadata.num_rows)
        if file.metadata.num_columns > MAX_COLUMNS:
            raise FileError(what, f"have at most {MAX_COLUMNS} columns", file.metadata.num_columns)
    return file


def known_columns(file: Any, what: str) -> list[str]:
    """The columns that a corpus can use: ours, which must be of our kinds, and any others of text."""
    with _readable(what):
        fields = {field.name: field.type for field in file.schema_arrow}
        if len(fields) < len(file.schema_arrow):
            raise FileError(what, "name each column once", file.schema_arrow.names)
    if missing := [name for name in NEEDED if name not in fields]:
        rule = f"have the columns {', '.join(NEEDED)}"
        raise FileError(what, rule, f"none named {', '.join(missing)}", verbatim=True)
    for name, kind in fields.items():
        if name in FIXED and not _fits(name, kind):
            raise FileError(f"column {name!r} of {what}", f"be {_KINDS.get(name, 'text')}", str(kind)[:60])
    return [name for name, kind in fields.items() if name in FIXED or _is_text(kind)]


def record_batches(
    file: Any, columns: Sequence[str], what: str, groups: Sequence[int] | None = None
) -> Iterator[pyarrow.RecordBatch]:
    """The rows of some columns, in order, so many at a time that they fit into memory whatever the file says."""
    with _readable(what):
        rows = _batch_rows(file.metadata, what)
        batches = file.iter_batches(batch_size=rows, row_groups=groups, columns=list(columns), use_threads=False)
    while True:
        with _readable(what):
            batch = next(batches, None)
        if batch is None:
            return
        yield batch


def group_starts(file: Any) -> list[int]:
    """The number of the first row of each row group, and one more: the number of rows."""
    metadata = file.metadata
    return [0, *accumulate(metadata.row_group(number).num_rows for number in range(metadata.num_row_groups))]


def _batch_rows(metadata: Any, what: str) -> int:
    """By the row groups' own sizes. Those of single columns would say more, but arrow aborts on some broken ones."""
    largest = 1
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        if not 0 <= group.total_byte_size <= MAX_GROUP:
            todo = "Write it again with smaller row groups."
            raise FileError(what, f"have row groups of at most {MAX_GROUP:,} bytes", group.total_byte_size, todo)
        largest = max(largest, group.total_byte_size // max(group.num_rows, 1))
    return max(1, min(BATCH_ROWS, BATCH_BYTES // int(largest)))


_KINDS = {
    **dict.fromkeys(("grid", "parts"), "bytes"),
    **dict.fromkeys(("width", "height", "transparent"), "whole numbers"),
    "weight": "numbers",
    "palette": "text or lists of text",
}


def _fits(name: str, kind: pyarrow.DataType) -> bool:
    import pyarrow

    types = pyarrow.types
    if types.is_null(kind):
        return name not in NEEDED
    match _KINDS.get(name):
        case "bytes":
            return bool(types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind))
        case "whole numbers":
            return bool(types.is_integer(kind))
        case "numbers":
            return bool(types.is_integer(kind) or types.is_floating(kind))
        case "text or lists of text":
            lists = types.is_list(kind) or types.is_large_list(kind)
            return _is_text(kind) or bool(lists and _is_text(kind.value_type))
        case _:
            return _is_text(kind)


def _is_text(kind: pyarrow.DataType) -> bool:
    import pyarrow

    types = pyarrow.types
    if types.is_dictionary(kind):
        kind = kind.value_type
    return bool(types.is_string(kind) or types.is_large_string(kind))


@contextmanager
def _readable(what: str) -> Iterator[None]:
    """Whatever arrow raises on a broken file, as one line."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        reason = str(error).split("\n")[0].strip()[:100] or type(error).__name__
        plain = reason if reason.isascii() and reason.isprintable() else type(error).__name__
        raise FileError(what, "be a whole parquet file", plain, verbatim=True) from None
