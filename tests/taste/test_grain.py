"""The grain of sprites, against plain loops."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from pixelreef.core.palette import Palette
from pixelreef.core.reef import reef_palette
from pixelreef.core.seeds import rng
from pixelreef.taste.grain import GRAIN, grain

CLEAR = Palette.from_hex(["000000", "ff0000", "00ff00", "ffffff"], transparent=0)
FULL = Palette.from_hex(["000000", "ff0000", "00ff00", "ffffff"])
Cells = NDArray[np.uint8]


def plain(cells: Cells, palette: Palette) -> dict[str, float]:
    """One sprite, pixel by pixel, as the docstring of `grain` says."""
    height, width = cells.shape
    at = {(y, x): int(cells[y, x]) for y in range(height) for x in range(width)}
    seen = {place: colour for place, colour in at.items() if colour != palette.transparent}
    around = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]
    orphans = sum(all(seen.get((y + dy, x + dx)) != c for dy, dx in around) for (y, x), c in seen.items())
    pairs = [(c, seen[n]) for (y, x), c in seen.items() for n in ((y + 1, x), (y, x + 1)) if n in seen]
    counts = [list(seen.values()).count(colour) for colour in set(seen.values())]
    chance = sum((count / len(seen)) ** 2 for count in counts)
    border = sum((y + dy, x + dx) not in seen for (y, x) in seen for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)))
    left, clusters = dict(seen), 0
    while left:
        clusters += 1
        start, colour = left.popitem()
        todo = [start]
        while todo:
            y, x = todo.pop()
            for near in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                if left.get(near) == colour:
                    del left[near]
                    todo.append(near)
    agreed = sum(a == b for a, b in pairs) / len(pairs)
    return {
        "orphans": orphans / len(seen),
        "agreement": (agreed - chance) / (1 - chance),
        "clusters": math.log2(len(seen) / clusters),
        "outline": math.log2(border / (4 * math.sqrt(len(seen)))),
        "colours": math.log2(len(counts)),
        "area": len(seen) / cells.size,
        "border": float(np.mean([(y, x) in seen for y, x in at if y in (0, height - 1) or x in (0, width - 1)])),
    }


@pytest.mark.parametrize("palette", [CLEAR, FULL])
def test_equal_to_plain_loops(palette: Palette) -> None:
    cells = rng(0, "grain").choice(np.array([0, 0, 1, 1, 2, 3], np.uint8), (20, 7, 6))
    found = grain(cells, palette)
    for number, one in enumerate(cells):
        for name, value in plain(one, palette).items():
            assert found[name][number] == pytest.approx(value), name


def test_shuffled_pixels_are_as_by_chance_and_a_drawing_is_not() -> None:
    yy, xx = np.mgrid[:32, :32]
    disc = np.where((yy - 16) ** 2 + (xx - 16) ** 2 < 150, 1 + (xx > 16) + 8 * (yy > 16), 0).astype(np.uint8)
    drawn = np.repeat(disc[None], 8, axis=0)
    shuffled = rng(0, "s").permuted(drawn.reshape(8, -1), axis=1).reshape(drawn.shape)
    good, bad = grain(drawn, reef_palette()), grain(shuffled, reef_palette())
    assert good["orphans"].max() == 0
    assert bad["orphans"].min() > 0.1
    assert bad["steps"].mean() == pytest.approx(1, abs=0.15)
    assert good["steps"].max() < 0.3
    assert abs(bad["agreement"].mean()) < 0.1
    assert good["packed"].max() < bad["packed"].min()


def test_nothing_to_see_is_no_number() -> None:
    found = grain(np.zeros((2, 4, 4), np.uint8), CLEAR)
    assert all(np.isnan(found[name]).all() for name in GRAIN)
    lone = np.zeros((1, 3, 3), np.uint8)
    lone[0, 1, 1] = 1
    assert grain(lone, CLEAR)["orphans"].tolist() == [1]
    assert np.isnan(grain(lone, CLEAR)["agreement"]).all()


def test_blocks_make_no_difference() -> None:
    cells = rng(1, "grain").integers(0, 4, (1030, 3, 3)).astype(np.uint8)
    whole, last = grain(cells, CLEAR), grain(cells[1020:], CLEAR)
    assert all(np.array_equal(whole[name][1020:], last[name], equal_nan=True) for name in GRAIN)
