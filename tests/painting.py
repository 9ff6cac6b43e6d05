"""Runs of `masks` against the loopback server; as a program: `python painting.py OUT ADDRESS COUNT`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.render import png_from_rgba
from pixelreef.masks.asked import Asked
from pixelreef.masks.find import find_dataset
from pixelreef.masks.render import rgb_from_labels
from pixelreef.masks.shuffle import shuffled
from pixelreef.runs.run import Patience

GOOGLE, CHAT, EDIT = "google/gemini-3-pro-image-preview", "openai/gpt-5", "openai/gpt-image-1"
SIZE = 64
Answers = dict[bytes, tuple[str, NDArray[np.uint8]]]


def answers(kinds: tuple[str, ...], shuffle: int = 0) -> Answers:
    """The photographs of `reef-parts`, each to be answered in its way, in the colours of a shuffle."""
    parts = find_dataset("reef-parts", SIZE)
    classes = shuffled(parts.classes, 0, shuffle)
    found: Answers = {}
    for kind, item in zip(kinds, parts.items(None, len(kinds), 0).items, strict=True):
        photograph, truth = item.read()
        found[png_from_rgba(photograph)] = (kind, rgb_from_labels(truth, classes))
    return found


def model_args(address: str) -> dict[str, dict[str, Any]]:
    openai = {"base_url": f"{address}/v1", "api_key": "none", "max_retries": 0}
    return {GOOGLE: {"base_url": address, "api_key": "none"}, CHAT: openai, EDIT: openai}


def run(out: Path, address: str, models: list[str], n: int, seconds: int = 60, **options: Any) -> Any:
    from pixelreef.masks.run import run_masks

    fields = {name: options.pop(name) for name in list(options) if name in Asked.model_fields}
    return run_masks(
        Asked.of(None, models=models, dataset="reef-parts", n=n, size=SIZE, **fields),
        out,
        patience=Patience(http_retries=0, call_seconds=seconds, sample_retries=0, connections=4),
        model_args=model_args(address),
        note=lambda line: None,
        **{"cache": False, **options},
    )


if __name__ == "__main__":
    done = run(Path(sys.argv[1]), sys.argv[2], [EDIT], int(sys.argv[3]))
    print(done.result.complete, done.result.replies)
