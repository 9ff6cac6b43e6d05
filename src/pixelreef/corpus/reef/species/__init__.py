"""The species of the reef, found by themselves: a new one is one more file with a `SPECIES` in a category's folder."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from types import MappingProxyType

from pixelreef.corpus.reef.animal import Species


@cache
def species() -> MappingProxyType[str, Species]:
    """Every species by its name, in the order of the names."""
    modules = [
        import_module(module.name)
        for module in pkgutil.walk_packages(__path__, f"{__name__}.")
        if not module.ispkg and not module.name.rpartition(".")[2].startswith("_")
    ]
    found: list[Species] = [module.SPECIES for module in modules]
    return MappingProxyType({kind.name: kind for kind in sorted(found, key=lambda kind: kind.name)})


@cache
def living_in(category: str, zone: str) -> tuple[Species, ...]:
    """The species of a cell, in the order of their names."""
    return tuple(kind for kind in species().values() if kind.category == category and zone in kind.zones)
