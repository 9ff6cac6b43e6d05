"""Controls: entrants made from the truth, so that a board explains itself.

    for control in CONTROLS.values():
        data, ending = control_file(control, exhibit, seed=0, number=12)

Each shows what one virtue or one fault is worth, on this data set, under this decoder. They are no competitors: all but
`photograph`, `blank` and `noise` have seen the truth. The floor that really predicts is `segmenter`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pixelreef.core.colour import oklab_from_rgb
from pixelreef.core.seeds import rng
from pixelreef.errors import InputError
from pixelreef.masks import faults
from pixelreef.masks.classes import Classes
from pixelreef.masks.exhibit import Exhibit
from pixelreef.masks.render import Rgb, rgb_from_labels
from pixelreef.masks.soften import Jpeg, jpeg_from_rgb, png_from_rgb, softened, through_jpeg

Maker = Callable[[Exhibit, np.random.Generator], Rgb]

SHIFT = 2  # pixels to the right and down
OPACITY = 0.5
LINE = 3  # pixels
SWATCH = 32  # of them along the longer side
_APART = 0.15  # of own colours from every class, in OKLab: beyond what `robust` takes for a class


@dataclass(frozen=True)
class Control:
    """An entrant that the truth, and for some the photograph, is enough for."""

    name: str
    shows: str
    """In one line."""
    make: Maker
    jpeg: Jpeg | None = None
    """How its file is saved; None: as PNG."""
    needs_photograph: bool = False
    needs_sides: bool = False
    """Whether it is the same as the truth where no class has a left or right partner."""


def control(name: str) -> Control:
    """A control by its name.

    >>> control("shifted").shows
    'Truth moved 2 pixels right and down: what a small misalignment costs.'
    """
    if name not in CONTROLS:
        raise InputError("control", f"be one of {', '.join(CONTROLS)}", name)
    return CONTROLS[name]


def control_picture(control: Control, exhibit: Exhibit, seed: int = 0, number: int = 0) -> Rgb:
    """What a decoder sees of a control's answer to item `number`, (H, W, 3) bytes. The same seed, the same bytes."""
    rgb = control.make(exhibit, rng(seed, "masks", "control", control.name, number))
    return through_jpeg(rgb, control.jpeg) if control.jpeg else rgb


def control_file(control: Control, exhibit: Exhibit, seed: int = 0, number: int = 0) -> tuple[bytes, str]:
    """The same as a file, and its ending."""
    rgb = control.make(exhibit, rng(seed, "masks", "control", control.name, number))
    return (jpeg_from_rgb(rgb, control.jpeg), ".jpg") if control.jpeg else (png_from_rgb(rgb), ".png")


def own_colours(classes: Classes, random: np.random.Generator) -> Rgb:
    """(classes, 3): as many colours, none of which can be taken for a class's, as far apart as chance has them."""
    tries = random.integers(0, 256, (4096, 3), np.uint8)
    lab = oklab_from_rgb(tries)
    apart = np.full(len(tries), np.inf)
    for colour in oklab_from_rgb(classes.rgb):
        apart = np.minimum(apart, np.sqrt(((lab - colour) ** 2).sum(axis=1)))
    least = min(_APART, float(np.quantile(apart, 0.9)))  # with hundreds of classes no colour is far from all
    tries, lab = tries[apart >= least], lab[apart >= least]
    chosen = [0]
    nearest = ((lab - lab[0]) ** 2).sum(axis=1)
    while len(chosen) < len(classes):
        chosen.append(int(nearest.argmax()))
        nearest = np.minimum(nearest, ((lab - lab[chosen[-1]]) ** 2).sum(axis=1))
    return tries[chosen]


def derangement(labels: list[int], random: np.random.Generator) -> dict[int, int]:
    """Every label mapped to another of them, in one cycle; one alone stays."""
    order = [int(label) for label in random.permutation(labels)]
    return dict(zip(order, [*order[1:], order[0]], strict=True)) if order else {}


def half(labels: list[int]) -> list[int]:
    """The smaller half of the classes, the largest first in `labels`; at least one stays."""
    return labels[(len(labels) + 1) // 2 :]


def _truth(exhibit: Exhibit, _: np.random.Generator) -> Rgb:
    return rgb_from_labels(exhibit.truth, exhibit.classes)


def _softened(exhibit: Exhibit, random: np.random.Generator) -> Rgb:
    return softened(_truth(exhibit, random))


def _shifted(exhibit: Exhibit, _: np.random.Generator) -> Rgb:
    return rgb_from_labels(faults.shifted(exhibit.truth, SHIFT, SHIFT), exhibit.classes)


def _swapped(exhibit: Exhibit, _: np.random.Generator) -> Rgb:
    return rgb_from_labels(faults.sides_swapped(exhibit.truth, exhibit.classes), exhibit.classes)


def _permuted(exhibit: Exhibit, random: np.random.Generator) -> Rgb:
    names = derangement(faults.present(exhibit.truth, exhibit.classes), random)
    return rgb_from_labels(faults.renamed(exhibit.truth, names), exhibit.classes)


def _half_missing(exhibit: Exhibit, _: np.random.Generator) -> Rgb:
    dropped = half(faults.present(exhibit.truth, exhibit.classes))
    return rgb_from_labels(faults.without(exhibit.truth, dropped), exhibit.classes)


def _own_colours(exhibit: Exhibit, random: np.random.Generator) -> Rgb:
    return faults.recoloured(exhibit.truth, own_colours(exhibit.classes, random))


def _legend(exhibit: Exhibit, _: np.random.Generator) -> Rgb:
    return faults.with_legend(exhibit, max(exhibit.truth.shape) // SWATCH)


def _blank(exhibit: Exhibit, _: np.random.Generator) -> Rgb:
    return np.broadcast_to(exhibit.classes.rgb[0], (*exhibit.truth.shape, 3)).copy()


def _noise(exhibit: Exhibit, random: np.random.Generator) -> Rgb:
    return faults.noise(random, (exhibit.truth.shape[0], exhibit.truth.shape[1]), exhibit.classes.rgb)


CONTROLS = {
    one.name: one
    for one in (
        Control("truth", "Truth in hard edges, as PNG: 1 under any decoder that can tell the colours apart.", _truth),
        Control("softened", "Truth with soft edges: what anti-aliasing costs under this decoder.", _softened),
        Control("jpeg-95", "Truth as JPEG 95, 4:2:0: what a good JPEG costs.", _truth, Jpeg(95)),
        Control("jpeg-75", "Truth as JPEG 75, 4:2:0: what a common JPEG costs.", _truth, Jpeg(75)),
        Control(
            "shifted",
            f"Truth moved {SHIFT} pixels right and down: what a small misalignment costs.",
            _shifted,
        ),
        Control("swapped", "Left and right exchanged in every pair of classes.", _swapped, needs_sides=True),
        Control("permuted", "Right regions, every class under the name of another in the picture.", _permuted),
        Control(
            "half-missing", "The smaller half of the classes left out, their neighbours in their place.", _half_missing
        ),
        Control("own-colours", "Right regions in colours that nobody asked for.", _own_colours),
        Control(
            "painted-over",
            f"Truth laid over the photograph, {OPACITY:.0%} opaque: the right idea as the wrong picture.",
            lambda exhibit, _: faults.painted_over(exhibit, OPACITY),
            needs_photograph=True,
        ),
        Control(
            "outlines",
            "Only the borders, in class colours on black.",
            lambda exhibit, _: faults.outlined(exhibit, LINE),
        ),
        Control("legend", "Truth with a legend drawn into it.", _legend),
        Control(
            "photograph",
            "The photograph returned as it was.",
            lambda exhibit, _: faults.photograph_of(exhibit),
            needs_photograph=True,
        ),
        Control("blank", "The first class everywhere.", _blank),
        Control("noise", "A random class in every pixel.", _noise),
    )
}
"""In the order of a board's explanation."""
