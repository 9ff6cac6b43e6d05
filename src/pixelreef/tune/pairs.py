"""A pair: what a model is asked, and what a perfect one answers, in one encoding of `draw`.

The prompt is the one that `draw run` asks with, word for word; the answer is the encoding's own text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pixelreef.draw.encodings import encoding as encoding_named
from pixelreef.draw.prompts import prompt_from_text
from pixelreef.errors import InputError
from pixelreef.tune.sources import Example

VERSION = 1


@dataclass(frozen=True)
class Pair:
    """One lesson."""

    subject: str
    split: str
    """`train`, or `held` for the pairs that a run only looks at."""
    encoding: str
    prompt: str
    answer: str
    origin: str = ""
    licence: str = ""

    @property
    def hash(self) -> str:
        """32 hex digits over all that is taught."""
        text = json.dumps([self.subject, self.split, self.encoding, self.prompt, self.answer])
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def pairs_from_example(example: Example, split: str, encodings: Sequence[str]) -> Iterator[Pair]:
    """The example in each encoding that can hold it."""
    for name in encodings:
        contract = encoding_named(name)
        try:
            answer = contract.encode(example.drawing)
        except InputError:
            continue
        given = example.drawing.palette if contract.palette_given else None
        asked = prompt_from_text(example.subject, contract, given)
        yield Pair(example.subject, split, name, asked, answer, example.origin, example.licence)
