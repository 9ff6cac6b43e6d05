"""Baselines are complete, repeatable and damaged by exactly their dose; the checks fall with it."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from pixelreef.core.seeds import rng
from pixelreef.draw.baselines import DAMAGES, DOSES, NULLS, Entry, baselines, damaged, entrants
from pixelreef.draw.subjects import canonical
from pixelreef.draw.suite import suite


def entries(attempts: int = 1, seed: int = 0) -> list[Entry]:
    return list(baselines(suite().subjects, seed, attempts))


def test_every_entrant_draws_every_subject_at_every_attempt() -> None:
    found = {(entry.entrant, entry.subject, entry.attempt) for entry in entries(attempts=2)}
    ids = [subject.id for subject in suite().subjects]
    assert found == {(entrant, id, attempt) for entrant in entrants() for id in ids for attempt in range(2)}
    assert len(entrants()) == 6 + 3 * 5 + 1


def test_the_same_seed_gives_the_same_drawings() -> None:
    assert entries(seed=5) == entries(seed=5)
    assert entries(seed=5) != entries(seed=6)


def test_subjects_do_not_disturb_one_another() -> None:
    alone = list(baselines([suite()["sun"]], 0))
    assert alone == [entry for entry in entries() if entry.subject == "sun"]


def test_every_drawing_keeps_the_contract() -> None:
    for entry in entries():
        assert entry.drawing.cells.shape == (24, 24)
        assert 2 <= len(entry.drawing.palette) <= 10
        assert entry.drawing.cells.max() < len(entry.drawing.palette)


def test_flipping_changes_exactly_its_dose() -> None:
    reference = canonical()["mario"].reference
    for dose in DOSES:
        made = damaged(reference, "flipped", dose, rng(0, "flip"))
        assert np.count_nonzero(made.cells != reference.cells) == round(576 * dose / 100)


@pytest.mark.parametrize("damage", DAMAGES)
def test_doses_are_nested_and_bounded(damage: str) -> None:
    reference = canonical()["mario"].reference
    before = np.zeros((24, 24), bool)
    for dose in DOSES:
        made = damaged(reference, damage, dose, rng(1, damage))
        changed = made.cells != reference.cells
        assert np.count_nonzero(changed) <= round(576 * dose / 100)
        assert not (before & ~changed).any()
        before = changed
    assert before.any()


def test_shuffles_keep_what_they_shuffle() -> None:
    reference = canonical()["saturn"].reference
    rows = NULLS["shuffled-rows"](reference, rng(0, "rows")).cells
    pixels = NULLS["shuffled-pixels"](reference, rng(0, "pixels")).cells
    assert sorted(map(bytes, rows)) == sorted(map(bytes, reference.cells))
    assert sorted(pixels.ravel()) == sorted(reference.cells.ravel())


def test_a_real_answer_is_shuffled_where_there_is_one() -> None:
    answer = canonical()["mario"].reference
    made = {entry.entrant: entry.drawing for entry in baselines([suite()["sun"]], 0, answers={"sun": answer})}
    assert made["shuffled-pixels"].palette == made["shuffled-rows"].palette == answer.palette
    assert made["palette-noise"].palette == canonical()["sun"].reference.palette


def test_held_out_references_have_a_layout_for_every_attempt() -> None:
    made = [entry for entry in entries(attempts=3) if entry.entrant == "reference"]
    layouts = defaultdict(set)
    for entry in made:
        check = suite()[entry.subject].check
        assert check is None or check(entry.drawing).passed
        layouts[entry.subject].add(entry.drawing)
    assert {len(layouts[subject.id]) for subject in suite().subjects if not subject.specification} == {1}
    assert np.mean([len(layouts[subject.id]) for subject in suite().subjects if subject.specification]) > 2.5


def test_nulls_fail_and_damage_costs_passes() -> None:
    passed = defaultdict(list)
    for entry in entries(attempts=2, seed=1):
        check = suite()[entry.subject].check
        if check is not None:
            passed[entry.entrant].append(check(entry.drawing).passed)
    share = {entrant: float(np.mean(verdicts)) for entrant, verdicts in passed.items()}
    assert share["reference"] == 1
    assert max(share[null] for null in NULLS) <= 0.01, share
    for damage in DAMAGES:
        falls = [1.0, *(share[f"{damage}-{dose:02}"] for dose in DOSES)]
        assert falls == sorted(falls, reverse=True), (damage, falls)
        assert falls[-1] <= 0.1, (damage, falls)
