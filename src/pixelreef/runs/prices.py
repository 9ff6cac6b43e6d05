"""What a token costs: a dated table, and a file of the user's own in front of it.

    {"version": 1, "as_of": "2026-11-15",
     "models": {"openai/gpt-4o": {"input": 2.5, "output": 10, "cached_input": 1.25}}}

US dollars per million tokens. A model that is in neither table has no price: its cost is unknown and is never guessed.
Models that run here cost 0.
"""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from pixelreef.core.files import read_bytes
from pixelreef.core.strict_json import json_from_bytes
from pixelreef.errors import DocumentError

PRICES_VARIABLE = "PIXELREEF_PRICES"
VERSION = 1
FREE_PROVIDERS = frozenset(
    {"local", "mockllm", "hf", "vllm", "sglang", "ollama", "llama-cpp-python", "transformer_lens"}
)
_MAX_BYTES = 2**20
_SNAPSHOT = re.compile(r"-(latest|\d{8}|\d{4}-\d{2}-\d{2}|preview-\d{2}-\d{2}|preview-\d{2}-\d{4})$")


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens. Cached input that has no price of its own costs what input costs."""

    input: float
    output: float
    cached_input: float | None = None

    def cost(self, input_tokens: float, output_tokens: float) -> float:
        """Dollars for so many tokens.

        >>> Price(2.5, 10.0).cost(1000, 500)
        0.0075
        """
        return (input_tokens * self.input + output_tokens * self.output) / 1e6


FREE = Price(0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Prices:
    """A table of prices, and the date it was right on."""

    as_of: str
    models: dict[str, Price]

    def of(self, model: str) -> Price | None:
        """The price of a model by its full name, or by its name without the date of a snapshot; None if unknown.

        >>> table = Prices("2026-11-15", {"openai/gpt-4o": Price(2.5, 10.0)})
        >>> table.of("openai/gpt-4o-2024-08-06") == table.of("openai/gpt-4o"), table.of("openai/gpt-4o-mini")
        (True, None)
        >>> table.of("local/smollm2") == FREE
        True
        """
        if model in self.models:
            return self.models[model]
        if model.partition("/")[0] in FREE_PROVIDERS:
            return FREE
        return self.models.get(_SNAPSHOT.sub("", model))


def prices_from_json(document: Any, what: str = "price table") -> Prices:
    """A price table from parsed JSON, checked."""
    if not isinstance(document, dict) or document.get("version") != VERSION:
        raise DocumentError(what, f"be an object with version {VERSION}", document)
    models = document.get("models")
    if not isinstance(models, dict):
        raise DocumentError(what, "have an object 'models'", models)
    return Prices(str(document.get("as_of", "undated"))[:20], {name: _price(models[name], name) for name in models})


def load_prices(path: str | os.PathLike[str] | None = None) -> Prices:
    """The shipped table, with the entries of `path` (or of `$PIXELREEF_PRICES`) in front of it."""
    shipped = prices_from_json(json_from_bytes(files("pixelreef.runs").joinpath("prices.json").read_bytes()))
    path = path or os.environ.get(PRICES_VARIABLE)
    if not path:
        return shipped
    own = prices_from_json(json_from_bytes(read_bytes(path, _MAX_BYTES), f"price table {str(path)!r}"))
    return Prices(own.as_of, {**shipped.models, **own.models})


def _price(entry: Any, name: str) -> Price:
    what = f"price of {name!r}"
    if not isinstance(entry, dict) or not {"input", "output"} <= entry.keys() <= {"input", "output", "cached_input"}:
        raise DocumentError(what, "have 'input' and 'output', and 'cached_input' if you like", entry)
    for value in entry.values():
        if isinstance(value, bool) or not isinstance(value, int | float) or not (0 <= value < math.inf):
            raise DocumentError(what, "be dollars per million tokens, 0 or more", value)
    return Price(**{key: float(value) for key, value in entry.items()})
