"""Faults planted on purpose, with parameters drawn at random: what the diagnosis is tried on.

    plant("shifted", exhibit, random)       a picture with that fault, or None where the exhibit can't show it
    trial(exhibits, count=200, seed=1)      planted × named, as counts
    python -m pixelreef.masks.diagnosis.planted reef-parts 200 > table.md

An exhibit can't show a fault that costs it less than `COSTS` points: a symmetric mask flipped is still right. About
half of all plants come with soft edges, or as JPEG, or both, as masks do.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from pixelreef.core.seeds import rng
from pixelreef.masks import faults
from pixelreef.masks.classes import Classes
from pixelreef.masks.controls import derangement, own_colours
from pixelreef.masks.dataset import MadeDataset
from pixelreef.masks.datasets import dataset
from pixelreef.masks.diagnosis.diagnose import diagnose
from pixelreef.masks.diagnosis.findings import FAMILIES
from pixelreef.masks.diagnosis.honest import honest_mask
from pixelreef.masks.diagnosis.nulls import Nulls
from pixelreef.masks.diagnosis.points import points, table_of
from pixelreef.masks.exhibit import Exhibit, exhibit_of
from pixelreef.masks.render import Rgb, rgb_from_labels
from pixelreef.masks.soften import Jpeg, softened, through_jpeg
from pixelreef.metrics.overlap import Labels

COSTS = 2.0  # points
_LEGEND = 4  # classes in a picture whose legend has three swatches that can be seen on the ground
KINDS = ("clean", "region", *FAMILIES)
"""What can be planted: nothing, honest errors, and every fault with a name."""
_CORNERS: tuple[faults.Corner, ...] = ("top left", "top right", "bottom left", "bottom right")

TRIAL_SEED = 9_000_011  # of exhibits and faults; calibration has another, and nothing was tuned on this one

Exhibits = Callable[[int], Exhibit]
"""Number → an exhibit, for numbers as large as one likes."""


def plant(kind: str, exhibit: Exhibit, random: np.random.Generator) -> Rgb | None:
    """A picture of one of `KINDS`, or None where the exhibit can't show it."""
    if kind in _LABELS:
        labels = _LABELS[kind](exhibit.truth, exhibit.classes, random)
        lost = 100 - points(table_of(exhibit.truth, labels, exhibit.classes))
        if kind != "clean" and lost < COSTS:
            return None
        return sent_somehow(rgb_from_labels(labels, exhibit.classes), random)
    if kind == "legend" and len(faults.present(exhibit.truth, exhibit.classes)) < _LEGEND:
        return None
    rgb = _PICTURES[kind](exhibit, random)
    return rgb if kind == "noise" else sent_somehow(rgb, random)


def sent_somehow(rgb: Rgb, random: np.random.Generator) -> Rgb:
    """As it is for half of all, else with soft edges, as JPEG, or both."""
    way = int(random.integers(6))
    if way in (3, 5):
        rgb = softened(rgb)
    if way in (4, 5):
        rgb = through_jpeg(rgb, Jpeg(int(random.integers(80, 97))))
    return rgb


def planted(kind: str, exhibits: Exhibits, count: int, seed: int) -> Iterator[tuple[Exhibit, Rgb]]:
    """So many plants of a kind, of the exhibits from number 0 on that can show it; ten times as many are asked."""
    number = 0
    for asked in range(10 * count):
        exhibit = exhibits(asked)
        rgb = plant(kind, exhibit, rng(seed, "masks", "plant", kind, asked))
        if rgb is not None:
            yield exhibit, rgb
            number += 1
        if number == count:
            return


def trial(
    exhibits: Exhibits, count: int, seed: int, kinds: tuple[str, ...] = KINDS, nulls: Nulls | None = None
) -> dict[str, Counter[str]]:
    """Planted kind → how often each verdict was given."""
    return {
        kind: Counter(
            diagnose(rgb, exhibit.truth, exhibit.classes, exhibit.photograph, nulls=nulls).verdict
            for exhibit, rgb in planted(kind, exhibits, count, seed)
        )
        for kind in kinds
    }


def table_of_trial(named: Mapping[str, Counter[str]]) -> str:
    """Planted × named as a Markdown table, verdicts that were never given left out."""
    verdicts = [kind for kind in KINDS if any(counts[kind] for counts in named.values())]
    lines = [["planted", "masks", "right", *verdicts], ["---"] * (3 + len(verdicts))]
    for kind, counts in named.items():
        total = counts.total()
        right = f"{counts[kind] / total:.1%}" if total else "–"
        lines.append([kind, str(total), right, *(str(counts[verdict] or "") for verdict in verdicts)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def main(name: str, count: int) -> None:
    """Print the table of one made dataset."""
    made = dataset(name)
    assert isinstance(made, MadeDataset)
    exhibits = partial(exhibit_of, made, TRIAL_SEED)
    named = {}
    for kind in kinds_of(made.classes):
        named.update(trial(exhibits, count, TRIAL_SEED, (kind,)))
        sys.stderr.write(f"{kind}: {dict(named[kind])}\n")
    sys.stdout.write(table_of_trial(named))


def kinds_of(classes: Classes) -> tuple[str, ...]:
    """What can be planted in masks of these classes: no swap where nothing has a left and a right."""
    sided = any(partner is not None for partner in classes.partners)
    return tuple(kind for kind in KINDS if kind != "swapped" or sided)


def _shifted(truth: Labels, _: Classes, random: np.random.Generator) -> Labels:
    """By 2 pixels to a twentieth of the side, in any direction."""
    far = random.uniform(2, max(truth.shape) / 20)
    angle = random.uniform(0, 2 * np.pi)
    return faults.shifted(truth, round(far * np.cos(angle)), round(far * np.sin(angle)))


def _scaled(truth: Labels, _: Classes, random: np.random.Generator) -> Labels:
    return faults.scaled(truth, float(random.choice([random.uniform(0.82, 0.95), random.uniform(1.05, 1.2)])))


def _flipped(truth: Labels, _: Classes, random: np.random.Generator) -> Labels:
    return faults.flipped(truth, ((1,), (0,), (0, 1))[int(random.integers(3))])


def _permuted(truth: Labels, classes: Classes, random: np.random.Generator) -> Labels:
    """Two of the classes, all of those in the picture, or all there are."""
    there = faults.present(truth, classes)
    way = int(random.integers(3))
    chosen = there if way else [int(one) for one in random.permutation(there)[:2]]
    if way == 0 and classes.partners[chosen[0]] == chosen[1]:
        chosen = there
    return faults.renamed(truth, derangement(list(range(len(classes))) if way == 2 else chosen, random))


def _missing(truth: Labels, classes: Classes, random: np.random.Generator) -> Labels:
    """A random half, the largest class never; their neighbours or the largest class in their place."""
    there = faults.present(truth, classes)
    dropped = [int(one) for one in random.permutation(there[1:])[: max(1, len(there) // 2)]]
    return faults.without(truth, dropped, there[0] if random.random() < 0.5 else None)


def _own(exhibit: Exhibit, random: np.random.Generator) -> Rgb:
    return faults.recoloured(exhibit.truth, own_colours(exhibit.classes, random))


def _outlines(exhibit: Exhibit, random: np.random.Generator) -> Rgb:
    ground = ((0, 0, 0), (255, 255, 255))[int(random.integers(2))]
    return faults.outlined(exhibit, int(random.integers(1, 5)), ground, bool(random.integers(2)))


def _legend(exhibit: Exhibit, random: np.random.Generator) -> Rgb:
    panels: list[tuple[int, int, int] | None] = [(255, 255, 255), (0, 0, 0), (40, 40, 40), None]
    bare = len(faults.present(exhibit.truth, exhibit.classes)) > _LEGEND + 1  # without a panel some can't be seen
    panel = panels[int(random.integers(3 + bare))]
    corner = _CORNERS[int(random.integers(4))]
    side = max(exhibit.truth.shape)
    return faults.with_legend(
        exhibit, int(random.integers(side // 42, side // 20)), corner, panel, bool(random.integers(2))
    )


def _blank(exhibit: Exhibit, random: np.random.Generator) -> Rgb:
    colour = exhibit.classes.rgb[0] if random.random() < 0.5 else random.integers(0, 256, 3, np.uint8)
    return np.broadcast_to(colour, (*exhibit.truth.shape, 3)).copy()


def _noise(exhibit: Exhibit, random: np.random.Generator) -> Rgb:
    colours = exhibit.classes.rgb if random.random() < 0.5 else None
    shape = (exhibit.truth.shape[0], exhibit.truth.shape[1])
    return faults.noise(random, shape, colours, int(random.integers(1, max(shape) // 64 + 1)))


_LABELS: dict[str, Callable[[Labels, Classes, np.random.Generator], Labels]] = {
    "clean": lambda truth, _, __: truth,
    "region": honest_mask,
    "swapped": lambda truth, classes, _: faults.sides_swapped(truth, classes),
    "shifted": _shifted,
    "flipped": _flipped,
    "scaled": _scaled,
    "permuted": _permuted,
    "missing": _missing,
}
_PICTURES: dict[str, Callable[[Exhibit, np.random.Generator], Rgb]] = {
    "own colours": _own,
    "legend": _legend,
    "blank": _blank,
    "photograph": lambda exhibit, _: faults.photograph_of(exhibit),
    "painted over": lambda exhibit, random: faults.painted_over(exhibit, random.uniform(0.35, 0.75)),
    "noise": _noise,
    "outlines": _outlines,
}


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
