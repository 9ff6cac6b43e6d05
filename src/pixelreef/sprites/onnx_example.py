"""The loop around the graphs beside this file, with numpy and onnxruntime alone: draws a sprite.

For any other language that has a runtime for ONNX, this is what to write anew.

    python draw.py jellyfish/abyss 7 sprite.png        a cell, a seed, and where to

It draws what `pixelreef sprites sample` draws, and tells how likely a picture is (`likelihood`). Codes of pixels are
the colours, then `unknown`, `filled` (not ground, colour not known yet) and `outside`. A graph takes the map of codes
as it is at the moment, for any number of rows; here it is one, or with guidance two: told the factors, and not.
"""

from __future__ import annotations

import hashlib
import json
import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

EMPTY, FULL, MIXED = range(3)

Choose = Callable[[str, Any, int, int], int]
"""Which of some options, from log-odds (options,): of a `kind`, a `row` or a `pixel`, of a patch, at a place of it."""


class Model:
    """The graphs of a folder, and what `model.json` says of them."""

    def __init__(self, folder: str | Path) -> None:
        self.about = json.loads(Path(folder, "model.json").read_text(encoding="utf-8"))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # the products are too small to share
        self.graphs = {
            name: onnxruntime.InferenceSession(str(Path(folder, f"{name}.onnx")), options, ["CPUExecutionProvider"])
            for name in self.about["graphs"]
        }

    def run(self, graph: str, **inputs: Any) -> list[Any]:
        """The outputs of a graph; numbers become rows of one."""
        taken = {one.name for one in self.graphs[graph].get_inputs()}
        ready = {name: np.asarray(value)[None] if np.ndim(value) == 0 else value for name, value in inputs.items()}
        return list(self.graphs[graph].run(None, {name: value for name, value in ready.items() if name in taken}))


class Painter:
    """One of the two painters at work on a map: first `shape`, then, on the finished shape, `colours`."""

    def __init__(self, model: Model, name: str, known: Any, factors: list[int], guidance: float = 1.0) -> None:
        """`known` (height, width) is what is known before it begins; `factors` are places of values."""
        sizes = model.about["painters"][name]
        untold = [len(values) for values in model.about["factors"].values()]
        self.model, self.name, self.map = model, name, known.copy()
        self.guidance = np.float32(guidance)
        self.factors = np.array([factors] if guidance == 1 or not factors else [factors, untold], np.int64)
        (self.hints,) = model.run(f"{name}-known", known=self._rows(known))
        nothing = np.zeros((sizes["layers"], len(self.factors), sizes["heads"], 0, sizes["head_width"]), np.float32)
        self.keys = self.values = nothing
        self.before = -1  # no patch

    def go_to(self, patch: int) -> Any:
        """Take in the patch that was drawn last, and look at the next one; (3,) log-odds of its kind, of shapes."""
        self.state, self.keys, self.values, *kinds = self.model.run(
            f"{self.name}-trunk",
            map=self._rows(self.map),
            before=self._rows(np.int64(self.before)),
            patch=self._rows(np.int64(patch)),
            factors=self.factors,
            hints=self.hints,
            keys=self.keys,
            values=self.values,
        )
        self.before = patch
        return self._mixed(kinds[0]) if kinds else None

    def odds(self, place: int) -> Any:
        """(classes,) of a unit of the patch: a row of it, or a pixel."""
        (found,) = self.model.run(
            f"{self.name}-inside",
            map=self._rows(self.map),
            patch=self._rows(np.int64(self.before)),
            place=self._rows(np.int64(place)),
            state=self.state,
        )
        return self._mixed(found)

    def _rows(self, value: Any) -> Any:
        return np.repeat(np.asarray(value)[None], len(self.factors), axis=0)

    def _mixed(self, odds: Any) -> Any:
        """(options,): with guidance, further from what would be drawn without factors."""
        return odds[0] if len(odds) == 1 else odds[1] + self.guidance * (odds[0] - odds[1])


def draw(model: Model, factors: list[int], choose: Choose, known: Any = None, guidance: float = 1.0) -> Any:
    """(height, width) colours; `known` (height, width) has a colour that is given, `filled`, or `unknown`."""
    about = model.about
    if known is None:
        known = np.full((about["height"], about["width"]), about["unknown"], np.int64)
    shape = Painter(model, "shape", known, factors, guidance)
    for patch in _open(known == about["unknown"], about["patch"]):
        _draw_shape(shape, patch, known, choose)
    colours = Painter(model, "colours", shape.map, factors, guidance)
    for patch in _open(shape.map == about["filled"], about["patch"]):
        colours.go_to(patch)
        pixels = _cut(colours.map, patch, about["patch"]).reshape(-1)
        for place in np.flatnonzero(pixels == about["filled"]).tolist():
            odds = _barred(colours.odds(place), [about["ground"]])
            _put(colours.map, patch, place, choose("pixel", odds, patch, place), about["patch"])
    return colours.map


def _draw_shape(shape: Painter, patch: int, known: Any, choose: Choose) -> None:
    """First whether it is empty, full or mixed, then in a mixed one row by row which pixels are filled."""
    about = shape.model.about
    ground, filled, unknown, side = about["ground"], about["filled"], about["unknown"], about["patch"]
    before = _cut(known, patch, side).reshape(-1)
    never = [EMPTY] if ((before != unknown) & (before != ground)).any() else []
    never += [FULL] if (before == ground).any() else []
    never += [MIXED] if side == 1 else []
    kind = choose("kind", _barred(shape.go_to(patch), never), patch, 0)
    if kind != MIXED:
        for place in np.flatnonzero(before == unknown).tolist():
            _put(shape.map, patch, place, ground if kind == EMPTY else filled, side)
        return
    open_rows = [row for row in range(side) if (before[row * side : (row + 1) * side] == unknown).any()]
    for row in open_rows:
        own = before[row * side : (row + 1) * side]
        now = _cut(shape.map, patch, side).reshape(-1) != ground
        others = np.delete(now, np.s_[row * side : (row + 1) * side])
        never = []
        for pattern in range(2**side):
            bits = [bool(pattern >> place & 1) for place in range(side)]
            wrong = any(code != unknown and (code != ground) != bit for code, bit in zip(own, bits, strict=True))
            alike = row == open_rows[-1] and (
                (not any(bits) and not others.any()) or (all(bits) and others.all())
            )  # a mixed patch is neither empty nor full
            if wrong or alike:
                never.append(pattern)
        pattern = choose("row", _barred(shape.odds(row), never), patch, row)
        for place in np.flatnonzero(own == unknown).tolist():
            code = filled if pattern >> place & 1 else ground
            _put(shape.map, patch, row * side + place, code, side)


def sample(model: Model, cell: str, seed: int = 0, number: int = 0, temperature: float = 1.0) -> Any:
    """Sprite `number` of a seed and cell, as the engine draws it: with guidance, shapes cooler than colours."""
    about, usual = model.about, model.about["sampling"]
    cooler = temperature * (1 - usual["steadiness"])
    patches, side = about["height"] // about["patch"] * (about["width"] // about["patch"]), about["patch"]
    text = json.dumps([seed, "sprites", "uniform", cell], separators=(",", ":"))
    key = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
    chance = np.random.Generator(np.random.Philox(key=[key, number])).random(
        patches * (1 + side) + about["height"] * about["width"]
    )
    shapes = chance[: patches * (1 + side)].reshape(patches, 1 + side)
    colours = chance[patches * (1 + side) :].reshape(about["height"], about["width"])

    def choose(what: str, odds: Any, patch: int, place: int) -> int:
        if what == "pixel":
            uniform = _cut(colours, patch, side).reshape(-1)[place]
        else:
            uniform = shapes[patch, 0 if what == "kind" else 1 + place]
        heat = temperature if what == "pixel" else cooler
        if heat < 1e-6:
            return int(odds.argmax())
        heights = np.cumsum(np.exp((odds - odds.max()) / np.float32(heat)), dtype=np.float64)
        return int((heights > uniform * heights[-1]).argmax())

    return draw(model, factors_of(model, cell), choose, guidance=usual["guidance"])


def likelihood(model: Model, grid: Any, factors: list[int], known: Any = None) -> float:
    """The natural logarithm of the probability of a picture (height, width)."""
    about, total = model.about, 0.0

    def choose(what: str, odds: Any, patch: int, place: int) -> int:
        nonlocal total
        cut = _cut(grid, patch, about["patch"])
        if what == "pixel":
            choice = int(cut.reshape(-1)[place])
        elif what == "row":
            choice = sum(int(code != about["ground"]) << bit for bit, code in enumerate(cut[place]))
        else:
            filled = int((cut != about["ground"]).sum())
            choice = EMPTY if filled == 0 else FULL if filled == cut.size else MIXED
        exact = odds.astype(np.float64)
        total += exact[choice] - exact.max() - np.log(np.exp(exact - exact.max()).sum())
        return choice

    draw(model, factors, choose, known)
    return total


def factors_of(model: Model, cell: str) -> list[int]:
    """The places of a cell's values; the number of values stands for a factor that is not told."""
    for place, name in enumerate(model.about["cells"]):
        if name == cell:
            found = []
            for values in reversed(model.about["factors"].values()):
                place, value = divmod(place, len(values))
                found.append(value)
            return found[::-1]
    raise SystemExit(f"cell must be one of {', '.join(model.about['cells'])}, got {cell!r}.")


def png(model: Model, grid: Any) -> bytes:
    """A picture with an alpha channel."""
    colours = [bytes.fromhex(colour) + b"\xff" for colour in model.about["palette"]]
    if model.about["transparent"] is not None:
        colours[model.about["transparent"]] = bytes(4)
    rows = b"".join(b"\0" + b"".join(colours[code] for code in row) for row in grid.tolist())
    size = struct.pack(">IIBBBBB", grid.shape[1], grid.shape[0], 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", size), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )


def _open(wanted: Any, side: int) -> list[int]:
    """The patches, row by row, that have anything to be drawn."""
    across = wanted.shape[1] // side
    return [patch for patch in range(across * (wanted.shape[0] // side)) if _cut(wanted, patch, side).any()]


def _cut(grid: Any, patch: int, side: int) -> Any:
    """(side, side): a patch, as a part of the grid."""
    y, x = divmod(patch, grid.shape[1] // side)
    return grid[y * side : (y + 1) * side, x * side : (x + 1) * side]


def _put(grid: Any, patch: int, place: int, code: int, side: int) -> None:
    _cut(grid, patch, side)[divmod(place, side)] = code


def _barred(odds: Any, never: list[int]) -> Any:
    odds[never] = -1e9
    return odds


if __name__ == "__main__":
    here = Model(Path(__file__).parent)
    Path(sys.argv[3]).write_bytes(png(here, sample(here, sys.argv[1], int(sys.argv[2]))))
