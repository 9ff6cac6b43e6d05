"""Engines in processes: the engine's own sprites, faults in words, and no process that is lost or left behind."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import psutil
import pytest
from sprite_models import arrays, perturbed, small_config, task

from pixelreef.errors import FileError, InputError, MissingExtra, PixelreefError
from pixelreef.sprites.choose import Sampling
from pixelreef.sprites.engine import Engine
from pixelreef.sprites.serve.processes import Processes

CONFIG = small_config()
WEIGHTS = arrays(perturbed(CONFIG))


@pytest.fixture(scope="module")
def drawers() -> Iterator[Processes]:
    with Processes(CONFIG, WEIGHTS, 2) as some:
        yield some


def test_they_draw_what_the_engine_draws(drawers: Processes) -> None:
    engine = Engine(CONFIG, WEIGHTS, threads=1)
    tasks = [task(CONFIG, 4 + number, first=10 * number) for number in range(6)]
    cool = Sampling(temperature=0.7)
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda one: drawers.draw(one, cool), tasks))
    for one, grids in zip(tasks, found, strict=True):
        assert (grids == engine.draw(one, cool)).all()


def test_a_fault_is_told_in_the_words_that_it_had(drawers: Processes) -> None:
    with pytest.raises(InputError, match="given pixels must be colours from 0 to 8, got 200"):
        drawers.draw(task(CONFIG, 1, known=np.full((1, 16, 16), 200)))
    assert drawers.draw(task(CONFIG, 1)).shape == (1, 16, 16)


def test_a_fault_of_another_kind_ends_its_batch_alone(drawers: Processes) -> None:
    with pytest.raises(RuntimeError, match="Error: "):
        drawers.draw(task(CONFIG, 1), "not a way of choosing")  # type: ignore[arg-type]
    assert drawers.draw(task(CONFIG, 1)).shape == (1, 16, 16)


def test_a_process_that_dies_is_replaced() -> None:
    with Processes(CONFIG, WEIGHTS, 1) as drawers:
        before = drawers.draw(task(CONFIG, 5))
        (one,) = (psutil.Process(number) for number in drawers.ids)
        one.kill()
        one.wait(10)
        assert (drawers.draw(task(CONFIG, 5)) == before).all()
        assert one.pid not in drawers.ids


def test_none_is_left_when_they_are_closed() -> None:
    drawers = Processes(CONFIG, WEIGHTS, 2)
    drawers.draw(task(CONFIG, 1))
    ids = drawers.ids
    drawers.close()
    assert len(ids) == 2
    assert not any(psutil.pid_exists(one) for one in ids)


def test_none_is_left_when_whoever_asked_is_killed() -> None:
    code = """if __name__ == "__main__":
    import sys; sys.path.insert(0, sys.argv[1])
    from sprite_models import arrays, perturbed, small_config
    from pixelreef.sprites.serve.processes import Processes
    config = small_config()
    print(*Processes(config, arrays(perturbed(config)), 2).ids, flush=True)
    input()"""
    tests = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    with subprocess.Popen(
        [sys.executable, "-c", code, tests], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        ids = [int(word) for word in running.stdout.readline().split()]
        assert len(ids) == 2
        running.send_signal(signal.SIGKILL)
    until = time.monotonic() + 30
    while any(psutil.pid_exists(one) for one in ids) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(psutil.pid_exists(one) for one in ids)


@pytest.mark.parametrize(
    "error", [InputError("--n", "be at least 0", -1), FileError("a", "be a file"), MissingExtra("serve", "fastapi")]
)
def test_errors_can_be_sent(error: PixelreefError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))
