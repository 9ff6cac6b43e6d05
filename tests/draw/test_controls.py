"""Baselines as attempts, and the flags that they raise."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from draw.replies_made import attempts, reference_text, reply

from pixelreef.draw.baselines import DAMAGES, DOSES, NULLS, entrants
from pixelreef.draw.boards import SCORES, standings
from pixelreef.draw.controls import baseline_attempts, control_of, flags, is_baseline, with_baselines
from pixelreef.draw.find import find_subjects
from pixelreef.draw.score import Attempt, score_replies
from pixelreef.metrics.profile import composites
from pixelreef.runs.replies import Reply


@pytest.fixture(scope="module")
def controls() -> list[Attempt]:
    return baseline_attempts([], seed=0)


def test_every_baseline_is_read_like_a_reply(controls: list[Attempt]) -> None:
    assert {attempt.entrant for attempt in controls} == set(entrants())
    assert all(attempt.valid == 1 and is_baseline(attempt) for attempt in controls)
    assert all(one.baseline for one in standings(controls[:22]))


def test_composites_and_headline_are_not_flagged(controls: list[Attempt]) -> None:
    found = flags(controls)
    assert not {"usable", *composites()} & set(found)


def test_on_the_frozen_suite_references_beat_every_null_and_scores_fall_with_every_dose() -> None:
    asked = score_replies([Reply("asked", subject.id, "") for subject in find_subjects("draw-1")])
    found = {one.entrant: one.scores for one in standings(baseline_attempts(asked, seed=0))}
    for name in ("usable", *composites()):
        means = {entrant: scores[name].mean or 0.0 for entrant, scores in found.items()}
        assert all(means["reference"] > means[null] for null in NULLS), name
        for damage in DAMAGES:
            curve = [means["reference"], *(means[f"{damage}-{dose:02}"] for dose in DOSES)]
            assert all(less < more or more == 0 for more, less in pairwise(curve)), (name, damage, curve)


def test_what_a_null_ties_is_flagged(controls: list[Attempt]) -> None:
    found = flags(controls)
    assert {"valid", "json_validity", "readable"} <= set(found)
    assert found["valid"].startswith("The null “blank” does as well as the references (1.000 against 1.000)")


def by_control(values: dict[str, float]) -> Callable[[Attempt], float | None]:
    return lambda attempt: values[control_of(attempt)]


def falling() -> dict[str, float]:
    """A score as it should be: nulls 0, the reference 1, each dose lower."""
    damaged = {f"{damage}-{dose:02}": 1 - dose / 100 for damage in DAMAGES for dose in DOSES}
    return {**dict.fromkeys(NULLS, 0.0), **damaged, "reference": 1.0}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, ""),
        ({"shuffled-rows": 1.5}, "The null “shuffled-rows” beats the references (1.500 against 1.000)"),
        ({"merged-40": 0.9}, "Does not fall with damage: 0.800 with 20 % of cells merged, 0.900 with 40 %."),
        ({"flipped-05": 1.1}, "Does not fall with damage: 1.000 with 0 % of cells flipped, 1.100 with 5 %."),
        (
            dict.fromkeys((f"shifted-{dose:02}" for dose in DOSES), 1.0),
            "as high with 80 % of cells shifted as with none",
        ),
    ],
)
def test_a_planted_bad_score(controls: list[Attempt], change: dict[str, float], said: str) -> None:
    found = flags(controls, {"planted": by_control({**falling(), **change})})
    assert said in found.get("planted", "")
    assert bool(found) == bool(said)


def test_a_score_that_is_better_when_low(controls: list[Attempt]) -> None:
    turned = {name: 1 - value for name, value in falling().items()}
    assert flags(controls, {"planted": by_control(turned)}, lower=frozenset({"planted"})) == {}
    assert "planted" in flags(controls, {"planted": by_control(turned)})


def test_a_score_that_is_missing_throughout(controls: list[Attempt]) -> None:
    assert flags(controls, {"planted": lambda attempt: None}) == {}


def test_without_baselines_nothing_is_flagged() -> None:
    assert flags(attempts([reply("reference", "sun", reference_text("sun"))])) == {}


def test_an_entrant_named_as_a_baseline_stays_apart() -> None:
    found = with_baselines(attempts([reply("blank", "sun", reference_text("sun"))]), seed=0)
    named = {one.entrant: one for one in standings(found)}
    assert not named["blank"].baseline
    assert named["blank"].scores["usable"].mean == 1
    assert named["blank (baseline)"].baseline
    assert named["blank (baseline)"].control == "blank"
    assert with_baselines(found, seed=0) == found, "baselines are added once"


def test_baselines_are_of_the_subjects_at_hand_and_of_the_seed() -> None:
    given = attempts([reply("a", "sun", "")])
    first, again, other = (baseline_attempts(given, seed) for seed in (1, 1, 2))
    assert {one.reply.item for one in first} == {"sun"}
    assert [one.reply for one in first] == [one.reply for one in again] != [one.reply for one in other]


def test_scores_have_values_for_every_baseline(controls: list[Attempt]) -> None:
    for name, value in SCORES.items():
        assert all(value(one) is not None for one in controls if one.reply.item != "hope"), name
