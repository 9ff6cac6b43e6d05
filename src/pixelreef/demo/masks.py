"""The masks' part of the demo: what single faults cost, on the two datasets that are made from a seed.

No model is asked. Entrants are made from the truth (a shift, sides swapped, half the classes gone, the photograph)
and a classical segmenter really predicts; whatever a board says of models can be read against these. One image of each
dataset is shown, with the reason that the diagnosis gives for each mask.
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
from pixelreef.masks.known import png_from_indices
from pixelreef.masks.measures import PRIMARY
from pixelreef.masks.pairs import pair
from pixelreef.masks.report.analysis import analyse
from pixelreef.masks.report.pictures import Album
from pixelreef.masks.report.sections import compact_section
from pixelreef.masks.score import Scores, score_pairing
from pixelreef.report import Section

DATASETS = {"reef-parts": "Masks: one creature, its parts", "reef-scenes": "Masks: scenes, their classes"}
ITEMS = 3
SIZE = 256
LEARNT_FROM = 6  # pictures, by the segmenter
CONTROLS = ("truth", "softened", "shifted", "swapped", "half-missing", "painted-over", "photograph", "noise", SEGMENTER)
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
        found = analyse(scores, list(scores.entrants), seed)
        album = Album(found, scores.photographs, {})
        section = compact_section(album, scores.items[:1], f"masks-{name}", DATASETS[name], _WORDS)
    return ControlBoard(name, section, {one.name: one.measures[PRIMARY].mean for one in found.everyone})


def _scored(made: MadeDataset, folder: Path, seed: int) -> Scores:
    """All items; of the first one it is also said why each mask is wrong, which takes ten times as long."""
    exhibits = {item.id: exhibit_from_item(item, made.classes) for item in made.items(n=ITEMS, seed=seed).items}
    photographs = {}
    for item, exhibit in exhibits.items():
        write_bytes(folder / "truth" / f"{item}.png", png_from_indices(exhibit.truth, made.classes))
        assert exhibit.photograph is not None
        photographs[item] = write_bytes(folder / "images" / f"{item}.png", png_from_rgba(exhibit.photograph))
    write_controls(exhibits.items(), folder / "controls", seed, CONTROLS, fitted_on_others(made, seed, LEARNT_FROM))
    pairing = pair(folder / "controls", folder / "truth")
    settings = Settings(edges=None, ceiling=True)
    scores = score_pairing(pairing, made.classes, settings, photographs=photographs)
    first = replace(pairing, truth=dict([next(iter(pairing.truth.items()))]))
    examined = score_pairing(first, made.classes, replace(settings, diagnosis=True), photographs=photographs)
    entrants = {name: [*examined.entrants[name], *each[1:]] for name, each in scores.entrants.items()}
    return replace(scores, entrants=entrants)
