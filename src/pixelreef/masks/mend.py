"""Deciding by its neighbourhood what a soft or noisy pixel was meant to be: a mode filter that knows what a blend is.

Inside a painted area a picture is *flat*, and its colour says what it is. Between two areas an edge may be soft, and a
JPEG puts blocks of odd colours there; the colour of such a pixel may by chance be that of a third class. So:

1.  Pixels that are flat, or close to a class, vote for their class. A class none of whose votes has only its own
    around it (3×3) was not painted.
2.  Every pixel that is not flat looks at the votes around it. Where its colour lies on the line between the two classes
    with most votes, other than its own, it is a blend, and goes to the nearer of the two. If not, and it is close to
    its own class, it stays: a thin line. Else it goes to the nearest colour of the classes that have votes there.
    Flat pixels of no class vote too, for unknown: where they are more than those of the chosen class, it stays unknown.
3.  A class that is still thin everywhere, like the trace of a blend along an edge, was not painted either: its pixels,
    and those that saw no votes, look again at what is decided by now.

Pixels that are flat are changed only where their class was not painted, and flat areas of an unknown colour stay
unknown. A picture with hard edges is left as it is, lines of one pixel too. The work is proportional to the pixels in
doubt, not to the classes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pixelreef.masks.classes import Classes
from pixelreef.masks.decoder import Decoder
from pixelreef.metrics.overlap import Labels
from pixelreef.metrics.windows import window_extremes

Bits = NDArray[np.bool_]
Places = NDArray[np.intp]

_ROUNDS = 3  # of looking again; each reaches half a window farther into a soft edge
_AT_ONCE = 1 << 21  # neighbours, or counts of votes, looked at together: 16 MB


def mended(
    labels: Labels, close: Bits, rgba: NDArray[np.uint8], classes: Classes, decoder: Decoder
) -> tuple[Labels, tuple[str, ...]]:
    """The labels with every doubtful pixel decided, and notes on what was done."""
    if int(close.size - close.sum()) <= decoder.hard * close.size:
        return labels, ()
    unknown = classes.unknown
    flat = flat_pixels(rgba, decoder.flat)
    if flat.mean() < 1 - decoder.most_unsteady:
        return labels, ("too unsteady to be mended",)
    foreign = flat & (labels == unknown)
    votes = np.where(close | flat, labels, np.asarray(unknown, labels.dtype))
    absent = np.flatnonzero(_solid(votes, unknown) == 0)
    labels, votes = _without(labels, absent, unknown), _without(votes, absent, unknown)
    places = np.flatnonzero(~flat)
    labels = _decided(labels, votes, foreign, places, close.ravel()[places], rgba, classes, decoder)
    counts = np.bincount(labels.ravel(), minlength=unknown + 1)[:unknown]
    labels = _without(labels, np.flatnonzero(_solid(labels, unknown) < decoder.solid * counts), unknown)
    for _ in range(_ROUNDS):
        places = np.flatnonzero((labels == unknown) & ~foreign)
        if not len(places):
            break
        nothing = np.zeros(len(places), np.bool_)
        labels = _decided(labels, labels, foreign, places, nothing, rgba, classes, decoder)
    return labels, (f"{(~flat).mean():.1%} of pixels not flat: decided by their neighbourhood",)


def flat_pixels(rgba: NDArray[np.uint8], steps: int) -> Bits:
    """(H, W): where no channel varies by more than `steps` in the 3×3 pixels around."""
    least, largest = window_extremes(rgba, 1)
    largest -= least
    return np.asarray((largest > steps).view(np.uint32)[..., 0] == 0)


def _solid(labels: Labels, unknown: int) -> NDArray[np.intp]:
    """(classes,): pixels with only their own label in the 3×3 pixels around."""
    least, largest = window_extremes(labels, 1)
    return np.bincount(labels[least == largest], minlength=unknown + 1)[:unknown]


def _without(labels: Labels, dropped: NDArray[np.intp], unknown: int) -> Labels:
    table = np.arange(unknown + 1, dtype=labels.dtype)
    table[dropped] = unknown
    return np.asarray(table[labels])


def _decided(
    labels: Labels,
    votes: Labels,
    foreign: Bits,
    places: Places,
    trusted: Bits,
    rgba: NDArray[np.uint8],
    classes: Classes,
    decoder: Decoder,
) -> Labels:
    """The labels with those at `places` decided by the votes around them; `trusted` are close to their own class.

    Labels are counted as places in the list of classes that have votes, which is short; `none` follows the last, and
    the votes for unknown, of `foreign` pixels, follow that.
    """
    unknown, reach = classes.unknown, decoder.window // 2
    there = np.flatnonzero(np.bincount(votes.ravel(), minlength=unknown + 1)[:unknown])
    none = len(there)
    if not none or not len(places):
        return labels
    short = np.full(unknown + 1, none, np.uint16)
    short[there] = np.arange(none)
    names = np.append(there, unknown).astype(labels.dtype)
    cast = short[votes]
    cast[foreign] = none + 1
    padded = np.pad(cast, reach, constant_values=none)
    height, width = labels.shape
    offsets = (np.arange(decoder.window)[:, None] * padded.shape[1] + np.arange(decoder.window)).ravel()
    colours = np.concatenate([classes.rgb[there].astype(np.float32), np.full((1, 3), 1e4, np.float32)])
    decided, pixels, own = labels.ravel().copy(), rgba.reshape(-1, 4), short[labels.ravel()[places]]
    parts = 1 + len(places) * max(len(offsets), none + 2) // _AT_ONCE
    for part in np.array_split(np.arange(len(places)), parts):
        corner = places[part] // width * padded.shape[1] + places[part] % width  # of the window, in the padded grid
        around = padded.ravel()[corner[:, None] + offsets]
        chosen = _chosen(around, own[part], trusted[part], pixels[places[part], :3], colours, decoder)
        decided[places[part]] = names[chosen]
    return decided.reshape(height, width)


def _chosen(
    around: NDArray[np.uint16],
    own: NDArray[np.uint16],
    trusted: Bits,
    pixels: NDArray[np.uint8],
    colours: NDArray[np.float32],
    decoder: Decoder,
) -> NDArray[np.intp]:
    """(n, window²) votes, (n,) own classes and (n, 3) colours → the class of each, as a place in `colours`.

    The last place is no class; its colour is far from all, so that it is nearest only where there is nothing else.
    """
    rows, none = np.arange(len(around)), len(colours) - 1
    codes = around + rows[:, None] * (none + 2)
    counts = np.bincount(codes.ravel(), minlength=len(around) * (none + 2)).reshape(len(around), none + 2)
    counts[:, none] = 0
    others = counts[:, : none + 1].copy()
    others[rows, own] = 0
    first, second = _most(others, rows, none, decoder.votes), _most(others, rows, none, decoder.votes)
    point = pixels.astype(np.float32)
    start, end = colours[first], colours[second]
    line = end - start
    along = ((point - start) * line).sum(axis=1) / np.maximum((line**2).sum(axis=1), 1)
    off = ((point - start - np.clip(along, 0, 1)[:, None] * line) ** 2).sum(axis=1)
    blend = (first != none) & (second != none) & (off <= decoder.blend**2)
    candidates = np.stack([np.where(counts[rows, own] > 0, own, none), first, second], axis=1)
    apart = ((colours[candidates] - point[:, None]) ** 2).sum(axis=2)
    nearest = candidates[rows, apart.argmin(axis=1)]
    found = np.where(blend, np.where(along < 0.5, first, second), np.where(nearest == none, own, nearest))
    found = np.where(counts[rows, found] < counts[:, none + 1], none, found)
    return np.where(trusted & ~blend, own, found)


def _most(counts: NDArray[np.intp], rows: Places, none: int, least: int) -> NDArray[np.intp]:
    """The class with most votes, if those are enough; its count is then taken out."""
    best = counts.argmax(axis=1)
    enough = counts[rows, best] >= least
    counts[rows, best] = 0
    return np.where(enough, best, none)
