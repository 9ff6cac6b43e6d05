"""An optional judge that sees: does a vision model, told nothing, recognise the subject?

Two questions per picture, each asked blind: what is this, in a few words (open), and which of eight subjects is it
(forced). The judge sees the picture alone, never the reply or the prompt: a judge that reads commands scores intent.
Chance is printed beside every figure: 1 in 8 for the forced choice; for the open answer, how well it fits the *other*
subjects asked about.

    judge_task(attempts)          an Inspect task over the pictures; run it with `runs.run_eval_set`
    verdicts(replies, attempts)   what the judge said, matched to the attempts
    judged(verdicts)              entrant → forced and open accuracy, each with its chance level
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from pixelreef.core.render import png_from_sprite
from pixelreef.core.seeds import rng
from pixelreef.draw.score import Attempt
from pixelreef.draw.subject import Subject
from pixelreef.extras import require
from pixelreef.metrics.summary import Summary, clustered_share
from pixelreef.runs.replies import Reply

if TYPE_CHECKING:
    from inspect_ai import Task

JUDGE_VERSION = 1
CHOICES = 8
LETTERS = "ABCDEFGH"
SCALE = 16  # 24×24 becomes 384×384, which every vision model sees without shrinking
MAX_TOKENS = 1024
OPEN = "This picture was drawn on a grid of 24 by 24 cells. In at most eight words: what does it show?"
FORCED = """\
This picture was drawn on a grid of 24 by 24 cells. Which of these does it show?
{choices}
Answer with one letter."""
_FILLER = frozenset(
    {"a", "an", "and", "at", "by", "each", "from", "in", "is", "it", "its", "of", "on", "that", "the", "to", "with"}
    | {"one", "two", "three", "four", "five"}
)


@dataclass(frozen=True)
class Verdict:
    """What the judge said of one picture."""

    entrant: str
    item: str
    attempt: int
    chosen: str | None
    """The subject it chose of eight, None where it named no letter."""
    guess: str
    right: float
    """1 where the chosen subject is the one asked for."""
    overlap: float
    """The share of the subject's own words that the open answer holds."""
    overlap_by_chance: float
    """The same, over the other seven subjects of the choice."""


@dataclass(frozen=True)
class Judged:
    """One entrant as the judge saw it, clustered by subject."""

    forced: Summary
    forced_by_chance: float
    open: Summary
    open_by_chance: Summary


def judge_task(attempts: Sequence[Attempt], seed: int = 0, *, repairs: bool = True) -> Task:
    """Both questions about every picture that could be had; a picture that is no drawing is not asked about."""
    require("bench", "inspect_ai")
    from inspect_ai import Task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageUser, ContentImage, ContentText, GenerateConfig

    from pixelreef.runs.ask import ask

    pool = _pool(attempts)
    samples = []
    for attempt in attempts:
        drawing = attempt.reading.repaired if repairs else attempt.reading.strict
        if drawing is None or attempt.subject is None:
            continue
        picture = base64.b64encode(png_from_sprite(drawing.sprite(), SCALE)).decode()
        lines = [f"{letter}. {one.text}" for letter, one in zip(LETTERS, _choices(attempt, pool, seed), strict=False)]
        for question, text in (("open", OPEN), ("forced", FORCED.format(choices="\n".join(lines)))):
            shown = ContentImage(image=f"data:image/png;base64,{picture}")
            message = ChatMessageUser(content=[ContentText(text=text), shown])
            samples.append(Sample(id=_sample_id(attempt, question), input=[message]))
    return Task(
        dataset=MemoryDataset(samples, name="pictures"),
        solver=ask(),
        config=GenerateConfig(max_tokens=MAX_TOKENS, temperature=0.0),
        name="draw-judge",
        version=JUDGE_VERSION,
    )


def verdicts(replies: Sequence[Reply], attempts: Sequence[Attempt], seed: int = 0) -> list[Verdict]:
    """The judge's replies, matched to the attempts they are about; pictures without both answers are left out."""
    said = {reply.item: reply.text for reply in replies if reply.failure is None}
    pool = _pool(attempts)
    found = []
    for attempt in attempts:
        guess, letter = said.get(_sample_id(attempt, "open")), said.get(_sample_id(attempt, "forced"))
        if guess is not None and letter is not None and attempt.subject is not None:
            found.append(_verdict(attempt, attempt.subject, guess, letter, _choices(attempt, pool, seed)))
    return found


def judged(verdicts: Sequence[Verdict]) -> Mapping[str, Judged]:
    """Entrant → how often it was recognised, beside chance."""
    entrants: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        entrants.setdefault(verdict.entrant, []).append(verdict)
    return {name: _judged(mine) for name, mine in entrants.items()}


def _judged(mine: Sequence[Verdict]) -> Judged:
    items = [verdict.item for verdict in mine]
    return Judged(
        forced=clustered_share([verdict.right for verdict in mine], items),
        forced_by_chance=1 / CHOICES,
        open=clustered_share([verdict.overlap for verdict in mine], items),
        open_by_chance=clustered_share([verdict.overlap_by_chance for verdict in mine], items),
    )


def _verdict(attempt: Attempt, subject: Subject, guess: str, letter: str, choices: Sequence[Subject]) -> Verdict:
    match = re.search(r"\b([A-H])\b", letter[:200].upper())
    place = LETTERS.index(match[1]) if match else len(choices)
    chosen = choices[place] if place < len(choices) else None
    others = [_overlap(guess, one.text) for one in choices if one.id != subject.id]
    return Verdict(
        entrant=attempt.entrant,
        item=attempt.reply.item,
        attempt=attempt.reply.attempt,
        chosen=chosen.id if chosen else None,
        guess=guess[:200],
        right=float(chosen is not None and chosen.id == subject.id),
        overlap=_overlap(guess, subject.text),
        overlap_by_chance=sum(others) / len(others) if others else 0.0,
    )


def _overlap(guess: str, text: str) -> float:
    """The share of the words of `text` that carry meaning which are in `guess`.

    >>> _overlap("A planet with rings!", "the planet Saturn with its rings")
    0.6666666666666666
    """
    wanted = _words(text)
    return len(wanted & _words(guess)) / len(wanted) if wanted else 0.0


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]+", text[:2000].lower())) - _FILLER


def _pool(attempts: Sequence[Attempt]) -> list[Subject]:
    """The subjects that choices are taken from: those asked about, filled up with the canonical ones."""
    from pixelreef.draw.subjects import canonical

    asked = {attempt.subject.id: attempt.subject for attempt in attempts if attempt.subject}
    return list({**asked, **dict(canonical())}.values()) if len(asked) < CHOICES else list(asked.values())


def _choices(attempt: Attempt, pool: Sequence[Subject], seed: int) -> list[Subject]:
    """The right subject and seven others, in an order that says nothing; the same whenever it is asked."""
    random = rng(seed, "draw", "judge", attempt.entrant, attempt.reply.item, attempt.reply.attempt)
    right = attempt.subject
    others = [one for one in sorted(pool, key=lambda one: one.id) if right is None or one.id != right.id]
    picked = [others[int(index)] for index in random.permutation(len(others))[: CHOICES - 1]]
    choices = [*picked, right] if right is not None else picked
    return [choices[int(index)] for index in random.permutation(len(choices))]


def _sample_id(attempt: Attempt, question: str) -> str:
    return f"{attempt.entrant}|{attempt.reply.item}|{attempt.reply.attempt}|{question}"
