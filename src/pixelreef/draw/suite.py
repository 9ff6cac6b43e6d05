"""Frozen suites: the same subjects for everyone, under a name.

A suite never changes. When a text, a specification or the choice of subjects must change, the new suite gets a new
name; the content hash, pinned in a test, says when that is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

from pixelreef.draw import heldout
from pixelreef.draw.subject import Subject
from pixelreef.draw.subjects import canonical
from pixelreef.errors import InputError

DEFAULT = "draw-1"


@dataclass(frozen=True, eq=False)
class Suite:
    """Subjects in order, under a name."""

    name: str
    subjects: tuple[Subject, ...]

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 over all that is asked and tested: ids, texts, categories and specifications, as JSON."""
        content = [
            [subject.id, subject.text, subject.category, dict(subject.specification)] for subject in self.subjects
        ]
        text = json.dumps([self.name, content], sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def __len__(self) -> int:
        return len(self.subjects)

    def __getitem__(self, id: str) -> Subject:
        """The subject with that id."""
        for subject in self.subjects:
            if subject.id == id:
                return subject
        raise InputError("subject", f"be one of the suite {self.name}", id)


def _draw_1() -> tuple[Subject, ...]:
    """Seven canonical subjects by name, so that one added later does not slip in, and 40 held-out ones.

    55 is the first seed whose 40 have every kind at least twice, and of the two or three of a category no one rare.
    """
    names = ("mario", "rainbow", "sun", "saturn", "maze", "mona_lisa", "hope")
    return (*(canonical()[name] for name in names), *(heldout.subject(55, number) for number in range(40)))


SUITES: dict[str, Callable[[], tuple[Subject, ...]]] = {"draw-1": _draw_1}


@cache
def suite(name: str = DEFAULT) -> Suite:
    """A suite by its name.

    >>> len(suite())
    47
    """
    if name not in SUITES:
        raise InputError("suite", f"be one of {', '.join(SUITES)}", name)
    return Suite(name, SUITES[name]())
