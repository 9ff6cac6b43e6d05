from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from mask_pictures import FACES, encoded, face, photograph, softened
from metrics.overlap_plain import plain_class_counts

from pixelreef.core.files import write_bytes
from pixelreef.errors import InputError
from pixelreef.masks.classes import Classes, MaskClass
from pixelreef.masks.datasets import dataset
from pixelreef.masks.decode import decode, labels_at
from pixelreef.masks.decoder import PIXELARENA, ROBUST
from pixelreef.masks.item import Settings, majority, score_arrays
from pixelreef.masks.measures import EDGES, FAILURES, PRIMARY, QUALITY, SIGNS, Widths
from pixelreef.masks.score import Scores, score_folders
from pixelreef.masks.standings import differences, standings

SIDE = 96
ITEMS = ("p", "q", "r")


def wrong(labels: np.ndarray, swap: tuple[str, str] = ("left_eye", "right_eye")) -> np.ndarray:
    one, other = (FACES.label(name) for name in swap)
    return np.where(labels == one, other, np.where(labels == other, one, labels))


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Three truths; `exact` has them, `soft` blurred at twice the size, `mixed` every failure in two attempts each."""
    root = tmp_path_factory.mktemp("masks")
    truth, predictions = root / "truth", root / "predictions"
    for folder in (truth, *(predictions / name for name in ("exact", "soft", "mixed"))):
        folder.mkdir(parents=True)
    for seed, item in enumerate(ITEMS):
        labels = face(SIDE, seed)
        (truth / f"{item}.png").write_bytes(encoded(labels))
        (predictions / "exact" / f"{item}.png").write_bytes(encoded(FACES.rgb[labels]))
        large = face(2 * SIDE, seed)
        (predictions / "soft" / f"{item}.1.jpg").write_bytes(encoded(softened(large), "JPEG", quality=95))
    mixed = predictions / "mixed"
    (mixed / "p.1.png").write_bytes(encoded(photograph(SIDE)))
    (mixed / "p.2.png").write_bytes(encoded(FACES.rgb[face(SIDE, 0)]))
    (mixed / "q.1.png").write_bytes(encoded(np.zeros((8, 8, 3), np.uint8)))
    (mixed / "q.2.refused").write_text("I can't\nhelp with that.")
    (mixed / "r.1.png").write_bytes(b"\x89PNG\r\n\x1a\nbroken")
    return predictions, truth


@pytest.fixture(scope="module")
def scores(folders: tuple[Path, Path]) -> Scores:
    return score_folders(*folders, FACES)


def test_the_truth_itself_scores_1_in_everything(scores: Scores) -> None:
    exact = standings(scores)[0]
    assert exact.entrant == "exact"
    for measure in {**QUALITY, **EDGES}:
        assert exact.mean(measure).mean == 1, measure
    for sign in SIGNS:
        assert exact.mean(sign).mean == 0
    assert exact.whole()["mean_iou_union"] == 1
    assert exact.voted() is None


def test_the_board_is_in_order_and_soft_masks_are_near_the_top(scores: Scores) -> None:
    board = standings(scores)
    assert [one.entrant for one in board] == ["exact", "soft", "mixed"]
    soft = board[1]
    assert 0.75 < (soft.mean().mean or 0) < 1
    both = soft.sensitivity()
    assert list(both) == ["robust", "pixelarena"]
    assert (both["robust"].mean or 0) > (both["pixelarena"].mean or 0) + 0.1
    assert soft.attempts[0].size == (2 * SIDE, 2 * SIDE)
    assert any("taken to 96 × 96" in note for note in soft.attempts[0].scores["robust"].notes)


def test_every_failure_is_named_scored_0_and_shown_apart(scores: Scores) -> None:
    mixed = standings(scores)[2]
    found = {(one.item, one.attempt): one.scores["robust"].failure for one in mixed.attempts}
    assert found == {
        ("p", 1): "not-a-mask",
        ("p", 2): None,
        ("q", 1): "one-colour",
        ("q", 2): "refused",
        ("r", 1): "unreadable",
        ("r", 2): "missing",
    }
    reasons = {one.scores["robust"].failure: one.scores["robust"].reason for one in mixed.attempts}
    assert reasons["refused"] == "I can't help with that."
    assert "all of it is 'background'" in reasons["one-colour"]
    assert "be a whole picture" in reasons["unreadable"] or "be a picture" in reasons["unreadable"]
    assert mixed.mean().mean == pytest.approx((0.5 + 0 + 0) / 3)  # p: 0 and 1
    assert (mixed.mean(valid=True).mean, mixed.mean(valid=True).n) == (1, 1)
    rates = mixed.failure_rates()
    assert rates["any"].mean == pytest.approx(5 / 6)
    shares = {kind: 0 if kind in ("error", "timeout") else 1 / 6 for kind in FAILURES}
    assert {kind: rates[kind].mean for kind in FAILURES} == pytest.approx(shares)
    whole = mixed.whole()
    assert 0 < whole["mean_iou_union"] < 0.2
    assert whole["unknown_share"] == pytest.approx(5 / 6)
    assert mixed.whole(valid=True)["mean_iou_union"] == 1


def test_attempts_best_and_vote(scores: Scores) -> None:
    mixed = standings(scores)[2]
    assert mixed.most_attempts == 2
    assert mixed.best_of(1).mean == pytest.approx(mixed.mean().mean)
    assert mixed.best_of(2).mean == pytest.approx(1 / 3)
    vote = mixed.voted()
    assert vote is not None
    assert vote.mean == pytest.approx(1 / 3)  # of p the one valid attempt decides; of q and r there is none


def test_paired_differences_go_over_the_same_images(scores: Scores) -> None:
    found = differences(standings(scores))
    assert set(found) == {("exact", "soft"), ("exact", "mixed"), ("soft", "mixed")}
    assert (found["exact", "soft"].mean or 0) > 0
    assert found["exact", "mixed"].n == 3


def test_dataset_figures_equal_an_independent_implementation(folders: tuple[Path, Path], scores: Scores) -> None:
    """Robust IoU over the data set: labels decoded one by one, pixels counted in a plain loop over all of them."""
    soft = standings(scores)[1]
    rows: dict[int, list[int]] = {label: [0, 0, 0] for label in range(19)}
    for seed, _ in enumerate(ITEMS):
        pixels = jpeg_of(folders[0] / "soft", ITEMS[seed])
        predicted = labels_at(decode(pixels, FACES, ROBUST).labels, (SIDE, SIDE))[0]
        for label, sums in rows.items():
            for place, pixels_counted in enumerate(plain_class_counts(face(SIDE, seed), predicted, label)):
                sums[place] += pixels_counted
    unions = {label: t + p - h for label, (h, t, p) in rows.items()}
    ious = [rows[label][0] / unions[label] for label in rows if unions[label]]
    assert soft.whole()["mean_iou_union"] == pytest.approx(sum(ious) / len(ious), abs=1e-12)
    for label, name in enumerate(FACES.names):
        expected = rows[label][0] / unions[label] if unions[label] else math.nan
        assert soft.per_class()[name]["iou"] == pytest.approx(expected, abs=1e-12, nan_ok=True)


def jpeg_of(folder: Path, item: str) -> np.ndarray:
    from PIL import Image

    return np.asarray(Image.open(folder / f"{item}.1.jpg"))


def test_borders_of_a_dataset_are_counted_as_those_of_one_picture(scores: Scores) -> None:
    soft = next(one for one in standings(scores) if one.entrant == "soft")
    mixed = next(one for one in standings(scores) if one.entrant == "mixed")
    assert all(soft.whole()[name] == pytest.approx(soft.mean(name).mean, abs=0.02) for name in EDGES)
    each = [score.borders for _, score in mixed.scores()]
    hits, union = np.zeros((2, len(FACES)))
    for one in each:
        assert one is not None
        hits += one.bands.hits
        union += one.bands.truth + one.bands.predicted - one.bands.hits
    ious = hits[union > 0] / union[union > 0]
    assert mixed.whole()["boundary_iou_union"] == pytest.approx(ious.mean(), abs=1e-12)
    assert mixed.whole()["boundary_iou_union"] < mixed.whole(valid=True)["boundary_iou_union"] == 1
    assert "boundary_iou_union" not in mixed.whole(decoder="pixelarena")


def test_confusions_say_what_was_taken_for_what() -> None:
    labels = face(64)
    one = score_arrays(FACES.rgb[wrong(labels)], labels, FACES)
    left, right = FACES.label("left_eye"), FACES.label("right_eye")
    assert one.counts.hits[left] == one.counts.hits[right] == 0
    assert one.counts.hits.sum() == one.counts.pixels - one.counts.truth[[left, right]].sum()


def test_several_processes_give_the_same(folders: tuple[Path, Path], scores: Scores) -> None:
    done: list[tuple[int, int]] = []
    again = score_folders(*folders, FACES, jobs=2, progress=lambda n, of: done.append((n, of)))
    assert done == [(1, 3), (2, 3), (3, 3)]
    assert [one.entrant for one in standings(again)] == [one.entrant for one in standings(scores)]
    for ours, theirs in zip(standings(scores), standings(again), strict=True):
        for measure in {**QUALITY, **EDGES, **SIGNS}:
            assert ours.mean(measure) == theirs.mean(measure)
        assert np.array_equal(ours.confusion.matrix, theirs.confusion.matrix)


def test_the_confusion_of_an_entrant_is_that_of_all_its_attempts(scores: Scores) -> None:
    for one in standings(scores):
        assert np.array_equal(one.confusion.counts.hits, one.counts().hits)
        assert one.confusion.counts.unknown == one.counts().unknown


def test_a_truth_that_cannot_be_read_is_listed_and_nobodys_fault(tmp_path: Path) -> None:
    truth, predictions = tmp_path / "truth", tmp_path / "exact"
    for folder in (truth, predictions):
        folder.mkdir()
    for name in ("good", "bad"):
        (predictions / f"{name}.png").write_bytes(encoded(FACES.rgb[face(32)]))
    (truth / "good.png").write_bytes(encoded(face(32)))
    (truth / "bad.png").write_bytes(encoded(np.full((4, 4), 77, np.uint8)))
    found = score_folders(predictions, truth, FACES)
    assert found.items == ("good",)
    assert list(found.unscored) == ["bad"]
    assert standings(found)[0].mean().mean == 1
    (truth / "good.png").unlink()
    with pytest.raises(InputError, match=r"truth masks must be readable.*The first: truth '"):
        score_folders(predictions, truth, FACES)


def test_ignored_truth_is_not_scored_and_what_was_predicted_there_neither() -> None:
    classes = Classes((*FACES.classes, MaskClass("void", None, 255, ignore=True)))
    labels = face(64)
    truth = labels.copy()
    truth[:, :20] = classes.void
    pixels = FACES.rgb[labels].copy()
    pixels[:, :20] = FACES.rgb[FACES.label("hat")]
    one = score_arrays(pixels, truth, classes, edges=Widths())
    assert one.measures[PRIMARY] == 1
    assert one.measures["stray_classes"] == 0
    assert one.measures["boundary_iou_union"] == one.measures["boundary_f_union"] == 1


def test_one_colour_is_right_where_the_truth_has_one() -> None:
    truth = np.zeros((16, 16), np.uint8)
    blank = np.zeros((16, 16, 3), np.uint8)
    assert score_arrays(blank, truth, FACES).measures[PRIMARY] == 1
    truth[0, 0] = 1
    assert score_arrays(blank, truth, FACES).failure == "one-colour"
    assert score_arrays(blank, truth, FACES, PIXELARENA).failure is None


def test_measures_of_failures_and_masks_have_the_same_names() -> None:
    labels = face(64)
    good = score_arrays(FACES.rgb[labels], labels, FACES, edges=Widths())
    bad = score_arrays(photograph(64), labels, FACES, edges=Widths())
    assert bad.failure == "not-a-mask"
    assert set(good.measures) == set(bad.measures) == {*QUALITY, *EDGES, *SIGNS}
    assert all(bad.measures[name] == 0 for name in {**QUALITY, **EDGES})
    assert all(math.isnan(bad.measures[name]) for name in SIGNS)


def test_a_vote_needs_no_majority_and_unknown_has_none() -> None:
    a, b, c = (np.array([row], np.uint8) for row in ([0, 1, 9, 9], [1, 1, 9, 2], [1, 0, 9, 9]))
    voted = majority([a, b, c], unknown=9)
    assert voted is not None
    assert voted.tolist() == [[1, 1, 9, 2]]
    assert majority([], unknown=9) is None


@pytest.mark.parametrize("jobs", [0, 65])
def test_settings_are_checked(folders: tuple[Path, Path], jobs: int) -> None:
    with pytest.raises(InputError, match="--jobs must be from 1 to 64"):
        score_folders(*folders, FACES, jobs=jobs)
    with pytest.raises(InputError, match="different names"):
        Settings((ROBUST, ROBUST))
    with pytest.raises(InputError, match="measure must be one of"):
        standings(score_folders(*folders, FACES, Settings(edges=None)))[0].mean("boundary_f_union")


def test_decoders_can_be_recorded_as_json() -> None:
    assert json.loads(json.dumps([one.record() for one in Settings().decoders]))[0]["name"] == "robust"


@pytest.mark.parametrize("made", ["reef-parts", "reef-scenes"])
def test_a_photograph_of_few_colours_that_comes_back_is_no_mask(tmp_path: Path, made: str) -> None:
    known = dataset(made)
    photographs = {}
    for item in known.items(n=6, seed=11).items:
        seen, truth = item.read()
        photographs[item.id] = write_bytes(tmp_path / "images" / f"{item.id}.png", encoded(seen))
        write_bytes(tmp_path / "truth" / f"{item.id}.png", encoded(truth.astype(np.uint8)))
        half = (seen.astype(np.uint16) + known.classes.rgb[truth]) // 2
        soft = encoded(seen[::2, ::2], "JPEG", quality=80)
        for name, data in (("back", encoded(seen)), ("soft", soft), ("over", encoded(half.astype(np.uint8)))):
            write_bytes(tmp_path / "predictions" / name / f"{item.id}.png", data)
        write_bytes(tmp_path / "predictions" / "right" / f"{item.id}.png", encoded(known.classes.rgb[truth]))
    folders = (tmp_path / "predictions", tmp_path / "truth", replace(known.classes, truth="index"))

    board = {one.entrant: one for one in standings(score_folders(*folders, photographs=photographs))}
    rates = {name: one.failure_rates() for name, one in board.items()}
    assert rates["back"]["not-a-mask"].mean == rates["soft"]["not-a-mask"].mean == 1
    assert rates["right"]["any"].mean == 0
    assert not any(score.failure for _, score in board["back"].scores("pixelarena"))  # the published rule has none
    assert "the photograph came back" not in {score.reason for _, score in board["over"].scores()}
    unseen = {one.entrant: one.failure_rates() for one in standings(score_folders(*folders))}
    assert unseen["back"]["not-a-mask"].mean != 1  # without the photograph nobody can tell
