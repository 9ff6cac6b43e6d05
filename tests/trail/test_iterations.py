"""Records joined by hashes."""

from __future__ import annotations

from typing import Any

import pytest
from trail.histories import LIMITS, at, hash_of, history, run, words

from pixelreef.trail.iterations import iterations_from_records
from pixelreef.trail.record import Record, Sheet


def corpus(minute: int, name: str, parents: tuple[str, ...] = ()) -> Record:
    made = {"count": 100, "cells": 4, "parents": [hash_of(one) for one in parents]}
    return Record("corpus", at(minute), corpus=hash_of(name), recipe="make", made=made, id=f"{minute:012x}")


def forecast(minute: int, name: str, word: str = "pass") -> Record:
    return Record("forecast", at(minute), corpus=hash_of(name), verdicts={"coral": word}, id=f"{minute:012x}")


def verdict(minute: int, letters: str, weights: str = "", name: str = "reef", **other: Any) -> Record:
    return Record(
        "verdict",
        at(minute),
        corpus=hash_of(name),
        weights=hash_of(weights) if weights else "",
        calibration=LIMITS,
        verdicts=words(letters),
        id=f"{minute:012x}",
        **other,
    )


def test_corpus_forecast_run_and_verdict_are_one_iteration() -> None:
    records = [corpus(1, "reef"), forecast(2, "reef"), run(1, 0.5, "nnnn"), verdict(90, "lwnc", "run 1")]
    found = iterations_from_records(records)
    (one,) = found.iterations
    assert one.records == tuple(records)
    assert (one.number, one.joined, one.loss) == (1, "weights", 0.5)
    assert one.verdicts == words("lwnc")
    assert found.unused == ()


def test_without_a_verdict_of_its_own_the_run_has_what_it_was_given_at_its_end() -> None:
    (one,) = iterations_from_records([run(1, 0.5, "lwnc")]).iterations
    assert one.verdicts == words("lwnc")
    assert (one.corpus, one.forecast, one.verdict, one.joined) == (None, None, None, "")


def test_the_last_verdict_counts() -> None:
    records = [run(1, 0.5, "nnnn"), verdict(90, "wwww", "run 1"), verdict(95, "llll", "run 1")]
    assert iterations_from_records(records).iterations[0].verdicts == words("llll")


def test_samples_go_to_the_run_of_their_weights_whatever_came_between() -> None:
    records = [*history([0.5, 0.4], ["nnnn", "nnnn"]), verdict(200, "lwnc", "run 1"), verdict(201, "llll", "run 2")]
    one, two = iterations_from_records(records).iterations
    assert (one.verdicts, two.verdicts) == (words("lwnc"), words("llll"))


def test_samples_that_name_no_weights_go_to_the_last_run_on_their_corpus() -> None:
    records = [run(1, 0.5, "nnnn"), run(2, 0.4, "nnnn", "photos"), verdict(200, "lwnc")]
    one, two = iterations_from_records(records).iterations
    assert (one.verdicts, one.joined) == (words("lwnc"), "corpus")
    assert (two.verdict, two.joined) == (None, "")


def test_samples_of_nobody_are_iterations_of_their_own() -> None:
    records = [verdict(1, "nnnn"), verdict(2, "lwnc", "stranger"), run(1, 0.5, "wwww"), verdict(90, "wwww", "stranger")]
    found = iterations_from_records(records).iterations
    assert [one.run is None for one in found] == [True, True, False]
    assert found[1].verdicts == words("wwww")
    assert found[0].loss is None
    assert {one.joined for one in found} == {""}


def test_a_run_that_is_recorded_after_its_verdict_takes_it() -> None:
    (one,) = iterations_from_records([verdict(1, "lwnc", "run 1"), run(1, 0.5, "nnnn")]).iterations
    assert (one.joined, one.loss, one.verdicts) == ("weights", 0.5, words("lwnc"))


def test_a_run_that_is_found_finished_is_the_same_iteration() -> None:
    again = Record(**{**vars(run(1, 0.5, "lwnc")), "note": "again", "id": "f" * 12})
    (one,) = iterations_from_records([run(1, 0.5, "lwnc"), again]).iterations
    assert one.run == again


def test_the_forecast_before_the_run_is_taken_before_one_after_it() -> None:
    records = [forecast(1, "reef", "warn"), run(1, 0.5, "lwnc"), forecast(90, "reef", "fail")]
    first = iterations_from_records(records).iterations[0].forecast
    assert first is not None
    assert first.verdicts == {"coral": "warn"}
    after = iterations_from_records(records[1:]).iterations[0].forecast
    assert after is not None
    assert after.verdicts == {"coral": "fail"}


def test_what_no_run_has_followed_is_kept_apart_but_for_what_was_mixed() -> None:
    records = [
        corpus(1, "reef"),
        corpus(2, "photos"),
        corpus(3, "half", ("reef", "photos")),
        corpus(4, "mix", ("half",)),
        corpus(5, "tiles"),
        forecast(6, "tiles"),
        forecast(7, "tiles"),
        run(1, 0.5, "lwnc", "mix"),
    ]
    found = iterations_from_records(records)
    assert [(one.kind, one.time) for one in found.unused] == [("corpus", at(5)), ("forecast", at(7))]


def test_corpora_that_are_each_others_parents_end() -> None:
    records = [corpus(1, "a", ("b",)), corpus(2, "b", ("a",)), run(1, 0.5, "lwnc", "a")]
    assert iterations_from_records(records).unused == ()


def test_records_without_hashes_are_never_joined() -> None:
    bare = Record(**{**vars(run(1, 0.5, "lwnc")), "corpus": "", "weights": ""})
    records = [Record("corpus", at(0)), bare, bare, Record("verdict", at(90), verdicts=words("llll"))]
    found = iterations_from_records(records).iterations
    assert len(found) == 3
    assert all(one.corpus is None for one in found)


def test_notes_find_their_iteration_also_through_a_record_that_was_replaced() -> None:
    records = [
        corpus(1, "reef"),
        run(1, 0.5, "nnnn", note="first"),
        verdict(90, "wwww", "run 1", note="second"),
        verdict(95, "llll", "run 1"),
        Record("note", at(96), note="third", about=f"{90:012x}"),
        Record("note", at(97), note="of the data", about=f"{1:012x}"),
        Record("note", at(98), note="lost", about="e" * 12),
        Record("note", at(99), about=f"{90:012x}"),
    ]
    found = iterations_from_records(records)
    assert set(found.iterations[0].notes) == {"first", "second", "third", "of the data"}
    assert found.notes == ("lost",)


def test_mean_loss_is_that_of_the_cells_where_the_run_does_not_say() -> None:
    told = Record(**{**vars(run(1, None, "lwnc")), "losses": {"a": 0.2, "b": 0.4}})
    assert iterations_from_records([told]).iterations[0].loss == pytest.approx(0.3)
    assert iterations_from_records([run(1, None, "lwnc")]).iterations[0].loss is None


def test_the_last_sheet_of_a_run_and_the_first_of_a_verdict_are_shown() -> None:
    drawn = tuple(Sheet(f"run/sheet-{step}.png", "") for step in (1, 2))
    beside = tuple(Sheet(f"judged/{name}.png", "") for name in ("samples", "cells"))
    records = [run(1, 0.5, "nnnn", sheets=drawn), verdict(90, "lwnc", "run 1", sheets=beside)]
    shown = iterations_from_records(records).iterations[0].sheets
    assert [(kind, sheet.path) for kind, sheet in shown] == [
        ("run", "run/sheet-2.png"),
        ("verdict", "judged/samples.png"),
    ]


def test_an_empty_trail_has_no_iterations() -> None:
    found = iterations_from_records([])
    assert (found.iterations, found.unused, found.notes) == ((), (), ())
