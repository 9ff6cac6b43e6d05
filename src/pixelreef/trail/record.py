"""A record: one line of the trail, about a corpus, a forecast, a training run or a verdict; or a note on one.

    {"version": 1, "kind": "run", "time": "2026-11-16T15:30:12.104512Z", "command": "pixelreef sprites train …",
     "corpus": "6cac…", "weights": "91f0…", "calibration": "ad48…", "recipe": {"name": "reef", "fields": {…}},
     "minutes": 29.7, "loss": 0.435, "losses": {"coral/abyss": 0.396}, "verdicts": {"coral/abyss": "noise"},
     "sheets": [{"path": "run/sheet-1850.png", "hash": "…"}], "note": "wider trunk", "made": {…}}

What is not known is left out. A field that is not known here, of a newer version, is kept and has no effect.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from pixelreef.core.strict_json import json_from_bytes
from pixelreef.errors import DocumentError

VERSION = 1
KINDS = ("corpus", "forecast", "run", "verdict", "note")
MAX_LINE = 2**20  # bytes
MAX_CELLS = 2000  # of a record: with names of 100 letters, losses and verdicts fit a line
MAX_TEXT = 4000  # characters of a note or a command
MAX_SHEETS = 64
_NAME = 200  # characters of a cell, a verdict, a path in recipes and facts
_LISTED = 40  # items of a list or an object in recipes and facts
_DEEP = 4
_HASH = re.compile(r"[0-9a-f]{8,128}\Z")


@dataclass(frozen=True)
class Sheet:
    """A picture, by its path below the trail's folder, and the hash of its bytes when it was recorded."""

    path: str
    hash: str


@dataclass(frozen=True)
class Record:
    """One line. Hashes are hex digits, or empty where there is none."""

    kind: str
    time: str
    """UTC, to the microsecond."""
    command: str = ""
    """As it was typed."""
    corpus: str = ""
    """The hash of its content; of a run and a verdict, of the corpus taught or held against."""
    weights: str = ""
    calibration: str = ""
    recipe: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Of the recipe; of a corpus, of its history."""
    minutes: float | None = None
    loss: float | None = None
    """Bits per pixel on sprites held back."""
    losses: Mapping[str, float] = field(default_factory=dict)
    """By cell."""
    verdicts: Mapping[str, str] = field(default_factory=dict)
    """By cell."""
    sheets: tuple[Sheet, ...] = ()
    note: str = ""
    about: str = ""
    """Of a note: the id of the record it is on."""
    made: Mapping[str, Any] = field(default_factory=dict)
    """What else the command has to say."""
    more: Mapping[str, Any] = field(default_factory=dict)
    """Fields that are not known here."""
    version: int = VERSION
    id: str = ""
    """Twelve hex digits of the line's hash; empty as long as it is not written."""

    def document(self) -> dict[str, Any]:
        """As JSON values, what is not known left out."""
        recipe = {"name": self.recipe, "fields": dict(self.fields)} if self.recipe or self.fields else None
        told = {
            "version": self.version,
            "kind": self.kind,
            "time": self.time,
            "command": self.command,
            "corpus": self.corpus,
            "weights": self.weights,
            "calibration": self.calibration,
            "recipe": recipe,
            "minutes": self.minutes,
            "loss": self.loss,
            "losses": dict(self.losses),
            "verdicts": dict(self.verdicts),
            "sheets": [{"path": sheet.path, "hash": sheet.hash} for sheet in self.sheets],
            "note": self.note,
            "about": self.about,
            "made": dict(self.made),
        }
        return {**{name: value for name, value in told.items() if value not in (None, "", {}, [])}, **self.more}


def now() -> str:
    """The time as records have it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def line_from_record(record: Record) -> bytes:
    """The record as a line that can be read back, cut to what a line may hold."""
    text = json.dumps(bounded(record).document(), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    line = text.encode("utf-8", errors="replace") + b"\n"
    record_from_line(line)
    return line


def record_from_line(line: bytes, what: str = "record") -> Record:
    """Check a line, and every field of it that is known."""
    if len(line) > MAX_LINE:
        raise DocumentError(what, f"be at most {MAX_LINE:,} bytes", f"{len(line):,}", verbatim=True)
    document = json_from_bytes(line, what)
    if not isinstance(document, dict):
        raise DocumentError(what, "be an object", type(document).__name__)
    return replace(_Fields(document, what).record(), id=id_from_line(line))


def id_from_line(line: bytes) -> str:
    """What a note names a record by."""
    return hashlib.blake2b(line.rstrip(b"\r\n"), digest_size=6).hexdigest()


def bounded(record: Record) -> Record:
    """The record with long texts cut, cells beyond the first 2,000 left out, and only numbers that are finite."""
    losses = {cell: loss for cell, loss in record.losses.items() if math.isfinite(loss)}
    return replace(
        record,
        command=_cut(record.command, MAX_TEXT),
        note=_cut(record.note, MAX_TEXT),
        recipe=_cut(record.recipe, _NAME),
        fields=brief(dict(record.fields)),
        made=brief(dict(record.made)),
        minutes=_finite(record.minutes),
        loss=_finite(record.loss),
        losses={_cut(cell, _NAME): losses[cell] for cell in list(losses)[:MAX_CELLS]},
        verdicts={_cut(cell, _NAME): _cut(record.verdicts[cell], _NAME) for cell in list(record.verdicts)[:MAX_CELLS]},
        sheets=record.sheets[:MAX_SHEETS],
    )


def brief(value: Any, deep: int = 0) -> Any:
    """JSON values with long lists, objects and texts cut, and what lies deep left out.

    >>> brief({"sizes": list(range(100))})["sizes"][-2:]
    [39, '… and 60 more']
    """
    if isinstance(value, Mapping):
        return {_cut(str(name), _NAME): brief(one, deep + 1) for name, one in list(value.items())[:_LISTED]}
    if isinstance(value, list | tuple):
        if deep >= _DEEP:
            return f"{len(value):,} items"
        rest = [f"… and {len(value) - _LISTED:,} more"] if len(value) > _LISTED else []
        return [brief(one, deep + 1) for one in value[:_LISTED]] + rest
    if isinstance(value, bool | int | None):
        return value
    if isinstance(value, float):
        return _finite(value)
    return _cut(str(value), _NAME)


class _Fields:
    """The fields of a document, each checked as it is taken; what is left over is kept as it is."""

    def __init__(self, document: Mapping[str, Any], what: str) -> None:
        self.left, self.what = dict(document), what

    def record(self) -> Record:
        version = self._take("version", int, 0)
        if isinstance(version, bool) or version < 1:
            raise DocumentError(self.what, "have a version from 1 on", version)
        recipe = self._take("recipe", dict, {})
        return Record(
            kind=self._text("kind", _NAME),
            time=self._time(),
            command=self._text("command"),
            corpus=self._hash("corpus"),
            weights=self._hash("weights"),
            calibration=self._hash("calibration"),
            recipe=_cut(str(recipe.get("name", "")), _NAME),
            fields=_object(recipe.get("fields", {}), "fields of the recipe", self.what),
            minutes=self._number("minutes"),
            loss=self._number("loss"),
            losses=self._cells("losses", (int, float)),
            verdicts=self._cells("verdicts", (str,)),
            sheets=self._sheets(),
            note=self._text("note"),
            about=self._hash("about"),
            made=self._take("made", dict, {}),
            version=version,
            more=self.left,  # taken last: the others are gone from it
        )

    def _take(self, name: str, kind: type | tuple[type, ...], empty: Any) -> Any:
        value = self.left.pop(name, None)
        if value is None:
            return empty
        if not isinstance(value, kind):
            raise DocumentError(f"{name} of {self.what}", "be of its usual kind", type(value).__name__)
        return value

    def _text(self, name: str, longest: int = MAX_TEXT) -> str:
        value = str(self._take(name, str, ""))
        if len(value) > longest:
            raise DocumentError(f"{name} of {self.what}", f"be at most {longest:,} characters", f"{len(value):,}")
        return value

    def _time(self) -> str:
        value = self._text("time", _NAME)
        try:
            datetime.fromisoformat(value)
        except ValueError:
            raise DocumentError(f"time of {self.what}", "be a time such as 2026-11-16T15:30:12Z", value) from None
        return value

    def _hash(self, name: str) -> str:
        value = self._text(name)
        if value and not _HASH.match(value):
            raise DocumentError(f"{name} of {self.what}", "be a hash in hex digits", value)
        return value

    def _number(self, name: str) -> float | None:
        value = self._take(name, (int, float), None)
        if value is not None and (isinstance(value, bool) or not 0 <= value < 1e9):
            raise DocumentError(f"{name} of {self.what}", "be a number from 0 on", value)
        return value

    def _cells(self, name: str, kinds: tuple[type, ...]) -> dict[str, Any]:
        found: dict[str, Any] = self._take(name, dict, {})
        if len(found) > MAX_CELLS:
            raise DocumentError(f"{name} of {self.what}", f"be of at most {MAX_CELLS:,} cells", len(found))
        for cell, value in found.items():
            long = len(cell) > _NAME or (isinstance(value, str) and len(value) > _NAME)
            if long or isinstance(value, bool) or not isinstance(value, kinds):
                raise DocumentError(f"{name} of {self.what}", "have a short value for each cell", value)
        return found

    def _sheets(self) -> tuple[Sheet, ...]:
        found = self._take("sheets", list, [])
        if len(found) > MAX_SHEETS:
            raise DocumentError(f"sheets of {self.what}", f"be at most {MAX_SHEETS}", len(found))
        return tuple(self._sheet(one) for one in found)

    def _sheet(self, found: Any) -> Sheet:
        one = found if isinstance(found, dict) else {}
        path, hash = one.get("path"), one.get("hash", "")
        if not isinstance(path, str) or not isinstance(hash, str) or not path or len(path) > MAX_TEXT:
            raise DocumentError(f"sheet of {self.what}", "have a path and a hash", found)
        return Sheet(path, hash if _HASH.match(hash) else "")


def _object(value: Any, name: str, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise DocumentError(f"{name} of {what}", "be an object", type(value).__name__)
    return value


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
