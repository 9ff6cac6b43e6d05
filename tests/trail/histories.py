"""Planted histories: trails of which it is known what became better, and whether there is a ceiling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pixelreef.trail.record import Record

CELLS = ("coral/abyss", "coral/hadal", "jellyfish/abyss", "jellyfish/hadal")
LIMITS = "ca" * 16
FIELDS = {"shape": "reef", "model": {}, "scaled": False, "steps": 100}


def hash_of(name: str) -> str:
    """A hash that is told apart at sight."""
    return name.encode().hex().ljust(32, "0")[:32]


def at(minute: int) -> str:
    """Minutes after nine."""
    hour = 9 + minute // 60
    return f"2026-11-{16 + hour // 24}T{hour % 24:02d}:{minute % 60:02d}:00.000000Z"


def words(text: str, cells: Sequence[str] = CELLS) -> dict[str, str]:
    """Verdicts from letters: l learned, w weak, n noise, c collapsed, ? too few to tell, - none."""
    known = {"l": "learned", "w": "weak", "n": "noise", "c": "collapsed", "?": "too few to tell"}
    return {cell: known[letter] for cell, letter in zip(cells, text, strict=True) if letter != "-"}


def run(number: int, loss: float | None, verdicts: str, corpus: str = "reef", **other: Any) -> Record:
    """The run of an iteration, an hour after the one before it."""
    losses = {} if loss is None else dict.fromkeys(CELLS, loss)
    fields: Mapping[str, Any] = other.pop("fields", FIELDS)
    return Record(
        "run",
        at(60 * number),
        f"pixelreef sprites train {corpus}.parquet --out run-{number}",
        corpus=hash_of(corpus),
        weights=hash_of(f"run {number}"),
        calibration=LIMITS,
        recipe="reef",
        fields=fields,
        minutes=15.0,
        loss=loss,
        losses=losses,
        verdicts=words(verdicts),
        id=f"{number:012x}",
        **other,
    )


def history(losses: Sequence[float | None], verdicts: Sequence[str], **other: Any) -> list[Record]:
    """Runs one after the other on one corpus."""
    pairs = zip(losses, verdicts, strict=True)
    return [run(number, loss, word, **other) for number, (loss, word) in enumerate(pairs, start=1)]
