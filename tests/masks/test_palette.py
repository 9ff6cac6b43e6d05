"""Making and linting palettes."""

from __future__ import annotations

import json

import numpy as np
import pytest

from pixelreef.core.colour import oklab_from_rgb
from pixelreef.core.palette import Palette
from pixelreef.errors import InputError
from pixelreef.masks.classes import Classes, MaskClass
from pixelreef.masks.datasets import dataset
from pixelreef.masks.decoder import PIXELARENA
from pixelreef.masks.palette_lint import Lint, lint
from pixelreef.masks.palette_make import make
from pixelreef.masks.survival import jpeg_pixels, sheets, survival


def _least(palette: Palette) -> float:
    lab = oklab_from_rgb(palette.rgb, flare=0.005)
    return min(float(np.linalg.norm(lab[a] - lab[b])) for a in range(len(lab)) for b in range(a))


def _texts(found: Lint) -> list[str]:
    return [finding.text for finding in found.findings]


@pytest.mark.parametrize(("n", "least"), [(2, 0.82), (8, 0.325), (19, 0.2), (21, 0.189)])
def test_made_colours_are_far_apart(n: int, least: float) -> None:
    palette = make(n)
    assert len(palette) == n
    assert palette.hex()[0] == "000000"
    assert palette == make(n)
    assert _least(palette) >= least
    assert not lint(palette).findings


def test_made_colours_are_farther_apart_than_random_and_published_ones() -> None:
    random = np.random.default_rng(0)
    for _ in range(50):
        assert _least(Palette(random.integers(0, 256, (19, 3)))) < 0.15
    assert _least(make(19)) > 4 * _least(Palette(dataset("celebamask-hq").classes.rgb))


def test_one_colour_is_black_and_too_many_are_refused() -> None:
    assert make(1).hex() == ["000000"]
    for n in (0, 257):
        with pytest.raises(InputError, match="be from 1 to 256"):
            make(n)


@pytest.mark.slow
def test_the_largest_palette_has_no_colour_twice() -> None:
    palette = make(256)
    assert len(set(palette.hex())) == 256
    assert _least(palette) > 0.05


def test_colours_twice_are_an_error() -> None:
    found = lint(Palette.from_hex(["ff0000", "000000", "ff0000", "ffffff", "000000"]))
    assert not found.is_usable
    assert _texts(found)[:2] == ["one colour for several classes: 0 = 2", "one colour for several classes: 1 = 4"]
    assert found.survival[75][0] == found.survival[75][2]
    assert found.rgb is not None
    assert (found.rgb.distance, found.rgb.first, found.rgb.second) == (255.0, "0", "1")


def test_near_colours_are_a_warning_with_the_pair_named() -> None:
    classes = Classes(
        (
            MaskClass("sky", (0, 0, 200), 0),
            MaskClass("sea", (0, 0, 212), 1),
            MaskClass("sand", (250, 240, 200), 2),
            MaskClass("void", None, 255, ignore=True),
        )
    )
    found = lint(classes)
    assert found.is_usable
    assert _texts(found)[1] == "1 pair nearer than 32 bytes in sRGB: sky – sea 12.0"
    assert _texts(found)[0].startswith("1 pair nearer than 0.08 in OKLab: sky – sea 0.0")
    assert any("JPEG 75 keeps less than 0.97: s" in text for text in _texts(found))
    assert min(found.survival[75][:2]) < 0.97 < found.survival[75][2]
    json.dumps(found.record(), allow_nan=False)


def test_published_palettes_are_warned_of_where_they_are_tight() -> None:
    cityscapes = lint(dataset("cityscapes").classes)
    assert any("bus – train 20.0" in text for text in _texts(cityscapes))
    assert not lint(dataset("suim").classes).findings


def test_a_single_colour_has_no_neighbour() -> None:
    found = lint(Palette.from_hex(["336699"]))
    assert (found.findings, found.oklab, found.rgb) == ((), None, None)
    assert found.survival == {95: (1.0,), 75: (1.0,)}


def test_every_colour_is_painted_on_four_others() -> None:
    palette = make(8)
    (sheet,) = sheets(palette)
    assert sheet.shape == (3 * 80, 12 * 80)  # 32 squares in rows of 12, filled up
    middles = sheet[40::80, 40::80].ravel()[:32]
    corners = sheet[::80, ::80].ravel()[:32]
    assert middles.tolist() == [colour for colour in range(8) for _ in range(4)]
    assert all(len({*corners[start : start + 4]} - {middles[start]}) == 4 for start in range(0, 32, 4))


def test_survival_falls_with_quality_and_with_distance() -> None:
    far, near = Palette.from_hex(["000000", "ffffff", "ff0000"]), Palette.from_hex(["000000", "0c0c0c", "180c0c"])
    assert survival(far, 75, PIXELARENA).min() > 0.99
    assert survival(near, 30, PIXELARENA).min() < survival(near, 95, PIXELARENA).min() < 0.999
    flat = np.full((32, 32, 3), 128, np.uint8)
    assert np.abs(jpeg_pixels(flat, 75).astype(int) - 128).max() <= 1
