"""A floor that really predicts: colour clustering, its clusters named on a few training pictures.

Every pixel of a picture brought to at most `side` pixels is a point: OKLab lightness and colour, and its place. K-means
finds `clusters` of them over all training pictures; each cluster is named after the class that most of its training
pixels have, every class weighted so that rare ones are heard (the square root of its share). A new picture's pixels
take the name of their nearest cluster. No network, no pretraining, about what could be had in 1980.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats, oklab_from_rgb
from pixelreef.core.seeds import derive, rng
from pixelreef.errors import InputError
from pixelreef.masks.classes import Classes
from pixelreef.masks.decode import labels_at
from pixelreef.masks.exhibit import Exhibit
from pixelreef.masks.faults import photograph_of
from pixelreef.masks.render import Rgb
from pixelreef.metrics.overlap import Labels

PLACE = 0.25  # the height of a picture counts as much as this distance in OKLab
SIDE = 128
MOST_POINTS = 40_000


@dataclass(frozen=True, eq=False)
class Segmenter:
    """Clusters and their names."""

    classes: Classes
    centres: Floats
    """(clusters, 5)."""
    names: NDArray[np.intp]
    """(clusters,): the label of each."""

    def predict(self, photograph: Rgb) -> Labels:
        """(H, W, 3) → labels (H, W)."""
        small = _reduced(photograph)
        points = _points(small)
        apart = points @ (-2 * self.centres.T) + (self.centres**2).sum(axis=1)
        labels = self.names[apart.argmin(axis=1)].reshape(small.shape[:2]).astype(self.classes.dtype)
        return labels_at(labels, (photograph.shape[0], photograph.shape[1]))[0]


def train_segmenter(exhibits: Sequence[Exhibit], clusters: int = 64, seed: int = 0) -> Segmenter:
    """Learn from a few exhibits with photographs; the same seed, the same segmenter."""
    if not exhibits:
        raise InputError("training pictures", "be at least one", 0)
    if not 2 <= clusters <= 1024:
        raise InputError("clusters", "be from 2 to 1024", clusters)
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    classes = exhibits[0].classes
    smalls = [_reduced(photograph_of(one)) for one in exhibits]
    points = np.concatenate([_points(small) for small in smalls])
    truth = np.concatenate(
        [labels_at(one.truth, small.shape[:2])[0].ravel() for one, small in zip(exhibits, smalls, strict=True)]
    )
    points, truth = points[truth < len(classes)], truth[truth < len(classes)]
    few = rng(seed, "masks", "segmenter").permutation(len(points))[:MOST_POINTS]
    if len(few) < clusters:
        raise InputError("training pictures", f"have at least {clusters} scored pixels", len(few))
    fit = KMeans(clusters, n_init=1, max_iter=50, random_state=derive(seed, "masks", "kmeans") % 2**32)
    with threadpool_limits(1):  # the same sums in the same order, whatever the machine
        fit.fit(points[few])
        named = fit.predict(points)
    votes = np.zeros((clusters, len(classes)))
    np.add.at(votes, (named, truth), 1)
    share = np.maximum(votes.sum(axis=0), 1)
    return Segmenter(classes, np.asarray(fit.cluster_centers_), (votes / np.sqrt(share)).argmax(axis=1))


def _reduced(photograph: Rgb) -> Rgb:
    """At most `SIDE` pixels a side, by the nearest pixel."""
    height, width = photograph.shape[:2]
    step = max(1.0, max(height, width) / SIDE)
    rows, columns = (
        ((np.arange(max(1, round(size / step))) + 0.5) * (size / max(1, round(size / step)))).astype(np.intp)
        for size in (height, width)
    )
    return photograph[rows[:, None], columns, :3]


def _points(rgb: Rgb) -> Floats:
    """(H, W, 3) → (H · W, 5): OKLab, and the place from −½ to ½ of the height and of the width, scaled."""
    height, width = rgb.shape[:2]
    y, x = np.mgrid[:height, :width]
    place = np.stack([(y + 0.5) / height - 0.5, (x + 0.5) / width - 0.5], axis=-1) * PLACE
    return np.concatenate([oklab_from_rgb(rgb), place], axis=-1).reshape(-1, 5)
