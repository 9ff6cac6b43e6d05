"""Fine-tuning: steps, looks at the pairs held back, checkpoints, the adapter. One process, or several through Fabric.

    outcome = tune(find_base("local/smollm2"), read_pairs(Path("pairs")), Recipe.of("smollm2"), Path("run"))

Started again in the same folder, a run goes on where it was killed and ends with the same adapter. It leaves

    run.json                what is taught to what: pairs, base, recipe
    checkpoint.safetensors  where it stands
    history.jsonl           a line for every look, the first at the model as it came
    adapter/                the adapter in peft's layout, with a card, as of the best look
    adapter.gguf            the same for llama.cpp, where the model's kind is known there
"""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from pixelreef.core.files import write_json
from pixelreef.errors import FileError
from pixelreef.training.checkpoint import NAME as CHECKPOINT
from pixelreef.training.checkpoint import Place, load_checkpoint, save_checkpoint
from pixelreef.training.launch import Moment, Parent, Work, deterministic, keep_memory, launched
from pixelreef.training.lock import locked
from pixelreef.tune.adapter import CARD, CONFIG, WEIGHTS, read_adapter, write_adapter
from pixelreef.tune.answering import Answering, batch_of
from pixelreef.tune.base import Base, load_model, load_tokeniser, vocabulary
from pixelreef.tune.card import card
from pixelreef.tune.compare import RUN_FILE
from pixelreef.tune.deck import Deck, looked_at
from pixelreef.tune.gguf_adapter import shape_from_config, write_gguf_adapter
from pixelreef.tune.history import NAME as HISTORY
from pixelreef.tune.history import Cost, Look, read_history, write_history
from pixelreef.tune.recipe import Recipe, check_devices
from pixelreef.tune.standing import Standing, adapted
from pixelreef.tune.store import Stored, check_some
from pixelreef.tune.tokenised import Tokenised, check_vocabulary, tokenise

ADAPTER, GGUF = "adapter", "adapter.gguf"
_WRITTEN = (CHECKPOINT, HISTORY, RUN_FILE, GGUF, *(f"{ADAPTER}/{name}" for name in (WEIGHTS, CONFIG, CARD)))
CHECKPOINT_SECONDS = 60.0
MAX_CHECKPOINT = 2**33

Tell = Callable[[Moment | Look], None]


@dataclass(frozen=True)
class Outcome:
    """What became of a run."""

    out: Path
    look: Look
    """The one whose adapter is kept."""
    first: Look
    """Of the model as it came."""
    parameters: int
    notes: tuple[str, ...] = ()

    @property
    def adapter(self) -> Path:
        return self.out / ADAPTER

    @property
    def gguf(self) -> Path | None:
        return self.out / GGUF if (self.out / GGUF).exists() else None

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "out": str(self.out),
            "adapter": str(self.adapter),
            "gguf": None if self.gguf is None else str(self.gguf),
            "parameters": self.parameters,
            "minutes": round(self.look.seconds / 60, 2),
            "before": self.first.document(),
            **self.look.document(),
            "notes": list(self.notes),
        }


def tune(
    base: Base,
    stored: Stored,
    recipe: Recipe,
    out: Path,
    *,
    devices: int = 1,
    tell: Tell | None = None,
    save_every: float = CHECKPOINT_SECONDS,
) -> Outcome:
    """Train, or go on training, in the folder `out`; `save_every` so many seconds.

    With several devices each has a process of its own, so `tell` must be picklable; it is called by the first.
    """
    check_devices(recipe, devices)
    taught, held = check_some(stored, recipe.encodings)
    tokeniser = load_tokeniser(base)
    leave_out = recipe.too_long == "leave out"
    lessons, cut = tokenise(taught, tokeniser, recipe.length, leave_out=leave_out)
    back, _ = tokenise(held, tokeniser, recipe.length, leave_out=leave_out)
    notes = [f"{cut:,} pairs of more than {recipe.length:,} tokens are left out."] if cut else []
    if not lessons:
        raise FileError(f"pairs {str(stored.path)!r}", f"have some of at most {recipe.length:,} tokens", "none")
    if not back:
        notes.append("No pairs are held back: nothing says when to stop, and the last adapter is kept.")
    work = _Work(base, lessons, looked_at(back, recipe), recipe, out, tell or _silent, save_every, notes)
    work.facts = run_facts(base, stored, recipe, work.deck.steps, len(lessons), len(back))
    outcome: Outcome = launched(work, out, devices, unused=False)
    return outcome


def run_facts(base: Base, stored: Stored, recipe: Recipe, steps: int, taught: int, held: int) -> dict[str, Any]:
    """What must stay the same while a run goes on."""
    made = stored.facts
    sources = made.get("sources")
    names = [one.get("name", "") for one in sources if isinstance(one, dict)] if isinstance(sources, list) else []
    return {
        "base": base.facts(),
        "pairs": {
            "hash": stored.hash,
            "taught": taught,
            "held": held,
            "sources": names,
            "test": made.get("test", "not known"),
            "canonical_taught": made.get("canonical_taught", []),
        },
        "recipe": recipe.model_dump(),
        "steps": steps,
    }


class _Work(Work):
    """What each process does."""

    def __init__(
        self,
        base: Base,
        lessons: Sequence[Tokenised],
        held: Sequence[Tokenised],
        recipe: Recipe,
        out: Path,
        tell: Tell,
        save_every: float,
        notes: Sequence[str],
    ) -> None:
        self.base, self.held, self.recipe, self.out = base, held, recipe, out
        self.tell, self.save_every, self.notes = tell, save_every, tuple(notes)
        self.deck = Deck(lessons, recipe)
        self.facts: Mapping[str, Any] = {}

    def run(self, fabric: Any) -> Outcome | None:
        """All of a run; the first process has an outcome."""
        first = fabric.global_rank == 0
        with ExitStack() as stack:
            stack.enter_context(deterministic())
            keep_memory()
            if first:
                stack.enter_context(locked(self.out))
            plain = load_model(self.base, self.recipe.precision)
            check_vocabulary([*self.deck.pairs, *self.held], self.base.name, vocabulary(plain))
            model = adapted(plain, self.recipe)
            standing = Standing(fabric.to_device(model), self.recipe, self.deck.steps)
            place = load_checkpoint(self.out, self.facts, standing, MAX_CHECKPOINT)
            check_room(self.out, standing.parameters)
            fabric.barrier()  # nobody writes while another still reads
            answering = Answering(model, model.get_base_model())
            sitting = _Sitting(self, fabric, standing, answering, place) if first else None
            if not fabric.broadcast(sitting is not None and sitting.begin()):
                self._steps(fabric, standing, answering, place.step, sitting)
            return sitting.finish() if sitting is not None else None

    def _steps(
        self, fabric: Any, standing: Standing, answering: Answering, start: int, sitting: _Sitting | None
    ) -> None:
        wrapped, parent = fabric.setup_module(answering), Parent(fabric.world_size)
        for step in range(start, self.deck.steps):
            parent.check()
            wrapped.train()
            loss = self._taught(fabric, wrapped, step)
            standing.advance(step)
            stopped = sitting is not None and sitting.after(step + 1, loss)
            if self.due(step + 1) and fabric.broadcast(stopped):
                return

    def _taught(self, fabric: Any, wrapped: Any, step: int) -> float:
        """Gradients of one step; the nats per token that its batch cost before it."""
        tokens = sum(pair.answered for pair in self.deck.batch(step))
        parts = self.deck.parts(step, fabric.global_rank, fabric.world_size)
        total = torch.zeros((), device=fabric.device)
        for number, (seed, pairs) in enumerate(parts, 1):
            batch = [None if one is None else fabric.to_device(one) for one in batch_of(pairs)]
            torch.manual_seed(seed)  # of the dropout alone
            with fabric.no_backward_sync(wrapped, enabled=number < len(parts)):
                loss = wrapped(*batch).sum() / tokens
                fabric.backward(loss * fabric.world_size)  # gradients are averaged over processes
            total += loss.detach()
        if fabric.world_size > 1:
            total = fabric.all_reduce(total, reduce_op="sum")
        return float(total)

    def due(self, done: int) -> bool:
        """Whether to look after so many steps."""
        return done == self.deck.steps or done % (self.recipe.look_every or self.deck.epoch_steps) == 0


class _Sitting:
    """What the first process does beside the steps: telling, looking, saving."""

    def __init__(self, work: _Work, fabric: Any, standing: Standing, answering: Answering, place: Place) -> None:
        self.work, self.fabric, self.standing, self.answering, self.place = work, fabric, standing, answering, place
        self.looks = [one for one in read_history(work.out) if one.step <= place.step]
        self.began = self.saved = time.monotonic()
        self.loss = math.nan
        self.since: list[float] = []

    @property
    def seconds(self) -> float:
        """Over all sittings."""
        return self.place.seconds + time.monotonic() - self.began

    @property
    def kept(self) -> Look:
        """The look whose adapter is kept."""
        return next(look for look in reversed(self.looks) if look.best)

    def begin(self) -> bool:
        """Before the first step; whether the run had ended before."""
        for path in (self.work.out / name for name in _WRITTEN):
            for part in path.parent.glob(f".{path.name}.*"):  # what a kill in the middle of writing left
                part.unlink(missing_ok=True)
        write_json(self.work.out / RUN_FILE, self.work.facts)
        if not self.looks:
            self._look(self.place.step)
        return self.looks[-1].stopped

    def after(self, done: int, loss: float) -> bool:
        """After a step; whether the run ends here."""
        work, steps = self.work, self.work.deck.steps
        self.loss = loss if math.isnan(self.loss) else 0.9 * self.loss + 0.1 * loss
        self.since.append(loss)
        left = (self.seconds - self.place.seconds) / (done - self.place.step) * (steps - done)
        work.tell(Moment(done, steps, self.loss, self.seconds, left))
        stopped = work.due(done) and self._look(done)
        if stopped or done == steps or time.monotonic() - self.saved > work.save_every:
            save_checkpoint(work.out, Place(done, self.seconds), work.facts, self.standing)
            self.saved = time.monotonic()
        return stopped

    def finish(self) -> Outcome:
        """What became of the run."""
        work = self.work
        ending = [f"Stopped at step {self.looks[-1].step:,}: no look in {work.recipe.patience} was better."]
        notes = (*work.notes, *(ending if self.looks[-1].stopped else []))
        if not (work.out / GGUF).exists():
            notes = (*notes, "No adapter.gguf: llama.cpp's names for this kind of model are not known here.")
        return Outcome(work.out, self.kept, self.looks[0], self.standing.parameters, notes)

    def _look(self, done: int) -> bool:
        costs, loss = held_costs(self.answering, self.work.held, self.fabric)
        lately = math.fsum(self.since) / len(self.since) if self.since else None
        self.since.clear()
        before = [one.loss for one in self.looks if one.loss is not None]
        best = loss is None or not before or loss < min(before)
        look = Look(done, self.seconds, lately, loss, costs, best, False)
        if self._patience_ends([*self.looks, look]) and done < self.work.deck.steps:
            look = Look(done, self.seconds, lately, loss, costs, best, True)
        self.looks.append(look)
        if best:
            self._keep(look)
        write_history(self.work.out, self.looks)
        self.work.tell(look)
        return look.stopped

    def _patience_ends(self, looks: list[Look]) -> bool:
        patience = self.work.recipe.patience
        return patience is not None and len(looks) > patience and not any(one.best for one in looks[-patience:])

    def _keep(self, look: Look) -> None:
        from peft import get_peft_model_state_dict

        out, model = self.work.out, self.standing.adapted
        tensors = get_peft_model_state_dict(model, save_embedding_layers=False)
        arrays = {name: value.detach().float().cpu().numpy().copy() for name, value in tensors.items()}
        config = model.peft_config["default"].to_dict() | {
            "base_model_name_or_path": self.work.base.name,
            "inference_mode": True,
        }
        plain = {name: sorted(value) if isinstance(value, set) else value for name, value in config.items()}
        write_adapter(out / ADAPTER, arrays, plain, card(self.work.facts, self.looks, look))
        shape = shape_from_config(model.get_base_model().config)
        if shape is not None:
            write_gguf_adapter(out / GGUF, read_adapter(out / ADAPTER), shape, f"adapter of {self.work.base.name}")


@torch.inference_mode()
def held_costs(
    answering: Answering, pairs: Sequence[Tokenised], fabric: Any = None
) -> tuple[dict[str, Cost], float | None]:
    """What the answers of each encoding cost, and nats per token over all; None where there are no pairs."""
    with _evaluating(answering):
        nats = [
            float(answering(*(None if one is None else _placed(one, fabric) for one in batch_of([pair]))).sum())
            for pair in pairs
        ]
    costs = {}
    for name in dict.fromkeys(pair.encoding for pair in pairs):
        mine = [(cost, pair.answered) for cost, pair in zip(nats, pairs, strict=True) if pair.encoding == name]
        total, tokens = math.fsum(cost for cost, _ in mine), sum(count for _, count in mine)
        costs[name] = Cost(total / tokens, total / math.log(2) / len(mine), len(mine))
    return costs, math.fsum(nats) / sum(pair.answered for pair in pairs) if pairs else None


@contextmanager
def _evaluating(model: torch.nn.Module) -> Iterator[None]:
    was = model.training
    model.eval()
    try:
        yield
    finally:
        model.train(was)


def check_room(out: Path, parameters: int) -> None:
    """Refuse to begin where the disk has no room for what a run writes, old and new files side by side."""
    need = 4 * parameters * (2 * 3 + 2 * 2) + 2**20  # twice a checkpoint of three arrays each, twice two adapters
    free = shutil.disk_usage(out).free
    if free < need:
        raise FileError(
            f"folder {str(out)!r}", f"have {need / 1e6:,.0f} MB free", f"{free / 1e6:,.0f} MB", verbatim=True
        )


def _placed(tensor: torch.Tensor, fabric: Any) -> torch.Tensor:
    found: torch.Tensor = tensor if fabric is None else fabric.to_device(tensor)
    return found


def _silent(_: Moment | Look) -> None:
    pass
