"""Which cells stand out in their corpus: a forecast of what a model will find hard, finer than the gates.

The limits of gates hold for corpora of every kind, so they are wide. Within one corpus much smaller differences tell
which cells a model is likely to fail. So each gate's figure is held against the corpus' own median, in spreads: one is
what two thirds of the cells stay within, and no less than a tenth of the gate's last limit. It is no part of a verdict:
where all is well, some cell still stands out most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pixelreef.taste.calibration import Calibration
from pixelreef.taste.evidence import Gate
from pixelreef.taste.usual import FEWEST_CELLS

Values = Mapping[str, float]
"""Gate → the figure that it looks at; NaN, or left out, where there is none."""

COUNTS, MOST = 1.0, 4.0  # spreads from which a gate counts, and beyond which it counts no more
_INSIDE = 2 / 3  # of the cells are within one spread
_LEAST = 0.1  # of a limit is the smallest spread


def standing_out(
    cells: Mapping[str, Values], sizes: Mapping[str, int], gates: Sequence[Gate], calibration: Calibration
) -> dict[str, dict[str, float]]:
    """Cell → the gates in which it stands out on the bad side, and by how many spreads too many, the most first.

    Gates without limits, and those that fewer than four cells have a figure of, are not asked.
    """
    found: dict[str, dict[str, float]] = {cell: {} for cell in cells}
    for gate in gates:
        known = {cell: value for cell, of in cells.items() if np.isfinite(value := of.get(gate.name, np.nan))}
        limits = calibration.limits(gate.name)
        if limits is None or len(known) < FEWEST_CELLS:
            continue
        values = np.array(list(known.values())) * (1 if gate.bad == "high" else -1)
        off = values - np.median(values)
        inside = float(np.quantile(np.abs(off), _INSIDE))
        for cell, one in zip(known, off.tolist(), strict=True):
            last = next((limit for limit in reversed(limits.of(sizes[cell])) if limit is not None), 0.0)
            spread = max(inside, _LEAST * abs(last))
            if spread and one > COUNTS * spread:
                found[cell][gate.name] = min(one / spread, MOST) - COUNTS
    return {cell: dict(sorted(of.items(), key=lambda pair: -pair[1])) for cell, of in found.items()}
