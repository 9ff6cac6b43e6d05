"""The masks' part of the demo: what single faults cost, on the two datasets that are made from a seed.

No model is asked. Entrants are made from the truth (a shift, sides swapped, half the classes gone, the photograph)
and a classical segmenter really predicts; whatever a board says of models can be read against these. One image of each
dataset is shown; for the creature, which has a left and a right, with the reason that the diagnosis gives for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from pixelreef.core.files import write_bytes
from pixelreef.core.render import png_from_rgba
from pixelreef.masks.control_board import SEGMENTER, fitted_on_others, write_controls
from pixelreef.masks.dataset import MadeDataset
from pixelreef.masks.datasets import dataset
from pixelreef.masks.exhibit import exhibit_from_item
from pixelreef.masks.item import Settings
from pixelreef.masks.known import indices_from_labels
from pixelreef.masks.measures import PRIMARY
from pixelreef.masks.pairs import pair
from pixelreef.masks.report.analysis import analyse
from pixelreef.masks.report.pictures import Album
from pixelreef.masks.report.sections import compact_section
from pixelreef.masks.score import Scores, score_pairing
from pixelreef.masks.truth import png_from_labels
from pixelreef.report import Section

DATASETS = {"reef-parts": "Masks: one creature, its parts", "reef-scenes": "Masks: scenes, their classes"}
ITEMS = 3
SIZE = 256
LEARNT_FROM = 6  # pictures, by the segmenter
CONTROLS = ("truth", "softened", "shifted", "swapped", "half-missing", "painted-over", "photograph", "noise", SEGMENTER)
_SETTINGS = Settings(edges=None, ceiling=True)
_WORDS = (
    "A model would be given the picture and a colour for each class, and paint the mask. Here masks are made from the "
    "truth, each with one fault, so that the board explains itself; none is ranked. mIoU: the mean over images of the "
    "mean IoU over the classes of truth and prediction, decoder robust, failures 0."
)


@dataclass(frozen=True)
class ControlBoard:
    """A section for the page, and control → mIoU, the mean over images."""

    dataset: str
    section: Section
    figures: Mapping[str, float | None]


def control_board(name: str, seed: int = 0) -> ControlBoard:
    """Make the controls of a dataset, score them, and show one image."""
    made = dataset(name)
    assert isinstance(made, MadeDataset)
    with TemporaryDirectory() as folder:
        scores = _scored(made.sized(SIZE), Path(folder), seed)
        shown = scores.items[0]
        if "swapped" in scores.entrants:
            shown = _sided(scores)
            scores = _examined(scores, shown)
        found = analyse(scores, list(scores.entrants), seed)
        album = Album(found, scores.photographs, {})
        section = compact_section(album, [shown], f"masks-{name}", DATASETS[name], _WORDS)
    return ControlBoard(name, section, {one.name: one.measures[PRIMARY].mean for one in found.everyone})


def _scored(made: MadeDataset, folder: Path, seed: int) -> Scores:
    exhibits = {item.id: exhibit_from_item(item, made.classes) for item in made.items(n=ITEMS, seed=seed).items}
    photographs = {}
    for item, exhibit in exhibits.items():
        write_bytes(folder / "truth" / f"{item}.png", png_from_labels(indices_from_labels(exhibit.truth, made.classes)))
        assert exhibit.photograph is not None
        photographs[item] = write_bytes(folder / "images" / f"{item}.png", png_from_rgba(exhibit.photograph))
    names = [name for name in CONTROLS if name != "swapped" or any(one.partner for one in made.classes.scored)]
    write_controls(exhibits.items(), folder / "controls", seed, names, fitted_on_others(made, seed, LEARNT_FROM))
    pairing = pair(folder / "controls", folder / "truth")
    return score_pairing(pairing, made.classes, _SETTINGS, photographs=photographs)


def _sided(scores: Scores) -> str:
    """The item on which sides that are swapped cost most."""
    each = {one.item: one.attempts[0].scores["robust"].measures[PRIMARY] for one in scores.entrants["swapped"]}
    return min(each, key=lambda item: each[item])


def _examined(scores: Scores, item: str) -> Scores:
    """The same scores, with the reason why each mask of one item is wrong: of all it would take too long here."""
    only = replace(scores.pairing, truth={item: scores.pairing.truth[item]})
    settings = replace(_SETTINGS, diagnosis=True)
    found = score_pairing(only, scores.classes, settings, photographs=scores.photographs).entrants
    place = scores.items.index(item)
    entrants = {name: [*each[:place], *found[name], *each[place + 1 :]] for name, each in scores.entrants.items()}
    return replace(scores, entrants=entrants)
