"""From folders and a few wishes to scores: what `pixelreef masks score` does before anything is shown.

    done = evaluate(Wanted(Path("predictions"), Path("truth"), Path("classes.json"), controls=True), out=Path("report"))
    write_report(done.scores, Path("report"), controls=done.controls)

Controls are written to `out/controls`, the truth and photographs of a known dataset to `out/dataset`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from pixelreef.errors import InputError
from pixelreef.masks.classes import Classes, read_classes
from pixelreef.masks.control_entrants import with_controls
from pixelreef.masks.datasets import dataset
from pixelreef.masks.distributed import files_in
from pixelreef.masks.find import find_dataset
from pixelreef.masks.item import Settings
from pixelreef.masks.known import write_chosen, write_items
from pixelreef.masks.pairs import ENDINGS, Pairing, pair
from pixelreef.masks.score import Scores, score_pairing

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is, and of how much."""


@dataclass(frozen=True)
class Wanted:
    """What is to be scored. Truth and classes are given, or a known dataset is."""

    predictions: Path
    truth: Path | None = None
    classes: Path | None = None
    dataset: str | None = None
    images: Path | None = None
    match: str | None = None
    jobs: int = 1
    controls: bool = False
    diagnosis: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        if self.dataset is None and (self.truth is None or self.classes is None):
            missing = "TRUTH_DIR" if self.truth is None else "--classes"
            todo = "Give the folder of truth masks and a class file, or the name of a known dataset."
            raise InputError(missing, "be given, or --dataset", "neither", todo, verbatim=True)


@dataclass(frozen=True, eq=False)
class Evaluated:
    """Scores, and which of the entrants are controls."""

    scores: Scores
    controls: list[str]


def evaluate(wanted: Wanted, out: Path, progress: Progress | None = None) -> Evaluated:
    """Pair, add controls where wanted, and score; ceilings are always worked out."""
    tell = progress or (lambda what, done, of: None)
    found = _material(wanted, out, tell)
    pairing = pair(wanted.predictions, found.truth, wanted.match)
    controls: list[str] = []
    if wanted.controls:
        told = partial(tell, "making controls")
        pairing, controls = with_controls(
            pairing, found.classes, found.photographs, out / "controls", wanted.seed, told
        )
    settings = Settings(ceiling=True, diagnosis=wanted.diagnosis)
    told = partial(tell, "scoring")
    scores = score_pairing(pairing, found.classes, settings, wanted.jobs, told, found.photographs)
    return Evaluated(replace(scores, unscored={**found.unread, **scores.unscored}), controls)


def evaluate_controls(
    name: str,
    out: Path,
    *,
    root: Path | None = None,
    n: int | None = None,
    size: int | None = None,
    jobs: int = 1,
    diagnosis: bool = True,
    seed: int = 0,
    progress: Progress | None = None,
) -> Evaluated:
    """Score the controls alone on items of a dataset: what a virtue or a fault is worth there, whoever is asked."""
    tell = progress or (lambda what, done, of: None)
    known = find_dataset(name, size)
    folder = out / "dataset"
    items = known.items(root, n, seed).items
    unread = write_chosen(known, items, folder, partial(tell, "reading the dataset"))
    classes = replace(known.classes, truth="index")
    photographs = files_in(folder / "photographs", *ENDINGS)
    pairing = Pairing(files_in(folder / "truth", ".png"), {}, ())
    told = partial(tell, "making controls")
    pairing, controls = with_controls(pairing, classes, photographs, out / "controls", seed, told)
    settings, told = Settings(ceiling=True, diagnosis=diagnosis), partial(tell, "scoring")
    scores = score_pairing(pairing, classes, settings, jobs, told, photographs)
    return Evaluated(replace(scores, unscored={**unread, **scores.unscored}), controls)


@dataclass(frozen=True, eq=False)
class _Material:
    """The folder of truth, item → photograph, the classes, and items of a dataset that can't be read → why."""

    truth: Path
    photographs: Mapping[str, Path]
    classes: Classes
    unread: Mapping[str, str] = field(default_factory=dict)


def _material(wanted: Wanted, out: Path, tell: Progress) -> _Material:
    given = files_in(wanted.images, *ENDINGS) if wanted.images else {}
    if wanted.dataset is None:
        assert wanted.truth is not None
        assert wanted.classes is not None
        return _Material(wanted.truth, given, read_classes(wanted.classes))
    known = dataset(wanted.dataset)
    folder = out / "dataset"
    told = partial(tell, "reading the dataset")
    unread = write_items(known, wanted.predictions, wanted.truth, wanted.match, folder, told)
    classes = replace(read_classes(wanted.classes) if wanted.classes else known.classes, truth="index")
    photographs = given or files_in(folder / "photographs", *ENDINGS)
    return _Material(folder / "truth", photographs, classes, unread)
