"""Honest imperfect masks: right in the main, wrong in places, with no fault that has a name.

Three kinds of error are drawn at random and laid on one another until the mean IoU has fallen to where it should be:
blobs under the label of another class of the picture, borders that wobble, classes that have grown or shrunk. They are
what the gain of every repair is calibrated on: a repair must bring more here than chance does before it has a name.
"""

from __future__ import annotations

import numpy as np

from pixelreef.core.colour import Floats
from pixelreef.errors import InputError
from pixelreef.masks.classes import Classes
from pixelreef.masks.diagnosis.points import points, table_of
from pixelreef.masks.faults import present
from pixelreef.metrics.overlap import Labels

WORST, BEST = 0.5, 0.9  # mean IoU
_ROUNDS = 200


def honest_mask(truth: Labels, classes: Classes, random: np.random.Generator, aim: float | None = None) -> Labels:
    """A mask with a mean IoU of about `aim` or, where none is given, somewhere from 0.5 to 0.9."""
    if len(present(truth, classes)) < 2:
        raise InputError("truth", "have at least two classes to be confused", 1)
    goal = random.uniform(WORST + 0.02, BEST - 0.02) if aim is None else aim
    kinds = (_blob, _wobble, _grown)
    weights = random.dirichlet((1.0, 1.0, 1.0))  # some masks have mostly one kind of error
    labels, strength = truth, 1.0
    for _ in range(_ROUNDS):
        tried = kinds[int(random.choice(3, p=weights))](labels, classes, random, strength)
        score = points(table_of(truth, tried, classes)) / 100
        if score < goal - 0.03:  # too much at once: gentler
            strength = max(0.1, 0.7 * strength)
            continue
        labels = tried
        if score <= goal:
            break
    return labels


def _blob(labels: Labels, classes: Classes, random: np.random.Generator, strength: float) -> Labels:
    """A round patch with an uneven rim under another label of the picture, or that of its own neighbourhood."""
    height, width = labels.shape
    y, x = np.mgrid[:height, :width]
    side = max(labels.shape)
    radius = side * strength * random.uniform(0.01, 0.12)
    middle_y, middle_x = _somewhere(labels, classes, random)
    angle = np.arctan2(y - middle_y, x - middle_x)
    rim = sum(random.uniform(0, 0.25) * np.sin(k * angle + random.uniform(0, 6.28)) for k in (2, 3, 5))
    inside = np.hypot((y - middle_y) * random.uniform(0.6, 1.6), x - middle_x) < radius * (1 + rim)
    label = present(labels, classes)[int(random.integers(len(present(labels, classes))))]
    return np.where(inside, np.asarray(label, labels.dtype), labels)


def _somewhere(labels: Labels, classes: Classes, random: np.random.Generator) -> tuple[int, int]:
    """A pixel of a class drawn first: large classes are not hit most of the time."""
    there = present(labels, classes)
    places = np.flatnonzero(labels == there[int(random.integers(len(there)))])
    place, width = int(places[int(random.integers(len(places)))]), int(labels.shape[1])
    return place // width, place % width


def _wobble(labels: Labels, classes: Classes, random: np.random.Generator, strength: float) -> Labels:
    """Every pixel taken from a little way off, by a smooth field that has no mean and no stretch of its own."""
    height, width = labels.shape
    side = max(labels.shape)
    amount = side * strength * random.uniform(0.004, 0.02)
    cells = int(random.integers(8, 25))
    y, x = np.mgrid[:height, :width]
    down, along = (amount * _field(random, cells, (height, width)) for _ in range(2))
    rows = np.clip(np.rint(y + down), 0, height - 1).astype(np.intp)
    columns = np.clip(np.rint(x + along), 0, width - 1).astype(np.intp)
    return np.asarray(labels[rows, columns])


def _field(random: np.random.Generator, cells: int, shape: tuple[int, int]) -> Floats:
    """Smooth random numbers of standard deviation 1, with mean and slopes taken out."""
    from scipy.ndimage import zoom

    knots = random.standard_normal((cells, cells))
    place = np.linspace(-1, 1, cells)
    for base in (np.ones((cells, cells)), np.tile(place, (cells, 1)), np.tile(place, (cells, 1)).T):
        knots -= base * (knots * base).sum() / (base * base).sum()
    made = zoom(knots, (shape[0] / cells, shape[1] / cells), order=1, grid_mode=True, mode="nearest")
    return np.asarray(made[: shape[0], : shape[1]])


def _grown(labels: Labels, classes: Classes, random: np.random.Generator, strength: float) -> Labels:
    """One class a few pixels larger, or smaller with its neighbours in its place."""
    from scipy.ndimage import distance_transform_edt

    there = present(labels, classes)
    label = there[int(random.integers(len(there)))]
    width = max(1.0, max(labels.shape) * strength * random.uniform(0.002, 0.015))
    area = labels == label
    if random.random() < 0.5:
        near = distance_transform_edt(~area) <= width
        return np.where(near, np.asarray(label, labels.dtype), labels)
    if area.all():
        return labels
    far, place = distance_transform_edt(area, return_indices=True)
    return np.where(area & (far <= width), labels[tuple(place)], labels)
