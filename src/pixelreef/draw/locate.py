"""Where the JSON is in a reply that is not JSON alone: behind thinking, in a fence, among prose, or broken.

All of it is linear in the length of the reply. Whether what is found follows the contract is for `reply` to ask.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from pixelreef.draw.keys import ALIASES
from pixelreef.draw.mend import mended
from pixelreef.draw.repairs import Log

REFUSALS = (
    "i can't",
    "i cannot",
    "i can not",
    "i won't",
    "i will not",
    "i'm unable",
    "i am unable",
    "i'm not able",
    "i am not able",
    "i'm sorry",
    "i am sorry",
    "i apologize",
    "i apologise",
    "as an ai",
    "as a language model",
    "unable to assist",
    "unable to help",
)
"""Words that decline, in lower case; a reply with JSON in it is never a refusal, whatever it says."""

_WORDS_READ = 2_000  # characters in which a refusal is looked for
_ATTEMPTS = 200  # places where an object may begin
_THOUGHT = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_TAG = re.compile(r"\A[ \t]*[A-Za-z0-9_+-]{0,20}[ \t]*(?=[\r\n{\[])")
_KEYS = {name for names in ALIASES.values() for name in names}
_OBJECT = re.compile(r"\{\s{0,40}[\"'“]?\s{0,4}([A-Za-z_]{4,14})")
_OPENING = re.compile(r"\{|\[\s{0,40}[\[\"'0-9]")
_SPACE = " \t\n\r"  # what JSON takes for whitespace
_LITERALS = ("true", "false", "null", "-")


@dataclass
class Found:
    """What was located: a value, the failures that its surroundings are, and the repairs that got at it."""

    log: Log
    codes: set[str] = field(default_factory=set)
    value: Any = None
    duplicates: int = 0
    whole: bool = False
    """Whether the value stands in the reply as JSON, and was not mended."""
    errors: dict[int, Exception] = field(default_factory=dict)
    """Place → why no object that begins there parses; a long reply is not parsed more often than needed."""


class _Span(NamedTuple):
    start: int
    end: int
    value: Any
    duplicates: int


def parsed(text: str) -> tuple[Any, int]:
    """JSON as the standard parser takes it, and how many keys stood twice; ValueError or RecursionError else."""
    return _counted(lambda decoder: decoder.decode(text))


def locate(text: str, error: Exception, is_likely: Callable[[Any], bool]) -> Found:
    """Find the JSON in a reply that does not parse as it stands, for that error; `is_likely` knows a drawing."""
    found = Found(Log())
    body = _without_fence(_without_thinking(text, found), found)
    alone = body != text and _alone(body, found)
    if body == text and getattr(error, "msg", "") != "Extra data":
        found.errors[len(text) - len(text.lstrip(_SPACE))] = error
    if not alone and not _among_prose(body, found, is_likely):
        _broken(body, found)
    return found


def _without_thinking(text: str, found: Found) -> str:
    ends = [match.end() for match in _THOUGHT.finditer(text)]
    if not ends:
        return text
    found.codes.add("prose around")
    found.log.note("thinking dropped")
    return text[ends[-1] :]


def _without_fence(text: str, found: Found) -> str:
    """The last fenced block in which JSON may begin; the fence need not be closed."""
    parts = text.split("```")
    blocks = [place for place in range(1, len(parts), 2) if _OPENING.search(parts[place])]
    if not blocks:
        return text
    found.codes.add("fenced")
    found.log.note("fence stripped")
    if any(part.strip() for place, part in enumerate(parts) if place != blocks[-1]):
        found.codes.add("prose around")
        found.log.note("prose removed")
    return _TAG.sub("", parts[blocks[-1]])


def _alone(text: str, found: Found) -> bool:
    try:
        found.value, found.duplicates = parsed(text)
    except (ValueError, RecursionError):
        return False
    found.whole = True
    return True


def _among_prose(text: str, found: Found, is_likely: Callable[[Any], bool]) -> bool:
    """The last object that is likely a drawing; else the longest, unless a broken one stands before them all."""
    spans = _spans(text, found.errors)
    likely = [span for span in spans if is_likely(span.value)]
    likeliest = _likely_start(text)
    broken = likeliest is not None and all(likeliest != span.start for span in spans)
    if not spans or (broken and not likely):
        return False
    chosen = likely[-1] if likely else max(spans, key=lambda span: span.end - span.start)
    found.value, found.duplicates = chosen.value, chosen.duplicates
    found.codes.add("prose around")
    found.log.note("prose removed")
    found.whole = True
    return True


def _spans(text: str, errors: dict[int, Exception]) -> list[_Span]:
    """The objects that parse, outermost only; lists, where there is no brace at all. Why others do not is kept.

    Where one fails, the next brace is tried. What failed attempts may read is bounded by the length of the text, so
    that nesting costs no more than twice a plain parse.
    """
    opener = "{" if "{" in text else "["
    spans: list[_Span] = []
    start, spare = text.find(opener), len(text)
    for _ in range(_ATTEMPTS):
        if start < 0 or spare < 0:
            break
        try:
            if start in errors:
                raise errors[start]
            (value, end), duplicates = _counted(partial(_decoded_at, text, start))
        except RecursionError as error:
            errors[start] = error
            break
        except ValueError as error:
            errors[start] = error
            spare -= getattr(error, "pos", len(text)) - start
            start = text.find(opener, start + 1)
        else:
            spans.append(_Span(start, end, value, duplicates))
            start = text.find(opener, end)
    return spans


def _broken(text: str, found: Found) -> None:
    start = _likely_start(text)
    opening = _OPENING.search(text)
    if opening is None:
        words = text[:_WORDS_READ].lower().replace("’", "'")
        found.codes.add("refusal" if any(phrase in words for phrase in REFUSALS) else "not JSON")
        return
    start = opening.start() if start is None else start
    if text[:start].strip():
        found.codes.add("prose around")
        found.log.note("prose removed")
    fragment = text[start:].rstrip()
    error = found.errors.get(start) or _error(text, start)
    found.codes.add("truncated" if _ends_early(text.rstrip(), error) else "not JSON")
    found.value = mended(fragment, found.log)


def _likely_start(text: str) -> int | None:
    """Where an object begins whose first key is one that drawings have."""
    openings = islice(_OBJECT.finditer(text), 10 * _ATTEMPTS)
    return next((found.start() for found in openings if found.group(1).lower() in _KEYS), None)


def _error(text: str, start: int) -> Exception | None:
    """Why no value that begins here parses; None where one does."""
    try:
        json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError) as error:
        return error
    return None


def _ends_early(text: str, error: Exception | None) -> bool:
    """Whether the only thing wrong with a text is that it stops.

    >>> [_ends_early(text, _error(text, 0)) for text in ('{"grid": ["012', '{"grid": ["012" "012"')]
    [True, False]
    """
    if not isinstance(error, json.JSONDecodeError):  # too deep, a number of thousands of digits, or nothing
        return False
    rest = text[error.pos :]
    cut_word = error.msg == "Expecting value" and any(word.startswith(rest) for word in _LITERALS)
    return not rest or cut_word or error.msg.startswith("Unterminated string")


def _decoded_at(text: str, start: int, decoder: json.JSONDecoder) -> tuple[Any, int]:
    return decoder.raw_decode(text, start)


def _counted(decode: Callable[[json.JSONDecoder], Any]) -> tuple[Any, int]:
    """What a decoder makes, and how many keys stood twice in it."""
    duplicates = 0

    def made(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal duplicates
        whole = dict(pairs)
        duplicates += len(pairs) - len(whole)
        return whole

    return decode(json.JSONDecoder(object_pairs_hook=made)), duplicates
