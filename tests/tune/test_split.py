from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixelreef.draw.find import find_subjects
from pixelreef.errors import InputError
from pixelreef.tune.split import chosen, is_tested, keys_of_test, splits, subject_key


@given(st.lists(st.text(max_size=4)), st.floats(0, 0.99), st.integers(0, 1000))
def test_every_subject_is_on_one_side(keys: list[str], held: float, seed: int) -> None:
    found = splits(keys, held, seed)
    assert set(found) == set(keys)
    assert splits(reversed(keys), held, seed) == found
    counts = Counter(found.values())
    if keys:
        assert counts["train"] >= 1
    if len(set(keys)) > 1 and held:
        assert counts["held"] >= 1


def test_the_share_is_of_subjects() -> None:
    keys = [str(number) for number in range(40)]
    assert Counter(splits(keys, 0.05, 0).values()) == {"train": 38, "held": 2}
    assert set(splits(keys, 0.0, 0).values()) == {"train"}
    assert splits(keys, 0.05, 0) != splits(keys, 0.05, 1)
    with pytest.raises(InputError, match="--held must be from 0 to below 1"):
        splits(keys, 1.0, 0)


def test_all_subjects_of_the_suite_are_known_by_text_and_by_id() -> None:
    keys = keys_of_test("draw-1")
    for subject in find_subjects("draw-1"):
        assert is_tested(subject.text, keys)
        assert is_tested(subject.id, keys)
        assert is_tested(f"{subject.id.replace('_', ' ').upper()}, monster", keys)
    assert not is_tested("sea fan, coral, hadal", keys)


def test_articles_case_and_signs_do_not_make_another_subject() -> None:
    assert subject_key("The Sun!") == subject_key("sun") == subject_key(" a  SUN ")
    assert subject_key("sunfish") != subject_key("sun")


@given(st.lists(st.sampled_from("abcd")), st.integers(1, 12), st.integers(0, 9))
def test_what_is_chosen_is_spread_over_subjects(keys: list[str], most: int, seed: int) -> None:
    places = chosen(keys, most, seed)
    assert len(places) == len(set(places)) == min(most, len(keys))
    assert places == sorted(places)
    taken = Counter(keys[place] for place in places)
    there = Counter(keys)
    for one in there:
        for other in there:  # nobody has two more than another that has some left
            assert taken[one] <= taken[other] + 1 or taken[other] == there[other]
