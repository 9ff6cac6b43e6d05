"""Models for tests: small ones, with every weight perturbed, because blocks add nothing before training."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from pixelreef.core.palette import Palette
from pixelreef.sprites.choose import uniforms
from pixelreef.sprites.config import Config
from pixelreef.sprites.engine import Task
from pixelreef.sprites.network import Reef
from pixelreef.sprites.weights import Weights

torch.set_num_threads(1)  # two threads wait for each other on a busy machine: forty times as long for small models

SMALL: dict[str, Any] = {
    "height": 16,
    "width": 16,
    "colours": 9,
    "trunk_width": 24,
    "trunk_layers": 2,
    "heads": 3,
    "pixel_width": 20,
    "pixel_hidden": 28,
    "colour_width": 6,
    "shape_width": 18,
    "shape_layers": 2,
    "shape_heads": 2,
    "shape_row_width": 14,
    "shape_row_hidden": 22,
    "shape_window": 5,
    "shape_colour_width": 3,
}
TWO = {"category": ("fish", "coral"), "zone": ("top", "middle", "deep")}


def small_config(**other: Any) -> Config:
    return Config(**{**SMALL, "factors": TWO, **other})


def perturbed(config: Config, seed: int = 0, scale: float = 0.25) -> Reef:
    """A torch model whose every number counts."""
    torch.manual_seed(seed)
    reef = Reef(config)
    with torch.no_grad():
        for parameter in reef.parameters():
            parameter.add_(
                torch.randn_like(parameter) * scale * (parameter.shape[-1] ** -0.5 if parameter.ndim > 1 else 1)
            )
            parameter.copy_(parameter.half().float())  # as a file would keep it
    return reef.eval()


def arrays(reef: Reef) -> dict[str, NDArray[np.float32]]:
    return {name: value.numpy() for name, value in reef.state_dict().items()}


def weights(reef: Reef, transparent: int | None = 0, **facts: Any) -> Weights:
    colours = [
        f"{40 * place % 256:02x}{90 * place % 256:02x}{7 * place % 256:02x}" for place in range(reef.config.colours)
    ]
    return Weights(reef.config, Palette.from_hex(colours, transparent), arrays(reef), facts)


def task(config: Config, count: int, seed: int = 0, first: int = 0, **other: Any) -> Task:
    """Sprites of all factor values in turn, some not told."""
    sizes = [len(values) + 1 for values in config.factors.values()]
    numbers = np.arange(first, first + count)
    factors = np.array([[(number // (place + 1)) % size for place, size in enumerate(sizes)] for number in numbers])
    return Task(factors.reshape(count, len(sizes)).astype(np.intp), *uniforms(seed, numbers, config), **other)
