"""Base against tuned on the same subjects: format, structure, quality, craft, subject; each difference with interval.

    found = compare(attempts)
    found.parts[0].rows[0].gap          tuned − base, paired by subject

Canonical and held-out subjects stand apart, and so does each way of asking (encoding, free or constrained). Of quality
and craft there are two figures: one that is 0 where there is no strict drawing, which rises when more replies are
valid, and one of the drawings that there are, which does not. Whether pictures got better is asked of the second.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pixelreef.core.files import read_bytes
from pixelreef.core.strict_json import json_from_bytes
from pixelreef.draw.boards import SCORES, SHARES, Value, paired, summary_of
from pixelreef.draw.score import Attempt
from pixelreef.draw.subjects import canonical
from pixelreef.errors import InputError
from pixelreef.metrics.holm import holm
from pixelreef.metrics.summary import Difference, Summary, mean

RUN_FILE = "run.json"
Kind = Literal["format", "structure", "quality", "craft", "subject"]
_UNBOUNDED = "grid_completeness"  # as published: a row may be longer than 24
GROUPS = ("canonical", "held-out", "taught", "other")


@dataclass(frozen=True)
class Asked:
    """One figure of a comparison."""

    kind: Kind
    name: str
    words: str
    value: Value
    telling: bool = False
    """Whether the verdict on its kind rests on it; fixed in advance."""


def _drawn(name: str) -> Value:
    """Of the drawing, repairs allowed; missing, not 0, where there is none."""
    return lambda attempt: attempt.repaired.get(name) if attempt.asked else None


def _published(name: str) -> Value:
    return lambda attempt: attempt.published.get(name) if attempt.asked else None


def _checked(attempt: Attempt) -> float | None:
    """1 where the drawing, repairs allowed, passes its check; missing where there is no drawing or no check."""
    return None if attempt.check_repaired is None else float(attempt.check_repaired.passed)


ASKED = (
    Asked("format", "json_validity", "correct JSON with the colours it needs", SCORES["json_validity"]),
    Asked("format", "valid", "follows the contract to the letter", SCORES["valid"], True),
    Asked("format", "readable", "a drawing could be had, repairs allowed", SCORES["readable"]),
    Asked("structure", "right_size", "24 rows of 24, as published", _published("render_success"), True),
    Asked("structure", "grid_completeness", "cells of 24 rows ÷ 576, as published", _published("grid_completeness")),
    Asked("structure", "row_consistency", "equal horizontal neighbours, as published", _published("row_consistency")),
    Asked("quality", "pixel_art_quality", "0 where nothing is valid", SCORES["pixel_art_quality"]),
    Asked("quality", "pixel_art_quality_drawn", "of what was drawn", _drawn("pixel_art_quality"), True),
    Asked("quality", "render_success_drawn", "neighbours tell of one another", _drawn("render_success")),
    Asked("quality", "lora_quality", "the article's own for its LoRA run", _published("lora_quality")),
    Asked("craft", "craft", "0 where nothing is valid", SCORES["craft"]),
    Asked("craft", "craft_drawn", "of what was drawn", _drawn("craft"), True),
    Asked("subject", "usable", "valid, and passes its subject's check", SCORES["usable"], True),
    Asked("subject", "check_drawn", "what was drawn passes the check", _checked),
)


@dataclass(frozen=True)
class Compared:
    """One figure of both, and tuned − base."""

    asked: Asked
    base: Summary
    tuned: Summary
    gap: Difference
    p: float | None
    """Corrected by Holm for all figures of the part."""

    @property
    def verdict(self) -> str:
        """`higher`, `lower`, `the same throughout`, `no difference shown`, or `can't be asked`.

        `perhaps higher` and `perhaps lower` where the interval says so, but not after the correction for all figures.
        """
        gap = self.gap
        if gap.mean is None or gap.low is None or gap.high is None:
            return "can't be asked"
        if gap.low == gap.high == 0:
            return "the same throughout"
        if gap.low <= 0 <= gap.high:
            return "no difference shown"
        sure = "" if self.p is not None and self.p <= 1 - gap.confidence else "perhaps "
        return sure + ("higher" if gap.low > 0 else "lower")


@dataclass(frozen=True)
class Part:
    """One way of asking on one group of subjects."""

    encoding: str
    decoding: str
    group: str
    subjects: int
    base_attempts: int
    tuned_attempts: int
    rows: Sequence[Compared]

    @property
    def title(self) -> str:
        return f"{self.group} subjects, {self.encoding}, {self.decoding}"

    def telling(self) -> dict[str, Compared]:
        """Kind → the figure that its verdict rests on."""
        return {one.asked.kind: one for one in self.rows if one.asked.telling}


@dataclass(frozen=True)
class Comparison:
    """Everything that was compared."""

    base: str
    tuned: str
    seed: int
    parts: Sequence[Part]
    attempts: Sequence[Attempt]
    """Of both."""


def compare(
    attempts: Sequence[Attempt],
    base: str | None = None,
    tuned: str | None = None,
    seed: int = 0,
    taught: Callable[[str], Collection[str]] = lambda _: (),
) -> Comparison:
    """Compare two entrants; without names, the one pair `BASE` and `BASE+ADAPTER` that there is.

    `taught` tells the ids of subjects that the tuned entrant was taught: they are a group of their own, and no test.
    """
    names = list(dict.fromkeys(one.reply.entrant for one in attempts if one.reply.failure != "unreadable"))
    first, second = _chosen(names, base, tuned)
    mine = [one for one in attempts if one.reply.entrant in (first, second)]
    known = frozenset(taught(second))
    parts = [
        _part(
            [one for one in mine if (_asked(one), group_of(one, known)) == (way, group)],
            first,
            second,
            way,
            group,
            seed,
        )
        for way in dict.fromkeys(_asked(one) for one in mine)
        for group in GROUPS
    ]
    whole = [part for part in parts if part.base_attempts and part.tuned_attempts]
    if not whole:
        rule = "be asked for the same subjects in the same way"
        raise InputError(f"{first} and {second}", rule, "nothing that both have", verbatim=True)
    return Comparison(first, second, seed, whole, mine)


def group_of(attempt: Attempt, taught: Collection[str] = ()) -> str:
    """`canonical`, `held-out`, `taught` or `other`."""
    if attempt.reply.item in taught:
        return "taught"
    if attempt.reply.item in canonical():
        return "canonical"
    return "held-out" if attempt.subject is not None else "other"


def taught_subjects(tuned: str) -> list[str]:
    """Canonical subjects that `BASE+RUN/adapter.gguf` was taught, by the run's own file; none where it is not there."""
    adapter = tuned.partition("+")[2]
    path = Path(adapter).with_name(RUN_FILE) if adapter else None
    if path is None or not path.is_file():
        return []
    facts = json_from_bytes(read_bytes(path, 2**20), f"run {str(path)!r}")
    pairs = facts.get("pairs") if isinstance(facts, dict) else None
    found = pairs.get("canonical_taught") if isinstance(pairs, dict) else None
    return [str(one) for one in found] if isinstance(found, list) else []


def document(found: Comparison) -> dict[str, Any]:
    """As JSON values: missing is null."""
    return {
        "version": 1,
        "base": found.base,
        "tuned": found.tuned,
        "seed": found.seed,
        "parts": [
            {
                "encoding": part.encoding,
                "decoding": part.decoding,
                "group": part.group,
                "subjects": part.subjects,
                "attempts": {"base": part.base_attempts, "tuned": part.tuned_attempts},
                "figures": [
                    {
                        "kind": one.asked.kind,
                        "name": one.asked.name,
                        "telling": one.asked.telling,
                        "base": vars(one.base),
                        "tuned": vars(one.tuned),
                        "difference": vars(one.gap),
                        "p_holm": one.p,
                        "verdict": one.verdict,
                    }
                    for one in part.rows
                ],
            }
            for part in found.parts
        ],
    }


def _chosen(names: Sequence[str], base: str | None, tuned: str | None) -> tuple[str, str]:
    for option, name in (("--base", base), ("--tuned", tuned)):
        if name is not None and name not in names:
            raise InputError(option, f"be one of {', '.join(names) or 'none'}", name)
    found = [(name.partition("+")[0], name) for name in names if name.partition("+")[0] in names and "+" in name]
    fitting = [(a, b) for a, b in found if base in (None, a) and tuned in (None, b)]
    if base is not None and tuned is not None:
        return base, tuned
    if len(fitting) != 1:
        todo = f"Name them with --base and --tuned; there are {', '.join(names)}."
        raise InputError("sources", "hold one pair BASE and BASE+ADAPTER", f"{len(fitting)}", todo, verbatim=True)
    return fitting[0]


def _asked(attempt: Attempt) -> tuple[str, str]:
    metadata = attempt.reply.metadata
    return str(metadata.get("encoding", "rows")), str(metadata.get("decoding", "free"))


def _part(attempts: Sequence[Attempt], base: str, tuned: str, way: tuple[str, str], group: str, seed: int) -> Part:
    first, second = ([one for one in attempts if one.reply.entrant == name] for name in (base, tuned))
    gaps = [_bounded(paired(second, first, asked.value, seed), asked) for asked in ASKED]
    corrected = holm([gap.p for gap in gaps])
    rows = [
        Compared(asked, _summary(first, asked, seed), _summary(second, asked, seed), gap, p)
        for asked, gap, p in zip(ASKED, gaps, corrected, strict=True)
    ]
    both = {one.reply.item for one in first} & {one.reply.item for one in second}
    return Part(*way, group, len(both), len(first), len(second), rows)


def _bounded(gap: Difference, asked: Asked) -> Difference:
    """Within what a difference of two shares can be."""
    if gap.low is None or gap.high is None or asked.name == _UNBOUNDED:
        return gap
    return replace(gap, low=max(gap.low, -1.0), high=min(gap.high, 1.0))


def _summary(attempts: Sequence[Attempt], asked: Asked, seed: int) -> Summary:
    if asked.name != _UNBOUNDED:
        return summary_of(attempts, asked.value, seed, share=asked.name in SHARES)
    return mean([asked.value(one) for one in attempts], clusters=[one.reply.item for one in attempts], seed=seed)
