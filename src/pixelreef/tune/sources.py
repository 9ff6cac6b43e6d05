"""Drawings with their subjects, from wherever they are.

    reef.parquet                                  a corpus: sprites of any size are fitted
    replies.jsonl, out/, run.parquet, kept        saved replies that are strictly valid and score well enough
    hub:AINovice2005/pixel-art-bench-v1           the public source dataset, or a file of its layout

A source says the subjects of all it has before anything is fitted, so that of a large corpus only what is chosen costs
time. What can't be used is counted with its reason.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pixelreef.corpus.parquet import is_parquet
from pixelreef.corpus.store import Corpus, open_corpus
from pixelreef.draw.boards import SCORES
from pixelreef.draw.dataset import is_public_layout
from pixelreef.draw.drawing import Drawing
from pixelreef.draw.score import Attempt, score_replies
from pixelreef.draw.sources import replies_from
from pixelreef.errors import GridError, InputError
from pixelreef.tune.fitting import drawing_from_entry
from pixelreef.tune.subject_text import subject_text

_REPLY_COLUMNS = {"entrant", "item", "text"}


@dataclass(frozen=True)
class Example:
    """A drawing and what it is of."""

    subject: str
    """As a prompt asks for it."""
    drawing: Drawing
    origin: str
    licence: str = ""


class Source(ABC):
    """Where examples come from."""

    name: str
    hash: str = ""
    """Of the content, where it has one."""

    def __init__(self) -> None:
        self.left_out: Counter[str] = Counter()

    @abstractmethod
    def subjects(self) -> list[str]:
        """The text of each thing there is, in order; empty where none is known."""

    @abstractmethod
    def examples(self, places: Collection[int]) -> Iterator[Example]:
        """Those at these places."""


class CorpusSource(Source):
    """The sprites of a corpus."""

    def __init__(self, corpus: Corpus) -> None:
        super().__init__()
        self.corpus, self.name, self.hash = corpus, Path(corpus.path).name, corpus.hash

    def subjects(self) -> list[str]:
        return [subject_text(entry) for entry in self.corpus]

    def examples(self, places: Collection[int]) -> Iterator[Example]:
        wanted = set(places)
        for place, entry in enumerate(self.corpus):
            if place in wanted:
                try:
                    drawing = drawing_from_entry(entry)
                except GridError:
                    self.left_out["sprites that show nothing"] += 1
                    continue
                yield Example(subject_text(entry), drawing, f"{self.name}/{entry.hash}", entry.origin.licence)


class ReplySource(Source):
    """Replies whose strict drawing scores at least so much."""

    def __init__(self, name: str, attempts: Sequence[Attempt], least: Mapping[str, float]) -> None:
        super().__init__()
        self.name = name
        drawn = [one for one in attempts if one.reading.strict is not None]
        self.attempts = [one for one in drawn if all((SCORES[of](one) or 0.0) >= value for of, value in least.items())]
        self.left_out["replies that are not strictly valid"] = len(attempts) - len(drawn)
        self.left_out["replies that score too little"] = len(drawn) - len(self.attempts)

    def subjects(self) -> list[str]:
        return [_text(one) for one in self.attempts]

    def examples(self, places: Collection[int]) -> Iterator[Example]:
        for place in sorted(places):
            one = self.attempts[place]
            if one.reading.strict is not None:
                yield Example(_text(one), one.reading.strict, f"{one.entrant}/{one.reply.item}/{one.reply.attempt}")


def source_from(name: str, least: Mapping[str, float] | None = None) -> Source:
    """A source by its name; `least` are scores of the draw board that a reply must reach."""
    if is_parquet(name) and not _holds_replies(Path(name)):
        return CorpusSource(open_corpus(name))
    return ReplySource(name, score_replies(replies_from(name)), least or {})


def least_from(texts: Sequence[str]) -> dict[str, float]:
    """`craft=0.5` → {"craft": 0.5}.

    >>> least_from(["craft=0.5"])
    {'craft': 0.5}
    """
    found = {}
    for text in texts:
        name, _, value = text.partition("=")
        try:
            number = float(value)
        except ValueError:
            number = -1.0
        if name not in SCORES or not 0 <= number <= 1:
            raise InputError("--least", f"be SCORE=0…1 with one of {', '.join(SCORES)}", text)
        found[name] = number
    return found


def _holds_replies(path: Path) -> bool:
    import pyarrow.parquet as parquet

    try:
        names = set(parquet.read_schema(path).names)
    except Exception:  # pyarrow raises many kinds on a broken file, and the corpus' reader says which
        return False
    return is_public_layout(path) or names >= _REPLY_COLUMNS


def _text(attempt: Attempt) -> str:
    return attempt.subject.text if attempt.subject else " ".join(attempt.reply.item.replace("_", " ").split())[:120]
