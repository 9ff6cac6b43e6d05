"""Drawing for many requests at once: what they ask for waits in one queue, and is drawn together.

There are as many lanes as processor cores, threads that draw a batch each. A request that finds all lanes idle is begun
at once, by the fast path for single sprites if it wants one. While another lane draws, a free one waits some
milliseconds for requests that come together, because a batch takes far less than its sprites one by one. Large
requests are shared out among the lanes. Sprites of one batch have one way of choosing (`Sampling`), the first one's.

All state but the pictures of a job belongs to the event loop; a lane only draws, and makes the answers of jobs that are
finished, so that neither is done in the loop.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from pixelreef.sprites.blas import one_blas_thread
from pixelreef.sprites.choose import Sampling
from pixelreef.sprites.config import Config
from pixelreef.sprites.engine import CHUNK, SHARED, Grids, Task, cores

Made = TypeVar("Made")
ROOM = 1024  # sprites that may wait: some 15 seconds of two cores
BESIDE = 64  # pieces of other work that may wait
GATHER = 0.008  # seconds without a new request after which a free lane begins
PATIENCE = 0.08  # seconds it waits at most; a batch of 25 takes about 0.7


class Draws(Protocol):
    """An engine with one thread, or several in processes of their own."""

    config: Config

    def draw(self, task: Task, sampling: Sampling | None = None) -> Grids:
        """(n, height, width) colours; called by several lanes at once."""
        ...


class Full(Exception):
    """Too many sprites are waiting."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"too many sprites are waiting, ask again in {seconds} s")
        self.seconds = seconds
        """When there is likely to be room again."""


@dataclass(eq=False)
class Job:
    """What one request wants drawn, and what becomes of it."""

    count: int
    task: Callable[[range], Task]
    """Some of its sprites; called in a lane."""
    sampling: Sampling
    answer: Callable[[Grids], bytes]
    """From all of its sprites (count, height, width); called in a lane."""
    _parts: dict[int, Grids] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def put(self, some: range, grids: Grids) -> Grids | None:
        """Keep sprites that are drawn; all of them when these were the last."""
        with self._lock:
            self._parts[some.start] = grids
            if sum(len(part) for part in self._parts.values()) < self.count:
                return None
        return np.concatenate([self._parts[start] for start in sorted(self._parts)])


@dataclass(frozen=True, eq=False)
class _Piece:
    job: Job
    some: range
    future: asyncio.Future[bytes]


class Queue:
    """Where requests wait for the engine. Used from one event loop, between `open` and `close`."""

    def __init__(self, engine: Draws, lanes: int | None = None, room: int = ROOM) -> None:
        """The engine takes one thread for each batch: lanes are the others."""
        self.engine, self.lanes, self.room = engine, lanes or cores(), room
        self.waiting = self.drawing = self.drawn = 0
        """Sprites."""
        self.batches = self.beside = 0
        self._busy = 0
        self._pieces: deque[_Piece] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._latest = 0.0

    def open(self) -> None:
        """Take the threads; meanwhile, in the whole process, products of matrices take one thread each."""
        self._loop = asyncio.get_running_loop()
        self._blas = one_blas_thread()
        self._blas.__enter__()
        self._pool = ThreadPoolExecutor(self.lanes, "lane")
        self._side = ThreadPoolExecutor(1, "side")

    def close(self) -> None:
        """Give the threads back, when everything is drawn."""
        self._pool.shutdown(wait=True)
        self._side.shutdown(wait=True)
        self._blas.__exit__(None, None, None)

    async def answered(self, job: Job) -> bytes:
        """The answer of a job, when its sprites are drawn."""
        if self.waiting and self.waiting + job.count > self.room:
            raise Full(self._seconds())
        future: asyncio.Future[bytes] = self._loop.create_future()
        self._pieces.append(_Piece(job, range(job.count), future))
        self.waiting += job.count
        self._gather()
        return await future

    async def aside(self, work: Callable[[], Made]) -> Made:
        """Work for which nothing is drawn, one piece after the other in a thread of its own."""
        if self.beside >= BESIDE:
            raise Full(1)
        self.beside += 1
        try:
            return await self._loop.run_in_executor(self._side, work)
        finally:
            self.beside -= 1

    def _seconds(self) -> int:
        """Until what waits is drawn, at 30 sprites a second in each lane."""
        return max(1, round(self.waiting / (30 * self.lanes)))

    def _gather(self) -> None:
        """Begin now, or soon."""
        self._latest = self._loop.time()
        if self._busy == 0 or self.waiting >= CHUNK * self.lanes:
            self._begin()
        elif self._busy < self.lanes and self._timer is None:
            self._wait(self._latest + PATIENCE)

    def _wait(self, most: float) -> None:
        """Until no request has come for a while."""
        until = min(self._latest + GATHER, most)
        if self._loop.time() >= until:
            self._begin()
        else:
            self._timer = self._loop.call_at(until, self._wait, most)

    def _begin(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        while self._pieces and self._busy < self.lanes:
            batch = self._taken()
            count = sum(len(piece.some) for piece in batch)
            self._busy, self.waiting, self.drawing = self._busy + 1, self.waiting - count, self.drawing + count
            self._pool.submit(self._draw, batch)

    def _taken(self) -> list[_Piece]:
        """The next batch: an equal share of all that is to be done, of the first one's way of choosing."""
        share = min(CHUNK, max(SHARED, -(-(self.waiting + self.drawing) // self.lanes)))
        sampling = self._pieces[0].job.sampling
        batch: list[_Piece] = []
        kept: deque[_Piece] = deque()
        while self._pieces and share:
            piece = self._pieces.popleft()
            if piece.job.sampling != sampling:
                kept.append(piece)
                continue
            first, rest = piece.some[:share], piece.some[share:]
            batch.append(_Piece(piece.job, first, piece.future))
            share -= len(first)
            if rest:
                kept.append(_Piece(piece.job, rest, piece.future))
        self._pieces.extendleft(reversed(kept))
        return batch

    def _draw(self, batch: list[_Piece]) -> None:
        """In a lane: draw a batch, and make the answers of the jobs that it finishes."""
        answers: list[tuple[asyncio.Future[bytes], bytes | Exception]] = []
        try:
            task = joined([piece.job.task(piece.some) for piece in batch], self.engine.config)
            grids, start = self.engine.draw(task, batch[0].job.sampling), 0
            for piece in batch:
                whole = piece.job.put(piece.some, grids[start : start + len(piece.some)])
                start += len(piece.some)
                if whole is not None:
                    answers.append((piece.future, _answer(piece.job, whole)))
        except Exception as error:  # whatever it is, the requests of this batch end with it, and the lane goes on
            answers = [(piece.future, error) for piece in batch]
        self._loop.call_soon_threadsafe(self._hand_over, answers, sum(len(piece.some) for piece in batch))

    def _hand_over(self, answers: Sequence[tuple[asyncio.Future[bytes], bytes | Exception]], count: int) -> None:
        self._busy, self.drawing, self.drawn = self._busy - 1, self.drawing - count, self.drawn + count
        self.batches += 1
        for future, answer in answers:
            if future.done():  # its other part went wrong, or nobody waits for it any more
                continue
            if isinstance(answer, Exception):
                future.set_exception(answer)
            else:
                future.set_result(answer)
        if self._pieces:
            self._gather()


def joined(tasks: Sequence[Task], config: Config) -> Task:
    """Sprites of several tasks as one."""

    def together(name: str, nothing: NDArray[Any]) -> NDArray[Any] | None:
        """What some tasks say of their sprites, and nothing for those of the others."""
        found = [getattr(task, name) for task in tasks]
        if all(one is None for one in found):
            return None
        blank = [np.broadcast_to(nothing, (len(task), *nothing.shape)) for task in tasks]
        return np.concatenate([other if one is None else one for one, other in zip(found, blank, strict=True)])

    return Task(
        np.concatenate([task.factors for task in tasks]),
        np.concatenate([task.shapes for task in tasks]),
        np.concatenate([task.colours for task in tasks]),
        together("known", np.full((config.height, config.width), config.unknown)),
        together("allowed", np.ones(config.colours, np.bool_)),
        together("begun", np.full((config.height, config.width), config.unknown)),
    )


def _answer(job: Job, grids: Grids) -> bytes | Exception:
    try:
        return job.answer(grids)
    except Exception as error:
        return error
