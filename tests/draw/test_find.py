from __future__ import annotations

import pytest

from pixelreef.draw.find import find_subject, find_subjects
from pixelreef.errors import InputError


def test_suites_ids_and_ranges_add_up_without_repeats() -> None:
    assert len(find_subjects("draw-1")) == 47
    assert [one.id for one in find_subjects("sun + sun,maze + heldout:7:2 + heldout-7-1")] == [
        "sun",
        "maze",
        "heldout-7-0",
        "heldout-7-1",
    ]
    assert len(find_subjects("canonical")) == 7


def test_a_held_out_id_is_rebuilt_from_its_seed() -> None:
    again = find_subject("heldout-7-1")
    assert again
    assert again.text == find_subjects("heldout:7:2")[1].text


@pytest.mark.parametrize(
    "text", ["", "dragon", "sun,dragon", "heldout:7:0", "heldout:99999999999999999999:1", "draw-2"]
)
def test_what_is_no_subject_is_said_with_the_choices(text: str) -> None:
    with pytest.raises(InputError, match="--subjects must"):
        find_subjects(text)


@pytest.mark.parametrize("id", ["", "dragon", "heldout-7", "heldout--1-1", "heldout-9999999999999999999-1", "../sun"])
def test_an_unknown_id_is_none(id: str) -> None:
    assert find_subject(id) is None
