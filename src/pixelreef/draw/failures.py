"""Why a reply is not what was asked for: one table of codes, in the order in which the first one counts.

A reply often breaks the contract in several ways. All of them are kept; the one that stands highest in this table is
the primary one, by which replies are counted. The order is that of a reader who stops at the first thing wrong:
is there anything, is it JSON, is it JSON alone, has it the right keys, then the palette, then the cells.

Which repair answers which failure is the business of `repairs`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

FAILURES: dict[str, str] = {
    "empty": "There is nothing but whitespace.",
    "runaway": "It is longer than 256 KB, or longer than 16 KB and little but one thing repeated.",
    "refusal": "It holds no JSON, and its words decline the task.",
    "too deep": "Its brackets nest more than 32 deep.",
    "truncated": "Its JSON is right as far as it goes, and ends before it is closed.",
    "not JSON": "Its JSON is broken, or there is none.",
    "fenced": "The JSON stands in a Markdown code fence.",
    "prose around": "Something other than whitespace stands before or after the JSON.",
    "duplicate keys": "An object names one key twice.",
    "missing key": "A key that the contract asks for is not there.",
    "extra key": "There is a key that the contract does not know.",
    "wrong type": "A value is of another kind than the contract says, such as a number for a string.",
    "palette too small": "The palette has fewer than 2 colours.",
    "palette too large": "The palette has more than 10 colours.",
    "bad colour": "A colour is not exactly six hex digits.",
    "bad command": "A shape command is unknown, malformed, out of bounds, out of place or one too many.",
    "wrong row count": "There are not exactly 24 rows.",
    "wrong row length": "A row does not have exactly 24 cells.",
    "bad digit": "A row holds something that is not written as the contract writes a cell.",
    "index outside the palette": "A cell's index is not below the number of colours.",
}
"""Code → a sentence for people, the primary ones first."""

_RANK = {code: rank for rank, code in enumerate(FAILURES)}


class Failure(Exception):
    """What a strict reading found wrong: every code, the primary first, and a message about that one.

    No part of the tree in `errors`: a bad reply is data, and whoever reads it strictly expects this.
    """

    def __init__(self, messages: dict[str, str]) -> None:
        self.messages = messages
        self.codes = in_order(messages)
        super().__init__(messages[self.codes[0]])


class Faults:
    """Collects what is wrong while a reply is read, so that one reading names every fault.

    >>> faults = Faults()
    >>> faults.add("bad digit", "row 3 holds 'x'")
    >>> faults.add("missing key", "there is no 'palette'")
    >>> try:
    ...     faults.check()
    ... except Failure as failure:
    ...     print(failure.codes, failure)
    ('missing key', 'bad digit') there is no 'palette'
    """

    def __init__(self) -> None:
        self.messages: dict[str, str] = {}

    def add(self, code: str, message: str) -> None:
        """Note a fault; of several with one code the first message is kept."""
        self.messages.setdefault(code, message)

    def fail(self, code: str, message: str) -> NoReturn:
        """Note a fault after which there is nothing more to read."""
        self.add(code, message)
        raise Failure(self.messages)

    def check(self) -> None:
        """Raise a `Failure` if anything was noted."""
        if self.messages:
            raise Failure(self.messages)


def in_order(codes: Iterable[str]) -> tuple[str, ...]:
    """Codes, each once, the primary first.

    >>> in_order(["bad digit", "fenced", "bad digit"])
    ('fenced', 'bad digit')
    """
    return tuple(sorted(set(codes), key=_RANK.__getitem__))
