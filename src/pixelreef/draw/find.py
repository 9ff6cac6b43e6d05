"""Subjects by name: what an id, a suite or a range of held-out subjects stands for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from pixelreef.core.seeds import MAX_SEED
from pixelreef.draw import heldout
from pixelreef.draw.subject import Subject
from pixelreef.draw.subjects import canonical
from pixelreef.draw.suite import SUITES, suite
from pixelreef.errors import InputError

_HELDOUT = re.compile(r"heldout-(\d{1,19})-(\d{1,9})\Z")
_RANGE = re.compile(r"heldout:(\d{1,19}):(\d{1,6})\Z")
MOST = 100_000


@lru_cache(maxsize=4096)
def find_subject(id: str) -> Subject | None:
    """The canonical or held-out subject with that id, or None.

    >>> find_subject("saturn").category, find_subject("heldout-7-3").id, find_subject("x")
    ('space', 'heldout-7-3', None)
    """
    if id in canonical():
        return canonical()[id]
    match = _HELDOUT.match(id)
    if not match or int(match[1]) > MAX_SEED:
        return None
    return heldout.subject(int(match[1]), int(match[2]))


def find_subjects(text: str) -> Sequence[Subject]:
    """The subjects of a suite, of `canonical`, of `heldout:SEED:COUNT`, or of ids parted by commas; `+` adds these up.

    >>> [subject.id for subject in find_subjects("sun,maze+heldout:7:2")]
    ['sun', 'maze', 'heldout-7-0', 'heldout-7-1']
    """
    found = [subject for part in text.split("+") for subject in _part(part.strip())]
    unique = {subject.id: subject for subject in found}
    if len(unique) > MOST:
        raise InputError("--subjects", f"be at most {MOST:,}", len(unique))
    return tuple(unique.values())


def _part(text: str) -> Sequence[Subject]:
    if text in SUITES:
        return suite(text).subjects
    if text == "canonical":
        return tuple(canonical().values())
    if match := _RANGE.match(text):
        if int(match[1]) > MAX_SEED or not 1 <= int(match[2]) <= MOST:
            raise InputError("--subjects", f"ask for 1 to {MOST:,} of a seed up to 2⁶³ − 1", text)
        return tuple(heldout.subject(int(match[1]), number) for number in range(int(match[2])))
    found = [find_subject(id.strip()) for id in text.split(",")]
    for id, subject in zip(text.split(","), found, strict=True):
        if subject is None:
            names = ", ".join([*SUITES, "canonical", "heldout:SEED:COUNT", *canonical()])
            raise InputError("--subjects", f"name suites or subjects: {names}", id.strip())
    return tuple(subject for subject in found if subject is not None)
