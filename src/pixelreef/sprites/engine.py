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
from functools import cached_property

import numpy as np

from pixelreef.errors import InputError
from pixelreef.sprites.blas import one_blas_thread
from pixelreef.sprites.choose import PLAIN, Sampling
from pixelreef.sprites.config import NEAR, Config
from pixelreef.sprites.dense import Arrays, Whole
from pixelreef.sprites.drawing import Drawing
from pixelreef.sprites.model import Model
from pixelreef.sprites.single import Single
from pixelreef.sprites.task import Codes, Drawn, Grids, Likelihood, Task

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

    def draw(self, task: Task, sampling: Sampling | None = None) -> Grids:
        """(n, height, width) colours, all at the end."""
        size = (0, self.config.height, self.config.width)
        return np.concatenate([np.empty(size, np.uint8), *(one.grids for one in self.finished(task, sampling))])

    def finished(self, task: Task, sampling: Sampling | None = None) -> Iterator[Drawn]:
        """Sprites in order, a chunk as soon as it is finished and those before it are."""
        task.check(self.config)
        rule = sampling or Sampling()
        return self._chunks(task, rule, self.chunk(len(task), rule))

    def likelihood(self, grids: Grids, factors: Whole, known: Codes | None = None) -> Likelihood:
        """The probability of every step of drawing grids (n, height, width); what is known counts 0."""
        config, n = self.config, len(grids)
        nothing = np.zeros((n, config.patches, 1 + config.patch)), np.zeros(grids.shape)
        task = Task(factors, *nothing, known)
        task.check(config)
        _check_truth(grids, known, config)
        size = self.chunk(max(n, FEWEST), PLAIN)
        parts = []
        for start in range(0, max(n, 1), size):
            rows = slice(start, start + size)
            with one_blas_thread():
                parts.append(Drawing(self.model, task.part(rows), PLAIN, grids[rows]).run()[1])
        return Likelihood(np.concatenate([p.shape for p in parts]), np.concatenate([p.pixels for p in parts]))

    def chunk(self, count: int, sampling: Sampling) -> int:
        """So many sprites are drawn in step: all threads have work, and memory is bounded."""
        config, floats = self.config, 0
        for sizes in config.painters.values():
            caches = 2 * sizes.layers * config.patches * sizes.wide * (2 if sampling.guides(config) else 1)
            padded = (config.height + sizes.window - 1) * (config.width + sizes.window - 1)
            floats += caches + padded * (sizes.colour + 2) + config.patches * (9 * config.pixels * NEAR + sizes.wide)
        room = MEMORY // (4 * floats * self.threads)
        if count < FEWEST and self._tables:
            return 1
        return max(1, min(CHUNK, room, max(SHARED, -(-count // self.threads))))

    def _chunks(self, task: Task, sampling: Sampling, size: int) -> Iterator[Drawn]:
        def draw(start: int) -> Drawn:
            part = task.part(slice(start, start + size))
            with np.errstate(over="ignore", invalid="ignore"):
                grids, likely = self._way(part, sampling).run()
            total = likely.total
            if not np.isfinite(total).all():
                raise InputError(
                    "weights", "give every sprite a probability", "numbers beyond all bounds", verbatim=True
                )
            return Drawn(start, grids, total)

        starts = range(0, len(task), size)
        with one_blas_thread():
            yield from (
                map(draw, starts) if min(self.threads, len(starts)) < 2 else _threaded(draw, starts, self.threads)
            )

    def _way(self, task: Task, sampling: Sampling) -> Single | Drawing:
        return (Single if len(task) == 1 and self._tables else Drawing)(self.model, task, sampling)

    @cached_property
    def _tables(self) -> bool:
        """Whether single sprites can be drawn from tables."""
        return self.model.shape.table is not None and self.model.colours.table is not None


def _check_truth(grids: Grids, known: Codes | None, config: Config) -> None:
    """That a picture can have come from what was known of it."""
    if grids.size and int(grids.max()) >= config.colours:
        raise InputError("pictures", f"be in colours from 0 to {config.colours - 1}", int(grids.max()))
    if known is None:
        return
    given = known < config.colours
    if (grids[given] != known[given]).any() or (grids[known == config.filled] == config.ground).any():
        raise InputError("pictures", "be as is known of them", "others", verbatim=True)


def cores() -> int:
    """So many threads can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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
