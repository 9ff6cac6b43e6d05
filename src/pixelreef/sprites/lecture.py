"""A lecture: a corpus as a model is taught it. What is taught, what is held back, and the shape of the model.

    lecture = lecture_from_corpus(open_corpus("reef.parquet"), Recipe.of("reef"))
    lecture.config, lecture.taught.grids.shape, lecture.cells

Sprites of several sizes and palettes are brought to one, as taste does. A corpus with splits teaches `train`, and holds
back `validation`, or `test` where there is no other; of one without, whole groups are held back by seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.palette import Palette
from pixelreef.core.ramps import Ramps
from pixelreef.core.reef import ramps_of
from pixelreef.core.seeds import rng
from pixelreef.corpus.store import Corpus
from pixelreef.errors import InputError
from pixelreef.sprites.augment import Augmentation, augmentation
from pixelreef.sprites.config import Config
from pixelreef.sprites.recipe import Recipe
from pixelreef.sprites.scale import scaled_sizes
from pixelreef.taste.gather import sprites_from_corpus
from pixelreef.taste.samples import brought_to
from pixelreef.taste.sprites import Sprites

_PATCHES = (4, 5, 3, 6, 2, 7, 8, 1)  # of what divides a picture that can't be padded, the nearest to 4

Whole = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Material:
    """Sprites as a model takes them."""

    grids: NDArray[np.uint8]
    """(n, height, width)."""
    factors: Whole
    """(n, factors) places of values; the number of values where one is not known."""

    def __post_init__(self) -> None:
        if not len(self.grids):
            raise InputError("corpus", "hold sprites to learn from, and some to hold back", 0)


@dataclass(frozen=True, eq=False)
class Lecture:
    """All that a run needs to know of a corpus."""

    config: Config
    palette: Palette
    taught: Material
    held: Material
    augmentation: Augmentation
    facts: Mapping[str, Any]
    """Which corpus it is, as JSON values."""
    sprites: Sprites
    """Those taught, as taste looks at them."""
    held_sprites: Sprites
    notes: tuple[str, ...] = ()

    @cached_property
    def cells(self) -> Mapping[str, Whole]:
        """Cell → the (factors,) places that ask for it, of every cell that is taught, in the corpus' order."""
        return {cell: self.taught.factors[places[0]] for cell, places in self.sprites.by_cell.items() if len(places)}


def lecture_from_corpus(corpus: Corpus, recipe: Recipe, sizes: Mapping[str, int] | None = None) -> Lecture:
    """Read a corpus; `sizes` are those of a model to go on from, in place of the recipe's."""
    whole, held, how = _parted(corpus, recipe)
    palette = whole.palette
    sizes = sizes or recipe.model
    taught_grids, patch = whole_patches(whole.cells, palette.transparent, sizes.get("patch", Config.patch))
    held_grids, _ = whole_patches(held.cells, palette.transparent, patch)
    ramps = ramps_of(palette)
    labels = _labels(corpus, [whole.rows, held.rows])
    taught, apart = Material(taught_grids, labels[0]), Material(held_grids, labels[1])
    config = Config(
        height=taught_grids.shape[1],
        width=taught_grids.shape[2],
        colours=len(palette),
        ground=ground_of(palette, taught_grids),
        factors={name: tuple(values) for name, values in corpus.factors.items()},
        ramps=ramp_places(ramps),
        **{**sizes, "patch": patch},
    )
    if recipe.scaled and sizes is recipe.model:
        config = scaled_sizes(config, int((taught_grids != config.ground).sum()))
    safe = augmentation(
        taught_grids,
        labels[0],
        config.factors,
        ramps,
        flip=recipe.flip,
        exchange=recipe.ramps,
        shift=recipe.shift,
        ground=config.ground,
    )
    facts = {"corpus": corpus.hash, "taught": len(taught_grids), "held": len(held_grids), "split": how}
    whole, held = whole.changed(taught_grids), held.changed(held_grids)
    return Lecture(config, palette, taught, apart, safe, facts, whole, held, (*whole.notes, *safe.notes))


def _parted(corpus: Corpus, recipe: Recipe) -> tuple[Sprites, Sprites, str]:
    """What is taught, what is held back, of the same size and palette, and how they were parted."""
    train = corpus.select(split="train")
    if train.count:
        for split in ("validation", "test"):
            apart = corpus.select(split=split)
            if apart.count:
                taught = sprites_from_corpus(train, recipe.seed)
                return taught, brought_to(sprites_from_corpus(apart, recipe.seed), taught), split
    sprites = sprites_from_corpus(corpus, recipe.seed)
    held = held_back(sprites, recipe.held, recipe.seed)
    return sprites.at(np.flatnonzero(~held)), sprites.at(np.flatnonzero(held)), "by seed"


def held_back(sprites: Sprites, share: float, seed: int) -> NDArray[np.bool_]:
    """(N,): whole groups, about this share of every cell, of a cell of four at least one, and one in all."""
    if len(np.unique(sprites.group)) < 2:
        raise InputError("corpus", "have sprites of at least two groups, one to learn from and one to hold back", 1)
    order = rng(seed, "held").permutation(int(sprites.group.max()) + 1)[sprites.group]
    held = np.zeros(len(sprites), np.bool_)
    for places in sprites.by_cell.values():
        here = places[~held[places]]
        wanted = max(int(share * len(places)), len(places) // 4 > 0) - int(held[places].sum())
        first = here[np.argsort(order[here], kind="stable")][: max(wanted, 0)]
        held |= np.isin(sprites.group, sprites.group[first])
    if not held.any() or held.all():
        held = np.asarray(order == order.min())
    return held


def whole_patches(cells: NDArray[np.uint8], clear: int | None, patch: int) -> tuple[NDArray[np.uint8], int]:
    """Sprites (n, height, width) of whole patches, and the patch.

    They are padded with what is clear, or, where nothing is, the patch gives way.
    """
    height, width = cells.shape[1:]
    rows, columns = -height % patch, -width % patch
    if clear is None:
        return cells, next(one for one in (patch, *_PATCHES) if not (height % one or width % one))
    margins = ((0, 0), (rows // 2, rows - rows // 2), (columns // 2, columns - columns // 2))
    return np.pad(cells, margins, constant_values=clear), patch


def _labels(corpus: Corpus, chosen: list[NDArray[np.int64]]) -> list[Whole]:
    """For each choice of rows of the file, (n, factors) places of values; the number of values where there is none."""
    if not corpus.factors:
        return [np.zeros((len(rows), 0), np.intp) for rows in chosen]
    table = corpus.table(list(corpus.factors))
    columns = []
    for name, values in corpus.factors.items():
        places = {value: place for place, value in enumerate(values)}
        columns.append(np.array([places.get(value, len(values)) for value in table[name].to_pylist()], np.intp))
    every = np.stack(columns, axis=1)
    return [every[rows] for rows in chosen]


def ground_of(palette: Palette, grids: NDArray[np.uint8]) -> int:
    """The transparent colour, or the commonest."""
    return int(np.bincount(grids.ravel()).argmax()) if palette.transparent is None else palette.transparent


def ramp_places(ramps: Ramps) -> tuple[tuple[int, int], ...]:
    """(ramp, step) of each colour, from 1 on; (0, 0) of what is on no ramp."""
    return tuple((int(ramp) + 1, int(step) + 1) for ramp, step in zip(ramps.ramp_of, ramps.step_of, strict=True))
