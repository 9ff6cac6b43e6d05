"""Entries with made-up content: mirrored blobs in a palette of eight, in cells of two factors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pixelreef.core.palette import Palette
from pixelreef.core.seeds import rng
from pixelreef.corpus.entry import Entry, Origin

COLOURS = ["000000", "202020", "ff0000", "00ff00", "0000ff", "ffff00", "00ffff", "ffffff"]
PALETTE = Palette.from_hex(COLOURS, transparent=0)
KINDS, DEPTHS = ("fish", "crab", "weed"), ("low", "deep")
FACTORS = {"kind": KINDS, "depth": DEPTHS}


def blob(number: int, size: int = 8, **changes: Any) -> Entry:
    """A sprite of its own for each number; its cell goes by the number too."""
    random = rng(0, "blob", number)
    half = random.integers(1, 8, (size, (size + 1) // 2), dtype=np.uint8)
    half[random.random(half.shape) < 0.4] = 0
    half[size // 2, -1] = 1 + number % 7
    cells = np.concatenate([half, half[:, ::-1][:, size % 2 :]], axis=1)
    made = {
        "factors": {"kind": KINDS[number % 3], "depth": DEPTHS[number // 3 % 2]},
        "name": f"blob {number}",
        "species": f"blob-{number % 4}",
        "parameters": {"number": number, "shares": [0.5, 0.25]},
        "parts": (cells > 0).astype(np.uint8),
        "generator": "blob-1",
        **changes,
    }
    origin = made.pop("origin", Origin("blobs", "A. Nemone", "CC0-1.0", f"blobs#{number}"))
    return Entry(cells, made.pop("palette", PALETTE), origin, **made)


def blobs(count: int, size: int = 8, **changes: Any) -> Iterator[Entry]:
    return (blob(number, size, **changes) for number in range(count))


def facts_of(entry: Entry) -> tuple[Any, ...]:
    """Everything about an entry, to compare by."""
    parts = None if entry.parts is None else entry.parts.tolist()
    return (
        *(entry.cells.tolist(), entry.palette, entry.origin, dict(entry.factors), entry.cell, entry.name),
        *(entry.species, dict(entry.parameters), parts, entry.group, entry.split, entry.weight, entry.generator),
    )
