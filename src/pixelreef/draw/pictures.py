"""The report's pictures: the gallery of attempts with the reply behind each, the best ones, and a strip of baselines.

A page holds a bounded number of them, by a rule that it states: at most 6 attempts of one entrant at one subject and
600 in all, shared evenly. What gave no picture has a crossed-out tile, so that failures are seen among the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

import numpy as np

from pixelreef.core.grid import Grid
from pixelreef.core.palette import Palette
from pixelreef.core.render import png_from_grid
from pixelreef.draw.analysis import Analysis, outcome, primary_failure
from pixelreef.draw.baselines import REFERENCE, entrants
from pixelreef.draw.controls import control_of, is_baseline
from pixelreef.draw.drawing import SIDE, Drawing
from pixelreef.draw.score import Attempt
from pixelreef.draw.subjects import canonical
from pixelreef.report import Gallery, Picture

PER_SUBJECT = 6
IN_ALL = 600
SHOWN_REPLY = 2500
"""Characters of a reply that the page holds; a drawing as rows has about 800."""
_NAME = 60
_TITLE = 36  # of a held-out subject, whose text is a sentence; the closer look has all of it


def gallery(found: Analysis, most: int = IN_ALL, rest: str = "attempts.csv and replies.jsonl") -> tuple[Gallery, str]:
    """The attempts of all entrants, subject by subject, the reference first; and what was left out, in words.

    `rest` says where those that are left out can be seen.
    """
    asked = [attempt for attempt in found.given if attempt.asked]
    chosen = choose(found, most)
    seen = {one.reply.item for one in chosen}
    references = [one for one in found.control(REFERENCE) if one.reply.item in seen and one.reply.attempt == 1]
    pictures = [picture(one, REFERENCE if is_baseline(one) else None) for one in _by_subject([*references, *chosen])]
    said = (
        f"All {len(asked):,} attempts are shown."
        if len(chosen) == len(asked)
        else f"{len(chosen):,} of {len(asked):,} attempts are shown: at most {PER_SUBJECT} of one entrant at one "
        f"subject and {most:,} in all, shared evenly; {len(asked) - len(chosen):,} are left out here and stand in "
        f"{rest}."
    )
    return Gallery(pictures, tile=96, label="Attempts by entrant and subject"), said


def choose(found: Analysis, most: int) -> list[Attempt]:
    """At most `most` attempts: of each entrant first the first at every subject, then the second, and so on."""
    share = max(1, most // max(len(found.entrants), 1))
    chosen = [list(_in_turn(mine))[:share] for mine in found.entrants.values()]
    order = {id(attempt): place for place, attempt in enumerate(found.given)}
    return sorted((one for mine in chosen[:most] for one in mine), key=lambda one: order[id(one)])


def best(found: Analysis, count: int = 8) -> Gallery | None:
    """Usable pictures with the highest craft, no subject twice; references where no entrant has one."""
    usable = sorted(
        (one for one in found.given if one.usable), key=lambda one: (-(one.measure("craft") or 0.0), one.entrant)
    )
    chosen = list({one.reply.item: one for one in reversed(usable)}.values())[::-1][:count]
    if not chosen:
        shown = {one.reply.item: one for one in reversed(found.control(REFERENCE))}
        chosen = list(shown.values())[::-1][:count]
    if not chosen:
        return None
    return Gallery([picture(one, tagged=False) for one in chosen], tile=120, label="The best pictures")


def strip(found: Analysis) -> Gallery | None:
    """Every baseline once, at one subject, from the floor to the ceiling."""
    controls = {name: found.control(name) for name in entrants()}
    items = [one.reply.item for one in controls[REFERENCE]]
    if not items:
        return None
    subject = next((name for name in ("saturn", "sun", "mario") if name in items), items[0])
    firsts = [next((one for one in mine if one.reply.item == subject), None) for mine in controls.values()]
    pictures = [
        Picture(_png(one.reading.repaired), SIDE, SIDE, control_of(one), verdict(one), detail=detail(one))
        for one in firsts
        if one is not None and one.reading.repaired is not None
    ]
    return Gallery(pictures, tile=72, label="Every baseline at one subject")


def picture(attempt: Attempt, entrant: str | None = None, *, tagged: bool = True) -> Picture:
    """An attempt's picture, strict or repaired, with what is known of it and the reply behind it."""
    name = _short(entrant or attempt.entrant)
    what = outcome(attempt)
    drawing = attempt.reading.repaired
    png = _NOTHING if drawing is None else _png(drawing)
    tags = (f"entrant:{name}", f"subject:{subject_group(attempt)}", f"reading:{what}") if tagged else ()
    return Picture(png, SIDE, SIDE, _subject(attempt), f"{name}, {verdict(attempt)}", tags, detail(attempt))


def subject_group(attempt: Attempt) -> str:
    """A canonical subject's id, `held-out` or `other`: what the gallery filters by."""
    if attempt.reply.item in canonical():
        return attempt.reply.item
    return "held-out" if attempt.subject is not None else "other"


def verdict(attempt: Attempt) -> str:
    """In few words: `usable`, `strict, check failed`, `repaired (fenced)`, `failed (refusal)`."""
    what = outcome(attempt)
    if what == "strict":
        if attempt.usable is None:
            return "strict, no check"
        return "usable" if attempt.usable else "strict, check failed"
    return f"{what} ({primary_failure(attempt)})"


def detail(attempt: Attempt) -> str:
    """What is known of an attempt, and the reply behind it."""
    reading = attempt.reading
    lines = [f"{attempt.entrant[:200]}: {attempt.reply.item[:200]}, attempt {attempt.reply.attempt}"]
    if attempt.subject is not None:
        lines.append(f"asked for: {attempt.subject.text}")
    if reading.failures:
        lines.append(f"not strict: {', '.join(reading.failures)}. {reading.reason}")
    if attempt.reply.error:
        lines.append(f"error: {attempt.reply.error[:300]}")
    if reading.repairs:
        done = ", ".join(f"{repair.name} ({repair.count})" for repair in reading.repairs)
        lines.append(f"repairs: {done}; {reading.cells_changed} of {SIDE * SIDE} cells changed")
    if attempt.check_repaired is not None:
        passed = "passed" if attempt.check_repaired.passed else "failed"
        lines.append(f"subject check {passed}: {attempt.check_repaired.saw}")
    elif attempt.subject is not None and attempt.subject.unchecked:
        lines.append(f"no subject check: {attempt.subject.unchecked}")
    return "\n".join([*lines, "", "The reply:", shown_reply(attempt.reply.text)])


def shown_reply(text: str, most: int = SHOWN_REPLY) -> str:
    """The reply, or its start and how long it is."""
    if not text:
        return "(empty)"
    if len(text) <= most:
        return text
    return f"{text[:most]} … (the first {most:,} of {len(text):,} characters; the whole is in replies.jsonl)"


def _by_subject(attempts: Sequence[Attempt]) -> list[Attempt]:
    order = {item: place for place, item in enumerate(dict.fromkeys(one.reply.item for one in attempts))}
    return sorted(attempts, key=lambda one: order[one.reply.item])


def _in_turn(attempts: Sequence[Attempt]) -> Iterator[Attempt]:
    subjects: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        mine = subjects.setdefault(attempt.reply.item, [])
        if attempt.asked and len(mine) < PER_SUBJECT:
            mine.append(attempt)
    for round_ in zip_longest(*subjects.values()):
        yield from (attempt for attempt in round_ if attempt is not None)


def _subject(attempt: Attempt) -> str:
    if attempt.subject is not None and attempt.subject.specification:
        return _short(attempt.subject.text, _TITLE)
    return _short(attempt.reply.item, _TITLE)


def _short(name: str, most: int = _NAME) -> str:
    return name if len(name) <= most else f"{name[:most].rstrip()}…"


def _png(drawing: Drawing) -> bytes:
    return png_from_grid(drawing.grid, drawing.palette)


def _crossed() -> bytes:
    """A tile that says 'no picture': two thin diagonals."""
    cells = np.zeros((SIDE, SIDE), np.uint8)
    steps = np.arange(4, SIDE - 4)
    cells[steps, steps] = cells[steps, SIDE - 1 - steps] = 1
    return png_from_grid(Grid(cells), Palette.from_hex(["d8d8d8", "8a8a8a"]))


_NOTHING = _crossed()
