"""The ceilings of a folder of truth masks: per image and per class, under every decoder."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pixelreef.core.colour import Floats
from pixelreef.errors import FileError, InputError
from pixelreef.masks.ceiling import Way, ceiling
from pixelreef.masks.classes import Classes
from pixelreef.masks.decoder import PROFILES
from pixelreef.masks.distributed import files_in
from pixelreef.masks.measures import measures_from_counts
from pixelreef.masks.pairs import ENDINGS
from pixelreef.masks.truth import read_truth
from pixelreef.metrics.overlap import Counts, iou
from pixelreef.report.tables import markdown_table, markdown_text

_SHOWN = {"pixel_accuracy": "accuracy", "mean_iou_union": "mIoU", "macro_f1_union": "F1"}


@dataclass(frozen=True, eq=False)
class Ceilings:
    """What perfect masks score that came one way."""

    way: Way
    images: Mapping[str, Mapping[str, Mapping[str, float]]]
    """Item → decoder → measure → value."""
    classes: Mapping[str, Mapping[str, float]]
    """Class → decoder → IoU, all images as one picture; NaN for a class that is in none."""
    unread: Mapping[str, str]
    """Items that can't be read → why."""

    def mean(self, decoder: str, measure: str) -> float:
        """Over images."""
        values = [one[decoder][measure] for one in self.images.values()]
        return math.fsum(values) / len(values)

    def record(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "way": self.way.words,
            "mean": {decoder: {name: _plain(self.mean(decoder, name)) for name in _SHOWN} for decoder in PROFILES},
            "images": {
                item: {
                    decoder: {name: _plain(value) for name, value in found.items()} for decoder, found in one.items()
                }
                for item, one in self.images.items()
            },
            "classes": {
                name: {decoder: _plain(value) for decoder, value in one.items()} for name, one in self.classes.items()
            },
            "unread": dict(self.unread),
        }

    def text(self) -> str:
        """Two tables in Markdown."""
        head = [f"{title}, {decoder}" for decoder in PROFILES for title in _SHOWN.values()]
        rows = [
            [item, *(_figure(one[decoder][name]) for decoder in PROFILES for name in _SHOWN)]
            for item, one in self.images.items()
        ]
        rows.append(["mean", *(_figure(self.mean(decoder, name)) for decoder in PROFILES for name in _SHOWN)])
        first = markdown_table(["image", *head], [False, *[True] * len(head)], _safe(rows))
        there = [(name, one) for name, one in self.classes.items() if not math.isnan(next(iter(one.values())))]
        second = markdown_table(
            ["class", *(f"IoU, {decoder}" for decoder in PROFILES)],
            [False, *[True] * len(PROFILES)],
            _safe([[name, *(_figure(one[decoder]) for decoder in PROFILES)] for name, one in there]),
        )
        left = "".join(f"not read: {item}: {why}\n" for item, why in self.unread.items())
        return f"The truth, come as: {self.way.words}\n\n{first}\n{second}{left}"


def ceilings(
    truth: Path, classes: Classes, way: Way | None = None, progress: Callable[[int, int], None] | None = None
) -> Ceilings:
    """Work out the ceilings of every mask of a folder."""
    files = files_in(truth, *ENDINGS)
    if not files:
        raise FileError(f"folder {str(truth)!r}", "hold truth masks", "none", verbatim=True)
    whole = {name: Counts.none(len(classes)) for name in PROFILES}
    images: dict[str, dict[str, dict[str, float]]] = {}
    unread: dict[str, str] = {}
    for done, (item, path) in enumerate(files.items()):
        if progress:
            progress(done, len(files))
        try:
            labels = read_truth(path, classes).labels
        except InputError as error:
            unread[item] = str(error)
            continue
        images[item] = {}
        for name, decoder in PROFILES.items():
            counts = ceiling(labels, classes, way, decoder)
            whole[name] += counts
            images[item][name] = measures_from_counts(counts)
    if not images:
        raise InputError("truth masks", "be readable", "none that is", f"The first: {next(iter(unread.values()))}")
    of_class: dict[str, Floats] = {name: iou(counts) for name, counts in whole.items()}
    by_class = {
        one: {name: float(values[label]) for name, values in of_class.items()}
        for label, one in enumerate(classes.names)
    }
    return Ceilings(way or Way(), images, by_class, unread)


def _safe(rows: list[list[str]]) -> list[list[str]]:
    return [[markdown_text(row[0]), *row[1:]] for row in rows]


def _figure(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}"


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else value
