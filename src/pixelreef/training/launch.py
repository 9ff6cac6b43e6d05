"""One process, or several through Fabric, for one training run; and the sums of a step, the same again.

    outcome = launched(Work(…), out, devices=2)

`Work` says in `run` what each process does; the first one's result comes back. With several devices the work is carried
to other processes, so it must be picklable.
"""

from __future__ import annotations

import ctypes
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pixelreef.errors import PixelreefError
from pixelreef.training.lock import locked

_MMAP_THRESHOLD, _TRIM_THRESHOLD = -3, -1  # as <malloc.h> numbers them


@dataclass(frozen=True)
class Moment:
    """Where a run stands, told after every step."""

    step: int
    """Done."""
    steps: int
    loss: float
    """Of what is taught, in the room's own unit, a running mean of this sitting."""
    seconds: float
    """Over all sittings."""
    left: float
    """Seconds, about."""


class Work(ABC):
    """What each process does. No dataclass: Fabric looks into those that it carries to another process."""

    @abstractmethod
    def run(self, fabric: Any) -> Any:
        """All of it; what the first process returns is what the run returns."""

    def __call__(self, fabric: Any) -> Told:
        try:
            return self._told(fabric)
        finally:
            if fabric.world_size > 1:
                _leave()

    def _told(self, fabric: Any) -> Told:
        try:
            return Told(self.run(fabric))
        except PixelreefError as error:
            if fabric.world_size == 1:
                raise
            return Told(None, str(error))
        except RuntimeError as error:  # the first process ended with an error of its own, which it tells
            if fabric.global_rank == 0 or "by peer" not in str(error):
                raise
            return Told(None)


def _leave() -> None:
    """Leave the group of processes, as torch asks for: one that ends within it may be aborted on its way out."""
    from torch import distributed

    if distributed.is_initialized():
        distributed.destroy_process_group()


class Told:
    """What a process has to say to the one that asked for it: what it found, or an error of ours in its words."""

    def __init__(self, found: Any, error: str | None = None) -> None:
        self.found, self.error = found, error


def launched(work: Work, out: Path, devices: int = 1, *, unused: bool = True) -> Any:
    """Do the work in so many processes; `unused` says that a step may leave some parameters without a gradient."""
    from lightning_fabric import Fabric
    from lightning_fabric.strategies.ddp import DDPStrategy

    with locked(out):  # the one who writes holds it; with several processes that is one that is yet to begin
        pass
    strategy = DDPStrategy(start_method="spawn", find_unused_parameters=unused) if devices > 1 else "auto"
    os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")  # processes to come would warn where nothing is unused
    fabric = Fabric(accelerator="auto", devices=devices, strategy=strategy)
    told: Told = fabric.launch(work)
    if told.error is not None:
        raise PixelreefError(told.error)
    return told.found


class Parent:
    """The process that began this one: where it is gone, nobody waits for the work, and the folder is another's."""

    def __init__(self, world: int) -> None:
        self.watched, self.id = world > 1, os.getppid()

    def check(self) -> None:
        """End this process if the one that began it has ended."""
        if self.watched and os.getppid() != self.id:
            raise SystemExit(1)


@contextmanager
def deterministic() -> Iterator[None]:
    """Algorithms that give the same numbers again, for a while."""
    import torch

    before, rules = torch.are_deterministic_algorithms_enabled(), torch.utils.deterministic
    filled = rules.fill_uninitialized_memory  # type: ignore[attr-defined]
    torch.use_deterministic_algorithms(True)
    rules.fill_uninitialized_memory = False  # type: ignore[attr-defined]  # nothing is read that was not written
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before)
        rules.fill_uninitialized_memory = filled  # type: ignore[attr-defined]


def keep_memory() -> None:
    """Keep what is freed for the next step, which needs as much: a tenth of its time is saved. With glibc alone.

    Else arrays of some megabytes are given back to the system again and again, and come anew as noughts.
    """
    with suppress(AttributeError, OSError):
        library = ctypes.CDLL(None)
        for parameter, limit in ((_MMAP_THRESHOLD, 2**30), (_TRIM_THRESHOLD, 2**31 - 1)):
            library.mallopt(parameter, limit)
