"""Progress of a training run on stderr: a bar, or a line now and then."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

_EVERY = 10.0  # seconds between lines where stderr is no terminal


class Teller:
    """Hears moments and looks. It may be called in another process, and begins there, so it must be picklable."""

    def __init__(self, unit: str, line: Callable[[Any], str]) -> None:
        self.unit, self.line = unit, line
        self.bar: Any = None
        self.task: Any = None
        self.last = -_EVERY

    def __call__(self, told: Any) -> None:
        from pixelreef.training.launch import Moment

        if not isinstance(told, Moment):
            self._say(self.line(told))
            return
        if self.bar is None:
            self._begin(told.steps)
        words = f"{told.loss:.3f} {self.unit}, {time_left(told.left)} left"
        self.bar.update(self.task, completed=told.step, words=words)
        if not self.bar.console.is_terminal and told.seconds - self.last >= _EVERY:
            self.last = told.seconds
            print(f"step {told.step:,} of {told.steps:,}: {words}", file=sys.stderr, flush=True)
        if told.step == told.steps:
            self.bar.stop()

    def _begin(self, steps: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        console = Console(stderr=True)
        columns = (TextColumn("steps"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[words]}"))
        self.bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self.task = self.bar.add_task("", total=steps, words="")
        self.bar.start()

    def _say(self, line: str) -> None:
        if self.bar is not None and self.bar.console.is_terminal:
            self.bar.console.print(line, markup=False, highlight=False)
        else:
            print(line, file=sys.stderr, flush=True)


def time_left(seconds: float) -> str:
    """
    >>> time_left(75), time_left(12), time_left(7300)
    ('1 min', '12 s', '2 h 1 min')
    """
    minutes = int(seconds // 60)
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{minutes} min" if minutes else f"{seconds:.0f} s"
