"""Planted histories: what became better, and where a ceiling is."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trail.histories import CELLS, FIELDS, LIMITS, hash_of, history, run, words

from pixelreef.taste.samples import WORDS as FAULTS
from pixelreef.trail.comparison import RANKS, Ceiling, ceilings, comparisons, learned, rank
from pixelreef.trail.iterations import Iteration, iterations_from_records
from pixelreef.trail.record import Record

STUCK = ["wnnc"] * 5
FALLING = [0.5, 0.48, 0.45, 0.43, 0.42]


def joined(records: list[Record]) -> tuple[Iteration, ...]:
    return iterations_from_records(records).iterations


def found(records: list[Record], falls: int = 3) -> list[Ceiling]:
    return ceilings(joined(records), falls)


def test_every_fault_of_taste_has_a_rank_below_weak() -> None:
    assert all(RANKS[fault] == 0 for fault in FAULTS.values())
    assert rank("learned") == 2
    assert rank("weak") == 1
    assert rank("too few to tell") is None
    assert rank("<script>") is None


def test_loss_that_falls_while_no_cell_improves_is_a_ceiling() -> None:
    (one,) = found(history(FALLING[:4], STUCK[:4]))
    assert one.iterations == (1, 2, 3, 4)
    assert one.losses == (0.5, 0.48, 0.45, 0.43)
    assert one.stuck == CELLS
    assert one.now
    assert "fell in iterations 2, 3 and 4, from iteration 1 on (0.500 → 0.480 → 0.450 → 0.430" in one.words


def test_two_falls_are_none_unless_two_are_asked_for() -> None:
    assert found(history(FALLING[:3], STUCK[:3])) == []
    assert [one.iterations for one in found(history(FALLING[:3], STUCK[:3]), falls=2)] == [(1, 2, 3)]


def test_one_cell_that_improves_is_enough() -> None:
    verdicts = ["wnnc", "wnnc", "wnnw", "wnnw", "wnnw"]
    assert found(history(FALLING, verdicts)) == []
    assert [one.iterations for one in found(history(FALLING, verdicts), falls=2)] == [(3, 4, 5)]


def test_a_cell_that_goes_down_and_comes_back_has_not_improved() -> None:
    (one,) = found(history(FALLING[:4], ["wnnc", "nnnc", "wnnc", "wnnc"]))
    assert one.iterations == (1, 2, 3, 4)


def test_another_fault_is_no_improvement() -> None:
    assert found(history(FALLING[:4], ["nnnn", "nncn", "cnnn", "cccc"]))


@pytest.mark.parametrize("losses", [[0.5, 0.48, 0.49, 0.43], [0.5, 0.5, 0.45, 0.43], [0.4, 0.42, 0.45, 0.5]])
def test_where_loss_rises_or_stays_there_is_none(losses: list[float]) -> None:
    assert found(history(losses, STUCK[:4])) == []


def test_where_all_is_learned_there_is_nothing_to_hit() -> None:
    assert found(history(FALLING, ["llll"] * 5)) == []
    (one,) = found(history(FALLING, ["lllw"] * 5))
    assert one.stuck == ("jellyfish/hadal",)


def test_a_ceiling_that_was_broken_is_no_longer_now() -> None:
    (one,) = found(history([*FALLING[:4], 0.41], [*STUCK[:4], "lnnc"]))
    assert one.iterations == (1, 2, 3, 4)
    assert not one.now


def test_another_shape_begins_anew() -> None:
    wider = {**FIELDS, "model": {"trunk_width": 192}}
    records = history(FALLING[:2], STUCK[:2])
    records += [run(number, loss, "wnnc", fields=wider) for number, loss in ((3, 0.45), (4, 0.43), (5, 0.42))]
    assert found(records) == []
    assert found([*records, run(6, 0.41, "wnnc", fields=wider)])[0].iterations == (3, 4, 5, 6)


def test_other_steps_and_other_data_do_not_begin_anew() -> None:
    records = [
        run(1, 0.5, "wnnc", "reef"),
        run(2, 0.48, "wnnc", "photos", fields={**FIELDS, "steps": 900}),
        run(3, 0.45, "wnnc", "sheets"),
        run(4, 0.43, "wnnc", "mix"),
    ]
    assert found(records)[0].iterations == (1, 2, 3, 4)
    notes = [note for one in comparisons(joined(records)) for note in one.notes]
    assert notes[0] == "Iterations 1 and 2 have other corpora: their losses are of other sprites."


def test_iterations_that_nobody_judged_are_passed_over() -> None:
    records = history([0.5, 0.48, 0.6, 0.45, 0.43], ["wnnc", "wnnc", "----", "wnnc", "wnnc"])
    assert found(records)[0].iterations == (1, 2, 4, 5)
    assert found(history([0.5, 0.48, None, 0.43], STUCK[:4])) == []


def test_cells_of_which_nothing_can_be_told_are_no_ceiling() -> None:
    assert found(history(FALLING, ["????"] * 5)) == []
    assert found(history(FALLING[:4], ["wn--", "--nn", "wn--", "--nn"])) == []


def test_one_iteration_has_nothing_to_be_compared_with() -> None:
    (only,) = joined(history([0.5], ["lwnc"]))
    assert learned(only) == 1
    assert comparisons([only]) == []
    assert ceilings([only]) == []
    assert comparisons([]) == []
    assert ceilings([]) == []


def test_every_cell_is_better_the_same_or_worse_than_before() -> None:
    records = history([0.5, 0.6, 0.4], ["lwnc", "----", "wlc?"])
    (one,) = comparisons(joined(records))
    assert (one.iteration, one.against) == (3, 1)
    assert [cell.change for cell in one.cells.values()] == ["worse", "better", "same", "not told"]
    assert [one.count(change) for change in ("better", "same", "worse", "not told")] == [1, 1, 1, 1]
    assert one.loss == pytest.approx(-0.1)
    assert one.cells["coral/abyss"].loss == pytest.approx(-0.1)


def test_a_cell_is_held_against_the_last_iteration_that_told_of_it() -> None:
    """The second corpus has two other cells, and the third can tell nothing of one."""
    records = [run(1, 0.5, "ln--"), run(2, 0.6, "--nw", "photos"), run(3, 0.4, "w?l-"), run(4, 0.3, "nwl-")]
    _, third, fourth = comparisons(joined(records))
    assert {cell: (of.change, of.against) for cell, of in third.cells.items()} == {
        "coral/abyss": ("worse", 1),
        "coral/hadal": ("not told", 1),
        "jellyfish/abyss": ("better", 2),
        "jellyfish/hadal": ("not told", 2),
    }
    assert third.against == 2
    assert third.cells["coral/abyss"].loss == pytest.approx(-0.1)
    assert third.notes == ("Iterations 2 and 3 have other corpora: their losses are of other sprites.",)
    assert fourth.cells["coral/hadal"].change == "better"
    assert fourth.cells["coral/hadal"].against == 1


def test_losses_of_cells_are_not_compared_across_corpora_and_other_limits_are_said() -> None:
    other = Record(**{**vars(run(2, 0.4, "lwnc", "photos")), "calibration": "cb" * 16})
    (one,) = comparisons(joined([run(1, 0.5, "lwnc"), other]))
    assert {cell.loss for cell in one.cells.values()} == {None}
    assert one.loss == pytest.approx(-0.1)
    assert len(one.notes) == 2
    assert one.notes[1] == "Iterations 1 and 2 were judged by other limits."


def test_cells_that_are_new_or_gone_are_not_told() -> None:
    before = Record(**{**vars(run(1, 0.5, "lwnc")), "verdicts": {"old": "noise", "both": "noise"}})
    now = Record(**{**vars(run(2, 0.4, "lwnc")), "verdicts": {"both": "weak", "new": "learned"}})
    (one,) = comparisons(joined([before, now]))
    assert {cell: of.change for cell, of in one.cells.items()} == {
        "both": "better",
        "new": "not told",
        "old": "not told",
    }


def told_by(letters: str) -> st.SearchStrategy[list[tuple[float, str]]]:
    losses = st.sampled_from([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    return st.lists(st.tuples(losses, st.text(letters, min_size=4, max_size=4)), max_size=9)


def holds(rows: list[tuple[float, str]]) -> bool:
    """Whether loss falls at every step, and no cell rises above its best, worked out from scratch."""
    if any(two[0] >= one[0] for one, two in pairwise(rows)):
        return False
    for now in range(1, len(rows)):
        before = [words(verdicts) for _, verdicts in rows[:now]]
        ranks = {cell: [r for one in before if (r := rank(one[cell])) is not None] for cell in CELLS}
        here = {cell: rank(word) for cell, word in words(rows[now][1]).items()}
        shared = [cell for cell in CELLS if ranks[cell] and here[cell] is not None]
        if not shared or any((here[cell] or 0) > max(ranks[cell]) for cell in shared):
            return False
    return True


def never_learned(rows: list[tuple[float, str]]) -> list[str]:
    told = [words(verdicts) for _, verdicts in rows]
    return [cell for cell in CELLS if rank(told[-1][cell]) is not None and all(one[cell] != "learned" for one in told)]


@given(told_by("lwnc"), st.integers(1, 3))
def test_ceilings_are_what_a_search_of_all_rows_finds(told: list[tuple[float, str]], falls: int) -> None:
    """Every row of neighbours is tried; those inside a longer one go."""
    records = history([loss for loss, _ in told], [verdicts for _, verdicts in told])
    places = [(start, end) for end in range(len(told)) for start in range(end + 1) if holds(told[start : end + 1])]
    longest = [one for one in places if not any(o != one and o[0] <= one[0] and one[1] <= o[1] for o in places)]
    rows = [(a, b) for a, b in longest if b - a >= falls and never_learned(told[a : b + 1])]
    assert [one.iterations for one in found(records, falls)] == [tuple(range(a + 1, b + 2)) for a, b in rows]


@given(told_by("lwnc?"), st.integers(1, 3))
def test_ceilings_hold_and_do_not_overlap(told: list[tuple[float, str]], falls: int) -> None:
    records = history([loss for loss, _ in told], [verdicts for _, verdicts in told])
    ends = 0
    for one in found(records, falls):
        rows = told[one.iterations[0] - 1 : one.iterations[-1]]
        assert holds(rows)
        assert list(one.stuck) == never_learned(rows)
        assert one.iterations[0] > ends
        ends = one.iterations[-1]
        assert one.now == (ends == len(told))
        assert ends == len(told) or not holds(told[one.iterations[0] - 1 : ends + 1])


def test_planted_hashes_differ() -> None:
    assert len({hash_of(f"run {number}") for number in range(1, 30)} | {LIMITS}) == 30
