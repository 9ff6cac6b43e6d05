"""What all routes share: a model ready to draw, and the queue in front of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from pixelreef.core.document import ALPHABET
from pixelreef.errors import InputError
from pixelreef.sprites.sample import GOOD, MAX_CELLS, Sampler
from pixelreef.sprites.serve.limits import Refused
from pixelreef.sprites.serve.queue import Queue


@dataclass(frozen=True, eq=False)
class Service:
    """A model that is served. Its sampler has one thread: the queue's lanes are the others."""

    sampler: Sampler
    queue: Queue

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """In which forms sprites are handed out, the usual one first."""
        return ("png", "json") if len(self.sampler.weights.palette) <= len(ALPHABET) else ("png",)

    @cached_property
    def cells(self) -> list[str]:
        """The cells, at most as many as can be listed."""
        return list(islice(self.sampler.cells(), MAX_CELLS))

    def factors(self, cell: str) -> dict[str, str]:
        """Of a cell by its name; 404 where there is none of that name."""
        try:
            return self.sampler.factors_from(cell)
        except InputError as error:
            raise Refused(404, str(error).removeprefix("--")) from None

    def verdict(self, cell: str) -> dict[str, Any]:
        """What taste says of a cell, and whether that is learned; None where it was not asked."""
        verdicts = self.sampler.weights.facts.get("verdicts")
        word = verdicts.get(cell) if isinstance(verdicts, dict) else None
        return (
            {"verdict": str(word), "learned": word in GOOD} if word is not None else {"verdict": None, "learned": None}
        )
