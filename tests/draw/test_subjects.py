"""Every canonical check: its reference and variants of it pass; nulls and the other references do not."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pytest
from drawings import (
    NULLS,
    fits_shifted,
    jittered,
    lightened,
    mirrored,
    null,
    nulls,
    on_background,
    permuted,
    shifted,
    transposed,
    turned_round,
)

from pixelreef.core.seeds import rng
from pixelreef.draw.drawing import Drawing
from pixelreef.draw.subject import CATEGORIES, Check, Subject
from pixelreef.draw.subjects import canonical

CHECKED = [subject for subject in canonical().values() if subject.check]
SHIFTS = [(down, right) for down in range(-2, 3) for right in range(-2, 3) if (down, right) != (0, 0)]
BACKGROUNDS = {  # another ground that leaves the subject what it is
    "maze": ("c8e0a0", "d0d0d0", "fff4d0"),
    "mario": ("ffffff", "202030", "7ac86a", "f8e0ff"),
    "mona_lisa": ("a07028", "303030", "b8b8b8"),
    "rainbow": ("ffffff", "202838", "87ceeb", "c0c0d8"),
    "saturn": ("000000", "303048", "204060", "ffffff"),
    "sun": ("ffffff", "101830", "3060c0", "a0e0ff"),
}
IDS = [subject.id for subject in CHECKED]


def check(subject: Subject, drawing: Drawing) -> Check:
    assert subject.check is not None
    return subject.check(drawing)


def variants(subject: Subject) -> Iterator[tuple[str, Drawing]]:
    """A mirrored maze has its entrance at the top right: it is transposed or turned round instead, which keeps the
    entrance at the top left and the exit at the bottom right."""
    reference = subject.reference
    turned = {"transposed": transposed, "turned round": turned_round} if subject.id == "maze" else {"mirror": mirrored}
    for down, right in SHIFTS:
        if fits_shifted(reference, down, right):
            yield f"shifted {down},{right}", shifted(reference, down, right)
    for name, turn in turned.items():
        yield name, turn(reference)
    for ground in BACKGROUNDS[subject.id]:
        yield f"on {ground}", on_background(reference, ground)
    for by in (-0.05, -0.03, 0.03, 0.05):
        yield f"lighter by {by}", lightened(reference, by)
    for number in range(12):
        random = rng(number, "variants", subject.id)
        yield f"jitter {number}", jittered(reference, random)
        yield f"permuted {number}", permuted(reference, random)
        yield f"turned and jittered {number}", jittered(next(iter(turned.values()))(reference), random)


def test_the_seven_are_found_and_complete() -> None:
    subjects = canonical()
    assert set(subjects) == {"mario", "rainbow", "sun", "saturn", "maze", "mona_lisa", "hope"}
    assert {subject.category for subject in subjects.values()} == set(CATEGORIES)
    for subject in subjects.values():
        assert 2 <= len(subject.reference.palette) <= 10
        used = np.unique(subject.reference.cells)
        assert used.tolist() == list(range(len(subject.reference.palette))), "no colour is there for nothing"


def test_hope_says_that_it_has_no_check() -> None:
    hope = canonical()["hope"]
    assert hope.check is None
    assert "no shape of its own" in hope.unchecked


@pytest.mark.parametrize("subject", CHECKED, ids=IDS)
def test_references_and_variants_pass(subject: Subject) -> None:
    verdict = check(subject, subject.reference)
    assert verdict.passed, verdict.saw
    made = list(variants(subject))
    assert len(made) >= 20
    failed = {name: saw.saw for name, drawing in made if not (saw := check(subject, drawing)).passed}
    assert not failed


@pytest.mark.parametrize("subject", CHECKED, ids=IDS)
def test_other_references_do_not(subject: Subject) -> None:
    for other in canonical().values():
        assert check(subject, other.reference).passed == (other.id == subject.id), other.id


@pytest.mark.parametrize("subject", CHECKED, ids=IDS)
def test_a_thousand_nulls_do_not(subject: Subject) -> None:
    passed = [kind for kind, drawing in nulls(subject.reference, 1_001) if check(subject, drawing).passed]
    assert len(passed) <= 10, passed


@pytest.mark.slow
@pytest.mark.parametrize("subject", CHECKED, ids=IDS)
def test_a_thousand_nulls_of_every_kind_do_not(subject: Subject) -> None:
    for kind in NULLS:
        made = (null(kind, subject.reference, rng(number, "slow", kind)) for number in range(1_000))
        assert sum(check(subject, drawing).passed for drawing in made) <= 10, kind


def test_one_sentence_and_the_same_verdict_twice() -> None:
    for subject in CHECKED:
        for _, drawing in nulls(subject.reference, 70, seed=1):
            verdict = check(subject, drawing)
            assert verdict == check(subject, drawing)
            assert verdict.saw
            assert "\n" not in verdict.saw


@pytest.mark.slow
def test_two_thousand_drawings_a_second() -> None:
    made = [(s, d) for s in CHECKED for _, d in [("", s.reference), *nulls(s.reference, 50, seed=2), *variants(s)]]
    started = time.process_time()
    for subject, drawing in made:
        check(subject, drawing)
    assert len(made) / (time.process_time() - started) >= 2_000
