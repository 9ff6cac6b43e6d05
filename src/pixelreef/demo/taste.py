"""Taste's part of the demo: a corpus of thirty cells, one of them filled with photographs, and the board that tells.

Photographs brought to a palette are what a crawl brings home for want of sprites. A model learns their noise while its
loss falls; here the cell is found before any model is trained.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pixelreef.core.seeds import rng
from pixelreef.corpus.cells import CELLS, REEF_FACTORS
from pixelreef.corpus.reef.make import make_reef
from pixelreef.report import Section
from pixelreef.taste.census import Census
from pixelreef.taste.faults import Material, faults
from pixelreef.taste.gather import sprites_from_entries
from pixelreef.taste.judge import judge_corpus
from pixelreef.taste.learnability import Learnability
from pixelreef.taste.report import board_section
from pixelreef.taste.sprites import Sprites
from pixelreef.taste.texture import Texture

PER_CELL = 50
FAULT = "photographs"
_WORDS = (
    "{n:,} sprites in thirty cells, as they would be taken to train a model; into one cell photographs were planted, "
    "brought to the palette. Every cell is asked: do its sprites differ, are their pixels drawn, "
    "can what they have in common be learnt? (Labels are asked about from 200 sprites of a cell on.) Choose a cell to "
    "see what its verdict rests on."
)


@dataclass(frozen=True)
class TasteBoard:
    """A section for the page, the cell that was planted, and those that failed."""

    section: Section
    planted: str
    failed: Sequence[str]


def taste_board(seed: int = 0) -> TasteBoard:
    """Make a corpus, spoil a cell of it, and judge all."""
    planted = CELLS[int(rng(seed, "demo", "planted").integers(len(CELLS)))]
    sprites = _spoilt(sprites_from_entries(list(make_reef(seed, PER_CELL)), REEF_FACTORS), planted, seed)
    judged = judge_corpus(sprites, [Census(), Texture(), Learnability()], seed=seed)
    section = replace(
        board_section(judged),
        id="taste",
        title="One bad cell, found before training",
        words=_WORDS.format(n=len(sprites)),
    )
    return TasteBoard(section, planted, judged.failed)


def _spoilt(sprites: Sprites, cell: str, seed: int) -> Sprites:
    places, fault = sprites.of(cell), faults()[FAULT]
    good = sprites.cells[places]
    cells = sprites.cells.copy()
    cells[places] = fault.spoilt(Material(good, good, good, sprites.palette), fault.full, rng(seed, "demo", FAULT))
    return sprites.changed(cells)
