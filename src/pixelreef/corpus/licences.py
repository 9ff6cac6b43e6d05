"""The licence rule: sources whose licence nobody knows are not mixed with others unless that was asked for."""

from __future__ import annotations

from collections.abc import Iterable

from pixelreef.corpus.entry import Origin
from pixelreef.errors import InputError

UNKNOWN = frozenset(("", "unknown", "none", "n/a", "noassertion"))
"""What stands for 'nobody knows', in lower case; the last is SPDX's word."""


def is_known(licence: str) -> bool:
    """Whether a licence says anything.

    >>> is_known("CC0-1.0"), is_known(" unknown ")
    (True, False)
    """
    return licence.strip().casefold() not in UNKNOWN


def check_licences(origins: Iterable[Origin], allow_unknown: bool = False) -> tuple[str, ...]:
    """The sources that have a sprite of no known licence; refused unless they are allowed.

    >>> check_licences([Origin("reef", licence="CC0-1.0"), Origin("found")], allow_unknown=True)
    ('found',)
    >>> check_licences([Origin("reef", licence="CC0-1.0"), Origin("found")])
    Traceback (most recent call last):
    pixelreef.errors.InputError: source 'found' must have a licence, got none. Give one when it is imported, or allow \
unknown licences.
    """
    sources = tuple(dict.fromkeys(origin.source for origin in origins if not is_known(origin.licence)))
    if sources and not allow_unknown:
        what = f"source {sources[0]!r}" if len(sources) == 1 else f"sources {', '.join(map(repr, sources[:5]))}"
        todo = "Give one when it is imported, or allow unknown licences."
        raise InputError(what, "have a licence", "none", todo, verbatim=True)
    return sources
