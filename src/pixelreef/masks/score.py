"""Scoring folders of masks: predictions of one or more entrants against truth, in one process or several.

Nothing is averaged here; `standings` does that. A truth mask that can't be read is nobody's fault: its item is left out
and listed. An entrant's attempts are all that it has for any item; where one lacks a file it is missing, and scores 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from pixelreef.errors import InputError
from pixelreef.masks.classes import Classes, read_classes
from pixelreef.masks.distributed import photograph_from_file
from pixelreef.masks.explain import Explainer
from pixelreef.masks.item import ItemScores, Settings, score_item
from pixelreef.masks.pairs import Pairing, Path_, pair
from pixelreef.masks.render import Rgb
from pixelreef.masks.truth import read_truth
from pixelreef.metrics.overlap import Confusion

MAX_JOBS = 64

Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Scores:
    """What scoring folders gave."""

    classes: Classes
    settings: Settings
    items: tuple[str, ...]
    """That were scored."""
    entrants: Mapping[str, Sequence[ItemScores]]
    """Each in the order of the items."""
    confusions: Mapping[str, Confusion]
    """Entrant → pixels of all its attempts under the primary decoder; those of a failure are unknown."""
    unscored: Mapping[str, str]
    """Items whose truth can't be read → why."""
    notes: Mapping[str, tuple[str, ...]]
    """Item → what was done to read its truth, where anything was."""
    pairing: Pairing
    photographs: Mapping[str, Path] = field(default_factory=dict)
    """Item → its photograph, where there is one."""
    own_classes: Mapping[str, Classes] = field(default_factory=dict)
    """Entrant → the same classes in the colours that it was given, where those are others."""

    def classes_of(self, entrant: str) -> Classes:
        """The classes in the colours that an entrant was to paint."""
        return self.own_classes.get(entrant, self.classes)


def score_folders(
    predictions: Path_,
    truth: Path_,
    classes: Classes,
    settings: Settings | None = None,
    match: str | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    photographs: Mapping[str, Path] | None = None,
) -> Scores:
    """Score a folder of predictions, or of entrants, against a folder of truth. The same for any number of jobs."""
    pairing = pair(predictions, truth, match)
    return score_pairing(pairing, classes, settings or Settings(), jobs, progress, photographs)


def score_pairing(
    pairing: Pairing,
    classes: Classes,
    settings: Settings,
    jobs: int = 1,
    progress: Progress | None = None,
    photographs: Mapping[str, Path] | None = None,
) -> Scores:
    """Score what is already paired; `progress` is told how many items are done, and of how many.

    With photographs it is seen whether one came back, which is a failure, and by the diagnosis whether one was painted
    over.
    """
    if not 1 <= jobs <= MAX_JOBS:
        raise InputError("--jobs", f"be from 1 to {MAX_JOBS}", jobs)
    own = {name: _recoloured(classes, path) for name, path in pairing.classes.items()}
    photographs = {item: path for item, path in (photographs or {}).items() if item in pairing.truth}
    work = _work(pairing, photographs)
    kept: dict[str, list[ItemScores]] = {name: [] for name in pairing.entrants}
    confusions: dict[str, Confusion] = {}
    unscored: dict[str, str] = {}
    notes: dict[str, tuple[str, ...]] = {}
    for done, (one, result) in enumerate(zip(work, _results(work, classes, own, settings, jobs), strict=True), 1):
        if isinstance(result, str):
            unscored[one.item] = result
        else:
            for name, (scores, table) in result.entrants.items():
                kept[name].append(scores)
                confusions[name] = confusions[name] + table if name in confusions else table
            if result.notes:
                notes[one.item] = result.notes
        if progress:
            progress(done, len(work))
    items = tuple(one.item for one in work if one.item not in unscored)
    if not items:
        raise InputError("truth masks", "be readable", "none that is", f"The first: {next(iter(unscored.values()))}")
    return Scores(classes, settings, items, kept, confusions, unscored, notes, pairing, photographs, own)


def _recoloured(classes: Classes, path: Path) -> Classes:
    """The classes in the colours of an entrant's own file, which must name the same ones."""
    own = read_classes(path)
    if own.names != classes.names:
        differs = next((name for name in own.names if name not in classes.names), "fewer, or in another order")
        raise InputError(f"classes {str(path)!r}", "name the classes of the truth, in their order", differs)
    colours = {one.name: one.colour for one in own.scored}
    return replace(classes, classes=tuple(replace(c, colour=colours.get(c.name, c.colour)) for c in classes.classes))


@dataclass(frozen=True)
class _Work:
    """One item: its truth, and for each entrant the file of every attempt."""

    item: str
    truth: Path
    files: Mapping[str, Mapping[int, Path | None]]
    photograph: Path | None


@dataclass(frozen=True, eq=False)
class _Result:
    entrants: Mapping[str, tuple[ItemScores, Confusion]]
    notes: tuple[str, ...]


def _work(pairing: Pairing, photographs: Mapping[str, Path]) -> list[_Work]:
    attempts = {
        name: sorted({attempt for files in items.values() for attempt in files})
        for name, items in pairing.entrants.items()
    }
    return [
        _Work(
            item,
            path,
            {
                name: {attempt: items.get(item, {}).get(attempt) for attempt in attempts[name]}
                for name, items in pairing.entrants.items()
            },
            photographs.get(item),
        )
        for item, path in pairing.truth.items()
    ]


def _results(
    work: Sequence[_Work], classes: Classes, own: Mapping[str, Classes], settings: Settings, jobs: int
) -> Iterator[_Result | str]:
    one = partial(_result, classes=classes, own=own, settings=settings)
    if jobs == 1:
        yield from map(one, work)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # A fresh interpreter for each: a fork of a process that runs threads may hang.
    with ProcessPoolExecutor(min(jobs, len(work)), get_context("spawn")) as pool:
        yield from pool.map(one, work, chunksize=max(1, min(8, len(work) // (4 * jobs))))


def _result(work: _Work, classes: Classes, own: Mapping[str, Classes], settings: Settings) -> _Result | str:
    """The scores of every entrant, or why the truth can't be read."""
    try:
        truth = read_truth(work.truth, classes)
    except InputError as error:
        return str(error)
    explainers: dict[str, Explainer] = {}  # by colours: a ceiling depends on them
    photograph = _photograph(work)
    if settings.ceiling or settings.diagnosis:
        plain = Explainer(truth.labels, classes, settings.primary, photograph)
        explainers = {
            name: Explainer(truth.labels, own[name], settings.primary, photograph) if name in own else plain
            for name in work.files
        }
    scores = {
        name: score_item(
            work.item, truth.labels, files, own.get(name, classes), settings, explainers.get(name), photograph
        )
        for name, files in work.files.items()
    }
    return _Result(scores, truth.notes)


def _photograph(work: _Work) -> Rgb | None:
    """The photograph of an item; one that can't be read is none."""
    if work.photograph is None:
        return None
    try:
        return photograph_from_file(work.photograph)
    except InputError:
        return None
