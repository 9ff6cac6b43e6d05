"""Loss on the answer's tokens, and on nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tune.small_models import four_pairs

from pixelreef.tune.answering import IGNORED, Answering, batch_of
from pixelreef.tune.base import find_base, load_model, load_tokeniser
from pixelreef.tune.tokenised import Tokenised


@pytest.fixture(scope="module")
def model(qwen: Path) -> Any:
    return load_model(find_base(str(qwen)))


@pytest.fixture(scope="module")
def pairs(qwen: Path) -> list[Tokenised]:
    tokeniser = load_tokeniser(find_base(str(qwen)))
    return [tokeniser.tokenised(pair) for pair in four_pairs(("runs", "shapes"))[:4]]


def by_hand(model: Any, pair: Tokenised) -> float:
    """−log p of the answer's tokens one by one, from the odds over the whole text."""
    with torch.no_grad():
        odds = model(torch.from_numpy(pair.ids)[None]).logits[0].double().log_softmax(dim=1)
    return -sum(float(odds[place - 1, pair.ids[place]]) for place in range(pair.start, len(pair.ids)))


def test_labels_are_on_the_answer_alone(pairs: list[Tokenised]) -> None:
    ids, labels, mask = batch_of(pairs)
    assert mask is not None
    for row, pair in enumerate(pairs):
        assert (labels[row, : pair.start] == IGNORED).all()
        assert (labels[row, len(pair.ids) :] == IGNORED).all()
        assert labels[row, pair.start : len(pair.ids)].tolist() == pair.ids[pair.start :].tolist()
        assert mask[row].sum() == len(pair.ids)
        assert ids[row, : len(pair.ids)].tolist() == pair.ids.tolist()


def test_the_loss_is_that_of_the_answer_worked_out_by_hand(model: Any, pairs: list[Tokenised]) -> None:
    answering = Answering(model)
    wanted = [by_hand(model, pair) for pair in pairs]
    with torch.no_grad():
        together = answering(*batch_of(pairs)).tolist()
        alone = [float(answering(*batch_of([pair]))) for pair in pairs]
    assert together == pytest.approx(wanted, rel=1e-4)
    assert alone == pytest.approx(wanted, rel=1e-4)


def test_a_model_that_gives_all_odds_costs_the_same(model: Any, pairs: list[Tokenised]) -> None:
    class All(torch.nn.Module):
        def forward(self, input_ids: Any, attention_mask: Any, use_cache: bool) -> Any:
            return model(input_ids=input_ids, attention_mask=attention_mask, use_cache=use_cache)

    with torch.no_grad():
        found = Answering(All())(*batch_of(pairs)).tolist()
        assert found == pytest.approx(Answering(model)(*batch_of(pairs)).tolist(), rel=1e-5)


def test_nothing_is_taught_about_the_prompt(model: Any, pairs: list[Tokenised]) -> None:
    """The odds of tokens that only a prompt has get the gradient of wrong guesses, never that of a right one."""
    (pair, *_) = pairs
    only = sorted(set(pair.ids[: pair.start].tolist()) - set(pair.ids[pair.start :].tolist()))
    assert only
    head = model.get_output_embeddings().weight
    head.requires_grad_(True)
    head.grad = None
    hidden = model.model(torch.from_numpy(pair.ids)[None]).last_hidden_state[0].detach()
    Answering(model)(*batch_of([pair])).sum().backward()
    # d loss / d row = Σ over answer places of (p − 1[it is the token]) · hidden; without the second term for these.
    places = np.arange(pair.start, len(pair.ids)) - 1
    with torch.no_grad():
        share = (hidden[places] @ head.T).softmax(dim=1)[:, only]
    assert torch.allclose(head.grad[only], share.T @ hidden[places], atol=1e-5)
    head.requires_grad_(False)
