from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from sprites.small_corpora import tiny, tiny_config
from torch import Tensor
from torch.nn import functional

from pixelreef.core.seeds import rng
from pixelreef.sprites import painter
from pixelreef.sprites.lecture import Material
from pixelreef.sprites.lessons import Lessons
from pixelreef.sprites.network import Batch, Reef
from pixelreef.sprites.painter import Painter, Units
from pixelreef.training.launch import deterministic

CONFIG = tiny_config(height=8, width=12, colours=8, factors={"kind": ("a", "b")})


class PlainPainter(Painter):
    """Everything at once, with torch's own gradients."""

    def inside(self, states: Tensor, known: Tensor, final: Tensor, units: Units) -> Tensor:
        seen = self.surroundings(known, final, units)
        around = self.window(functional.embedding(seen, self.colour_table()).flatten(1))
        told = self.state(states[units.picture, units.patch])
        x = around + told * (1 + self.gain[units.place]) + self.place[units.place]
        for block in self.blocks:
            x = block(x)
        odds = self.out(self.inner_norm(x)).masked_fill(units.barred, -1e9)
        return -functional.cross_entropy(odds, units.choice, reduction="none")


def models() -> tuple[Reef, Reef]:
    """The same, once with plain painters."""
    torch.manual_seed(0)
    slow, quick = Reef(CONFIG), Reef(CONFIG)
    for one in slow.parameters():
        torch.nn.init.normal_(one, std=0.2)
    quick.load_state_dict(slow.state_dict())
    slow.shape.__class__ = slow.colours.__class__ = PlainPainter
    return slow, quick


def lesson(plain: float) -> Batch:
    grids = rng(0, "grids").integers(0, 8, (8, 8, 12)).astype(np.uint8)
    grids[:4, :4] = 0  # empty patches
    grids[4:, 4:] = 3  # full ones
    return Lessons(Material(grids, np.arange(8)[:, None] % 2), CONFIG, tiny(plain=plain)).at(1)


@pytest.mark.parametrize("plain", [0.0, 1.0])
@pytest.mark.parametrize("chunk", [2, 64])
def test_chunks_are_the_whole(plain: float, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its value, and its gradients."""
    monkeypatch.setattr(painter, "_CHUNK", chunk)
    slow, quick = models()
    with deterministic():
        left, right = (model(lesson(plain)).total for model in (slow, quick))
        torch.testing.assert_close(left, right, rtol=1e-5, atol=1e-4)
        left.mean().backward()
        right.mean().backward()
    for (name, one), two in zip(slow.named_parameters(), quick.parameters(), strict=True):
        assert (one.grad is None) == (two.grad is None), name
        if one.grad is not None and two.grad is not None:
            torch.testing.assert_close(one.grad, two.grad, rtol=1e-4, atol=1e-4, msg=name)


def test_units_that_count_differently_are_refused() -> None:
    _, quick = models()
    total = quick(lesson(1.0)).total
    with pytest.raises(RuntimeError, match="as a sum alone"):
        (total * torch.arange(8)).sum().backward()


def test_sprites_do_not_look_at_each_other() -> None:
    """However many steps the others of their group take."""
    _, quick = models()
    batch = lesson(0.0)
    with torch.inference_mode():
        together = quick(batch).total
        alone = [quick(Batch(*(one[row : row + 1] for one in batch if one is not None))).total for row in range(8)]
    torch.testing.assert_close(together, torch.cat(alone), rtol=1e-5, atol=1e-4)


def test_nothing_is_learnt_from_what_is_known() -> None:
    _, quick = models()
    batch = lesson(1.0)
    with torch.inference_mode():
        found = quick(batch._replace(known=batch.codes))
    assert math.isclose(float(found.total.abs().sum()), 0, abs_tol=1e-6)
