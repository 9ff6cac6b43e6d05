"""Where a training run stands: weights, their running mean, the optimisers; and its file, whole or not at all.

The file is safetensors in float32 with the number of the next step. Nothing else is needed: lessons follow from the
seed and the step, the learning rate from the step. No pickle. Dense layers may be Muon's; everything else is AdamW's.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import AdamW, Optimizer

from pixelreef.core.files import replacing
from pixelreef.core.strict_json import json_from_bytes
from pixelreef.errors import FileError
from pixelreef.sprites.muon import Muon
from pixelreef.sprites.recipe import Recipe

FORMAT = "pixelreef-checkpoint"
NAME = "checkpoint.safetensors"
MAX_BYTES = 2**30  # of 20 M parameters, four times in float32, and room

Facts = Mapping[str, Any]


@dataclass(frozen=True)
class Place:
    """How far a run has come."""

    step: int
    """The next one."""
    seconds: float
    """Spent so far, over all sittings."""


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
                group["lr"] = rate

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
    dense = [one for name, one in model.named_parameters() if one.ndim == 2 and name.endswith(".weight")]
    known = {id(one) for one in dense}
    others = [one for one in model.parameters() if id(one) not in known]
    free = {"params": others, "weight_decay": 0.0}
    if recipe.optimiser == "muon":
        muon = Muon(dense, recipe.rate, recipe.decay)
        return [muon, AdamW([free], lr=recipe.rate, betas=(0.9, 0.95), fused=True)]
    groups = [{"params": dense, "weight_decay": recipe.decay}, free]
    return [AdamW(groups, lr=recipe.rate, betas=(0.9, 0.95), fused=True)]


def save_checkpoint(folder: Path, place: Place, facts: Facts, standing: Standing) -> Path:
    """Write where a run stands; `facts` say which run it is."""
    from safetensors.torch import save_file

    document = {"step": place.step, "seconds": place.seconds, "facts": facts}
    tensors = {name: value.detach().cpu().contiguous() for name, value in standing.tensors().items()}
    with replacing(folder / NAME) as part:
        save_file(tensors, part, {FORMAT: json.dumps(document, sort_keys=True)})
    return folder / NAME


def load_checkpoint(folder: Path, facts: Facts, standing: Standing) -> Place:
    """Take up a run where it stands; at the start when there is no checkpoint yet."""
    path = folder / NAME
    if not path.exists():
        return Place(0, 0.0)
    what = f"checkpoint {str(path)!r}"
    document, tensors = _read(path, what)
    if document.get("facts") != json.loads(json.dumps(facts)):
        todo = "Give a new folder, or the options that the run was begun with."
        raise FileError(what, "be of this corpus and recipe", "another", todo, verbatim=True)
    try:
        place = Place(int(document["step"]), float(document["seconds"]))
        standing.take(tensors)
    except (KeyError, RuntimeError, TypeError, ValueError) as error:
        raise FileError(what, "hold the arrays of this model", str(error)) from None
    return place


def _read(path: Path, what: str) -> tuple[dict[str, Any], dict[str, Tensor]]:
    from safetensors import SafetensorError, safe_open

    if (size := os.path.getsize(path)) > MAX_BYTES:
        raise FileError(what, f"be at most {MAX_BYTES:,} bytes", size)
    try:
        with safe_open(path, "pt") as file:
            text = (file.metadata() or {}).get(FORMAT, "{}")
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  (no mapping)
    except (SafetensorError, OSError) as error:
        raise FileError(what, "be a whole checkpoint", str(error)) from None
    document = json_from_bytes(text.encode(), what)
    return (document if isinstance(document, dict) else {}), tensors
