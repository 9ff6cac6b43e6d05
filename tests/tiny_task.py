"""A tiny Inspect task, and a program that runs it: `python tiny_task.py OUT ADDRESS SAMPLES ATTEMPTS`."""

from __future__ import annotations

import sys
from typing import Any

from pixelreef.runs.prices import Price, Prices

MODEL = "openai-api/test/m"
PRICES = Prices("2026-11-15", {MODEL: Price(10.0, 20.0)})


def tiny_task(questions: dict[str, str], schema: dict[str, Any] | None = None, max_tokens: int = 50) -> Any:
    from inspect_ai import Task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import GenerateConfig
    from inspect_ai.scorer import includes

    from pixelreef.runs.ask import ask

    samples = [Sample(id=key, input=text, target="grid", metadata={"kind": key}) for key, text in questions.items()]
    config = GenerateConfig(max_tokens=max_tokens)
    return Task(
        dataset=MemoryDataset(samples),
        solver=ask(schema=schema),
        scorer=includes(),
        config=config,
        name="tiny",
        version=3,
    )


def main() -> None:
    from pixelreef.runs.run import Patience, run_eval_set

    out, address, samples, attempts = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    result = run_eval_set(
        [tiny_task({f"s{n}": f"question {n}" for n in range(samples)})],
        [MODEL],
        out,
        attempts=attempts,
        patience=Patience(http_retries=0, connections=2),
        prices=PRICES,
        cache=False,  # what is not asked again is known from the logs alone
        model_args={MODEL: {"base_url": address, "api_key": "none", "max_retries": 0}},
    )
    print(result.complete, result.replies)


if __name__ == "__main__":
    main()
