"""Pairs as a model sees them: the chat around the prompt, then the answer and its end, in tokens.

The prompt goes through the tokenizer's own chat template, as a server does it; the answer is put behind it and ends
with the token that ends a turn. Only what is behind `start` is taught. No sample is cut: one that is too long is an
input error, or is left out and counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.errors import InputError
from pixelreef.tune.pairs import Pair

Ids = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Tokenised:
    """One pair in tokens."""

    ids: Ids
    """(n,): prompt, answer and the end of the turn."""
    start: int
    """Where the answer begins."""
    encoding: str

    @property
    def answered(self) -> int:
        """Tokens that are taught."""
        return len(self.ids) - self.start


class Tokeniser:
    """A tokenizer of transformers that can write a chat and give every answer back as it was."""

    def __init__(self, tokenizer: Any, name: str) -> None:
        self.tokenizer, self.what = tokenizer, f"tokenizer of {name!r}"
        if not getattr(tokenizer, "chat_template", None):
            raise InputError(self.what, "have a chat template", "none", "Take a model that was made for chats.")
        if tokenizer.eos_token_id is None:
            raise InputError(self.what, "have a token that ends a turn", "none", verbatim=True)
        self._prompt = lru_cache(maxsize=4096)(self._prompted)

    def tokenised(self, pair: Pair) -> Tokenised:
        """The pair in tokens."""
        prompt, answer = self._prompt(pair.prompt), self._ids(pair.answer)
        if self.tokenizer.decode(answer) != pair.answer:
            got = self.tokenizer.decode(answer)
            raise InputError(self.what, "give an answer back as it was", got, "It is of another kind of model.")
        ids = np.array([*prompt, *answer, self.tokenizer.eos_token_id], np.int64)
        return Tokenised(ids, len(prompt), pair.encoding)

    def sizes(self, pair: Pair) -> tuple[int, int]:
        """Tokens of the prompt and of the answer."""
        found = self.tokenised(pair)
        return found.start, found.answered

    def _prompted(self, prompt: str) -> tuple[int, ...]:
        chat = [{"role": "user", "content": prompt}]
        text = self.tokenizer.apply_chat_template(chat, add_generation_prompt=True, tokenize=False)
        return tuple(self._ids(text))

    def _ids(self, text: str) -> list[int]:
        return [int(one) for one in self.tokenizer(text, add_special_tokens=False)["input_ids"]]


def tokenise(
    pairs: Sequence[Pair], tokeniser: Tokeniser, length: int, *, leave_out: bool = False
) -> tuple[list[Tokenised], int]:
    """Pairs in at most `length` tokens each, and how many were left out for their length."""
    found = [tokeniser.tokenised(pair) for pair in pairs]
    for pair, one in zip(pairs, found, strict=True):
        if len(one.ids) > length and not leave_out:
            todo = 'Raise length in the recipe, set too_long = "leave out", or teach a shorter encoding.'
            what = f"pair {pair.hash[:8]} ({pair.encoding}, {pair.subject})"
            raise InputError(what, f"have at most {length:,} tokens", len(one.ids), todo)
    kept = [one for one in found if len(one.ids) <= length]
    return kept, len(found) - len(kept)


def check_vocabulary(pairs: Sequence[Tokenised], name: str, vocabulary: int) -> None:
    """Refuse tokens that a model does not have: they are of another model's tokenizer."""
    highest = max(int(pair.ids.max()) for pair in pairs)
    if highest >= vocabulary:
        rule = f"have tokens below the model's {vocabulary:,}"
        raise InputError(f"tokenizer of {name!r}", rule, highest, "It is another model's.")
