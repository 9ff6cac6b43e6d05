"""How well the shipped labeller of parts does on sprites of the reef of other sizes than those it was fitted on.

python experiments/parts_by_size.py [SIZE …]
"""

from __future__ import annotations

import sys

from pixelreef.corpus.reef.make import make_reef
from pixelreef.sprites.parts.fit import accuracy
from pixelreef.sprites.parts.labeller import labeller_from

SEED, EACH = 7, 4  # the labeller was fitted on seed 0


def main() -> None:
    labeller = labeller_from(None)
    for size in map(int, sys.argv[1:] or (16, 24, 32, 48, 64)):
        found = accuracy(labeller, make_reef(SEED, EACH, size=size))
        print(
            f"{size}: {found.told:.0%} told, {found.unsure_share:.0%} unsure, of the sure {found.sure:.0%}", flush=True
        )


if __name__ == "__main__":
    main()
