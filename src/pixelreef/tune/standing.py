"""A model with an adapter on its way: LoRA layers around a frozen model, and their optimiser.

What is kept of a run (`training`'s checkpoint) is the adapter and AdamW's two moments. Pairs, dropout and learning rate
follow from the seed and the step, so there is no other state.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import AdamW

from pixelreef.core.seeds import derive
from pixelreef.errors import InputError
from pixelreef.tune.recipe import Recipe

_KEPT = ("step", "exp_avg", "exp_avg_sq")


class Standing:
    """An adapter, its model and its optimiser."""

    def __init__(self, model: Any, recipe: Recipe, steps: int) -> None:
        self.adapted, self.recipe, self.steps = model, recipe, steps
        self.trained: dict[str, nn.Parameter] = {
            name: one for name, one in model.named_parameters() if one.requires_grad
        }
        self.optimiser = AdamW(self.trained.values(), lr=recipe.rate, weight_decay=recipe.decay)

    @property
    def parameters(self) -> int:
        """Numbers that are trained."""
        return sum(one.numel() for one in self.trained.values())

    def advance(self, step: int) -> None:
        """One step with the gradients at hand."""
        for group in self.optimiser.param_groups:
            group["lr"] = self.recipe.rate * rate_at(step, self.steps, self.recipe.warmup)
        nn.utils.clip_grad_norm_(self.trained.values(), self.recipe.clip)
        self.optimiser.step()
        self.optimiser.zero_grad()

    def tensors(self) -> dict[str, Tensor]:
        """Everything by name."""
        found = {f"model.{name}": one.detach() for name, one in self.trained.items()}
        for name, one in self.trained.items():
            found |= {f"{what}.{name}": value for what, value in self.optimiser.state.get(one, {}).items()}
        return found

    def take(self, tensors: Mapping[str, Tensor]) -> None:
        """Stand where the tensors say; KeyError or RuntimeError where they are not of this model."""
        for name, one in self.trained.items():
            with torch.no_grad():
                one.copy_(tensors[f"model.{name}"])
            kept = {what: tensors.get(f"{what}.{name}") for what in _KEPT}
            state = {what: value.clone().to(one.device) for what, value in kept.items() if value is not None}
            if state:  # before the first step there is none
                state["step"] = state["step"].cpu()
                self.optimiser.state[one] = state


def adapted(model: Any, recipe: Recipe) -> Any:
    """The model with fresh LoRA layers, decided by the recipe's seed; everything else is frozen."""
    from peft import LoraConfig, TaskType, get_peft_model

    alpha: Any = int(recipe.alpha) if recipe.alpha.is_integer() else recipe.alpha  # peft's own files have whole ones
    config = LoraConfig(
        task_type=TaskType.CAUSAL_LM,
        r=recipe.rank,
        lora_alpha=alpha,
        lora_dropout=recipe.dropout,
        target_modules=list(recipe.targets),
        bias="none",
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(derive(recipe.seed, "tune", "adapter") >> 1)
        try:
            return get_peft_model(model, config)
        except ValueError:
            linear = {name.rpartition(".")[2] for name, one in model.named_modules() if isinstance(one, nn.Linear)}
            raise InputError("targets", f"be among {', '.join(sorted(linear))}", recipe.targets) from None


def rate_at(step: int, steps: int, warmup: float) -> float:
    """The share of the highest rate: up in a line over the first steps, then down along a cosine to 0.

    >>> [round(rate_at(step, 10, 0.2), 2) for step in (0, 1, 2, 6, 9)]
    [0.5, 1.0, 1.0, 0.5, 0.04]
    """
    rising = math.ceil(warmup * steps)
    if step < rising:
        return (step + 1) / rising
    return 0.5 * (1 + math.cos(math.pi * (step - rising) / max(1, steps - rising)))
