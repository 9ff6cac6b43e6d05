"""Label grids to compare: patches, stripes, noise and slight changes of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from numpy.typing import NDArray

Labels = NDArray[np.integer[Any]]


def patches(random: np.random.Generator, side: int, classes: int, present: int) -> Labels:
    """Voronoi cells of random points, of `present` of the classes."""
    points, chosen = random.random((2 * present, 2)) * side, random.choice(classes, present, replace=False)
    y, x = np.mgrid[:side, :side]
    nearest = ((y[..., None] - points[:, 0]) ** 2 + (x[..., None] - points[:, 1]) ** 2).argmin(axis=-1)
    return np.asarray(chosen[nearest % present], np.uint16)


def pair(random: np.random.Generator, kind: int, side: int, classes: int) -> tuple[Labels, Labels]:
    """Truth and prediction of one of seven kinds, with absent classes always and strays often."""
    truth = patches(random, side, classes, int(random.integers(1, min(classes, 9) + 1)))
    noise = random.integers(0, classes, truth.shape).astype(np.uint16)
    kinds: list[Callable[[], Any]] = [
        lambda: truth,
        lambda: noise,
        lambda: np.roll(truth, (2, -1), (0, 1)),
        lambda: np.where(random.random(truth.shape) < 0.05, noise, truth),
        lambda: np.full_like(truth, int(random.integers(classes))),
        lambda: patches(random, side, classes, int(random.integers(1, min(classes, 9) + 1))),
        lambda: np.where(truth == truth[0, 0], int(random.integers(classes)), truth).astype(np.uint16),
    ]
    return truth, np.asarray(kinds[kind % len(kinds)](), np.uint16)


@st.composite
def label_pairs(draw: st.DrawFn, most: int = 5, side: int = 9) -> tuple[Labels, Labels, int]:
    """Truth (with void, the label after unknown), prediction (with unknown) and the number of classes."""
    classes = draw(st.integers(1, most))
    shape = draw(st.tuples(st.integers(1, side), st.integers(1, side)))
    blocky = draw(st.integers(1, 3))
    grids = []
    for labels in ([*range(classes), classes + 1], [*range(classes + 1)]):
        small = draw(npst.arrays(np.uint8, shape, elements=st.sampled_from(labels)))
        grids.append(small.repeat(blocky, axis=0).repeat(blocky, axis=1))
    return grids[0], grids[1], classes
