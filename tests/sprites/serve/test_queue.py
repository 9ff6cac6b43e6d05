"""The queue: what waits is drawn together, each gets its own, and bounds hold."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sprite_models import arrays, perturbed, small_config, task

from pixelreef.sprites.choose import Sampling
from pixelreef.sprites.config import Config
from pixelreef.sprites.engine import Engine, Grids, Task
from pixelreef.sprites.serve.queue import Full, Job, Queue, joined

CONFIG = small_config()
COOL = Sampling(temperature=0.5)


class Echo(Engine):
    """Draws in no time: every sprite is filled with the number that stands first among its uniform ones."""

    def __init__(self, config: Config = CONFIG) -> None:
        self.config = config
        self.batches: list[tuple[int, Sampling]] = []
        self.go = threading.Event()
        self.go.set()

    def draw(self, task: Task, sampling: Sampling | None = None) -> Grids:
        assert sampling is not None
        self.batches.append((len(task), sampling))
        self.go.wait(10)
        if (task.colours[:, 0, 0] == 255).any():
            raise RuntimeError("no")
        return np.broadcast_to(task.colours[:, :1, :1], (len(task), 16, 16)).astype(np.uint8)


def job(first: int, count: int = 1, sampling: Sampling | None = None, **other: Any) -> Job:
    """Sprites filled with first, first + 1 and so on; its answer is those numbers."""

    def some(places: range) -> Task:
        asked = task(CONFIG, len(places))
        asked.colours[:] = first + np.array(places)[:, None, None]
        return replace(asked, **other)

    return Job(count, some, sampling or Sampling(), lambda grids: bytes(grids[:, 0, 0]))


def run(engine: Engine, work: Callable[[Queue], Coroutine[Any, Any, Any]], lanes: int = 1, room: int = 1024) -> Any:
    async def within() -> Any:
        queue = Queue(engine, lanes, room)
        queue.open()
        try:
            return await asyncio.wait_for(work(queue), 20)
        finally:
            queue.close()

    return asyncio.run(within())


async def while_held(queue: Queue, engine: Echo, jobs: list[Job], most: int = 1) -> list[bytes]:
    """Let the jobs wait behind one that draws, then go on."""
    engine.go.clear()
    held = asyncio.create_task(queue.answered(job(200)))
    while len(engine.batches) < most:
        await asyncio.sleep(0.001)
    waiting = [asyncio.create_task(queue.answered(one)) for one in jobs]
    await asyncio.sleep(0.05)
    engine.go.set()
    await held
    return await asyncio.gather(*waiting)


def test_what_waits_is_drawn_together_and_each_gets_its_own() -> None:
    engine = Echo()
    answers = run(engine, lambda queue: while_held(queue, engine, [job(place) for place in range(20)]))
    assert answers == [bytes([place]) for place in range(20)]
    assert [count for count, _ in engine.batches] == [1, 20]


def test_ways_of_choosing_are_kept_apart_and_the_first_goes_first() -> None:
    engine = Echo()
    asked = [job(place, sampling=COOL if place % 3 == 0 else None) for place in range(9)]
    assert run(engine, lambda queue: while_held(queue, engine, asked)) == [bytes([place]) for place in range(9)]
    assert engine.batches[1:] == [(3, COOL), (6, Sampling())]


def test_one_alone_is_begun_at_once() -> None:
    engine = Echo()

    async def work(queue: Queue) -> float:
        began = asyncio.get_running_loop().time()
        await queue.answered(job(3))
        return asyncio.get_running_loop().time() - began

    assert run(engine, work, lanes=2) < 0.5
    assert engine.batches == [(1, Sampling())]


def test_a_large_job_is_shared_out_and_comes_back_in_order() -> None:
    engine = Echo()

    async def work(queue: Queue) -> bytes:
        return await queue.answered(job(10, 64))

    assert run(engine, work, lanes=2) == bytes(range(10, 74))
    assert sorted(count for count, _ in engine.batches) == [32, 32]


def test_a_free_lane_waits_for_requests_that_come_together() -> None:
    engine = Echo()

    async def work(queue: Queue) -> None:
        engine.go.clear()
        held = asyncio.create_task(queue.answered(job(0)))
        await asyncio.sleep(0)
        others = []
        for place in range(5):
            others.append(asyncio.create_task(queue.answered(job(place))))
            await asyncio.sleep(0.001)
        while len(engine.batches) < 2:
            await asyncio.sleep(0.001)
        engine.go.set()
        await asyncio.gather(held, *others)

    run(engine, work, lanes=2)
    assert [count for count, _ in engine.batches] == [1, 5]


def test_there_is_so_much_room_and_then_there_is_room_again() -> None:
    engine = Echo()

    async def work(queue: Queue) -> None:
        engine.go.clear()
        held = asyncio.create_task(queue.answered(job(0)))
        while not engine.batches:
            await asyncio.sleep(0.001)
        some = [asyncio.create_task(queue.answered(job(1, 30))) for _ in range(3)]
        await asyncio.sleep(0)
        assert queue.waiting == 90
        with pytest.raises(Full, match="ask again in 3 s") as full:
            await queue.answered(job(1, 11))
        assert full.value.seconds == 3
        some.append(asyncio.create_task(queue.answered(job(1, 10))))
        engine.go.set()
        await asyncio.gather(held, *some)
        assert (queue.waiting, queue.drawing, queue.drawn) == (0, 0, 101)
        await queue.answered(job(1, 64))

    run(engine, work, room=100)


def test_one_bad_job_is_its_own_affair() -> None:
    engine = Echo()

    def bad(_: Grids) -> bytes:
        raise ValueError("this one")

    async def work(queue: Queue) -> list[Any]:
        engine.go.clear()
        jobs = [job(1), Job(1, job(2).task, Sampling(), bad), job(3)]
        held = asyncio.create_task(queue.answered(job(0)))
        while not engine.batches:
            await asyncio.sleep(0.001)
        waiting = [asyncio.create_task(queue.answered(one)) for one in jobs]
        await asyncio.sleep(0.01)
        engine.go.set()
        await held
        found: list[Any] = await asyncio.gather(*waiting, return_exceptions=True)
        with pytest.raises(RuntimeError, match="no"):
            await queue.answered(job(255))
        return [*found, await queue.answered(job(4))]

    one, two, three, last = run(engine, work)
    assert (one, three, last) == (b"\x01", b"\x03", b"\x04")
    assert isinstance(two, ValueError)


JOBS = st.lists(st.tuples(st.integers(1, 64), st.booleans(), st.integers(0, 3)), min_size=1, max_size=12)


@given(jobs=JOBS, lanes=st.integers(1, 3))
@settings(max_examples=60)
def test_whatever_comes_everybody_gets_all_of_their_own(jobs: list[tuple[int, bool, int]], lanes: int) -> None:
    engine = Echo()

    async def work(queue: Queue) -> list[bytes]:
        tasks = []
        for number, (count, cool, pause) in enumerate(jobs):
            asked = job(number, count, COOL if cool else None)
            tasks.append(asyncio.create_task(queue.answered(asked)))
            await asyncio.sleep(pause / 1000)
        return await asyncio.gather(*tasks)

    answers = run(engine, work, lanes)
    assert answers == [bytes(range(number, number + count)) for number, (count, _, _) in enumerate(jobs)]
    assert sum(count for count, _ in engine.batches) == sum(count for count, _, _ in jobs)
    assert max(count for count, _ in engine.batches) <= 64


def test_given_pixels_stay_with_their_sprites() -> None:
    engine = Engine(CONFIG, arrays(perturbed(CONFIG)), threads=1)
    known = np.full((2, 16, 16), CONFIG.unknown)
    known[:, :8] = 3
    free, bound = task(CONFIG, 3), task(CONFIG, 2, first=3, known=known)
    together = engine.draw(joined([free, bound, free], CONFIG))
    apart = np.concatenate([engine.draw(one) for one in (free, bound, free)])
    assert (together[3:5, :8] == 3).all()
    assert (together == apart).all(axis=(1, 2)).sum() >= 7
    assert joined([free, free], CONFIG).known is None
    allowed = np.arange(CONFIG.colours)[None].repeat(2, axis=0) == 5
    mixed = joined([free, task(CONFIG, 2, first=3, allowed=allowed)], CONFIG)
    assert mixed.known is None
    drawn = engine.draw(mixed)
    assert set(np.unique(drawn[3:])) == {CONFIG.ground, 5}
    assert len(np.unique(drawn[:3])) > 2
    begun = joined([bound, task(CONFIG, 2, first=3, begun=known), free], CONFIG)
    assert (engine.draw(begun)[:4, :8] == 3).all()
    assert begun.known is not None
    assert begun.begun is not None
    assert (begun.known[2:] == CONFIG.unknown).all()
    assert (begun.begun[2:4] == known).all()
