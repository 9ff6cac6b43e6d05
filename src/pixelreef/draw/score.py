"""Scoring: replies in, scored attempts out.

Each reply is read strictly and with repairs, its drawing is measured by both profiles, and its subject is checked.
Nothing is averaged here: an `Attempt` is one row, and boards are made of many.

A reply that is bad is data: it has a reading that says why, and scores 0 wherever quality is claimed. A reply that
never came (the run stopped before it was asked for) is missing, and is counted as such.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pixelreef.core.palette import Palette
from pixelreef.draw.drawing import Drawing, batch_from_drawings
from pixelreef.draw.find import find_subject
from pixelreef.draw.reply import Reading, read
from pixelreef.draw.subject import Check, Subject
from pixelreef.errors import InputError
from pixelreef.metrics.profile import composites, score
from pixelreef.metrics.published import published_grids
from pixelreef.runs.replies import Reply

_NOT_READ = Reading("rows", failures=("empty",), reason="No reply came.")
_AT_ONCE = 2048  # drawings measured together


@dataclass(frozen=True, eq=False)
class Attempt:
    """One attempt of one entrant at one subject, read and scored."""

    reply: Reply
    entrant: str
    """The reply's own, with what sets its settings apart: `smollm2 · constrained`."""
    subject: Subject | None
    """None where the item is no subject that we know: nothing is checked then."""
    reading: Reading
    check: Check | None
    """Of the strict drawing; None where there is no strict drawing or no check."""
    check_repaired: Check | None
    strict: Mapping[str, float]
    """The `pixelreef` measures of the strict drawing; empty where there is none."""
    repaired: Mapping[str, float]
    published: Mapping[str, float]
    """The published figures; NaN where a formula has nothing to say."""

    @property
    def asked(self) -> bool:
        """Whether the entrant was asked at all; if not, everything about this attempt is missing."""
        return self.reply.failure != "not-asked"

    @property
    def valid(self) -> float | None:
        """1 where the reply is strictly valid, 0 where not, None where it is missing."""
        return float(self.reading.strict is not None) if self.asked else None

    @property
    def readable(self) -> float | None:
        """1 where a drawing could be had, repairs allowed."""
        return float(self.reading.repaired is not None) if self.asked else None

    @property
    def usable(self) -> float | None:
        """The headline: 1 where the reply is strictly valid and passes its subject's check; None without a check."""
        if not self.asked or self.subject is None or self.subject.check is None:
            return None
        return float(self.check is not None and self.check.passed)

    @property
    def json_validity(self) -> float | None:
        """1 where the reply is correct JSON and holds the colours that its grid needs."""
        if not self.asked:
            return None
        colours = {"palette too small", "palette too large", "bad colour", "missing key", "index outside the palette"}
        return float(self.reading.json_valid and not colours & set(self.reading.failures))

    def measure(self, name: str, *, repairs: bool = False) -> float | None:
        """A measure of the drawing. What claims quality is 0 where there is no drawing; anything else is missing."""
        if not self.asked:
            return None
        found = (self.repaired if repairs else self.strict).get(name)
        return 0.0 if found is None and name in composites() else found


def score_replies(
    replies: Iterable[Reply],
    subjects: Mapping[str, Subject] | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Attempt]:
    """Read, measure and check every reply. `subjects` adds to those that an item's id alone leads to."""
    given = list(replies)
    attempts: list[Attempt] = []
    for start in range(0, len(given), _AT_ONCE):
        attempts += _scored(given[start : start + _AT_ONCE], subjects or {})
        if progress:
            progress(len(attempts))
    return attempts


def entrant_name(reply: Reply) -> str:
    """The entrant with the settings that make it another one: encoding, where not `rows`, and constrained decoding.

    >>> entrant_name(Reply("smollm2", "sun", "", metadata={"decoding": "constrained"}))
    'smollm2 · constrained'
    """
    encoding, decoding = str(reply.metadata.get("encoding", "rows")), str(reply.metadata.get("decoding", "free"))
    parts = [reply.entrant, *([encoding] if encoding != "rows" else []), *([decoding] if decoding != "free" else [])]
    return " · ".join(part[:200] for part in parts)


def _scored(replies: Sequence[Reply], subjects: Mapping[str, Subject]) -> list[Attempt]:
    readings = [_reading(reply) for reply in replies]
    strict = _measured([reading.strict for reading in readings])
    repaired = [
        at_once if reading.repaired is reading.strict else {} for reading, at_once in zip(readings, strict, strict=True)
    ]
    for index, measures in enumerate(_measured([_only_repaired(reading) for reading in readings])):
        repaired[index] = measures or repaired[index]
    published = _published(readings, [reply.cost for reply in replies])
    return [
        _attempt(reply, readings[i], subjects, strict[i], repaired[i], published[i]) for i, reply in enumerate(replies)
    ]


def _attempt(
    reply: Reply,
    reading: Reading,
    subjects: Mapping[str, Subject],
    strict: Mapping[str, float],
    repaired: Mapping[str, float],
    published: Mapping[str, float],
) -> Attempt:
    subject = subjects.get(reply.item) or find_subject(reply.item)
    check = _checked(subject, reading.strict)
    again = check if reading.repaired is reading.strict else _checked(subject, reading.repaired)
    return Attempt(reply, entrant_name(reply), subject, reading, check, again, strict, repaired, published)


def _reading(reply: Reply) -> Reading:
    if reply.failure is not None:
        return _NOT_READ
    try:
        return read(reply.text, str(reply.metadata.get("encoding", "rows")), _palette(reply.metadata.get("palette")))
    except InputError as error:  # an encoding or palette in the record that we do not know
        return Reading("rows", failures=("not JSON",), reason=str(error))


def _palette(colours: Any) -> Palette | None:
    if not isinstance(colours, list | tuple) or not all(isinstance(colour, str) for colour in colours):
        return None
    return Palette.from_hex(colours)


def _only_repaired(reading: Reading) -> Drawing | None:
    return None if reading.repaired is reading.strict else reading.repaired


def _checked(subject: Subject | None, drawing: Drawing | None) -> Check | None:
    if subject is None or subject.check is None or drawing is None:
        return None
    return subject.check(drawing)


def _measured(drawings: Sequence[Drawing | None]) -> list[Mapping[str, float]]:
    """The whole profile of each drawing, all at once; an empty mapping where there is none."""
    there = [index for index, drawing in enumerate(drawings) if drawing is not None]
    batch = batch_from_drawings([drawing for drawing in drawings if drawing is not None])
    columns = score(batch.cells, batch.rgb, batch.colours) if there else {}
    found: list[Mapping[str, float]] = [{} for _ in drawings]
    for place, index in enumerate(there):
        found[index] = {name: float(values[place]) for name, values in columns.items()}
    return found


def _published(readings: Sequence[Reading], costs: Sequence[float | None]) -> list[Mapping[str, float]]:
    grids = [reading.published.rows if reading.published else () for reading in readings]
    colours = [len(reading.published.palette) if reading.published else 0 for reading in readings]
    columns = published_grids(grids, colours, [reading.json_valid for reading in readings], costs)
    return [{name: float(values[i]) for name, values in columns.items()} for i in range(len(readings))]
