"""The adapter as llama.cpp runs it, against the same adapter in transformers."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from tune.gguf_models import gguf_from_folder, neighbours
from tune.small_models import four_pairs, tiny_model

from pixelreef.core.seeds import rng
from pixelreef.errors import InputError
from pixelreef.runs.server import LocalServer, ServerSettings, local_from_name
from pixelreef.tune.adapter import Adapter, read_adapter, write_adapter
from pixelreef.tune.base import find_base, load_model, load_tokeniser
from pixelreef.tune.gguf_adapter import Shape, gguf_tensors, shape_from_config, turned, write_gguf_adapter
from pixelreef.tune.recipe import Recipe
from pixelreef.tune.standing import adapted

TARGETS = ["q_proj", "k_proj", "v_proj", "o_proj", "down_proj"]


def test_rows_of_a_head_are_interleaved_as_one_row_at_a_time_would_be() -> None:
    rows = rng(0, "rows").normal(size=(48, 5)).astype(np.float32)
    for heads in (1, 2, 3, 6):
        assert np.array_equal(turned(rows, heads), neighbours(rows, heads))
    with pytest.raises(InputError, match="be even in number"):
        turned(rows, 5)


def test_names_and_metadata_are_llama_cpp_s(tmp_path: Path) -> None:
    from gguf import GGUFReader

    a, b = (rng(0, side).normal(size=shape).astype(np.float32) for side, shape in (("a", (4, 16)), ("b", (16, 4))))
    adapter = Adapter({"model.layers.1.self_attn.v_proj": (a, b)}, 4, 8.0)
    path = write_gguf_adapter(tmp_path / "a.gguf", adapter, Shape("qwen3", 2, 4, 2), "x")
    reader = GGUFReader(path)
    said = {name: reader.fields[name].contents() for name in reader.fields if not name.startswith("GGUF.")}
    assert said["general.type"] == "adapter"
    assert said["general.architecture"] == "qwen3"
    assert (said["adapter.type"], said["adapter.lora.alpha"]) == ("lora", 8.0)
    found = {one.name: np.array(one.data) for one in reader.tensors}
    assert sorted(found) == ["blk.1.attn_v.weight.lora_a", "blk.1.attn_v.weight.lora_b"]
    assert np.array_equal(found["blk.1.attn_v.weight.lora_a"], a)
    assert np.array_equal(found["blk.1.attn_v.weight.lora_b"], b)
    assert [path.name for path in tmp_path.iterdir()] == ["a.gguf"]


def test_layers_and_models_that_llama_cpp_does_not_know_are_said(tmp_path: Path) -> None:
    empty = np.zeros((1, 1), np.float32)
    with pytest.raises(InputError, match=r"be one that llama\.cpp knows in qwen3"):
        gguf_tensors(Adapter({"model.walls": (empty, empty)}, 1, 1.0), Shape("qwen3", 2, 4, 2))
    assert shape_from_config(SimpleNamespace(model_type="mamba")) is None


def loud_adapter(folder: Path, model: Any) -> Path:
    """An adapter whose two matrices are both far from 0, so that a wrong row shows."""
    from peft import get_peft_model_state_dict

    names = get_peft_model_state_dict(model)
    arrays = {name: rng(1, name).normal(0, 0.3, tuple(value.shape)).astype(np.float32) for name, value in names.items()}
    config = {"peft_type": "LORA", "r": 4, "lora_alpha": 8, "target_modules": TARGETS, "task_type": "CAUSAL_LM"}
    return write_adapter(folder, arrays, config, "")


def first_odds(server: LocalServer, prompt: list[int]) -> dict[int, float]:
    """Token → log p of the likeliest next ones, by llama.cpp."""
    body = {"prompt": prompt, "n_predict": 1, "temperature": 0.0, "n_probs": 20, "cache_prompt": False}
    request = urllib.request.Request(f"{server.address}/completion", json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=60) as answer:
        found = json.load(answer)["completion_probabilities"][0]["top_logprobs"]
    return {int(one["id"]): float(one["logprob"]) for one in found}


@pytest.mark.parametrize("kind", ["qwen3", "llama"])
def test_llama_cpp_gives_the_odds_that_transformers_gives(kind: str, tmp_path: Path) -> None:
    """Base and adapter, on a whole prompt: names, the order of rows, alpha and rank are right together."""
    pytest.importorskip("xllamacpp")
    from peft import PeftModel

    base = find_base(str(tiny_model(tmp_path / "tiny", kind)))
    model = load_model(base)
    shape = shape_from_config(model.config)
    assert shape is not None
    file = gguf_from_folder(tmp_path / "tiny", tmp_path / "tiny.gguf")
    pair = load_tokeniser(base).tokenised(four_pairs()[0])
    prompt = pair.ids[: pair.start + 40].tolist()
    plain = odds_by_torch(model, prompt)
    fresh = adapted(load_model(base), Recipe.of(None, rank=4, alpha=8, targets=TARGETS))
    folder = loud_adapter(tmp_path / "adapter", fresh)
    write_gguf_adapter(tmp_path / "adapter.gguf", read_adapter(folder), shape)
    tuned = odds_by_torch(PeftModel.from_pretrained(model, folder), prompt)
    assert float(np.abs(tuned - plain).max()) > 0.1
    for name, wanted in ((f"local/{file}", plain), (f"local/{file}+{tmp_path / 'adapter.gguf'}", tuned)):
        settings = ServerSettings(context=2048, log=tmp_path / "server.log")
        with LocalServer(local_from_name(name), settings) as server:
            found = first_odds(server, prompt)
        assert len(found) == 20
        assert [found[token] for token in found] == pytest.approx(
            [wanted[token] for token in found], abs=0.02
        )  # it keeps keys and values in float16
        assert max(found, key=lambda token: found[token]) == int(wanted.argmax())


def odds_by_torch(model: Any, prompt: list[int]) -> Any:
    with torch.no_grad():
        logits = model(input_ids=torch.tensor([prompt])).logits[0, -1]
    return logits.double().log_softmax(dim=0).numpy()


@pytest.mark.parametrize("damage", ["cut", "empty", "a model"])
def test_an_adapter_that_is_no_adapter_is_one_line(damage: str, tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    file = gguf_from_folder(tiny_model(tmp_path / "tiny"), tmp_path / "tiny.gguf")
    bad = tmp_path / "bad.gguf"
    bad.write_bytes({"cut": file.read_bytes()[:3000], "empty": b"GGUF", "a model": file.read_bytes()}[damage])
    settings = ServerSettings(context=512, log=tmp_path / "server.log")
    with (
        pytest.raises(InputError, match=r"be served by llama\.cpp") as caught,
        LocalServer(local_from_name(f"local/{file}+{bad}"), settings),
    ):
        pass
    assert "\n" not in str(caught.value)
