"""The thirty cells of the reef: six categories in five zones, from the light down."""

from __future__ import annotations

CATEGORIES = ("reef-fish", "grazer", "coral", "jellyfish", "cephalopod", "abyssal")
ZONES = ("shallows", "twilight", "midnight", "abyss", "hadal")
REEF_FACTORS = {"category": CATEGORIES, "zone": ZONES}
CELLS = tuple(f"{category}/{zone}" for category in CATEGORIES for zone in ZONES)
