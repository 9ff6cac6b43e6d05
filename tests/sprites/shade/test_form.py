"""Height and form: an inflated disc is half a ball, open sides go on, parts and ink change what they should."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array, eye_array
from scipy.sparse.linalg import spsolve
from sprites.shade.shapes import GREYS, Cells, disc

from pixelreef.core import Palette
from pixelreef.corpus.parts import PART_INDEX
from pixelreef.errors import InputError
from pixelreef.sprites.shade.form import FULL, Form, form_from_cells
from pixelreef.sprites.shade.height import inflated
from pixelreef.sprites.shade.relief import fullness_from_parts
from pixelreef.sprites.shade.stairs import stairs_from


def form(cells: Cells, parts: Cells | None = None) -> Form:
    return form_from_cells(cells[None], stairs_from(GREYS), None if parts is None else parts[None])


def test_what_is_inflated_solves_the_equation() -> None:
    """By a direct solver of the linear system, knowing nothing of the iteration."""
    solid = disc(24, 9.3) > 0
    solid[3:5, :] = True
    solid[0, 0] = False
    places = {place: number for number, place in enumerate(zip(*np.nonzero(solid), strict=True))}
    pairs = [
        (number, places[y + dy, x + dx])
        for (y, x), number in places.items()
        for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0))
        if (y + dy, x + dx) in places
    ]
    rows, columns = zip(*pairs, strict=True)
    beside = csr_array((np.ones(len(pairs)), (rows, columns)), shape=(len(places), len(places)))
    reach = 24 / 4.5
    exact = spsolve((eye_array(len(places)) * (4 + 1 / reach**2) - beside).tocsc(), np.ones(len(places)))
    found = inflated(solid[None])[0, 1:-1, 1:-1][solid]
    assert np.abs(found - exact).max() < 0.05 * exact.max()


def test_a_disc_is_half_a_ball() -> None:
    """Normals point away from the middle, more so further out, as those of a ball do."""
    side, radius = 33, 14
    made = form(disc(side, radius))
    y, x = np.mgrid[:side, :side] - (side - 1) / 2
    away = np.hypot(x, y)
    ring = (away > 4) & (away < radius - 2)
    outward = (made.x[0] * x - made.y[0] * y)[ring] / (away[ring] * np.hypot(made.x[0], made.y[0])[ring])
    assert outward.min() > 0.99
    assert (made.x[0, 16, 16], made.y[0, 16, 16], made.z[0, 16, 16]) == (0, 0, FULL)
    middle = made.x[0, 16, 16:30].astype(int)
    assert (np.diff(middle) >= 0).all()
    assert middle[-1] > 0.7 * FULL
    length = np.sqrt(sum(part[0].astype(float) ** 2 for part in (made.x, made.y, made.z)))
    assert np.abs(length[made.solid[0]] - FULL).max() < 1.5


def test_a_thread_faces_the_viewer_and_has_no_edge() -> None:
    cells = np.zeros((5, 9), np.uint8)
    cells[2, 1:8] = 3
    made = form(cells)
    assert (made.y == 0).all()
    assert not made.edge.any()


def test_the_edge_is_the_outermost_pixel() -> None:
    cells = np.zeros((5, 5), np.uint8)
    cells[1:4, 1:4] = 3
    assert np.array_equal(form(cells).edge[0], (cells > 0) & (np.indices((5, 5)) != 2).any(axis=0))


def test_a_side_that_is_opaque_almost_from_end_to_end_goes_on() -> None:
    """A floor is flat; with its top row away, only its top edge is turned."""
    floor = np.full((8, 8), 3, np.uint8)
    flat = form(floor)
    assert (flat.z == FULL).all()
    assert not flat.edge.any()
    floor[0] = 0
    ledge = form(floor)
    assert (ledge.x == 0).all()
    assert ledge.y[0, 1].min() > 0
    assert np.array_equal(ledge.edge[0], np.indices((8, 8))[0] == 1)


def test_what_lies_between_two_rises_is_occluded_and_a_ball_is_not() -> None:
    assert not form(disc()).occlusion.any()
    waist = np.zeros((12, 25), np.uint8)
    waist[1:11, 1:10] = waist[1:11, 15:24] = 3
    waist[4:8, 8:17] = 3
    found = form(waist).occlusion[0]
    assert found[5:7, 12].min() > 20
    assert found[5:7, 5].max() == 0


def test_a_flat_part_is_flatter_and_a_border_of_parts_is_a_crease() -> None:
    cells = disc(25, 11)
    parts = np.where(cells > 0, PART_INDEX["body"], 0).astype(np.uint8)
    plain = form(cells, parts)
    assert np.array_equal(plain.z, form(cells).z)
    parts[:, 13:][cells[:, 13:] > 0] = PART_INDEX["shell"]
    creased = form(cells, parts)
    assert creased.occlusion[0, 12, 11:15].max() > plain.occlusion[0].max()
    assert creased.x[0, 12, 11] > 0 > creased.x[0, 12, 14]
    full = fullness_from_parts(np.array([[PART_INDEX[name] for name in ("body", "fin", "eye")]], np.uint8)[None])
    assert full[0, 0, 1] < full[0, 0, 0] < full[0, 0, 2]


def test_ink_is_low() -> None:
    """A black line across a disc, in a palette that has black, parts it into two forms."""
    palette = Palette.from_hex(["00ff00", "000000", "707070", "909090", "b0b0b0"], transparent=0)
    cells = disc(25, 11, 3)
    cells[:, 12][cells[:, 12] > 0] = 1
    made = form_from_cells(cells[None], stairs_from(palette))
    assert made.x[0, 12, 11] > 40
    assert made.x[0, 12, 13] < -40


@pytest.mark.parametrize(
    ("table", "said"), [({"wheel": 1.0}, "part must be one of those"), ({"fin": 9.0}, "must be from 0 to 4, got 9.0")]
)
def test_a_wrong_table_of_parts_is_refused(table: dict[str, float], said: str) -> None:
    with pytest.raises(InputError, match=said):
        fullness_from_parts(np.zeros((1, 1, 1), np.uint8), table)
