"""The loss: what the answer's tokens cost, and no others; and batches of pairs for it.

The prompt is read and never taught. Odds over the vocabulary, the dearest layer of a small model, are worked out for
the answer's places alone where the model can do that.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from pixelreef.tune.tokenised import Tokenised

IGNORED = -100


class Answering(nn.Module):
    """A causal language model that tells what answers cost. Returns one tensor, as parallel wrappers like it."""

    def __init__(self, model: nn.Module, inner: nn.Module | None = None) -> None:
        super().__init__()
        self.model = model
        self._selects = "logits_to_keep" in inspect.signature((inner or model).forward).parameters

    def forward(self, ids: Tensor, labels: Tensor, mask: Tensor | None = None) -> Tensor:
        """Ids, labels and mask (n, tokens) → (n,) nats that each answer costs."""
        places = torch.nonzero((labels != IGNORED).any(dim=0)).squeeze(1)
        chosen: dict[str, Any] = {"logits_to_keep": places - 1} if self._selects else {}
        logits = self.model(input_ids=ids, attention_mask=mask, use_cache=False, **chosen).logits
        if not self._selects:
            logits = logits[:, places - 1]
        wanted = labels[:, places]
        costs = functional.cross_entropy(
            logits.float().flatten(0, 1), wanted.flatten(), ignore_index=IGNORED, reduction="none"
        )
        return costs.view(wanted.shape).sum(dim=1)


def batch_of(pairs: Sequence[Tokenised]) -> tuple[Tensor, Tensor, Tensor | None]:
    """(ids, labels, mask), padded behind; no mask where nothing is padded. Labels are `IGNORED` but on the answer."""
    longest = max(len(pair.ids) for pair in pairs)
    ids = torch.zeros((len(pairs), longest), dtype=torch.int64)
    labels = torch.full_like(ids, IGNORED)
    mask = torch.zeros_like(ids)
    for row, pair in enumerate(pairs):
        own = torch.from_numpy(pair.ids)
        ids[row, : len(own)], mask[row, : len(own)] = own, 1
        labels[row, pair.start : len(own)] = own[pair.start :]
    return ids, labels, None if bool(mask.all()) else mask
