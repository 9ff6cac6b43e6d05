"""Scoring one item: its truth against every attempt of every entrant, under every decoder.

A prediction that can't be scored is data: it has a failure with its reason, and scores 0. When there are several
attempts their majority vote is scored too: in each pixel the class that most attempts have, of several the one of the
earliest attempt; unknown pixels and failed attempts have no vote.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.files import read_bytes
from pixelreef.core.images import Picture, image_from_bytes
from pixelreef.errors import InputError
from pixelreef.masks.classes import Classes
from pixelreef.masks.decode import Decoded, decode, decode_picture, labels_at, thinned
from pixelreef.masks.decoder import PIXELARENA, ROBUST, Decoder
from pixelreef.masks.diagnosis.diagnose import is_photograph
from pixelreef.masks.explain import Explainer, Why
from pixelreef.masks.measures import PRIMARY, Borders, Widths, measures_from_counts, measures_of_failure
from pixelreef.masks.pairs import SAID
from pixelreef.masks.render import Rgb
from pixelreef.metrics.boundary import band_counts, contour_counts, width_from_share
from pixelreef.metrics.overlap import Confusion, Counts, Labels, confusion

_KEPT_TEXT = 2000  # characters of what is said instead of a picture
_RIGHT = 0.95  # of the primary figure: such a mask is no photograph


@dataclass(frozen=True)
class Settings:
    """How to score. The first decoder is the primary one: borders, votes and confusions are by it."""

    decoders: tuple[Decoder, ...] = (ROBUST, PIXELARENA)
    edges: Widths | None = field(default_factory=Widths)
    """The widths for boundary measures; None to do without them."""
    ceiling: bool = False
    """Whether each prediction's ceiling is worked out."""
    diagnosis: bool = False
    """Whether it is said why each mask is wrong."""

    def __post_init__(self) -> None:
        names = [decoder.name for decoder in self.decoders]
        if not names or len(set(names)) != len(names):
            raise InputError("decoders", "be one or more of different names", names)

    @property
    def primary(self) -> Decoder:
        return self.decoders[0]


@dataclass(frozen=True, eq=False)
class MaskScore:
    """One prediction under one decoder."""

    measures: Mapping[str, float]
    """Name → value; NaN where there is none."""
    counts: Counts
    """Of a failure: every pixel unknown."""
    borders: Borders | None = None
    """Where borders were measured; of a failure without any that were predicted."""
    failure: str | None = None
    reason: str = ""
    notes: tuple[str, ...] = ()
    """What was done to read, decode and fit it, in words."""


@dataclass(frozen=True, eq=False)
class AttemptScore:
    """One attempt of an entrant at an item, under every decoder."""

    item: str
    attempt: int
    scores: Mapping[str, MaskScore]
    """Decoder → score."""
    size: tuple[int, int] | None = None
    """(width, height) as it came; None where no picture did."""
    ceiling: Mapping[str, float] | None = None
    """The overlap measures of the truth that came the same way, by the primary decoder; None where not asked for, or
    where no picture came."""
    why: Why | None = None
    """Why it is wrong, by the primary decoder; None where not asked for, or where no picture came."""


@dataclass(frozen=True, eq=False)
class ItemScores:
    """All attempts of one entrant at one item."""

    item: str
    attempts: tuple[AttemptScore, ...]
    vote: MaskScore | None
    """The majority vote under the primary decoder; None for a single attempt."""


def score_arrays(
    prediction: NDArray[np.uint8],
    truth: Labels,
    classes: Classes,
    decoder: Decoder = ROBUST,
    edges: Widths | None = None,
) -> MaskScore:
    """Score one prediction, (h, w, 3 or 4) sRGB bytes, against truth labels (H, W) with `classes.void` where ignored.

    >>> from pixelreef.core.palette import Palette
    >>> from pixelreef.masks.classes import classes_from_palette
    >>> two = classes_from_palette(Palette.from_hex(["000000", "ff8800"]))
    >>> truth = np.array([[0, 0, 1, 1]] * 4, np.uint8)
    >>> score_arrays(two.rgb[truth], truth, two).measures["mean_iou_union"]
    1.0
    """
    return _Judge(truth, classes).decoded(decode(prediction, classes, decoder), decoder, edges).score


def score_item(
    item: str,
    truth: Labels,
    attempts: Mapping[int, Path | None],
    classes: Classes,
    settings: Settings,
    explainer: Explainer | None = None,
    photograph: Rgb | None = None,
) -> tuple[ItemScores, Confusion]:
    """Score the attempts of one entrant, and sum up their confusions under the primary decoder.

    None is a missing file. The pixels of a failure are unknown. An explainer that several entrants share saves work;
    without one it is made where the settings ask for ceilings or diagnosis. With the photograph, whoever gives it back
    has painted no mask, also where it is made of few colours.
    """
    judge = _Judge(truth, classes, photograph)
    if explainer is None and (settings.ceiling or settings.diagnosis):
        explainer = Explainer(truth, classes, settings.primary, photograph)
    scored, judged = [], []
    for attempt, path in attempts.items():
        one = _judged(path, judge, settings, explainer)
        scores = {name: verdict.score for name, verdict in one.verdicts.items()}
        scored.append(AttemptScore(item, attempt, scores, one.size, one.ceiling, one.why))
        judged.append(one.verdicts[settings.primary.name])
    vote = None
    if len(judged) > 1:
        voted = majority([one.labels for one in judged if one.labels is not None], classes.unknown)
        vote = judge.labels(voted, settings.edges).score
    return ItemScores(item, tuple(scored), vote), sum((one.confusion for one in judged[1:]), judged[0].confusion)


def majority(attempts: Sequence[Labels], unknown: int) -> Labels | None:
    """The label that most attempts have in each pixel, of several the earliest attempt's; unknown has no vote.

    >>> majority([np.array([[0, 1, 2]]), np.array([[0, 0, 1]]), np.array([[1, 0, 9]])], unknown=9).tolist()
    [[0, 0, 2]]
    """
    if not attempts:
        return None
    best = np.zeros(attempts[0].shape, np.uint8)
    chosen = np.full_like(attempts[0], unknown)
    for one in attempts:
        votes = np.zeros(best.shape, np.uint8)
        for other in attempts:
            votes += one == other
        better = (votes > best) & (one != unknown)
        best[better], chosen[better] = votes[better], one[better]
    return chosen


@dataclass(frozen=True, eq=False)
class _Verdict:
    score: MaskScore
    confusion: Confusion
    labels: Labels | None = None
    """At the truth's size; None for a failure."""


class _Judge:
    """One truth, and what is worked out of it once. `edges` are the widths for borders, None to do without them."""

    def __init__(self, truth: Labels, classes: Classes, photograph: Rgb | None = None) -> None:
        self.truth, self.classes, self.shape = truth, classes, (truth.shape[0], truth.shape[1])
        self.photograph = photograph
        self._unmet: dict[Widths, Borders] = {}
        everything = np.full(truth.shape, classes.unknown, classes.dtype)
        self.nothing = confusion(truth, everything, len(classes), [classes.void])
        self.has_several = int((self.nothing.counts.truth > 0).sum()) > 1

    def failed(self, failure: str, reason: str, edges: Widths | None, notes: tuple[str, ...] = ()) -> _Verdict:
        measures = measures_of_failure(edges=edges is not None)
        if edges is not None and edges not in self._unmet:
            self._unmet[edges] = self.borders(np.full(self.shape, self.classes.unknown, self.classes.dtype), edges)
        borders = None if edges is None else self._unmet[edges]
        return _Verdict(MaskScore(measures, self.nothing.counts, borders, failure, reason, notes), self.nothing)

    def came_back(self, picture: Picture, score: MaskScore) -> bool:
        """Whether a picture is the photograph; not asked of a mask that is right."""
        if self.photograph is None or score.failure or score.measures[PRIMARY] >= _RIGHT:
            return False
        pixels, _ = thinned(picture.rgba, self.shape)
        return is_photograph(pixels, self.photograph, self.truth)

    def decoded(self, found: Decoded, decoder: Decoder, edges: Widths | None) -> _Verdict:
        if not found.is_mask:
            reason = f"only {found.painted:.0%} of its pixels are in few main colours"
            return self.failed("not-a-mask", reason, edges, found.notes)
        labels, notes = labels_at(found.labels, self.shape)
        if decoder.one_colour_fails and self.has_several and int(labels.min()) == int(labels.max()):
            label = int(labels[0, 0])
            name = "of no class" if label == self.classes.unknown else repr(self.classes.names[label])
            return self.failed("one-colour", f"all of it is {name}", edges, found.notes + notes)
        return self.labels(labels, edges, found.notes + notes)

    def labels(self, labels: Labels | None, edges: Widths | None, notes: tuple[str, ...] = ()) -> _Verdict:
        """Of labels at the truth's size; None where no attempt gave any."""
        if labels is None:
            return self.failed("missing", "no attempt could be used", edges, notes)
        table = confusion(self.truth, labels, len(self.classes), [self.classes.void])
        borders = None if edges is None else self.borders(labels, edges)
        measures = measures_from_counts(table.counts, borders)
        return _Verdict(MaskScore(measures, table.counts, borders, notes=notes), table, labels)

    def borders(self, labels: Labels, edges: Widths) -> Borders:
        """The borders of labels at the truth's size against the truth's."""
        count, void = len(self.classes), [self.classes.void]
        band, contour = (width_from_share(self.shape, share) for share in (edges.band, edges.contour))
        return Borders(
            band_counts(self.truth, labels, count, band, void), contour_counts(self.truth, labels, count, contour, void)
        )


@dataclass(frozen=True, eq=False)
class _Judged:
    """One file: decoder → verdict, the size of the picture, and what was said beside."""

    verdicts: Mapping[str, _Verdict]
    size: tuple[int, int] | None = None
    ceiling: Mapping[str, float] | None = None
    why: Why | None = None


def _judged(path: Path | None, judge: _Judge, settings: Settings, explainer: Explainer | None) -> _Judged:
    """Everything about one file. Borders are measured for the primary decoder."""
    edges = {decoder.name: settings.edges if decoder is settings.primary else None for decoder in settings.decoders}

    def failed(failure: str, reason: str) -> _Judged:
        return _Judged({name: judge.failed(failure, reason, widths) for name, widths in edges.items()})

    if path is None:
        return failed("missing", "no file")
    try:
        data = read_bytes(path)
        if said := SAID.get(path.suffix.lower()):
            return failed(said, refusal_text(data))
        picture = image_from_bytes(data, f"image {path.name!r}")
    except InputError as error:
        return failed("unreadable", str(error))
    verdicts: Mapping[str, _Verdict] = {
        decoder.name: judge.decoded(
            decode_picture(picture, judge.classes, decoder, judge.shape), decoder, edges[decoder.name]
        )
        for decoder in settings.decoders
    }
    if judge.came_back(picture, verdicts[settings.primary.name].score):
        returned = failed("not-a-mask", "the photograph came back").verdicts
        asked = [decoder.name for decoder in settings.decoders if decoder.least_painted]  # whether it is a mask at all
        verdicts = {**verdicts, **{name: returned[name] for name in asked}}
    size = (picture.width, picture.height)
    if explainer is None:
        return _Judged(verdicts, size)
    way = explainer.way(data)
    top = explainer.ceiling(way) if settings.ceiling else None
    return _Judged(verdicts, size, top, explainer.why(picture, way) if settings.diagnosis else None)


def refusal_text(data: bytes) -> str:
    """What a model said when it declined, on one line, cut to its first part.

    >>> refusal_text(b"I can't\\nhelp.")
    "I can't help."
    """
    return " ".join(data[: 4 * _KEPT_TEXT].decode("utf-8", "replace").split())[:_KEPT_TEXT]
