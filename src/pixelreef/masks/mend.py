"""Deciding by its neighbourhood what a soft or noisy pixel was meant to be: a mode filter that knows what a blend is.

Inside a painted area a picture is *flat*, and its colour says what it is. Between two areas an edge may be soft, and a
JPEG puts blocks of odd colours there; the colour of such a pixel may by chance be that of a third class. So:

1.  Pixels that are flat, or close to a class, vote for their class where it is *broad*: in a block of 3×3 of its own. A
    class without a vote was not painted. Flat pixels of no class vote too, for unknown.
2.  Every pixel that is not flat looks at the votes around it. Where its colour lies on the line between the two classes
    with most votes, other than its own, it is a blend, and goes to the nearer of the two. If not, and it is close to
    its own class, it stays: a thin line. Else it goes to the nearest colour of the classes that have votes there, or
    to unknown if that has more. What then is still not broad looks once more, at the votes of what is decided by now.
3.  A class that is thin nearly everywhere, like the trace of a blend along an edge, was not painted either: its pixels,
    and those that saw no votes, go to their neighbours.
4.  What is left of a thin line is its middle, which stayed in step 2. A pixel beside it that is a blend of the line and
    of what it was given to, and nearer to the line, is the line's own soft edge.

Pixels that are flat are changed only where their class was not painted, and flat areas of an unknown colour stay
unknown. A picture with hard edges is left as it is, lines of one pixel too. The work is proportional to the pixels in
doubt, not to the classes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.masks.classes import Classes
from pixelreef.masks.decoder import Decoder
from pixelreef.metrics.overlap import Labels
from pixelreef.metrics.windows import window_extremes

Bits = NDArray[np.bool_]
Places = NDArray[np.intp]

_FAR = 10_000  # bytes: from every colour
_ROUNDS = 3  # of looking again; each reaches half a window farther into a soft edge
_EDGE = 2  # times as far off the line a line's own edge may be: the colour of a JPEG is mixed over two pixels
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
    votes = _broad(np.where(close | flat, labels, np.asarray(unknown, labels.dtype)), unknown)
    absent = np.flatnonzero(np.bincount(votes.ravel(), minlength=unknown + 1)[:unknown] == 0)
    labels = _without(labels, absent, unknown)
    mender = _Mender(rgba, foreign, classes, decoder)
    labels = mender.decided(labels, votes, ~flat, close)
    mender.settle(labels)
    votes = _broad(labels, unknown)
    labels = mender.decided(labels, votes, ~flat & (votes == unknown) & (labels != unknown), close)
    counts = np.bincount(labels.ravel(), minlength=unknown + 1)[:unknown]
    labels = _without(labels, np.flatnonzero(_solid(labels, unknown) < decoder.solid * counts), unknown)
    for _ in range(_ROUNDS):
        labels = mender.decided(labels, labels, (labels == unknown) & ~mender.foreign, None)
    labels = mender.lines_filled(labels, close & ~flat)
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


def _broad(labels: Labels, unknown: int) -> Labels:
    """The labels of pixels that are in a block of 3×3 of their own label, unknown elsewhere."""
    least, largest = window_extremes(labels, 1)
    _, broad = window_extremes((least == largest).view(np.uint8), 1)
    return np.where(broad > 0, labels, np.asarray(unknown, labels.dtype))


def _without(labels: Labels, dropped: NDArray[np.intp], unknown: int) -> Labels:
    table = np.arange(unknown + 1, dtype=labels.dtype)
    table[dropped] = unknown
    return np.asarray(table[labels])


class _Mender:
    """One picture, and which of its pixels are of no class for good."""

    def __init__(self, rgba: NDArray[np.uint8], foreign: Bits, classes: Classes, decoder: Decoder) -> None:
        self.pixels, self.foreign = rgba.reshape(-1, 4), foreign
        self.classes, self.decoder = classes, decoder

    def settle(self, labels: Labels) -> None:
        """What was left to unknown where flat pixels of no class had votes is of no class for good."""
        if self.foreign.any():
            _, near = window_extremes(self.foreign.view(np.uint8), self.decoder.window // 2)
            self.foreign = self.foreign | ((labels == self.classes.unknown) & (near > 0))

    def decided(self, labels: Labels, votes: Labels, doubtful: Bits, close: Bits | None) -> Labels:
        """The labels with the doubtful ones decided by the votes around them; those `close` may stay as they are.

        Labels are counted as places in the list of classes that have votes, which is short; `none` follows the last,
        and the votes for unknown follow that.
        """
        unknown, reach = self.classes.unknown, self.decoder.window // 2
        places = np.flatnonzero(doubtful)
        there = np.flatnonzero(np.bincount(votes.ravel(), minlength=unknown + 1)[:unknown])
        none = len(there)
        if not none or not len(places):
            return labels
        short = np.full(unknown + 1, none, np.uint16)
        short[there] = np.arange(none)
        names = np.append(there, unknown).astype(labels.dtype)
        cast = short[votes]
        cast[self.foreign] = none + 1
        padded = np.pad(cast, reach, constant_values=none)
        line, width = padded.shape[1], labels.shape[1]
        offsets = (np.arange(self.decoder.window)[:, None] * line + np.arange(self.decoder.window)).ravel()
        colours = np.append(self.classes.rgb[there], [[_FAR] * 3], axis=0).astype(np.float32)
        decided, own = labels.ravel().copy(), short[labels.ravel()[places]]
        trusted = np.zeros(len(places), np.bool_) if close is None else close.ravel()[places]
        parts = 1 + len(places) * max(len(offsets), none + 2) // _AT_ONCE
        for part in np.array_split(np.arange(len(places)), parts):
            here = places[part]
            around = padded.ravel()[(here // width * line + here % width)[:, None] + offsets]
            chosen = _chosen(around, own[part], trusted[part], self.pixels[here, :3], colours, self.decoder)
            decided[here] = names[chosen]
        return decided.reshape(labels.shape)

    def lines_filled(self, labels: Labels, kept: Bits) -> Labels:
        """The labels with the soft edges of thin lines given to the lines; the middles of those are among `kept`."""
        unknown = self.classes.unknown
        thin = np.where(kept & (_broad(labels, unknown) == unknown), labels, unknown)
        _, beside = window_extremes(np.where(thin == unknown, 0, thin + 1).astype(np.uint16), 1)
        places = np.flatnonzero((beside > 0) & (beside != labels + 1) & (labels != unknown) & ~kept)
        line, other = (self.classes.rgb[which] for which in (beside.ravel()[places] - 1, labels.ravel()[places]))
        off, along = _off_line(self.pixels[places, :3], line, other)
        own = places[(off <= (_EDGE * self.decoder.blend) ** 2) & (along < 0.5)]
        filled = labels.ravel().copy()
        filled[own] = beside.ravel()[own] - 1
        return filled.reshape(labels.shape)


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
    off, along = _off_line(pixels, colours[first], colours[second])
    blend = (first != none) & (second != none) & (off <= decoder.blend**2)
    candidates = np.stack([np.where(counts[rows, own] > 0, own, none), first, second], axis=1)
    apart = ((colours[candidates] - point[:, None]) ** 2).sum(axis=2)
    nearest = candidates[rows, apart.argmin(axis=1)]
    found = np.where(blend, np.where(along < 0.5, first, second), np.where(nearest == none, own, nearest))
    found = np.where(counts[rows, found] < counts[:, none + 1], none, found)
    return np.where(trusted & ~blend, own, found)


def _off_line(
    pixels: NDArray[np.uint8], start: NDArray[Any], end: NDArray[Any]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Squared distances, in bytes, of (n, 3) colours from the lines between two others, and how far along they are."""
    point, begin = pixels.astype(np.float32), start.astype(np.float32)
    line = end.astype(np.float32) - begin
    along = ((point - begin) * line).sum(axis=1) / np.maximum((line**2).sum(axis=1), 1)
    return ((point - begin - np.clip(along, 0, 1)[:, None] * line) ** 2).sum(axis=1), along


def _most(counts: NDArray[np.intp], rows: Places, none: int, least: int) -> NDArray[np.intp]:
    """The class with most votes, if those are enough; its count is then taken out."""
    best = counts.argmax(axis=1)
    enough = counts[rows, best] >= least
    counts[rows, best] = 0
    return np.where(enough, best, none)
