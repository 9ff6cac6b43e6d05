"""Where figures come from: exact model ids and settings of each entrant, the suite, and the versions of all formulas.

Everything is read from the replies themselves. What they do not say is 'not recorded', never a guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pixelreef import __version__
from pixelreef.draw.encodings import encoding
from pixelreef.draw.score import Attempt
from pixelreef.draw.suite import SUITES, suite
from pixelreef.errors import PixelreefError
from pixelreef.metrics.profile import METRICS_VERSION
from pixelreef.metrics.published import PUBLISHED_VERSION

UNKNOWN = "not recorded"
_LISTED = 5  # values of one setting that are named; more are counted
_LONGEST = 80


@dataclass(frozen=True)
class Settings:
    """How one entrant was asked."""

    entrant: str
    model: str
    encoding: str
    decoding: str
    max_tokens: str
    sampling: str
    prompts: str
    task: str
    seeds: str

    def record(self) -> dict[str, str]:
        return dict(vars(self))


def settings(entrant: str, attempts: Sequence[Attempt]) -> Settings:
    """The settings that an entrant's replies record; several values of one are all named."""
    replies = [attempt.reply for attempt in attempts]
    sampling = [{k: v for k, v in reply.sampling.items() if v is not None} for reply in replies]
    names = sorted({str(name) for one in sampling for name in one} - {"max_tokens", "seed"})
    return Settings(
        entrant=entrant,
        model=_values([reply.entrant for reply in replies]),
        encoding=_values([_encoding(str(reply.metadata.get("encoding", "rows"))) for reply in replies]),
        decoding=_values([reply.metadata.get("decoding", "free") for reply in replies]),
        max_tokens=_values([one.get("max_tokens") for one in sampling]),
        sampling="; ".join(f"{name[:_LONGEST]} {_values([one.get(name) for one in sampling])}" for name in names[:12])
        or UNKNOWN,
        prompts=_values([_prompts(reply.metadata) for reply in replies]),
        task=_values([_task(reply.task, reply.task_version) for reply in replies]),
        seeds=_values([reply.seed for reply in replies]),
    )


def suite_of(attempts: Sequence[Attempt]) -> str:
    """The suite that the attempts' subjects are, with the start of its hash; else how many subjects there are.

    >>> suite_of([])
    'no subjects'
    """
    items = {attempt.reply.item for attempt in attempts if attempt.reply.failure != "unreadable"}
    for name in SUITES:
        if items == {subject.id for subject in suite(name).subjects}:
            return f"{name} ({suite(name).content_hash[:12]})"
    if not items:
        return "no subjects"
    return f"{len(items):,} subject{'s' if len(items) > 1 else ''}, no frozen suite"


def versions() -> dict[str, str]:
    """Pixelreef, the profile `pixelreef` and the profile `published`."""
    return {"pixelreef": __version__, "metrics": METRICS_VERSION, "published": str(PUBLISHED_VERSION)}


def _encoding(name: str) -> str:
    try:
        return f"{name} (version {encoding(name).version})"
    except PixelreefError:
        return name


def _prompts(metadata: Any) -> str | None:
    if "prompts" not in metadata:
        return None
    version = metadata.get("prompt_version")
    return f"{metadata['prompts']}" + (f" (version {version})" if version is not None else "")


def _task(task: str | None, version: str | None) -> str | None:
    return None if task is None else task + (f" (version {version})" if version else "")


def _values(given: Sequence[Any]) -> str:
    """Each value once, as text; None is 'not recorded'."""
    found = list(dict.fromkeys(UNKNOWN if value is None else str(value)[:_LONGEST] for value in given))
    if len(found) > _LISTED:
        return f"{len(found):,} values"
    return ", ".join(found) or UNKNOWN
