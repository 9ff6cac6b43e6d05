"""Parquet files from strangers, opened with care: told by content, bounded before memory is taken, one kind of error.

Arrow decides what is a well-formed file; what it raises on the others, of many kinds, becomes one `FileError` here. A
dictionary inside a file can make a few bytes into as many copies of one large value as a batch has rows, so batches
are the smaller, the larger the columns are.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pixelreef.corpus.layout import FIXED, NEEDED
from pixelreef.errors import FileError, InputError

if TYPE_CHECKING:
    import pyarrow

MAX_ROWS = 4_000_000
MAX_COLUMNS = 1000
MAX_CHUNK = 2**28  # bytes of one column in one row group, unpacked
BATCH_BYTES = 2**29  # what a batch may unpack to at worst: when every value is as large as its whole column
BATCH_ROWS = 1024
_MAGIC = b"PAR1"


def is_parquet(path: str | os.PathLike[str]) -> bool:
    """Whether a file is parquet by its first and last bytes."""
    try:
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


def record_batches(file: Any, columns: Sequence[str], what: str) -> Iterator[pyarrow.RecordBatch]:
    """The rows of some columns, in order, so many at a time that they fit into memory whatever the file says."""
    with _readable(what):
        rows = _batch_rows(file.metadata, set(columns), what)
        batches = file.iter_batches(batch_size=rows, columns=list(columns), use_threads=False)
    while True:
        with _readable(what):
            batch = next(batches, None)
        if batch is None:
            return
        yield batch


def _batch_rows(metadata: Any, columns: set[str], what: str) -> int:
    largest = 1
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        for place in range(group.num_columns):
            chunk = group.column(place)
            if chunk.path_in_schema.split(".")[0] in columns:
                largest = max(largest, chunk.total_uncompressed_size)
    if largest > MAX_CHUNK:
        todo = "Write it again with smaller row groups."
        raise FileError(what, f"have at most {MAX_CHUNK:,} bytes of a column in a row group", largest, todo)
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
