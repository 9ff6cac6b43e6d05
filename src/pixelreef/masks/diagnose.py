"""Diagnosis: why a mask is wrong, in words, with the points that each repair brings back.

    found = diagnose(prediction, truth, classes, photograph)
    found.verdict, found.words        'shifted', 'shifted by (3, −1)'
    found.points                      what each repair alone would bring back
    found.split                       where the lost points went; adds up to what is lost

What came back is asked first (`returned`, `drawn`): blank, the photograph, paint over it, noise, outlines only. Then,
of the repairs of labels, the one that brings back most is named, or a plainer one that does nine tenths as well; the
mask is repaired, and asked again what else is wrong. A fault has a name only if its evidence is above its null: what
chance brings on honest imperfect masks (`calibration`). For repairs the evidence is the share of the lost points that
comes back. What has no name is `clean` when it scores within `CLEAN` points of its ceiling, and else `region`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from pixelreef.core.images import MAX_PIXELS
from pixelreef.errors import ImageError
from pixelreef.masks import drawn, geometry, naming, returned
from pixelreef.masks.ceiling import Way, sent
from pixelreef.masks.classes import Classes
from pixelreef.masks.decode import decode, labels_at
from pixelreef.masks.decoder import ROBUST, Decoder
from pixelreef.masks.drawn import Box
from pixelreef.masks.faults import present, renamed
from pixelreef.masks.geometry import Move
from pixelreef.masks.nulls import Nulls, shipped_nulls
from pixelreef.masks.own_colours import own_colours
from pixelreef.masks.points import match, points, table_of
from pixelreef.masks.render import Rgb
from pixelreef.metrics.boundary import CONTOUR_SHARE, width_from_share
from pixelreef.metrics.overlap import Labels
from pixelreef.metrics.windows import window_extremes

CLEAN = 5.0  # points below the ceiling
LEAST = 1.0  # points that a repair must bring back to be named
PLAINER = 0.9  # of the best gain that is enough for a plainer explanation
GONE = 0.05  # of its truth area at which a class is still missing
FOREIGN = 0.25  # of the picture in colours of no class, for 'own colours'
_ROUNDS = 3

FAMILIES = {
    "swapped": "left and right",
    "shifted": "geometry",
    "flipped": "geometry",
    "scaled": "geometry",
    "own colours": "colours",
    "permuted": "naming",
    "legend": "picture",
    "missing": "missing classes",
    "photograph": "picture",
    "outlines": "picture",
    "blank": "picture",
    "painted over": "picture",
    "noise": "picture",
}
"""Every fault with a name, and what its points are counted as. Of repairs the plainest stands first."""
_REPAIRS = tuple(FAMILIES)[:8]


@dataclass(frozen=True)
class Finding:
    """A fault with a name."""

    fault: str
    words: str
    evidence: float
    """For a repair the share of the lost points that it brings back."""
    threshold: float
    points: float | None = None
    """That come back; None for a fault that can't be repaired."""
    move: Move | None = None
    box: Box | None = None


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """What is wrong with one mask."""

    verdict: str
    """A fault of `FAMILIES`, `clean` or `region`."""
    words: str
    score: float
    """Points: 100 · mean IoU over the union, under the decoder."""
    findings: tuple[Finding, ...]
    """The first is the verdict; the others were found after it was repaired."""
    points: Mapping[str, float]
    """Repair → points that it alone would bring back, named or not."""
    split: Mapping[str, float]
    """Lost points by family, `edges` and `region` last; adds up to 100 − score."""
    labels: Labels = field(repr=False)
    """As decoded, at the truth's size."""


def diagnose(
    prediction: Rgb,
    truth: Labels,
    classes: Classes,
    photograph: Rgb | None = None,
    decoder: Decoder = ROBUST,
    way: Way | None = None,
    nulls: Nulls | None = None,
) -> Diagnosis:
    """Say why a mask, (h, w, 3 or 4) bytes, is wrong. `way` is how it came, for its ceiling."""
    return _Case(prediction, truth, classes, photograph, decoder, way, nulls or shipped_nulls()).diagnosis()


@dataclass(frozen=True, eq=False)
class _Repair:
    """A finding that may be named, with the labels as they would be."""

    finding: Finding
    labels: Labels


class _Case:
    """One mask, with what several questions need."""

    def __init__(
        self,
        prediction: Rgb,
        truth: Labels,
        classes: Classes,
        photograph: Rgb | None,
        decoder: Decoder,
        way: Way | None,
        nulls: Nulls,
    ) -> None:
        self.truth, self.classes, self.decoder, self.nulls, self.way = truth, classes, decoder, nulls, way
        if truth.size > MAX_PIXELS:
            raise ImageError("truth", f"have at most {MAX_PIXELS:,} pixels", truth.size)
        self.labels = self._decoded(prediction)
        self.rgb = _fitted(prediction, truth)
        self.photograph = None if photograph is None else _fitted(photograph, truth)
        self.score = self._points(self.labels)
        self.alone: dict[str, float] = {}

    def diagnosis(self) -> Diagnosis:
        first = self._came_back()
        labels = first.labels if first else self.labels
        found = [first.finding] if first else []
        if not first or first.finding.points is not None:
            labels = self._repaired(labels, found)
        verdict, words = self._verdict(found)
        return Diagnosis(
            verdict, words, self.score, tuple(found), self.alone, self._split(found, labels), self.labels
        )

    def evidences(self) -> dict[str, float]:
        """Every fault → its evidence in this mask, whatever the thresholds: what nulls are made of."""
        found = {name: evidence for name, evidence in self._picture_evidence().items()}
        for repair in self._repairs(self.labels, self.rgb):
            found[repair.finding.fault] = repair.finding.evidence
        return found

    # What came back

    def _picture_evidence(self) -> dict[str, float]:
        areas = np.bincount(self.truth.ravel(), minlength=self.classes.void + 1)[: len(self.classes)]
        drawn_share = 1 - areas.max() / max(areas.sum(), 1)  # what a mask has to show beside its ground
        inked = 1 - returned.blankness(self.rgb)
        found = {
            "photograph": 0.0,
            "outlines": drawn.outline_evidence(self.rgb, self.truth, self.classes),
            "blank": max(0.0, 1 - inked / drawn_share) if drawn_share else 0.0,
            "painted over": 0.0,
            "noise": returned.noisiness(self.rgb),
        }
        if self.photograph is not None:
            showing = returned.showing(self.rgb, self.photograph, self.truth)
            found |= {"photograph": showing.returned, "painted over": showing.painted_over}
        return found

    def _came_back(self) -> _Repair | None:
        if 100 - self.score <= CLEAN:
            return None
        for fault, evidence in self._picture_evidence().items():
            if evidence > self.nulls.threshold(fault):
                return self._picture_finding(fault, evidence)
        return None

    def _picture_finding(self, fault: str, evidence: float) -> _Repair:
        words = {
            "blank": "blank: one colour everywhere",
            "photograph": "returned the photograph",
            "painted over": "painted over the photograph",
            "noise": "noise",
            "outlines": "outlines only",
        }[fault]
        threshold = self.nulls.threshold(fault)
        if fault != "painted over" or self.photograph is None:
            return _Repair(Finding(fault, words, evidence, threshold), self.labels)
        slope = returned.showing(self.rgb, self.photograph, self.truth).slope
        labels = self._decoded(returned.uncovered(self.rgb, self.photograph, slope))
        gain = self._points(labels) - self.score
        words = f"{words}, which shows through by {slope:.0%}"
        return _Repair(Finding(fault, words, evidence, threshold, max(gain, 0.0)), labels if gain > 0 else self.labels)

    # What can be repaired

    def _repaired(self, labels: Labels, found: list[Finding]) -> Labels:
        """Name and repair until nothing more can be named; the labels that are left."""
        for turn in range(_ROUNDS):
            first = labels is self.labels
            if 100 - self._points(labels) <= LEAST:
                break
            repairs = self._repairs(labels, self.rgb if first else None)
            if first:
                self.alone = {one.finding.fault: max(0.0, one.finding.points or 0.0) for one in repairs}
                self.alone["edges"] = self._edges(labels)
            chosen = self._chosen(repairs)
            if chosen is None:
                break
            found.append(chosen.finding)
            labels = chosen.labels
            if chosen.finding.fault == "missing" or turn == _ROUNDS - 1:
                break
        return labels

    def _chosen(self, repairs: list[_Repair]) -> _Repair | None:
        named = [
            one
            for one in repairs
            if one.finding.evidence > one.finding.threshold and (one.finding.points or 0.0) >= LEAST
        ]
        if not named:
            return None
        best = max(one.finding.points or 0.0 for one in named)
        return next(one for one in named if (one.finding.points or 0.0) >= PLAINER * best)

    def _repairs(self, labels: Labels, rgb: Rgb | None) -> list[_Repair]:
        """Every repair of the labels, the plainest first; colours only where the picture still is what they are of."""
        before = self._points(labels)
        table, pair = table_of(self.truth, labels, self.classes), match(self.truth, labels, self.classes)
        found = []

        def add(
            fault: str,
            words: str,
            repaired: Labels,
            evidence: float | None = None,
            move: Move | None = None,
            box: Box | None = None,
        ) -> None:
            gain = self._points(repaired) - before
            share = max(0.0, gain) / max(100 - before, 1e-9) if evidence is None else evidence
            finding = Finding(fault, words, share, self.nulls.threshold(fault), gain, move, box)
            found.append(_Repair(finding, repaired))

        sides, others = naming.best_sides(table, self.classes), naming.best_permutation(table)
        add("swapped", sides.words(self.classes), renamed(labels, sides.names))
        for fault, search in (
            ("shifted", geometry.best_shift),
            ("flipped", geometry.best_flip),
            ("scaled", geometry.best_scale),
        ):
            move, _ = search(pair)
            add(fault, move.words, geometry.undone(labels, move), move=move)
        named = renamed(labels, others.names)
        if rgb is not None:
            own = own_colours(rgb, self.truth, self.classes)
            if own.foreign >= FOREIGN:
                recoloured = own.labels(rgb, labels.dtype)
                add("own colours", f"right regions, wrong colours: {own.foreign:.0%} in colours of no class", recoloured)
                named = recoloured if own.points > others.points else named
        add("permuted", others.words(self.classes), renamed(labels, others.names))
        box = drawn.legend_box(self.rgb, labels, self.truth, self.classes)
        if box is not None:
            cleared = labels.copy()
            cleared[box.place] = self.truth[box.place]
            add("legend", "legend drawn inside", self._unvoid(cleared), box=box)
        gone = self._gone(named)
        if gone:
            restored = np.where(np.isin(self.truth, gone), self.truth, labels).astype(labels.dtype)
            share = len(gone) / len(present(self.truth, self.classes))
            add("missing", self._missing_words(gone), restored, share)
        return found

    def _gone(self, labels: Labels) -> list[int]:
        """The classes of the truth that the mask has next to nothing of, though its ceiling has."""
        count = len(self.classes)
        ours, theirs = (np.bincount(one.ravel(), minlength=count + 2)[:count] for one in (labels, self.truth))
        gone = np.flatnonzero((theirs > 0) & (ours <= GONE * theirs))
        if not len(gone):
            return []
        kept = np.bincount(self._ceiling().ravel(), minlength=count + 2)[:count]
        return [int(label) for label in gone if kept[label] > GONE * theirs[label]]

    def _missing_words(self, gone: list[int]) -> str:
        there = len(present(self.truth, self.classes))
        names = ", ".join(self.classes.names[label] for label in gone)
        many = "half the classes" if abs(len(gone) - there / 2) <= 0.5 else f"{len(gone)} of {there} classes"
        return f"{many} missing: {names}"

    # Sums

    def _verdict(self, found: list[Finding]) -> tuple[str, str]:
        if found:
            return found[0].fault, "; then ".join(one.words for one in found)
        if 100 - self.score <= CLEAN or self.score >= self._points(self._ceiling()) - CLEAN:
            return "clean", "clean"
        edges = self.alone.get("edges", 0.0) / max(100 - self.score, 1e-9)
        return "region", f"region: no fault with a name; {edges:.0%} of what is lost lies along edges"

    def _split(self, found: list[Finding], labels: Labels) -> dict[str, float]:
        split: dict[str, float] = {}
        for one in found:
            if one.points:
                split[FAMILIES[one.fault]] = split.get(FAMILIES[one.fault], 0.0) + one.points
        left = 100 - self.score - sum(split.values())
        if found and found[0].points is None:
            return {FAMILIES[found[0].fault]: left, "edges": 0.0, "region": 0.0}
        edges = min(self._edges(labels), left)
        return {**split, "edges": edges, "region": left - edges}

    def _edges(self, labels: Labels) -> float:
        """Points that come back if everything near a border of the truth were right."""
        least, largest = window_extremes(self.truth, width_from_share(self.truth.shape, CONTOUR_SHARE))
        mended = np.where((least != largest) & (self.truth != self.classes.void), self.truth, labels)
        return max(0.0, self._points(mended.astype(labels.dtype)) - self._points(labels))

    def _ceiling(self) -> Labels:
        if not hasattr(self, "_top"):
            self._top = self._decoded(sent(self.truth, self.classes, self.way or Way()))
        return self._top

    def _decoded(self, picture: Rgb) -> Labels:
        labels = decode(picture, self.classes, self.decoder).labels
        return labels_at(labels, (self.truth.shape[0], self.truth.shape[1]))[0]

    def _points(self, labels: Labels) -> float:
        return points(table_of(self.truth, labels, self.classes))

    def _unvoid(self, labels: Labels) -> Labels:
        """Void belongs to the truth alone."""
        return np.where(labels == self.classes.void, self.classes.unknown, labels).astype(labels.dtype)


def evidence(prediction: Rgb, truth: Labels, classes: Classes, photograph: Rgb | None = None) -> dict[str, float]:
    """Every fault → its evidence, 0 where there is none, whatever the thresholds."""
    case = _Case(prediction, truth, classes, photograph, ROBUST, None, Nulls({}))
    return {**dict.fromkeys(FAMILIES, 0.0), **case.evidences()}


def _fitted(picture: Rgb, truth: Labels) -> Rgb:
    """(H, W, 3) at the truth's size, by the nearest pixel."""
    if picture.ndim != 3 or picture.shape[2] not in (3, 4):
        raise ImageError("picture", "be a (H, W, 3 or 4) array", picture.shape)
    places = np.arange(picture.shape[0] * picture.shape[1], dtype=np.int64).reshape(picture.shape[:2])
    if picture.shape[:2] == truth.shape:
        return picture[..., :3]
    chosen = labels_at(places, (truth.shape[0], truth.shape[1]))[0]
    return np.asarray(picture.reshape(-1, picture.shape[2])[chosen][..., :3])
