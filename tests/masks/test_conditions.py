"""Entrants that were given other colours, and files that say why there is no picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from mask_pictures import FACES, encoded, face

from pixelreef.errors import InputError
from pixelreef.masks.ceiling import ceiling, way_from_file
from pixelreef.masks.classes import json_from_classes
from pixelreef.masks.item import Settings
from pixelreef.masks.measures import measures_from_counts
from pixelreef.masks.pairs import OWN_CLASSES
from pixelreef.masks.report import write_report
from pixelreef.masks.report.analysis import analyse
from pixelreef.masks.report.pictures import Album
from pixelreef.masks.score import score_folders
from pixelreef.masks.shuffle import shuffled
from pixelreef.masks.standings import standings

SIDE = 64


def folders(tmp_path: Path) -> tuple[Path, Path]:
    truth, predictions = tmp_path / "truth", tmp_path / "predictions"
    for folder in (truth, predictions / "plain", predictions / "other"):
        folder.mkdir(parents=True)
    (truth / "a.png").write_bytes(encoded(face(SIDE)))
    (predictions / "plain" / "a.png").write_bytes(encoded(FACES.rgb[face(SIDE)]))
    (predictions / "other" / "a.png").write_bytes(encoded(shuffled(FACES, 0, 1).rgb[face(SIDE)]))
    return predictions, truth


def test_an_entrant_is_read_in_the_colours_that_it_was_given(tmp_path: Path) -> None:
    predictions, truth = folders(tmp_path)
    (predictions / "other" / OWN_CLASSES).write_text(json_from_classes(shuffled(FACES, 0, 1)))
    scores = score_folders(predictions, truth, FACES)
    assert {one.entrant: one.mean().mean for one in standings(scores)} == {"other": 1.0, "plain": 1.0}
    assert np.array_equal(scores.classes_of("other").rgb, shuffled(FACES, 0, 1).rgb)
    assert scores.classes_of("plain") is FACES
    assert not scores.pairing.unmatched


def test_ceiling_verdict_and_gallery_are_in_those_colours_too(tmp_path: Path) -> None:
    predictions, truth = folders(tmp_path)
    (predictions / "other" / OWN_CLASSES).write_text(json_from_classes(shuffled(FACES, 0, 1)))
    scores = score_folders(predictions, truth, FACES, Settings(ceiling=True, diagnosis=True))
    for one in standings(scores):
        (attempt,) = one.attempts
        assert attempt.why is not None
        assert attempt.why.verdict == "clean"
        way = way_from_file((predictions / one.entrant / "a.png").read_bytes())
        top = measures_from_counts(ceiling(face(SIDE), scores.classes_of(one.entrant), way))
        assert attempt.ceiling is not None
        assert attempt.ceiling["mean_iou_union"] == top["mean_iou_union"]
    found = analyse(scores)
    row = Album(found, {}, {}).single(found.entrants[0], found.entrants[0].standing.attempts[0], "", "")
    assert row is not None
    assert found.entrants[0].name == "other"
    assert row.panes[0].first == row.panes[1].first  # truth and answer, as the page shows their labels
    assert "in another order, and read in them: other" in write_report(scores, tmp_path / "out").page.read_text()


def test_without_its_class_file_it_has_everything_wrong(tmp_path: Path) -> None:
    board = standings(score_folders(*folders(tmp_path), FACES))
    assert [one.entrant for one in board] == ["plain", "other"]
    assert board[1].mean().mean == 0


def test_a_class_file_of_other_classes_is_refused(tmp_path: Path) -> None:
    predictions, truth = folders(tmp_path)
    text = json_from_classes(FACES).replace('"hair"', '"fur"')
    (predictions / "other" / OWN_CLASSES).write_text(text)
    with pytest.raises(InputError, match="name the classes of the truth, in their order, got 'fur'"):
        score_folders(predictions, truth, FACES)


@pytest.mark.parametrize("failure", ["refused", "error", "timeout"])
def test_what_is_said_instead_of_a_picture_is_its_own_failure(tmp_path: Path, failure: str) -> None:
    predictions, truth = folders(tmp_path)
    (predictions / "plain" / f"a.2.{failure}").write_text("because\nof this")
    (plain,) = [one for one in standings(score_folders(predictions, truth, FACES)) if one.entrant == "plain"]
    score = plain.attempts[1].scores["robust"]
    assert (score.failure, score.reason, score.measures["mean_iou_union"]) == (failure, "because of this", 0)
    assert plain.failure_rates()[failure].mean == 0.5
