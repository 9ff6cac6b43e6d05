"""The harness: trials are told by numbers alone, can be stopped and gone on with, and plant what they say."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from photographs import encoded, fish_photo, reef_scene

from pixelreef.errors import InputError
from pixelreef.taste.charms import charms
from pixelreef.taste.evidence import Evidence, Figure, Gate
from pixelreef.taste.faults import faults
from pixelreef.taste.harness import CLEAN, Bench, Trial, planted, read_records, run_trial, run_trials
from pixelreef.taste.photo_folder import photographs_from_folder
from pixelreef.taste.sprites import Sprites
from pixelreef.taste.stage import Progress
from pixelreef.taste.trials import SIZES, calibration_trials, proof_trials
from pixelreef.taste.worlds import FOREIGN, World, in_palette, tokens

CELLS = tuple(f"{kind}/{tint}" for kind in "abcdef" for tint in "vwxyz")


class Seen:
    """A stage that measures how much of a cell can be seen."""

    name = "seen"
    gates = (Gate("seen", "seen", "share", "low", "what can be seen"),)

    def __init__(self) -> None:
        self.runs = 0

    def cost(self, sprites: Sprites) -> float:
        return 0.0

    def run(self, sprites: Sprites, seed: int, progress: Progress) -> Mapping[str, Evidence]:
        self.runs += 1
        return {
            cell: Evidence(len(places), {"share": Figure(float(sprites.opaque[places].mean()))})
            for cell, places in sprites.by_cell.items()
        }


def bench(stage: Seen) -> Bench:
    return Bench({"tokens": tokens()}, [stage])


def test_the_plan_follows_its_trial() -> None:
    trial = Trial("corpus", "any", 5, 200)
    plan = planted(trial, CELLS, with_learner=False)
    assert plan == planted(trial, CELLS, with_learner=False)
    assert plan != planted(replace(trial, seed=6), CELLS, with_learner=False)
    assert len(plan) in (14, 15)  # the last of an odd number can't be half of a mixed pair
    assert len({fault for fault, _, _ in plan.values()}) >= 6
    assert all("corpus" in faults()[fault].applies for fault, _, _ in plan.values())
    assert planted(replace(trial, clean=True), CELLS, with_learner=False) == {}


def test_labels_are_mixed_in_pairs() -> None:
    pairs = [
        (cell, fault, strength, partner, plan)
        for seed in range(20)
        for plan in [planted(Trial("samples", "any", seed, 200, 64), CELLS, with_learner=True)]
        for cell, (fault, strength, partner) in plan.items()
        if fault == "mixed"
    ]
    assert pairs
    for cell, fault, strength, partner, plan in pairs:
        assert plan[partner] == (fault, strength, cell)


def test_full_strength_comes_as_often_as_all_weaker_ones() -> None:
    plans = [planted(Trial("samples", "any", seed, 200, 64), CELLS, with_learner=True) for seed in range(40)]
    full = [strength == faults()[fault].full for plan in plans for fault, strength, _ in plan.values()]
    assert 0.4 < np.mean(full) < 0.6
    kinds = Counter(fault for plan in plans for fault, _, _ in plan.values())
    assert set(kinds) == set(faults())
    few = planted(Trial("samples", "any", 1, 200, 64), CELLS[:4], with_learner=False)
    assert len(few) <= 2


def test_a_trial_records_every_cell() -> None:
    records = run_trial(Trial("corpus", "tokens", 3, 8), bench(Seen()))
    assert [record.cell for record in records] == list(tokens().make(3, 1).names)
    assert {record.n for record in records} == {8}
    assert 0 < sum(record.fault != CLEAN for record in records) <= 6
    empty = [
        r.values["seen"]
        for seed in range(8)
        for r in run_trial(Trial("corpus", "tokens", seed, 8), bench(Seen()))
        if (r.fault, r.strength) == ("half_empty", 0.5)
    ]
    sound = [record.values["seen"] for record in records if record.fault == CLEAN]
    assert empty
    assert np.mean(empty) < 0.7 * np.mean(sound)


def test_samples_of_a_trial_are_none_of_its_real_sprites() -> None:
    records = run_trial(Trial("samples", "tokens", 4, 16, 8, clean=True), Bench({"tokens": tokens()}))
    assert {record.fault for record in records} == {CLEAN}
    assert {record.n for record in records} == {8}
    assert "samples_copied" in records[0].values
    assert np.median([record.values["samples_copied"] for record in records]) < 0.3


def test_a_run_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    stage, path = Seen(), tmp_path / "kept" / "trials.jsonl"
    trials = [Trial("corpus", "tokens", seed, 4) for seed in range(3)]
    first = run_trials(trials[:2], bench(stage), path)
    with path.open("a") as file:
        file.write('{"trial": {"side": "corp')  # killed in the middle of a line
    heard: list[tuple[int, int]] = []
    records = run_trials(trials, bench(stage), path, lambda done, of, left: heard.append((done, of)))
    assert stage.runs == 3
    assert heard == [(1, 1)]
    assert records[: len(first)] == first
    assert [trial for trial, _ in read_records(path)] == trials
    assert run_trials(trials, bench(stage), path) == records
    assert stage.runs == 3


def test_lines_that_are_no_trial_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "trials.jsonl"
    good = {
        "trial": {"side": "corpus", "world": "w", "seed": 1, "per_cell": 2},
        "cells": [["a", "clean", 0, 2, {"g": 1}]],
    }
    strange = [[], {}, {"trial": {"x": 1}}, {**good, "cells": [1]}, {**good, "cells": [["a", "b", "c", "d", "e"]]}]
    path.write_text("\n".join(json.dumps(line) for line in [*strange, good]) + "\nno json\n")
    assert [(trial.seed, records[0].values) for trial, records in read_records(path)] == [(1, {"g": 1.0})]
    assert list(read_records(tmp_path / "none")) == []


def test_an_unknown_world_is_refused() -> None:
    with pytest.raises(InputError, match="be one of tokens"):
        run_trial(Trial("corpus", "moon", 1, 4), bench(Seen()))


def test_calibration_and_proof_share_no_seed() -> None:
    calibration = {trial.seed for seed in range(3) for trial in calibration_trials("reef", ["tokens"], seed, 40)}
    proof = {trial.seed for seed in range(3) for trial in proof_trials("reef", ["tokens"], seed, 40)}
    assert not calibration & proof


def test_trials_cover_both_sides_all_sizes_and_other_worlds() -> None:
    trials = calibration_trials("reef", ["tokens"], rounds=2)
    assert Counter(trial.side for trial in trials) == {"corpus": 22, "samples": 22}
    assert Counter(trial.world for trial in trials) == {"reef": 24, "tokens": 20}
    assert {trial.n for trial in trials if trial.side == "samples"} == {*SIZES, 64}
    proof = proof_trials("reef", ["tokens", "reef 16"], rounds=10, sides=["samples"])
    clean = [trial for trial in proof if trial.clean and trial.world == "reef"]
    assert len(clean) == 20  # of thirty cells: the 600 on which false alarms are counted
    assert {trial.world for trial in proof} == {"reef", "tokens", "reef 16"}
    assert len(set(proof)) == len(proof)


@pytest.mark.parametrize("world", [tokens(), charms()], ids=lambda world: world.name)
def test_worlds_are_drawn_by_seed_in_every_cell(world: World) -> None:
    made = world.make(1, 5)
    first, second = made.factors.values()
    assert made.names == tuple(f"{one}/{two}" for one in first for two in second)
    assert (made.cells == world.make(1, 5).cells).all()
    assert (made.cells != world.make(2, 5).cells).any()
    assert len(np.unique(made.cells, axis=0)) == len(made)
    assert ((made.cells != 0).mean(axis=(1, 2)) > 0.05).all()


def test_another_palette_changes_colours_and_no_shapes() -> None:
    two = World("two", tokens().make)
    other = in_palette(two, type(FOREIGN)(255 - FOREIGN.rgb, 0)).make(1, 3)
    assert ((other.cells == 0) == (two.make(1, 3).cells == 0)).all()
    assert (other.cells != two.make(1, 3).cells).any()


def test_real_photographs_are_taken_from_a_folder(tmp_path: Path) -> None:
    (tmp_path / "fish.jpg").write_bytes(encoded(fish_photo()))
    (tmp_path / "scene.png").write_bytes(encoded(reef_scene(), "PNG"))
    (tmp_path / "broken.jpg").write_bytes(b"\xff\xd8\xff nothing")
    made = photographs_from_folder(tmp_path)
    small = made((24, 24), FOREIGN)
    assert small is not None
    assert small.shape == (2, 24, 24)
    assert small.max() < len(FOREIGN)
    assert 0 < (small[0] != 0).mean() < 0.9  # the fish is cut out
    assert (small[1] != 0).all()
    assert made((24, 16), FOREIGN) is None
    with pytest.raises(InputError, match="be a folder"):
        photographs_from_folder(tmp_path / "none")
