"""What holds for every measure, and the registry."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from metrics.odd_grids import odd_rows
from metrics.pictures import NULLS, batch, drawings

from pixelreef.core.colour import Floats
from pixelreef.errors import GridError, InputError, PaletteError
from pixelreef.metrics import measure as register
from pixelreef.metrics.profile import MEASURES, composites, score
from pixelreef.metrics.tally import Cells, Integers, Tally

Batch = tuple[Cells, Cells, Integers]
# Of sun, plain sun, rainbow, saturn, maze, face and tree.
GOLDEN = {
    "orphan_pixels": [0.0, 0.0, 0.0, 0.0087, 0.0, 0.0, 0.0],
    "orphan_pixels_4": [0.0017, 0.0, 0.0, 0.0087, 0.0, 0.0, 0.0],
    "jaggies": [0.1, 0.0, 0.0, 0.0244, 0.0, 0.0, 0.0],
    "near_duplicate_colours": [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    "silhouette": [1.0, 1.0, 1.0, 1.0, 1.0, 0.8689, 0.8714],
    "noise": [0.4699, 0.3279, 0.3688, 0.5143, 0.7932, 0.3898, 0.2914],
    "craft": [0.626, 0.5202, 0.7902, 0.627, 0.3903, 0.6982, 0.6893],
    "palette_validity": [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
    "colour_efficiency": [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
    "fill_balance": [0.75, 0.7222, 0.9444, 0.5833, 0.8507, 0.9931, 0.9375],
    "edge_density": [0.1486, 0.058, 0.2065, 0.1649, 0.4438, 0.1359, 0.0851],
    "entropy": [0.7142, 0.9436, 0.7367, 0.5532, 0.9839, 0.6212, 0.8037],
    "row_agreement": [0.8514, 0.942, 0.8225, 0.8949, 0.4783, 0.8768, 0.9384],
    "column_agreement": [0.8514, 0.942, 0.7645, 0.7754, 0.6341, 0.8514, 0.8913],
    "row_coherence": [0.5301, 0.6721, 0.7077, 0.5888, 0.2053, 0.6658, 0.7891],
    "column_coherence": [0.5301, 0.6721, 0.563, 0.4006, 0.2083, 0.5593, 0.6362],
    "pixel_art_quality": [0.4395, 0.7515, 0.5023, 0.2867, 0.4438, 0.3825, 0.6065],
    "render_success": [0.7345, 0.6245, 0.8405, 0.721, 0.4788, 0.7899, 0.7669],
}


@st.composite
def batches(draw: st.DrawFn) -> Batch:
    count, height, width = draw(st.integers(1, 3)), draw(st.integers(1, 12)), draw(st.integers(1, 12))
    rgb = draw(npst.arrays(np.uint8, (count, 10, 3)))
    colours = np.array(draw(st.lists(st.integers(1, 10), min_size=count, max_size=count)))
    cells = draw(npst.arrays(np.uint8, (count, height, width), elements=st.integers(0, 11)))
    return cells, rgb, colours


def reordered(cells: Cells, rgb: Cells, colours: Integers) -> Batch:
    """The same drawings with their palettes in another order."""
    moved_cells, moved_rgb = cells.copy(), rgb.copy()
    for index, length in enumerate(colours):
        order = np.random.default_rng(index).permutation(length)
        moved_rgb[index, order] = rgb[index, :length]
        moved_cells[index] = order[cells[index]]
    return moved_cells, moved_rgb, colours


@settings(max_examples=80)
@given(batches())
def test_every_measure_stays_in_range(given_batch: Batch) -> None:
    for name, values in score(*given_batch).items():
        low, high = MEASURES[name].range
        assert np.isfinite(values).all(), name
        assert ((values >= low) & (values <= high)).all(), (name, values)


@settings(max_examples=60)
@given(batches())
def test_the_order_of_the_palette_means_nothing(given_batch: Batch) -> None:
    cells, rgb, colours = given_batch
    cells = cells % colours[:, None, None].astype(np.uint8)
    # Two colours may be equally common, on the border and in all, and equally light: then either is the background.
    by_background = {"fill_balance", "silhouette", "craft"}
    before, after = score(cells, rgb, colours), score(*reordered(cells, rgb, colours))
    for name in set(before) - by_background:
        np.testing.assert_allclose(after[name], before[name], atol=1e-6, err_msg=name)


def test_the_order_of_the_palette_means_nothing_to_a_drawing() -> None:
    given_batch = batch(drawings())
    after = score(*reordered(*given_batch))
    for name, values in score(*given_batch).items():
        np.testing.assert_allclose(after[name], values, atol=1e-6, err_msg=name)


@settings(max_examples=60)
@given(batches())
def test_a_mirror_image_scores_alike(given_batch: Batch) -> None:
    cells, rgb, colours = given_batch
    before, after = score(cells, rgb, colours), score(np.ascontiguousarray(cells[:, :, ::-1]), rgb, colours)
    for name, values in before.items():
        np.testing.assert_allclose(after[name], values, atol=1e-9, err_msg=name)


@settings(max_examples=40)
@given(batches())
def test_a_batch_equals_one_by_one(given_batch: Batch) -> None:
    cells, rgb, colours = given_batch
    together = score(cells, rgb, colours)
    for index in range(len(cells)):
        one = slice(index, index + 1)
        for name, values in score(cells[one], rgb[one], colours[one]).items():
            np.testing.assert_allclose(values, together[name][one], atol=1e-12, err_msg=name)


def test_chunks_do_not_show() -> None:
    cells, rgb, colours = batch(drawings())
    many = score(np.tile(cells, (90, 1, 1)), np.tile(rgb, (90, 1, 1)), np.tile(colours, 90))
    for name, values in score(cells, rgb, colours).items():
        np.testing.assert_allclose(many[name], np.tile(values, 90), atol=1e-12, err_msg=name)


def test_the_public_layouts_odd_rows_stay_in_range() -> None:
    g = np.random.default_rng(0)
    cells, lengths = [], []
    for row in odd_rows():
        length = min(max(row.palette, 2), 10)
        fitted = np.zeros((24, 24), np.uint8)
        for y, indices in enumerate(row.grid[:24]):
            fitted[y, : len(indices[:24])] = np.clip(indices[:24], 0, length - 1)
        cells.append(fitted)
        lengths.append(length)
    rgb = g.integers(0, 256, (len(cells), 10, 3), dtype=np.uint8)
    for name, values in score(np.stack(cells), rgb, np.array(lengths)).items():
        assert len(values) == 400
        assert np.isfinite(values).all(), name
        assert values.min() >= 0, name
        assert values.max() <= 1, name


def test_nothing_gives_nothing() -> None:
    none = score(np.zeros((0, 24, 24), np.uint8), np.zeros((0, 10, 3), np.uint8), np.zeros(0, np.intp))
    assert set(none) == set(MEASURES)
    assert all(len(values) == 0 for values in none.values())


def test_golden() -> None:
    """A change here is a change of a formula: move its version and METRICS_VERSION."""
    found = score(*batch(drawings()))
    assert set(found) == set(GOLDEN)
    for name, values in GOLDEN.items():
        assert found[name].round(4).tolist() == pytest.approx(values, abs=1.01e-4), name


def test_only_three_claim_quality_and_no_null_tops_them() -> None:
    assert composites() == ["craft", "pixel_art_quality", "render_success"]
    assert set(register.NULLS) == set(NULLS)


@pytest.mark.parametrize("name", MEASURES)
def test_nulls_that_top_a_measure_are_named(name: str) -> None:
    """On code-made drawings, a null not named is beaten by the mean drawing."""
    one = MEASURES[name]
    cells, rgb, colours = batch(drawings())
    sign = -1 if one.direction == "lower" else 1
    reference = sign * score(cells, rgb, colours, [name])[name].mean()
    for null, make in NULLS.items():
        made = [
            make(c, int(n), np.random.default_rng(t)) for t in range(8) for c, n in zip(cells, colours, strict=True)
        ]
        value = sign * score(np.stack(made), np.tile(rgb, (8, 1, 1)), np.tile(colours, 8), [name])[name].mean()
        if null not in one.topped_by and one.direction != "neither":
            assert reference > value, null


@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_says_how_to_read_it(name: str) -> None:
    text = inspect.getdoc(MEASURES[name].compute) or ""
    for word in ("Range:", "Direction:", "Empty:"):
        assert word in text, word
    assert MEASURES[name].compute.__name__ == name


def test_a_new_measure_is_one_function() -> None:
    @register.measure("symmetry", direction="neither")
    def symmetry(tally: Tally) -> Floats:
        return np.asarray((tally.merged == tally.merged[:, :, ::-1]).mean(axis=(1, 2)))

    try:
        assert score(*batch(drawings()))["symmetry"][1] == 1  # a plain sun is its own mirror image
    finally:
        del MEASURES["symmetry"]


def test_a_name_is_taken_once_and_claims_are_checked() -> None:
    with pytest.raises(InputError, match="name of its own"):
        register.measure("craft", direction="higher")(lambda tally: tally.nats)
    with pytest.raises(InputError, match="to claim quality"):
        register.measure("x", direction="higher", claims_quality=True, topped_by=("blank",))
    with pytest.raises(InputError, match="be among"):
        register.measure("x", direction="higher", topped_by=("nobody",))


def test_wrong_input_is_one_line() -> None:
    cells, rgb, colours = batch(drawings())
    with pytest.raises(InputError, match="be one of"):
        score(cells, rgb, colours, ["taste"])
    with pytest.raises(GridError, match="uint8"):
        score(cells.astype(np.int64), rgb, colours)
    with pytest.raises(PaletteError, match="colours must be from 1 to 10"):
        score(cells, rgb, colours + 9)
    with pytest.raises(PaletteError, match="rgb"):
        score(cells, rgb[:2], colours)
