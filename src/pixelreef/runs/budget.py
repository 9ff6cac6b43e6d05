"""What a run has spent, and the stop before it would spend more than it may.

Before a call, its most expensive outcome is set aside (`hold`): all its input, and as many output tokens as it may
return. If what was spent, what is set aside and this call together could pass the limit, the call waits for the calls
under way to settle. When none is under way and it still does not fit, the run has stopped (`OutOfBudget`), and every
later call is refused at once. So the limit is never passed, as far as the prices and the limits on tokens hold.
"""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from pixelreef.errors import InputError, PixelreefError
from pixelreef.runs.prices import Prices

STOPPED = "not asked: the run stopped at its cost limit"
_ROUNDING = 1e-9  # dollars


class OutOfBudget(PixelreefError):
    """A call was not made because it might have passed the limit. Its sample is 'not asked', which is no failure."""

    def __init__(self) -> None:
        super().__init__(STOPPED)


@dataclass
class Budget:
    """Dollars. `spent` starts at what an earlier, interrupted run of the same folder has cost."""

    prices: Prices
    limit: float | None = None
    spent: float = 0.0
    stopped: bool = False
    _dearest: dict[str, float] = field(default_factory=dict)  # call so far, by model
    _under_way: list[float] = field(default_factory=list)
    _waiting: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.limit is not None and not 0 <= self.limit < math.inf:
            raise InputError("--max-cost", "be dollars, 0 or more", self.limit)

    def spend(self, model: str, dollars: float) -> None:
        """Count what a call has cost."""
        self.spent += dollars
        self._dearest[model] = max(dollars, self._dearest.get(model, 0.0))

    def fits(self, most: float) -> bool:
        """Whether a call of at most so many dollars can be made beside those under way."""
        return self.limit is None or math.fsum([self.spent, most, *self._under_way]) <= self.limit + _ROUNDING

    @asynccontextmanager
    async def hold(self, model: str, most: float) -> AsyncIterator[None]:
        """Set `most` dollars aside for the length of a call, once they are free. A free call is always let through."""
        most = max(most, self._dearest.get(model, 0.0))  # the number of input tokens is an estimate
        while most > 0 and not self.stopped and not self.fits(most):
            if self._under_way:
                await self._next_settled()
            else:
                self.stopped = True
        if most > 0 and self.stopped:
            raise OutOfBudget
        if most > 0:
            self._under_way.append(most)
        try:
            yield
        finally:
            if most > 0:
                self._under_way.remove(most)
            self._wake()

    async def _next_settled(self) -> None:
        import anyio

        event = anyio.Event()
        self._waiting.append(event)
        await event.wait()

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for event in waiting:
            event.set()
