"""The engine: samples a `reef` model with numpy alone, and tells how likely a sprite is.

    engine = Engine(config, weights)
    for drawn in engine.finished(task): drawn.start, drawn.grids, drawn.likelihood
    engine.likelihood(grids, factors).total

Sprites are drawn in chunks, several at once in threads of ours; BLAS keeps to one thread meanwhile, because its
products are too small to share. Chunks come in order, as they finish. Memory is bounded whatever is asked for.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import cache
from typing import Any

import numpy as np

from pixelreef.errors import InputError
from pixelreef.sprites.choose import Sampling
from pixelreef.sprites.config import Config
from pixelreef.sprites.dense import Arrays, Whole
from pixelreef.sprites.drawing import Drawing
from pixelreef.sprites.likelihood import Likelihood, likelihood
from pixelreef.sprites.model import Model
from pixelreef.sprites.pixels import Sight
from pixelreef.sprites.plan import Bits, Plan, plain_plan, plan_from_given
from pixelreef.sprites.single import Single
from pixelreef.sprites.task import Drawn, Grids, Task

__all__ = ["Drawn", "Engine", "Grids", "Likelihood", "Task"]

CHUNK = 64  # sprites drawn in step; more are hardly faster, and come later
SHARED = 16  # sprites that are not shared out among threads: halves would take half as long again in all
FEWEST = 4  # sprites that are faster in step than one after the other
MEMORY = 2**28  # bytes for the chunks that are on their way


class Engine:
    """A model ready to draw."""

    def __init__(self, config: Config, weights: Arrays, threads: int | None = None) -> None:
        self.config, self.model = config, Model(config, weights)
        self.threads = threads or cores()
        self._plain: Sight | None = None

    def draw(self, task: Task, sampling: Sampling | None = None) -> Grids:
        """(n, height, width) colours, all at the end."""
        size = (0, self.config.height, self.config.width)
        return np.concatenate([np.empty(size, np.uint8), *(one.grids for one in self.finished(task, sampling))])

    def finished(self, task: Task, sampling: Sampling | None = None) -> Iterator[Drawn]:
        """Sprites in order, a chunk as soon as it is finished and those before it are."""
        task.check(self.config)
        rule, plan = sampling or Sampling(), self._plan(task)
        sight = self._sight(plan, task)
        size = self.chunk(len(task), plan, rule)
        return self._chunks(task, rule, plan, sight, size)

    def likelihood(
        self,
        grids: Grids,
        factors: Whole,
        given: Bits | None = None,
        plan: Plan | None = None,
        filled: Bits | None = None,
    ) -> Likelihood:
        """The probability of every step of drawing grids (n, height, width), row by row or in any plan.

        Pixels of the mask `given` (height, width) are not drawn and count 0; those of `filled` (n, height, width)
        can't be ground.
        """
        config, n = self.config, len(grids)
        mask = np.zeros((config.height, config.width), np.bool_) if given is None else given
        Task(factors, np.zeros((n, config.patches)), np.zeros((n, *mask.shape)), grids, mask, filled).check(config)
        order = plan or plan_from_given(mask, config)
        size = self.chunk(n, order, Sampling())
        parts = []
        for start in range(0, max(n, 1), size):
            rows = slice(start, start + size)
            with one_blas_thread():
                must = None if filled is None else filled[rows]
                parts.append(likelihood(self.model, grids[rows], factors[rows], order, mask, must))
        return Likelihood(np.concatenate([p.flags for p in parts]), np.concatenate([p.pixels for p in parts]))

    def chunk(self, count: int, plan: Plan, sampling: Sampling) -> int:
        """So many sprites are drawn in step: all threads have work, and memory is bounded."""
        config = self.config
        steps = len(plan.shown) + config.patches
        floats = 2 * config.trunk_layers * steps * config.trunk_width * (2 if sampling.guides(config) else 1)
        padded = (config.height + config.window - 1) * (config.width + config.window - 1)
        room = MEMORY // (4 * (floats + padded * config.colour_width) * self.threads)
        if count < FEWEST and self.model.pixels.table is not None:
            return 1
        return max(1, min(CHUNK, room, max(SHARED, -(-count // self.threads))))

    def _chunks(self, task: Task, sampling: Sampling, plan: Plan, sight: Sight, size: int) -> Iterator[Drawn]:
        def draw(start: int) -> Drawn:
            part = task.part(slice(start, start + size))
            if part.grids is not None and plan.known == self.config.patches:
                return Drawn(start, part.grids.copy(), np.zeros(len(part)))
            with np.errstate(over="ignore", invalid="ignore"):
                grids, likely = self._way(part, sampling, plan, sight).run()
            if not np.isfinite(likely).all():
                raise InputError(
                    "weights", "give every sprite a probability", "numbers beyond all bounds", verbatim=True
                )
            return Drawn(start, grids, likely)

        starts = range(0, len(task), size)
        with one_blas_thread():
            yield from (
                map(draw, starts) if min(self.threads, len(starts)) < 2 else _threaded(draw, starts, self.threads)
            )

    def _way(self, task: Task, sampling: Sampling, plan: Plan, sight: Sight) -> Single | Drawing:
        table = self.model.pixels.table if len(task) == 1 else None
        if table is None:
            return Drawing(self.model, task, sampling, plan, sight)
        return Single(self.model, task, sampling, plan, sight, table)

    def _plan(self, task: Task) -> Plan:
        return plain_plan(self.config) if task.given is None else plan_from_given(task.given, self.config)

    def _sight(self, plan: Plan, task: Task) -> Sight:
        if task.given is not None and task.given.any():
            return self.model.pixels.sight(plan, task.given)
        if self._plain is None:
            self._plain = self.model.pixels.sight(plan, task.mask(self.config))
        return self._plain


def cores() -> int:
    """So many threads can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def one_blas_thread() -> AbstractContextManager[object]:
    """Meanwhile, in the whole process, products of matrices take one thread each."""
    limits: AbstractContextManager[object] = _libraries().limit(limits=1, user_api="blas")
    return limits


@cache
def _libraries() -> Any:
    """The libraries for products that this process has loaded; looking for them takes longer than a small sprite."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _threaded(draw: Callable[[int], Drawn], starts: Iterable[int], threads: int) -> Iterator[Drawn]:
    """In order; no more is begun than threads can do while the next one is handed over."""
    waiting: deque[Future[Drawn]] = deque()
    pool = ThreadPoolExecutor(threads)
    try:
        for start in starts:
            if len(waiting) > threads:
                yield waiting.popleft().result()
            waiting.append(pool.submit(draw, start))
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
