"""Diagnosis: why a mask is wrong, in words, with the points that each repair brings back.

    found = diagnose(prediction, truth, classes, photograph)
    found.verdict, found.words        'shifted', 'shifted by (3, −1)'
    found.points                      what each repair alone would bring back
    found.split                       where the lost points went; adds up to what is lost

What came back is asked first (`returned`, `drawn`): the photograph, outlines only, a blank, paint over the photograph,
noise. Then, of the repairs of labels, the one that brings back most is named, or a plainer one that does nine tenths as
well; the mask is repaired, and asked again what else is wrong. A fault has a name only if its evidence is above its
null: what chance brings on honest imperfect masks (`calibration`). What has no name is `clean` when it scores within
`CLEAN_POINTS` of its ceiling, and else `region`.
"""

from __future__ import annotations

from pixelreef.masks.ceiling import Way
from pixelreef.masks.classes import Classes
from pixelreef.masks.decoder import ROBUST, Decoder
from pixelreef.masks.diagnosis import drawn, returned
from pixelreef.masks.diagnosis.case import Case, fitted
from pixelreef.masks.diagnosis.findings import CLEAN, FAMILIES, REGION, Diagnosis, Finding, Repair
from pixelreef.masks.diagnosis.nulls import Nulls, shipped_nulls
from pixelreef.masks.diagnosis.repairs import Repairs
from pixelreef.masks.render import Rgb
from pixelreef.metrics.overlap import Labels

CLEAN_POINTS = 5.0  # below the ceiling
LEAST = 1.0  # points that a repair must bring back to be named
PLAINER = 0.9  # of the best gain that is enough for a plainer explanation
_ROUNDS = 3
_WORDS = {
    "photograph": "returned the photograph",
    "outlines": "outlines only",
    "blank": "blank: one colour everywhere",
    "painted over": "painted over the photograph",
    "noise": "noise",
}


def diagnose(
    prediction: Rgb,
    truth: Labels,
    classes: Classes,
    photograph: Rgb | None = None,
    decoder: Decoder = ROBUST,
    way: Way | None = None,
    nulls: Nulls | None = None,
) -> Diagnosis:
    """Say why a mask, (h, w, 3 or 4) bytes, is wrong. `way` is how it came, for its ceiling.

    >>> import numpy as np
    >>> from pixelreef.core.palette import Palette
    >>> from pixelreef.masks.classes import classes_from_palette
    >>> two = classes_from_palette(Palette.from_hex(["000000", "ff8800"]))
    >>> truth = np.zeros((64, 64), np.uint8)
    >>> truth[20:40, 20:40] = 1
    >>> diagnose(two.rgb[np.roll(truth, (-1, 3), (0, 1))], truth, two).words
    'shifted by (3, −1)'
    """
    case, limits = Case(prediction, truth, classes, photograph, decoder, way), nulls or shipped_nulls()
    first = _came_back(case, limits)
    found = [first.finding] if first else []
    labels = first.labels if first else case.labels
    alone: dict[str, float] = {}
    if first is None or first.finding.points is not None:
        labels, alone = _repaired(case, labels, limits, found)
    verdict, words = _verdict(case, found, alone)
    return Diagnosis(verdict, words, case.score, tuple(found), alone, _split(case, found, labels), case.labels)


def evidence(prediction: Rgb, truth: Labels, classes: Classes, photograph: Rgb | None = None) -> dict[str, float]:
    """Every fault → its evidence, 0 where there is none, whatever the thresholds: what nulls are made of."""
    case = Case(prediction, truth, classes, photograph)
    repairs = Repairs(case, case.labels, Nulls({}), coloured=True).all()
    found = {one.finding.fault: one.finding.evidence for one in repairs}
    return {**dict.fromkeys(FAMILIES, 0.0), **picture_evidence(case), **found}


def is_photograph(picture: Rgb, photograph: Rgb, truth: Labels) -> bool:
    """Whether what came back is the photograph itself, of whatever size."""
    ours, theirs = fitted(picture, truth), fitted(photograph, truth)
    return returned.showing(ours, theirs, truth).returned > shipped_nulls().threshold("photograph")


def picture_evidence(case: Case) -> dict[str, float]:
    """The evidence for every fault of the picture, in the order in which they are asked."""
    to_draw = 1 - case.areas.max() / max(case.areas.sum(), 1)  # what a mask has to show beside its ground
    drawn_share = 1 - returned.blankness(case.rgb)
    showing = None
    if case.photograph is not None:
        showing = returned.showing(case.rgb, case.photograph, case.truth)
    return {
        "photograph": showing.returned if showing else 0.0,
        "outlines": drawn.outline_evidence(case.rgb, case.truth, case.classes),
        "blank": max(0.0, 1 - drawn_share / to_draw) if to_draw else 0.0,
        "painted over": showing.painted_over if showing else 0.0,
        "noise": returned.noisiness(case.rgb),
    }


def _came_back(case: Case, nulls: Nulls) -> Repair | None:
    """What came back, if it is no mask; with the labels beneath where there are any."""
    if 100 - case.score <= CLEAN_POINTS:
        return None
    for fault, found in picture_evidence(case).items():
        if found > nulls.threshold(fault):
            if fault == "painted over":
                return _uncovered(case, found, nulls)
            return Repair(Finding(fault, _WORDS[fault], found, nulls.threshold(fault)), case.labels)
    return None


def _uncovered(case: Case, found: float, nulls: Nulls) -> Repair:
    """Paint over the photograph, and the labels of the paint alone."""
    assert case.photograph is not None
    slope = returned.showing(case.rgb, case.photograph, case.truth).slope
    labels = case.decoded(returned.uncovered(case.rgb, case.photograph, slope))
    gain = max(0.0, case.points(labels) - case.score)
    words = f"{_WORDS['painted over']}, which shows through by {slope:.0%}"
    finding = Finding("painted over", words, found, nulls.threshold("painted over"), gain)
    return Repair(finding, labels if gain else case.labels)


def _repaired(case: Case, labels: Labels, nulls: Nulls, found: list[Finding]) -> tuple[Labels, dict[str, float]]:
    """Name and repair until nothing more can be named: the labels that are left, and what each repair alone brings."""
    alone: dict[str, float] = {}
    for turn in range(_ROUNDS):
        if 100 - case.points(labels) <= LEAST:
            break
        repairs = Repairs(case, labels, nulls, coloured=labels is case.labels).all()
        if turn == 0:
            alone = {**{one.finding.fault: one.gain for one in repairs}, "edges": case.edges(labels)}
        chosen = _chosen(repairs)
        if chosen is None:
            break
        found.append(chosen.finding)
        labels = chosen.labels
        if chosen.finding.fault == "missing":
            break
    return labels, alone


def _chosen(repairs: list[Repair]) -> Repair | None:
    named = [one for one in repairs if one.finding.evidence > one.finding.threshold and one.gain >= LEAST]
    best = max((one.gain for one in named), default=0.0)
    return next((one for one in named if one.gain >= PLAINER * best), None)


def _verdict(case: Case, found: list[Finding], alone: dict[str, float]) -> tuple[str, str]:
    if found:
        return found[0].fault, "; then ".join(one.words for one in found)
    if 100 - case.score <= CLEAN_POINTS or case.score >= case.points(case.ceiling) - CLEAN_POINTS:
        return CLEAN, "clean"
    edges = alone.get("edges", 0.0) / (100 - case.score)
    return REGION, f"region: no fault with a name; {edges:.0%} of what is lost lies along edges"


def _split(case: Case, found: list[Finding], labels: Labels) -> dict[str, float]:
    """Where the lost points went: to the repairs that were named, then to edges, and the rest to regions."""
    lost = 100 - case.score
    if found and found[0].points is None:
        return {FAMILIES[found[0].fault]: lost, "edges": 0.0, "region": 0.0}
    split: dict[str, float] = {}
    for one in found:
        split[FAMILIES[one.fault]] = split.get(FAMILIES[one.fault], 0.0) + (one.points or 0.0)
    left = lost - sum(split.values())
    edges = min(case.edges(labels), left)
    return {**split, "edges": edges, "region": left - edges}
