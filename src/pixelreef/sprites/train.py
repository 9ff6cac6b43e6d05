"""Training: lessons, steps, checkpoints, validation by cell. One process, or several through Fabric.

    result = train(corpus, recipe, Path("run"), devices=1, tell=print)

The folder holds `run.json` (corpus, recipe, configuration), `checkpoint.safetensors`, `history.jsonl` (one line each
time the model is validated) and, at the end, `weights.safetensors`. Started again it goes on where it was killed.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from pixelreef.core.files import write_json, write_text
from pixelreef.sprites.checkpoint import load_checkpoint, save_checkpoint
from pixelreef.sprites.config import Config
from pixelreef.sprites.lessons import Lessons, Pupils, plain_batch
from pixelreef.sprites.network import Reef
from pixelreef.sprites.raster import Raster
from pixelreef.sprites.recipe import Recipe

CHECKPOINT_SECONDS = 60
_AT_ONCE = 64  # sprites validated together


@dataclass(frozen=True)
class Moment:
    """Where a run stands."""

    step: int
    steps: int
    loss: float
    """Bits per pixel, a running mean."""
    seconds: float
    left: float
    """Seconds, about."""


@dataclass(frozen=True)
class Checked:
    """What validation found."""

    step: int
    loss: float
    """Bits per pixel over all sprites held out."""
    cells: Mapping[str, float]
    """The same by cell."""


Tell = Callable[[Moment | Checked], None]


@dataclass(frozen=True, eq=False)
class Lecture:
    """What is taught, and what is held back."""

    config: Config
    taught: Pupils
    held: Pupils
    cells: tuple[str, ...]
    """The cell of every sprite held back."""
    facts: Mapping[str, Any]
    """Which corpus it is."""


def build(config: Config, recipe: Recipe) -> Reef | Raster:
    """A model before its first step; the same seed, the same weights."""
    torch.manual_seed(recipe.seed)
    return Reef(config) if recipe.shape == "reef" else Raster(config)


def train(lecture: Lecture, recipe: Recipe, out: Path, *, devices: int = 1, tell: Tell | None = None) -> nn.Module:
    """Train, or go on training, and return the model with the running mean of its weights."""
    from lightning_fabric import Fabric

    fabric = Fabric(accelerator="auto", devices=devices, strategy="ddp" if devices > 1 else "auto")
    fabric.launch()
    model = build(lecture.config, recipe)
    optimiser = _optimiser(model, recipe)
    mean = {name: value.detach().clone() for name, value in model.state_dict().items()}
    facts = {"corpus": dict(lecture.facts), "recipe": recipe.model_dump(), "config": lecture.config.document()}
    start = load_checkpoint(out, facts, model, mean, optimiser)
    if fabric.global_rank == 0:
        write_json(out / "run.json", facts)
    wrapped, optimiser = fabric.setup(model, optimiser)
    lessons = Lessons(lecture.taught, lecture.config, recipe, fabric.global_rank, fabric.world_size)
    run = _Run(lecture, recipe, out, tell or (lambda _: None), start, main=fabric.global_rank == 0)
    for step in range(start, recipe.steps):
        _schedule(optimiser, recipe, step)
        loss = -wrapped(lessons.at(step)).total.mean() / (math.log(2) * lecture.config.height * lecture.config.width)
        fabric.backward(loss)
        fabric.clip_gradients(wrapped, optimiser, max_norm=recipe.clip)
        optimiser.step()
        optimiser.zero_grad()
        _remember(mean, model, min(recipe.memory, (1 + step) / (10 + step)))
        run.after(step, float(loss.detach()), model, mean, optimiser)
    model.load_state_dict(mean)
    return model


class _Run:
    """What goes on beside the steps: telling, checking, saving."""

    def __init__(self, lecture: Lecture, recipe: Recipe, out: Path, tell: Tell, start: int, *, main: bool) -> None:
        self.lecture, self.recipe, self.out, self.tell, self.start, self.main = lecture, recipe, out, tell, start, main
        self.began = self.saved = time.monotonic()
        self.loss = math.nan

    def after(self, step: int, loss: float, model: nn.Module, mean: dict[str, Tensor], optimiser: Any) -> None:
        self.loss = loss if math.isnan(self.loss) else 0.98 * self.loss + 0.02 * loss
        done, last = step + 1, step + 1 == self.recipe.steps
        if not self.main:
            return
        now = time.monotonic()
        spent = now - self.began
        self.tell(
            Moment(done, self.recipe.steps, self.loss, spent, spent / (done - self.start) * (self.recipe.steps - done))
        )
        if done % self.recipe.validate_every == 0 or last:
            with _as(model, mean):
                found = check(model, self.lecture, done)
            _append(self.out / "history.jsonl", found)
            self.tell(found)
        if now - self.saved > CHECKPOINT_SECONDS or last:
            facts = json.loads((self.out / "run.json").read_text("utf-8"))
            save_checkpoint(self.out, done, facts, model, mean, optimiser.optimizer)
            self.saved = now


@torch.inference_mode()
def check(model: nn.Module, lecture: Lecture, step: int) -> Checked:
    """Bits per pixel of the sprites held back, row by row, in all and by cell."""
    held, found = lecture.held, []
    for start in range(0, len(held.grids), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        batch = plain_batch(held.grids[part].astype(np.int64), held.factors[part], lecture.config)
        found.append(-model(batch).total.numpy())
    bits = np.concatenate(found) / (math.log(2) * lecture.config.height * lecture.config.width)
    cells = np.array(lecture.cells)
    by_cell = {str(cell): float(bits[cells == cell].mean()) for cell in dict.fromkeys(lecture.cells)}
    return Checked(step, float(bits.mean()), by_cell)


class _as:  # noqa: N801  (reads as a word: with _as(model, mean))
    """The model with other weights, for a while."""

    def __init__(self, model: nn.Module, weights: Mapping[str, Tensor]) -> None:
        self.model, self.weights = model, weights

    def __enter__(self) -> None:
        self.kept = {name: value.clone() for name, value in self.model.state_dict().items()}
        self.model.load_state_dict(self.weights)

    def __exit__(self, *_: object) -> None:
        self.model.load_state_dict(self.kept)


def _optimiser(model: nn.Module, recipe: Recipe) -> torch.optim.Optimizer:
    dense = [one for name, one in model.named_parameters() if one.ndim == 2 and name.endswith(".weight")]
    known = {id(one) for one in dense}
    others = [one for one in model.parameters() if id(one) not in known]
    groups = [{"params": dense, "weight_decay": recipe.decay}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=recipe.rate, betas=(0.9, 0.95))


def _schedule(optimiser: Any, recipe: Recipe, step: int) -> None:
    """Up over the first steps, then down in a straight line to a hundredth."""
    grown = min(1.0, (step + 1) / max(recipe.warmup, 1))
    rate = recipe.rate * grown * max(0.01, 1 - step / recipe.steps)
    for group in optimiser.param_groups:
        group["lr"] = rate


@torch.no_grad()
def _remember(mean: dict[str, Tensor], model: nn.Module, share: float) -> None:
    for name, value in model.state_dict().items():
        mean[name].lerp_(value, 1 - share)


def _append(path: Path, found: Checked) -> None:
    """History without what a killed run wrote beyond its checkpoint."""
    before = [line for line in _lines(path) if json.loads(line)["step"] < found.step]
    line = json.dumps({"step": found.step, "loss": found.loss, "cells": dict(found.cells)})
    write_text(path, "\n".join([*before, line]) + "\n")


def _lines(path: Path) -> Iterator[str]:
    if path.exists():
        yield from path.read_text("utf-8").splitlines()
