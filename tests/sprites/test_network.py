from __future__ import annotations

import numpy as np
import pytest
import torch
from sprites.small_corpora import tiny, tiny_config
from torch import Tensor
from torch.nn import functional

from pixelreef.core.seeds import rng
from pixelreef.sprites.lecture import Material
from pixelreef.sprites.lessons import Lessons
from pixelreef.sprites.network import Reef
from pixelreef.sprites.train import deterministic

CONFIG = tiny_config(height=8, width=12, colours=8, factors={"kind": ("a", "b")})


class PlainReef(Reef):
    """Windows by one product of all their colours, `unknown` ones too."""

    def pixel_logits(self, states: Tensor, seen: Tensor) -> Tensor:
        around = self.window(functional.embedding(seen, self.colour_table()).flatten(2))
        inner = around + self.state(states)[:, None] * (1 + self.gain) + self.place
        for block in self.blocks:
            inner = block(inner)
        return torch.as_tensor(self.out(self.pixel_norm(inner)))


@pytest.mark.parametrize("plain", [0.0, 1.0])
def test_adding_up_known_pixels_alone_is_the_whole_window(plain: float) -> None:
    """Its value, and its gradients."""
    torch.manual_seed(0)
    slow, quick = PlainReef(CONFIG), Reef(CONFIG)
    for one in slow.parameters():
        torch.nn.init.normal_(one, std=0.2)
    quick.load_state_dict(slow.state_dict())
    grids = rng(0, "grids").integers(0, 8, (8, 8, 12)).astype(np.uint8)
    grids[:4, :4] = 0  # empty patches
    batch = Lessons(Material(grids, np.arange(8)[:, None] % 2), CONFIG, tiny(plain=plain)).at(1)
    with deterministic():
        left, right = slow(batch).total, quick(batch).total
        torch.testing.assert_close(left, right, rtol=1e-5, atol=1e-4)
        left.mean().backward()
        right.mean().backward()
    for (name, one), two in zip(slow.named_parameters(), quick.parameters(), strict=True):
        assert (one.grad is None) == (two.grad is None), name
        if one.grad is not None and two.grad is not None:
            torch.testing.assert_close(one.grad, two.grad, rtol=1e-4, atol=1e-4, msg=name)
