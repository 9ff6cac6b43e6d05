"""A sprite model on its way: weights, their running mean, the optimisers.

Lessons follow from the seed and the step, the learning rate from the step: what is kept of a run (`training`'s
checkpoint) is these tensors. Dense layers may be Muon's; everything else is AdamW's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import AdamW, Optimizer

from pixelreef.sprites.muon import Muon
from pixelreef.sprites.recipe import Recipe


class Standing:
    """A model on its way."""

    def __init__(self, model: nn.Module, recipe: Recipe) -> None:
        self.model, self.recipe = model, recipe
        self.mean = {name: value.detach().clone() for name, value in model.state_dict().items()}
        self.optimisers = optimisers(model, recipe)

    def schedule(self, step: int) -> None:
        """The learning rate: up over the first steps, then down in a straight line to a hundredth."""
        recipe = self.recipe
        rate = recipe.rate * min(1.0, (step + 1) / max(recipe.warmup, 1)) * max(0.01, 1 - step / recipe.steps)
        for optimiser in self.optimisers:
            for group in optimiser.param_groups:
                group["lr"] = rate * group.get("haste", 1.0)

    @torch.no_grad()
    def advance(self, step: int) -> None:
        """One step of the optimisers with the gradients at hand, and of the running mean."""
        for optimiser in self.optimisers:
            optimiser.step()
        self.model.zero_grad()
        share = min(self.recipe.memory, (1 + step) / (10 + step))
        for name, value in self.model.state_dict().items():
            self.mean[name].lerp_(value, 1 - share)

    def tensors(self) -> dict[str, Tensor]:
        """Everything by name."""
        found = {f"model.{name}": value for name, value in self.model.state_dict().items()}
        found |= {f"mean.{name}": value for name, value in self.mean.items()}
        for name, parameter in self.model.named_parameters():
            for optimiser in self.optimisers:
                for what, value in optimiser.state.get(parameter, {}).items():
                    found[f"{what}.{name}"] = value
        return found

    def take(self, tensors: Mapping[str, Tensor]) -> None:
        """Stand where the tensors say; KeyError or RuntimeError where they are not of this model."""
        self.model.load_state_dict({name: tensors[f"model.{name}"] for name in self.model.state_dict()})
        for name, value in self.mean.items():
            value.copy_(tensors[f"mean.{name}"])
        owner = {id(one): by for by in self.optimisers for group in by.param_groups for one in group["params"]}
        for name, parameter in self.model.named_parameters():
            kept = {what: tensors.get(f"{what}.{name}") for what in _KEPT}
            state = {what: value.clone().to(parameter.device) for what, value in kept.items() if value is not None}
            if state:  # one that has had no gradient yet has none
                owner[id(parameter)].state[parameter] = state


_KEPT = ("step", "exp_avg", "exp_avg_sq", "momentum_buffer")  # AdamW's, then Muon's


def optimisers(model: nn.Module, recipe: Recipe) -> list[Optimizer]:
    """AdamW, with Muon in front of it for dense layers where the recipe says so."""
    dense: list[nn.Parameter] = []
    told: list[nn.Parameter] = []
    others: list[nn.Parameter] = []
    for name, one in model.named_parameters():
        kind = dense if one.ndim == 2 and name.endswith(".weight") else told if "factors" in name.split(".") else others
        kind.append(one)
    free: list[dict[str, Any]] = [{"params": others, "weight_decay": 0.0}]
    if told:
        free.append({"params": told, "weight_decay": 0.0, "haste": recipe.haste})
    if recipe.optimiser == "muon":
        muon = Muon(dense, recipe.rate, recipe.decay)
        return [muon, AdamW(free, lr=recipe.rate, betas=(0.9, 0.95), fused=True)]
    groups = [{"params": dense, "weight_decay": recipe.decay}, *free]
    return [AdamW(groups, lr=recipe.rate, betas=(0.9, 0.95), fused=True)]
