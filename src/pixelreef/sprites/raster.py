"""The `raster` model in torch: one token per pixel, row by row. The baseline, faithful to the public trial.

The factors come first, one token each, then the pixels; sampling keeps keys and values of every step.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from pixelreef.core.palette import Palette
from pixelreef.core.strict_json import json_from_text
from pixelreef.errors import FileError, InputError
from pixelreef.sprites.choose import Sampling, chosen
from pixelreef.sprites.config import Config, config_from_document
from pixelreef.sprites.layers import Cache, Layer, Norm, begun, table
from pixelreef.sprites.network import Batch, Likelihood
from pixelreef.sprites.task import Task
from pixelreef.sprites.weights import MAX_BYTES


class Raster(nn.Module):
    """A causal transformer over pixels."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config
        wide = config.trunk_width
        self.colour = table(config.colours, wide)
        self.row, self.column = table(config.height, wide), table(config.width, wide)
        self.begin = table(1, wide)
        self.factors = nn.ParameterList([table(len(values) + 1, wide) for values in config.factors.values()])
        self.layers = nn.ModuleList([Layer(wide, config.heads) for _ in range(config.trunk_layers)])
        self.norm = Norm(wide)
        self.out = nn.Linear(wide, config.colours)
        self.apply(begun)

    def forward(self, batch: Batch) -> Likelihood:
        """The probability of every picture; the order is fixed, and nothing can be given."""
        codes = batch.codes.flatten(1)
        pixels = self.colour[codes] + self.places()
        steps = torch.cat([self._first(batch.factors), pixels[:, :-1]], dim=1)
        for layer in self.layers:
            steps = layer(steps)
        logits = self.out(self.norm(steps[:, -codes.shape[1] :]))
        found = -functional.cross_entropy(logits.flatten(0, 1), codes.flatten(), reduction="none")
        return Likelihood(found.new_zeros(len(codes), 1), found.view_as(batch.codes))

    def places(self) -> Tensor:
        """(pixels, width)."""
        return (self.row[:, None] + self.column).flatten(0, 1)

    def _first(self, factors: Tensor) -> Tensor:
        """(B, factors + 1, width): what comes before the first pixel."""
        told = [values[factors[:, place]] for place, values in enumerate(self.factors)]
        return torch.stack([*told, self.begin.expand(len(factors), -1)], dim=1)

    @torch.inference_mode()
    def draw(self, task: Task, sampling: Sampling | None = None) -> NDArray[np.uint8]:
        """(n, height, width) colours, with the cache of all steps before; nothing can be given."""
        rule, config = sampling or Sampling(), self.config
        factors = torch.from_numpy(task.factors.astype(np.int64))
        drawn = task.colours.reshape(len(task), -1)
        guided = rule.guidance != 1 and bool(config.factors)
        if guided:
            nothing = torch.tensor([len(values) for values in config.factors.values()])
            factors = torch.cat([factors, nothing.expand_as(factors)])
        step, places = self._first(factors), self.places()
        length = step.shape[1] + config.height * config.width
        caches = [Cache(len(factors), layer, length) for layer in self.layers]  # type: ignore[arg-type]
        colours: list[NDArray[np.intp]] = []
        for pixel in range(config.height * config.width):
            for layer, cache in zip(self.layers, caches, strict=True):
                step = layer(step, cache=cache)
            logits = self.out(self.norm(step[:, -1]))
            if guided:
                told, untold = logits.chunk(2)
                logits = untold + rule.guidance * (told - untold)
            colours.append(chosen(logits.numpy(), drawn[:, pixel], rule))
            code = torch.from_numpy(np.tile(colours[-1], 2 if guided else 1))
            step = (self.colour[code] + places[pixel])[:, None]
        return np.stack(colours, axis=1).reshape(-1, config.height, config.width).astype(np.uint8)


def read_raster(path: str | os.PathLike[str]) -> tuple[Raster, Palette]:
    """A `raster` model and its palette from the file that a run leaves; untrusted, as every file is."""
    from safetensors import SafetensorError, safe_open

    what = f"weights {os.fspath(path)!r}"
    if not os.path.isfile(path) or os.path.getsize(path) > MAX_BYTES:
        raise FileError(what, f"be a file of at most {MAX_BYTES:,} bytes", "none, or a larger one", verbatim=True)
    try:
        with safe_open(path, "pt") as file:
            text = (file.metadata() or {}).get("pixelreef", "")
            stored = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118  (no mapping)
        document: Any = json_from_text(text, what)
        with torch.device("meta"):  # takes no memory, whatever sizes the file claims
            model = Raster(config_from_document(document["config"]))
        model.load_state_dict(stored, assign=True)
        palette = Palette.from_hex(document["palette"]["colours"], document["palette"]["transparent"])
    except (SafetensorError, RuntimeError, KeyError, TypeError, AttributeError, InputError) as error:
        raise FileError(what, "be those of a raster model", str(error).splitlines()[0]) from None
    return model, palette
