"""The frozen suite is what it was, down to the last word."""

from __future__ import annotations

from collections import Counter

import pytest

from pixelreef.draw.subject import CATEGORIES
from pixelreef.draw.suite import SUITES, suite
from pixelreef.errors import InputError

# A change here is a new suite with a new name, never a new hash for an old name.
HASHES = {"draw-1": "5254a6472c9e84e86ef47ab13fc2436d1b4f8f25e36bcd970fda2019ee16bf7f"}


def test_hashes_are_pinned() -> None:
    assert {name: suite(name).content_hash for name in SUITES} == HASHES


def test_draw_1_has_seven_canonical_and_forty_held_out_subjects() -> None:
    found = suite("draw-1")
    held = [subject for subject in found.subjects if subject.specification]
    assert (len(found), len(held)) == (47, 40)
    assert Counter(subject.category for subject in held) == dict.fromkeys(CATEGORIES, 8)
    assert len({subject.text for subject in found.subjects}) == 47
    assert len({subject.specification["kind"] for subject in held}) == 10, "every kind comes up"


def test_a_held_out_check_passes_its_own_reference_and_no_other() -> None:
    """Canonical checks are not asked here: an orange moon in a held-out sky is round and warm, as a sun is."""
    for subject in suite().subjects[7:]:
        assert subject.check is not None
        passed = [other.id for other in suite().subjects if subject.check(other.reference).passed]
        assert passed == [subject.id]


def test_a_subject_is_found_by_its_id() -> None:
    assert suite()["sun"].text == "the sun"
    with pytest.raises(InputError, match="subject must be one of the suite draw-1, got 'moon'"):
        suite()["moon"]
    with pytest.raises(InputError, match="suite must be one of draw-1"):
        suite("draw-0")
