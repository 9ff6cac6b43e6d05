"""The graphs against the engine: the same probabilities and, by the loop that is written beside them, sprites."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sprite_models import perturbed, small_config, task, weights

from pixelreef.core.images import read_image
from pixelreef.core.seeds import rng
from pixelreef.sprites import onnx_example as loop
from pixelreef.sprites.config import Config
from pixelreef.sprites.engine import Engine
from pixelreef.sprites.given import random_given
from pixelreef.sprites.onnx import furthest, write_onnx
from pixelreef.sprites.sample import Sampler
from pixelreef.sprites.weights import Weights, weights_from, write_weights

SHAPES: dict[str, dict[str, Any]] = {
    "plain": {},
    "no factors": {"factors": {}},
    "ramps, another ground": {"ground": 5, "ramps": tuple((place // 3, place % 3) for place in range(9))},
    "wide, small patches": {"height": 6, "width": 12, "patch": 2, "window": 3},
    "single pixels": {"height": 3, "width": 4, "patch": 1, "window": 3},
}


def made(folder: Path, **other: Any) -> tuple[Weights, loop.Model]:
    model = weights(perturbed(small_config(**other)))
    write_onnx(model, folder)
    return model, loop.Model(folder)


def some_grid(config: Config, seed: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """A third of the patches empty, a third full, in the others few pixels or nearly all."""
    random = rng(seed, "grid")
    kinds = random.integers(0, 3, (config.rows, config.columns)).repeat(config.patch, 0).repeat(config.patch, 1)
    full = (config.ground + random.integers(1, config.colours, kinds.shape)) % config.colours
    share = np.array([0.0, 1.0, random.choice([0.1, 0.9])])[kinds]
    return np.where(random.random(kinds.shape) < share, full, config.ground).astype(np.uint8)


@pytest.mark.parametrize("shape", SHAPES)
def test_log_probabilities_are_the_engine_s(shape: str, tmp_path: Path) -> None:
    model, graphs = made(tmp_path, **SHAPES[shape])
    config = model.config
    engine, asked = Engine(config, model.arrays, threads=1), task(config, 6)
    for number in range(6):
        grid, factors = some_grid(config, number), asked.factors[number]
        known = np.full(grid.shape, config.unknown, np.int64)
        if number % 2:
            given = random_given(rng(number, "given"), config)
            known[given] = grid[given]
            filled = (rng(number, "filled").random(grid.shape) < 0.1) & (grid != config.ground) & ~given
            known[filled] = config.filled
        ours = float(engine.likelihood(grid[None], factors[None], known[None]).total[0])
        assert ours < 0
        assert loop.likelihood(graphs, grid, factors.tolist(), known) == pytest.approx(ours, abs=1e-4)


@pytest.mark.slow
def test_the_shipped_weights_agree_in_every_cell(tmp_path: Path) -> None:
    shipped = weights_from(None)
    write_onnx(shipped, tmp_path)
    away = furthest(shipped, tmp_path, count=30)
    print(f"{away:.2e}")
    assert away < 1e-4


def test_the_loop_draws_the_sprites_of_the_engine(tmp_path: Path) -> None:
    model, graphs = made(tmp_path)
    sampler = Sampler(model, threads=1)
    same = sum(
        (loop.sample(graphs, one.cell, 3, one.number) == one.cells).all()
        for one in sampler.sample_cells(["fish/top", "coral/deep"], 4, seed=3)
    )
    assert same == 8


def test_the_folder_stands_alone(tmp_path: Path) -> None:
    """The written loop runs where Pixelreef is not installed, and draws a picture."""
    model, _ = made(tmp_path / "graphs")
    code = (
        "import runpy, sys\n"
        "class Absent:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name.partition('.')[0] in ('pixelreef', 'torch', 'PIL', 'onnx'):\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, Absent())\n"
        "sys.argv = sys.argv[1:]\n"
        "runpy.run_path(sys.argv[0], run_name='__main__')\n"
    )
    asked = ["graphs/draw.py", "coral/middle", "11", "sprite.png"]
    done = subprocess.run([sys.executable, "-c", code, *asked], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    (one,) = Sampler(model).sample("coral/middle", 1, seed=11)
    assert (read_image(tmp_path / "sprite.png").rgba == model.palette.rgba[one.cells]).all()


def test_several_rows_at_once_are_as_one_by_one(tmp_path: Path) -> None:
    model, graphs = made(tmp_path)
    config, random = model.config, rng(0, "rows")
    maps = np.stack([some_grid(config, number) for number in range(3)]).astype(np.int64)
    patch, place = np.array([0, 7, 15]), np.array([3, 0, 15])
    state = random.standard_normal((3, config.trunk_width), np.float32)
    (together,) = graphs.run("colours-inside", map=maps, patch=patch, place=place, state=state)
    for row in range(3):
        some = slice(row, row + 1)
        inputs = {"map": maps[some], "patch": patch[some], "place": place[some], "state": state[some]}
        np.testing.assert_allclose(graphs.run("colours-inside", **inputs)[0], together[some], atol=1e-5)


def test_files_are_the_same_again_small_and_sound(tmp_path: Path) -> None:
    model, _ = made(tmp_path / "one")
    write_onnx(model, tmp_path / "two")
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    graphs = {f"{one}-{part}.onnx" for one in ("shape", "colours") for part in ("known", "trunk", "inside")}
    assert set(names) == graphs | {"draw.py", "model.json"}
    assert all((tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes() for name in names)
    about = json.loads((tmp_path / "one" / "model.json").read_text())
    assert about["cells"][3] == "coral/top"
    assert about["painters"]["shape"]["classes"] == 16
    stored = sum((tmp_path / "one" / f"{name}.onnx").stat().st_size for name in about["graphs"])
    assert stored < 3.2 * sum(value.size for value in model.arrays.values())  # two bytes a number, and tables of places


def test_graphs_of_other_weights_are_found_out(tmp_path: Path) -> None:
    model, _ = made(tmp_path)
    assert furthest(model, tmp_path) < 1e-4
    assert furthest(weights(perturbed(small_config(), seed=1)), tmp_path) > 1


def test_the_command_writes_checks_and_tells(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from pixelreef.cli import app

    write_weights(tmp_path / "run" / "weights.safetensors", weights(perturbed(small_config())))
    asked = ["sprites", "onnx", "--weights", str(tmp_path / "run"), "--out", str(tmp_path / "graphs")]
    done = CliRunner().invoke(app, [*asked, "--json"])
    assert (done.exit_code, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert document["furthest"] < 1e-4
    assert all(Path(path).is_file() for path in document["files"])
    assert "8 files" in CliRunner().invoke(app, asked).stdout
