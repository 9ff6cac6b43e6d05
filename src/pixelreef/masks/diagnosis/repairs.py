"""Every repair of a mask's labels that has a name, each with the points that it brings back.

`missing` is asked last and of the mask as it would be under its best names: whoever renamed a class did not leave it
out. Classes that the ceiling loses too are not missed.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pixelreef.masks.diagnosis import geometry, naming
from pixelreef.masks.diagnosis.case import Case
from pixelreef.masks.diagnosis.drawn import Box, legend_box
from pixelreef.masks.diagnosis.findings import Finding, Repair
from pixelreef.masks.diagnosis.geometry import Move
from pixelreef.masks.diagnosis.naming import Renaming
from pixelreef.masks.diagnosis.nulls import Nulls
from pixelreef.masks.diagnosis.own_colours import own_colours
from pixelreef.masks.diagnosis.points import match, table_of
from pixelreef.masks.faults import renamed
from pixelreef.metrics.overlap import Labels

FOREIGN = 0.25  # of the picture in colours of no class, for 'own colours'
GONE = 0.05  # of its truth area at which a class is still missing


class Repairs:
    """The repairs of one state of a mask; `coloured` where its picture is still what the labels are of."""

    def __init__(self, case: Case, labels: Labels, nulls: Nulls, coloured: bool) -> None:
        self.case, self.labels, self.nulls, self.coloured = case, labels, nulls, coloured
        self.before = case.points(labels)

    def all(self) -> list[Repair]:
        """The plainest first."""
        table = table_of(self.case.truth, self.labels, self.case.classes)
        others = naming.best_permutation(table)
        named = renamed(self.labels, others.names) if others.names else self.labels
        found = [self._renamed("swapped", naming.best_sides(table, self.case.classes)), *self._moves()]
        own = self._own_colours()
        if own is not None:
            found.append(own)
            named = own.labels if own.gain > others.points - self.before else named
        found.append(self._renamed("permuted", others))
        found += [one for one in (self._legend(), self._missing(named)) if one is not None]
        return found

    def _made(
        self,
        fault: str,
        words: str,
        repaired: Labels,
        evidence: float | None = None,
        move: Move | None = None,
        box: Box | None = None,
        after: float | None = None,
    ) -> Repair:
        """`after` are the points of the repaired labels, where they are known already."""
        gain = (self.case.points(repaired) if after is None else after) - self.before
        share = max(0.0, gain) / max(100 - self.before, 1e-9) if evidence is None else evidence
        return Repair(Finding(fault, words, share, self.nulls.threshold(fault), gain, move, box), repaired)

    def _renamed(self, fault: str, names: Renaming) -> Repair:
        labels = renamed(self.labels, names.names) if names.names else self.labels
        return self._made(fault, names.words(self.case.classes), labels, after=names.points)

    def _moves(self) -> Iterator[Repair]:
        pair = match(self.case.truth, self.labels, self.case.classes)
        for fault, search in (
            ("shifted", geometry.best_shift),
            ("flipped", geometry.best_flip),
            ("scaled", geometry.best_scale),
        ):
            move, after = search(pair)
            yield self._made(fault, move.words, geometry.undone(self.labels, move), move=move, after=after)

    def _own_colours(self) -> Repair | None:
        if not self.coloured:
            return None
        own = own_colours(self.case.rgb, self.case.truth, self.case.classes, self.case.colours)
        if own.foreign < FOREIGN:
            return None
        words = f"right regions, wrong colours: {own.foreign:.0%} in colours of no class"
        return self._made("own colours", words, own.labels(self.case.rgb, self.labels.dtype))

    def _legend(self) -> Repair | None:
        case = self.case
        box = legend_box(case.rgb, self.labels, case.truth, case.classes, case.colours)
        if box is None:
            return None
        cleared, truth = self.labels.copy(), case.truth[box.place]
        cleared[box.place] = np.where(truth == case.classes.void, case.classes.unknown, truth)
        return self._made("legend", "legend drawn inside", cleared, box=box)

    def _missing(self, named: Labels) -> Repair | None:
        gone = self._gone(named)
        if not gone:
            return None
        there = int((self.case.areas > 0).sum())
        many = "half the classes" if abs(len(gone) - there / 2) <= 0.5 else f"{len(gone)} of {there} classes"
        words = f"{many} missing: {', '.join(self.case.classes.names[label] for label in gone)}"
        restored = np.where(np.isin(self.case.truth, gone), self.case.truth, self.labels).astype(self.labels.dtype)
        return self._made("missing", words, restored, evidence=len(gone) / there)

    def _gone(self, named: Labels) -> list[int]:
        """The classes of the truth that the mask has next to nothing of, though its ceiling has."""
        count, least = len(self.case.classes), GONE * self.case.areas
        gone = (self.case.areas > 0) & (np.bincount(named.ravel(), minlength=count + 2)[:count] <= least)
        if not gone.any():
            return []
        gone &= np.bincount(self.case.ceiling.ravel(), minlength=count + 2)[:count] > least
        return [int(label) for label in np.flatnonzero(gone)]
