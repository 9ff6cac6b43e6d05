"""The kinds of held-out subjects, one file each, found by themselves. A new kind is one more file with a `KIND`.

A changed or added kind changes what a seed gives: the suite that is built on it then needs a new name.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from types import MappingProxyType

from pixelreef.draw.heldout.kind import Kind


@cache
def kinds() -> MappingProxyType[str, Kind]:
    """Every kind by its name, in the order of the names.

    >>> list(kinds())
    ['checkerboard', 'face', 'flag', 'framed', 'garden', 'house', 'rings', 'robot', 'shapes', 'sky']
    """
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    found: list[Kind] = [import_module(f"{__name__}.{name}").KIND for name in names]
    return MappingProxyType({kind.name: kind for kind in found})
