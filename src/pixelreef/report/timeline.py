"""A timeline: stops one under the other, each with the same few steps from left to right, joined by arrows.

A step that was not taken leaves its place empty, so that the same steps of all stops stand in line. On a narrow screen
the steps of a stop stand one under the other.

    Timeline([Stop("Iteration 1", "15:30", [Step("66,000 sprites", ["by make"], "6cac1432"), None])], ["corpus", "run"])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pixelreef.errors import InputError
from pixelreef.report.html import Html, joined, text
from pixelreef.report.part import Fragment


@dataclass(frozen=True)
class Step:
    """What was done: a title, some short lines, and a mark (a hash, say) by which it can be told."""

    title: str
    lines: Sequence[str] = ()
    mark: str = ""


@dataclass(frozen=True)
class Stop:
    """One stop: its steps, None where one was not taken; notes stand below them."""

    title: str
    time: str
    steps: Sequence[Step | None]
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Timeline:
    """Stops, and the names of their steps."""

    stops: Sequence[Stop]
    names: Sequence[str]

    def __post_init__(self) -> None:
        for stop in self.stops:
            if len(stop.steps) != len(self.names):
                raise InputError(f"stop {stop.title!r}", f"have {len(self.names)} steps", len(stop.steps))

    def fragment(self, name: str) -> Fragment:
        stops = joined((self._stop(stop) for stop in self.stops), "\n")
        body = f'<ol class="timeline" style="--steps:{len(self.names)}">{stops}</ol>\n'
        return Fragment(Html(body), ("timeline.css",))

    def _stop(self, stop: Stop) -> Html:
        steps = joined(_step(name, step) for name, step in zip(self.names, stop.steps, strict=True))
        notes = joined(Html(f'<p class="stop-note">{text(note)}</p>') for note in stop.notes)
        return Html(
            f'<li class="stop"><h3>{text(stop.title)} <span class="stop-time">{text(stop.time)}</span></h3>'
            f'<ol class="steps">{steps}</ol>{notes}</li>'
        )


def _step(name: str, step: Step | None) -> Html:
    if step is None:
        return Html(f'<li class="step gone"><span class="step-name">{text(name)}</span><span>–</span></li>')
    lines = joined(Html(f'<span class="step-line">{text(line)}</span>') for line in step.lines)
    mark = f"<code>{text(step.mark)}</code>" if step.mark else ""
    return Html(
        f'<li class="step"><span class="step-name">{text(name)} {mark}</span><strong>{text(step.title)}</strong>'
        f"{lines}</li>"
    )
