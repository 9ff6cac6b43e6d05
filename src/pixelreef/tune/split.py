"""Which subjects are taught and which are held back; subjects of the test are neither.

Two pictures of one subject are never on both sides. A subject is known by the words that matter: `The Sun` is `sun`.
The test's subjects are known by their text, by their id, and as any one of the comma-parted words of a corpus.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from pixelreef.core.seeds import rng
from pixelreef.draw.find import find_subjects
from pixelreef.errors import InputError

TEST = "draw-1"
"""The frozen suite: 7 canonical and 40 held-out subjects."""
TRAIN, HELD = "train", "held"
_WORD = re.compile(r"[^\W_]+")
_ARTICLES = frozenset({"a", "an", "the"})


def subject_key(text: str) -> str:
    """What makes two texts one subject.

    >>> subject_key("The  Mona_Lisa!"), subject_key("a maze")
    ('mona lisa', 'maze')
    """
    return " ".join(word for word in _WORD.findall(text.casefold()) if word not in _ARTICLES)


def keys_of_test(subjects: str) -> frozenset[str]:
    """Texts and ids of the subjects that a test asks for, as keys; `subjects` as for `draw run`."""
    return frozenset(subject_key(name) for one in find_subjects(subjects) for name in (one.text, one.id))


def is_tested(text: str, keys: frozenset[str]) -> bool:
    """Whether a subject's text, or one of its comma-parted words, is a test's.

    >>> is_tested("sun, weather", frozenset({"sun"})), is_tested("sunfish", frozenset({"sun"}))
    (True, False)
    """
    return any(subject_key(part) in keys for part in (text, *text.split(",")))


def splits(keys: Iterable[str], held: float, seed: int) -> Mapping[str, str]:
    """Subject → `train` or `held`: that share of subjects, at least one, where there are two."""
    check_share(held)
    ordered = sorted(set(keys))
    count = min(len(ordered) - 1, max(1, round(held * len(ordered)))) if held and ordered else 0
    mixed = [ordered[int(place)] for place in rng(seed, "tune", "held").permutation(len(ordered))]
    back = frozenset(mixed[: max(count, 0)])
    return {key: HELD if key in back else TRAIN for key in ordered}


def check_share(held: float) -> None:
    """Refuse what is no share."""
    if not 0 <= held < 1:
        raise InputError("--held", "be from 0 to below 1", held)


def chosen(keys: Sequence[str], most: int | None, seed: int) -> list[int]:
    """Places of at most `most` items, as evenly over the subjects as there are items; in the order given.

    >>> chosen(["a", "a", "a", "b"], 2, 0)[-1]
    3
    """
    if most is None or most >= len(keys):
        return list(range(len(keys)))
    random = rng(seed, "tune", "chosen")
    ranks: dict[str, int] = {}
    ranked: list[tuple[int, int, int]] = []
    for place in random.permutation(len(keys)).tolist():
        rank = ranks[keys[place]] = ranks.get(keys[place], -1) + 1
        ranked.append((rank, len(ranked), place))
    return sorted(place for _, _, place in sorted(ranked)[:most])
