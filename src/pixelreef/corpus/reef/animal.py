"""What a species is: a name, where it lives, and how one of them is drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pixelreef.corpus.cells import ZONES
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.zones import Traits

Draw = Callable[[Canvas, np.random.Generator, Traits], dict[str, Any]]


@dataclass(frozen=True)
class Species:
    """A species of the reef. `draw` paints one animal and gives its own parameters as JSON values."""

    name: str
    category: str
    draw: Draw
    zones: tuple[str, ...] = ZONES
