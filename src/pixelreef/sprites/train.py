"""Training: lessons, steps, checkpoints, looks. One process, or several through Fabric.

    outcome = train(lecture, Recipe.of("reef"), Path("run"), devices=2, tell=print)

Started again in the same folder, a run goes on where it was killed and ends with the same losses. What a run leaves in
its folder is `watch`'s; here are the model, its gradients and its file of progress.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.autograd import Function
from torch.func import functional_call
from torch.nn import functional

from pixelreef.core.seeds import derive, rng
from pixelreef.errors import PixelreefError
from pixelreef.sprites.checkpoint import Place, Standing, load_checkpoint, save_checkpoint
from pixelreef.sprites.config import Config
from pixelreef.sprites.drawn import Draw, Grids, engine_draw
from pixelreef.sprites.history import Bits, Look, Moment
from pixelreef.sprites.lecture import Lecture, Material, Whole
from pixelreef.sprites.lessons import Lessons, plain_batch
from pixelreef.sprites.lock import locked
from pixelreef.sprites.network import Batch, Layer, Reef
from pixelreef.sprites.raster import Raster, attended, normed, passed
from pixelreef.sprites.recipe import Recipe, check_devices
from pixelreef.sprites.watch import Outcome, Watch, due, run_facts

CHECKPOINT_SECONDS = 60.0
_AT_ONCE = 64  # sprites whose bits are counted together

Arrays = Mapping[str, NDArray[np.float32]]
Tell = Callable[[Moment | Look], None]


class _Summed(Function):
    """(n, width): for each row the sum of its rows of a table; row i has those of places[ends[i] : ends[i + 1]]."""

    @staticmethod
    def forward(ctx: Any, table: Tensor, places: Tensor, ends: Tensor) -> Tensor:
        ctx.save_for_backward(places, ends)
        ctx.length = len(table)
        return functional.embedding_bag(places, table, ends[:-1], mode="sum")

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:
        """The same the other way round: for each row of the table the sum of the rows that used it."""
        places, ends = ctx.saved_tensors
        users = torch.arange(len(ends) - 1, device=ends.device).repeat_interleave(ends.diff())
        counts = places.bincount(minlength=ctx.length)
        starts = counts.cumsum(0) - counts
        users = users[places.argsort(stable=True)]
        return functional.embedding_bag(users, gradients[0], starts, mode="sum"), None, None


class _QuickLayer(Layer):
    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        return attended(self, x, mask)


class QuickReef(Reef):
    """The same model, quicker to train.

    What a window says is the sum of one row for each of its pixels, by place and code. These rows are worked out once a
    step, less those of `unknown`, so that only known pixels have to be added up.
    """

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        quick = nn.ModuleList([_QuickLayer(config.trunk_width, config.heads) for _ in range(config.trunk_layers)])
        quick.load_state_dict(self.layers.state_dict())
        self.layers = quick

    def pixel_logits(self, states: Tensor, seen: Tensor) -> Tensor:
        """(n, pixels, colours) from states (n, width) and codes (n, pixels, window²)."""
        config, (count, pixels, places) = self.config, seen.shape
        by_place = self.window.weight.view(config.pixel_width, places, config.colour_width)
        rows = torch.einsum("ck,wpk->pcw", self.colour_table(), by_place)
        nothing = rows[:, config.unknown]
        known = seen != config.unknown
        ends = functional.pad(known.sum(dim=2).flatten().cumsum(0), (1, 0))
        chosen = (seen + torch.arange(places, device=seen.device) * rows.shape[1])[known]
        around = _Summed.apply((rows - nothing[:, None]).flatten(0, 1), chosen, ends)  # type: ignore[no-untyped-call]
        inner = around.view(count, pixels, -1) + self.state(states)[:, None] * (1 + self.gain)
        inner = inner + (self.place + nothing.sum(dim=0))
        for block in self.blocks:
            inner = passed(block, inner)  # type: ignore[arg-type]
        return self.out(normed(self.pixel_norm, inner))  # type: ignore[no-any-return]


def build(config: Config, recipe: Recipe, start: Arrays | None = None) -> QuickReef | Raster:
    """A model before its first step: anew by seed, or from arrays."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(derive(recipe.seed, "weights") >> 1)
        model = QuickReef(config) if recipe.shape == "reef" else Raster(config)
    if start is not None:
        model.load_state_dict({name: torch.from_numpy(value) for name, value in start.items()})
    return model


def train(
    lecture: Lecture,
    recipe: Recipe,
    out: Path,
    *,
    devices: int = 1,
    start: Arrays | None = None,
    tell: Tell | None = None,
) -> Outcome:
    """Train, or go on training, in the folder `out`.

    With several devices each has a process of its own, so `tell` must be picklable; it is called by the first.
    """
    from lightning_fabric import Fabric
    from lightning_fabric.strategies.ddp import DDPStrategy

    check_devices(recipe, devices)
    with locked(out):  # the one who writes holds it; with several processes that is one that is yet to begin
        pass
    strategy = DDPStrategy(start_method="spawn", find_unused_parameters=True) if devices > 1 else "auto"
    fabric = Fabric(accelerator="auto", devices=devices, strategy=strategy)
    found: Outcome | str = fabric.launch(_told, lecture, recipe, out, start, tell or _silent)
    if isinstance(found, str):
        raise PixelreefError(found)
    return found


def _told(fabric: Any, *given: Any) -> Outcome | str | None:
    """What each process does, an error of ours as its words: it has to travel back to the process that asked."""
    try:
        return _work(fabric, *given)
    except PixelreefError as error:
        if fabric.world_size == 1:
            raise
        return str(error)


def _work(fabric: Any, lecture: Lecture, recipe: Recipe, out: Path, start: Arrays | None, tell: Tell) -> Outcome | None:
    """All of a run; the first process has an outcome."""
    with ExitStack() as stack:
        stack.enter_context(deterministic())
        if fabric.global_rank == 0:
            stack.enter_context(locked(out))
        if fabric.device.type != "cpu":
            stack.enter_context(fabric.device)  # the network makes tensors of its own
        model = fabric.to_device(build(lecture.config, recipe, start))
        standing, facts = Standing(model, recipe), run_facts(lecture, recipe, start)
        place = load_checkpoint(out, facts, standing)
        fabric.barrier()  # nobody writes while another still reads
        sitting = _Sitting(lecture, recipe, out, facts, place, tell) if fabric.global_rank == 0 else None
        if not fabric.broadcast(sitting is not None and sitting.watch.ended):
            _steps(fabric, lecture, standing, place.step, sitting)
        return sitting.watch.finish() if sitting is not None else None


def _steps(fabric: Any, lecture: Lecture, standing: Standing, start: int, sitting: _Sitting | None) -> None:
    recipe, rank, world = standing.recipe, fabric.global_rank, fabric.world_size
    lessons = Lessons(lecture.taught, lecture.config, recipe, lecture.augmentation, rank, world)
    wrapped = fabric.setup_module(standing.model)
    for step in range(start, recipe.steps):
        loss = taught(wrapped, fabric.to_device(lessons.at(step)), standing, step, fabric.backward)
        stopped = sitting is not None and sitting.after(step + 1, loss, standing)
        if recipe.copies is not None and due(recipe, step + 1) and fabric.broadcast(stopped):
            return


def taught(
    model: nn.Module, batch: Batch, standing: Standing, step: int, backward: Callable[[Tensor], None] | None = None
) -> float:
    """One step: the bits per pixel that the batch cost before it."""
    standing.schedule(step)
    loss = -model(batch).total.mean() / (math.log(2) * batch.codes[0].numel())
    (backward or torch.Tensor.backward)(loss)
    nn.utils.clip_grad_norm_(standing.model.parameters(), standing.recipe.clip)
    standing.advance(step)
    return float(loss.detach())


class _Sitting:
    """What the first process does beside the steps: telling, looking, saving."""

    def __init__(
        self, lecture: Lecture, recipe: Recipe, out: Path, facts: Mapping[str, Any], place: Place, tell: Tell
    ) -> None:
        self.lecture, self.recipe, self.out = lecture, recipe, out
        self.facts, self.place, self.tell = facts, place, tell
        self.watch = Watch(lecture, recipe, out, facts, place.step)
        self.began = self.saved = time.monotonic()
        self.loss = math.nan

    def after(self, done: int, loss: float, standing: Standing) -> bool:
        """After a step; whether the run ends here."""
        self.loss = loss if math.isnan(self.loss) else 0.98 * self.loss + 0.02 * loss
        spent = time.monotonic() - self.began
        left = spent / (done - self.place.step) * (self.recipe.steps - done)
        self.tell(Moment(done, self.recipe.steps, self.loss, self.place.seconds + spent, left))
        stopped = False
        if due(self.recipe, done):
            stopped = self._look(done, standing)
        if stopped or done == self.recipe.steps or time.monotonic() - self.saved > CHECKPOINT_SECONDS:
            save_checkpoint(self.out, Place(done, self.seconds), self.facts, standing)
            self.saved = time.monotonic()
        return stopped

    @property
    def seconds(self) -> float:
        """Over all sittings."""
        return self.place.seconds + time.monotonic() - self.began

    def _look(self, done: int, standing: Standing) -> bool:
        mean = {name: value.detach() for name, value in standing.mean.items()}
        found = cell_bits(lambda batch: functional_call(standing.model, mean, (batch,)), self.lecture)
        arrays = {name: value.cpu().numpy() for name, value in mean.items()}
        look = self.watch.look(done, self.seconds, self.loss, found, arrays, drawing(self.lecture.config, arrays))
        self.tell(look)
        return look.stopped


def drawing(config: Config, arrays: Arrays) -> Draw:
    """How to draw with these weights: by the engine, or, of a `raster` model, by torch."""
    return _raster_draw(config, arrays) if "patch.weight" not in arrays else engine_draw(config, arrays)


def _raster_draw(config: Config, arrays: Arrays) -> Draw:
    model = Raster(config)
    model.load_state_dict({name: torch.from_numpy(value) for name, value in arrays.items()})

    def draw(factors: Whole, seed: int) -> Grids:
        return model.draw(torch.from_numpy(factors.astype(np.int64)), seed)

    return draw


@torch.inference_mode()
def sprite_bits(model: Callable[[Batch], Any], material: Material, config: Config, orders: Sequence[int] = ()) -> Any:
    """(n,): bits per pixel of each sprite, row by row, or the mean over orders by these seeds."""
    found = []
    for seed in orders or (None,):
        bits = []
        for start in range(0, len(material.grids), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            batch = plain_batch(material.grids[part], material.factors[part], config)
            if seed is not None:
                batch = batch._replace(order=_some_first(len(batch.codes), config, seed, start))
            bits.append(-model(batch).total.cpu().numpy())
        found.append(np.concatenate(bits))
    return np.mean(found, axis=0) / (math.log(2) * config.height * config.width)


def cell_bits(model: Callable[[Batch], Any], lecture: Lecture) -> Bits:
    """Of the sprites held back, in all and by cell."""
    held, config = lecture.held, lecture.config
    bits = sprite_bits(model, held, config)
    seen = max(1, int((held.grids != config.ground).sum()))
    places = lecture.held_sprites.by_cell
    cells = {cell: float(bits[of].mean()) for cell, of in places.items() if len(of)}
    return Bits(float(bits.mean()), float(bits.sum()) * config.height * config.width / seen, cells)


def _some_first(count: int, config: Config, seed: int, start: int) -> Tensor:
    """(count, patches): some patches by chance, then all others, each row by row, as when some are given."""
    chosen = rng(seed, "order", start).random((count, config.patches)) < 0.5
    return torch.from_numpy(np.argsort(~chosen, axis=1, kind="stable"))


@contextmanager
def deterministic() -> Iterator[None]:
    """Algorithms that give the same numbers again, for a while."""
    before, rules = torch.are_deterministic_algorithms_enabled(), torch.utils.deterministic
    filled = rules.fill_uninitialized_memory  # type: ignore[attr-defined]
    torch.use_deterministic_algorithms(True)
    rules.fill_uninitialized_memory = False  # type: ignore[attr-defined]  # nothing is read that was not written
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before)
        rules.fill_uninitialized_memory = filled  # type: ignore[attr-defined]


def _silent(_: Moment | Look) -> None:
    pass
