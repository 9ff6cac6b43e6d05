"""What the article on Pixel Art Bench reports, as data: figures that stand beside ours, always marked as theirs.

They were computed by the published formulas over replies that are not at hand; nothing here was measured by us.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

MARK = "as published"

METRICS = ("palette_valid", "edge_density", "entropy", "color_efficiency", "fill_balance")
"""The five metrics of its correlation matrix."""

COEFFICIENTS: Mapping[tuple[str, str], float] = MappingProxyType(
    {
        ("palette_valid", "color_efficiency"): -0.47,
        ("edge_density", "color_efficiency"): 0.42,
        ("edge_density", "fill_balance"): 0.40,
        ("entropy", "color_efficiency"): 0.26,
        ("palette_valid", "entropy"): -0.24,
        ("palette_valid", "edge_density"): -0.23,
        ("color_efficiency", "fill_balance"): 0.23,
        ("palette_valid", "fill_balance"): 0.11,
        ("entropy", "fill_balance"): -0.02,
        ("edge_density", "entropy"): -0.01,
    }
)

ENTRANT = "Phi-3.5-mini-instruct"
HEADLINE: Mapping[str, float] = MappingProxyType(
    {"json_validity": 1.0, "render_success": 0.74, "pixel_art_quality": 0.42}
)
"""The only per-model figures that are published."""


def coefficient(first: str, second: str) -> float | None:
    """The published coefficient of two metrics, in either order; None where none is published.

    >>> coefficient("color_efficiency", "palette_valid")
    -0.47
    """
    return COEFFICIENTS.get((first, second), COEFFICIENTS.get((second, first)))
