"""The stage `proxy` of `taste corpus`: what a short training run of a smaller model makes of each cell.

    judge_corpus(sprites, [*STAGES, Proxy()])

A model of less than half a million parameters is trained at a reduced learning rate for some minutes, a few times over,
each time with other sprites held back, kin always on one side:

    bits       per pixel, that sprites cost which were held back
    seen       the same of as many that were taught
    marginal   bits per pixel by the shares of colours in the cell alone
    gain       the share of the marginal bits that the model saves: 0 nothing was learnt, 1 all told
    behind     how much less it saves than is usual in the corpus
    gap        bits less seen, against marginal: what was learnt by heart
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Cells
from pixelreef.core.ramps import ramps_from_palette
from pixelreef.core.seeds import derive, rng
from pixelreef.extras import require
from pixelreef.sprites.config import MAX_VALUES, Config
from pixelreef.sprites.lecture import Material, Whole, ground_of, held_back, ramp_places, whole_patches
from pixelreef.sprites.recipe import Recipe
from pixelreef.taste.evidence import NAN, Evidence, Figure, Gate
from pixelreef.taste.learner import marginal_bits
from pixelreef.taste.sprites import Sprites
from pixelreef.taste.stage import Progress
from pixelreef.taste.usual import mean_figure, usual

SIZES = {
    "trunk_width": 64,
    "trunk_layers": 2,
    "heads": 4,
    "pixel_width": 80,
    "pixel_layers": 2,
    "pixel_hidden": 160,
    "window": 5,
    "colour_width": 8,
    "shape_width": 48,
    "shape_layers": 2,
    "shape_heads": 3,
    "shape_row_width": 48,
    "shape_row_hidden": 96,
    "shape_window": 7,
}  # 0.4 M parameters for 64 colours
RATE = 1e-3  # half of a full run's: at reduced rates small models rank corpora as large ones do (2512.24503)
BATCH = 32
STEPS = 240  # of sprites of 32×32; fewer of larger ones
HELD = 0.2  # of each cell
TRIED = 24  # sprites of a cell, on either side
_PIXELS = 1024  # of 32×32
_STEP_SECONDS = 0.22  # of 32 sprites of 32×32, on two idle cores

Floats = NDArray[np.float64]
Bits = NDArray[np.bool_]


@dataclass(frozen=True)
class Proxy:
    """A short try at the real thing. `seconds` bounds it: a run that takes longer is cut, and its notes say so."""

    seeds: int = 2
    seconds: float = 170.0
    steps: int = STEPS

    name = "proxy"
    gates = (
        Gate("proxy_learnt", "proxy", "gain", bad="low", words="share of the bits that a short training run saves"),
        Gate("proxy_behind", "proxy", "behind", bad="high", words="saved less by it than in the other cells"),
        Gate("proxy_by_heart", "proxy", "gap", bad="high", words="what a short training run learns by heart"),
    )

    def cost(self, sprites: Sprites) -> float:
        """Importing torch, then steps in proportion to pixels; never more than the bound and what trying takes."""
        each = self._steps(sprites) * _STEP_SECONDS * sprites.pixels / _PIXELS
        return 5.0 + min(self.seconds, self.seeds * each) * 1.1

    def run(self, sprites: Sprites, seed: int, progress: Progress) -> Mapping[str, Evidence]:
        """Cell → evidence."""
        require("train", "torch")
        apart = replace(sprites, group=sprites.kin_of(np.arange(len(sprites))))
        tries = [
            _Try(self, apart, derive(seed, "proxy", number) >> 1, number, progress) for number in range(self.seeds)
        ]
        rows = [one.bits() for one in tries]
        cells = {cell: places for cell, places in sprites.by_cell.items() if len(places)}
        figures = {cell: _figures(rows, places, sprites.cells[places]) for cell, places in cells.items()}
        middle = usual([of["gain"].value for of in figures.values()])
        if math.isfinite(middle):
            figures = {cell: {**of, "behind": Figure(middle - of["gain"].value)} for cell, of in figures.items()}
        cut = any(one.cut for one in tries)
        return {cell: Evidence(len(cells[cell]), of, notes=_notes(of, cut)) for cell, of in figures.items()}

    def _steps(self, sprites: Sprites) -> int:
        return max(1, min(self.steps, self.steps * _PIXELS // sprites.pixels))


class _Try:
    """One training run, with some sprites held back."""

    def __init__(self, proxy: Proxy, sprites: Sprites, seed: int, number: int, progress: Progress) -> None:
        self.proxy, self.sprites, self.number, self.progress = proxy, sprites, number, progress
        self.held = held_back(sprites, HELD, seed)
        self.recipe = Recipe.of(
            None, model=SIZES, steps=proxy._steps(sprites), batch=BATCH, rate=RATE, warmup=20, memory=0.98, plain=1.0,
            untold=0.0, seed=seed,
        )  # fmt: skip
        self.cut = False

    def bits(self) -> tuple[Floats, Floats, Floats]:
        """(N,) each: unseen, seen and marginal bits per pixel; NaN where a sprite was not tried."""
        from pixelreef.sprites.train import fit, sprite_bits

        grids, factors, config = _material(self.sprites)
        self.began = time.monotonic()
        model = fit(Material(grids[~self.held], factors[~self.held]), config, self.recipe, self._hear)
        unseen, seen, marginal = (np.full(len(grids), NAN) for _ in range(3))
        for side, found in ((self.held, unseen), (~self.held, seen)):
            tried = self._tried(side)
            found[tried] = sprite_bits(model, Material(grids[tried], factors[tried]), config)
        scale = grids[0].size / self.sprites.pixels  # of padded pictures, whose margin costs next to nothing
        for places in self.sprites.by_cell.values():
            fitted = ~self.held[places]
            if fitted.any():
                cells = self.sprites.cells[places]
                marginal[places] = marginal_bits(cells, len(self.sprites.palette), fitted)
        return unseen * scale, seen * scale, np.where(np.isnan(unseen), NAN, marginal)

    def _tried(self, side: Bits) -> Whole:
        """Some sprites of every cell on one side."""
        random = rng(self.recipe.seed, "tried")
        some = [random.permutation(places[side[places]])[:TRIED] for places in self.sprites.by_cell.values()]
        return np.sort(np.concatenate(some))

    def _hear(self, step: int) -> bool:
        self.progress((self.number + step / self.recipe.steps) / self.proxy.seeds)
        late = time.monotonic() - self.began > self.proxy.seconds / self.proxy.seeds
        self.cut = late and step < self.recipe.steps
        return not late


def _material(sprites: Sprites) -> tuple[NDArray[np.uint8], Whole, Config]:
    """Grids, labels and the configuration of a proxy."""
    grids, patch = whole_patches(sprites.cells, sprites.palette.transparent, Config.patch)
    factors, labels = _factors(sprites)
    config = Config(
        height=grids.shape[1],
        width=grids.shape[2],
        colours=max(2, len(sprites.palette)),
        ground=ground_of(sprites.palette, grids),
        factors=factors,
        ramps=ramp_places(ramps_from_palette(sprites.palette)) if len(sprites.palette) > 1 else None,
        patch=patch,
        **SIZES,
    )
    return grids, labels, config


def _factors(sprites: Sprites) -> tuple[dict[str, tuple[str, ...]], Whole]:
    """The factors of the corpus where every cell's name tells them, else the cell; none where these are too many."""
    told = [sprites.values_of(cell) for cell in sprites.names]
    factors = {name: tuple(values) for name, values in sprites.factors.items()}
    if not all(told) or not factors:
        told = [{"cell": cell} for cell in sprites.names]
        factors = {"cell": sprites.names}
    if any(len(values) > MAX_VALUES for values in factors.values()):
        return {}, np.zeros((len(sprites), 0), np.intp)
    places = {name: {value: place for place, value in enumerate(values)} for name, values in factors.items()}
    by_cell = np.array([[places[name][one[name]] for name in factors] for one in told], np.intp)
    return factors, by_cell[sprites.cell]


def _figures(tries: list[tuple[Floats, Floats, Floats]], places: Whole, cells: Cells) -> dict[str, Figure]:
    unseen, seen, marginal = (np.concatenate([one[place][places] for one in tries]) for place in range(3))
    bits, by_colours = mean_figure(unseen), mean_figure(marginal)
    if not bits.known or not by_colours.known or cells.min() == cells.max():
        return {name: Figure(NAN) for name in ("bits", "seen", "marginal", "gain", "gap")}
    total = by_colours.value
    saved = mean_figure(1 - unseen / total)
    known = mean_figure(seen)
    return {
        "bits": bits,
        "seen": known,
        "marginal": by_colours,
        "gain": saved,
        "gap": Figure((bits.value - known.value) / total),
    }


def _notes(figures: Mapping[str, Figure], cut: bool) -> list[str]:
    if not figures["gain"].known:
        return ["There is nothing to try: no sprite could be held back, or there is one colour throughout."]
    told = (
        f"A short training run leaves {figures['bits'].value:.2f} of {figures['marginal'].value:.2f} bits a pixel on "
        f"sprites held back, and {figures['seen'].value:.2f} on sprites taught."
    )
    return [told, *(["It was cut short for time, so that another machine may find other figures."] if cut else [])]
