"""Prices, the plan and the budget."""

from __future__ import annotations

import json
from pathlib import Path

import anyio
import pytest
from tiny_task import tiny_task

from pixelreef.errors import DocumentError, InputError
from pixelreef.runs.budget import Budget, OutOfBudget
from pixelreef.runs.plan import make_plan
from pixelreef.runs.prices import FREE, Price, Prices, load_prices, prices_from_json

pytestmark = pytest.mark.inspect

TABLE = Prices("2026-11-15", {"a/b": Price(1.0, 2.0)})


def test_the_shipped_table_is_dated_and_plausible() -> None:
    table = load_prices()
    assert len(table.as_of) == len("2026-11-15")
    assert all(0 < price.input < price.output for price in table.models.values())
    assert all(name.split("/")[0] in ("openai", "anthropic", "google") for name in table.models)


@pytest.mark.parametrize(
    ("name", "known"),
    [("openai/gpt-4o-2024-08-06", True), ("anthropic/claude-haiku-4-5-20251001", True), ("openai/gpt-4o-x", False)],
)
def test_a_snapshot_costs_what_its_model_costs(name: str, known: bool) -> None:
    assert (load_prices().of(name) is not None) == known


def test_models_that_run_here_are_free() -> None:
    for name in ("local/smollm2", "hf/x/y", "mockllm/model"):
        assert TABLE.of(name) == FREE


def test_a_file_of_ones_own_stands_in_front(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "p.json"
    path.write_text(json.dumps({"version": 1, "as_of": "today", "models": {"x/y": {"input": 1, "output": 2}}}))
    given = load_prices(path)
    monkeypatch.setenv("PIXELREEF_PRICES", str(path))
    for table in (given, load_prices()):
        assert table.as_of == "today"
        assert table.of("x/y") == Price(1.0, 2.0)
        assert table.of("openai/gpt-4o") is not None


@pytest.mark.parametrize(
    "document",
    [
        [],
        {},
        {"version": 2, "models": {}},
        {"version": 1, "models": []},
        {"version": 1, "models": {"a/b": {"input": 1}}},
        {"version": 1, "models": {"a/b": {"input": -1, "output": 1}}},
        {"version": 1, "models": {"a/b": {"input": True, "output": 1}}},
        {"version": 1, "models": {"a/b": {"input": 1, "output": 1, "tip": 1}}},
    ],
)
def test_a_bad_table_is_one_error(document: object) -> None:
    with pytest.raises(DocumentError):
        prices_from_json(document)


def test_the_plan_counts_calls_tokens_and_dollars() -> None:
    task = tiny_task({"a": "x" * 3000, "b": "y" * 3000, "c": "z"}, max_tokens=500)
    plan = make_plan([task], ["a/b", "x/unknown", "local/smollm2"], TABLE, attempts=5, limit=2)
    paid, unknown, free = plan.lines
    assert (paid.calls, paid.input_tokens, paid.output_tokens) == (10, 10 * 1008, 5000)
    assert paid.most == pytest.approx((10080 * 1.0 + 5000 * 2.0) / 1e6)
    assert paid.expected == pytest.approx((10080 * 1.0 + 2500 * 2.0) / 1e6)
    assert (unknown.most, free.most) == (None, 0.0)
    assert (plan.calls, plan.unknown) == (30, ("x/unknown",))
    text = plan.text()
    assert "cost unknown: x/unknown" in text
    assert "local/smollm2  tiny: 10 calls" in text
    assert text.splitlines()[-1].startswith("in all: 30 calls, at most $0.02 (prices as of 2026-11-15)")
    with pytest.raises(InputError, match="--attempts must be at least 1"):
        make_plan([task], ["a/b"], TABLE, attempts=0)


def spend_together(budget: Budget, calls: int, most: float, real: float) -> tuple[int, int]:
    """So many calls at once; returns how many were made, and the most that were under way together."""
    made, under_way, together = 0, 0, 0

    async def call() -> None:
        nonlocal made, under_way, together
        try:
            async with budget.hold("a/b", most):
                under_way += 1
                together = max(together, under_way)
                await anyio.sleep(0.001)
                budget.spend("a/b", real)
                under_way -= 1
            made += 1
        except OutOfBudget:
            pass

    async def main() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(calls):
                group.start_soon(call)

    anyio.run(main)
    return made, together


def test_calls_wait_for_one_another_near_the_limit() -> None:
    budget = Budget(TABLE, limit=1.0)
    made, together = spend_together(budget, calls=100, most=0.3, real=0.05)
    assert together == 3  # 3 × 0.3 fits, 4 × 0.3 does not
    assert made == 15  # the sixteenth could have ended at 0.75 + 0.3
    assert budget.stopped
    assert budget.spent == pytest.approx(0.75)


def test_a_wrong_estimate_is_learnt_from() -> None:
    budget = Budget(TABLE, limit=1.0)
    made, _ = spend_together(budget, calls=20, most=0.6, real=0.7)  # dearer than it may be
    assert made == 1
    assert budget.stopped


def test_without_a_limit_and_for_free_models_nothing_waits() -> None:
    assert spend_together(Budget(TABLE), calls=20, most=5.0, real=5.0) == (20, 20)
    stopped = Budget(TABLE, limit=0.0, stopped=True)
    assert spend_together(stopped, calls=20, most=0.0, real=0.0) == (20, 20)


def test_a_limit_of_nothing_makes_no_paid_call() -> None:
    assert spend_together(Budget(TABLE, limit=0.0), calls=5, most=0.01, real=0.01)[0] == 0
    with pytest.raises(InputError, match="--max-cost must be dollars"):
        Budget(TABLE, limit=-1.0)
