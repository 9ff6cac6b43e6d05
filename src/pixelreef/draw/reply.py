"""Reading a reply: what a model returned → a strict drawing, a repaired one, and the reasons why not.

A reply is untrusted text. It is cut at 256 KB, its nesting is bounded, and no reading takes more than a bounded time
and memory. A reply that can't be read is a result like any other: this never raises for what a reply holds.

    read(text)  →  Reading(strict, repaired, failures, repairs, …)

Scores are no part of it: they take drawings.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from typing import Any

from pixelreef.core.palette import Palette
from pixelreef.core.strict_json import MAX_DEPTH, depth
from pixelreef.draw.drawing import Drawing
from pixelreef.draw.encoding import Encoding
from pixelreef.draw.encodings import encoding as encoding_named
from pixelreef.draw.failures import FAILURES, Failure, in_order
from pixelreef.draw.keys import fields_repaired
from pixelreef.draw.locate import Found, locate, parsed
from pixelreef.draw.published import PublishedGrid, published_from_drawing, published_from_value
from pixelreef.draw.repairs import Log, Repair

MAX_CHARACTERS = 256 * 1024
LONG = 16 * 1024
"""Characters past which a reply that is mostly repetition is a runaway: twice the longest indented drawing."""
REPETITION = 20
"""Prose and pictures shrink 2 to 10 times under deflate; one line over and over, a hundred times and more."""

_DEPTH_READ = 16 * 1024


@dataclass(frozen=True)
class Reading:
    """What a reply holds."""

    encoding: str
    """The encoding it was read as."""
    strict: Drawing | None = None
    """The drawing, where the reply follows the contract to the letter."""
    repaired: Drawing | None = None
    """The drawing with repairs; the strict one where there is one; None where too little of it is the model's."""
    failures: tuple[str, ...] = ()
    """Why it is not strict: codes of `FAILURES`, the primary first. Empty where it is strict."""
    reason: str = ""
    """The primary failure, about this reply."""
    repairs: tuple[Repair, ...] = ()
    """What was done to get the repaired drawing."""
    cells_changed: int = 0
    """Cells of the repaired drawing's 576 that repairs invented or altered."""
    cells_dropped: int = 0
    """Cells of the reply for which the repaired drawing has no place."""
    json_valid: bool = False
    """Whether the reply parses as JSON as it stands, by the standard parser: the published `json_validity`."""
    published: PublishedGrid | None = None
    """The integers as they stand, for the published formulas; None where there are none."""

    @property
    def refusal(self) -> bool:
        """Whether the reply declines in words."""
        return "refusal" in self.failures


def read(text: str, encoding: str = "rows", palette: Palette | None = None) -> Reading:
    """Read one reply. The palette is the one given in the prompt, for encodings that have it there.

    >>> row = "0" * 23 + "2"
    >>> text = '```json\\n{"palette": ["#000", "ff0000"], "grid": [' + ", ".join([f'"{row}"'] * 24) + "]}\\n```"
    >>> reading = read(text)
    >>> reading.strict, reading.failures
    (None, ('fenced', 'bad colour', 'index outside the palette'))
    >>> [(repair.name, repair.count) for repair in reading.repairs]
    [('fence stripped', 1), ('colour with #', 1), ('colour of 3 digits', 1), ('index clamped', 24)]
    >>> reading.cells_changed, reading.repaired.palette.hex()
    (24, ['000000', 'ff0000'])
    """
    contract = encoding_named(encoding)
    given = contract.check_palette(palette)
    if len(text) > MAX_CHARACTERS:
        cut = read(text[:MAX_CHARACTERS], encoding, palette)
        return _cut_short(cut, len(text))
    if not text or text.isspace():
        return Reading(contract.name, failures=("empty",), reason=FAILURES["empty"])
    try:
        value, duplicates = parsed(text)
    except (ValueError, RecursionError) as error:
        return _read_broken(text, error, contract, given)
    found = Found(Log(), value=value, duplicates=duplicates, whole=True)
    reading = _read_value(text, found, contract, given)
    published = published_from_value(value, given)
    if published is None and reading.strict is not None:
        published = published_from_drawing(reading.strict)
    return replace(reading, json_valid=True, published=published)


def _read_broken(text: str, error: Exception, contract: Encoding, given: Palette | None) -> Reading:
    """A reply that does not parse as it stands, for that error."""
    if _text_depth(text) > MAX_DEPTH:
        return _failed(text, {"too deep": FAILURES["too deep"]}, contract)
    found = locate(text, error, lambda value: fields_repaired(value, contract.keys, Log()) is not None)
    return _read_value(text, found, contract, given)


def _read_value(text: str, found: Found, contract: Encoding, given: Palette | None) -> Reading:
    """A value that was found, and what stood in the way of it."""
    if found.whole and _many_brackets(text) and _value_depth(found.value) > MAX_DEPTH:
        return _failed(text, {"too deep": FAILURES["too deep"]}, contract)
    messages = {code: FAILURES[code] for code in found.codes}
    if found.duplicates:
        messages["duplicate keys"] = FAILURES["duplicate keys"]
    if found.whole:
        try:
            drawing = contract.strict(found.value, given)
        except Failure as failure:
            messages |= failure.messages
        else:
            if not messages:
                return Reading(contract.name, strict=drawing, repaired=drawing)
    reading = _failed(text, messages, contract)
    found.log.note("duplicate key dropped", found.duplicates)
    repaired = contract.repair(found.value, given, found.log)
    if repaired is None:
        return reading
    log = found.log
    return replace(
        reading,
        repaired=repaired,
        repairs=log.repairs(),
        cells_changed=log.cells_changed,
        cells_dropped=log.cells_dropped,
    )


def _failed(text: str, messages: dict[str, str], contract: Encoding) -> Reading:
    if len(text) > LONG and _repeats(text):
        messages = {**messages, "runaway": FAILURES["runaway"]}
    codes = in_order(messages)
    return Reading(contract.name, failures=codes, reason=_sentence(messages[codes[0]]))


def _cut_short(reading: Reading, length: int) -> Reading:
    """The reading of the first 256 KB, as that of the whole: a runaway, never strict."""
    repairs = reading.repairs if reading.repaired is None else (Repair("reply cut", 1), *reading.repairs)
    failures = in_order(["runaway", *reading.failures])
    told = f"The reply has {length:,} characters; at most {MAX_CHARACTERS:,} are read."
    return replace(
        reading,
        strict=None,
        failures=failures,
        reason=told if failures[0] == "runaway" else reading.reason,
        repairs=repairs,
        json_valid=False,
        published=None,
    )


def _sentence(message: str) -> str:
    return message[0].upper() + message[1:].removesuffix(".") + "."


def _repeats(text: str) -> bool:
    data = text.encode("utf-8", "surrogatepass")
    return len(zlib.compress(data, 1)) * REPETITION < len(data)


def _value_depth(value: Any) -> int:
    """How deep a value nests, up to one past the limit; level by level, without recursion."""
    level = [value]
    for reached in range(MAX_DEPTH + 2):
        level = [one for one in level if isinstance(one, dict | list)]
        if not level:
            return reached
        level = [inner for one in level for inner in (one.values() if isinstance(one, dict) else one)]
    return MAX_DEPTH + 1


def _text_depth(text: str) -> int:
    """How deep the brackets of a text nest; few brackets are no depth."""
    return depth(text[:_DEPTH_READ]) if _many_brackets(text) else 0


def _many_brackets(text: str) -> bool:
    return text.count("[") + text.count("{") > MAX_DEPTH
