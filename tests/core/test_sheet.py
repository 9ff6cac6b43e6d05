from __future__ import annotations

import numpy as np
import pytest

from pixelreef.core import contact_sheet
from pixelreef.errors import ImageError

RED = np.full((3, 2, 4), (255, 0, 0, 255), np.uint8)
GREEN = np.full((1, 1, 4), (0, 255, 0, 255), np.uint8)


def count(sheet: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], colour: tuple[int, int, int]) -> int:
    return int((sheet == colour).all(axis=-1).sum())


def test_pictures_stand_at_an_exact_scale_in_equal_cells() -> None:
    sheet = contact_sheet([[RED, GREEN], [GREEN]], ["one", "two"], ["a", "b"], "title", scale=4)
    assert count(sheet, (255, 0, 0)) == 3 * 2 * 16
    assert count(sheet, (0, 255, 0)) == 2 * 16


def test_labels_take_room_and_change_pixels() -> None:
    bare, lettered = contact_sheet([[RED]]), contact_sheet([[RED]], ["a long row label"], ["c"], "t")
    assert lettered.shape[0] > bare.shape[0]
    assert lettered.shape[1] > bare.shape[1]
    assert len(np.unique(lettered.reshape(-1, 3), axis=0)) > len(np.unique(bare.reshape(-1, 3), axis=0))


def test_groups_are_set_apart() -> None:
    together, apart = contact_sheet([[RED] * 4]), contact_sheet([[RED] * 4], columns_per_label=2)
    assert apart.shape[1] > together.shape[1]


def test_any_text_can_be_a_label() -> None:
    assert contact_sheet([[RED]], ["Ωmega\n\x00 🐠" * 100], title="\u202e").shape[2] == 3


def test_an_empty_or_giant_sheet_is_refused() -> None:
    with pytest.raises(ImageError, match="at least one"):
        contact_sheet([[], []])
    with pytest.raises(ImageError, match="at most"):
        contact_sheet([[RED]], scale=100_000)
