"""The dense layers of a model in numpy: attention over all steps so far, and blocks. Many rows at once, or few.

A norm divides a row by the root of its mean square and multiplies it by a gain. The gain is folded into the matrix
behind it, and the division is done after the product: norm(x) @ W = (x @ W') / rms(x), and for the squared ramp of a
block relu(norm(x) @ U)² @ D = (relu(x @ U')² @ D) / rms(x)².
One or two rows have functions of their own (`…_few`), with as few calls as can be. Where the library is not quick with
few rows, two products of a vector and a matrix cost less than one of two rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.sprites.blas import quick_with_few_rows
from pixelreef.sprites.config import NEVER

Reals = NDArray[np.float32]
Whole = NDArray[np.intp]
Arrays = Mapping[str, Reals]

EPSILON = 1e-5


def inverse_square(x: Reals) -> Reals:
    """(rows, 1): 1 / mean square of each row."""
    wide = x.shape[1]
    total = np.vecdot(x, x)[:, None]
    total += np.float32(wide * EPSILON)
    return np.asarray(np.divide(np.float32(wide), total, out=total))


def unit(x: Reals) -> Reals:
    """Rows divided by the root of their mean square."""
    return np.asarray(x * np.sqrt(inverse_square(x)))


def times_few(x: Reals, matrix: Reals) -> Reals:
    """x @ matrix, row by row where that costs less."""
    if len(x) == 1:
        one: Reals = x[0].dot(matrix)
        return one[None]
    if quick_with_few_rows():
        return np.asarray(x @ matrix)
    out = np.empty((len(x), matrix.shape[1]), np.float32)
    for row, place in zip(x, out, strict=True):
        np.dot(row, matrix, out=place)
    return out


def inverse_square_few(x: Reals) -> float | Reals:
    """As `inverse_square`; of one row a plain number."""
    if len(x) == 1:
        row = x[0]
        return 1 / (float(row.dot(row)) / len(row) + EPSILON)
    return inverse_square(x)


def turned(arrays: Arrays, name: str, norm: str = "") -> Reals:
    """A matrix as (in, out), as rows times a matrix need it, with the gain of the norm before it folded in."""
    matrix = arrays[f"{name}.weight"].T
    return np.ascontiguousarray(matrix * arrays[f"{norm}.gain"][:, None] if norm else matrix)


class Block:
    """Two dense layers around a squared ramp."""

    def __init__(self, arrays: Arrays, name: str) -> None:
        self.up = turned(arrays, f"{name}.up", f"{name}.norm")
        self.down = turned(arrays, f"{name}.down")
        self.nothing = np.zeros(len(self.down), np.float32)  # numpy's maximum is three times slower with a plain 0

    def add_to(self, x: Reals) -> None:
        """x (rows, width) becomes what comes out."""
        hidden = x @ self.up
        np.maximum(hidden, self.nothing, out=hidden)
        np.multiply(hidden, hidden, out=hidden)
        added = hidden @ self.down
        added *= inverse_square(x)
        x += added

    def add_to_few(self, x: Reals) -> None:
        """The same for few rows."""
        hidden = times_few(x, self.up)
        np.maximum(hidden, self.nothing, out=hidden)
        np.multiply(hidden, hidden, out=hidden)
        added = times_few(hidden, self.down)
        added *= inverse_square_few(x)
        x += added


@dataclass(eq=False)
class Cache:
    """Keys and values of all steps so far, (rows, heads, room, width of a head)."""

    keys: Reals
    values: Reals
    length: int = 0


class Layer:
    """Attention over all steps so far, then a block."""

    def __init__(self, arrays: Arrays, name: str, heads: int) -> None:
        self.heads = heads
        self.qkv = turned(arrays, f"{name}.qkv", f"{name}.norm")
        wide = len(self.qkv)
        self.qkv[:, :wide] *= np.float32((wide // heads) ** -0.5)
        self.mixed = turned(arrays, f"{name}.mixed")
        self.block = Block(arrays, f"{name}.block")

    def cache(self, rows: int, room: int) -> Cache:
        """For so many rows and steps."""
        shape = (rows, self.heads, room, len(self.mixed) // self.heads)
        return Cache(np.empty(shape, np.float32), np.empty(shape, np.float32))

    def add_to(self, x: Reals, cache: Cache, steps: int = 1) -> None:
        """x (rows · steps, width), steps that follow the cached ones of the first rows, becomes what comes out."""
        rows, start = len(x) // steps, cache.length
        cut = x @ self.qkv
        cut *= np.sqrt(inverse_square(x))
        q, k, v = cut.reshape(rows, steps, 3, self.heads, -1).transpose(2, 0, 3, 1, 4)
        stop = cache.length = start + steps
        cache.keys[:rows, :, start:stop], cache.values[:rows, :, start:stop] = k, v
        share = q @ cache.keys[:rows, :, :stop].swapaxes(2, 3)
        if steps > 1:
            share[:, :, ~np.tri(steps, stop, start, dtype=np.bool_)] = NEVER
        _softmax(share)
        seen = share @ cache.values[:rows, :, :stop]
        x += seen.swapaxes(1, 2).reshape(len(x), -1) @ self.mixed
        self.block.add_to(x)

    def add_to_few(self, x: Reals, cache: Cache) -> None:
        """The same for few rows and one step."""
        rows, start = len(x), cache.length
        cut = times_few(x, self.qkv)
        cut *= np.sqrt(inverse_square_few(x))
        parts = cut.reshape(rows, 3, self.heads, -1)
        cache.keys[:, :, start], cache.values[:, :, start] = parts[:, 1], parts[:, 2]
        stop = cache.length = start + 1
        share = np.matmul(cache.keys[:, :, :stop], parts[:, 0, :, :, None])[..., 0]
        _softmax(share)
        seen = np.matmul(share[:, :, None], cache.values[:, :, :stop])
        x += times_few(seen.reshape(rows, -1), self.mixed)
        self.block.add_to_few(x)


class Trunk:
    """The layers over patches."""

    def __init__(self, arrays: Arrays, layers: int, heads: int) -> None:
        self.layers = [Layer(arrays, f"layers.{place}", heads) for place in range(layers)]

    def caches(self, rows: int, room: int) -> list[Cache]:
        """One for each layer."""
        return [layer.cache(rows, room) for layer in self.layers]

    def after(self, x: Reals, caches: list[Cache]) -> Reals:
        """The states, (rows, steps, width) and of unit size, of steps that follow the cached ones; x is used up.

        There may be fewer rows than before: those are the first.
        """
        rows, steps, wide = x.shape
        flat = np.ascontiguousarray(x).reshape(-1, wide)
        for layer, cache in zip(self.layers, caches, strict=True):
            layer.add_to(flat, cache, steps)
        return unit(flat).reshape(rows, steps, wide)

    def after_few(self, x: Reals, caches: list[Cache]) -> Reals:
        """The same of one step of few rows, (rows, width)."""
        for layer, cache in zip(self.layers, caches, strict=True):
            layer.add_to_few(x, cache)
        return unit(x)


def _softmax(share: Reals) -> None:
    """In place, over the last axis."""
    share -= np.maximum.reduce(share, axis=-1, keepdims=True)
    np.exp(share, out=share)
    share /= np.add.reduce(share, axis=-1, keepdims=True)
