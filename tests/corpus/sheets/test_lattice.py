from __future__ import annotations

import numpy as np
import pytest
from made_sheets import Made, packed_sheet, random_sheet, same_subjects

from pixelreef.core.grid import Cells
from pixelreef.core.reef import reef_palette
from pixelreef.core.seeds import rng
from pixelreef.corpus.sheets.cut import find_cut
from pixelreef.corpus.sheets.lattice import STRONG, Found, Lattice, boxes, find_lattice
from pixelreef.corpus.sheets.options import SheetOptions
from pixelreef.errors import ImageError


def found(made: Made) -> Found:
    result = find_lattice(made.rgba())
    assert result is not None
    return result


def cut_by(lattice: Lattice, sheet: Cells) -> list[Cells]:
    width, height = lattice.cell
    cells = [sheet[max(0, y) : y + height, max(0, x) : x + width] for _, _, y, x in boxes(lattice, sheet > 0)]
    return [one for one in cells if one.any()]


def test_the_sheet_of_the_issue() -> None:
    made = Made(background=None)
    assert found(made).lattice == Lattice((16, 16), (3, 3), (1, 1))
    assert found(made).confidence == 1


@pytest.mark.parametrize("fill", ["full", "mixed"])
def test_with_gutters_and_sprites_that_reach_their_cells_borders_all_is_exact(fill: str) -> None:
    for seed in range(10):
        made = random_sheet(seed, fill, gutters=True)
        lattice = found(made).lattice
        pitch = made.cell[0] + made.gutter[0], made.cell[1] + made.gutter[1]
        offset = made.offset[0] % pitch[0], made.offset[1] % pitch[1]
        assert lattice == Lattice(made.cell, offset, made.gutter), (fill, seed)


@pytest.mark.parametrize("fill", ["full", "mixed", "small"])
@pytest.mark.parametrize("gutters", [True, False])
def test_nearly_always_every_sprite_is_whole_and_alone(fill: str, gutters: bool) -> None:
    sheets = [random_sheet(seed, fill, gutters) for seed in range(10)]
    whole = sum(same_subjects(cut_by(found(made).lattice, made.cells()), made.truth()) for made in sheets)
    assert whole >= 9


@pytest.mark.parametrize("holes", [False, True])
def test_tiles_without_any_backdrop(holes: bool) -> None:
    from scipy import ndimage

    random = rng(0, "tiles")
    sheet = np.zeros((5 * 16, 7 * 16), np.uint8)
    for row in range(5):
        for column in range(7):
            soft = ndimage.gaussian_filter(random.normal(size=(16, 16)), 1.2, mode="wrap")
            shade = np.clip(3 + soft / soft.std() * 1.3, 0, 6).astype(int)
            sheet[16 * row : 16 * row + 16, 16 * column : 16 * column + 16] = 1 + 7 * random.integers(9) + shade
    if holes:
        sheet[20:28, 20:28] = 0
    result = find_lattice(reef_palette().rgba[sheet])
    assert result is not None
    assert result.lattice == Lattice((16, 16))
    assert result.credible
    assert result.strength > STRONG


def test_noise_from_border_to_border_has_no_grid_and_says_so() -> None:
    noise = rng(0, "noise").integers(1, 64, (90, 77)).astype(np.uint8)
    with pytest.raises(ImageError, match=r"must have a grid that can be found, got none .* Give --cell"):
        find_cut(reef_palette().rgba[noise], SheetOptions())


def test_a_packed_sheet_is_not_taken_for_a_grid() -> None:
    for seed, gap in ((0, 1), (1, 2), (1003, 2), (1022, 3), (1033, 2)):  # the last three have a tempting grid
        sheet, sprites = packed_sheet(seed, gap)
        cut = find_cut(reef_palette().rgba[sheet], SheetOptions())
        assert cut.how["by"] == "components"
        assert len(cut.places) == len(sprites)


def test_a_given_grid_is_obeyed() -> None:
    made = Made(background=None)
    cut = find_cut(made.rgba(), SheetOptions(cell=(34, 17), offset=(3, 3)))
    assert cut.how["by"] == "given grid"
    assert {(one.width, one.height) for one in cut.places} == {(34, 17)}
    assert [one.x for one in cut.places if one.row == 0] == [3, 37, 71]


def test_cells_cut_off_by_the_border_come_in_padded() -> None:
    rgba = np.zeros((10, 10, 4), np.uint8)
    rgba[0, 0], rgba[9, 9] = 255, 255
    cut = find_cut(rgba, SheetOptions(cell=(8, 8), offset=(4, 4)))
    places = [(one.row, one.column, one.y, one.x) for one in cut.places]
    assert places == [(0, 0, -4, -4), (0, 1, -4, 4), (1, 0, 4, -4), (1, 1, 4, 4)]
    first, last = cut.places[0].cut(rgba), cut.places[-1].cut(rgba)
    assert first.shape == last.shape == (8, 8, 4)
    assert first[4, 4, 3] == 255
    assert last[5, 5, 3] == 255
    assert int(first[..., 3].sum()) == int(last[..., 3].sum()) == 255


def test_the_others_that_were_thought_of_are_told() -> None:
    result = found(Made(background=None, seed=3))
    assert result.alternatives
    assert all(one.cell != result.lattice.cell or one.gutter != result.lattice.gutter for one in result.alternatives)


def test_an_empty_sheet_has_none() -> None:
    assert find_lattice(np.zeros((8, 8, 4), np.uint8)) is None
    with pytest.raises(ImageError, match="must show something"):
        find_cut(np.zeros((8, 8, 4), np.uint8), SheetOptions())
