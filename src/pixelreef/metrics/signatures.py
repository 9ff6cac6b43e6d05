"""The facts of sprites, as bits: what `likeness` and `near_copies` compare. `likeness` says what a fact is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.errors import GridError, InputError

Cells = NDArray[np.uint8]
Bits = NDArray[np.bool_]
Distances = NDArray[np.float32]
Indices = NDArray[np.intp]

BLOCK = 1024  # sprites compared at once: 32×32 sprites then take 2 × 13 MB as numbers, and 2 × 4 MB for the answer


@dataclass(frozen=True)
class Signatures:
    """The facts of N sprites of one size, eight to a byte.

    Facts come in mirrored pairs: `left` holds the one, `right` in the same place the other, and `middle` those that are
    their own mirror image (the middle column). `facts` counts those that are true of each sprite.
    """

    left: Cells  # (N, ⌈pairs / 8⌉)
    right: Cells  # (N, ⌈pairs / 8⌉)
    middle: Cells  # (N, ⌈middle / 8⌉)
    facts: NDArray[np.int32]  # (N,)
    size: tuple[int, int]  # (width, height)
    has_transparent: bool

    def __len__(self) -> int:
        return len(self.facts)

    @classmethod
    def joined(cls, parts: Sequence[Signatures]) -> Signatures:
        """One after the other; all of one size, and with a transparent colour or all without."""
        for part in parts:
            check_alike(parts[0], part)
        columns = ([getattr(part, name) for part in parts] for name in ("left", "right", "middle", "facts"))
        left, right, middle, facts = (np.concatenate(column) for column in columns)
        return cls(left, right, middle, facts, parts[0].size, parts[0].has_transparent)

    def __getitem__(self, chosen: slice | Indices) -> Signatures:
        return Signatures(
            self.left[chosen],
            self.right[chosen],
            self.middle[chosen],
            self.facts[chosen],
            self.size,
            self.has_transparent,
        )


def signatures(batch: Cells, transparent: int | None) -> Signatures:
    """The facts of each grid of a batch (N, H, W), of which one index may be transparent.

    >>> arrow = np.array([[[0, 1, 2], [1, 1, 1]]], np.uint8)
    >>> signatures(arrow, transparent=0).facts.tolist()  # 5 opaque, 5 differ sideways, 7 up and down
    [17]
    """
    if batch.ndim != 3 or batch.dtype != np.uint8 or (len(batch) > 0 and batch.size == 0):
        raise GridError("batch", "be a (N, H, W) array of uint8", (batch.shape, str(batch.dtype)))
    parts = [_packed(batch[start : start + BLOCK], transparent) for start in range(0, max(len(batch), 1), BLOCK)]
    left, right, middle, facts = (np.concatenate(column) for column in zip(*parts, strict=True))
    size = (batch.shape[2], batch.shape[1])
    return Signatures(left, right, middle, facts.astype(np.int32), size, transparent is not None)


def check_alike(a: Signatures, b: Signatures) -> None:
    """Refuse sprites whose facts are not about the same things."""
    if (a.size, a.has_transparent) != (b.size, b.has_transparent):
        raise InputError(
            "sprites",
            "have one size, and both a transparent colour or neither",
            [(a.size, a.has_transparent), (b.size, b.has_transparent)],
        )


def _packed(batch: Cells, transparent: int | None) -> tuple[Cells, Cells, Cells, Indices]:
    planes = _facts(batch, transparent)
    halves = [plane.shape[2] // 2 for plane in planes]
    left = [plane[:, :, :half] for plane, half in zip(planes, halves, strict=True)]
    right = [plane[:, :, ::-1][:, :, :half] for plane, half in zip(planes, halves, strict=True)]
    middle = [plane[:, :, half : plane.shape[2] - half] for plane, half in zip(planes, halves, strict=True)]
    packed = [np.packbits(_rows(part), axis=1) for part in (left, right, middle)]
    return packed[0], packed[1], packed[2], _rows(planes).sum(axis=1)


def _facts(batch: Cells, transparent: int | None) -> list[Bits]:
    """Planes of bits (N, h, w), each of which mirrors with the picture."""
    if transparent is None:
        return [batch[:, :, 1:] != batch[:, :, :-1], batch[:, 1:] != batch[:, :-1]]
    wide = np.pad(batch, ((0, 0), (1, 1), (1, 1)), constant_values=transparent)
    inner = slice(1, -1)
    return [
        batch != transparent,
        wide[:, inner, 1:] != wide[:, inner, :-1],
        wide[:, 1:, inner] != wide[:, :-1, inner],
    ]


def _rows(planes: list[Bits]) -> Bits:
    return np.concatenate([plane.reshape(len(plane), plane.shape[1] * plane.shape[2]) for plane in planes], axis=1)
