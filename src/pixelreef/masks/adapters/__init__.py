"""The adapters, one file each. A file put here that defines `ADAPTER` is found; nothing else needs to change."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from pixelreef.errors import InputError
from pixelreef.masks.adapter import Adapter

AUTO = "auto"
USUAL = "chat"


@cache
def adapters() -> dict[str, Adapter]:
    """Name → adapter, sorted by name.

    >>> list(adapters())
    ['beside', 'chat', 'edit']
    """
    modules = [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]
    return {one.name: one for one in sorted((module.ADAPTER for module in modules), key=lambda one: str(one.name))}


def adapter_for(model: str, said: str = AUTO) -> Adapter:
    """The adapter that was said, or else the one that suits the model by its name, or else `chat`.

    >>> adapter_for("openai/gpt-image-1").name, adapter_for("google/gemini-3-pro-image-preview").name
    ('edit', 'chat')
    >>> adapter_for("openai/gpt-image-1", "beside").name
    'beside'
    """
    if said != AUTO:
        if said not in adapters():
            raise InputError("--adapter", f"be {AUTO} or one of {', '.join(adapters())}", said)
        return adapters()[said]
    return next((one for one in adapters().values() if one.suits(model)), adapters()[USUAL])
