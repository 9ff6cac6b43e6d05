"""The labeller: which part of a creature each pixel of a sprite is.

    labeller = labeller_from(None)                       # the shipped one, or a file of one's own
    found = labeller.label(cells, palette, {"category": "jellyfish"})
    found.labels, found.sure, found.unsure

A small network on what `view` sees of a pixel, with numpy alone; factors that are told help, and need not be. A sprite
is seen as it is and in a mirror, and the mean of both counts. It says
how sure it is: the mean over pixels of the probability of what it chose, which on sprites like those of its corpus is
about the share of pixels it has right. A sprite below `least` is unsure, and what moves parts should leave it whole.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.files import read_bytes
from pixelreef.core.palette import Palette
from pixelreef.core.sprite import Sprite
from pixelreef.corpus.parts import PAIRS, PART_INDEX, PARTS
from pixelreef.errors import FileError
from pixelreef.sprites.parts.view import WIDTH, Cells, Reals, opaque, view
from pixelreef.sprites.tensors import Arrays, Kind, write_tensors

KIND = Kind("pixelreef-parts", 1, "a labeller of parts")
MAX_BYTES = 4 * 2**20
MAX_HIDDEN = 512
LEAST = 0.75  # of `sure`, from which parts are used

Factors = Mapping[str, tuple[str, ...]]


def _mirrored() -> NDArray[np.uint8]:
    table = np.arange(len(PARTS), dtype=np.uint8)
    for left, right in PAIRS:
        table[[PART_INDEX[left], PART_INDEX[right]]] = PART_INDEX[right], PART_INDEX[left]
    return table


MIRRORED = _mirrored()
"""(parts,): what each part is in a mirror."""


@dataclass(frozen=True, eq=False)
class Labels:
    """What the pixels of one sprite are."""

    labels: NDArray[np.uint8]
    """(height, width) indices of `corpus.parts.PARTS`, 0 where nothing is."""
    sure: float
    """From 0 to 1; 1 where the labels came with the sprite."""

    @property
    def unsure(self) -> bool:
        """Whether it is better not to rely on them."""
        return self.sure < LEAST

    def names(self) -> list[str]:
        """The parts that are there, in their order."""
        return [PARTS[place] for place in np.unique(self.labels) if place]


@dataclass(frozen=True, eq=False)
class Labeller:
    """A network with two hidden layers: view and factors → parts."""

    factors: Factors
    arrays: Arrays
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Where it comes from: corpus hash, sprites, accuracy on sprites held back."""

    def label(self, cells: Cells, palette: Palette, told: Mapping[str, str] | None = None) -> Labels:
        """One sprite (height, width)."""
        filled = opaque(cells, palette)
        labels = np.zeros(cells.shape, np.uint8)
        if not filled.any() or filled.all():  # what has no outline is no creature
            return Labels(labels, 0.0)
        share = np.zeros((*cells.shape, len(PARTS)), np.float32)
        share[filled] = self._shares(cells, palette, told or {})
        turned = np.zeros_like(share)
        turned[filled[:, ::-1]] = self._shares(cells[:, ::-1], palette, told or {})
        mean = (share + turned[:, ::-1][..., MIRRORED])[filled] / 2
        labels[filled] = mean.argmax(axis=1)
        return Labels(labels, float(mean.max(axis=1).mean()))

    def _shares(self, cells: Cells, palette: Palette, told: Mapping[str, str]) -> Reals:
        """(opaque pixels, parts)."""
        seen = view(cells, palette)
        share = self.shares(np.concatenate([seen, self.told(told, len(seen))], axis=1))
        return np.pad(share, ((0, 0), (1, 0)))

    def told_by(self, sprite: Sprite) -> dict[str, str]:
        """What the lineage of a sprite tells of its factors, by the cell that it was drawn as."""
        cell = sprite.lineage.get("cell")
        values = cell.split("/") if isinstance(cell, str) else []
        if len(values) != len(self.factors):
            return {}
        told = zip(self.factors.items(), values, strict=True)
        return {name: value for (name, known), value in told if value in known}

    def told(self, factors: Mapping[str, str], count: int) -> Reals:
        """(count, values of all factors): 1 for what is told."""
        hot = [value == factors.get(name) for name, values in self.factors.items() for value in values]
        return np.broadcast_to(np.array(hot, np.float32), (count, len(hot)))

    def shares(self, seen: Reals) -> Reals:
        """(pixels, parts without `none`): probabilities."""
        x = seen
        for place in range(3):
            x = x @ self.arrays[f"{place}.weight"] + self.arrays[f"{place}.bias"]
            if place < 2:
                np.maximum(x, 0, out=x)
        x -= x.max(axis=1, keepdims=True)
        np.exp(x, out=x)
        return np.asarray(x / x.sum(axis=1, keepdims=True))


def shapes(factors: Factors, hidden: Sequence[int]) -> dict[str, tuple[int, ...]]:
    """Of every array."""
    sizes = [WIDTH + sum(map(len, factors.values())), *hidden, len(PARTS) - 1]
    found: dict[str, tuple[int, ...]] = {}
    for place in range(3):
        found |= {f"{place}.weight": (sizes[place], sizes[place + 1]), f"{place}.bias": (sizes[place + 1],)}
    return found


def write_labeller(path: str | os.PathLike[str], labeller: Labeller) -> Path:
    """Write a file, whole or not at all."""
    hidden = [len(labeller.arrays[f"{place}.bias"]) for place in range(2)]
    factors = {name: list(values) for name, values in labeller.factors.items()}
    document = {"hidden": hidden, "factors": factors, "parts": list(PARTS), "facts": dict(labeller.facts)}
    return write_tensors(path, KIND, document, labeller.arrays)


def labeller_from(path: str | os.PathLike[str] | None) -> Labeller:
    """From a file, or the one that comes with the package."""
    if path is None:
        file = files("pixelreef.sprites").joinpath("weights", "parts.safetensors")
        return labeller_from_bytes(file.read_bytes(), "shipped labeller of parts")
    return labeller_from_bytes(read_bytes(path, MAX_BYTES), f"labeller {os.fspath(path)!r}")


def labeller_from_bytes(data: bytes, what: str = "labeller") -> Labeller:
    """Read and check a labeller; `what` names it in errors."""
    kept = KIND.opened(data, what)
    hidden, factors = kept.document.get("hidden"), kept.document.get("factors")
    if not (isinstance(hidden, list) and len(hidden) == 2 and all(_is_size(size) for size in hidden)):
        raise FileError(what, f"have two hidden layers of 1 to {MAX_HIDDEN}", hidden)
    if not (isinstance(factors, dict) and all(_is_names(values) for values in factors.values())):
        raise FileError(what, "have factors with their values", factors)
    if kept.document.get("parts") != list(PARTS):
        raise FileError(what, "know the parts of this version", "others", "Fit it anew.", verbatim=True)
    facts = kept.document.get("facts")
    named = {name: tuple(values) for name, values in factors.items()}
    return Labeller(named, kept.arrays(shapes(named, hidden)), facts if isinstance(facts, dict) else {})


def _is_size(value: object) -> bool:
    return type(value) is int and 1 <= value <= MAX_HIDDEN


def _is_names(values: object) -> bool:
    return isinstance(values, list) and len(values) <= MAX_HIDDEN and all(isinstance(one, str) for one in values)
