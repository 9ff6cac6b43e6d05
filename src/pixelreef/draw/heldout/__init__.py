"""Fresh held-out subjects from a seed, so that nobody can train on the test.

    subject(7, 0)                        the first subject of seed 7: text, check and reference
    subject_from(specification, id)      the same, rebuilt from its specification
    reference(specification, seed)       another correct drawing of it

Number n of a seed has the category n mod 5, so every category comes up equally often; the kind within the category and
all that it says are chance's. The specification is plain JSON data, kept with every result, so that a check can be
rebuilt without the seed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from pixelreef.core.seeds import rng
from pixelreef.draw.drawing import Drawing
from pixelreef.draw.heldout.kind import Kind, one_of
from pixelreef.draw.heldout.kinds import kinds
from pixelreef.draw.subject import CATEGORIES, Subject
from pixelreef.errors import InputError

__all__ = ["distinct", "reference", "specification", "subject", "subject_from"]


def specification(seed: int, number: int) -> dict[str, Any]:
    """What subject `number` of a seed is, as JSON data.

    >>> sorted(specification(0, 0)) == sorted(specification(0, 0))
    True
    """
    random = rng(seed, "draw", "heldout", number)
    category = CATEGORIES[number % len(CATEGORIES)]
    among = [kind for kind in kinds().values() if kind.category == category]
    kind: Kind = one_of(random, among, [kind.share for kind in among])
    return {"kind": kind.name, **kind.make(random)}


def subject(seed: int, number: int) -> Subject:
    """Subject `number` of a seed.

    >>> subject(0, 0).id, subject(0, 0).category
    ('heldout-0-0', 'character')
    """
    return subject_from(specification(seed, number), f"heldout-{seed}-{number}")


def subject_from(specification: Mapping[str, Any], id: str) -> Subject:
    """The subject of a specification, with its first reference."""
    kind, data = _kind(specification), dict(specification)
    return Subject(
        id=id,
        text=kind.text(data),
        category=kind.category,
        reference=reference(data, 0),
        check=partial(kind.check, data),
        specification=data,
    )


def reference(specification: Mapping[str, Any], seed: int) -> Drawing:
    """A correct drawing, whose layout and shades depend on the seed."""
    data = dict(specification)
    # Its own words are part of the stream's name, or all subjects of a kind would be laid out alike.
    random = rng(seed, "draw", "heldout", "layout", json.dumps(data, sort_keys=True))
    return _kind(data).reference(data, random)


def distinct() -> int:
    """How many different subjects there are.

    >>> distinct() > 1_000_000
    True
    """
    return sum(kind.distinct for kind in kinds().values())


def _kind(specification: Mapping[str, Any]) -> Kind:
    name = specification.get("kind")
    if not isinstance(name, str) or name not in kinds():
        raise InputError("kind", f"be one of {', '.join(kinds())}", name)
    return kinds()[name]
