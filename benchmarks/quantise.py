"""Quantising 1,000 RGBA sprites of 32×32 to the 64-entry reef palette, against Pillow's own `quantize`, in one run."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import numpy as np
from PIL import Image

from pixelreef.core import quantise, reef_palette


def best_of(repeats: int, work: Callable[[], object]) -> float:
    seconds = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def main() -> None:
    sprites = np.random.default_rng(0).integers(0, 256, (1000, 32, 32, 4), dtype=np.uint8)
    palette = reef_palette()
    holder = Image.new("P", (1, 1))
    holder.putpalette(palette.rgb[1:].tobytes())

    def pillow(dither: Image.Dither) -> Callable[[], object]:
        return lambda: [Image.fromarray(one[..., :3]).quantize(palette=holder, dither=dither) for one in sprites]

    ours, dithered = (
        best_of(5, lambda: quantise(sprites, palette)),
        best_of(5, lambda: quantise(sprites, palette, True)),
    )
    theirs, diffused = best_of(5, pillow(Image.Dither.NONE)), best_of(5, pillow(Image.Dither.FLOYDSTEINBERG))
    figures = {
        "benchmark": "quantise 1,000 sprites of 32×32 to 64 colours",
        "ours_s": round(ours, 3),
        "pillow_nearest_s": round(theirs, 3),
        "ratio_pillow_over_ours": round(theirs / ours, 2),
        "ours_dithered_s": round(dithered, 3),
        "pillow_floyd_steinberg_s": round(diffused, 3),
        "ratio_dithered": round(diffused / dithered, 2),
    }
    print(json.dumps(figures, ensure_ascii=False))


if __name__ == "__main__":
    main()
