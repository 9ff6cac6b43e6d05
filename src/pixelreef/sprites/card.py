"""The card of a model: what it was taught, how, for how long, and what taste says of every cell; as Markdown.

    card_from_weights(weights_from("run"))

Everything comes from the metadata of the weights, which anybody may have written: it is escaped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice, product
from typing import Any

from pixelreef.sprites.scale import parameters
from pixelreef.sprites.weights import Weights

NAME = "card.md"
_SAID = {"shape", "steps", "batch", "optimiser", "rate", "plain", "untold", "memory", "flip", "ramps", "seed"}
_MOST = 10_000  # cells that are put in order
_LONGEST = 80  # characters of a value that is not ours


def card_from_weights(weights: Weights) -> str:
    """The whole card."""
    config, facts = weights.config, weights.facts
    drawn = f"{config.width} × {config.height} pixels in {config.colours} colours"
    factors = [f"{_plain(name)} ({len(values)})" for name, values in config.factors.items()]
    told = f", by {' and '.join(factors)}" if factors else ", without labels"
    lines = [
        "# Card of a sprite model",
        "",
        f"Draws sprites of {drawn}{told}. {parameters(config):,} parameters, kept in float16.",
        "",
        *_table(["", ""], _about(facts)),
        "",
        *_cells(weights),
        "",
        "A verdict is what `pixelreef taste samples` says of the first samples of a cell, by seed, none left out: "
        "*learned*, *weak* (beyond what real sprites show, short of any fault), or the fault. It is about this corpus "
        "alone. A cell that was not learned is named when it is asked for. The model knows nothing but its corpus: it "
        "can't draw what is not in it, and takes no text.",
    ]
    return "\n".join(lines) + "\n"


def _about(facts: Mapping[str, Any]) -> list[list[str]]:
    recipe = facts.get("recipe")
    rows = [[name, _plain(facts[name])] for name in ("corpus", "taught", "minutes", "step", "loss") if name in facts]
    if isinstance(recipe, dict):
        rows += [[name, _plain(value)] for name, value in recipe.items() if name in _SAID]
    rows += [[name, _plain(facts[name])] for name in ("judged", "calibration", "copied") if facts.get(name) is not None]
    sampling = facts.get("sampling")
    if isinstance(sampling, dict):
        rows.append(["sampling", ", ".join(f"{_plain(name)} {_plain(value)}" for name, value in sampling.items())])
    return rows


def _cells(weights: Weights) -> list[str]:
    """In the order of the factors' values, which the metadata does not keep."""
    facts, factors = weights.facts, weights.config.factors
    losses, verdicts = (one if isinstance(one := facts.get(name), dict) else {} for name in ("losses", "verdicts"))
    told = {**losses, **verdicts}
    ordered = ("/".join(values) for values in islice(product(*factors.values()), _MOST))
    names = list(dict.fromkeys([*(cell for cell in ordered if cell in told), *told]))
    rows = [[_plain(cell), _plain(losses.get(cell, "")), _plain(verdicts.get(cell, "not asked"))] for cell in names]
    return _table(["cell", "bits per pixel, held back", "taste says"], rows)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in [heads, ["---"] * len(heads), *rows]]


def _plain(value: object) -> str:
    """As text that Markdown takes for text.

    >>> _plain("a|b`c"), _plain(0.12345)
    ('a b c', '0.123')
    """
    text = f"{value:.3f}" if isinstance(value, float) else str(value)
    safe = "".join(sign if sign.isalnum() or sign in " ./-_+,:" else " " for sign in text)
    return safe[:_LONGEST]
