"""The stage `labels`: does a sprite look like its cell? By a guess from its features, never having seen it.

recall       the share of a cell's sprites whose cell was guessed
entangled    how much it and one other cell are taken for each other: 0 never, 0.5 when their labels are mixed
torn         the same against its recall: 1 when its sprites are taken for the other cell as often as for their own
doubted      the share of sprites that look clearly like another cell
recall of …  the share whose value of one factor was guessed, with two factors or more
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pixelreef.taste.evidence import NAN, Evidence, Figure, Gate
from pixelreef.taste.guess import Guess, guess
from pixelreef.taste.sprites import Places, Sprites
from pixelreef.taste.stage import Progress
from pixelreef.taste.usual import share_figure

CLEARLY = 0.5  # of a score whose range is about 0 to 1: as far as halfway between its own cell and another
_SHOWN = 8
_NOTHING = ("recall", "entangled", "torn", "taken_for", "doubted")
_LEAST_RECALL = 0.05  # below, what a cell is torn between says nothing more


class Labels:
    """A cross-validated guess of every label."""

    name = "labels"
    gates = (
        Gate("recall", "labels", "recall", bad="low", words="share of sprites whose cell can be told"),
        Gate("entangled", "labels", "entangled", bad="high", words="taken for one other cell, and it for this"),
        Gate("torn", "labels", "torn", bad="high", words="taken for one other cell as often as for its own"),
        Gate("taken_for", "labels", "taken_for", bad="high", words="share of sprites taken for one other cell"),
        Gate("doubted", "labels", "doubted", bad="high", words="share of sprites that look like another cell"),
    )

    def cost(self, sprites: Sprites) -> float:
        # 20,000 sprites of 32×32 took 17 s, features not among them where `census` has asked for them before.
        pixels = sprites.pixels / 1024
        return 1.5 + 4e-4 * len(sprites) + pixels * (4e-4 * len(sprites) + 1.5e-8 * len(sprites) ** 2)

    def run(self, sprites: Sprites, seed: int, progress: Progress) -> Mapping[str, Evidence]:
        places = {cell: of for cell, of in sprites.by_cell.items() if len(of)}
        kin = _kin(sprites, places)
        progress(0.4)
        values = sprites.features.values
        progress(0.7)
        fit = [cell for cell, of in places.items() if len(of) > 1]
        blank = {cell: _nothing(len(of), len(fit)) for cell, of in places.items()}
        if len(fit) < 2:
            return blank
        chosen = np.concatenate([places[cell] for cell in fit])
        truth = np.repeat(np.arange(len(fit)), [len(places[cell]) for cell in fit])
        found = guess(values[chosen], truth, kin[chosen], seed)
        progress(1.0)
        return blank | {cell: _evidence(sprites, fit, number, chosen, found) for number, cell in enumerate(fit)}


def _kin(sprites: Sprites, places: Mapping[str, Places]) -> Places:
    """(N,): the kin of every sprite, over all cells; those of a kin too large within their cell are each their own."""
    kin = sprites.kin.copy()
    for of in places.values():
        large = of[sprites.of_large_kin(of)]
        kin[large] = len(kin) + large
    return kin


def _evidence(sprites: Sprites, fit: list[str], number: int, chosen: Places, found: Guess) -> Evidence:
    own = found.truth == number
    guessed, doubt = found.guessed[own], found.doubt[own]
    n = int(own.sum())
    others = np.delete(np.bincount(guessed, minlength=len(fit)), number)
    recall, entangled = share_figure(int((guessed == number).sum()), n), entanglement(found.confusion)[number].max()
    figures = {
        "recall": recall,
        "entangled": Figure(float(entangled)),
        "torn": Figure(float(entangled) / max(recall.value, _LEAST_RECALL)),
        "taken_for": share_figure(int(others.max()), n),
        "doubted": share_figure(int((doubt > CLEARLY).sum()), n),
        **_factor_recalls(sprites, fit, number, guessed),
    }
    order = np.argsort(-doubt, kind="stable")[:_SHOWN]
    suspects = [int(chosen[own][place]) for place in order if doubt[place] > 0]
    return Evidence(n, figures, {"look like another cell": suspects} if suspects else {}, _notes(fit, number, found))


def entanglement(confusion: NDArray[np.float64]) -> NDArray[np.float64]:
    """(cells, cells): the geometric mean of how often each of two cells is taken for the other; 0 with itself.

    >>> entanglement(np.array([[0.5, 0.5], [0.5, 0.5]])).tolist()
    [[0.0, 0.5], [0.5, 0.0]]
    """
    both = np.sqrt(confusion * confusion.T)
    np.fill_diagonal(both, 0)
    return np.asarray(both)


def _factor_recalls(sprites: Sprites, fit: list[str], number: int, guessed: Places) -> dict[str, Figure]:
    """Of each of two factors or more: how many sprites were guessed to be in a cell of the same value."""
    if len(sprites.factors) < 2:
        return {}
    values = [sprites.values_of(cell) for cell in fit]
    made = {}
    for factor in sprites.factors:
        same = np.array([one.get(factor) == values[number].get(factor) for one in values])
        made[f"recall of {factor}"] = share_figure(int(same[guessed].sum()), len(guessed))
    return made


def _notes(fit: list[str], number: int, found: Guess) -> list[str]:
    row = found.confusion[number].copy()
    row[number] = 0
    other = int(row.argmax())
    if not row[other]:
        return ["None of its sprites is taken for another cell."]
    share = found.confusion[other, number]
    return [f"{row[other]:.0%} are taken for {fit[other]}, and {share:.0%} of {fit[other]} for this cell."]


def _nothing(n: int, cells: int) -> Evidence:
    why = "One sprite alone can't be told from others." if cells > 1 else "There is no other cell to be told from."
    return Evidence(n, {name: Figure(NAN) for name in _NOTHING} if cells > 1 else {}, {}, [why])
