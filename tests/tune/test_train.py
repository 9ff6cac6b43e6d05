from __future__ import annotations

import json
import multiprocessing
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tune.small_models import four_pairs, stored, tune_once

from pixelreef.draw.reply import read
from pixelreef.errors import FileError, InputError
from pixelreef.training.checkpoint import NAME
from pixelreef.training.launch import Moment
from pixelreef.tune.adapter import read_adapter
from pixelreef.tune.base import find_base, load_model, load_tokeniser
from pixelreef.tune.history import Look, read_history
from pixelreef.tune.recipe import Recipe
from pixelreef.tune.store import Stored, write_pairs
from pixelreef.tune.train import check_room, tune

EVERY = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
SHORT: dict[str, Any] = {
    "encodings": ["shapes"],
    "rank": 4,
    "rate": 1e-2,
    "steps": 6,
    "batch": 4,
    "look_every": 2,
    "length": 4096,
}


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
def shapes(tmp_path_factory: pytest.TempPathFactory) -> Stored:
    return stored(tmp_path_factory.mktemp("pairs"), ("shapes",))


@pytest.fixture(scope="module")
def unbroken(qwen: Path, shapes: Stored, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("unbroken")
    tune(find_base(str(qwen)), shapes, Recipe.of(None, **SHORT), out)
    return out


def same(left: Path, right: Path) -> None:
    one, two = (read_history(folder) for folder in (left, right))
    assert [look.step for look in one] == [look.step for look in two]
    assert [look.loss for look in one] == [look.loss for look in two]
    first, second = (read_adapter(folder / "adapter") for folder in (left, right))
    for layer, sides in first.layers.items():
        assert all(np.array_equal(a, b) for a, b in zip(sides, second.layers[layer], strict=True)), layer
    assert (left / "adapter.gguf").read_bytes() == (right / "adapter.gguf").read_bytes()


def test_a_run_leaves_everything_in_its_folder(qwen: Path, unbroken: Path) -> None:
    looks = read_history(unbroken)
    assert [look.step for look in looks] == [0, 2, 4, 6]
    assert looks[0].taught is None
    assert looks[-1].loss is not None
    assert looks[0].loss is not None
    assert looks[-1].loss < looks[0].loss
    cost = looks[-1].encodings["shapes"]
    assert cost.pairs == 4
    assert cost.loss == pytest.approx(looks[-1].loss)
    assert sorted(path.name for path in unbroken.iterdir()) == [
        ".lock",
        "adapter",
        "adapter.gguf",
        NAME,
        "history.jsonl",
        "run.json",
    ]
    facts = json.loads((unbroken / "run.json").read_text("utf-8"))
    assert facts["recipe"]["rank"] == 4
    assert facts["base"]["name"] == "tiny-qwen3"
    card = (unbroken / "adapter" / "README.md").read_text("utf-8")
    assert "draw-1" in card
    assert "| shapes |" in card


def test_peft_reads_the_adapter_and_it_costs_what_the_look_says(qwen: Path, unbroken: Path) -> None:
    from peft import PeftModel

    from pixelreef.tune.answering import Answering
    from pixelreef.tune.train import held_costs

    base = find_base(str(qwen))
    model = PeftModel.from_pretrained(load_model(base), unbroken / "adapter")
    tokeniser = load_tokeniser(base)
    pairs = [tokeniser.tokenised(pair) for pair in four_pairs(("shapes",))]
    _, loss = held_costs(Answering(model, model.get_base_model()), pairs)
    assert loss == pytest.approx(read_history(unbroken)[-1].loss, rel=1e-5)


@pytest.mark.parametrize("step", [1, 3, 6])
def test_a_run_that_was_ended_goes_on_to_the_same_adapter(
    qwen: Path, shapes: Stored, unbroken: Path, tmp_path: Path, step: int
) -> None:
    base, recipe = find_base(str(qwen)), Recipe.of(None, **SHORT)
    with pytest.raises(Killed):
        tune(base, shapes, recipe, tmp_path, tell=Until(step), save_every=0)
    again = Until()
    tune(base, shapes, recipe, tmp_path, tell=again, save_every=0)
    first = next(one for one in again.told if isinstance(one, Moment))
    assert first.step == step  # told before it is saved: a kill loses the step that was just told
    same(tmp_path, unbroken)


def test_a_process_that_was_killed_goes_on_to_the_same_adapter(qwen: Path, unbroken: Path, tmp_path: Path) -> None:
    """A real SIGKILL, in the middle of a step or of writing."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["pixelreef.tune.train", "lightning_fabric", "transformers", "peft"])
    pairs = stored(tmp_path / "pairs", ("shapes",)).path
    for steps in (1, 2, None):
        told: Any = context.Queue()
        process = context.Process(target=tune_once, args=(qwen, pairs, tmp_path / "run", SHORT, told))
        process.start()
        if steps is None:
            process.join(240)
            assert process.exitcode == 0
            break
        seen = 0
        while seen < steps:
            seen += isinstance(told.get(timeout=240), Moment)
        process.kill()
        process.join()
    same(tmp_path / "run", unbroken)
    assert [path.name for path in (tmp_path / "run").glob(".*")] == [".lock"]


def test_another_recipe_or_other_pairs_need_another_folder(qwen: Path, shapes: Stored, unbroken: Path) -> None:
    before = {path: path.read_bytes() for path in unbroken.rglob("*") if path.is_file()}
    with pytest.raises(FileError, match="be of this corpus and recipe"):
        tune(find_base(str(qwen)), shapes, Recipe.of(None, **{**SHORT, "rate": 2e-2}), unbroken)
    assert before == {path: path.read_bytes() for path in unbroken.rglob("*") if path.is_file()}


def test_a_checkpoint_that_was_cut_is_one_line(qwen: Path, shapes: Stored, unbroken: Path, tmp_path: Path) -> None:
    shutil.copytree(unbroken, tmp_path, dirs_exist_ok=True)
    (tmp_path / NAME).write_bytes((unbroken / NAME).read_bytes()[:-9])
    with pytest.raises(FileError, match="be a whole checkpoint") as caught:
        tune(find_base(str(qwen)), shapes, Recipe.of(None, **SHORT), tmp_path)
    assert "\n" not in str(caught.value)


def test_patience_ends_a_run_and_keeps_the_best(qwen: Path, tmp_path: Path) -> None:
    """Taught one thing and asked another, the loss on what is held back rises."""
    taught = four_pairs(("shapes",))[:1]
    held = four_pairs(("runs",), "held")[1:2]
    pairs = write_pairs(tmp_path / "pairs", [*taught, *held], {})
    fields = {**SHORT, "encodings": ["shapes", "runs"], "rate": 0.05, "steps": 30, "look_every": 1, "patience": 2}
    found = tune(find_base(str(qwen)), pairs, Recipe.of(None, **fields), tmp_path / "run")
    looks = read_history(tmp_path / "run")
    losses = [look.loss for look in looks if look.loss is not None]
    assert looks[-1].stopped
    assert looks[-1].step < 30
    assert found.look.loss == min(losses)
    assert not any(look.best for look in looks[-2:])
    assert "Stopped at step" in " ".join(found.notes)
    again = tune(find_base(str(qwen)), pairs, Recipe.of(None, **fields), tmp_path / "run")
    assert again.look == found.look


def test_without_pairs_held_back_the_last_adapter_is_kept(qwen: Path, tmp_path: Path) -> None:
    pairs = stored(tmp_path / "pairs", ("shapes",), held=False)
    found = tune(find_base(str(qwen)), pairs, Recipe.of(None, **{**SHORT, "steps": 2}), tmp_path / "run")
    assert found.look.step == 2
    assert found.look.loss is None
    assert "No pairs are held back" in found.notes[0]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"length": 100}, "must have at most 100 tokens"),
        ({"encodings": ["ints"]}, "hold some in ints"),
        ({"targets": ["walls"]}, "targets must be among down_proj, gate_proj"),
    ],
)
def test_what_is_wrong_is_one_line_and_leaves_nothing(
    qwen: Path, shapes: Stored, tmp_path: Path, fields: dict[str, Any], told: str
) -> None:
    with pytest.raises(InputError, match=told) as caught:
        tune(find_base(str(qwen)), shapes, Recipe.of(None, **{**SHORT, **fields}), tmp_path / "run")
    assert "\n" not in str(caught.value)
    assert not [path for path in (tmp_path / "run").glob("*") if path.name != ".lock"]


def test_a_tokenizer_of_another_model_is_one_line(qwen: Path, shapes: Stored, tmp_path: Path) -> None:
    """One that knows more words than the model."""
    from transformers import AutoConfig, AutoModelForCausalLM

    folder = tmp_path / "mixed"
    shutil.copytree(qwen, folder)
    config = AutoConfig.from_pretrained(qwen)
    config.vocab_size = 50
    models: Any = AutoModelForCausalLM
    models.from_config(config).save_pretrained(folder)
    with pytest.raises(InputError, match="tokenizer of 'mixed' must have tokens below the model's 50"):
        tune(find_base(str(folder)), shapes, Recipe.of(None, **SHORT), tmp_path / "run")
    assert not [path for path in (tmp_path / "run").glob("*") if path.name != ".lock"]


def test_without_room_nothing_is_begun(tmp_path: Path) -> None:
    check_room(tmp_path, 1000)
    with pytest.raises(FileError, match="MB free, got"):
        check_room(tmp_path, 10**15)


def generated(model: Any, tokeniser: Any, prompt: list[int], most: int) -> str:
    """What the model writes by its own odds, the likeliest sign each time."""
    end = tokeniser.tokenizer.eos_token_id
    ids = torch.tensor([prompt])
    with torch.no_grad():
        made = model.generate(
            input_ids=ids, attention_mask=torch.ones_like(ids), max_new_tokens=most, do_sample=False, pad_token_id=end
        )
    return str(tokeniser.tokenizer.decode(made[0, len(prompt) :], skip_special_tokens=True))


def test_a_tiny_model_learns_four_pairs_by_heart(qwen: Path, tmp_path: Path) -> None:
    """Through the adapter on disk, the reader of `draw`, and out come the four drawings."""
    from peft import PeftModel

    base = find_base(str(qwen))
    pairs = [replace(pair, prompt=pair.subject) for pair in four_pairs(("runs",))]  # short, to be quick
    asked = write_pairs(tmp_path / "pairs", pairs, {})
    recipe = Recipe.of(
        None,
        encodings=["runs"], rank=64, alpha=64, targets=EVERY, dropout=0, rate=5e-3, steps=200, batch=4, at_once=4,
        look_every=100, length=4096,
    )  # fmt: skip
    tune(base, asked, recipe, tmp_path / "run")
    model = PeftModel.from_pretrained(load_model(base), tmp_path / "run" / "adapter")
    tokeniser = load_tokeniser(base)
    for pair in pairs:
        found = tokeniser.tokenised(pair)
        text = generated(model, tokeniser, found.ids[: found.start].tolist(), found.answered)
        assert text == pair.answer
        assert read(text, "runs").strict == read(pair.answer, "runs").strict is not None


@pytest.mark.slow
def test_two_processes_end_where_one_does(qwen: Path, tmp_path: Path) -> None:
    """Also one that was killed between: parts of a batch and their dropout do not ask who has them."""
    import os
    import subprocess
    import sys

    from tune import small_models

    pairs = stored(tmp_path / "pairs", ("shapes",)).path
    fields = json.dumps({**SHORT, "at_once": 2})
    env = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    for devices in (1, 2):
        command = [sys.executable, small_models.__file__, str(qwen), str(pairs), str(tmp_path / f"{devices}"), fields]
        subprocess.run([*command, str(devices)], check=True, env=env, capture_output=True, timeout=500)
    one, two = (read_history(tmp_path / f"{devices}") for devices in (1, 2))
    assert [look.loss for look in one] == pytest.approx([look.loss for look in two], rel=1e-4)
