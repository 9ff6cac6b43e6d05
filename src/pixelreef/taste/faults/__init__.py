"""Known faults to plant in a cell, one file each: what a gate must see. A new one is one more file with a `FAULT`.

    shuffled      pixels of a sprite change places
    mixed         sprites of another cell stand under this one's name
    originals     eight sprites, copied over and over
    photographs   pictures of things, brought to the palette
    static        pixels of any colour
    one_mode      one sprite in slight variations
    half_empty    sprites of which hardly anything is left
    copies        training sprites given back as samples
    learner       what the fast learner of `learnability` draws

Nothing here knows what the cells are called, or what draws their sprites.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from types import MappingProxyType

from pixelreef.taste.faults.fault import Fault, Material, Side

__all__ = ["Fault", "Material", "Side", "faults"]


@cache
def faults() -> MappingProxyType[str, Fault]:
    """Every fault by its name, in the order of the names.

    >>> list(faults())[:3]
    ['copies', 'half_empty', 'learner']
    """
    names = sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name != "fault")
    found = [import_module(f"{__name__}.{name}").FAULT for name in names]
    return MappingProxyType({fault.name: fault for fault in found})
