"""The columns of a corpus file and what its footer says. Writing is `store`, reading is `opened`.

Plain types only, so that `datasets`, DuckDB and Polars open it as it is. The footer holds one JSON document under the
key `pixelreef.corpus`; what it says (counts, order of values, history) can't be had from the rows alone.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from pixelreef.core.strict_json import json_from_bytes
from pixelreef.corpus.entry import UNLABELLED, Entry
from pixelreef.corpus.parts import PARTS
from pixelreef.errors import DocumentError, GridError, InputError

if TYPE_CHECKING:
    import pyarrow

VERSION = 1
KEY = b"pixelreef.corpus"
MAX_SIDE = 1024  # pixels; a scene has at most 512
MAX_TEXT = 2**16  # characters of one text, parameters included
MAX_FACTORS = 8
MAX_VALUES = 1000  # of one factor
MAX_LISTED = 1000  # items of one list in the history

BEFORE_FACTORS = ("grid", "width", "height", "palette", "transparent")
AFTER_FACTORS = (
    *("cell", "name", "species", "parameters", "parts", "split", "group", "weight"),
    *("source", "author", "licence", "address", "hash", "generator"),
)
FIXED = frozenset((*BEFORE_FACTORS, *AFTER_FACTORS))
REPEATED = ("palette", "cell", "species", "split", "source", "author", "licence", "generator")
"""Text columns in which values come again and again: stored as a dictionary inside the file."""
NEEDED = ("grid", "width", "height", "palette")
"""Without these a file is no corpus; every other column may be missing."""

Factors = Mapping[str, Sequence[str]]
Row = dict[str, Any]


def schema(factors: Sequence[str]) -> pyarrow.Schema:
    """The arrow schema with these factor columns."""
    import pyarrow

    kinds = {
        **dict.fromkeys(("grid", "parts"), pyarrow.binary()),
        **dict.fromkeys(("width", "height", "transparent"), pyarrow.int32()),
        "weight": pyarrow.float64(),
    }
    names = (*BEFORE_FACTORS, *factors, *AFTER_FACTORS)
    return pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in names])


def check_factor_names(names: Sequence[str]) -> None:
    """At most eight, none of them a column of another meaning."""
    if len(set(names)) < len(names) or len(names) > MAX_FACTORS:
        raise InputError("factors", f"be at most {MAX_FACTORS} and differ", list(names))
    for name in names:
        if name in FIXED or not name.isprintable() or not 1 <= len(name) <= 64:
            rule = "be 1 to 64 printable characters and no other column's name"
            raise InputError("factor name", rule, name, "Call it something else.")


def row_from_entry(entry: Entry, factors: Sequence[str]) -> Row:
    """The entry as one row; refused when its numbers are no indices of its palette, or when it is beyond the limits."""
    height, width = entry.cells.shape
    if max(height, width) > MAX_SIDE:
        raise GridError("sprite", f"be at most {MAX_SIDE} pixels on a side", f"{width} × {height}", verbatim=True)
    if (top := int(entry.cells.max())) >= len(entry.palette):
        raise GridError("cells", f"be palette indices from 0 to {len(entry.palette) - 1}", top)
    if entry.parts is not None and (top := int(entry.parts.max())) >= len(PARTS):
        raise GridError("parts", f"be part labels from 0 to {len(PARTS) - 1}", top)
    if not (math.isfinite(entry.weight) and entry.weight >= 0):
        raise InputError("weight", "be a finite number from 0 up", entry.weight)
    if unknown := set(entry.factors) - set(factors):
        raise InputError("factors of an entry", f"be among {list(factors)}", sorted(unknown), "Declare them all.")
    values = {name: text_of(entry.factors.get(name, "")) or None for name in factors}
    return {
        "grid": entry.cells.tobytes(),
        "width": width,
        "height": height,
        "palette": entry.palette.rgb.tobytes().hex(" ", 3),
        "transparent": entry.palette.transparent,
        **values,
        "cell": cell_of(values.values()),
        "name": text_of(entry.name),
        "species": text_of(entry.species),
        "parameters": text_of(parameters_text(entry.parameters)),
        "parts": None if entry.parts is None else entry.parts.tobytes(),
        "split": text_of(entry.split),
        "group": text_of(entry.group),
        "weight": float(entry.weight),
        "source": text_of(entry.origin.source),
        "author": text_of(entry.origin.author),
        "licence": text_of(entry.origin.licence),
        "address": text_of(entry.origin.address),
        "hash": entry.hash,
        "generator": text_of(entry.generator),
    }


def cell_of(values: Iterable[str | None]) -> str:
    """The key of a cell from factor values in declared order, some of which may be missing.

    >>> cell_of(["jellyfish", "abyss"]), cell_of([None, "abyss"]), cell_of([])
    ('jellyfish/abyss', 'abyss', 'all')
    """
    return "/".join(value for value in values if value) or UNLABELLED


def place_of(values: Iterable[str | None], factors: Factors) -> tuple[int, ...]:
    """Where a cell stands among the cells: its values' places in their factors, a missing value last.

    >>> place_of(["b", None], {"x": ("a", "b"), "y": ("c",)})
    (1, 1)
    """
    return tuple(
        list(of).index(value) if value is not None and value in of else len(of)
        for value, of in zip(values, factors.values(), strict=True)
    )


def text_of(value: str) -> str:
    """Text that UTF-8 can hold (the name of a file may be no text at all), of bounded length."""
    if len(value) > MAX_TEXT:
        raise InputError("text of an entry", f"have at most {MAX_TEXT:,} characters", value)
    return value if value.isascii() else value.encode("utf-8", "replace").decode()


def parameters_text(parameters: Mapping[str, Any]) -> str:
    """Parameters as JSON with sorted keys; numpy's scalars are numbers too.

    >>> parameters_text({"b": np.int64(2), "a": [1]})
    '{"a":[1],"b":2}'
    """

    def plain(value: Any) -> Any:
        if isinstance(value, np.generic):
            return value.item()
        raise InputError("parameters", "be JSON values", type(value).__name__)

    try:
        return json.dumps(
            dict(parameters), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=plain
        )
    except ValueError as error:  # NaN, or a circle
        raise InputError("parameters", "be finite JSON values", str(error), verbatim=True) from None


class ContentHash:
    """A corpus' hash: BLAKE2b-128 over its factor names, every row in order, and the factors' values.

    Of a row: a JSON array of width, height, palette, transparent, the factor values, name, species, parameters, split,
    group, weight, source, author, licence, address and whether there are parts; then the bytes of grid and parts. Not
    `cell` and `hash`, which follow from these, nor `generator`: a new version that draws the same is the same corpus.
    """

    _FIELDS = (
        *("name", "species", "parameters", "split", "group", "weight"),
        *("source", "author", "licence", "address"),
    )

    def __init__(self, factors: Sequence[str]) -> None:
        self._names = tuple(factors)
        self._state = hashlib.blake2b(json.dumps(self._names).encode(), digest_size=16)

    def add(self, row: Row) -> None:
        names = (*BEFORE_FACTORS[1:], *self._names, *self._FIELDS)
        self._state.update(json.dumps([*(row[name] for name in names), row["parts"] is not None]).encode())
        self._state.update(row["grid"])
        self._state.update(row["parts"] or b"")

    def hexdigest(self, factors: Factors) -> str:
        """32 hex digits; `factors` gives the values in their order, which is what the numbers of a label mean."""
        values = self._state.copy()
        values.update(json.dumps([list(factors[name]) for name in self._names]).encode())
        return values.hexdigest()


@dataclass(frozen=True)
class Footer:
    """What the file says about itself as a whole."""

    count: int
    hash: str
    factors: Factors
    """Factor → its values in order: the declared ones first, then the others as they appear."""
    generators: Sequence[str] = ()
    history: Mapping[str, Any] = field(default_factory=dict)
    """How it came to be: `by`, `parents`, `decisions`, the record of an import; `before` lists earlier steps."""

    def to_bytes(self) -> bytes:
        document = {
            "version": VERSION,
            "count": self.count,
            "hash": self.hash,
            "factors": [{"name": name, "values": list(values)} for name, values in self.factors.items()],
            "parts": list(PARTS),
            "generators": list(self.generators),
            "history": _shortened(self.history),
        }
        return json.dumps(document, sort_keys=True, allow_nan=False).encode()


def footer_from_bytes(data: bytes, what: str) -> Footer:
    """Read the footer's document, which may come from a stranger or from a later version."""
    document = json_from_bytes(data, what)
    if not isinstance(document, dict) or not isinstance(document.get("version"), int):
        raise DocumentError(what, "be an object with a version", type(document).__name__)
    if document["version"] > VERSION:
        raise DocumentError(what, f"be of version {VERSION} or before", document["version"], "Update pixelreef.")
    parts = document.get("parts", list(PARTS))
    if not isinstance(parts, list) or parts != list(PARTS)[: len(parts)]:
        raise DocumentError(what, "name the part labels as this version does", parts, "Update pixelreef.")
    history, generators = document.get("history", {}), document.get("generators", [])
    if not isinstance(history, dict) or not _texts(generators):
        raise DocumentError(what, "have a history and a list of generators", [type(history).__name__, generators])
    if not isinstance(document.get("count"), int) or not isinstance(document.get("hash"), str):
        raise DocumentError(what, "have a count and a hash", [document.get("count"), document.get("hash")])
    return Footer(
        document["count"], document["hash"], _factors(document.get("factors"), what), tuple(generators), history
    )


def _factors(listed: Any, what: str) -> Factors:
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise DocumentError(what, "list its factors", listed)
    if not all(isinstance(one.get("name"), str) and _texts(one.get("values")) for one in listed):
        raise DocumentError(what, "give each factor a name and values", listed)
    check_factor_names([one["name"] for one in listed])
    return {one["name"]: tuple(dict.fromkeys(one["values"])) for one in listed}


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _shortened(value: Any) -> Any:
    """JSON values with no list over `MAX_LISTED` items: the record of a million files would not fit a footer."""
    if isinstance(value, Mapping):
        return {str(key): _shortened(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        kept = [_shortened(item) for item in value[:MAX_LISTED]]
        return kept if len(value) <= MAX_LISTED else [*kept, f"… and {len(value) - MAX_LISTED:,} more"]
    return value
