"""The engine: samples a `reef` model with numpy alone.

    engine = Engine(config, weights)
    for number, grid in engine.draw(factors, seed=0): …

Sprites of one plan are drawn in step, a patch at a time; where a patch is empty nothing more is asked for that sprite.
With guidance every sprite has two rows, one told its factors and one not. Weights are float32 arrays under the names
that the torch model has for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.errors import InputError
from pixelreef.sprites.choose import Reals, Sampling, Uniforms, chosen
from pixelreef.sprites.config import Config
from pixelreef.sprites.plan import Bits, Plan, plan_from_given

NEVER = np.float32(-1e9)
_EPSILON = np.float32(1e-5)

Grids = NDArray[np.uint8]
Whole = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Task:
    """Sprites to be drawn together."""

    factors: Whole
    """(n, factors) places of values; the number of values where one is not told."""
    flags: Uniforms
    """(n, patches)."""
    colours: Uniforms
    """(n, height, width)."""
    grids: Grids | None = None
    """(n, height, width): the colours of given pixels."""
    given: Bits | None = None
    """(height, width): which are given; the same for all."""
    filled: Bits | None = None
    """(n, height, width): pixels that must not be ground."""


class Engine:
    """A model ready to draw."""

    def __init__(self, config: Config, weights: Mapping[str, NDArray[np.floating]]) -> None:
        self.config = config
        get = {name: np.ascontiguousarray(value, np.float32) for name, value in weights.items()}
        self.colour = _colour_table(config, get)
        self.patch = _turned(get["patch.weight"])
        self.places = (get["row"][:, None] + get["column"]).reshape(config.patches, -1)
        self.next_places = (get["next_row"][:, None] + get["next_column"]).reshape(config.patches, -1)
        self.begin, self.shown = get["begin"], get["shown"]
        self.factors = [get[f"factors.{place}"] for place in range(len(config.factors))]
        self.layers = [_Layer(get, f"layers.{place}", config.heads) for place in range(config.trunk_layers)]
        self.norm = get["norm.gain"]
        self.empty, self.empty_bias = get["empty.weight"][0], get["empty.bias"][0]
        self.state = _turned(get["state.weight"])
        self.place, self.gain = get["place"], 1 + get["gain"]
        self.window = _turned(get["window.weight"])
        self.blocks = [_Block(get, f"blocks.{place}") for place in range(config.pixel_layers)]
        self.pixel_norm = get["pixel_norm.gain"]
        self.out, self.out_bias = _turned(get["out.weight"]), get["out.bias"]

    def draw(self, task: Task, sampling: Sampling | None = None) -> Grids:
        """(n, height, width) colours."""
        return _Drawing(self, task, sampling or Sampling()).run()

    def told(self, factors: Whole) -> Reals:
        """(n, width): what the factors say."""
        total = np.zeros((len(factors), self.config.trunk_width), np.float32)
        for place, table in enumerate(self.factors):
            total += table[factors[:, place]]
        return total

    def pixel_logits(self, state: Reals, around: Reals, inside: int) -> Reals:
        """(rows, colours) for pixel `inside` of a patch: states (rows, width), windows (rows, window² · width)."""
        inner = around @ self.window
        if len(state) != len(inner):
            inner = np.concatenate([inner, inner])
        inner += state * self.gain[inside]
        inner += self.place[inside]
        for block in self.blocks:
            block.add_to(inner)
        logits = _normed(inner, self.pixel_norm) @ self.out
        logits += self.out_bias
        return logits


class _Drawing:
    """One batch on its way."""

    def __init__(self, engine: Engine, task: Task, sampling: Sampling) -> None:
        self.engine, self.task, self.sampling, config = engine, task, sampling, engine.config
        self.config, self.count = config, len(task.factors)
        given = np.zeros((config.height, config.width), np.bool_) if task.given is None else task.given
        self.given, self.plan = given, plan_from_given(given, config)
        self.codes = np.full((self.count, config.height, config.width), config.unknown, np.uint16)
        if task.grids is not None:
            self.codes[:, given] = task.grids[:, given]
        reach = config.window // 2
        padded = np.pad(self.codes, ((0, 0), (reach, reach), (reach, reach)), constant_values=config.outside)
        self.around = engine.colour[padded]
        told = engine.told(task.factors)
        self.guided = sampling.guidance != 1 and bool(config.factors)
        if self.guided:
            nothing = np.array([len(values) for values in config.factors.values()], np.intp)
            told = np.concatenate([told, engine.told(np.broadcast_to(nothing, task.factors.shape))])
        self.told = told
        length = len(self.plan.shown) + config.patches
        self.caches = [layer.cache(len(told), length) for layer in engine.layers]

    def run(self) -> Grids:
        """Draw everything."""
        for patch in self.plan.shown:
            self._trunk(self._content(patch) + self.engine.shown)
        before = np.broadcast_to(self.engine.begin, (self.count, self.config.trunk_width))
        for step, patch in enumerate(self.plan.order):
            states = self._trunk(before + self.engine.next_places[patch])
            if step >= self.plan.known:
                self._patch(patch, states)
            before = self._content(patch)
        return self.codes.astype(np.uint8)

    def _content(self, patch: int) -> Reals:
        """(n, width): a patch as the trunk takes it in."""
        rows, columns = _box(patch, self.config)
        colours = self.engine.colour[self.codes[:, rows, columns].reshape(self.count, -1)]
        return colours.reshape(self.count, -1) @ self.engine.patch + self.engine.places[patch]

    def _trunk(self, steps: Reals) -> Reals:
        """The states after one more step, (rows, width)."""
        x = np.concatenate([steps, steps]) if self.guided else steps
        x = x + self.told
        for layer, cache in zip(self.engine.layers, self.caches, strict=True):
            layer.add_to(x, cache)
        return _normed(x, self.engine.norm)

    def _patch(self, patch: int, states: Reals) -> None:
        """Draw one patch of every sprite."""
        rows, columns = _box(patch, self.config)
        ground, open_ = self.config.ground, ~self.given[rows, columns].ravel()
        known = self.codes[:, rows, columns].reshape(self.count, -1)
        coloured = (known[:, ~open_] != ground).any(axis=1)
        if self.task.filled is not None:
            coloured |= self.task.filled[:, rows, columns].any(axis=(1, 2))
        odds = self._mixed(states @ self.engine.empty + self.engine.empty_bias)
        both = np.stack([odds, np.zeros_like(odds)], axis=1)
        empty = (chosen(both, self.task.flags[:, patch], self.sampling) == 0) & ~coloured
        self._set(np.flatnonzero(empty), rows, columns, open_, ground)
        busy = np.flatnonzero(~empty)
        if not len(busy):
            return
        inner = states @ self.engine.state if len(busy) == self.count else self._rows(states, busy) @ self.engine.state
        bare = ~coloured[busy]
        places = np.flatnonzero(open_)
        side = self.config.patch
        for inside in places:
            y, x = rows.start + inside // side, columns.start + inside % side
            logits = self._mixed(self.engine.pixel_logits(inner, self._window(busy, y, x), int(inside)))
            barred = bare if inside == places[-1] else np.zeros_like(bare)
            if self.task.filled is not None:
                barred = barred | self.task.filled[busy, y, x]
            if barred.any():
                logits[barred, ground] = NEVER
            colours = chosen(logits, self.task.colours[busy, y, x], self.sampling)
            self._put(busy, y, x, colours)
            bare &= colours == ground

    def _rows(self, states: Reals, busy: Whole) -> Reals:
        return states[np.concatenate([busy, busy + self.count])] if self.guided else states[busy]

    def _mixed(self, logits: Reals) -> Reals:
        """One row a sprite, with guidance."""
        if not self.guided:
            return logits
        told, untold = np.split(logits, 2)
        return untold + np.float32(self.sampling.guidance) * (told - untold)

    def _window(self, busy: Whole, y: int, x: int) -> Reals:
        """(n, window² · colour width) around a pixel."""
        side = self.config.window
        cut = self.around[:, y : y + side, x : x + side]
        return (cut if len(busy) == self.count else cut[busy]).reshape(len(busy), -1)

    def _put(self, busy: Whole, y: int, x: int, colours: Whole) -> None:
        reach = self.config.window // 2
        self.codes[busy, y, x] = colours
        self.around[busy, y + reach, x + reach] = self.engine.colour[colours]

    def _set(self, which: Whole, rows: slice, columns: slice, open_: Bits, colour: int) -> None:
        """One colour in all open pixels of a patch."""
        if not len(which):
            return
        reach, side = self.config.window // 2, self.config.patch
        if open_.all():
            self.codes[which, rows, columns] = colour
            outer = (slice(rows.start + reach, rows.stop + reach), slice(columns.start + reach, columns.stop + reach))
            self.around[which, outer[0], outer[1]] = self.engine.colour[colour]
            return
        for inside in np.flatnonzero(open_):
            y, x = rows.start + inside // side, columns.start + inside % side
            self._put(which, y, x, np.full(len(which), colour))


class _Layer:
    """Attention over all steps so far, then a block."""

    def __init__(self, get: Mapping[str, Reals], name: str, heads: int) -> None:
        self.heads = heads
        self.norm = get[f"{name}.norm.gain"]
        self.qkv, self.mixed = _turned(get[f"{name}.qkv.weight"]), _turned(get[f"{name}.mixed.weight"])
        self.block = _Block(get, f"{name}.block")
        self.scale = np.float32((len(self.norm) // heads) ** -0.5)

    def cache(self, rows: int, length: int) -> _Cache:
        shape = (rows, self.heads, length, len(self.norm) // self.heads)
        return _Cache(np.empty(shape, np.float32), np.empty(shape, np.float32))

    def add_to(self, x: Reals, cache: _Cache) -> None:
        """x (rows, width) becomes what comes out."""
        rows, wide = x.shape
        q, k, v = (_normed(x, self.norm) @ self.qkv).reshape(rows, 3, self.heads, -1).swapaxes(0, 1)
        cache.keys[:, :, cache.length], cache.values[:, :, cache.length] = k, v
        cache.length += 1
        keys, values = cache.keys[:, :, : cache.length], cache.values[:, :, : cache.length]
        share = (keys @ (q * self.scale)[..., None])[..., 0]
        share -= share.max(axis=2, keepdims=True)
        np.exp(share, out=share)
        share /= share.sum(axis=2, keepdims=True)
        x += (share[:, :, None] @ values).reshape(rows, wide) @ self.mixed
        self.block.add_to(x)


@dataclass(eq=False)
class _Cache:
    keys: Reals
    values: Reals
    length: int = 0


class _Block:
    """Two dense layers around a squared ramp."""

    def __init__(self, get: Mapping[str, Reals], name: str) -> None:
        self.norm = get[f"{name}.norm.gain"]
        self.up, self.down = _turned(get[f"{name}.up.weight"]), _turned(get[f"{name}.down.weight"])

    def add_to(self, x: Reals) -> None:
        """x (rows, width) becomes what comes out."""
        hidden = _normed(x, self.norm) @ self.up
        np.maximum(hidden, 0, out=hidden)
        np.square(hidden, out=hidden)
        x += hidden @ self.down


def _normed(x: Reals, gain: Reals) -> Reals:
    mean = np.einsum("ij,ij->i", x, x)[:, None]
    mean /= np.float32(x.shape[1])
    mean += _EPSILON
    normed = x / np.sqrt(mean)
    normed *= gain
    return np.asarray(normed)


def _colour_table(config: Config, get: Mapping[str, Reals]) -> Reals:
    """(codes, colour width)."""
    table = get["colour"].copy()
    if config.ramps is not None:
        ramps = np.array(config.ramps, np.intp)
        table[: config.colours] += get["ramp"][ramps[:, 0]] + get["step"][ramps[:, 1]]
    return table


def _box(patch: int, config: Config) -> tuple[slice, slice]:
    row, column = divmod(patch, config.columns)
    side = config.patch
    return slice(row * side, row * side + side), slice(column * side, column * side + side)


def _turned(weight: Reals) -> Reals:
    """(in, out), as rows times a matrix need it."""
    if weight.ndim != 2:
        raise InputError("weights", "be tables of two sides", weight.shape)
    return np.ascontiguousarray(weight.T)
