from __future__ import annotations

import numpy as np
import pytest
from made_sheets import packed_sheet

from pixelreef.corpus.sheets.components import MAX_PARTS, find_components
from pixelreef.errors import ImageError


def seen(*rows: str) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    return np.array([[sign == "#" for sign in row] for row in rows])


def test_corners_join_and_a_pixel_between_parts() -> None:
    parts = find_components(seen("#..##", ".#.##", "#....", "....."))
    assert [part.box for part in parts] == [(0, 0, 3, 2), (0, 3, 2, 5)]
    assert [part.area for part in parts] == [3, 4]


def test_what_lies_in_anothers_box_belongs_to_it() -> None:
    eye_in_a_ring = seen("#####", "#...#", "#.#.#", "#...#", "#####")
    assert [part.box for part in find_components(eye_in_a_ring)] == [(0, 0, 5, 5)]


def test_a_spark_stays_with_the_nearest_sprite() -> None:
    sheet = np.zeros((12, 40), bool)
    sheet[1:11, 1:11], sheet[1:11, 20:30] = True, True
    sheet[5, 13] = True  # 2 from the first, 6 from the second
    sheet[5, 38] = True  # 8 from the second: beyond a quarter of a sprite
    assert [part.box for part in find_components(sheet)] == [(1, 1, 11, 14), (1, 20, 11, 30), (5, 38, 6, 39)]


def test_near_ones_join_when_asked() -> None:
    sheet = seen("##.##", "##.##")
    assert len(find_components(sheet)) == 2
    assert len(find_components(sheet, near=2)) == 1


@pytest.mark.parametrize("gap", [1, 2, 3])
def test_packed_creatures_come_out_as_they_went_in(gap: int) -> None:
    sheet, sprites = packed_sheet(gap, gap)
    cut = [sheet[part.box[0] : part.box[2], part.box[1] : part.box[3]] for part in find_components(sheet > 0)]
    assert sorted(one.tobytes() for one in cut) == sorted(one.tobytes() for one in sprites)


def test_shelves_are_read_from_the_left() -> None:
    sheet = np.zeros((20, 20), bool)
    sheet[2:8, 0:5], sheet[0:8, 10:15], sheet[10:18, 4:9] = True, True, True
    assert [part.box[:2] for part in find_components(sheet)] == [(2, 0), (0, 10), (10, 4)]


def test_dust_is_refused() -> None:
    with pytest.raises(ImageError, match=f"at most {MAX_PARTS:,} connected parts"):
        find_components((np.indices((300, 300)) % 2 == 0).all(axis=0))


def test_nothing_is_nothing() -> None:
    assert find_components(np.zeros((3, 3), bool)) == []
