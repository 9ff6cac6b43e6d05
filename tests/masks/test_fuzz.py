"""Mutated files: no crash, none that takes long or much memory, each with a score or a named failure."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from mask_mutations import Outcome, score_mutated

SLOWEST = 1.0
MOST_MEMORY = 300 * 2**20


def run(folder: Path, count: int, seed: int) -> Outcome:
    """In a process of its own, whose memory is nobody else's."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(score_mutated, str(folder), count, seed).result()


def check(outcome: Outcome, count: int) -> None:
    assert outcome.strange == []
    assert outcome.slowest < SLOWEST
    assert outcome.grown < MOST_MEMORY
    assert sum(outcome.failures.values()) == count
    assert outcome.failures["unreadable"] > 0.2 * count
    assert outcome.failures["none"] > 0.02 * count


def test_two_hundred_mutated_files(tmp_path: Path) -> None:
    check(run(tmp_path, 200, seed=1), 200)


@pytest.mark.slow
def test_five_thousand_mutated_files(tmp_path: Path) -> None:
    check(run(tmp_path, 5000, seed=0), 5000)
