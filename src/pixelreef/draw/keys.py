"""The object of a reply: its keys, to the letter or by another name.

What stands under the keys is read by `colours`, `cells` and the encodings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pixelreef.draw.failures import Faults
from pixelreef.draw.repairs import Log
from pixelreef.errors import shown

ALIASES: dict[str, tuple[str, ...]] = {
    "palette": ("palette", "colors", "colours", "color_palette", "colour_palette", "colorpalette"),
    "grid": ("grid", "pixels", "rows", "data", "pixel_grid", "pixelgrid", "image", "canvas", "cells", "matrix"),
    "shapes": ("shapes", "commands", "drawing", "elements", "objects"),
}
"""Key → the names by which models call it, the likeliest first."""

MAX_UNWRAPPED = 3
_LOOKED_AT = 32  # values of one wrapping object or list: bounds the search to 32³ looks, in practice a handful


def fields_strictly(value: Any, keys: Sequence[str], faults: Faults) -> dict[str, Any]:
    """The object's values under the keys asked for; anything else, missing or too much, is a fault."""
    if not isinstance(value, dict):
        faults.fail("wrong type", f"the reply must be an object, got {_kind(value)}")
    for key in keys:
        if key not in value:
            faults.add("missing key", f"there is no {key!r}")
    if len(value) > len(keys) or any(key not in keys for key in value):
        extra = next(key for key in value if key not in keys)
        faults.add("extra key", f"{shown(extra)} is not a key of this encoding")
    return {key: value[key] for key in keys if key in value}


def fields_repaired(value: Any, keys: Sequence[str], log: Log) -> dict[str, Any] | None:
    """The values under the keys asked for, wherever they stand and whatever they are called; None unless all are there.

    >>> fields_repaired({"result": {"Colors": [], "pixels": []}}, ("palette", "grid"), Log())
    {'palette': [], 'grid': []}
    """
    found, depth = _search(value, keys, 0)
    if found is None:
        return None
    log.note("nested object unwrapped", min(depth, 1))
    names = _names(found, keys)
    log.note("key renamed", sum(name != key for key, name in names.items()))
    log.note("key dropped", len(found) - len(names))
    return {key: found[name] for key, name in names.items()}


def _search(value: Any, keys: Sequence[str], depth: int) -> tuple[dict[str, Any] | None, int]:
    """The outermost object that has all the keys, and how deep it stands; of several in a list, the last."""
    if isinstance(value, dict) and len(_names(value, keys)) == len(keys):
        return value, depth
    if depth < MAX_UNWRAPPED and isinstance(value, dict | list):
        inner = list(value.values() if isinstance(value, dict) else value)[-_LOOKED_AT:]
        for one in reversed(inner):
            if isinstance(one, dict | list):
                found, at = _search(one, keys, depth + 1)
                if found is not None:
                    return found, at
    return None, depth


def _names(value: dict[str, Any], keys: Sequence[str]) -> dict[str, str]:
    """Key asked for → key in the object, for those that are there."""
    folded: dict[str, str] = {}
    for name in value:
        if len(name) <= 20:
            folded.setdefault(name.strip().lower().replace(" ", "_").replace("-", "_"), name)
    names: dict[str, str] = {}
    for key in keys:
        there = key if key in value else next((folded[alias] for alias in ALIASES[key] if alias in folded), None)
        if there is not None and there not in names.values():
            names[key] = there
    return names


def _kind(value: Any) -> str:
    kinds = {list: "a list", str: "a string", bool: "true or false", int: "a number", float: "a number"}
    return kinds.get(type(value), "null")
