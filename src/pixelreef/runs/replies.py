"""The `Reply` record: what one entrant returned for one attempt at one item, verbatim. As JSONL and as parquet.

Needs the base install only. Both forms hold the same fields under the same names (docs/runs.md), and the version of
this layout. A file from elsewhere may leave out every field but `entrant`, `item` and `text`. A line that can't be read
is one reply with `failure` "unreadable" and its line number in `error`: it is counted, and the rest is read.

A reply that is bad JSON or a wrong picture is no failure here: `failure` is None, and the room that asked judges it.
"""

from __future__ import annotations

import base64
import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

from pixelreef.core.files import replacing
from pixelreef.core.strict_json import json_from_bytes
from pixelreef.errors import FileError, InputError, PixelreefError, shown

VERSION = 1
MAX_TEXT = 2**20  # characters of a reply that are kept; a 24×24 drawing has about 800
MAX_IMAGES = 8
MAX_IMAGE = 48 * 2**20  # characters of a data URI: a PNG of 36 MB
MAX_LINE = 64 * 2**20
MAX_REPLIES = 1_000_000
FAILURES = ("error", "limit", "not-asked", "unreadable")

Path_ = str | os.PathLike[str]


@dataclass(frozen=True)
class Reply:
    """One reply, or the reason why there is none.

    `attempt` counts from 1. `failure` is None when a reply came, whatever it is worth; otherwise "error" (the call
    failed, `error` says how), "limit" (a limit of time or tokens ended the sample), "not-asked" (the run stopped before
    it) or "unreadable" (this record itself). `images` are data URIs. `cost` is dollars, None when the price is unknown;
    `cached` says that it was paid in an earlier run. `sampling` holds the options of the call, `metadata` the item's.
    `cut` says that text or images were longer than is kept.
    """

    entrant: str
    item: str
    text: str
    attempt: int = 1
    reasoning: str = ""
    images: tuple[str, ...] = ()
    stop_reason: str | None = None
    failure: str | None = None
    error: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    cached: bool = False
    seconds: float | None = None
    seed: int | None = None
    task: str | None = None
    task_version: str | None = None
    cut: bool = False
    sampling: Mapping[str, Any] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What a reply is the only one of."""
        return (self.task or "", self.entrant, self.item, self.attempt)


def bounded(reply: Reply) -> Reply:
    """The reply with no more text and images than are kept.

    >>> bounded(Reply("a", "sun", "x" * (MAX_TEXT + 1))).cut
    True
    """
    images = tuple(image for image in reply.images[:MAX_IMAGES] if len(image) <= MAX_IMAGE)
    text, reasoning = reply.text[:MAX_TEXT], reply.reasoning[:MAX_TEXT]
    if (images, text, reasoning) == (reply.images, reply.text, reply.reasoning):
        return reply
    return replace(reply, images=images, text=text, reasoning=reasoning, cut=True)


def bytes_from_data_uri(uri: str) -> bytes:
    """What a data URI holds, base64 or percent-encoded; nothing is ever fetched.

    >>> bytes_from_data_uri("data:image/png;base64,iVBORw=="), bytes_from_data_uri("data:,a%20b")
    (b'\\x89PNG', b'a b')
    """
    head, comma, body = uri.partition(",")
    if not (head[:5].lower() == "data:" and comma):
        raise InputError("picture of a reply", "be a data URI", uri)
    if len(body) > MAX_IMAGE:
        raise InputError("picture of a reply", f"have at most {MAX_IMAGE:,} characters", len(body))
    if not head.lower().endswith(";base64"):
        return unquote_to_bytes(body)
    try:
        return base64.b64decode("".join(body.split()), validate=True)
    except ValueError:  # binascii.Error is one
        raise InputError("picture of a reply", "be base64", body) from None


def read_replies(path: Path_) -> list[Reply]:
    """The replies of a `.jsonl` or `.parquet` file, told apart by content."""
    with _opened(path) as file:
        is_parquet = file.read(4) == b"PAR1"
    return list(_replies_from_parquet(Path(path)) if is_parquet else _replies_from_lines(Path(path)))


def write_jsonl(path: Path_, replies: Iterable[Reply]) -> Path:
    """One JSON object a line, whole or not at all."""
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="\n", errors="replace") as file:
        for reply in replies:
            document = {"version": VERSION, **{k: v for k, v in asdict(reply).items() if v != _DEFAULTS.get(k, _NONE)}}
            file.write(json.dumps(document, ensure_ascii=False, allow_nan=False, default=str) + "\n")
    return Path(path)


def write_parquet(path: Path_, replies: Iterable[Reply]) -> Path:
    """One row a reply; `sampling` and `metadata` are columns of JSON text."""
    import pyarrow
    import pyarrow.parquet

    rows = [asdict(reply) for reply in replies]
    for row in rows:
        row["images"] = list(row["images"])
        for name in _OBJECTS:
            row[name] = json.dumps(row[name], ensure_ascii=False, sort_keys=True, default=str)
    table = pyarrow.Table.from_pylist(rows, schema=_schema())
    with replacing(path) as part:
        pyarrow.parquet.write_table(table, part, compression="zstd")
    return Path(path)


def reply_from_json(document: Any) -> Reply:
    """A reply from a parsed JSON object, checked field by field; unknown fields are put into `metadata`."""
    if not isinstance(document, dict):
        raise InputError("reply", "be a JSON object", document)
    version = document.get("version", VERSION)
    if version != VERSION:
        raise InputError("version of a reply", f"be {VERSION}", version, "A newer Pixelreef wrote it.")
    given = {name: document[name] for name in _TYPES if document.get(name) is not None}
    for name in ("entrant", "item", "text"):
        if name not in given:
            raise InputError("reply", "have entrant, item and text", f"no {name!r}", verbatim=True)
    values = {name: _checked(name, value) for name, value in given.items()}
    extra = {name: value for name, value in document.items() if name not in _TYPES and name != "version"}
    if extra:
        values["metadata"] = {**extra, **values.get("metadata", {})}
    return bounded(Reply(**values))


def unreadable(where: str, reason: object) -> Reply:
    """The reply that stands for a record that can't be read."""
    return Reply(entrant="", item="", text="", failure="unreadable", error=f"{where}: {reason}"[:500])


def _replies_from_lines(path: Path) -> Iterator[Reply]:
    with _opened(path) as file:
        number = 0
        while line := file.readline(MAX_LINE + 1):
            number += 1
            where = f"line {number}"
            if number > MAX_REPLIES:
                raise FileError(f"file {str(path)!r}", f"hold at most {MAX_REPLIES:,} replies", "more", verbatim=True)
            if len(line) > MAX_LINE:
                yield unreadable(where, f"longer than {MAX_LINE:,} bytes")
                while line and not line.endswith(b"\n"):
                    line = file.readline(MAX_LINE)
            elif line.strip():
                try:
                    yield reply_from_json(json_from_bytes(line.strip(), "reply"))
                except PixelreefError as error:
                    yield unreadable(where, error)


def _replies_from_parquet(path: Path) -> Iterator[Reply]:
    import pyarrow
    import pyarrow.parquet

    what = f"file {str(path)!r}"
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            if file.metadata.num_rows > MAX_REPLIES:
                raise FileError(what, f"hold at most {MAX_REPLIES:,} replies", file.metadata.num_rows)
            number = 0
            for batch in file.iter_batches(batch_size=256):
                for row in batch.to_pylist():
                    number += 1
                    yield _reply_from_row(row, number)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise FileError(what, "be a readable parquet file", str(error)) from None


def _reply_from_row(row: dict[str, Any], number: int) -> Reply:
    try:
        for name in _OBJECTS:
            if isinstance(row.get(name), str):
                row[name] = json_from_bytes(row[name].encode("utf-8", "replace"), name)
        return reply_from_json(row)
    except PixelreefError as error:
        return unreadable(f"row {number}", error)


def _checked(name: str, value: Any) -> Any:
    if name == "item" and isinstance(value, int) and not isinstance(value, bool):
        return shown(value)  # Inspect numbers its samples; a name is text
    kind = _TYPES[name]
    fits, rule = _KINDS[kind]
    if not fits(value):
        raise InputError(f"field {name!r} of a reply", f"be {rule}", value)
    if name == "failure" and value not in FAILURES:
        raise InputError("field 'failure' of a reply", f"be one of {', '.join(FAILURES)}", value)
    if name == "attempt" and value < 1:
        raise InputError("field 'attempt' of a reply", "be at least 1", value)
    return tuple(value) if kind is list else float(value) if kind is float else value


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63


def _is_finite(value: Any) -> bool:
    return _is_whole(value) or (isinstance(value, float) and math.isfinite(value))


def _opened(path: Path_) -> Any:
    try:
        if not Path(path).is_file():
            raise FileError(f"file {str(path)!r}", "exist", "nothing there", verbatim=True)
        return Path(path).open("rb")
    except (OSError, ValueError) as error:
        raise FileError(f"file {str(path)!r}", "be readable", str(error)) from None


def _schema() -> Any:
    import pyarrow

    arrow = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_()}
    columns = [
        (name, pyarrow.list_(pyarrow.string()) if name == "images" else arrow.get(kind, pyarrow.string()))
        for name, kind in _TYPES.items()
    ]
    return pyarrow.schema(columns, metadata={"pixelreef.replies": str(VERSION)})


_OBJECTS = ("sampling", "metadata")
_NONE = object()
_DEFAULTS: dict[str, Any] = {
    **{f.name: f.default for f in fields(Reply) if f.default is None or isinstance(f.default, int | str | tuple)},
    "sampling": {},
    "metadata": {},
    "attempt": _NONE,
}
_TYPES: dict[str, type] = {
    "entrant": str, "item": str, "text": str, "attempt": int, "reasoning": str, "images": list, "stop_reason": str,
    "failure": str, "error": str, "input_tokens": int, "output_tokens": int, "cost": float, "cached": bool,
    "seconds": float, "seed": int, "task": str, "task_version": str, "cut": bool, "sampling": dict, "metadata": dict,
}  # fmt: skip
_KINDS: dict[type, tuple[Callable[[Any], bool], str]] = {
    str: (lambda value: isinstance(value, str), "text"),
    int: (_is_whole, "a whole number of 64 bits"),
    float: (_is_finite, "a finite number"),
    bool: (lambda value: isinstance(value, bool), "true or false"),
    list: (lambda value: isinstance(value, list) and all(isinstance(part, str) for part in value), "a list of text"),
    dict: (lambda value: isinstance(value, dict), "an object"),
}
