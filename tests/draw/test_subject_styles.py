"""Other ways to draw a subject that must pass, and things that come near it and must not."""

from __future__ import annotations

import numpy as np
import pytest
from drawings import drawing
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pixelreef.core.seeds import rng
from pixelreef.draw.drawing import Drawing
from pixelreef.draw.subject import Check
from pixelreef.draw.subjects import canonical
from pixelreef.draw.suite import suite

Y, X = np.mgrid[0:24, 0:24].astype(float)
Cells = NDArray[np.integer]


def look(id: str, cells: Cells, *colours: str) -> Check:
    check = canonical()[id].check
    assert check is not None
    return check(drawing(cells, np.array([list(bytes.fromhex(colour)) for colour in colours])))


def disc(radius: float, row: float = 11.5, column: float = 11.5) -> NDArray[np.bool_]:
    return np.asarray(np.hypot(Y - row, X - column) <= radius)


def painted(*layers: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """The first layer is colour 1, over a ground of 0; later ones lie over earlier ones."""
    cells = np.zeros((24, 24), np.uint8)
    for index, layer in enumerate(layers, 1):
        cells[layer] = index
    return cells


@pytest.mark.parametrize("radius", [3, 4.2, 6, 8.3, 10])
@pytest.mark.parametrize("middle", [(11.5, 11.5), (10, 12), (11, 11.5)])
def test_a_plain_warm_disc_is_a_sun(radius: float, middle: tuple[float, float]) -> None:
    assert look("sun", painted(disc(radius, *middle)), "4060c0", "ffd020").passed


def test_suns_with_rays_and_faces() -> None:
    bars = (np.abs(Y - 11.5) < 1) | (np.abs(X - 11.5) < 1)
    thick = (np.abs(Y - 11.5) < 1.6) | (np.abs(X - 11.5) < 1.6)
    slanted = (np.abs(Y - X) < 1.1) | (np.abs(Y + X - 23) < 1.1)
    eyes = (Y == 10) & ((X == 9) | (X == 14))
    for rays in (bars, thick, slanted, bars | slanted):
        verdict = look("sun", painted(rays & disc(11), disc(6)), "87ceeb", "ff9020", "ffe040")
        assert verdict.passed, verdict.saw
    assert look("sun", painted(disc(7), eyes), "87ceeb", "ffe040", "402010").passed
    assert look("sun", painted(disc(5, 7, 16), Y > 18), "87ceeb", "ffe040", "30a040").passed, "over a meadow"
    assert look("sun", painted(disc(7)), "e05010", "ffe040").passed, "in a red sky"


def test_what_is_no_sun() -> None:
    square = (np.abs(Y - 11.5) < 6) & (np.abs(X - 11.5) < 6)
    assert not look("sun", painted(square), "87ceeb", "ffe040").passed
    assert not look("sun", painted(disc(7)), "101030", "e0e0f0").passed, "a moon is not warm"
    assert not look("sun", painted(disc(7)), "101030", "3060ff").passed
    assert not look("sun", painted(disc(1.5)), "101030", "ffe040").passed, "a star"
    assert not look("sun", painted(Y < 12), "101030", "ffe040").passed


@pytest.mark.parametrize("turn", [0, 10, 25, 40, 90, 150])
@pytest.mark.parametrize("radius", [4.5, 6, 7])
def test_saturn_at_every_tilt(turn: float, radius: float) -> None:
    angle = np.deg2rad(turn)
    along = (X - 11.5) * np.cos(angle) + (Y - 11.5) * np.sin(angle)
    across = (Y - 11.5) * np.cos(angle) - (X - 11.5) * np.sin(angle)
    outer, inner = np.hypot(along / 11.5, across / 3.2) <= 1, np.hypot(along / 8.6, across / 1.7) <= 1
    front = outer & ~inner & ((across > 0) | ~disc(radius))
    verdict = look("saturn", painted(disc(radius), front), "000010", "e0b060", "c0c0c0")
    assert verdict.passed, verdict.saw


def test_saturn_with_a_straight_ring() -> None:
    bar = (np.abs(Y - 11.5) < 1) & (X >= 1) & (X <= 22)
    assert look("saturn", painted(disc(6), bar), "000000", "e0b060", "c8c8c8").passed
    assert look("saturn", painted(disc(6), bar), "000000", "6060ff", "ff60c0").passed, "in any colours"


def test_what_is_no_saturn() -> None:
    bar = (np.abs(Y - 11.5) < 1) & (X >= 1) & (X <= 22)
    assert not look("saturn", painted(disc(6)), "000000", "e0b060").passed, "no ring"
    assert not look("saturn", painted(disc(6) | bar), "000000", "e0b060").passed, "a ring that is not seen to cross"
    assert not look("saturn", painted(bar, disc(6)), "000000", "c0c0c0", "e0b060").passed, "a ring behind the disc"
    assert not look("saturn", painted(disc(11), bar), "000000", "e0b060", "c0c0c0").passed, "a ring within the disc"
    assert not look("saturn", painted(np.abs(Y - 11.5) < 6, bar), "000000", "e0b060", "c0c0c0").passed


RAINBOW = ("a0d8f8", "ff0000", "ff8000", "ffff00", "00b000", "0060ff", "4b0082", "a040e0")


@pytest.mark.parametrize(
    ("bands", "thick", "radius", "row"), [(7, 1, 11, 14), (5, 2, 11.5, 17), (6, 1.5, 16, 20), (4, 2, 10, 15)]
)
def test_rainbows_of_every_size(bands: int, thick: float, radius: float, row: float) -> None:
    away = np.hypot(Y - row, X - 11.5)
    layers = [(away <= radius - thick * index) & (row + 0.5 >= Y) for index in range(bands + 1)]
    cells = painted(*layers)
    cells[cells == bands + 1] = 0
    colours = (
        RAINBOW
        if bands > 5
        else (*RAINBOW[:5], RAINBOW[7])[: bands + 1]
        if bands == 5
        else (*RAINBOW[:2], *RAINBOW[3:6])
    )
    verdict = look("rainbow", cells, *colours)
    assert verdict.passed, verdict.saw


def test_what_is_no_rainbow() -> None:
    away = np.hypot(Y - 17, X - 11.5)
    arcs = painted(*[(away <= 11.5 - 1.3 * index) & (Y <= 17) for index in range(7)])
    inside_out = np.array([0, 6, 5, 4, 3, 2, 1, 0])[arcs]
    mixed = np.array([0, 3, 1, 5, 2, 6, 4, 0])[arcs]
    stripes = np.minimum(Y // 3, 7).astype(int)
    assert look("rainbow", np.where(arcs == 7, 0, arcs), *RAINBOW).passed
    assert not look("rainbow", inside_out, *RAINBOW).passed, "violet outside"
    assert not look("rainbow", mixed, *RAINBOW).passed, "hues out of order"
    assert not look("rainbow", stripes, *RAINBOW).passed, "straight bands"
    assert not look("rainbow", np.where(arcs == 7, 0, arcs)[::-1], *RAINBOW).passed, "upside down"


def carved(seed: int, cells: int, corridor: int) -> NDArray[np.uint8]:
    """A maze of cells × cells rooms, with walls of one cell and corridors of `corridor`: 1 is wall."""
    random = rng(seed, "maze")
    step = corridor + 1
    wall = np.ones((cells * step + 1,) * 2, np.uint8)
    seen, way = {(0, 0)}, [(0, 0)]
    wall[1:step, 1:step] = 0
    while way:
        y, x = way[-1]
        ways = [(y + a, x + b) for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))]
        ways = [new for new in ways if min(new) >= 0 and max(new) < cells and new not in seen]
        if not ways:
            way.pop()
            continue
        new = ways[int(random.integers(len(ways)))]
        top, left = min(y, new[0]) * step + 1, min(x, new[1]) * step + 1
        wall[top : max(y, new[0]) * step + step, left : max(x, new[1]) * step + step] = 0
        seen.add(new)
        way.append(new)
    wall[0, 1:step] = wall[-1, -step:-1] = 0
    return np.pad(wall, ((0, 24 - len(wall)), (0, 24 - len(wall))))


@pytest.mark.parametrize(("cells", "corridor"), [(11, 1), (10, 1), (7, 2)])
def test_mazes_with_narrow_and_wide_corridors(cells: int, corridor: int) -> None:
    verdicts = [look("maze", carved(seed, cells, corridor), "f0f0f0", "202020") for seed in range(40)]
    assert sum(verdict.passed for verdict in verdicts) >= 38, {verdict.saw for verdict in verdicts}


def test_a_maze_may_be_light_on_dark_and_have_marks() -> None:
    cells = carved(1, 11, 1)
    assert look("maze", cells, "101010", "f0f0f0").passed
    cells[1, 1], cells[21, 21] = 2, 3
    assert look("maze", cells, "f0f0f0", "202020", "20c040", "e02020").passed


def test_what_is_no_maze() -> None:
    cells = carved(1, 11, 1)
    blocked = cells.copy()
    blocked[12, :23] = 1
    assert not look("maze", blocked, "f0f0f0", "202020").passed, "a wall across"
    rim = np.zeros((24, 24), np.uint8)
    rim[[0, -1]] = rim[:, [0, -1]] = 1
    rim[0, 1] = rim[-1, -2] = 0
    assert not look("maze", rim, "f0f0f0", "202020").passed, "an open field"
    assert not look("maze", np.indices((24, 24)).sum(axis=0) % 2, "f0f0f0", "202020").passed, "a checkerboard"
    stairs = (np.abs(Y - X) > 1).astype(int)
    assert not look("maze", stairs, "f0f0f0", "202020").passed, "a straight diagonal"


MARIO = ("6b8cff", "e02010", "f8b888", "603010", "2038ec")


def test_a_small_mario_from_the_side() -> None:
    rows = [
        "000111110000",
        "001111111110",
        "003332232000",
        "032322232220",
        "032332223222",
        "033222233330",
        "000222222200",
        "001141110000",
        "011141141110",
        "111144441111",
        "221424424122",
        "222444444222",
        "224444444422",
        "004440044400",
        "033300003330",
        "333300003333",
    ]
    cells = np.zeros((24, 24), np.uint8)
    cells[5:21, 6:18] = [[int(digit) for digit in row] for row in rows]
    verdict = look("mario", cells, *MARIO)
    assert verdict.passed, verdict.saw
    assert not look("mario", cells[::-1], *MARIO).passed, "on his head"
    assert not look("mario", cells, MARIO[0], "20a030", *MARIO[2:]).passed, "his brother, in green"


def test_a_plain_portrait_without_a_frame() -> None:
    hair = (np.abs(X - 11.5) < 6) & (Y >= 2) & (Y < 16)
    dress = (np.abs(X - 11.5) < Y - 8) & (Y >= 15)
    face = disc(4.4, 8.5) & (np.abs(X - 11.5) < 3.6)
    eyes = (Y == 8) & ((X == 10) | (X == 13))
    layers = [hair, dress, face, eyes]
    colours = ["88a878", "30201c", "40382c", "e8c090", "201010"]
    verdict = look("mona_lisa", painted(*layers), *colours)
    assert verdict.passed, verdict.saw
    assert not look("mona_lisa", painted(hair, dress, face), *colours).passed, "no eyes"
    assert not look("mona_lisa", painted(hair & False, dress, face, eyes), *colours).passed, "no hair"


CHECKED = [subject for subject in suite().subjects if subject.check]


@given(st.integers(0, 2**32), st.integers(1, 24), st.integers(2, 10), st.booleans())
def test_no_drawing_breaks_a_check(seed: int, block: int, colours: int, few: bool) -> None:
    """Blocks of every size, and palettes whose colours may all be one."""
    random = rng(seed, "any")
    side = -(-24 // block)
    cells = random.integers(0, colours, (side, side)).repeat(block, 0).repeat(block, 1)[:24, :24]
    made: Drawing = drawing(cells, random.integers(0, 256, (1 if few else colours, 3)).repeat(colours if few else 1, 0))
    for subject in CHECKED:
        assert subject.check is not None
        assert subject.check(made).saw
