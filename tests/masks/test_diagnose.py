from __future__ import annotations

import json
from collections import Counter
from functools import cache, partial
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixelreef.core.seeds import rng
from pixelreef.errors import ImageError, InputError
from pixelreef.masks import faults
from pixelreef.masks.classes import Classes, MaskClass
from pixelreef.masks.controls import CONTROLS, control_picture
from pixelreef.masks.dataset import MadeDataset
from pixelreef.masks.datasets import dataset
from pixelreef.masks.diagnosis import geometry, naming
from pixelreef.masks.diagnosis.calibration import DATASETS, calibrate
from pixelreef.masks.diagnosis.diagnose import diagnose, evidence
from pixelreef.masks.diagnosis.findings import FAMILIES, Diagnosis
from pixelreef.masks.diagnosis.geometry import Move
from pixelreef.masks.diagnosis.honest import BEST, WORST, honest_mask
from pixelreef.masks.diagnosis.nulls import FLOORS, REPAIR_FLOOR, Nulls, shipped_nulls
from pixelreef.masks.diagnosis.overlay import ARROW, BORDER, overlay
from pixelreef.masks.diagnosis.planted import KINDS, TRIAL_SEED, kinds_of, plant, planted, table_of_trial, trial
from pixelreef.masks.diagnosis.points import Table, match, points, table_of
from pixelreef.masks.diagnosis.shifts import Shifts
from pixelreef.masks.diagnosis.verdicts import verdicts
from pixelreef.masks.exhibit import Exhibit, exhibit_of
from pixelreef.masks.render import Rgb, rgb_from_labels
from pixelreef.masks.soften import Jpeg, through_jpeg
from pixelreef.metrics.overlap import Labels, count, mean_iou

NAMES = ["ground", "face", "left_eye", "right_eye", "mouth"]
COLOURS = [(0, 0, 0), (204, 0, 0), (51, 51, 255), (204, 0, 204), (0, 204, 0)]
PARTNERS = {"left_eye": "right_eye", "right_eye": "left_eye"}
FACE = Classes(
    tuple(
        MaskClass(name, colour, index, partner=PARTNERS.get(name))
        for index, (name, colour) in enumerate(zip(NAMES, COLOURS, strict=True))
    )
)


def face() -> Labels:
    """A face that is not symmetric, 128 pixels a side."""
    y, x = np.mgrid[:128, :128]
    labels = np.zeros((128, 128), np.uint8)
    labels[np.hypot((y - 66) / 1.3, x - 60) < 40] = 1
    labels[np.hypot(y - 50, x - 78) < 8] = 2
    labels[np.hypot(y - 54, x - 44) < 10] = 3
    labels[88:98, 46:80] = 4
    return labels


def photograph() -> Rgb:
    """Something with detail everywhere."""
    random = np.random.default_rng(5)
    coarse = random.integers(0, 256, (32, 32, 3), np.uint8)
    return coarse.repeat(4, axis=0).repeat(4, axis=1)


TRUTH = face()
EXHIBIT = Exhibit(TRUTH, FACE, photograph())


def said(labels: Labels) -> Diagnosis:
    return diagnose(rgb_from_labels(labels, FACE), TRUTH, FACE, EXHIBIT.photograph)


# Words


def test_every_fault_of_labels_is_said_as_one_would() -> None:
    assert said(TRUTH).words == "clean"
    assert said(faults.shifted(TRUTH, 3, -1)).words == "shifted by (3, −1)"
    assert said(faults.flipped(TRUTH)).words == "flipped left to right"
    assert said(faults.flipped(TRUTH, (0, 1))).words == "turned by 180°"
    assert said(faults.scaled(TRUTH, 0.9)).words.startswith("scaled by 0.9")
    assert said(faults.sides_swapped(TRUTH, FACE)).words == "labels swapped: left_eye ↔ right_eye"
    assert said(faults.renamed(TRUTH, {1: 4, 4: 1})).words == "labels swapped: face ↔ mouth"
    assert said(faults.renamed(TRUTH, {1: 4, 4: 2, 2: 1})).words == "labels permuted: face → mouth → left_eye → face"
    assert said(faults.without(TRUTH, [2, 4])).words == "half the classes missing: left_eye, mouth"
    assert said(faults.without(TRUTH, [2, 3, 4])).words == "half the classes missing: left_eye, right_eye, mouth"
    assert said(faults.without(TRUTH, [1, 2, 3, 4])).verdict == "blank"


@pytest.mark.parametrize(
    ("control", "words"),
    [
        ("own-colours", "right regions, wrong colours: 9"),
        ("painted-over", "painted over the photograph, which shows through by 50%"),
        ("outlines", "outlines only"),
        ("legend", "legend drawn inside"),
        ("photograph", "returned the photograph"),
        ("blank", "blank: one colour everywhere"),
        ("noise", "noise"),
        ("softened", "clean"),
        ("jpeg-75", "clean"),
    ],
)
def test_every_fault_of_the_picture_is_said_as_one_would(control: str, words: str) -> None:
    picture = control_picture(CONTROLS[control], EXHIBIT)
    assert diagnose(picture, TRUTH, FACE, EXHIBIT.photograph).words.startswith(words)


def test_thin_parts_that_are_all_that_is_left_are_no_outlines() -> None:
    truth = np.zeros((128, 128), np.uint8)
    truth[12:60, 24:104] = 1
    for left in range(26, 104, 10):
        truth[60:116, left : left + 2] = 2
    without = rgb_from_labels(faults.without(truth, [1], filling=0), FACE)
    assert diagnose(without, truth, FACE).words == "half the classes missing: face"
    lines = faults.outlined(Exhibit(truth, FACE), 2)
    assert diagnose(lines, truth, FACE).verdict == "outlines"


def test_a_legend_as_small_as_the_parts_of_the_picture_is_told_from_them() -> None:
    """Squares of the size of a swatch are everywhere in the truth, and one class has no larger area than its swatch."""
    truth = np.zeros((256, 256), np.uint8)
    truth[150:250, 20:120] = 1
    for place in range(20):
        truth[20 + 8 * (place % 2) : 26 + 8 * (place % 2), 12 * place : 12 * place + 6] = 2 + place % 2
    truth[200:206, 200:206] = 4
    one = Exhibit(truth, FACE)
    for picture in (drawn := faults.with_legend(one, 6, "bottom right", None)), through_jpeg(drawn, Jpeg(90)):
        found = diagnose(picture, truth, FACE)
        assert found.words == "legend drawn inside"
        box = found.findings[0].box
        assert box is not None
        assert box.top > 206


def test_squares_everywhere_are_no_legend() -> None:
    labels = np.random.default_rng(2).integers(1, 5, (16, 32)).astype(np.uint8).repeat(8, axis=0).repeat(8, axis=1)
    grid = np.arange(256) % 8 < 6
    mask = np.zeros((256, 256), np.uint8)
    mask[:128] = np.where(grid[:128, None] & grid, labels, 0)
    truth = np.zeros((256, 256), np.uint8)
    truth[140:250, 20:240] = 1
    mask[140:250, 20:240] = 1
    assert "legend" not in diagnose(rgb_from_labels(mask, FACE), truth, FACE).points


def test_two_faults_are_told_one_after_the_other() -> None:
    found = said(faults.shifted(faults.sides_swapped(TRUTH, FACE), 4, 2))
    assert {one.fault for one in found.findings} == {"swapped", "shifted"}
    assert "; then " in found.words
    assert found.split["geometry"] > 5
    assert found.split["left and right"] > 20
    assert found.split["region"] < 3


def test_beneath_the_photograph_lies_the_mask() -> None:
    for opacity in (0.4, 0.7):
        found = diagnose(faults.painted_over(EXHIBIT, opacity), TRUTH, FACE, EXHIBIT.photograph)
        assert found.verdict == "painted over"
        assert found.findings[0].points is not None
        assert found.score + found.findings[0].points > 95


def test_without_a_photograph_nothing_is_said_of_it() -> None:
    picture = control_picture(CONTROLS["photograph"], EXHIBIT)
    assert diagnose(picture, TRUTH, FACE).verdict != "photograph"


# Points


def test_points_are_a_hundred_times_the_primary_figure() -> None:
    wrong = faults.shifted(TRUTH, 5, 5)
    expected = 100 * mean_iou(count(TRUTH, wrong, len(FACE)), "union")
    assert said(wrong).score == pytest.approx(expected)
    assert match(TRUTH, wrong, FACE).score(match(TRUTH, wrong, FACE).predicted) == pytest.approx(expected)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_lost_is_split_without_a_rest(kind: str) -> None:
    picture = plant(kind, EXHIBIT, rng(0, kind))
    if picture is None:
        pytest.skip("can't be shown here")
    found = diagnose(picture, TRUTH, FACE, EXHIBIT.photograph)
    assert sum(found.split.values()) == pytest.approx(100 - found.score)
    assert all(value >= -1e-9 for value in found.split.values())
    assert all(0 <= value <= 100 for value in found.points.values())


def test_every_repair_has_its_points_whether_named_or_not() -> None:
    found = said(faults.shifted(TRUTH, 4, 0))
    assert set(found.points) >= {"shifted", "scaled", "flipped", "permuted", "swapped", "edges"}
    assert found.points["shifted"] == pytest.approx(100 - found.score, abs=0.01)
    assert found.points["flipped"] < found.points["shifted"]


@given(st.integers(0, 2**32 - 1))
def test_the_best_permutation_is_the_best_of_all(seed: int) -> None:
    random = np.random.default_rng(seed)
    table: Table = random.integers(0, 50, (4, 5)) * (random.random((4, 5)) < 0.7)

    def of(order: tuple[int, ...]) -> float:
        """By hand: the table with columns in this order, unknown last."""
        return points(table[:, [*order, 4]])

    best = max(of(order) for order in permutations(range(4)))
    found = naming.best_permutation(table)
    # Cycles that bring less than a point by themselves are left out.
    assert found.points <= best + 1e-9
    assert found.points >= best - 4 * naming.LEAST or found.points == pytest.approx(of((0, 1, 2, 3)))


def test_moves_are_undone() -> None:
    for move in (Move(7, -3), Move(flip=(0,)), Move(-2, 1, flip=(1,))):
        moved = faults.shifted(faults.flipped(TRUTH, move.flip) if move.flip else TRUTH, move.right, move.down)
        back = geometry.undone(moved, Move(move.right, move.down))
        back = faults.flipped(back, move.flip) if move.flip else back
        assert (back == TRUTH)[12:-12, 12:-12].all()
    assert (geometry.undone(faults.scaled(TRUTH, 1.1), Move(scale=1.1)) == TRUTH).mean() > 0.98


@pytest.mark.parametrize(("right", "down"), [(1, 0), (-2, 2), (5, -7), (0, 8)])
def test_the_shift_is_found_to_the_pixel(right: int, down: int) -> None:
    move, score = geometry.best_shift(match(TRUTH, faults.shifted(TRUTH, right, down), FACE))
    assert move == Move(right, down)
    assert score == pytest.approx(100, abs=0.01)


@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(-5, 5), st.integers(-5, 5))
def test_shifts_are_counted_as_if_every_pixel_were(seed: int, reach: int, right: int, down: int) -> None:
    random = np.random.default_rng(seed)
    coarse = random.integers(0, 4, (2, 5, 6)).astype(np.uint8).repeat(4, axis=1).repeat(3, axis=2)
    coarse[0][random.random(coarse[0].shape) < 0.1] = FACE.void
    pair = match(coarse[0], coarse[1], FACE)
    near = Shifts(pair, reach, right, down)
    for away in ((0, 0), (reach, -reach), (-1, reach)):
        move = Move(right + away[0], down + away[1])
        assert (move.right, move.down) in near
        assert near.score(move.right, move.down) == pytest.approx(pair.score(geometry.undone(pair.predicted, move)))
    assert (right + reach + 1, down) not in near


def test_the_scale_is_found() -> None:
    for factor in (0.83, 0.93, 1.07, 1.18):
        move, score = geometry.best_scale(match(TRUTH, faults.scaled(TRUTH, factor), FACE))
        assert move.scale == pytest.approx(factor, abs=0.02)
        assert score > 85


# Robustness


def test_a_prediction_of_another_size_and_void_pixels_are_welcome() -> None:
    truth = TRUTH.copy()
    truth[:, :9] = FACE.void
    picture = rgb_from_labels(np.kron(faults.shifted(TRUTH, 4, 2), np.ones((2, 2), np.uint8)), FACE)
    found = diagnose(picture, truth, FACE, EXHIBIT.photograph)
    assert found.words == "shifted by (4, 2)"
    assert found.labels.shape == truth.shape


@pytest.mark.parametrize("shape", [(1, 1), (2, 3), (7, 300)])
def test_small_and_odd_truth_is_no_crash(shape: tuple[int, int]) -> None:
    random = np.random.default_rng(0)
    truth = random.integers(0, 3, shape).astype(np.uint8)
    for picture in (random.integers(0, 256, (*shape, 3), np.uint8), rgb_from_labels(truth, FACE)):
        found = diagnose(picture, truth, FACE, picture)
        assert found.verdict in KINDS
        assert overlay(found, truth, FACE).shape == (*shape, 3)


def test_truth_that_is_void_throughout_is_no_crash() -> None:
    truth = np.full((16, 16), FACE.void, np.uint8)
    assert diagnose(np.zeros((16, 16, 3), np.uint8), truth, FACE).score == 0


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(ImageError, match="pixels must be"):
        diagnose(np.zeros((4, 4), np.uint8), TRUTH, FACE)
    with pytest.raises(ImageError, match="picture must be"):
        diagnose(rgb_from_labels(TRUTH, FACE), TRUTH, FACE, np.zeros((4, 4), np.uint8))


# Overlay and entrants


def test_the_overlay_shows_what_is_wrong_and_which_way_it_lies() -> None:
    wrong = faults.shifted(TRUTH, 6, 0)
    picture = overlay(said(wrong), TRUTH, FACE, EXHIBIT.photograph)
    red = (picture[..., 0] > 140) & (picture[..., 1] < 110) & (picture[..., 2] < 110)
    marked = (picture == ARROW).all(axis=2) | (picture == BORDER).all(axis=2)
    assert red[(wrong != TRUTH) & ~marked].all()
    assert not red[wrong == TRUTH].any()
    assert (picture == ARROW).all(axis=2).any()
    clean = overlay(said(TRUTH), TRUTH, FACE)
    assert not (clean == ARROW).all(axis=2).any()


def test_an_entrant_is_the_sum_of_its_masks() -> None:
    each = [said(faults.shifted(TRUTH, 4, 0)), said(faults.shifted(TRUTH, 0, -5)), said(TRUTH)]
    found = verdicts(each)
    assert found.counts == {"shifted": 2, "clean": 1}
    assert found.words == "shifted 67%, clean 33%"
    assert sum(found.split.values()) == pytest.approx(100 - found.score)
    with pytest.raises(InputError, match="diagnoses must be at least one"):
        verdicts([])


# Nulls


def test_honest_masks_are_as_good_as_they_should_be() -> None:
    exhibits = source("reef-parts", 128)
    scores = []
    for number in range(12):
        one = exhibits(number)
        made = honest_mask(one.truth, one.classes, rng(3, number))
        assert np.array_equal(made, honest_mask(one.truth, one.classes, rng(3, number)))
        scores.append(points(table_of(one.truth, made, one.classes)) / 100)
    assert min(scores) >= WORST - 0.01
    assert max(scores) <= BEST + 0.01
    with pytest.raises(InputError, match="two classes"):
        honest_mask(np.zeros((8, 8), np.uint8), FACE, rng(0))


def test_the_shipped_nulls_are_of_every_fault_and_below_its_threshold() -> None:
    nulls = shipped_nulls()
    assert set(nulls.quantiles) == set(FAMILIES)
    for fault, quantiles in nulls.quantiles.items():
        values = list(quantiles.values())
        assert values == sorted(values)
        assert nulls.threshold(fault) >= max(quantiles["0.995"], FLOORS.get(fault, REPAIR_FLOOR))
        assert nulls.threshold(fault) < 1


def test_a_higher_null_takes_a_name_away() -> None:
    wrong = rgb_from_labels(faults.shifted(honest_mask(TRUTH, FACE, rng(1), aim=0.8), 3, 0), FACE)
    share = evidence(wrong, TRUTH, FACE)["shifted"]
    assert diagnose(wrong, TRUTH, FACE).verdict == "shifted"
    strict = Nulls({fault: {"0.995": (1 + share) / 2} for fault in FAMILIES})
    assert diagnose(wrong, TRUTH, FACE, nulls=strict).verdict == "region"


def test_calibration_gives_json_of_the_shipped_shape() -> None:
    made = json.loads(json.dumps(calibrate(("reef-scenes",), count=1, seed=5)))
    assert made["masks"] == {"reef-scenes": 1}
    assert {fault: set(each) for fault, each in made["quantiles"].items()} == {
        fault: set(each) for fault, each in shipped_nulls().quantiles.items()
    }


# Planted and named


def source(name: str, size: int, seed: int = 5) -> partial[Exhibit]:
    return partial(_exhibit, name, size, seed)


@cache
def _exhibit(name: str, size: int, seed: int, number: int) -> Exhibit:
    made = dataset(name)
    assert isinstance(made, MadeDataset)
    return exhibit_of(made.sized(size), seed, number)


@pytest.mark.parametrize("name", DATASETS)
def test_planted_faults_are_named(name: str) -> None:
    named = trial(source(name, 256), 1, 11, kinds_of(dataset(name).classes))
    wrong = sum(counts.total() - counts[kind] for kind, counts in named.items())
    assert all(counts.total() == 1 for counts in named.values())
    assert wrong <= 1, named


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", DATASETS)
def test_planted_faults_are_named_in_two_hundred_masks(name: str, kind: str) -> None:
    if kind not in kinds_of(dataset(name).classes):
        pytest.skip("no left and right in scenes")
    counts = trial(source(name, 512, TRIAL_SEED), 200, TRIAL_SEED, (kind,))[kind]
    _exhibit.cache_clear()
    assert counts.total() == 200
    assert counts[kind] / 200 >= {"clean": 0.99, "region": 0.9}.get(kind, 0.95), counts


def test_a_fault_that_costs_nothing_is_not_planted() -> None:
    even = np.zeros((64, 64), np.uint8)
    even[16:48, 16:48] = 1
    assert plant("flipped", Exhibit(even, FACE), rng(0)) is None
    assert plant("swapped", Exhibit(even, FACE), rng(0)) is None
    assert list(planted("swapped", lambda _: Exhibit(even, FACE), 3, 0)) == []


def test_the_table_counts_what_was_named() -> None:
    text = table_of_trial({"clean": Counter(clean=3), "noise": Counter(noise=1, clean=1)})
    assert text.splitlines()[0] == "| planted | masks | right | clean | noise |"
    assert text.splitlines()[3] == "| noise | 2 | 50.0% | 1 | 1 |"
