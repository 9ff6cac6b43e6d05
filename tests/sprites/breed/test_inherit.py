"""Maps of what comes from whom: every kind by hand, and the rules that hold for all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from pixelreef.corpus.parts import PART_INDEX
from pixelreef.errors import InputError
from pixelreef.sprites.breed.inherit import (
    DRAWN,
    FIRST,
    SECOND,
    Kind,
    Parent,
    grown,
    inherited,
    map_from_rows,
    mutated,
    rows_from_map,
    seamed,
)

SIZE = 16


def parent(rows: list[str], labels: list[str] | None = None) -> Parent:
    """Digits are colours; in `labels` b is body, e is eye, f is fin."""
    names = {".": "none", "b": "body", "e": "eye", "f": "fin"}
    cells = np.array([[0 if sign == "." else int(sign) for sign in row] for row in rows], np.uint8)
    told = [[PART_INDEX[names[sign]] for sign in row] for row in labels] if labels else None
    return Parent(cells, 0, None if told is None else np.array(told, np.uint8))


def box(top: int, left: int, size: int, colour: int) -> Parent:
    cells = np.zeros((SIZE, SIZE), np.uint8)
    cells[top : top + size, left : left + size] = colour
    return Parent(cells, 0)


def test_growing_goes_along_rows_and_columns() -> None:
    one = np.zeros((5, 5), np.bool_)
    one[2, 2] = True
    assert grown(one, 1).sum() == 5
    assert grown(one, 2).sum() == 13
    assert not grown(one, 1)[1, 1]


def test_a_seam_is_open_where_a_body_is_near_and_only_there() -> None:
    a, b = box(6, 2, 4, 1), box(6, 10, 4, 2)
    found = np.full((SIZE, SIZE), FIRST, np.uint8)
    found[:, 8:] = SECOND
    open_ = seamed(found, a, b, 2) == DRAWN
    assert set(np.nonzero(open_)[1]) == {6, 7, 8, 9}
    assert open_[7, 6:10].all()
    assert not open_[0].any()
    assert not open_[15].any()


def test_halves_are_of_both_and_differ_by_number() -> None:
    a, b = box(3, 3, 10, 1), box(3, 3, 10, 2)
    maps = [inherited(Kind.halves, a, b, np.random.default_rng(seed)) for seed in range(8)]
    for one in maps:
        shares = np.bincount(one[a.filled], minlength=3) / a.filled.sum()
        assert (shares > 0.15).all()
    assert len({one.tobytes() for one in maps}) > 4


def test_a_checker_has_its_squares_in_turn() -> None:
    a, b = box(0, 0, SIZE, 1), box(0, 0, SIZE, 2)
    found = inherited(Kind.checker, a, b, np.random.default_rng(0))
    assert {int(value) for value in np.unique(found)} == {DRAWN, FIRST, SECOND}
    first, second = found == FIRST, found == SECOND
    assert not (grown(first, 1) & second).any()


def test_a_prefix_is_the_upper_part_of_one_and_nothing_of_the_other() -> None:
    a, b = box(2, 2, 12, 1), box(0, 0, 4, 2)
    found = inherited(Kind.prefix, a, b, np.random.default_rng(1))
    stops = np.flatnonzero((found == DRAWN).all(axis=1))
    assert 2 + 12 * 0.3 <= stops[0] <= 2 + 12 * 0.7
    assert (found[: stops[0]] == FIRST).all()
    assert (found[stops[0] :] == DRAWN).all()


def test_a_silhouette_keeps_the_ground_of_one_and_the_inside_of_the_other() -> None:
    a, b = box(2, 2, 10, 1), box(6, 6, 10, 2)
    found = inherited(Kind.silhouette, a, b, np.random.default_rng(0))
    assert (found[~a.filled] == FIRST).all()
    inside = np.zeros((SIZE, SIZE), np.bool_)
    inside[7:11, 7:11] = True  # of both, but for the edges of each
    assert ((found == SECOND) == inside).all()
    assert (found[a.filled & ~inside] == DRAWN).all()


def test_parts_go_by_groups_and_what_one_loses_is_drawn() -> None:
    blank = ["." * 20] * 4
    rows = [*blank, *["....111111222222...."] * 4, *blank]
    labels = [*blank, *["....bbbbbbffffff...."] * 4, *blank]
    a = parent(rows, labels)
    b = parent([row.replace("1", "3").replace("2", "4") for row in rows], labels)
    seen = set()
    for seed in range(20):
        found = inherited(Kind.parts, a, b, np.random.default_rng(seed))
        assert (found[[0, -1]] == FIRST).all()  # ground of both, far from any body
        seen.add((int(found[5, 4]), int(found[5, 15])))
    assert {(FIRST, SECOND), (SECOND, FIRST)} <= seen
    assert all(pair != (DRAWN, DRAWN) for pair in seen)


def test_parts_need_sure_parents_and_a_mask_its_size() -> None:
    a = box(2, 2, 10, 1)
    with pytest.raises(InputError, match="must be asked of parents whose parts are sure, got an unsure one"):
        inherited(Kind.parts, a, a, np.random.default_rng(0))
    for mask, got in ((None, "none"), (np.ones((2, 3), np.uint8), "3 × 2")):
        with pytest.raises(InputError, match=f"--mask must be 16 × 16 pixels, got {got}"):
            inherited(Kind.mask, a, a, np.random.default_rng(0), mask)


def test_a_mask_says_what_is_whose() -> None:
    a, b = box(0, 0, SIZE, 1), box(0, 0, SIZE, 2)
    mask = np.full((SIZE, SIZE), SECOND, np.uint8)
    mask[:, :8] = FIRST
    mask[0, 0] = DRAWN
    found = inherited(Kind.mask, a, b, np.random.default_rng(0), mask)
    assert found[0, 0] == DRAWN
    found[0, 0] = FIRST
    assert (found[:, :6] == FIRST).all()
    assert (found[:, 10:] == SECOND).all()
    assert (found[:, 6:10] == DRAWN).all()


@given(some.floats(0, 1), some.integers(0, 99))
def test_mutation_opens_about_its_share_of_bodies_and_nothing_else(share: float, seed: int) -> None:
    a, b = box(2, 2, 10, 1), box(4, 4, 10, 2)
    before = inherited(Kind.halves, a, b, np.random.default_rng(seed))
    after = mutated(before, a, b, share, np.random.default_rng(seed))
    body = ((before == FIRST) & a.filled) | ((before == SECOND) & b.filled)
    opened = (after == DRAWN) & (before != DRAWN)
    assert not (opened & ~body).any()
    assert share * body.sum() <= opened.sum() <= share * body.sum() + 9
    assert ((after == before) | opened).all()


def test_a_map_is_text() -> None:
    found = np.array([[FIRST, SECOND], [DRAWN, FIRST]], np.uint8)
    assert rows_from_map(found) == ["AB", "*A"]
    assert (map_from_rows(["AB", "*A"]) == found).all()


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "mask must have rows of one length, got none"),
        (["AB", "A"], "mask must have rows of one length, got others"),
        (["Ab"], r"mask must be rows of A, B and \*, got 'b'"),
    ],
)
def test_what_is_no_map_is_said_to_be_none(rows: list[str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        map_from_rows(rows)


def test_a_map_that_was_made_is_as_good_a_mask() -> None:
    a, b = box(2, 2, 12, 1), box(2, 2, 12, 2)
    mask = np.full((SIZE, SIZE), SECOND, np.uint8)
    mask[:, :8] = FIRST
    found = inherited(Kind.mask, a, b, np.random.default_rng(0), mask)
    assert (inherited(Kind.mask, a, b, np.random.default_rng(0), found) == found).all()
