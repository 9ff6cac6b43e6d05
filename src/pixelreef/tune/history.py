"""The record of a run: one line of JSON each time the pairs held back are looked at, in `history.jsonl`.

A run that was killed and goes on from its checkpoint writes the lines after it anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pixelreef.core.files import read_bytes, write_text
from pixelreef.core.strict_json import json_from_text

NAME = "history.jsonl"


@dataclass(frozen=True)
class Cost:
    """What the answers held back of one encoding cost."""

    loss: float
    """Nats per token: not comparable between encodings, whose tokens say more or less."""
    bits: float
    """Per drawing: comparable."""
    pairs: int


@dataclass(frozen=True)
class Look:
    """What was found after so many steps; at 0, of the model as it came."""

    step: int
    seconds: float
    taught: float | None
    """Nats per token of what was taught since the look before."""
    loss: float | None
    """Nats per token over all pairs held back; None where there are none."""
    encodings: Mapping[str, Cost]
    best: bool
    """No look before had a lower loss: this adapter is kept."""
    stopped: bool = False
    """The run's patience ended here."""

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)


def look_from_document(document: Mapping[str, Any]) -> Look:
    """From what `document` gave."""
    costs = {name: Cost(**cost) for name, cost in document["encodings"].items()}
    return Look(**{**document, "encodings": costs})


def read_history(folder: Path) -> list[Look]:
    """All looks so far."""
    path = folder / NAME
    if not path.exists():
        return []
    lines = read_bytes(path).decode("utf-8").splitlines()
    return [look_from_document(json_from_text(line, f"history {str(path)!r}")) for line in lines]


def write_history(folder: Path, looks: list[Look]) -> None:
    """All of them, whole or not at all."""
    write_text(folder / NAME, "".join(json.dumps(one.document()) + "\n" for one in looks))
