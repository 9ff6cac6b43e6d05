"""Which of two sets is better, cell by cell: better, same or worse than the first, with intervals.

    compare_samples({"monday": a, "tuesday": b}, corpus)     two or more sets of samples against one corpus
    compare_judgements({"before": one, "after": two}, gates) what was judged before: corpora, samples or runs

Where one side fails, the other is better, whatever the figures say: a set that copies is nearer to the corpus than any
honest one. Else samples are compared by their kernel distance to the corpus, in one comparison of twenty wrong in any
cell at all, and what was judged before by those of the gates' figures that have intervals.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pixelreef.errors import DocumentError, InputError
from pixelreef.metrics.kernel_distance import kernel_difference
from pixelreef.taste.against.pairing import Pairing
from pixelreef.taste.calibration import Calibration
from pixelreef.taste.evidence import FAIL, TOO_FEW, Figure, Gate
from pixelreef.taste.judge import Judgement, Told
from pixelreef.taste.samples import judge_samples
from pixelreef.taste.sprites import Sprites

Word = Literal["better", "same", "worse", "too few to tell"]
ERROR = 0.05


@dataclass(frozen=True)
class Comparison:
    """One cell of one set against the same cell of the first."""

    cell: str
    first: str
    other: str
    word: Word
    """What the other is, compared with the first."""
    verdicts: tuple[str, str]
    difference: Figure
    """The other's kernel distance less the first's; below 0 is nearer to the corpus. NaN where there is none."""
    reason: str

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "cell": self.cell,
            "first": self.first,
            "other": self.other,
            "verdict": self.word,
            "verdicts": list(self.verdicts),
            "difference": self.difference.document(),
            "reason": self.reason,
        }


def compare_samples(
    sets: Mapping[str, Sprites],
    corpus: Sprites,
    calibration: Calibration | None = None,
    seed: int = 0,
    progress: Told | None = None,
) -> tuple[list[Comparison], dict[str, Judgement]]:
    """Judge every set against the corpus, and compare all later ones with the first."""
    names = _names(sets)
    judged = {name: judge_samples(one, corpus, calibration, seed, progress) for name, one in sets.items()}
    pairings = {name: Pairing(one.sprites, corpus, seed) for name, one in judged.items()}
    first = names[0]
    found = []
    for other in names[1:]:
        shared = [cell for cell in pairings[first].cells if cell in pairings[other].cells]
        for cell in judged[first].cells:
            gap = _gap(pairings[first], pairings[other], cell, len(shared)) if cell in shared else Figure(math.nan)
            levels = (judged[first].cells[cell].level, judged[other].cells[cell].level)
            words = (judged[first].cells[cell].word, judged[other].cells[cell].word)
            found.append(_comparison(cell, first, other, levels, words, gap))
    return found, judged


def _gap(first: Pairing, other: Pairing, cell: str, cells: int) -> Figure:
    """How much further from the corpus the other is. Both pairings standardise by the same real sprites."""
    one, two = first.pairs[cell], other.pairs[cell]
    if min(len(one.real), len(one.samples), len(two.samples)) < 2:
        return Figure(math.nan)
    gap = kernel_difference(two.real_values, two.values, one.values, 1 - ERROR / max(cells, 1))
    return Figure(gap.value, gap.low, gap.high)


def _comparison(
    cell: str, first: str, other: str, levels: tuple[str, str], words: tuple[str, str], gap: Figure
) -> Comparison:
    by_verdict = _by_verdict(levels, words)
    if by_verdict is not None:
        return Comparison(cell, first, other, by_verdict[0], words, gap, by_verdict[1])
    reason = f"kernel distance {gap.value:+.3f} [{gap.low:+.3f}, {gap.high:+.3f}]"
    return Comparison(cell, first, other, _side(gap), words, gap, reason)


def _by_verdict(levels: tuple[str, str], words: tuple[str, str]) -> tuple[Word, str] | None:
    """What verdicts alone decide: one side fails, or can't be told. Else None."""
    if TOO_FEW in levels:
        return "too few to tell", "too few sprites on one side"
    if levels.count(FAIL) == 1:
        return "better" if levels[0] == FAIL else "worse", f"{words[0]} first, then {words[1]}"
    return None


def _side(gap: Figure) -> Word:
    """Of a difference of which less is better."""
    if not (math.isfinite(gap.low) and math.isfinite(gap.high)):
        return "too few to tell"
    return "better" if gap.high < 0 else "worse" if gap.low > 0 else "same"


def compare_judgements(documents: Mapping[str, Any], gates: Sequence[Gate]) -> list[Comparison]:
    """Compare judgements that were written before, all of one kind; `gates` say which way a figure is bad."""
    names = _names(documents)
    for name, document in documents.items():
        if not isinstance(document, dict) or document.get("format") != "pixelreef-judgement":
            raise DocumentError(name, "be a judgement", type(document).__name__, "Write one with taste … --json.")
    kinds = {str(document.get("kind")) for document in documents.values()}
    if len(kinds) > 1:
        raise InputError("judgements", "be all of corpora or all of samples", sorted(kinds))
    try:
        return [
            _of_documents(cell, names[0], other, verdict, documents[other]["cells"][cell], gates)
            for other in names[1:]
            for cell, verdict in documents[names[0]]["cells"].items()
            if cell in documents[other]["cells"]
        ]
    except (KeyError, TypeError, AttributeError) as error:
        raise DocumentError("judgement", "have cells with their evidence", str(error), verbatim=True) from None


def _of_documents(
    cell: str, first: str, other: str, one: Mapping[str, Any], two: Mapping[str, Any], gates: Sequence[Gate]
) -> Comparison:
    words = (str(one["verdict"]), str(two["verdict"]))
    by_verdict = _by_verdict((str(one["level"]), str(two["level"])), words)
    if by_verdict is not None:
        return Comparison(cell, first, other, by_verdict[0], words, Figure(math.nan), by_verdict[1])
    sides = {gate.name: _moved(gate, _figure(one, gate), _figure(two, gate)) for gate in gates}
    told = {name: side for name, side in sides.items() if side in ("better", "worse")}
    # Figures that point both ways cancel: neither set is better as a whole.
    word: Word = next(iter(told.values())) if len(set(told.values())) == 1 else "same"
    reason = ", ".join(f"{name} {side}" for name, side in told.items()) or f"{words[0]} first, then {words[1]}"
    return Comparison(cell, first, other, word, words, Figure(math.nan), reason)


def _figure(verdict: Mapping[str, Any], gate: Gate) -> Figure:
    found = verdict["evidence"].get(gate.stage, {}).get("figures", {}).get(gate.figure, {})
    value, low, high = (found.get(key) for key in ("value", "low", "high"))
    return Figure(*(math.nan if one is None else float(one) for one in (value, low, high)))


def _moved(gate: Gate, one: Figure, two: Figure) -> Word:
    """Better or worse where the intervals do not touch."""
    risen, fallen = two.low > one.high, two.high < one.low  # NaN is neither
    if not (risen or fallen):
        return "same"
    return "worse" if risen == (gate.bad == "high") else "better"


def _names(given: Mapping[str, Any]) -> Sequence[str]:
    if len(given) < 2:
        raise InputError("sets to compare", "be at least two", len(given))
    return list(given)
