"""The stage `learnability`: can what a cell's sprites have in common be learnt? By counting, in seconds, without torch.

Some sprites of a cell are counted over by `learner` and the others tried, kin always on one side, several times over:

    unseen     bits per pixel that sprites cost which were not counted over
    seen       the same of those that were
    marginal   bits per pixel by the shares of colours alone
    gain       the share of the marginal bits that the learner saves on unseen sprites: 0 nothing to learn, 1 all told
    behind     how much less it saves than is usual in the corpus
    gap        unseen less seen, against marginal: what can only be learnt by heart
    slope      what the gain grew by when twice as many sprites were counted over
    forecast   the gain to be expected of all sprites of the cell, on the line through the last two
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Cells
from pixelreef.core.seeds import rng
from pixelreef.taste.evidence import NAN, Evidence, Figure, Gate
from pixelreef.taste.learner import Counts, learn, marginal_bits
from pixelreef.taste.sprites import Places, Sprites
from pixelreef.taste.stage import Progress
from pixelreef.taste.usual import mean_figure, usual

MOST = 128  # sprites of a cell that are looked at: beyond, the order of cells changes little and the price a lot
FEWEST = 4  # sprites: a half of a half is still one
ROUNDS = 2  # times that a cell is halved; each half is tried once a round
_MOST_PIXELS = 2**17  # of these sprites together: 32 of 64×64
_FIGURES = ("unseen", "seen", "marginal", "gain", "gap", "slope", "forecast")

Floats = NDArray[np.float64]
Bits = NDArray[np.bool_]


class Learnability:
    """A short, honest try at learning each cell."""

    name = "learnability"
    gates = (
        Gate("learnable", "learnability", "gain", bad="low", words="share of the bits that can be learnt"),
        Gate("behind", "learnability", "behind", bad="high", words="less learnt than in the other cells"),
        Gate("converges", "learnability", "forecast", bad="low", words="forecast of what all its sprites would teach"),
        Gate("by_heart", "learnability", "gap", bad="high", words="what can only be learnt by heart"),
    )

    def cost(self, sprites: Sprites) -> float:
        # 128 sprites of 32×32 took 0.34 s a cell, and kin as long as in `labels` where no stage before has asked.
        pixels = sum(min(len(places) * sprites.pixels, _MOST_PIXELS) for places in sprites.by_cell.values())
        return 0.5 + 4e-6 * pixels + sprites.pixels / 1024 * 1.5e-8 * len(sprites) ** 2

    def run(self, sprites: Sprites, seed: int, progress: Progress) -> Mapping[str, Evidence]:
        cells = [cell for cell, places in sprites.by_cell.items() if len(places)]
        found: dict[str, dict[str, Figure]] = {}
        for number, cell in enumerate(cells, start=1):
            found[cell] = _figures(sprites, cell, seed)
            progress(number / len(cells))
        middle = usual([figures["gain"].value for figures in found.values()])
        return {
            cell: Evidence(
                len(sprites.by_cell[cell]),
                {**figures, **({"behind": Figure(middle - figures["gain"].value)} if math.isfinite(middle) else {})},
                notes=_notes(figures),
            )
            for cell, figures in found.items()
        }


def fit(sprites: Sprites, cell: str) -> Callable[[int, int], Cells]:
    """The learner of one cell: n and a seed → (n, H, W) sprites that it draws."""
    return learn(sprites.cells[sprites.of(cell)], len(sprites.palette)).sample


def _figures(sprites: Sprites, cell: str, seed: int) -> dict[str, Figure]:
    places = _some(sprites, cell, seed)
    kin = sprites.kin_of(places)
    if len(kin) < FEWEST:
        return {name: Figure(NAN) for name in _FIGURES}
    cells, colours = sprites.cells[places], len(sprites.palette)
    counts = Counts(cells, colours)
    tries = [_tried(counts, cells, half) for number in range(ROUNDS) for half in _halves(kin, seed, cell, number)]
    unseen, seen, marginal, fewer = (_mean([one[name] for one in tries]) for name in range(4))
    total = float(marginal.mean())
    if total < 1e-6:  # one colour throughout
        return {name: Figure(NAN) for name in _FIGURES}
    gain, before = 1 - float(unseen.mean()) / total, 1 - float(np.nanmean(fewer)) / total
    more = np.log2(max(1.0, len(sprites.by_cell[cell]) / (len(places) / 2)))
    saved = mean_figure(1 - unseen / total)
    return {
        "unseen": mean_figure(unseen),
        "seen": mean_figure(seen),
        "marginal": mean_figure(marginal),
        "gain": Figure(gain, saved.low, saved.high),
        "gap": mean_figure((unseen - seen) / total),
        "slope": Figure(gain - before),
        "forecast": Figure(min(1.0, gain + (gain - before) * more)),
    }


def _tried(counts: Counts, cells: Cells, half: Bits) -> tuple[Floats, Floats, Floats, Floats]:
    """(N,) each: unseen, seen and marginal bits, and unseen ones after half as many; NaN on the other side."""
    bits = counts.bits(half)
    fewer = half.copy()
    fewer[np.flatnonzero(half)[1::2]] = False
    marginal = marginal_bits(cells, counts.colours, half)
    return (
        np.where(half, np.nan, bits),
        np.where(half, bits, np.nan),
        np.where(half, np.nan, marginal),
        np.where(half, np.nan, counts.bits(fewer)),
    )


def _halves(kin: Places, seed: int, cell: str, number: int) -> tuple[Bits, Bits]:
    """The sprites of half of the kin, and the others."""
    order = rng(seed, "learnability", cell, number).permutation(int(kin.max()) + 1)
    half = np.isin(kin, order[: len(order) // 2])
    return np.asarray(half), np.asarray(~half)


def _mean(rows: list[Floats]) -> Floats:
    """(N,): the mean over tries of what each knows; every sprite is tried on both sides in every round."""
    return np.asarray(np.nanmean(np.stack(rows), axis=0))


def _some(sprites: Sprites, cell: str, seed: int) -> Places:
    places = sprites.by_cell[cell]
    most = max(2, min(MOST, _MOST_PIXELS // sprites.pixels))
    return places if len(places) <= most else np.sort(rng(seed, "learnability", cell).permutation(places)[:most])


def _notes(figures: Mapping[str, Figure]) -> list[str]:
    if not figures["gain"].known:
        return [f"There is nothing to try: fewer than {FEWEST} sprites, or one colour throughout."]
    value = {name: figure.value for name, figure in figures.items()}
    return [
        f"Of {value['marginal']:.2f} bits a pixel by colours alone, {value['unseen']:.2f} are left on unseen sprites "
        f"and {value['seen']:.2f} on seen ones.",
        f"Forecast: counted over all sprites of the cell, {value['forecast']:.0%} of the bits would be saved.",
    ]
