"""A checkpoint: where a training run stands, in one safetensors file, whole or not at all.

It holds the weights, their running mean and the optimiser's two moments, in float32, and the number of the next step.
Nothing else is needed: lessons follow from the seed and the step. No pickle.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from pixelreef.core.files import replacing
from pixelreef.errors import FileError

FORMAT = "pixelreef-checkpoint"
NAME = "checkpoint.safetensors"
_MOMENTS = ("exp_avg", "exp_avg_sq")


def save_checkpoint(
    folder: Path, step: int, facts: dict[str, Any], model: nn.Module, mean: dict[str, Tensor], optimiser: Any
) -> Path:
    """Write where the run stands before `step`; `facts` say which run it is."""
    from safetensors.torch import save_file

    tensors = {f"model.{name}": value for name, value in model.state_dict().items()}
    tensors |= {f"mean.{name}": value for name, value in mean.items()}
    for name, parameter in model.named_parameters():
        state = optimiser.state.get(parameter, {})
        tensors |= {f"{moment}.{name}": state[moment] for moment in _MOMENTS if moment in state}
    metadata = {FORMAT: json.dumps({"step": step, "facts": facts}, sort_keys=True)}
    path = folder / NAME
    with replacing(path) as part:
        save_file({name: value.detach().clone().contiguous() for name, value in tensors.items()}, part, metadata)
    return path


def load_checkpoint(
    folder: Path, facts: dict[str, Any], model: nn.Module, mean: dict[str, Tensor], optimiser: Any
) -> int:
    """Take up a run where it stands; the next step, 0 when there is no checkpoint yet."""
    from safetensors import SafetensorError, safe_open

    path = folder / NAME
    if not path.exists():
        return 0
    what = f"checkpoint {str(path)!r}"
    try:
        with safe_open(path, "pt") as file:
            told = json.loads((file.metadata() or {}).get(FORMAT, "{}"))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  (no mapping)
    except (SafetensorError, OSError, ValueError) as error:
        raise FileError(what, "be a whole checkpoint", str(error)) from None
    if told.get("facts") != facts:
        raise FileError(what, "be of this corpus and recipe", "another", "Give a new folder.", verbatim=True)
    _load(model, mean, optimiser, tensors, int(told["step"]), what)
    return int(told["step"])


def _load(
    model: nn.Module, mean: dict[str, Tensor], optimiser: Any, tensors: dict[str, Tensor], step: int, what: str
) -> None:
    try:
        model.load_state_dict({name: tensors[f"model.{name}"] for name in model.state_dict()})
        for name, value in mean.items():
            value.copy_(tensors[f"mean.{name}"])
        for name, parameter in model.named_parameters():
            if f"exp_avg.{name}" in tensors:
                moments = {moment: tensors[f"{moment}.{name}"].clone() for moment in _MOMENTS}
                optimiser.state[parameter] = {"step": torch.tensor(float(step)), **moments}
    except (KeyError, RuntimeError) as error:
        raise FileError(what, "hold the arrays of this model", str(error)) from None
