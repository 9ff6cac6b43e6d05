"""The article's three headline scores as its words define them, on a drawing that was read.

    JSON validity       correct JSON, and the required colours there
    pixel-art quality   every value a valid index, and palette use coherent
    render success      continuity of shapes and spatial alignment: a proxy for treating the grid as two-dimensional

None of them knows the subject: a fine drawing of the wrong thing scores as well. The published formulas of the same
names, which are others, are in `published`.

The last two claim quality and rest on one idea. A cell of a picture tells something of its neighbours; a cell of noise
does not; a cell of a blank drawing has nothing to tell. Mutual information between neighbours, in nats, is therefore 0
at both ends, where agreement between neighbours is highest for a blank drawing and edge density for noise. Neighbours
two cells apart are looked at too, and the better of the two distances counts: in a maze of one-pixel walls cells agree
every two.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pixelreef.core.colour import Floats
from pixelreef.metrics.measure import measure
from pixelreef.metrics.tally import Tally, substance

# How much of what shuffled rows (or columns) would still share is taken off. All of it would leave nothing of straight
# bands, whose order is their only content; none of it would leave shuffled rows much of their score.
ALIGNMENT = 0.75
# Substance at which render success is one half. A maze of one-pixel walls has 0.23, a plain disc 0.4, a sun 0.7.
_HALF = 0.25


def json_validity(is_json: ArrayLike, has_colours: ArrayLike) -> Floats:
    """1 where the reply is correct JSON as it stands and every colour that its grid asks for is in its palette, else 0.

    Both flags come from the reader of replies. It claims no quality: a null written as JSON has 1.

    Range: 0 or 1. Direction: higher is better. Empty: an empty reply is no JSON: 0.

    >>> json_validity([True, True, False], [True, False, False]).tolist()
    [1.0, 0.0, 0.0]
    """
    return np.asarray(np.logical_and(is_json, has_colours), dtype=np.float64)


@measure("pixel_art_quality", direction="higher", claims_quality=True)
def pixel_art_quality(tally: Tally) -> Floats:
    """Whether every value is a valid index, times how coherently the palette is used.

    With L = ln(palette length), H the entropy of the colours and I = √(I_rows · I_columns) the information that
    neighbours share beyond chance: √(I / L) · H / L, and 0 if a single cell is outside the palette. Entries that are
    unused, or too close to another to tell apart, keep H below L.

    Range: 0 to 1. Direction: higher is better. Empty: a blank drawing has 0, a palette of one colour too.

    >>> halves = np.repeat(np.array([[[0], [1]]], np.uint8), 12, axis=1).repeat(24, axis=2)
    >>> halves[:, :, 12:] ^= 1
    >>> rgb = np.array([[[0, 0, 0], [255, 255, 255]]], np.uint8)
    >>> pixel_art_quality(Tally(halves, rgb, np.array([2]))).round(2).tolist()
    [0.86]
    """
    shared = np.sqrt(tally.row_information * tally.column_information)
    used = substance(shared / tally.most_nats, tally.nats / tally.most_nats)
    return np.where(tally.strays.any(axis=(1, 2)), 0.0, np.minimum(used, 1.0))


@measure("render_success", direction="higher", claims_quality=True)
def render_success(tally: Tally) -> Floats:
    """How far the grid is a two-dimensional picture: shapes go on sideways and down, and the order of rows matters.

    D_columns = I_columns − 0.75 · what a cell tells of *any* other row at the same place, which is all that shuffled
    rows keep; D_rows likewise; D their harmonic mean, so that the weaker direction decides. With s = √D · H in nats,
    render success = s / (s + 0.25).

    Range: 0 to 1, about 0.93 at most with ten colours. Direction: higher is better. Empty: a blank drawing has 0.

    >>> rgb = np.array([[[0, 0, 0], [255, 255, 255]]], np.uint8)
    >>> render_success(Tally(np.zeros((1, 24, 24), np.uint8), rgb, np.array([2]))).tolist()
    [0.0]
    """
    down = np.maximum(tally.column_information - ALIGNMENT * tally.any_row_information, 0)
    sideways = np.maximum(tally.row_information - ALIGNMENT * tally.any_column_information, 0)
    both = 2 * down * sideways / np.maximum(down + sideways, 1e-12)
    there = substance(both, tally.nats)
    return np.asarray(there / (there + _HALF))
