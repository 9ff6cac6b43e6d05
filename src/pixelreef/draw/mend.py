"""Broken JSON made whole: a trailing comma, single quotes, and for the rest the `json-repair` package under guard.

That package tries many readings of a text: its time grows with the square of the open brackets and quotes (8,000
characters of `["` take it three seconds). So a text is cut before it gets it, at limits that no drawing comes near,
and what it can't do is given up.
"""

from __future__ import annotations

import json
import re
from typing import Any

from pixelreef.core.strict_json import MAX_DEPTH, depth
from pixelreef.draw.repairs import Log

MAX_CHARACTERS = 3_000  # noise as `runs` has 2,500, `ints` 1,900, `rows` 850
# Per text: a drawing has 1 brace, `ints` 26 square brackets, 64 shapes 152 quotes.
_LIMITS = {"{": 4, "[": 32, "(": 4, '"': 160, "'": 160, "“": 64, "`": 16, "\\": 64, "/": 64, "#": 64, ":": 64}
_LIMITED = re.compile("[" + re.escape("".join(_LIMITS)) + "]")
_SPACES = re.compile(r"\s+")
_TRAILING = re.compile(r'("(?:[^"\\]|\\.)*+")|,(?=\s*[\]}])', re.DOTALL)


def mended(text: str, log: Log) -> Any:
    """The first value of a text that should be JSON, every repair logged; None where nothing came of it.

    >>> log = Log()
    >>> mended("{'a': ['01',],", log), [repair.name for repair in log.repairs()]
    ({'a': ['01']}, ['single quotes', 'JSON mended'])
    """
    text = _cut(_SPACES.sub(" ", text[: 8 * MAX_CHARACTERS]))
    if depth(text) > MAX_DEPTH:
        return None
    quoted = '"' not in text and "'" in text
    if quoted:
        text = text.replace("'", '"')
        log.note("single quotes")
    shorter = _TRAILING.sub(lambda found: found.group(1) or "", text)
    for one in (text, shorter):
        try:
            value, end = json.JSONDecoder().raw_decode(one)
        except (ValueError, RecursionError):
            continue
        log.note("trailing comma", len(text) - len(one))
        log.note("JSON mended", int(one == text and not quoted))  # odd spaces did it
        log.note("prose removed", int(bool(one[end:].strip())))
        return value
    log.note("JSON mended")
    return _repaired(text)


def _cut(text: str) -> str:
    """The text up to the first limit that it breaks."""
    text = text[:MAX_CHARACTERS]
    left = dict(_LIMITS)
    for found in _LIMITED.finditer(text):
        left[found.group()] -= 1
        if left[found.group()] < 0:
            return text[: found.start()]
    return text


def _repaired(text: str) -> Any:
    import json_repair  # lazy: most replies never need it

    try:
        return json_repair.loads(text, skip_json_loads=True)
    except Exception:  # whatever a parser of strangers' text runs into, the reply is past mending
        return None
