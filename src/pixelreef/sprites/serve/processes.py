"""An engine in processes of its own, one for each lane of the queue.

    with Processes(config, arrays, count=2) as drawers: drawers.draw(task, sampling)

Drawing is thousands of small steps, between which threads of one interpreter wait for one another: at 25 sprites a
batch two processes draw half as much again as two threads, and requests are not handled beside a batch's interpreter
lock. A process that dies is replaced, and what it was asked is asked again, once.
"""

from __future__ import annotations

import multiprocessing
import signal
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from types import TracebackType
from typing import Self

from pixelreef.errors import PixelreefError
from pixelreef.sprites.blas import one_blas_thread
from pixelreef.sprites.choose import Sampling
from pixelreef.sprites.config import Config
from pixelreef.sprites.dense import Arrays
from pixelreef.sprites.engine import Engine
from pixelreef.sprites.task import Grids, Task

_SPAWN = multiprocessing.get_context("spawn")
_ENDING = 10.0  # seconds that a process has for its end, once it has nothing to draw


class _Drawer:
    """One process, and the line to it."""

    def __init__(self, config: Config, weights: Arrays) -> None:
        self._line, theirs = _SPAWN.Pipe()
        self._process: BaseProcess = _SPAWN.Process(target=_draw_until_told, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        self._line.send((config, dict(weights)))

    def draw(self, task: Task, sampling: Sampling | None) -> Grids | Exception:
        """What it drew, or what went wrong with that; OSError or EOFError where it has died."""
        self._line.send((task, sampling))
        told: Grids | Exception = self._line.recv()
        return told

    @property
    def id(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def end(self) -> None:
        self._line.close()
        self._process.join(_ENDING)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


class Processes:
    """Draws as an engine does, for as many threads at a time as there are processes."""

    def __init__(self, config: Config, weights: Arrays, count: int) -> None:
        self.config, self._weights = config, weights
        self._drawers = [_Drawer(config, weights) for _ in range(count)]
        self._free: SimpleQueue[int] = SimpleQueue()
        for place in range(count):
            self._free.put(place)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def draw(self, task: Task, sampling: Sampling | None = None) -> Grids:
        """(n, height, width) colours, when a process is free for them."""
        place = self._free.get()
        try:
            try:
                told = self._drawers[place].draw(task, sampling)
            except (OSError, EOFError):
                self._drawers[place].end()
                self._drawers[place] = _Drawer(self.config, self._weights)
                told = self._drawers[place].draw(task, sampling)
        finally:
            self._free.put(place)
        if isinstance(told, Exception):
            raise told
        return told

    @property
    def ids(self) -> list[int]:
        """The numbers that the system has for the processes."""
        return [drawer.id for drawer in self._drawers]

    def close(self) -> None:
        """End all processes, when they have drawn what they are at."""
        for _ in self._drawers:
            self._free.get()
        for drawer in self._drawers:
            drawer.end()


def _draw_until_told(line: Connection) -> None:
    """In a process of its own: what comes is drawn, until the line ends, be it by the end of whoever asked."""
    for one in (signal.SIGINT, signal.SIGTERM):  # meant for the server, which ends this when everything is drawn
        signal.signal(one, signal.SIG_IGN)
    try:
        config, weights = line.recv()
        engine = Engine(config, weights, threads=1)
        with one_blas_thread():
            while True:
                line.send(_drawn(engine, *line.recv()))
    except (OSError, EOFError):
        return


def _drawn(engine: Engine, task: Task, sampling: Sampling | None) -> Grids | Exception:
    try:
        return engine.draw(task, sampling)
    except PixelreefError as error:
        return error
    except Exception as error:  # of any kind, and not every kind can be sent
        return RuntimeError(f"{type(error).__name__}: {error}")
