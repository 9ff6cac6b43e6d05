"""The part labels: what a pixel of a creature is. The order is part of the corpus format and only ever grows.

Left and right are the creature's own, and are used only where it is seen from the front or from above.
"""

from __future__ import annotations

PARTS = (
    "none",
    "body",
    "belly",
    "head",
    "shell",
    "pattern",
    "fin",
    "left fin",
    "right fin",
    "tail",
    "limb",
    "left limb",
    "right limb",
    "tentacle",
    "eye",
    "left eye",
    "right eye",
    "mouth",
    "gill",
    "light organ",
    "organ",
    "spine",
    "branch",
    "polyp",
    "base",
)
PART_INDEX = {name: index for index, name in enumerate(PARTS)}
PAIRS = tuple((f"left {name}", f"right {name}") for name in ("fin", "limb", "eye"))
