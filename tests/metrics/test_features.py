from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray
from scipy import ndimage

from pixelreef.core import Palette, reef_palette
from pixelreef.errors import GridError, InputError
from pixelreef.metrics.features import ALL, COLOURLESS, Features, features
from pixelreef.metrics.features.regions import regions

Cells = NDArray[np.uint8]
QUICK = settings(max_examples=40)
GREYS = Palette.from_hex(["ff00ff", "000000", "555555", "aaaaaa", "ffffff"], transparent=0)
STEPS = GREYS.oklab[:, 0]
IN_PICTURE = {"area", "box_height", "box_width", "top", "bottom", "place", "place_lopsided"}  # not in the frame


def batches(count: int = 3, largest: int = 9, colours: int = 5) -> st.SearchStrategy[Cells]:
    side = st.integers(1, largest)
    return st.tuples(side, side).flatmap(
        lambda size: hnp.arrays(np.uint8, (count, *size), elements=st.integers(0, colours - 1))
    )


def sprite(*rows: str) -> Cells:
    """One sprite, a digit per pixel and `.` for 0."""
    return np.array([[[int(sign.replace(".", "0")) for sign in row] for row in rows]], np.uint8)


def of(batch: Cells, palette: Palette = GREYS, place: int = 0) -> dict[str, float]:
    found = features(batch, palette)
    return dict(zip(found.names, found.values[place].tolist(), strict=True))


def family_of(found: Features, *families: str) -> NDArray[np.float32]:
    return np.asarray(found.family(*families).values, np.float32)


class TestVector:
    def test_names_are_fixed_whatever_the_size(self) -> None:
        names = features(np.zeros((1, 16, 16), np.uint8), GREYS).names
        assert len(names) == len(set(names)) == 350
        for shape in ((2, 64, 64), (0, 32, 32), (1, 1, 1), (1, 5, 40)):
            found = features(np.zeros(shape, np.uint8), reef_palette())
            assert found.names == names
            assert found.values.shape == (shape[0], 350)
            assert found.values.dtype == np.float32
        assert [sum(name.startswith(f"{family}.") for name in names) for family in ALL] == [151, 82, 59, 58]

    def test_families_are_taken_in_their_order(self) -> None:
        batch = np.eye(8, dtype=np.uint8)[None]
        whole = features(batch, GREYS)
        some = features(batch, GREYS, ["hue", "silhouette"])
        assert some.names == whole.family("silhouette", "hue").names
        np.testing.assert_array_equal(some.values, whole.family("hue", "silhouette").values)
        assert whole.family(*COLOURLESS).values.shape == (1, 292)

    @QUICK
    @given(batch=batches())
    def test_always_finite(self, batch: Cells) -> None:
        for palette in (GREYS, Palette(GREYS.rgb)):
            assert np.isfinite(features(batch, palette).values).all()

    def test_a_blank_sprite_is_0_everywhere(self) -> None:
        found = of(np.zeros((1, 8, 8), np.uint8))
        assert {name for name, value in found.items() if value != 0} == set()

    def test_many_at_once_are_as_one_by_one(self) -> None:
        batch = np.random.default_rng(0).integers(0, 5, (600, 6, 7), dtype=np.uint8)
        whole = features(batch, GREYS).values
        for place in (0, 511, 512, 599):
            np.testing.assert_allclose(features(batch[place : place + 1], GREYS).values[0], whole[place], atol=1e-5)
        np.testing.assert_array_equal(features(batch, GREYS).values, whole)

    def test_a_palette_each(self) -> None:
        batch = np.random.default_rng(1).integers(0, 5, (300, 8, 8), dtype=np.uint8)
        other = Palette.from_hex(["102030", "ff8800", "00ff00", "0000ff", "ffffff", "ff0000"], transparent=3)
        palettes = [GREYS, other] * 150
        found = features(batch, palettes).values
        np.testing.assert_allclose(found[0::2], features(batch[0::2], GREYS).values, atol=1e-5)
        np.testing.assert_allclose(found[1::2], features(batch[1::2], other).values, atol=1e-5)

    @QUICK
    @given(batch=batches(), seed=st.integers(0, 99))
    def test_the_order_of_the_palette_says_nothing(self, batch: Cells, seed: int) -> None:
        palette = Palette.from_hex(["ff00ff", "102040", "cc5544", "33aa77", "ffffee"], transparent=0)
        order = np.random.default_rng(seed).permutation(5)
        place = np.argsort(order).astype(np.uint8)
        turned = Palette(palette.rgb[order], int(place[0]))
        np.testing.assert_allclose(features(place[batch], turned).values, features(batch, palette).values, atol=2e-4)

    def test_wrong_input(self) -> None:
        with pytest.raises(GridError, match=r"batch must be a \(N, H, W\) array of uint8"):
            features(np.zeros((2, 2), np.uint8), GREYS)
        with pytest.raises(GridError, match="cells must be palette indices from 0 to 4, got 9"):
            features(np.full((1, 2, 2), 9, np.uint8), GREYS)
        with pytest.raises(InputError, match="families must be some of silhouette, light, texture, hue"):
            features(np.zeros((1, 2, 2), np.uint8), GREYS, ["colour"])
        with pytest.raises(InputError, match="palettes must be one, or one for each of the 3 sprites, got 2"):
            features(np.zeros((3, 2, 2), np.uint8), [GREYS, GREYS])


class TestSameness:
    @QUICK
    @given(batch=batches())
    def test_a_mirror_changes_nothing(self, batch: Cells) -> None:
        found, mirrored = features(batch, GREYS), features(batch[:, :, ::-1].copy(), GREYS)
        np.testing.assert_allclose(found.values, mirrored.values, atol=2e-4)

    @pytest.mark.parametrize("factor", [2, 3])
    @QUICK
    @given(batch=batches())
    def test_scale_changes_texture_alone(self, batch: Cells, factor: int) -> None:
        small, large = features(batch, GREYS), features(batch.repeat(factor, axis=1).repeat(factor, axis=2), GREYS)
        scaled = ("silhouette", "light", "hue")
        np.testing.assert_allclose(family_of(large, *scaled), family_of(small, *scaled), atol=5e-4)

    def test_scale_does_change_texture(self) -> None:
        batch = np.random.default_rng(2).integers(1, 5, (1, 8, 8), dtype=np.uint8)
        large = features(batch.repeat(2, axis=1).repeat(2, axis=2), GREYS, ["texture"])
        assert np.abs(large.values - features(batch, GREYS, ["texture"]).values).max() > 0.3

    @QUICK
    @given(batch=batches(), margin=st.tuples(*[st.integers(0, 5)] * 4))
    def test_a_border_changes_only_where_it_is_in_the_picture(
        self, batch: Cells, margin: tuple[int, int, int, int]
    ) -> None:
        batch[:, 0, 0] = 1  # nothing has no place
        top, bottom, left, right = margin
        found = features(batch, GREYS)
        padded = features(np.pad(batch, ((0, 0), (top, bottom), (left, right))), GREYS)
        chosen = [place for place, name in enumerate(found.names) if name.split(".")[1] not in IN_PICTURE]
        np.testing.assert_allclose(padded.values[:, chosen], found.values[:, chosen], atol=2e-4)

    def test_no_hue_is_left_without_hue(self) -> None:
        batch = np.random.default_rng(3).integers(0, 64, (20, 12, 12), dtype=np.uint8)
        grey = Palette(reef_palette().rgb, 0)
        grey.__dict__["oklab"] = reef_palette().oklab * [1, 0, 0]  # the very same lightness, no colour at all
        ours, theirs = features(batch, reef_palette()), features(batch, grey)
        np.testing.assert_array_equal(family_of(ours, *COLOURLESS), family_of(theirs, *COLOURLESS))
        assert np.abs(family_of(ours, "hue") - family_of(theirs, "hue")).max() > 0.1

    def test_only_transparency_is_in_the_silhouette(self) -> None:
        batch = np.random.default_rng(4).integers(0, 5, (20, 9, 9), dtype=np.uint8)
        flat = np.minimum(batch, 1)
        np.testing.assert_array_equal(
            features(batch, GREYS, ["silhouette"]).values, features(flat, GREYS, ["silhouette"]).values
        )

    def test_hue_does_not_see_lightness(self) -> None:
        batch = np.random.default_rng(5).integers(0, 64, (5, 12, 12), dtype=np.uint8)
        dark = Palette(reef_palette().rgb, 0)
        dark.__dict__["oklab"] = reef_palette().oklab * [0.5, 1, 1]
        np.testing.assert_array_equal(
            features(batch, reef_palette(), ["hue"]).values, features(batch, dark, ["hue"]).values
        )


class TestRegions:
    @QUICK
    @given(shape=st.tuples(st.integers(1, 3), st.integers(2, 6), st.integers(2, 6)), seed=st.integers(0, 9999))
    def test_any_joins_against_plain_flooding(self, shape: tuple[int, int, int], seed: int) -> None:
        # Level is not handed on (1 to 1.03, 1.03 to 1.06), so joins need not make whole patches.
        count, height, width = shape
        g = np.random.default_rng(seed)
        right, down = g.random((count, height, width - 1)) < 0.6, g.random((count, height - 1, width)) < 0.6
        found = regions(right, down)
        sizes = []
        for grid in range(count):
            label = np.arange(height * width).reshape(height, width)
            for _ in range(height * width):
                for y, x in np.argwhere(right[grid]):
                    label[y, x : x + 2] = label[y, x : x + 2].min()
                for y, x in np.argwhere(down[grid]):
                    label[y : y + 2, x] = label[y : y + 2, x].min()
            first, pixels = np.unique(label, return_counts=True)
            sizes += [
                (grid, grid * height * width + a, b) for a, b in zip(first.tolist(), pixels.tolist(), strict=True)
            ]
        triples = zip(found.grid.tolist(), found.first.tolist(), found.pixels.tolist(), strict=True)
        assert sorted(triples) == sizes


class TestSilhouette:
    def test_a_bar_by_hand(self) -> None:
        found = of(sprite("........", "..11....", "..11....", "..11....", "..11....", "........"))
        assert found["silhouette.area"] == pytest.approx(8 / 48)
        assert found["silhouette.box_height"] == pytest.approx(4 / 6)
        assert found["silhouette.box_width"] == pytest.approx(2 / 8)
        assert found["silhouette.elongation"] == 1  # log2(4 / 2)
        assert found["silhouette.box_fill"] == 1
        assert found["silhouette.top"] == pytest.approx(1 / 6)
        assert found["silhouette.bottom"] == pytest.approx(1 / 6)
        assert found["silhouette.perimeter"] == 1
        assert found["silhouette.symmetry_x"] == pytest.approx(1)
        assert found["silhouette.symmetry_y"] == pytest.approx(1)
        assert found["silhouette.parts"] == 1  # log2(1 + 1)
        assert found["silhouette.holes"] == 0
        assert found["silhouette.largest_part"] == 1
        assert found["silhouette.rows.0"] == pytest.approx(0.5)  # the frame is 4×4
        assert found["silhouette.columns.0"] == pytest.approx(0)
        assert found["silhouette.columns.7"] == pytest.approx(1)
        assert found["silhouette.moment_x2y0"] == pytest.approx(0.25 * 0.25 / 3, rel=0.02)  # uniform: half-width² / 3
        assert found["silhouette.moment_x0y2"] == pytest.approx(0.5 * 0.5 / 3, rel=0.02)

    def test_parts_touch_at_corners_and_holes_do_not(self) -> None:
        found = of(sprite("1.1...", ".1....", "1.1..1"))
        assert found["silhouette.parts"] == pytest.approx(np.log2(3))
        assert found["silhouette.largest_part"] == pytest.approx(5 / 6)
        assert found["silhouette.holes"] == 0
        ring = of(sprite(".1.", "1.1", ".1."))
        assert ring["silhouette.holes"] == 1
        assert ring["silhouette.hole_area"] == pytest.approx(1 / 5)

    def test_pieces_of_rows(self) -> None:
        found = of(sprite("111111", "1.1.1.", "1.1.1."))
        assert [found[f"silhouette.row_pieces.{third}"] for third in range(3)] == [1, 3, 3]
        assert found["silhouette.row_fill"] == pytest.approx(12 / 16)
        assert found["silhouette.column_fill"] == 1
        assert found["silhouette.row_widths.2"] == pytest.approx(6 / 12)  # one pixel is between 1/8 and 1/4 of six
        assert found["silhouette.row_widths.4"] == pytest.approx(6 / 12)

    @QUICK
    @given(batch=batches(2, 8, 2))
    def test_parts_and_holes_against_scipy(self, batch: Cells) -> None:
        for place in range(len(batch)):
            found = of(batch, place=place)
            mask = np.pad(batch[place] > 0, 1)
            labels, parts = ndimage.label(mask, np.ones((3, 3)))
            _, grounds = ndimage.label(~mask)
            assert found["silhouette.parts"] == pytest.approx(np.log2(1 + parts))
            assert found["silhouette.holes"] == pytest.approx(np.log2(grounds))
            largest = np.bincount(labels[mask]).max() / mask.sum() if parts else 0
            assert found["silhouette.largest_part"] == pytest.approx(largest)

    @QUICK
    @given(batch=batches(1, 8, 2))
    def test_maps_against_a_fine_picture(self, batch: Cells) -> None:
        batch[0, 0, 0] = 1
        ys, xs = np.nonzero(batch[0])
        box = batch[0, ys.min() : ys.max() + 1, xs.min() : xs.max() + 1].repeat(16, axis=0).repeat(16, axis=1)
        side = max(box.shape)
        frame = np.zeros((side, side))
        top, left = (side - box.shape[0]) // 2, (side - box.shape[1]) // 2
        frame[top : top + box.shape[0], left : left + box.shape[1]] = box
        fields = frame.reshape(8, side // 8, 8, side // 8).mean(axis=(1, 3))
        found = of(batch)
        same = [found[f"silhouette.occupancy.{y}.{x}"] for y in range(8) for x in range(4)]
        apart = [found[f"silhouette.lopsided.{y}.{x}"] for y in range(8) for x in range(4)]
        mirrored = fields[:, ::-1]
        np.testing.assert_allclose(same, ((fields + mirrored) / 2)[:, :4].ravel(), atol=1e-5)
        np.testing.assert_allclose(apart, np.abs(fields - mirrored)[:, :4].ravel(), atol=1e-5)


class TestLight:
    def test_by_hand(self) -> None:
        found = of(sprite("44", "11"))
        assert found["light.mean"] == pytest.approx(0.5, abs=1e-3)
        assert found["light.spread"] == pytest.approx(0.5, abs=1e-3)
        assert found["light.bands.0"] == pytest.approx(0.5, abs=1e-3)
        assert found["light.bands.7"] == pytest.approx(0.5, abs=1e-3)
        assert found["light.from_above"] > 0.2
        assert found["light.from_the_side"] == pytest.approx(0, abs=1e-6)
        assert found["light.ways.0"] == pytest.approx(1, abs=0.02)
        assert found["light.relief.0.0"] == pytest.approx(0.5, abs=1e-3)

    def test_from_below_and_from_the_side(self) -> None:
        below = of(sprite("11", "44"))
        assert below["light.from_above"] < -0.2
        assert below["light.ways.4"] == pytest.approx(1, abs=0.02)
        side = of(sprite("14", "14"))
        assert side["light.from_the_side"] > 0.2
        assert side["light.ways.2"] == pytest.approx(1, abs=0.02)


class TestHue:
    def test_one_colour(self) -> None:
        red = Palette.from_hex(["000000", "ff0000"], 0)
        found = of(sprite(".1", "11"), red)
        lab = red.oklab[1]
        chroma = float(np.hypot(lab[1], lab[2]))
        assert found["hue.chroma"] == pytest.approx(chroma, abs=1e-4)
        assert found["hue.chroma_spread"] == pytest.approx(0, abs=1e-3)
        assert found["hue.a"] == pytest.approx(lab[1], abs=1e-4)
        assert found["hue.b"] == pytest.approx(lab[2], abs=1e-4)
        assert found["hue.colours"] == 1
        hues = [found[f"hue.hues.{number}"] for number in range(12)]
        place = float(np.arctan2(lab[2], lab[1]) / (2 * np.pi) * 12)  # 29°: almost the second of twelve
        assert np.argmax(hues) == round(place) == 1
        assert sum(hues) == pytest.approx(chroma / (chroma + 0.01), abs=1e-4)

    def test_greys_have_none(self) -> None:
        found = of(sprite("1234"))
        assert found["hue.chroma"] == pytest.approx(0, abs=1e-4)
        assert sum(found[f"hue.hues.{number}"] for number in range(12)) < 0.01


class TestTexture:
    def test_by_hand(self) -> None:
        found = of(sprite("1144", "1144", "1344"))
        assert found["texture.agree_x"] == pytest.approx(5 / 9)  # 11, 44, 11, 44, 44
        assert found["texture.agree_y"] == pytest.approx(7 / 8)
        assert found["texture.orphans"] == pytest.approx(1 / 12)
        sizes = [found[f"texture.cluster_sizes.{kind}"] for kind in range(7)]
        assert sizes == pytest.approx([1 / 12, 0, 11 / 12, 0, 0, 0, 0])  # one of 1, one of 5, one of 6
        assert found["texture.clusters"] == 2  # log2(1 + 3)
        assert [found[f"texture.runs_x.{kind}"] for kind in range(5)] == pytest.approx([2 / 12, 10 / 12, 0, 0, 0])
        assert found["texture.square_flat"] == pytest.approx(3 / 6)
        assert found["texture.square_edge_upright"] == pytest.approx(1 / 6)
        assert found["texture.square_corner_low"] == pytest.approx(1 / 6)
        assert found["texture.steepest"] == pytest.approx(STEPS[4] - STEPS[1], abs=1e-4)
        assert found["texture.shades"] == 2  # log2(1 + 3)

    def test_a_chessboard(self) -> None:
        found = of((1 + 3 * (np.indices((6, 6)).sum(axis=0) % 2)).astype(np.uint8)[None])
        assert found["texture.checks"] == 1
        assert found["texture.square_broken"] == 1
        assert found["texture.agree_x"] == found["texture.agree_y"] == 0
        assert found["texture.orphans"] == 0  # its corners touch its like
        assert found["texture.runs_x.0"] == 1

    def test_outlines(self) -> None:
        found = of(sprite("11111", "14441", "14441", "14441", "11111"))
        dark, mean = STEPS[1], (16 * STEPS[1] + 9 * STEPS[4]) / 25
        assert found["texture.outline"] == pytest.approx(dark - mean, abs=1e-4)
        assert found["texture.outline_spread"] == pytest.approx(0, abs=1e-3)

    @QUICK
    @given(batch=batches(2, 8))
    def test_against_plain_loops(self, batch: Cells) -> None:
        for place, cells in enumerate(batch):
            found = of(batch, place=place)
            level, lighter, orphans = np.zeros(9), np.zeros(9), 0
            for y, x in np.argwhere(cells > 0):
                near = [
                    cells[b, a]
                    for b in range(y - 1, y + 2)
                    for a in range(x - 1, x + 2)
                    if (b, a) != (y, x) and 0 <= b < cells.shape[0] and 0 <= a < cells.shape[1] and cells[b, a]
                ]
                same = sum(one == cells[y, x] for one in near)
                level[same] += 1
                orphans += same == 0
                lighter[sum(one > cells[y, x] for one in near)] += 1  # GREYS climb with their index
            pixels = max(int((cells > 0).sum()), 1)
            assert found["texture.orphans"] == pytest.approx(orphans / pixels)
            assert [found[f"texture.level_neighbours.{n}"] for n in range(8)] == pytest.approx(level[1:] / pixels)
            assert [found[f"texture.lighter_neighbours.{n}"] for n in range(9)] == pytest.approx(lighter / pixels)

    @QUICK
    @given(batch=batches(2, 8))
    def test_clusters_against_scipy(self, batch: Cells) -> None:
        for place, cells in enumerate(batch):
            sizes = np.concatenate(
                [np.bincount(ndimage.label(cells == colour)[0].ravel())[1:] for colour in range(1, 5)] + [[]]
            )
            shares = np.histogram(sizes, [1, 2, 4, 8, 16, 32, 64, 10_000], weights=sizes)[0] / max(sizes.sum(), 1)
            found = of(batch, place=place)
            assert [found[f"texture.cluster_sizes.{kind}"] for kind in range(7)] == pytest.approx(shares)
            assert found["texture.clusters"] == pytest.approx(np.log2(1 + len(sizes)))
