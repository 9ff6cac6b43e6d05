"""From sources to pairs: subjects of the test left out, the rest split by subject, each drawing in every encoding.

made = make_pairs([source_from("reef.parquet")], most=400, seed=0)
made.pairs, made.facts["left_out"]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pixelreef import __version__
from pixelreef.draw.encodings import encoding, encodings
from pixelreef.draw.prompts import PROMPT_VERSION
from pixelreef.draw.subjects import canonical
from pixelreef.errors import InputError
from pixelreef.tune.pairs import Pair, pairs_from_example
from pixelreef.tune.sources import Source
from pixelreef.tune.split import HELD, TEST, TRAIN, check_share, chosen, is_tested, keys_of_test, splits, subject_key

_TESTED = "drawings of a subject of the test"
_UNKNOWN = "drawings of an unknown subject"


@dataclass(frozen=True)
class Made:
    """Pairs, and how they came to be, as JSON values."""

    pairs: Sequence[Pair]
    facts: dict[str, Any]


def make_pairs(
    sources: Sequence[Source],
    encoded: Sequence[str] | None = None,
    *,
    test: str = TEST,
    held: float = 0.05,
    most: int | None = None,
    seed: int = 0,
) -> Made:
    """Pairs of at most `most` drawings, in these encodings or in all; `test` names subjects as `draw run` does."""
    check_share(held)
    names = [encoding(name).name for name in encoded or encodings()]
    tested, left_out = keys_of_test(test), Counter[str]()
    places: list[tuple[int, int]] = []  # (source, place in it)
    keys: list[str] = []
    for number, source in enumerate(sources):
        for place, text in enumerate(source.subjects()):
            if not text or is_tested(text, tested):
                left_out[_TESTED if text else _UNKNOWN] += 1
                continue
            places.append((number, place))
            keys.append(subject_key(text))
    if not keys:
        todo = f"{left_out[_TESTED]:,} were of the test's subjects ({test}); --test names others."
        raise InputError("sources", "hold drawings that may be taught", "none", todo, verbatim=True)
    parts, taken = splits(keys, held, seed), chosen(keys, most, seed)
    pairs: list[Pair] = []
    for number, source in enumerate(sources):
        for one in source.examples({places[at][1] for at in taken if places[at][0] == number}):
            made = list(pairs_from_example(one, parts[subject_key(one.subject)], names))
            left_out.update(
                f"drawings that {name} can't hold" for name in set(names) - {pair.encoding for pair in made}
            )
            pairs += made
        left_out.update(source.left_out)
    facts = {
        "pixelreef": __version__,
        "prompt_version": PROMPT_VERSION,
        "encodings": {name: encoding(name).version for name in names},
        "sources": [{"name": source.name, "hash": source.hash} for source in sources],
        "test": test,
        "held": held,
        "most": most,
        "seed": seed,
        "left_out": {name: count for name, count in sorted(left_out.items()) if count},
        **_counts(pairs),
    }
    return Made(pairs, facts)


def _counts(pairs: Sequence[Pair]) -> dict[str, Any]:
    taught = {subject_key(pair.subject) for pair in pairs if pair.split == TRAIN}
    ours = {one.id for one in canonical().values() if is_tested(one.text, frozenset(taught))}
    return {
        "pairs": {split: sum(pair.split == split for pair in pairs) for split in (TRAIN, HELD)},
        "subjects": {
            split: len({subject_key(pair.subject) for pair in pairs if pair.split == split}) for split in (TRAIN, HELD)
        },
        "canonical_taught": sorted(ours),
    }
