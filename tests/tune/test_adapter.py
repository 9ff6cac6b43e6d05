from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from pixelreef.core.seeds import rng
from pixelreef.errors import FileError
from pixelreef.tune.adapter import CONFIG, WEIGHTS, Reals, read_adapter, write_adapter

LAYER = "base_model.model.model.layers.0.self_attn.q_proj"


def written(folder: Path, **config: object) -> Path:
    arrays: dict[str, Reals] = {
        f"{LAYER}.lora_A.weight": rng(0, "a").normal(size=(4, 8)).astype(np.float32),
        f"{LAYER}.lora_B.weight": rng(0, "b").normal(size=(16, 4)).astype(np.float32),
    }
    return write_adapter(folder, arrays, {"peft_type": "LORA", "r": 4, "lora_alpha": 8, **config}, "# card\n")


def test_an_adapter_comes_back(tmp_path: Path) -> None:
    found = read_adapter(written(tmp_path))
    assert list(found.layers) == ["model.layers.0.self_attn.q_proj"]
    assert (found.rank, found.alpha, found.parameters) == (4, 8.0, 4 * 8 + 16 * 4)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["README.md", CONFIG, WEIGHTS]


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"peft_type": "IA3"}, "be LoRA"),
        ({"r": "4"}, "say its rank and alpha"),
        ({"r": 5}, "have the rank 5"),
        ({"lora_alpha": None}, "say its rank and alpha"),
    ],
)
def test_a_configuration_that_is_wrong_is_one_line(tmp_path: Path, config: dict[str, object], told: str) -> None:
    with pytest.raises(FileError, match=told) as caught:
        read_adapter(written(tmp_path, **config))
    assert "\n" not in str(caught.value)


def test_weights_that_are_cut_or_strange_are_one_line(tmp_path: Path) -> None:
    path = written(tmp_path) / WEIGHTS
    whole = path.read_bytes()
    for data, told in (
        (whole[:-5], "be a whole safetensors file"),
        (b"", "be a whole safetensors file"),
        (whole.replace(b"lora_A", b"lora_X"), "hold LoRA matrices alone"),
        (whole.replace(b"lora_A", b"lora_B"), "safetensors|hold both"),
    ):
        path.write_bytes(data)
        with pytest.raises(FileError, match=told) as caught:
            read_adapter(tmp_path)
        assert "\n" not in str(caught.value)
    path.unlink()
    with pytest.raises(FileError, match="must exist"):
        read_adapter(tmp_path)


def test_numbers_that_are_none_are_refused(tmp_path: Path) -> None:
    written(tmp_path)
    arrays = {f"{LAYER}.lora_A.weight": np.full((4, 8), np.nan, np.float32)}
    write_adapter(tmp_path, arrays, json.loads((tmp_path / CONFIG).read_text()), "")
    with pytest.raises(FileError, match="be finite numbers"):
        read_adapter(tmp_path)
