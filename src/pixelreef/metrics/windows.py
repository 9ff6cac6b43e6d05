"""The least and the largest value in the square window around every pixel, in a number of steps that grows with the
logarithm of the window: what tells where a picture is flat and where a label grid has borders.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Scalar = TypeVar("Scalar", bound=np.generic)


def window_extremes(values: NDArray[Scalar], radius: int) -> tuple[NDArray[Scalar], NDArray[Scalar]]:
    """(H, W, …) → the least and the largest value at most `radius` rows and columns away, each (H, W, …).

    A window that reaches beyond the picture is cut at its edge.

    >>> least, largest = window_extremes(np.array([[5, 1, 2, 3]], np.uint8), 1)
    >>> least.tolist(), largest.tolist()
    ([[1, 1, 1, 2]], [[5, 5, 3, 3]])
    """
    least = largest = values
    for axis in (0, 1):
        least, largest = _along(least, radius, axis, np.minimum), _along(largest, radius, axis, np.maximum)
    return least, largest


def _along(values: NDArray[Scalar], radius: int, axis: int, extreme: Any) -> NDArray[Scalar]:
    """One axis: after the step of width w every place holds the extreme of the w values from there on."""
    if radius == 0:
        return values
    border = [(radius, radius) if one == axis else (0, 0) for one in range(values.ndim)]
    reached, width = np.pad(values, border, mode="edge"), 1
    while width < 2 * radius + 1:
        step = min(width, 2 * radius + 1 - width)
        ahead, here = [slice(None)] * values.ndim, [slice(None)] * values.ndim
        ahead[axis], here[axis] = slice(step, None), slice(None, -step)
        reached, width = extreme(reached[tuple(here)], reached[tuple(ahead)]), width + step
    return reached
