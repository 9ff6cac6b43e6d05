"""The encodings, one file each. A file put here that defines `ENCODING` is found; nothing else needs to change."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from pixelreef.draw.encoding import Encoding
from pixelreef.errors import InputError


@cache
def encodings() -> dict[str, Encoding]:
    """Name → encoding, sorted by name.

    >>> list(encodings())
    ['grid-only', 'ints', 'rows', 'runs', 'shapes']
    """
    modules = [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]
    return {one.name: one for one in sorted((module.ENCODING for module in modules), key=lambda one: str(one.name))}


def encoding(name: str) -> Encoding:
    """One encoding by its name.

    >>> encoding("rows").version
    1
    """
    found = encodings().get(name)
    if found is None:
        raise InputError("encoding", f"be one of {', '.join(encodings())}", name)
    return found
