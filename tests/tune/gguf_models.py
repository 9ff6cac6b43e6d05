"""A tiny model of transformers as a GGUF file in float32, with its tokenizer, so that llama.cpp can run it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


def gguf_from_folder(folder: Path, path: Path) -> Path:
    """Of the kinds `llama` and `qwen3`."""
    from gguf import MODEL_ARCH_NAMES, GGUFWriter, TokenType, get_tensor_name_map
    from safetensors.numpy import load_file

    config = json.loads((folder / "config.json").read_text())
    kind, heads, key_heads = config["model_type"], config["num_attention_heads"], config["num_key_value_heads"]
    names = get_tensor_name_map(
        next(one for one, name in MODEL_ARCH_NAMES.items() if name == kind), config["num_hidden_layers"]
    )
    writer = GGUFWriter(path, kind)
    writer.add_name("tiny")
    writer.add_context_length(4096)
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(heads)
    writer.add_head_count_kv(key_heads)
    writer.add_key_length(config["head_dim"])
    writer.add_value_length(config["head_dim"])
    writer.add_rope_dimension_count(config["head_dim"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_freq_base(rope_base(config))
    tokens = json.loads((folder / "tokenizer.json").read_text())
    words = dict(tokens["model"]["vocab"])
    special = {one["content"] for one in tokens["added_tokens"]}
    ordered = sorted(words, key=lambda word: words[word])
    merges = [one if isinstance(one, str) else " ".join(one) for one in tokens["model"]["merges"]]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")  # digits apart, then GPT-2's own rule: as the tiny tokenizer does it
    writer.add_token_list(ordered)
    writer.add_token_types([TokenType.CONTROL if word in special else TokenType.NORMAL for word in ordered])
    writer.add_token_merges(merges)
    writer.add_eos_token_id(config["eos_token_id"])
    writer.add_add_bos_token(False)
    for name, value in load_file(folder / "model.safetensors").items():
        layer, _, of = name.rpartition(".")
        plain = np.asarray(value, np.float32)
        if kind == "llama" and layer.endswith(("q_proj", "k_proj")):
            plain = neighbours(plain, heads if layer.endswith("q_proj") else key_heads)
        writer.add_tensor(f"{names.get_name(layer)}.{of}", np.ascontiguousarray(plain))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def rope_base(config: dict[str, Any]) -> float:
    return float(config.get("rope_theta") or config.get("rope_parameters", {}).get("rope_theta", 10_000.0))


def neighbours(rows: NDArray[np.float32], heads: int) -> NDArray[np.float32]:
    """Rows of each head so that what was half a head apart stands side by side; one row at a time."""
    each = len(rows) // heads
    order = [head * each + half * each // 2 + at for head in range(heads) for at in range(each // 2) for half in (0, 1)]
    return rows[order]
