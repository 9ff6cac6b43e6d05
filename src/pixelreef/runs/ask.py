"""The one Inspect solver a room's task needs: put the sample's question once, and keep the reply.

    Task(dataset=…, solver=ask(), scorer=…, config=GenerateConfig(max_tokens=…))

It differs from Inspect's `generate()` in three things: every attempt at every item has a seed of its own, derived from
the run's; a call that could pass the run's cost limit is not made; and replies are cached, apart by attempt, unless the
model runs here (its address changes from run to run, and its file may have changed under the same name).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from pixelreef.core.seeds import derive
from pixelreef.extras import require
from pixelreef.runs.budget import Budget
from pixelreef.runs.models import LARGEST_SEED, constraint, is_local, takes_seed
from pixelreef.runs.plan import OUTPUT_TOKENS, input_tokens
from pixelreef.runs.prices import FREE, Prices

if TYPE_CHECKING:
    from inspect_ai.solver import Solver

CACHE_EXPIRY = "6M"


@dataclass(frozen=True)
class Asking:
    """What the run in progress tells every call. `output_tokens`: the most that one may return."""

    seed: int
    budget: Budget
    output_tokens: int = OUTPUT_TOKENS
    cache: bool = True


_current: Asking | None = None


@contextmanager
def asking(run: Asking) -> Iterator[None]:
    """Make `run` the run that `ask` belongs to. One run at a time: Inspect allows no more in a process."""
    global _current
    before, _current = _current, run
    try:
        yield
    finally:
        _current = before


def attempt_seed(seed: int, item: str | int, attempt: int) -> int:
    """The seed of one attempt at one item: the same in every run, on every machine, for every model.

    >>> attempt_seed(0, "sun", 1) != attempt_seed(0, "sun", 2)
    True
    """
    return derive(seed, "runs", str(item), attempt) % LARGEST_SEED


def ask(schema: Mapping[str, Any] | None = None, seed: int = 0, grammar: str | None = None) -> Solver:
    """The solver. `schema` holds the reply to a JSON schema, where the provider can (`models.constraint`); `grammar`
    says in GBNF what a schema can't, for models that run here.

    `seed` is for `inspect eval`; within `run_eval_set` the run's own holds.
    """
    return register()(schema=dict(schema) if schema else None, seed=seed, grammar=grammar)  # type: ignore[no-any-return]


@cache
def register() -> Any:
    """Make the solver known to Inspect as `pixelreef/ask`; returns its factory, whose decorator comes from Inspect."""
    require("bench", "inspect_ai")
    from inspect_ai.model import CachePolicy, get_model
    from inspect_ai.solver import Generate, TaskState, solver

    @solver(name="ask")
    def ask(schema: dict[str, Any] | None = None, seed: int = 0, grammar: str | None = None) -> Any:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            run = _current or Asking(seed, Budget(Prices("", {})), cache=False)
            name = str(get_model())  # the entrant of this task
            options: dict[str, Any] = constraint(schema, name, grammar=grammar) if schema else {}
            if takes_seed(name):
                options["seed"] = attempt_seed(run.seed, state.sample_id, state.epoch)
            if run.cache and not is_local(name):
                # Most vendors are sent no seed: without this, another run's seed would bring the same replies again.
                options["cache"] = CachePolicy(expiry=CACHE_EXPIRY, scopes={"seed": str(run.seed)})
            price = run.budget.prices.of(name) or FREE
            most = price.cost(input_tokens(state.messages), run.output_tokens)
            async with run.budget.hold(name, most):
                return await generate(state, **options)

        return solve

    return ask
