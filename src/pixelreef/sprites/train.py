"""Training: lessons, steps, checkpoints, looks. One process, or several through Fabric.

    outcome = train(lecture, Recipe.of("reef"), Path("run"), devices=2, tell=print)

Started again in the same folder, a run goes on where it was killed and ends with the same losses. What a run leaves in
its folder is `watch`'s; here are the model, its gradients and its file of progress.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.func import functional_call

from pixelreef.core.seeds import derive, rng
from pixelreef.sprites.config import Config
from pixelreef.sprites.drawn import Draw, engine_draw
from pixelreef.sprites.history import Bits, Look
from pixelreef.sprites.layers import Thinned
from pixelreef.sprites.lecture import Lecture, Material
from pixelreef.sprites.lessons import Lessons, batch_of
from pixelreef.sprites.network import Batch, Reef
from pixelreef.sprites.raster import Raster
from pixelreef.sprites.recipe import Recipe, check_devices
from pixelreef.sprites.standing import Standing
from pixelreef.sprites.watch import Outcome, Watch, due, run_facts
from pixelreef.training.checkpoint import Place, load_checkpoint, save_checkpoint
from pixelreef.training.launch import Moment, Parent, Work, deterministic, keep_memory, launched
from pixelreef.training.lock import locked

CHECKPOINT_SECONDS = 60.0
_AT_ONCE = 64  # sprites whose bits are counted together

Arrays = Mapping[str, NDArray[np.float32]]
Tell = Callable[[Moment | Look], None]


def build(config: Config, recipe: Recipe, start: Arrays | None = None) -> Reef | Raster:
    """A model before its first step: anew by seed, or from arrays."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(derive(recipe.seed, "weights") >> 1)
        model = Reef(config) if recipe.shape == "reef" else Raster(config)
    if start is not None:
        model.load_state_dict({name: torch.from_numpy(value) for name, value in start.items()})
    for part in model.modules():
        if isinstance(part, Thinned):
            part.share = recipe.dropout
    return model


def train(
    lecture: Lecture,
    recipe: Recipe,
    out: Path,
    *,
    devices: int = 1,
    start: Arrays | None = None,
    tell: Tell | None = None,
    save_every: float = CHECKPOINT_SECONDS,
) -> Outcome:
    """Train, or go on training, in the folder `out`; `save_every` so many seconds.

    With several devices each has a process of its own, so `tell` must be picklable; it is called by the first.
    """
    check_devices(recipe, devices)
    outcome: Outcome = launched(_Work(lecture, recipe, out, start, tell, save_every), out, devices)
    return outcome


class _Work(Work):
    """What each process does."""

    def __init__(
        self, lecture: Lecture, recipe: Recipe, out: Path, start: Arrays | None, tell: Tell | None, save_every: float
    ) -> None:
        self.lecture, self.recipe, self.out = lecture, recipe, out
        self.start, self.tell, self.save_every = start, tell or _silent, save_every
        self.facts = run_facts(lecture, recipe, start)

    def run(self, fabric: Any) -> Outcome | None:
        """All of a run; the first process has an outcome."""
        first = fabric.global_rank == 0
        with ExitStack() as stack:
            stack.enter_context(deterministic())
            keep_memory()
            if first:
                stack.enter_context(locked(self.out))
            if fabric.device.type != "cpu":
                stack.enter_context(fabric.device)  # the network makes tensors of its own
            standing = Standing(fabric.to_device(build(self.lecture.config, self.recipe, self.start)), self.recipe)
            place = load_checkpoint(self.out, self.facts, standing)
            fabric.barrier()  # nobody writes while another still reads
            sitting = _Sitting(self, place) if first else None
            if not fabric.broadcast(sitting is not None and sitting.watch.ended):
                self._steps(fabric, standing, place.step, sitting)
            return sitting.watch.finish() if sitting is not None else None

    def _steps(self, fabric: Any, standing: Standing, start: int, sitting: _Sitting | None) -> None:
        recipe, lecture = self.recipe, self.lecture
        rank, world = fabric.global_rank, fabric.world_size
        lessons = Lessons(lecture.taught, lecture.config, recipe, lecture.augmentation, rank, world)
        wrapped = fabric.setup_module(standing.model)
        parent = Parent(world)
        for step in range(start, recipe.steps):
            parent.check()
            loss = taught(wrapped, fabric.to_device(lessons.at(step)), standing, step, fabric.backward)
            stopped = sitting is not None and sitting.after(step + 1, loss, standing)
            if recipe.may_stop and due(recipe, step + 1) and fabric.broadcast(stopped):
                return


def fit(
    material: Material, config: Config, recipe: Recipe, hear: Callable[[int], bool] | None = None
) -> Callable[[Batch], Any]:
    """A model trained in memory, with the running mean of its weights; `hear` may end it after any step."""
    with deterministic():
        standing, lessons = Standing(build(config, recipe), recipe), Lessons(material, config, recipe)
        for step in range(recipe.steps):
            taught(standing.model, lessons.at(step), standing, step)
            if hear is not None and not hear(step + 1):
                break
    standing.model.eval()
    return lambda batch: functional_call(standing.model, standing.mean, (batch,))


def taught(
    model: nn.Module, batch: Batch, standing: Standing, step: int, backward: Callable[[Tensor], None] | None = None
) -> float:
    """One step: the bits per pixel that the batch cost before it."""
    standing.schedule(step)
    if standing.recipe.dropout:
        torch.manual_seed(derive(standing.recipe.seed, "dropout", step) >> 1)
    loss = -model(batch).total.mean() / (math.log(2) * batch.codes[0].numel())
    (backward or torch.Tensor.backward)(loss)
    nn.utils.clip_grad_norm_(standing.model.parameters(), standing.recipe.clip)
    standing.advance(step)
    return float(loss.detach())


class _Sitting:
    """What the first process does beside the steps: telling, looking, saving."""

    def __init__(self, work: _Work, place: Place) -> None:
        self.work, self.place = work, place
        self.watch = Watch(work.lecture, work.recipe, work.out, work.facts, place.step)
        self.began = self.saved = time.monotonic()
        self.loss = math.nan
        self.since: list[float] = []

    @property
    def seconds(self) -> float:
        """Over all sittings."""
        return self.place.seconds + time.monotonic() - self.began

    def after(self, done: int, loss: float, standing: Standing) -> bool:
        """After a step; whether the run ends here."""
        work, steps = self.work, self.work.recipe.steps
        self.loss = loss if math.isnan(self.loss) else 0.98 * self.loss + 0.02 * loss
        self.since.append(loss)
        left = (self.seconds - self.place.seconds) / (done - self.place.step) * (steps - done)
        work.tell(Moment(done, steps, self.loss, self.seconds, left))
        stopped = due(work.recipe, done) and self._look(done, standing)
        if stopped or done == steps or time.monotonic() - self.saved > work.save_every:
            save_checkpoint(work.out, Place(done, self.seconds), work.facts, standing)
            self.saved = time.monotonic()
        return stopped

    def _look(self, done: int, standing: Standing) -> bool:
        lecture, mean = self.work.lecture, standing.mean
        standing.model.eval()
        found = cell_bits(lambda batch: functional_call(standing.model, mean, (batch,)), lecture, self.work.recipe)
        standing.model.train()
        arrays = {name: value.cpu().numpy().copy() for name, value in mean.items()}
        lately = math.fsum(self.since) / len(self.since)
        look = self.watch.look(done, self.seconds, lately, found, arrays, drawing(lecture.config, arrays))
        self.since.clear()
        self.work.tell(look)
        return look.stopped


def drawing(config: Config, arrays: Arrays) -> Draw:
    """How to draw with these weights: by the engine, or, of a `raster` model, by torch."""
    return _raster_draw(config, arrays) if "kind.weight" not in arrays else engine_draw(config, arrays)


def _raster_draw(config: Config, arrays: Arrays) -> Draw:
    model = Raster(config)
    model.load_state_dict({name: torch.from_numpy(value) for name, value in arrays.items()})
    return model.draw


@torch.inference_mode()
def sprite_bits(model: Callable[[Batch], Any], material: Material, config: Config) -> NDArray[np.float64]:
    """(n,): bits per pixel of each sprite, with nothing known."""
    bits = []
    for start in range(0, len(material.grids), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        batch = batch_of(material.grids[part], material.factors[part], config)
        bits.append(-model(batch).total.cpu().numpy())
    return np.asarray(np.concatenate(bits).astype(np.float64) / (math.log(2) * config.height * config.width))


def cell_bits(model: Callable[[Batch], Any], lecture: Lecture, recipe: Recipe) -> Bits:
    """Of the sprites held back, or some of each cell, in all and by cell."""
    config, held = lecture.config, lecture.held
    random = rng(recipe.seed, "validated")
    by_cell = {cell: random.permutation(places) for cell, places in lecture.held_sprites.by_cell.items()}
    chosen = {cell: places[: recipe.validated] for cell, places in by_cell.items() if len(places)}
    every = np.concatenate(list(chosen.values()))
    bits = sprite_bits(model, Material(held.grids[every], held.factors[every]), config)
    seen = max(1, int((held.grids[every] != config.ground).sum()))
    parts = np.split(bits, np.cumsum([len(places) for places in chosen.values()])[:-1])
    cells = {cell: float(of.mean()) for cell, of in zip(chosen, parts, strict=True)}
    return Bits(float(bits.mean()), float(bits.sum()) * config.height * config.width / seen, cells)


def _silent(_: Moment | Look) -> None:
    pass
