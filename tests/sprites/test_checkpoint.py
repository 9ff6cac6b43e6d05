from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from sprites.small_corpora import tiny, tiny_config

from pixelreef.core.seeds import rng
from pixelreef.errors import FileError
from pixelreef.sprites.lecture import Material
from pixelreef.sprites.lessons import Lessons
from pixelreef.sprites.standing import Standing
from pixelreef.sprites.train import build, taught
from pixelreef.training.checkpoint import NAME, Place, load_checkpoint, save_checkpoint

SIZES = tiny().model
CONFIG = tiny_config(height=8, width=8, colours=8, factors={"kind": ("a", "b")})
MATERIAL = Material(rng(0, "grids").integers(0, 8, (16, 8, 8)).astype(np.uint8), np.arange(16)[:, None] % 2)
FACTS = {"corpus": "c"}


def after(steps: int, standing: Standing, start: int = 0) -> list[float]:
    lessons = Lessons(MATERIAL, CONFIG, standing.recipe)
    return [taught(standing.model, lessons.at(step), standing, step) for step in range(start, steps)]


def fresh(optimiser: str = "adamw", **fields: object) -> Standing:
    recipe = tiny(optimiser=optimiser, **fields)
    return Standing(build(CONFIG, recipe), recipe)


@pytest.mark.parametrize("optimiser", ["adamw", "muon"])
@pytest.mark.parametrize("plain", [0.5, 1.0])
def test_a_run_that_is_taken_up_is_the_run(tmp_path: Path, optimiser: str, plain: float) -> None:
    """Also where a parameter had its first gradient late: what is shown beforehand, in batches with given pixels."""
    whole = fresh(optimiser, plain=plain)
    losses = after(12, whole)
    first = fresh(optimiser, plain=plain)
    after(5, first)
    save_checkpoint(tmp_path, Place(5, 2.5), FACTS, first)
    second = fresh(optimiser, plain=plain)
    assert load_checkpoint(tmp_path, FACTS, second) == Place(5, 2.5)
    assert after(12, second, 5) == losses[5:]
    left, right = whole.tensors(), second.tensors()
    assert left.keys() == right.keys()
    assert all(torch.equal(left[name], right[name]) for name in left)


def test_muon_has_the_dense_layers_alone() -> None:
    muon, adamw = fresh("muon").optimisers
    assert {one.ndim for group in muon.param_groups for one in group["params"]} == {2}
    model = fresh("muon").model
    count = sum(len(group["params"]) for by in (muon, adamw) for group in by.param_groups)
    assert count == len(list(model.parameters()))
    named = dict(model.named_parameters())
    assert {tuple(named[name].shape) for name in ("colours.colour", "shape.row")} <= {
        tuple(one.shape) for group in adamw.param_groups for one in group["params"]
    }


def test_the_rate_grows_then_falls() -> None:
    standing = fresh(steps=100, warmup=10, rate=0.01)
    rates = []
    for step in (0, 4, 9, 50, 99):
        standing.schedule(step)
        rates.append(standing.optimisers[0].param_groups[0]["lr"])
    assert rates == pytest.approx([0.001, 0.0048, 0.0091, 0.005, 0.0001])


def test_the_mean_follows_the_weights() -> None:
    standing = fresh(memory=0.0)
    after(3, standing)
    weights = standing.model.state_dict()
    assert all(torch.equal(value, weights[name]) for name, value in standing.mean.items())
    slow = fresh(memory=0.99)
    after(3, slow)
    assert not torch.equal(slow.mean["colours.out.weight"], slow.model.state_dict()["colours.out.weight"])


def test_no_checkpoint_is_the_beginning(tmp_path: Path) -> None:
    assert load_checkpoint(tmp_path, FACTS, fresh()) == Place(0, 0.0)


def test_the_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    save_checkpoint(tmp_path, Place(1, 0.0), FACTS, fresh())
    with pytest.raises(FileError, match="be of this corpus and recipe"):
        load_checkpoint(tmp_path, {"corpus": "d"}, fresh())


@pytest.mark.parametrize("kept", [0, 7, 100, 5000])
def test_a_broken_checkpoint_is_one_line(tmp_path: Path, kept: int) -> None:
    path = save_checkpoint(tmp_path, Place(1, 0.0), FACTS, fresh())
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(FileError, match="whole checkpoint"):
        load_checkpoint(tmp_path, FACTS, fresh())


def test_the_arrays_of_another_model_are_refused(tmp_path: Path) -> None:
    save_checkpoint(tmp_path, Place(1, 0.0), FACTS, fresh())
    larger = tiny(model={**SIZES, "pixel_hidden": 48})
    with pytest.raises(FileError, match="hold the arrays of this model"):
        load_checkpoint(
            tmp_path, FACTS, Standing(build(tiny_config(height=8, width=8, colours=8, **larger.model), larger), larger)
        )


def test_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"\xff" * 64)
    with pytest.raises(FileError):
        load_checkpoint(tmp_path, FACTS, fresh())
