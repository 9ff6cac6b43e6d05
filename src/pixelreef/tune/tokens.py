"""What pairs cost in tokens, by tokenizer and encoding: of the prompt, of the answer, together.

counts = token_counts(pairs, {"smollm2": tokenizer})
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from pixelreef.tune.pairs import Pair
from pixelreef.tune.tokenised import Tokeniser

LENGTH = 1024
"""The article's longest sample; how many are longer is told."""


@dataclass(frozen=True)
class TokenCount:
    """The pairs of one encoding in one tokenizer's tokens."""

    tokenizer: str
    encoding: str
    pairs: int
    prompt: float
    """The median, with the chat's own signs around it."""
    answer: float
    longest: int
    """Prompt and answer together."""
    over: int
    """Pairs longer than 1,024 tokens."""

    def document(self) -> dict[str, Any]:
        return asdict(self)


def token_counts(pairs: Sequence[Pair], tokenisers: Mapping[str, Tokeniser]) -> list[TokenCount]:
    """One row for every tokenizer and encoding."""
    encodings = list(dict.fromkeys(pair.encoding for pair in pairs))
    return [
        _count(name, encoding, [pair for pair in pairs if pair.encoding == encoding], tokeniser)
        for name, tokeniser in tokenisers.items()
        for encoding in encodings
    ]


def _count(name: str, encoding: str, pairs: Sequence[Pair], tokeniser: Tokeniser) -> TokenCount:
    sizes = [tokeniser.sizes(pair) for pair in pairs]
    totals = [prompt + answer for prompt, answer in sizes]
    return TokenCount(
        tokenizer=name,
        encoding=encoding,
        pairs=len(pairs),
        prompt=median(prompt for prompt, _ in sizes),
        answer=median(answer for _, answer in sizes),
        longest=max(totals),
        over=sum(total > LENGTH for total in totals),
    )
