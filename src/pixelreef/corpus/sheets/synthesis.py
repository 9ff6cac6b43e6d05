"""The last cells of a noisy sheet: what is guessed is compressed as the file was, and must give the file's pixels.

The true cells, enlarged and put through the file's own codec, give exactly the pixels that were read. So wherever the
guess gives others, some cell nearby is wrong. Such cells are tried in other colours, alone and then in pairs, each in a
window of its own, and the changes that explain most are kept. The search stops when all is explained, or nothing helps;
how many cells remain unexplained is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats
from pixelreef.corpus.sheets.jpeg import SIDE, Codec
from pixelreef.corpus.sheets.noise import likeliness, share_nearby, ycc_from_rgb
from pixelreef.corpus.sheets.scale import Scale, block_means, enlarged_as
from pixelreef.corpus.sheets.windows import Windows, windows_around

_TRIED = 300  # cells a pass: 300 windows of 64 × 64 pixels are 1.2 Mpx
_SINGLE, _MANY, _PAIRED = 6, 16, 4  # colours tried: for one cell, once that no longer helps, for each of two
_FEW = 400  # unexplained cells up to which pairs are tried: about ten stand around each wrong one
_PASSES = 60
_EXPLAINED = (0.25, 4.0)  # squared error of a block, its channels added up: by our own encoder, by others that round
_OURS = 0.05  # error that a quarter of the blocks beside the backdrop stay under when the encoder was like ours
_NOISE = np.array([3, 6, 6], np.float32)  # steps of Y, Cb, Cr in which candidates are ranked
_NEIGHBOURS = ((0, 1), (1, 0), (1, 1), (1, -1))


@dataclass
class Trial:
    """The best change found so far for each asked cell: itself and, in a pair, a neighbour."""

    asked: NDArray[np.intp]
    gain: Floats
    colour: NDArray[np.intp]
    partner: NDArray[np.intp]
    """(n, 2) the other cell; the same as `asked` when there is none."""
    partner_colour: NDArray[np.intp]


@dataclass
class Synthesis:
    """The guess and everything it is compared with."""

    seen: Floats
    """(H, W, 3) the pixels that were read."""
    cells: NDArray[np.intp]
    """(h, w) the guess, changed in place."""
    colours: NDArray[np.uint8]
    scale: Scale
    codec: Codec

    def run(self) -> int:
        """Improve the guess; returns how many cells stay unexplained."""
        resting = np.zeros(self.cells.shape, bool)
        most = 0.0
        stages = self._stages()
        stage = next(stages)
        for _ in range(_PASSES):
            made = enlarged_as(self.colours[self.cells], self.scale, self.seen.shape[:2]).astype(np.float32)
            missing = self.seen - self.codec.passed(made)
            error = block_means((missing**2).sum(axis=2, keepdims=True), self.scale)[..., 0]
            most = most or self._explained(error)
            unsure = int((error > most).sum())
            if not unsure:
                return 0
            asked = _worst(np.where(resting, 0, error), most)
            if len(asked):
                windows = windows_around(asked, made, self.seen, self.scale, self.codec)
                self._apply(stage(asked, windows, missing), resting)
                continue
            following = next(stages, None)
            if following is None or (following == self._pairs and unsure > _FEW):
                return unsure
            stage, resting[:] = following, False
        return unsure

    def _explained(self, error: Floats) -> float:
        """The error up to which a block counts as explained."""
        busy = error[self.cells != np.bincount(self.cells.ravel()).argmax()]
        return _EXPLAINED[0] if len(busy) and float(np.quantile(busy, 0.25)) < _OURS else _EXPLAINED[1]

    def _stages(self) -> Iterator[Callable[[NDArray[np.intp], Windows, Floats], Trial]]:
        yield lambda asked, windows, missing: self._singles(asked, windows, missing, _SINGLE)
        yield lambda asked, windows, missing: self._singles(asked, windows, missing, _MANY)
        yield self._pairs

    def _singles(self, asked: NDArray[np.intp], windows: Windows, missing: Floats, colours: int) -> Trial:
        """Each asked cell in other colours."""
        trial, before = self._untried(asked), windows.error()
        own = windows.pixels_of(asked)
        for choice in self._ranked(asked, missing)[:, :colours].T:
            gain = before - windows.error([(own, self.colours[choice])])
            better = gain > trial.gain
            trial.gain[better], trial.colour[better] = gain[better], choice[better]
        return trial

    def _pairs(self, asked: NDArray[np.intp], windows: Windows, missing: Floats) -> Trial:
        """Each asked cell together with one of its neighbours, both in other colours."""
        trial, before = self._untried(asked), windows.error()
        own, first = windows.pixels_of(asked), self._ranked(asked, missing)[:, :_PAIRED]
        for step in _NEIGHBOURS:
            partner = (asked + step).clip(0, np.array(self.cells.shape) - 1)
            possible = windows.holds(partner) & (partner != asked).any(axis=1)
            other, second = windows.pixels_of(partner), self._ranked(partner, missing)[:, :_PAIRED]
            for one in first.T:
                for two in second.T:
                    gain = before - windows.error([(own, self.colours[one]), (other, self.colours[two])])
                    better = possible & (gain > trial.gain)
                    trial.gain[better], trial.colour[better] = gain[better], one[better]
                    trial.partner[better], trial.partner_colour[better] = partner[better], two[better]
        return trial

    def _untried(self, asked: NDArray[np.intp]) -> Trial:
        now = self.cells[tuple(asked.T)]
        return Trial(asked, np.zeros(len(asked)), now.copy(), asked.copy(), now.copy())

    def _apply(self, trial: Trial, resting: NDArray[np.bool_]) -> None:
        """Make the best changes that do not touch one another; cells that no change helps rest."""
        reach = -(-SIDE // self.scale.factor) + 1
        taken = np.zeros(self.cells.shape, bool)
        for number in np.argsort(-trial.gain, kind="stable"):
            row, column = trial.asked[number]
            if trial.gain[number] <= 0:
                resting[row, column] = True
            elif not taken[row, column]:
                around = np.s_[max(0, row - reach) : row + reach + 1, max(0, column - reach) : column + reach + 1]
                if tuple(trial.partner[number]) != (row, column):
                    self.cells[tuple(trial.partner[number])] = trial.partner_colour[number]
                self.cells[row, column] = trial.colour[number]
                taken[around], resting[around] = True, False

    def _ranked(self, asked: NDArray[np.intp], missing: Floats) -> NDArray[np.intp]:
        """(n, colours − 1) other colours for each asked cell, the likeliest first."""
        where = tuple(asked.T)
        target = ycc_from_rgb(self.colours[self.cells] + 1.5 * block_means(missing, self.scale))[where]
        table = ycc_from_rgb(self.colours)
        cost = np.stack(
            [
                likeliness(target, share_nearby(self.cells == index)[where], table[index], _NOISE)
                for index in range(len(self.colours))
            ],
            axis=1,
        )
        cost[np.arange(len(asked)), self.cells[where]] = np.inf
        return np.argsort(cost, axis=1, kind="stable")[:, :-1]


def _worst(error: Floats, most: float) -> NDArray[np.intp]:
    """(n, 2) rows and columns of the cells that are explained worst, of those with more error than `most`."""
    places = np.argwhere(error > most)
    return np.asarray(places[np.argsort(-error[tuple(places.T)], kind="stable")[:_TRIED]])
