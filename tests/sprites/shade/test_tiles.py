"""The laws of light on real game tiles with their own colours, which are not shipped.

    PIXELREEF_TILES=/path/to/tiles pytest tests/sprites/shade/test_tiles.py

PNG files are looked for in all folders below; 200 of them, evenly over all by name, are tried.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from sprites.shade.test_laws import check

from pixelreef.core.sprite_files import sprite_from_file
from pixelreef.sprites.shade import Light, shade

ROOT = os.environ.get("PIXELREEF_TILES")
TRIED = 200

pytestmark = pytest.mark.skipif(ROOT is None, reason="PIXELREEF_TILES is not set to a folder of tiles")


def test_the_laws_hold_on_tiles_with_their_own_colours() -> None:
    assert ROOT is not None
    found = sorted(Path(ROOT).rglob("*.png"))
    changed = tried = 0
    for number, path in enumerate(found[:: max(1, len(found) // TRIED)][:TRIED]):
        sprite = sprite_from_file(path)
        light = Light(azimuth=37.0 * number % 360, elevation=number % 90)
        check((sprite.grid.cells, sprite.palette), light, (number % 11) / 10, labels=number % 2 == 1)
        changed += bool((shade(sprite.grid.cells, sprite.palette, light) != sprite.grid.cells).any())
        tried += 1
    print(f"{tried} tiles, {changed} of them changed by the light")
    assert tried == min(TRIED, len(found))
    assert changed > 0.8 * tried
