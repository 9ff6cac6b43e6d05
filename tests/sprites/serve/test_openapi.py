"""Schemathesis asks what the OpenAPI document allows, and what it does not: no answer is a fault of the server's.

Its fuzzing takes a while; `make test-slow` asks more of it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from serving import Serving, serving
from sprite_models import perturbed, small_config, weights

from pixelreef.core.document import ALPHABET
from pixelreef.sprites.sample import Sampler

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
checks = pytest.importorskip("schemathesis.specs.openapi.checks", reason="schemathesis is not installed")

# Of some rules no schema can speak: that rows are of one length, that a picture does not become too large.
EXCLUDED = [checks.positive_data_acceptance]
# How a wrong question may be refused: 414 and 413 where it is too long before it is wrong.
REFUSALS = ["404", "406", "413", "414", "422"]
CONFIG = {"checks": {"negative_data_rejection": {"expected-statuses": REFUSALS}}}
SPRITES = ("sprite", "a", "b")  # of a body
ROUTES = {"GET /", "GET /cells", "GET /health", "GET /card", "GET /sample", "POST /shade", "POST /breed"}


def ask(running: Serving, examples: int) -> set[int]:
    """Ask each path by valid and by invalid questions, hold the answers against the document; statuses met."""
    config = schemathesis.Config.from_dict(CONFIG)
    schema = schemathesis.openapi.from_url(f"{running.address}/openapi.json", config=config)
    operations = [found.ok() for found in schema.get_all_operations()]
    assert {operation.label for operation in operations} == ROUTES
    met: set[int] = set()
    for operation in operations:
        for mode in schemathesis.GenerationMode:
            right = mode is schemathesis.GenerationMode.POSITIVE
            statuses = for_operation(operation.as_strategy(generation_mode=mode), examples, right)
            assert not right or 200 in statuses
            met |= statuses
    return met


def for_operation(cases: st.SearchStrategy[Any], examples: int, right: bool) -> set[int]:
    met: set[int] = set()

    @settings(
        max_examples=examples,
        suppress_health_check=list(HealthCheck),
        database=None,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],
    )
    @given(case=cases)
    def every(case: Any) -> None:
        if right and isinstance(case.body, dict):
            case.body = {name: mended(value) if name in SPRITES else value for name, value in case.body.items()}
        response = case.call_and_validate(excluded_checks=EXCLUDED)
        met.add(response.status_code)
        assert response.status_code < 500

    run: Callable[[], None] = every
    with suppress(Unsatisfiable):  # without parameters there is no wrong question
        run()
    return met


def mended(sprite: dict[str, Any]) -> dict[str, Any]:
    """By the rules of which the schema can't speak: one size, not too large, and colours that there are."""
    frames, count = sprite["frames"], len(sprite["palette"])
    height = min(*(len(frame["rows"]) for frame in frames), 16)
    width = min(*(len(row) for frame in frames for row in frame["rows"]), 16)

    def sign(one: str) -> str:
        return one if one in ALPHABET[:count] else ALPHABET[0]

    rows = [["".join(map(sign, row[:width])) for row in frame["rows"][:height]] for frame in frames]
    clear = sprite.get("transparent")
    return {
        **sprite,
        "transparent": None if clear is None else min(clear, count - 1),
        "frames": [{**frame, "rows": some} for frame, some in zip(frames, rows, strict=True)],
    }


def test_nothing_that_can_be_asked_is_a_fault_of_the_server() -> None:
    with serving(Sampler(weights(perturbed(small_config())), threads=1)) as running:
        assert {200, 422} <= ask(running, 15)


@pytest.mark.slow
def test_nothing_of_much_that_can_be_asked_is_a_fault_of_the_server() -> None:
    with serving(Sampler(weights(perturbed(small_config())), threads=1)) as running:
        assert {200, 422} <= ask(running, 300)
