"""The record of a run: one line of JSON each time the model is looked at, in `history.jsonl`.

    {"step": 500, "seconds": 610.2, "taught": 0.41, "loss": 0.43, "opaque": 1.2, "cells": {"coral/abyss": 0.38, …}, …}

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
class Bits:
    """What sprites cost, row by row."""

    loss: float
    """Bits per pixel over all sprites held back."""
    opaque: float
    """The same bits for each pixel that is not ground."""
    cells: Mapping[str, float]
    """Bits per pixel by cell."""


@dataclass(frozen=True)
class Look:
    """What was found when the model was looked at, with the running mean of its weights."""

    step: int
    seconds: float
    taught: float | None
    """Bits per pixel of what was taught since the look before, with the weights of each step."""
    loss: float
    opaque: float
    cells: Mapping[str, float]
    copied: float | None = None
    """The share of samples that are near-copies of a sprite taught."""
    verdicts: Mapping[str, str] | None = None
    """Cell → learned, weak, noise, …, where taste was asked."""
    stopped: bool = False
    """The run ends here: samples have become copies, or patience with the loss is at its end."""

    @property
    def learned(self) -> float | None:
        """The share of cells that taste calls learned."""
        if not self.verdicts:
            return None
        return sum(word == "learned" for word in self.verdicts.values()) / len(self.verdicts)

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        return {**asdict(self), "learned": self.learned}


def look_from_document(document: Mapping[str, Any]) -> Look:
    """From what `document` gave."""
    return Look(**{name: value for name, value in document.items() if name != "learned"})


def read_history(folder: Path) -> list[Look]:
    """All looks so far."""
    path = folder / NAME
    if not path.exists():
        return []
    lines = read_bytes(path).decode("utf-8").splitlines()
    return [look_from_document(json_from_text(line, f"history {str(path)!r}")) for line in lines]


def add_to_history(folder: Path, look: Look) -> list[Look]:
    """Put a look behind those before it, and drop what a killed run wrote from there on."""
    looks = [*(one for one in read_history(folder) if one.step < look.step), look]
    write_text(folder / NAME, "".join(json.dumps(one.document()) + "\n" for one in looks))
    return looks
