"""The datasets, one file each. A file put here that defines `DATASET` is found; nothing else needs to change."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from pixelreef.errors import InputError
from pixelreef.masks.dataset import Dataset


@cache
def datasets() -> dict[str, Dataset]:
    """Name → dataset, sorted by name.

    >>> list(datasets())
    ['ade20k', 'celebamask-hq', 'cityscapes', 'coco-panoptic', 'reef-parts', 'reef-scenes', 'suim']
    """
    modules = [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]
    return {one.name: one for one in sorted((module.DATASET for module in modules), key=lambda one: str(one.name))}


def dataset(name: str) -> Dataset:
    """One dataset by its name.

    >>> dataset("suim").classes.names[:3]
    ('water', 'diver', 'plant')
    """
    found = datasets().get(name)
    if found is None:
        raise InputError("dataset", f"be one of {', '.join(datasets())}", name)
    return found
