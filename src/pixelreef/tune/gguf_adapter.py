"""An adapter as a GGUF file, which llama.cpp puts on a base model while it runs.

    write_gguf_adapter(path, read_adapter(folder), Shape("llama", 30, 9, 3))

Names go from transformers' (`model.layers.0.self_attn.q_proj`) to llama.cpp's (`blk.0.attn_q.weight`) by the `gguf`
package's own table. llama.cpp keeps the rows of the query and key of some architectures in another order, because it
turns pairs of neighbours where transformers turns halves; the rows of B go the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pixelreef.core.files import replacing
from pixelreef.errors import InputError
from pixelreef.tune.adapter import Adapter, Reals

ARCHITECTURES: Mapping[str, str] = {"llama": "llama", "mistral": "llama", "qwen2": "qwen2", "qwen3": "qwen3"}
"""transformers' kind of a model → llama.cpp's. Others are not written: their layers may differ in ways not tried."""
_TURNED = frozenset({"llama"})


@dataclass(frozen=True)
class Shape:
    """What of a model decides how its adapter is written."""

    architecture: str
    """llama.cpp's."""
    blocks: int
    heads: int
    key_heads: int


def shape_from_config(config: Any) -> Shape | None:
    """From a configuration of transformers; None for a kind of model that is not known here."""
    architecture = ARCHITECTURES.get(str(config.model_type))
    if architecture is None:
        return None
    heads = int(config.num_attention_heads)
    return Shape(architecture, int(config.num_hidden_layers), heads, int(config.num_key_value_heads or heads))


def write_gguf_adapter(path: Path, adapter: Adapter, shape: Shape, name: str = "") -> Path:
    """Write the file, whole or not at all."""
    from gguf import GGUFType, GGUFWriter

    tensors = gguf_tensors(adapter, shape)
    with replacing(path) as part:
        writer = GGUFWriter(part, shape.architecture)
        writer.add_type(GGUFType.ADAPTER)
        writer.add_string("adapter.type", "lora")
        writer.add_float32("adapter.lora.alpha", adapter.alpha)
        if name:
            writer.add_name(name)
        for tensor, value in tensors.items():
            writer.add_tensor(tensor, value)
        try:
            writer.write_header_to_file()
            writer.write_kv_data_to_file()
            writer.write_tensors_to_file()
        finally:
            writer.close()
    return path


def gguf_tensors(adapter: Adapter, shape: Shape) -> dict[str, Reals]:
    """llama.cpp's name → matrix."""
    names = _names(shape)
    found = {}
    for layer, (a, b) in adapter.layers.items():
        name = names.get_name(layer)
        if name is None:
            raise InputError(f"layer {layer!r}", f"be one that llama.cpp knows in {shape.architecture}", "none")
        kind = layer.rpartition(".")[2]
        if shape.architecture in _TURNED and kind in ("q_proj", "k_proj"):
            b = turned(b, shape.heads if kind == "q_proj" else shape.key_heads)
        found[f"{name}.weight.lora_a"], found[f"{name}.weight.lora_b"] = a, np.ascontiguousarray(b)
    return found


def turned(rows: Reals, heads: int) -> Reals:
    """(out, …) with each head's rows in llama.cpp's order: the halves of a head interleaved.

    >>> turned(np.arange(8, dtype=np.float32)[:, None], 2)[:, 0].astype(int).tolist()
    [0, 2, 1, 3, 4, 6, 5, 7]
    """
    if rows.shape[0] % (2 * heads):
        raise InputError("rows of a head", f"be even in number, of {heads} heads", rows.shape[0])
    parted = rows.reshape(heads, 2, rows.shape[0] // heads // 2, *rows.shape[1:])
    return np.asarray(parted.swapaxes(1, 2).reshape(rows.shape))


def _names(shape: Shape) -> Any:
    from gguf import MODEL_ARCH_NAMES, get_tensor_name_map

    kind = next(kind for kind, name in MODEL_ARCH_NAMES.items() if name == shape.architecture)
    return get_tensor_name_map(kind, shape.blocks)
