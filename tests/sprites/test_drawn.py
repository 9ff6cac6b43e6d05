from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from sprites.small_corpora import CELLS, lecture, tiny

from pixelreef.sprites.drawn import Copies, Draw, Grids, draw_cells, engine_draw, judged, write_sheet
from pixelreef.sprites.engine import Task
from pixelreef.sprites.lecture import Lecture
from pixelreef.sprites.sample import Sampler
from pixelreef.sprites.train import build
from pixelreef.sprites.weights import Weights


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> Lecture:
    return lecture(tmp_path_factory.mktemp("lecture"), per_cell=16)


def real(lesson: Lecture, *, again: bool) -> Draw:
    """Draws sprites that were taught, or, not again, ones that are the wrong way up."""

    def draw(task: Task) -> Grids:
        found: list[Grids] = []
        for row in task.factors:
            of = lesson.taught.grids[(lesson.taught.factors == row).all(axis=1)]
            found.append(of[len(found) % len(of)] if again else of[len(found) % len(of)][::-1])
        return np.stack(found)

    return draw


def test_samples_have_the_cell_they_were_asked_for(lesson: Lecture) -> None:
    samples = draw_cells(lesson, real(lesson, again=True), 5, 0)
    assert samples.labels() == [cell for cell in CELLS for _ in range(5)]
    assert np.array_equal(samples.cells[5], lesson.taught.grids[(lesson.taught.factors == [1, 1]).all(axis=1)][5])


def test_copies_are_counted(lesson: Lecture) -> None:
    copies = Copies(lesson)
    assert copies.drawn(real(lesson, again=True), 0) == 1.0
    assert copies.drawn(real(lesson, again=False), 0) < 0.2
    assert 0 <= copies.usual < 0.5


def test_samples_are_those_that_a_sampler_draws_first(lesson: Lecture) -> None:
    arrays = {name: value.numpy() for name, value in build(lesson.config, tiny()).state_dict().items()}
    samples = draw_cells(lesson, engine_draw(lesson.config, arrays), 30, 3)
    halved = {name: value.astype(np.float16).astype(np.float32) for name, value in arrays.items()}
    sampler = Sampler(Weights(lesson.config, lesson.palette, halved))
    again = [one.cells for cell in CELLS for one in sampler.sample(cell, 30, seed=3)]
    assert np.array_equal(samples.cells, again)


def test_a_sheet_lays_two_factors_out(lesson: Lecture, tmp_path: Path) -> None:
    samples = draw_cells(lesson, real(lesson, again=True), 4, 0)
    with Image.open(write_sheet(samples, tmp_path / "sheet.png", "step 1")) as sheet:
        assert sheet.width > 12 * 96
        assert 3 * 96 < sheet.height < 4 * 110


def test_taste_is_asked_about_every_cell(lesson: Lecture) -> None:
    samples = draw_cells(lesson, real(lesson, again=True), 12, 0)
    verdicts = {cell: verdict.word for cell, verdict in judged(lesson, samples, 0).cells.items()}
    assert verdicts == dict.fromkeys(CELLS, "copied")
