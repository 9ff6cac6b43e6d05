"""What a run will ask for, before the first call: calls, tokens, cost.

Tokens of input are estimated from the length of the text and the number of pictures; tokens of output are at most what
each call may return. The cost is therefore given twice: for replies of the expected length, and at most. A model whose
price is unknown says so and is left out of the sums.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pixelreef.errors import InputError
from pixelreef.runs.prices import Prices

if TYPE_CHECKING:
    from inspect_ai import Task

CHARACTERS_PER_TOKEN = 3  # English has about 4; digits and JSON have fewer
TOKENS_PER_PICTURE = 1500  # vendors count 258 to about 1,600 for a picture of 1024²
TOKENS_PER_MESSAGE = 8
OUTPUT_TOKENS = 4096  # at most, for a task that states no limit


@dataclass(frozen=True)
class Line:
    """One model × task: `expected` and `most` are dollars, None when the price is unknown."""

    model: str
    task: str
    calls: int
    input_tokens: int
    output_tokens: int
    expected: float | None
    most: float | None


@dataclass(frozen=True)
class Plan:
    """The lines, and the date of the prices."""

    lines: tuple[Line, ...]
    prices_as_of: str

    @property
    def calls(self) -> int:
        return sum(line.calls for line in self.lines)

    @property
    def most(self) -> float:
        """Dollars at most, over the models whose price is known."""
        return math.fsum(line.most or 0.0 for line in self.lines)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Models whose price is unknown."""
        return tuple(dict.fromkeys(line.model for line in self.lines if line.most is None))

    def text(self) -> str:
        """The plan as lines for people."""
        shown = [
            f"{line.model}  {line.task}: {line.calls:,} calls, about {line.input_tokens:,} tokens in, "
            f"at most {line.output_tokens:,} out, {_cost(line.expected, line.most)}"
            for line in self.lines
        ]
        total = f"in all: {self.calls:,} calls, at most {dollars(self.most)} (prices as of {self.prices_as_of})"
        return "\n".join([*shown, total + (f"; cost unknown: {', '.join(self.unknown)}" if self.unknown else "")])


def make_plan(
    tasks: Sequence[Task],
    models: Iterable[str],
    prices: Prices,
    *,
    attempts: int = 1,
    limit: int | None = None,
    expected_output: float = 0.5,
) -> Plan:
    """What `run_eval_set` with the same arguments will ask for, when nothing of it has been answered yet.

    `expected_output` is the share of the allowed output tokens that a reply is expected to use.
    """
    if attempts < 1:
        raise InputError("--attempts", "be at least 1", attempts)
    lines = []
    for task in tasks:
        samples = list(task.dataset)[:limit]
        asked = sum(input_tokens(sample.input) for sample in samples) * attempts
        calls = len(samples) * attempts
        allowed = calls * output_tokens(task)
        for model in models:
            price = prices.of(model)
            expected = price.cost(asked, allowed * expected_output) if price else None
            most = price.cost(asked, allowed) if price else None
            lines.append(Line(model, task.name, calls, asked, allowed, expected, most))
    return Plan(tuple(lines), prices.as_of)


def input_tokens(messages: str | list[Any]) -> int:
    """About how many tokens a text or a list of Inspect's messages has.

    >>> input_tokens("Draw the sun.")
    13
    """
    if isinstance(messages, str):
        return TOKENS_PER_MESSAGE + math.ceil(len(messages) / CHARACTERS_PER_TOKEN)
    tokens = 0
    for message in messages:
        pictures = [part for part in _parts(message) if part.type == "image"]
        tokens += input_tokens(str(message.text)) + len(pictures) * TOKENS_PER_PICTURE
    return tokens


def output_tokens(task: Task) -> int:
    """The most tokens that a reply to a task may have."""
    return task.config.max_tokens or OUTPUT_TOKENS


def _parts(message: Any) -> Sequence[Any]:
    return () if isinstance(message.content, str) else message.content


def dollars(amount: float) -> str:
    """An amount for people: cents, and more places only where a cent says nothing.

    >>> dollars(1234.5), dollars(0.0123), dollars(0.00009), dollars(0)
    ('$1,234.50', '$0.01', '$0.00009', '$0')
    """
    if amount == 0:
        return "$0"
    return f"${amount:,.2f}" if amount >= 0.01 else f"${amount:.{1 - math.floor(math.log10(amount))}f}".rstrip("0")


def _cost(expected: float | None, most: float | None) -> str:
    if expected is None or most is None:
        return "cost unknown"
    return "$0" if most == 0 else f"about {dollars(expected)}, at most {dollars(most)}"
