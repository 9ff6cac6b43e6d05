"""Puts the weights of a training run into the package, judged anew with the default settings of today.

    python experiments/ship.py RUN CORPUS

RUN is the folder of a run on CORPUS. The first samples of every cell are drawn as the run's recipe says, none left
out; their verdicts replace those that the run noted when it ended. Prints the card.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import replace
from pathlib import Path

from pixelreef.corpus.store import open_corpus
from pixelreef.sprites import weights as room
from pixelreef.sprites.card import card_from_weights
from pixelreef.sprites.choose import Sampling
from pixelreef.sprites.drawn import Copies, draw_cells, engine_draw, judged
from pixelreef.sprites.lecture import lecture_from_corpus
from pixelreef.sprites.recipe import Recipe
from pixelreef.sprites.weights import weights_from, write_weights
from pixelreef.taste.calibration import shipped_calibration

SHIPPED = Path(room.__file__).parent / "weights" / "reef.safetensors"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("run", type=Path)
    parser.add_argument("corpus", type=Path)
    given = parser.parse_args()
    kept = weights_from(given.run)
    recipe = Recipe.of(None, **kept.facts["recipe"])
    lecture = lecture_from_corpus(open_corpus(given.corpus), recipe)
    samples = draw_cells(lecture, engine_draw(kept.config, kept.arrays), recipe.judged, recipe.seed)
    verdicts = {cell: verdict.word for cell, verdict in judged(lecture, samples, recipe.seed).cells.items()}
    facts = {
        **kept.facts,
        "verdicts": verdicts,
        "judged": recipe.judged,
        "copied": Copies(lecture).share(samples),
        "calibration": shipped_calibration().hash,
        "sampling": Sampling().document(),
    }
    shipped = replace(kept, facts=facts)
    write_weights(SHIPPED, shipped)
    print(card_from_weights(shipped))
    print(Counter(verdicts.values()))


if __name__ == "__main__":
    main()
