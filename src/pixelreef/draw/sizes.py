"""How many parameters an entrant has, where that is known: the families that the article names.

An entrant is matched by its name alone. What is not in `sizes.json` is not known, and is never guessed from a name.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources


def parameters(entrant: str) -> float | None:
    """The nominal parameter count of an entrant, or None where it is not known.

    >>> parameters("hf/microsoft/Phi-3.5-mini-instruct"), parameters("local/smollm2 · constrained")
    (3800000000.0, 135000000.0)
    >>> parameters("llama-3.2-11b") is None
    True
    """
    name = re.sub(r"[\s_]+", "-", entrant.lower())
    for known, count in _known().items():
        if re.search(rf"(?<![a-z0-9.]){re.escape(known)}(?![a-z0-9.]|-\d+(\.\d+)?[bm]\b)", name):
            return count
    return None


@cache
def _known() -> dict[str, float]:
    text = resources.files("pixelreef.draw").joinpath("sizes.json").read_text(encoding="utf-8")
    return {str(name): float(count) for name, count in json.loads(text)["parameters"].items()}
