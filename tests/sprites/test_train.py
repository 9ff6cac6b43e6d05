from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from sprites.small_corpora import CELLS, lecture, squares, tiny, tiny_config

from pixelreef.core.seeds import rng
from pixelreef.corpus.store import open_corpus, write_corpus
from pixelreef.errors import FileError
from pixelreef.sprites.history import Look, read_history
from pixelreef.sprites.lecture import Lecture, Material, lecture_from_corpus
from pixelreef.sprites.lessons import Lessons
from pixelreef.sprites.network import Batch, Likelihood
from pixelreef.sprites.raster import read_raster
from pixelreef.sprites.recipe import Recipe
from pixelreef.sprites.standing import Standing
from pixelreef.sprites.train import build, cell_bits, fit, sprite_bits, taught, train
from pixelreef.sprites.watch import due
from pixelreef.sprites.weights import read_weights
from pixelreef.training.launch import Moment
from pixelreef.training.lock import locked

CONFIG = tiny_config(height=8, width=12, colours=8, factors={"kind": ("a", "b")})


class Killed(Exception):
    pass


class Until:
    """Ends a run after so many steps, as a kill would, and keeps what it was told."""

    def __init__(self, step: int | None = None) -> None:
        self.step = step
        self.told: list[Moment | Look] = []

    def __call__(self, told: Moment | Look) -> None:
        self.told.append(told)
        if isinstance(told, Moment) and told.step == self.step:
            raise Killed


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> Lecture:
    return lecture(tmp_path_factory.mktemp("lecture"))


@pytest.fixture(scope="module")
def unbroken(lesson: Lecture, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("unbroken")
    train(lesson, tiny(), out)
    return out


def test_a_run_leaves_everything_in_its_folder(lesson: Lecture, unbroken: Path) -> None:
    looks = read_history(unbroken)
    assert [look.step for look in looks] == [8, 12, 16, 24]
    assert all(set(look.cells) == set(CELLS) for look in looks)
    assert looks[-1].loss == pytest.approx(np.mean(list(looks[-1].cells.values())), rel=1e-6)
    assert sorted(path.name for path in unbroken.glob("sheet-*.png")) == ["sheet-12.png", "sheet-24.png"]
    with Image.open(unbroken / "sheet-24.png") as sheet:
        assert sheet.width > 3 * 4 * 96
    weights = read_weights(unbroken / "weights.safetensors")
    assert weights.config == lesson.config
    assert weights.palette == lesson.palette
    assert weights.facts["corpus"] == lesson.facts["corpus"]
    assert weights.facts["losses"] == dict(looks[-1].cells)
    assert weights.facts["recipe"]["steps"] == 24
    page = (unbroken / "report.html").read_text("utf-8")
    assert "Loss and cells learned" in page
    assert "jellyfish/abyss" in page
    assert json.loads((unbroken / "run.json").read_text("utf-8"))["config"]["height"] == 16


@pytest.mark.parametrize("step", [1, 9, 24])
def test_a_run_that_was_ended_goes_on_to_the_same_losses(
    lesson: Lecture, unbroken: Path, tmp_path: Path, step: int
) -> None:
    for end in (step, None):
        try:
            train(lesson, tiny(), tmp_path, tell=Until(end), save_every=0)
        except Killed:
            assert end is not None
    assert [look.loss for look in read_history(tmp_path)] == [look.loss for look in read_history(unbroken)]
    weights = [read_weights(folder / "weights.safetensors").arrays for folder in (tmp_path, unbroken)]
    assert all(np.array_equal(weights[0][name], weights[1][name]) for name in weights[1])


def test_dropout_is_resumed_too_and_looks_are_without_it(lesson: Lecture, unbroken: Path, tmp_path: Path) -> None:
    recipe = tiny(dropout=0.5)
    train(lesson, recipe, tmp_path / "whole")
    with pytest.raises(Killed):
        train(lesson, recipe, tmp_path / "parts", tell=Until(9), save_every=0)
    train(lesson, recipe, tmp_path / "parts")
    whole, parts, without = (read_history(out) for out in (tmp_path / "whole", tmp_path / "parts", unbroken))
    assert [look.loss for look in whole] == [look.loss for look in parts]
    assert whole[-1].loss != without[-1].loss
    arrays = read_weights(tmp_path / "whole" / "weights.safetensors")
    model = build(arrays.config, recipe, arrays.arrays)
    first, second = (sprite_bits(model, lesson.held, lesson.config) for _ in range(2))
    assert not np.array_equal(first, second)
    by_eye = cell_bits(model.eval(), lesson, recipe)
    assert by_eye.loss == pytest.approx(whole[-1].loss, rel=1e-3)  # weights are kept in float16


def test_haste_is_of_factors_alone(lesson: Lecture) -> None:
    began = build(lesson.config, tiny()).state_dict()
    standing = Standing(build(lesson.config, tiny()), tiny(haste=10, warmup=0))
    taught(standing.model, Lessons(lesson.taught, lesson.config, tiny()).at(0), standing, 0)
    found = standing.model.state_dict()
    far = {name: float((found[name] - began[name]).abs().max()) for name in found}
    rate = tiny().rate  # the first step of AdamW is as long as its rate
    assert far["colours.factors.0"] == pytest.approx(10 * rate, rel=0.05)
    assert max(length for name, length in far.items() if "factors" not in name) == pytest.approx(rate, rel=0.1)


def test_history_beyond_the_checkpoint_is_written_anew(lesson: Lecture, unbroken: Path, tmp_path: Path) -> None:
    with pytest.raises(Killed):
        train(lesson, tiny(), tmp_path, tell=Until(17))  # looks at 8, 12 and 16, and no checkpoint yet
    assert [look.step for look in read_history(tmp_path)] == [8, 12, 16]
    until = Until()
    train(lesson, tiny(), tmp_path, tell=until)
    assert next(told.step for told in until.told if isinstance(told, Moment)) == 1
    assert [look.loss for look in read_history(tmp_path)] == [look.loss for look in read_history(unbroken)]


def test_a_run_that_is_done_stays_done(lesson: Lecture, unbroken: Path) -> None:
    until = Until()
    outcome = train(lesson, tiny(), unbroken, tell=until)
    assert until.told == []
    assert outcome.look == read_history(unbroken)[-1]
    assert json.loads(json.dumps(outcome.document()))["step"] == 24


def test_progress_tells_the_time_left(lesson: Lecture, tmp_path: Path) -> None:
    until = Until()
    train(lesson, tiny(steps=4), tmp_path, tell=until)
    moments = [told for told in until.told if isinstance(told, Moment)]
    assert [moment.step for moment in moments] == [1, 2, 3, 4]
    assert moments[0].left == pytest.approx(3 * moments[0].seconds, rel=0.2)
    assert moments[-1].left == 0


def test_another_recipe_in_the_same_folder_is_refused(lesson: Lecture, unbroken: Path) -> None:
    with pytest.raises(FileError, match="be of this corpus and recipe"):
        train(lesson, tiny(rate=1e-3), unbroken)


def test_one_run_at_a_time(lesson: Lecture, tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(FileError, match="another training at work"):
        train(lesson, tiny(), tmp_path)
    train(lesson, tiny(steps=1), tmp_path)


def test_raster_trains_and_draws(tmp_path: Path) -> None:
    sizes = {"trunk_width": 16, "trunk_layers": 1, "heads": 2}
    recipe = Recipe.of("tiny", shape="raster", steps=4, model=sizes, sheet_every=4, validate_every=2)
    found = lecture_from_corpus(open_corpus(squares(tmp_path / "s.parquet")), recipe)
    outcome = train(found, recipe, tmp_path / "run")
    assert outcome.weights.name == "raster.safetensors"
    assert (tmp_path / "run" / "sheet-4.png").exists()
    model, palette = read_raster(outcome.weights)
    assert palette == found.palette
    assert sprite_bits(model, found.held, found.config).mean() == pytest.approx(outcome.look.loss, rel=1e-3)  # float16
    whole = outcome.weights.read_bytes()
    for broken in (
        b"",
        whole[:50],
        whole[:-9],
        b"\xff" * 99,
        whole.replace(b'trunk_width\\": 16', b'trunk_width\\": 18'),
    ):
        outcome.weights.write_bytes(broken)
        with pytest.raises(FileError, match="raster"):
            read_raster(outcome.weights)
    assert [look.step for look in read_history(tmp_path / "run")] == [2, 4]


def test_what_can_be_learnt_is_learnt() -> None:
    """Stripes in two kinds: after some steps a stripe costs less than its colours alone, and the label is heeded."""
    grids = np.zeros((16, 8, 8), np.uint8)
    grids[::2, ::2] = 1
    grids[1::2, :, ::2] = 2
    material = Material(grids, np.arange(16)[:, None] % 2)
    config = tiny_config(height=8, width=8, colours=3, factors={"kind": ("a", "b")})
    model = fit(material, config, tiny(steps=120, rate=5e-3, plain=1.0))
    told, mistold = (
        sprite_bits(model, material, config),
        sprite_bits(model, Material(grids, 1 - material.factors), config),
    )
    assert told.mean() < 0.1
    assert mistold.mean() > 2 * told.mean()


def test_a_run_stops_when_samples_are_copies(tmp_path: Path) -> None:
    """Squares can be in 25 places, and all are taught; what is held back is noise. The look before is kept."""
    random = rng(0, "noise")
    entries = list(open_corpus(squares(tmp_path / "s.parquet", count=60)))
    noise = [replace(one, cells=random.integers(0, 5, (8, 8)).astype(np.uint8), split="test") for one in entries[:9]]
    write_corpus(tmp_path / "both.parquet", [*(replace(one, split="train") for one in entries), *noise])
    recipe = tiny(steps=200, copies=0.1, validate_every=20, sheet_every=1000, rate=5e-3, plain=1.0)
    found = lecture_from_corpus(open_corpus(tmp_path / "both.parquet"), recipe)
    outcome = train(found, recipe, tmp_path / "run")
    looks = read_history(tmp_path / "run")
    assert [look.stopped for look in looks] == [*[False] * (len(looks) - 1), True]
    assert 20 < looks[-1].step < 200
    assert (looks[-1].copied or 0) > 0.1 >= (looks[-2].copied or 0)
    assert "near-copies" in outcome.notes[-1]
    facts = read_weights(tmp_path / "run" / "weights.safetensors").facts
    assert (facts["step"], facts["loss"]) == (looks[-2].step, looks[-2].loss)
    until = Until()
    assert outcome.look == replace(looks[-2], verdicts=looks[-1].verdicts)
    assert train(found, recipe, tmp_path / "run", tell=until).look == outcome.look
    assert until.told == []


def test_a_run_stops_when_sprites_held_back_cost_no_less_and_keeps_its_best_look(tmp_path: Path) -> None:
    """A few random pictures are learnt by heart; others of the kind then cost more and more."""
    random = rng(0, "by heart")
    entries = list(open_corpus(squares(tmp_path / "s.parquet", count=24)))
    noise = [
        replace(one, cells=random.integers(0, 5, (8, 8)).astype(np.uint8), split="test" if place % 3 == 0 else "train")
        for place, one in enumerate(entries)
    ]
    write_corpus(tmp_path / "noise.parquet", noise)
    recipe = tiny(steps=400, patience=2, validate_every=20, sheet_every=1000, rate=1e-2, plain=1.0)
    found = lecture_from_corpus(open_corpus(tmp_path / "noise.parquet"), recipe)
    outcome = train(found, recipe, tmp_path / "run")
    looks = read_history(tmp_path / "run")
    best = min(looks, key=lambda look: look.loss)
    assert [look.stopped for look in looks] == [*[False] * (len(looks) - 1), True]
    assert looks.index(best) == len(looks) - 3
    assert looks[-1].step < 400
    facts = read_weights(tmp_path / "run" / "weights.safetensors").facts
    assert (facts["step"], facts["loss"]) == (best.step, best.loss)
    assert f"of step {best.step:,}, whose weights are kept" in outcome.notes[-1]
    again = Until()
    assert outcome.look == replace(best, verdicts=looks[-1].verdicts)
    assert (outcome.record()["loss"], outcome.record()["minutes"]) == (best.loss, looks[-1].seconds / 60)
    assert train(found, recipe, tmp_path / "run", tell=again).look == outcome.look
    assert again.told == []


def test_looks_are_due_by_the_recipe() -> None:
    recipe = tiny(steps=30, validate_every=10, sheet_every=15)
    assert [step for step in range(1, 31) if due(recipe, step)] == [10, 15, 20, 30]


def test_some_of_each_cell_are_validated_and_always_the_same(lesson: Lecture) -> None:
    def counted(batch: Batch) -> Likelihood:
        sizes.append(len(batch.codes))
        return Likelihood(batch.codes.new_zeros(len(batch.codes), 1).float(), -batch.codes.float())

    sizes: list[int] = []
    more = replace(lesson, held=lesson.taught, held_sprites=lesson.sprites)
    one, two = (cell_bits(counted, more, tiny(validated=3)) for _ in range(2))
    assert one == two
    assert sum(sizes) == 2 * 3 * len(CELLS)
    every = cell_bits(counted, more, tiny(validated=100))
    pixels = lesson.taught.grids[lesson.sprites.by_cell[CELLS[0]]].mean()
    assert every.cells[CELLS[0]] == pytest.approx(pixels / np.log(2), rel=1e-5)
    seen = (lesson.taught.grids != 0).sum()
    assert every.opaque == pytest.approx(lesson.taught.grids.sum() / np.log(2) / seen, rel=1e-5)
