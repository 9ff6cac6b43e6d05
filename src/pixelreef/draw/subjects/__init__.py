"""The canonical subjects, one file each. A new one is one more file here with a `SUBJECT`, and its test."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from types import MappingProxyType

from pixelreef.draw.subject import Subject


@cache
def canonical() -> MappingProxyType[str, Subject]:
    """Every canonical subject by its id, in the order of the ids.

    >>> list(canonical())
    ['hope', 'mario', 'maze', 'mona_lisa', 'rainbow', 'saturn', 'sun']
    """
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    subjects = [import_module(f"{__name__}.{name}").SUBJECT for name in names]
    return MappingProxyType({subject.id: subject for subject in subjects})
