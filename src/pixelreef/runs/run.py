"""An eval set: tasks × models × attempts, asked through Inspect, retried, resumed, bounded in cost.

    result = run_eval_set([draw()], ["local/smollm2"], "out/draw", attempts=5, seed=7)

The folder holds `run.json` (what was asked for) and `logs/` (Inspect's own logs: the record). Started again with the
same arguments, a run that was interrupted in any way, SIGKILL included, goes on: samples that were answered are not
asked again, samples that failed are, once more. A sample whose calls fail is one recorded failure and never the end of
the run, and in a run that has finished it stands. What a reply is worth is the task's to say.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pixelreef import __version__
from pixelreef.core.files import read_bytes, write_json
from pixelreef.core.seeds import derive
from pixelreef.core.strict_json import json_from_bytes
from pixelreef.errors import InputError
from pixelreef.extras import require
from pixelreef.runs.ask import Asking, asking
from pixelreef.runs.budget import STOPPED, Budget
from pixelreef.runs.llama import NEUTRAL_SAMPLING
from pixelreef.runs.logs import replies_from_logs, spent_in_logs
from pixelreef.runs.models import check_names, is_local, register
from pixelreef.runs.plan import Plan, dollars, make_plan, output_tokens
from pixelreef.runs.prices import Prices, load_prices
from pixelreef.runs.replies import Path_, Reply
from pixelreef.runs.server import ServerSettings, serving

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.model import Model

RUN_FILE = "run.json"
LOGS_FOLDER = "logs"
VERSION = 1


@dataclass(frozen=True)
class Patience:
    """How long a run puts up with a server: bounded everywhere, so that a bad one costs minutes, not the night.

    `http_retries` per call, for errors that may pass (429, 5xx, a lost connection); `call_seconds` for one try of a
    call; `sample_retries` for a sample whose call failed for good; `connections` at once per model (None: Inspect's
    own choice; local models always have one).
    """

    http_retries: int = 6
    call_seconds: int = 600
    sample_retries: int = 1
    connections: int | None = None


@dataclass(frozen=True)
class RunResult:
    """What became of a run. `complete`: every sample was asked. `stopped`: at the cost limit."""

    out: Path
    logs: Path
    complete: bool
    stopped: bool
    replies: int
    failures: Mapping[str, int]
    spent: float
    seconds: float
    plan: Plan = field(repr=False)


def run_eval_set(
    tasks: Sequence[Task],
    models: Sequence[str],
    out: Path_,
    *,
    attempts: int = 1,
    max_cost: float | None = None,
    seed: int = 0,
    limit: int | None = None,
    prices: Prices | None = None,
    patience: Patience | None = None,
    server: ServerSettings | None = None,
    model_args: Mapping[str, Mapping[str, Any]] | None = None,
    cache: bool = True,
    display: str | None = None,
    note: Callable[[str], None] | None = None,
) -> RunResult:
    """Ask every model every item of every task, `attempts` times each; begin, or go on with, the run in `out`.

    `limit` takes the first items of each dataset. `model_args` are options of Inspect's providers by model name
    (`{"openai-api/x/y": {"base_url": …}}`). `note` is told the plan, and where things are.
    """
    require("bench", "inspect_ai")
    started, note, patience = time.monotonic(), note or _to_stderr, patience or Patience()
    names, table = check_names(models), prices or load_prices()
    derive(seed)  # checks it
    if limit is not None and limit < 1:
        raise InputError("--limit", "be at least 1", limit)
    plan = make_plan(tasks, names, table, attempts=attempts, limit=limit)
    if max_cost is not None and plan.unknown:
        do = "Give its price in a file with --prices."
        raise InputError("--max-cost", "be used with models whose price is known", plan.unknown[0], do)
    with redirect_stdout(sys.stderr):
        opened = _open_models(names, patience, model_args or {})
    logs = Path(out) / LOGS_FOLDER
    settings = server or ServerSettings(log=Path(out) / "server.log")
    _begin(Path(out), tasks, names, seed, limit, attempts, settings)
    budget = Budget(table, max_cost, spent_in_logs(logs) if logs.is_dir() else 0.0)
    note(plan.text())
    if budget.spent:
        note(f"{dollars(budget.spent)} of it was spent before")
    run = Asking(seed, budget, max((output_tokens(task) for task in tasks), default=0), cache)
    # Standard output is the caller's: Inspect's display and notes go where ours go.
    with redirect_stdout(sys.stderr), serving(names, settings), asking(run), _counting(budget):
        _tell_prices(names, table)
        complete = _evaluate(tasks, opened, logs, attempts, limit, patience, display)
    if budget.stopped:
        _reopen_unasked(logs)
        note(f"stopped at --max-cost: {dollars(budget.spent)} spent. Start again with a higher one to go on.")
    counts = Counter(reply.failure for reply in replies_from_logs(logs))
    answered = counts.pop(None, 0)
    complete = complete and not budget.stopped
    return RunResult(
        Path(out), logs, complete, budget.stopped, answered, {str(name): count for name, count in counts.items()},
        budget.spent, time.monotonic() - started, plan,
    )  # fmt: skip


def read_run(out: Path_) -> list[Reply]:
    """The replies of a run's folder."""
    return list(replies_from_logs(Path(out) / LOGS_FOLDER))


def _begin(
    out: Path,
    tasks: Sequence[Task],
    names: Sequence[str],
    seed: int,
    limit: int | None,
    attempts: int,
    server: ServerSettings,
) -> None:
    """Write `run.json`, or check that the folder's own says the same where it must."""
    path = out / RUN_FILE
    run: dict[str, Any] = {
        "version": VERSION,
        "pixelreef": __version__,
        "tasks": [{"name": task.name, "version": task.version} for task in tasks],
        "models": list(names),
        "attempts": attempts,
        "seed": seed,
        "limit": limit,
    }
    if any(map(is_local, names)):  # what a request does not say
        run["local"] = {"sampling": NEUTRAL_SAMPLING, "threads": server.threads, "context": server.context}
    if path.exists():
        before = json_from_bytes(read_bytes(path, 2**20), f"run {str(path)!r}")
        for name in ("tasks", "seed", "limit"):
            if not isinstance(before, dict) or before.get(name) != run[name]:
                had = json.dumps(before.get(name) if isinstance(before, dict) else before)
                do = "Use another folder for another run."
                raise InputError(
                    f"--out {str(out)!r}", f"be a new folder or a run with {name} {had[:80]}", run[name], do
                )
        run["models"] = list(dict.fromkeys([*before.get("models", []), *names]))
    write_json(path, run)


def _open_models(names: Sequence[str], patience: Patience, options: Mapping[str, Mapping[str, Any]]) -> list[Model]:
    """Inspect's models; a missing key, package or provider is one line."""
    from inspect_ai.model import GenerateConfig, get_model

    register()
    opened = []
    for name in names:
        # Calls that only queue at the local server would use up their time there.
        config = GenerateConfig(max_connections=1 if is_local(name) else patience.connections)
        try:
            opened.append(get_model(name, config=config, memoize=False, **options.get(name, {})))
        except Exception as error:  # each provider raises its own
            reason = " ".join(str(getattr(error, "message", error)).replace("[bold]ERROR[/bold]: ", "").split())
            raise InputError(f"--model {name}", "be one that Inspect can ask", reason, verbatim=True) from None
    return opened


def _evaluate(
    tasks: Sequence[Task],
    models: list[Model],
    logs: Path,
    attempts: int,
    limit: int | None,
    patience: Patience,
    display: str | None,
) -> bool:
    from inspect_ai import eval_set

    done, _ = eval_set(
        list(tasks),
        str(logs),
        model=models,
        epochs=attempts,
        limit=limit,
        fail_on_error=False,
        retry_on_error=patience.sample_retries,
        retry_attempts=1,  # of a task whose own code fails
        max_retries=patience.http_retries,
        attempt_timeout=patience.call_seconds,
        log_level="error",  # failures are counted and kept in the logs
        log_buffer=1,  # every sample is on disk before the next: what was paid for survives a kill
        log_dir_allow_dirty=True,  # the folder may hold models that were asked before
        display=display or ("rich" if sys.stderr.isatty() else "plain"),  # type: ignore[arg-type]
        ctl_server=False,
    )
    return bool(done)


def _tell_prices(names: Sequence[str], prices: Prices) -> None:
    """Hand our prices to Inspect, which then records the cost of every call."""
    from inspect_ai.model import ModelCost, ModelInfo, get_model_info, set_model_info

    for name in names:
        if price := prices.of(name):
            cached = price.input if price.cached_input is None else price.cached_input
            cost = ModelCost(
                input=price.input, output=price.output, input_cache_write=price.input * 1.25, input_cache_read=cached
            )
            info = get_model_info(name) or ModelInfo()
            set_model_info(name, info.model_copy(update={"cost": cost}))


@contextmanager
def _counting(budget: Budget) -> Iterator[None]:
    """Count the cost of every call of the process, judges and retries included, while the run goes on."""
    from inspect_ai.hooks import Hooks, ModelUsageData, hooks

    global _hook
    if _hook is None:

        @hooks(name="spending", description="Counts what a run spends.")
        class Spending(Hooks):
            budget: Budget | None = None

            def enabled(self) -> bool:
                return Spending.budget is not None

            async def on_model_usage(self, data: ModelUsageData) -> None:
                if Spending.budget is not None:
                    Spending.budget.spend(data.model_name, data.usage.total_cost or 0.0)

        _hook = Spending
    _hook.budget = budget
    try:
        yield
    finally:
        _hook.budget = None


_hook: Any = None


def _reopen_unasked(logs: Path) -> None:
    """Mark the samples that were not asked as invalid, which is Inspect's way to have them run the next time."""
    from inspect_ai.log import ProvenanceData, invalidate_samples, read_eval_log, write_eval_log

    for path in sorted(logs.rglob("*.eval")):
        log = read_eval_log(str(path))
        unasked = [s.uuid for s in log.samples or [] if s.error and STOPPED in s.error.message and s.uuid]
        if unasked:
            why = ProvenanceData(author="pixelreef", reason=STOPPED)
            write_eval_log(invalidate_samples(log, unasked, why), str(path))


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
