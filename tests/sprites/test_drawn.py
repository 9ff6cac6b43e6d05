from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from sprites.small_corpora import CELLS, lecture, tiny

from pixelreef.sprites.drawn import Copies, Draw, Grids, draw_cells, engine_draw, judged, write_sheet
from pixelreef.sprites.lecture import Lecture, Whole
from pixelreef.sprites.train import build


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> Lecture:
    return lecture(tmp_path_factory.mktemp("lecture"), per_cell=16)


def real(lesson: Lecture, *, again: bool) -> Draw:
    """Draws sprites that were taught, or, not again, ones that are the wrong way up."""

    def draw(factors: Whole, seed: int) -> Grids:
        found: list[Grids] = []
        for row in factors:
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


def test_the_engine_draws_alike_in_any_batch(lesson: Lecture) -> None:
    model = build(lesson.config, tiny())
    draw = engine_draw(lesson.config, {name: value.numpy() for name, value in model.state_dict().items()})
    factors = np.repeat(lesson.taught.factors[:1], 70, axis=0)
    assert np.array_equal(draw(factors, 3)[:4], draw(factors[:4], 3))


def test_a_sheet_lays_two_factors_out(lesson: Lecture, tmp_path: Path) -> None:
    samples = draw_cells(lesson, real(lesson, again=True), 4, 0)
    with Image.open(write_sheet(samples, tmp_path / "sheet.png", "step 1")) as sheet:
        assert sheet.width > 12 * 96
        assert 3 * 96 < sheet.height < 4 * 110


def test_taste_is_asked_about_every_cell(lesson: Lecture) -> None:
    samples = draw_cells(lesson, real(lesson, again=True), 12, 0)
    verdicts = {cell: verdict.word for cell, verdict in judged(lesson, samples, 0).cells.items()}
    assert verdicts == dict.fromkeys(CELLS, "copied")
