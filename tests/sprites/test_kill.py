"""Real processes, killed at random moments: what is resumed ends as the unbroken run does."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sprites import small_corpora
from sprites.small_corpora import reef_corpus, train_once

from pixelreef.core.seeds import rng
from pixelreef.errors import FileError
from pixelreef.sprites.history import read_history
from pixelreef.sprites.weights import read_weights
from pixelreef.training.checkpoint import NAME
from pixelreef.training.lock import locked

STEPS = {"steps": 90, "validate_every": 30, "sheet_every": 60}


@pytest.fixture(scope="module")
def processes() -> Any:
    """Processes that begin with everything imported: each is born of a server that has done nothing else."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["pixelreef.sprites.train", "lightning_fabric", "pixelreef.corpus.store"])
    return context


def finished(context: Any, corpus: Path, out: Path) -> None:
    process = context.Process(target=train_once, args=(corpus, out, STEPS))
    process.start()
    process.join(120)
    assert process.exitcode == 0


def killed(context: Any, corpus: Path, out: Path, random: np.random.Generator) -> int:
    """Begin or go on, and kill some steps later, between two steps or within one; how far it had come."""
    told = context.Queue()
    process = context.Process(target=train_once, args=(corpus, out, STEPS, told))
    process.start()
    for _ in range(int(random.integers(1, 10))):
        step = int(told.get(timeout=120).step)
        if step >= STEPS["steps"] - 2:
            break
    time.sleep(float(random.uniform(0, 0.02)))
    process.kill()
    process.join()
    assert process.exitcode in (-signal.SIGKILL, 0)
    return step


def same(left: Path, right: Path) -> None:
    one, two = (read_history(folder) for folder in (left, right))
    assert [look.step for look in one] == [look.step for look in two]
    assert [look.loss for look in one] == pytest.approx([look.loss for look in two], rel=1e-6)
    arrays = [read_weights(folder / "weights.safetensors").arrays for folder in (left, right)]
    assert all(np.array_equal(arrays[0][name], value) for name, value in arrays[1].items())


def broken(context: Any, folder: Path, kills: int) -> list[int]:
    corpus = reef_corpus(folder / "reef.parquet")
    finished(context, corpus, folder / "unbroken")
    random = rng(0, "kill")
    steps = [killed(context, corpus, folder / "broken", random) for _ in range(kills)]
    finished(context, corpus, folder / "broken")
    same(folder / "broken", folder / "unbroken")
    assert [path.name for path in (folder / "broken").glob(".*")] == [".lock"]
    return steps


def test_a_run_killed_a_few_times_ends_as_if_unbroken(processes: Any, tmp_path: Path) -> None:
    steps = broken(processes, tmp_path, 3)
    assert steps[-1] > steps[0]  # it did go on each time


@pytest.mark.slow
def test_a_run_killed_twenty_times_ends_as_if_unbroken(processes: Any, tmp_path: Path) -> None:
    assert len(broken(processes, tmp_path, 20)) == 20


@pytest.mark.slow
def test_two_processes_killed_twenty_times_end_as_if_unbroken(tmp_path: Path) -> None:
    """Also with one process less: the lessons are the same."""
    corpus, total = reef_corpus(tmp_path / "reef.parquet"), 120
    command = [sys.executable, small_corpora.__file__, str(corpus)]
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    for folder, devices in (("unbroken", "2"), ("alone", "1")):
        subprocess.run(
            [*command, str(tmp_path / folder), str(total), devices], check=True, env=env, capture_output=True
        )
    out, random, step = tmp_path / "broken", rng(0, "kill"), 0
    for _ in range(20):
        process = subprocess.Popen([*command, str(out), str(total), "2"], env=env, stderr=subprocess.DEVNULL)
        step = wait_for(out, min(step + int(random.integers(1, 6)), total - 1))
        time.sleep(float(random.uniform(0, 0.1)))
        process.kill()
        process.wait()
        wait_for_lock(out)
    subprocess.run([*command, str(out), str(total), "2"], check=True, env=env, capture_output=True)
    for other in ("unbroken", "alone"):
        one, two = read_history(out)[-1], read_history(tmp_path / other)[-1]
        assert one.step == two.step == total
        assert one.loss == pytest.approx(two.loss, rel=1e-4)


@pytest.mark.slow
def test_processes_do_not_outlive_the_one_that_began_them(tmp_path: Path) -> None:
    corpus, out = reef_corpus(tmp_path / "reef.parquet"), tmp_path / "run"
    command = [sys.executable, small_corpora.__file__, str(corpus), str(out), "100000", "2"]
    process = subprocess.Popen(command, env={**os.environ, "OMP_NUM_THREADS": "1"}, stderr=subprocess.DEVNULL)
    wait_for(out, 3)
    process.kill()
    process.wait()
    wait_for_lock(out)


def wait_for(out: Path, steps: int) -> int:
    """Until there is a checkpoint beyond so many steps; of how many it is."""
    from safetensors import safe_open

    from pixelreef.core.strict_json import json_from_text
    from pixelreef.training.checkpoint import FORMAT

    for _ in range(6000):
        if (out / NAME).exists():
            with safe_open(out / NAME, "np") as file:
                document: Any = json_from_text(file.metadata()[FORMAT], "checkpoint")
            if document["step"] >= steps:
                return int(document["step"])
        time.sleep(0.02)
    raise AssertionError("no checkpoint")


def wait_for_lock(out: Path) -> None:
    """Until the processes that were left behind have gone too."""
    for _ in range(600):
        try:
            with locked(out):
                return
        except FileError:
            time.sleep(0.1)
    raise AssertionError("somebody still trains")
