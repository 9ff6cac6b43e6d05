"""A model as ONNX graphs, for engines that embed a runtime; built from the weights, without torch.

    write_onnx(weights_from("run"), Path("folder"))

Three graphs for each of the two painters, all for any number of rows:

    known     known (rows, height, width) → hints (rows, patches, width): what is known before a painter begins
    trunk     map, before, patch, factors, hints, keys, values → state, keys, values; of shapes, log-odds of kinds too
    inside    map, patch, place, state → odds (rows, classes) of a unit of a patch

`map` (rows, height, width) has the codes as they are at the moment. `keys` and `values` (layers, rows, heads, steps,
width of a head) begin with no steps and are handed on. `model.json` has all constants, `draw.py` is the loop in Python.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import islice, product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.files import write_bytes, write_json
from pixelreef.sprites.choose import Sampling
from pixelreef.sprites.config import NEAR, WHOLE, Config, Sizes
from pixelreef.sprites.model import Model, Painter
from pixelreef.sprites.onnx_graph import Graph
from pixelreef.sprites.sample import MAX_CELLS
from pixelreef.sprites.tensors import Arrays
from pixelreef.sprites.weights import Weights

FORMAT, VERSION = "pixelreef-sprites-onnx", 1
DESCRIPTION, LOOP = "model.json", "draw.py"


def write_onnx(weights: Weights, out: Path) -> list[Path]:
    """Write the graphs, the constants and the loop into a folder."""
    written = [write_bytes(out / f"{name}.onnx", data) for name, data in graphs(weights).items()]
    written.append(write_json(out / DESCRIPTION, description(weights)))
    loop = files("pixelreef.sprites").joinpath("onnx_example.py").read_bytes()
    return [*written, write_bytes(out / LOOP, loop)]


def furthest(weights: Weights, folder: Path, count: int = 4) -> float:
    """How far the graphs of a folder are from the engine: the largest difference of the logarithms of probabilities.

    Of the first sprites of so many cells, evenly over all, and of the same with their upper half given.
    """
    from pixelreef.sprites import onnx_example
    from pixelreef.sprites.sample import Sampler, Wanted

    sampler, model, away = Sampler(weights, threads=1), onnx_example.Model(folder), 0.0
    cells = list(islice(sampler.cells(), MAX_CELLS))
    for cell in cells[:: -(-len(cells) // count)]:
        (drawn,) = sampler.sample(cell, 1)
        half = drawn.cells.astype(np.int64)
        half[weights.config.height // 2 :] = weights.config.unknown
        factors = sampler.task([Wanted(drawn.factors, 0)], 0).factors
        for known in (None, half):
            ours = sampler.engine.likelihood(drawn.cells[None], factors, None if known is None else known[None])
            theirs = onnx_example.likelihood(model, drawn.cells, factors[0].tolist(), known)
            away = max(away, abs(theirs - float(ours.total[0])))
    return away


def graphs(weights: Weights) -> dict[str, bytes]:
    """All graphs by name, as files hold them."""
    config, model = weights.config, Model(weights.config, weights.arrays)
    made: dict[str, bytes] = {}
    for name, painter in {"shape": model.shape, "colours": model.colours}.items():
        arrays = {
            of.removeprefix(f"{name}."): value for of, value in weights.arrays.items() if of.startswith(f"{name}.")
        }
        kind = (weights.arrays["kind.weight"], weights.arrays["kind.bias"]) if name == "shape" else None
        made[f"{name}-known"] = _known(painter)
        made[f"{name}-trunk"] = _trunk(painter, arrays, kind)
        made[f"{name}-inside"] = _inside(painter, arrays)
    assert set(made) == set(_names(config))
    return made


def description(weights: Weights) -> dict[str, Any]:
    """All constants that the loop needs, as JSON values."""
    config = weights.config
    return {
        "format": FORMAT,
        "version": VERSION,
        "graphs": list(_names(config)),
        "height": config.height,
        "width": config.width,
        "patch": config.patch,
        "colours": config.colours,
        "ground": config.ground,
        "unknown": config.unknown,
        "filled": config.filled,
        "outside": config.outside,
        "kinds": ["empty", "full", "mixed"],
        "palette": weights.palette.hex(),
        "transparent": weights.palette.transparent,
        "factors": {name: list(values) for name, values in config.factors.items()},
        "cells": ["/".join(values) or "all" for values in islice(product(*config.factors.values()), MAX_CELLS)],
        "painters": {name: _sizes(sizes, config) for name, sizes in config.painters.items()},
        "sampling": Sampling().document(),
        "facts": json.loads(json.dumps(dict(weights.facts), default=str)),
    }


def _names(config: Config) -> Sequence[str]:
    return [f"{painter}-{part}" for painter in config.painters for part in ("known", "trunk", "inside")]


def _sizes(sizes: Sizes, config: Config) -> dict[str, int]:
    return {
        "layers": sizes.layers,
        "heads": sizes.heads,
        "head_width": sizes.wide // sizes.heads,
        "width": sizes.wide,
        "unit": sizes.unit,
        "units": config.pixels // sizes.unit,
        "classes": sizes.classes,
    }


def _known(painter: Painter) -> bytes:
    """What is known in the nine patches around each one, and coarsely in the whole."""
    config, graph, side = painter.config, Graph(), painter.config.patch
    known = graph.takes("known", np.int64, "rows", config.height, config.width)
    padded = graph.padded(known, side, config.unknown)
    across = config.width + 2 * side
    y, x = np.mgrid[: config.rows, : config.columns] * side
    down, right = np.mgrid[: 3 * side, : 3 * side]
    around = (y * across + x).reshape(-1, 1) + (down * across + right).reshape(1, -1)
    flat = graph.shaped(padded, 0, -1)
    near = graph.do("Gather", graph.table(painter.near_colour), graph.do("Gather", flat, graph.whole(around), axis=1))
    near = graph.times(graph.shaped(near, 0, config.patches, 9 * config.pixels * NEAR), painter.near)
    coarse = config.coarse
    seen = graph.do("Gather", graph.table(painter.whole_colour), known)
    squares = (0, config.height // coarse, coarse, config.width // coarse, coarse, WHOLE)
    seen = graph.do("ReduceMean", graph.shaped(seen, *squares), axes=[2, 4], keepdims=0)
    whole = graph.shaped(graph.times(graph.shaped(seen, 0, -1), painter.whole), 0, 1, painter.sizes.wide)
    graph.gives("hints", graph.do("Add", near, whole), "rows", config.patches, painter.sizes.wide)
    return graph.made("known")


def _trunk(painter: Painter, arrays: Arrays, kind: tuple[NDArray[np.float32], NDArray[np.float32]] | None) -> bytes:
    """One step over patches."""
    config, sizes, graph = painter.config, painter.sizes, Graph()
    head = sizes.wide // sizes.heads
    codes = graph.takes("map", np.int64, "rows", config.height, config.width)
    before, patch = (graph.takes(name, np.int64, "rows") for name in ("before", "patch"))
    x = graph.do(
        "Add", _taken_in(graph, painter, codes, before), graph.do("Gather", graph.table(painter.next_places), patch)
    )
    if painter.factors:
        factors = graph.takes("factors", np.int64, "rows", len(painter.factors))
        for place, table in enumerate(painter.factors):
            told = graph.do("Gather", factors, graph.whole(np.array(place)), axis=1)
            x = graph.do("Add", x, graph.do("Gather", graph.table(table), told))
    hints = graph.takes("hints", np.float32, "rows", config.patches, sizes.wide)
    x = graph.do("Add", x, graph.do("GatherND", hints, graph.shaped(patch, -1, 1), batch_dims=1))
    caches = [
        graph.takes(name, np.float32, sizes.layers, "rows", sizes.heads, "steps", head) for name in ("keys", "values")
    ]
    kept: list[list[str]] = [[], []]
    for place in range(sizes.layers):
        x = _layer(graph, x, arrays, place, sizes, caches, kept)
    state = graph.norm(x, arrays["norm.gain"])
    graph.gives("state", state, "rows", sizes.wide)
    for name, parts in zip(("keys", "values"), kept, strict=True):
        whole = graph.do("Concat", *parts, axis=0)
        graph.gives(f"{name}_then", whole, sizes.layers, "rows", sizes.heads, "steps_then", head)
    if kind is not None:
        graph.gives("kinds", graph.do("Add", graph.times(state, kind[0].T), graph.table(kind[1])), "rows", 3)
    return graph.made("trunk")


def _taken_in(graph: Graph, painter: Painter, codes: str, before: str) -> str:
    """(rows, width): the patch drawn before, at its place; `begin` where there is none."""
    config = painter.config
    numbers = np.arange(config.height * config.width).reshape(config.height, config.width)
    places = numbers.reshape(config.rows, config.patch, config.columns, config.patch).swapaxes(1, 2)
    pixels = graph.do("Gather", graph.whole(places.reshape(config.patches, config.pixels)), before)
    seen = graph.do("GatherElements", graph.shaped(codes, 0, -1), pixels, axis=1)
    seen = graph.shaped(graph.do("Gather", graph.table(painter.colour), seen), 0, -1)
    content = graph.do("Add", graph.times(seen, painter.patch), graph.do("Gather", graph.table(painter.places), before))
    first = graph.shaped(graph.do("Less", before, graph.whole(np.array(0))), -1, 1)
    return graph.do("Where", first, graph.table(painter.begin[None]), content)


def _layer(
    graph: Graph, x: str, arrays: Arrays, place: int, sizes: Sizes, caches: list[str], kept: list[list[str]]
) -> str:
    """Attention over all steps so far, then a block; what is kept of this step is put behind `kept`."""
    name, head = f"layers.{place}", sizes.wide // sizes.heads
    cut = graph.times(graph.norm(x, arrays[f"{name}.norm.gain"]), arrays[f"{name}.qkv.weight"].T)
    cut = graph.shaped(cut, 0, 3, sizes.heads, 1, head)
    query, *new = (graph.do("Gather", cut, graph.whole(np.array(part)), axis=1) for part in range(3))
    every = []
    for cache, one, keep in zip(caches, new, kept, strict=True):
        past = graph.do("Gather", cache, graph.whole(np.array(place)), axis=0)
        every.append(graph.do("Concat", past, one, axis=2))
        keep.append(graph.do("Unsqueeze", every[-1], graph.whole(np.array([0]))))
    query = graph.do("Mul", query, graph.table(np.array(head**-0.5, np.float32)))
    share = graph.do("MatMul", query, graph.do("Transpose", every[0], perm=[0, 1, 3, 2]))
    seen = graph.do("MatMul", graph.do("Softmax", share, axis=-1), every[1])
    mixed = graph.times(graph.shaped(seen, 0, sizes.wide), arrays[f"{name}.mixed.weight"].T)
    return _block(graph, graph.do("Add", x, mixed), arrays, f"{name}.block")


def _block(graph: Graph, x: str, arrays: Mapping[str, NDArray[np.float32]], name: str) -> str:
    ramp = graph.do("Relu", graph.times(graph.norm(x, arrays[f"{name}.norm.gain"]), arrays[f"{name}.up.weight"].T))
    return graph.do("Add", x, graph.times(graph.do("Mul", ramp, ramp), arrays[f"{name}.down.weight"].T))


def _inside(painter: Painter, arrays: Arrays) -> bytes:
    """The log-odds of a unit, from the trunk's state and the codes in a window around it."""
    config, sizes, graph = painter.config, painter.sizes, Graph()
    codes = graph.takes("map", np.int64, "rows", config.height, config.width)
    patch, place = (graph.takes(name, np.int64, "rows") for name in ("patch", "place"))
    state = graph.takes("state", np.float32, "rows", sizes.wide)
    flat = graph.shaped(graph.padded(codes, painter.reach, config.outside), 0, -1)
    unit = graph.do("Add", graph.do("Mul", patch, graph.whole(np.array(painter.units))), place)
    corner = graph.shaped(graph.do("Gather", graph.whole(painter.corners.reshape(-1)), unit), -1, 1)
    window = graph.do("GatherElements", flat, graph.do("Add", corner, graph.whole(painter.offsets[None])), axis=1)
    seen = graph.shaped(graph.do("Gather", graph.table(painter.colour), window), 0, -1)
    x = graph.do(
        "Mul", graph.times(state, arrays["state.weight"].T), graph.do("Gather", graph.table(painter.gain), place)
    )
    x = graph.do("Add", x, graph.times(seen, painter.window))
    x = graph.do("Add", x, graph.do("Gather", graph.table(painter.place), place))
    for number in range(sizes.inner_layers):
        x = _block(graph, x, arrays, f"blocks.{number}")
    odds = graph.times(graph.norm(x, arrays["inner_norm.gain"]), arrays["out.weight"].T)
    graph.gives("odds", graph.do("Add", odds, graph.table(arrays["out.bias"])), "rows", sizes.classes)
    return graph.made("inside")
