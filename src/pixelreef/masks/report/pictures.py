"""The pictures of a report: files are read and decoded once more, one image at a time, for those that are shown.

A row holds the photograph, the truth and every entrant: labels as decoded, an overlay of what is wrong, and the picture
as it was returned. Of several attempts the first few are shown. A file that is gone has no picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pixelreef.core.files import read_bytes
from pixelreef.core.images import image_from_bytes
from pixelreef.errors import InputError
from pixelreef.masks.control_entrants import sized
from pixelreef.masks.decode import decode, labels_at, thinned
from pixelreef.masks.diagnosis.overlay import overlay
from pixelreef.masks.distributed import photograph_from_file
from pixelreef.masks.explain import Why
from pixelreef.masks.item import AttemptScore
from pixelreef.masks.measures import PRIMARY
from pixelreef.masks.pairs import SAID
from pixelreef.masks.render import Rgb
from pixelreef.masks.report.analysis import Analysis, Entrant
from pixelreef.masks.report.choice import Chosen
from pixelreef.masks.report.thumbs import Inks, inks, label_png, photo_jpeg, small_shape
from pixelreef.masks.truth import read_truth
from pixelreef.metrics.overlap import Labels
from pixelreef.report import Lined, Lineup, Pane, View

SHOWN_ATTEMPTS = 3
"""Of an entrant at one image; images.csv has all."""
SHOWN_TEXT = 4000
"""Characters of what a model said."""
OVERLAY, RETURNED = "overlay", "as returned"
_NO_WHY = Why("", "", 0.0, {}, {})

Texts = Mapping[tuple[str, str, int], str]
"""(entrant, item, attempt) → what a model said beside its picture."""


@dataclass(frozen=True, eq=False)
class Album:
    """Makes rows of pictures of scored masks."""

    found: Analysis
    photographs: Mapping[str, Path]
    texts: Texts

    @cached_property
    def inks(self) -> Inks:
        return inks(self.found.scores.classes)

    def lineup(self, rows: list[Lined]) -> Lineup:
        return Lineup(rows, self.inks.names)

    def row(self, chosen: Chosen) -> Lined | None:
        """An image with everyone's answer; None where its truth can't be read any more."""
        everyone = (*self.found.entrants, *self.found.controls)
        attempts = [(one, attempt) for one in everyone for attempt in self._attempts(one, chosen.item)]
        figure = "" if chosen.figure is None else f"mIoU {chosen.figure:.3f}"
        return self._row(chosen.item, attempts, figure, chosen.kinds)

    def single(self, one: Entrant, attempt: AttemptScore, caption: str, tag: str) -> Lined | None:
        """An image with one answer."""
        return self._row(attempt.item, [(one, attempt)], caption, (tag,))

    def returned(self, one: Entrant, attempt: AttemptScore) -> Rgb | None:
        """The picture of an attempt as it came, (H, W, 4); None where there is none."""
        path = self._path(one, attempt)
        if path is None or path.suffix.lower() in SAID:
            return None
        try:
            return image_from_bytes(read_bytes(path), path.name).rgba
        except InputError:
            return None

    def said(self, one: Entrant, attempt: AttemptScore) -> str:
        """What a model said beside its picture, cut."""
        words = self.texts.get((one.name, attempt.item, attempt.attempt), "")
        return words if len(words) <= SHOWN_TEXT else f"{words[:SHOWN_TEXT]}… ({len(words):,} characters)"

    def _attempts(self, one: Entrant, item: str) -> Iterator[AttemptScore]:
        place = self.found.scores.items.index(item)
        yield from one.standing.items[place].attempts[:SHOWN_ATTEMPTS]

    def _row(
        self, item: str, attempts: list[tuple[Entrant, AttemptScore]], caption: str, tags: tuple[str, ...]
    ) -> Lined | None:
        try:
            truth = read_truth(self.found.scores.pairing.truth[item], self.found.scores.classes).labels
        except InputError:
            return None
        shape = small_shape(truth.shape)
        photograph = self._photograph(item, truth)
        panes = [] if photograph is None else [Pane("photograph", View(photo_jpeg(photograph, shape)))]
        panes.append(Pane("truth", View(label_png(truth, self.inks), labels=True)))
        panes += [self._pane(one, attempt, truth, photograph) for one, attempt in attempts]
        return Lined(item, panes, truth.shape[1] / truth.shape[0], caption, tags)

    def _photograph(self, item: str, truth: Labels) -> Rgb | None:
        if item not in self.photographs:
            return None
        try:
            return sized(photograph_from_file(self.photographs[item]), (truth.shape[0], truth.shape[1]))
        except InputError:
            return None

    def _pane(self, one: Entrant, attempt: AttemptScore, truth: Labels, photograph: Rgb | None) -> Pane:
        score = attempt.scores[self.found.decoders[0]]
        name = one.name if one.standing.most_attempts == 1 else f"{one.name} · {attempt.attempt}"
        said = self.said(one, attempt)
        rgba = self.returned(one, attempt)
        shape = small_shape(truth.shape)
        if score.failure is not None or rgba is None:
            shown = None if rgba is None else View(photo_jpeg(rgba, shape))
            words = f"{score.failure or 'gone'}: {score.reason}" if score.reason else str(score.failure)
            return Pane(name, shown, words[:160], apart=one.is_control, detail=said)
        labels = self._labels(one, rgba, truth)
        why = attempt.why or _NO_WHY
        over = overlay(why.with_labels(labels), truth, self.found.scores.classes, photograph)
        figure = score.measures[PRIMARY]
        caption = f"{figure:.3f}" + (f" · {why.words}" if why.words else "")
        views = {OVERLAY: View(photo_jpeg(over, shape)), RETURNED: View(photo_jpeg(rgba, shape))}
        return Pane(name, View(label_png(labels, self.inks), labels=True), caption, views, one.is_control, said)

    def _labels(self, one: Entrant, rgba: Rgb, truth: Labels) -> Labels:
        scores, shape = self.found.scores, (truth.shape[0], truth.shape[1])
        found = decode(thinned(rgba, shape)[0], scores.classes_of(one.name), scores.settings.primary)
        return labels_at(found.labels, shape)[0]

    def _path(self, one: Entrant, attempt: AttemptScore) -> Path | None:
        files = self.found.scores.pairing.entrants.get(one.name, {})
        return files.get(attempt.item, {}).get(attempt.attempt)
