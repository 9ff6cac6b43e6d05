"""What PixelArena (arXiv 2512.16303) reports, as data: figures that stand beside ours, always marked as theirs.

They were computed by its own rule (nearest colour in sRGB, macro over the classes of truth and prediction, refusals
retried by hand and never counted) over answers that are not at hand; nothing here was measured by us. Its paper shows
more in charts; these are the figures that can be read.
"""

from __future__ import annotations

from dataclasses import dataclass

MARK = "as published"
SOURCE = "PixelArena, arXiv 2512.16303"


@dataclass(frozen=True)
class Published:
    """One figure of theirs."""

    entrant: str
    dataset: str
    """By our name of it."""
    measure: str
    value: float
    what: str
    """Which case or comparison it is of."""


PUBLISHED = (
    Published("Gemini 3 Pro Image", "celebamask-hq", "macro F1", 0.708, "best case shown"),
    Published("Gemini 3 Pro Image", "celebamask-hq", "macro F1", 0.081, "worst case shown"),
    Published("Gemini 3 Pro Image", "coco-panoptic", "macro F1", 0.269, "best case shown"),
    Published("Gemini 3 Pro Image", "coco-panoptic", "macro F1", 0.0, "worst case shown"),
    Published("Gemini 3 Pro Image", "celebamask-hq", "change of the scores", 0.10, "one colour shuffle, about"),
)


def published_rows(dataset: str | None = None) -> list[dict[str, str]]:
    """Rows for a table beside ours, those of one dataset or all; every row says whose it is.

    >>> published_rows("coco-panoptic")[0]["figure"], published_rows("reef-parts")
    ('0.269', [])
    """
    return [
        {
            "entrant": one.entrant,
            "dataset": one.dataset,
            "measure": one.measure,
            "figure": f"{one.value:+.0%}" if one.measure.startswith("change") else f"{one.value:.3f}",
            "of": one.what,
            "source": f"{SOURCE}, {MARK}",
        }
        for one in PUBLISHED
        if dataset in (None, one.dataset)
    ]
