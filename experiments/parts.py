"""Fits the labeller of parts on a corpus whose sprites know theirs, and prints how well it does on sprites held back.

    python experiments/parts.py CORPUS [--each 80] [--rounds 15] [--out FILE]

Without --out nothing is written. The shipped labeller: a reef of seed 0, the defaults, --out
src/pixelreef/sprites/weights/parts.safetensors.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from pixelreef.corpus.store import open_corpus
from pixelreef.sprites.parts.fit import fit
from pixelreef.sprites.parts.labeller import write_labeller


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--each", type=int, default=80)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    began = time.perf_counter()
    labeller = fit(open_corpus(given.corpus), given.each, rounds=given.rounds)
    print(json.dumps({"seconds": round(time.perf_counter() - began, 1), **labeller.facts}, indent=2))
    if given.out:
        write_labeller(given.out, labeller)


if __name__ == "__main__":
    main()
