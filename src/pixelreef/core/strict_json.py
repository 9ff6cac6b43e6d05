"""JSON from strangers: bounded in size and depth, with no duplicate keys, NaN or huge numbers.

The standard parser recurses on nesting, keeps the last of two equal keys and accepts NaN. Documents we read must mean
one thing only, so each of these is one clear error. What may be repaired in a model's reply is the business of the
room that reads replies.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from pixelreef.errors import DocumentError, shown

MAX_BYTES = 16 * 2**20
MAX_DEPTH = 32
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)


def json_from_bytes(data: bytes, what: str = "document") -> Any:
    """Parse UTF-8 (with or without a byte order mark) into plain Python values.

    >>> json_from_bytes(b'{"a": [1, 2]}')
    {'a': [1, 2]}
    """
    if len(data) > MAX_BYTES:
        raise DocumentError(what, f"be at most {MAX_BYTES:,} bytes of JSON", f"{len(data):,}", verbatim=True)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentError(what, "be UTF-8 text", f"a stray byte at {error.start}", verbatim=True) from None
    return json_from_text(text, what)


def json_from_text(text: str, what: str = "document") -> Any:
    """Parse text, strictly."""
    if depth(text) > MAX_DEPTH:
        raise DocumentError(what, f"be nested at most {MAX_DEPTH} deep", "deeper", verbatim=True)

    def reject_constant(name: str) -> NoReturn:
        raise DocumentError(what, "hold finite numbers only", name, verbatim=True)

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            seen: set[str] = set()
            twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
            raise DocumentError(what, "name each key once", twice)
        return made

    def finite(digits: str) -> float:
        number = float(digits)  # 1e999 overflows to infinity
        return number if math.isfinite(number) else reject_constant(shown(digits))

    try:
        return json.loads(text, parse_constant=reject_constant, parse_float=finite, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        place = f"{error.msg.lower()} at line {error.lineno}, column {error.colno}"
        raise DocumentError(what, "be JSON", place, verbatim=True) from None
    except ValueError:  # Python refuses to convert digits beyond a limit
        raise DocumentError(what, "hold numbers of ordinary length", "thousands of digits", verbatim=True) from None


def depth(text: str) -> int:
    """How deep brackets nest outside strings, found without recursion; stops counting past the limit.

    >>> depth('[["]]]]"]]')
    2
    """
    deepest = level = 0
    for match in _STRING_OR_BRACKET.finditer(text):
        token = match.group()
        if token in "[{":
            level += 1
            deepest = max(deepest, level)
            if deepest > MAX_DEPTH:
                break
        elif token in "]}":
            level -= 1
    return deepest
