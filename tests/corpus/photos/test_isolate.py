from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from photographs import backdrop, encoded, fish_mask, fish_photo, overlap, reef_scene

from pixelreef.core.images import image_from_bytes
from pixelreef.core.seeds import rng
from pixelreef.corpus.photos.isolate import isolate
from pixelreef.corpus.photos.masks import mask_path, read_mask, subject_of_mask
from pixelreef.corpus.photos.pieces import main_piece, resized
from pixelreef.corpus.photos.plain import plain_cut
from pixelreef.corpus.photos.salient import barrier, salient_cut
from pixelreef.errors import FileError, ImageError


def opaque(rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.dstack([rgb, np.full(rgb.shape[:2], 255, np.uint8)])


@pytest.mark.parametrize("quality", [95, 60])
def test_a_fish_before_a_backdrop_with_falloff_and_jpeg_noise_is_cut_out(quality: int) -> None:
    photo = image_from_bytes(encoded(fish_photo(noise=4), quality=quality)).rgba
    cut = isolate(photo)
    assert cut.how == "plain"
    assert overlap(cut.mask, fish_mask()) > 0.95
    assert cut.confidence > 0.95


def test_a_subject_may_run_out_of_the_picture_on_one_side() -> None:
    photo = fish_photo()[:, 60:]
    mask, share = plain_cut(photo)
    assert overlap(mask, fish_mask()[:, 60:]) > 0.95
    assert 0.85 < share < 1


def test_the_reason_says_how_much_of_the_border_is_unlike_the_rest() -> None:
    with pytest.raises(ImageError, match=r"plain background, got [3-5]\d% of the border unlike the rest"):
        isolate(opaque(reef_scene()))


def test_texture_is_no_plain_background() -> None:
    noise = rng(1, "texture").integers(0, 256, (120, 160, 3)).astype(np.uint8)
    with pytest.raises(ImageError, match="plain background"):
        isolate(opaque(noise))


def test_confetti_is_no_subject() -> None:
    picture = backdrop()
    for y, x in rng(2, "confetti").integers(20, 210, (40, 2)):
        picture[y : y + 8, x : x + 8] = (200, 30, 60)
    with pytest.raises(ImageError, match="pieces, the largest"):
        plain_cut(picture)


def test_an_empty_backdrop_shows_no_subject() -> None:
    with pytest.raises(ImageError, match="nothing unlike the border"):
        isolate(opaque(backdrop()))


def test_alpha_comes_before_the_background_and_a_mask_before_alpha() -> None:
    photo = opaque(fish_photo())
    photo[..., 3] = np.where(fish_mask(), 255, 0)
    assert isolate(photo).how == "alpha"
    np.testing.assert_array_equal(isolate(photo).mask, fish_mask())
    square = np.zeros(photo.shape[:2], bool)
    square[50:90, 50:90] = True
    assert isolate(photo, square).how == "mask"
    np.testing.assert_array_equal(isolate(photo, square).mask, square)


def test_a_few_transparent_pixels_mean_nothing() -> None:
    photo = opaque(fish_photo())
    photo[0, :50, 3] = 0
    assert isolate(photo).how == "plain"


def test_an_all_transparent_picture_has_no_subject() -> None:
    with pytest.raises(ImageError, match="alpha channel must show a subject"):
        isolate(np.zeros((40, 40, 4), np.uint8))


def test_the_salient_cut_finds_the_fish_above_a_sea_floor() -> None:
    cut = isolate(opaque(reef_scene()), salient=True)
    assert cut.how == "salient"
    assert overlap(cut.mask, fish_mask()) > 0.85


def test_a_soft_glow_around_the_fish_is_not_the_subject() -> None:
    """The glow is a larger region that stands out as well, but its outline is no step."""
    picture = fish_photo(noise=1).astype(float)
    y, x = np.mgrid[-1:1:240j, -1:1:320j]
    glow = np.exp(-(((y / 0.6) ** 2 + (x / 0.6) ** 2) ** 2))[..., None] * (60, 36, -18)
    picture = np.where(fish_mask()[..., None], picture, picture + glow)
    mask, _ = salient_cut(np.clip(picture, 0, 255).astype(np.uint8))
    assert overlap(mask, fish_mask()) > 0.85


@pytest.mark.parametrize("picture", [backdrop(), np.full((30, 40, 3), 90, np.uint8), np.zeros((1, 1, 3), np.uint8)])
def test_where_nothing_stands_out_the_salient_cut_says_so(picture: NDArray[np.uint8]) -> None:
    with pytest.raises(ImageError, match="one subject that stands out"):
        salient_cut(picture)


def test_whole_is_the_middle_square_and_the_last_resort() -> None:
    cut = isolate(opaque(reef_scene()), whole=True)
    assert (cut.how, int(cut.mask.sum())) == ("whole", 240 * 240)
    assert cut.mask[:, 40:280].all()
    assert isolate(opaque(fish_photo()), whole=True).how == "plain"


@given(arrays(np.float64, st.tuples(st.integers(1, 7), st.integers(1, 7)), elements=st.integers(0, 9)))
def test_the_barrier_is_never_under_the_least_over_all_paths(channel: NDArray[np.float64]) -> None:
    found = barrier(channel)
    np.testing.assert_array_less(barriers_by_thresholds(channel) - 1e-9, found)
    assert (found[[0, -1]] == 0).all()


def test_the_barrier_of_a_ring_is_what_must_be_crossed() -> None:
    channel = np.zeros((9, 9))
    channel[2:7, 2:7] = 4
    channel[3:6, 3:6] = 1
    np.testing.assert_array_equal(barrier(channel), barriers_by_thresholds(channel))
    assert barrier(channel)[4, 4] == 4


def barriers_by_thresholds(channel: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each pair low ≤ high, the pixels that reach the border through values between: exact, and slow."""
    from scipy import ndimage

    best = np.full(channel.shape, np.inf)
    values = np.unique(channel)
    for low in values:
        for high in values[values >= low]:
            labels, _ = ndimage.label((channel >= low) & (channel <= high))
            at_border = set(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])) - {0}
            reached = np.isin(labels, list(at_border))
            best[reached] = np.minimum(best[reached], high - low)
    return best


def test_the_main_piece_is_thick_and_whole_rather_than_large() -> None:
    mask = np.zeros((60, 100), bool)
    mask[5:15, 5:95] = True  # 900 pixels, thin
    mask[25:45, 40:65] = True  # 500 pixels, thick
    mask[25:60, 75:100] = True  # 875 pixels, thick, cut by the frame
    np.testing.assert_array_equal(np.argwhere(main_piece(mask)).min(axis=0), [25, 40])
    assert main_piece(mask).sum() == 500


def test_a_small_piece_beside_the_subject_belongs_to_it_and_a_twin_does_not() -> None:
    mask = np.zeros((200, 400), bool)
    mask[50:150, 50:150] = True
    mask[50:150, 152:159] = True  # a fin
    mask[50:150, 170:268] = True  # another creature
    assert main_piece(mask).sum() == 100 * 100 + 100 * 7


def test_a_long_thin_subject_is_not_lost_to_a_speck_of_its_thickness() -> None:
    mask = np.zeros((60, 200), bool)
    mask[20:28, 10:190] = True
    mask[45:53, 90:98] = True
    assert main_piece(mask).sum() == 8 * 180


def test_an_empty_mask_has_no_piece() -> None:
    assert not main_piece(np.zeros((5, 5), bool)).any()


def test_of_several_mask_colours_the_one_with_the_largest_piece_counts() -> None:
    mask = np.zeros((60, 60, 4), np.uint8)
    mask[..., 3] = 255
    mask[5:15, 5:15, :3] = (255, 255, 0)
    mask[30:50, 30:50, :3] = (0, 0, 250)
    assert subject_of_mask(mask, [(255, 255, 0), (0, 0, 255)]).sum() == 400
    assert subject_of_mask(mask, [(255, 255, 0)]).sum() == 100
    assert subject_of_mask(mask, [(255, 0, 255)]).sum() == 0
    assert subject_of_mask(mask, []).sum() == 400


def test_masks_are_found_by_stem_and_brought_to_size(tmp_path: Path) -> None:
    (tmp_path / "reef").mkdir()
    mask = fish_mask(120, 160).astype(np.uint8) * 255
    (tmp_path / "reef" / "a.png").write_bytes(encoded(mask, "PNG"))
    (tmp_path / "b.gif").write_bytes(encoded(mask, "GIF"))
    assert mask_path(tmp_path, "reef/a.jpg").name == "a.png"
    assert mask_path(tmp_path, "reef/b.jpg").name == "b.gif"
    found = read_mask(mask_path(tmp_path, "reef/a.jpg"), (240, 320), ())
    assert overlap(found, fish_mask()) > 0.97
    with pytest.raises(FileError, match=r"mask of 'c.jpg' must exist"):
        mask_path(tmp_path, "c.jpg")
    with pytest.raises(ImageError, match="have the shape of 320 × 200"):
        read_mask(tmp_path / "b.gif", (200, 320), ())


def test_a_mask_name_cannot_leave_its_folder(tmp_path: Path) -> None:
    (tmp_path / "masks").mkdir()
    (tmp_path / "secret.png").write_bytes(b"x")
    with pytest.raises(FileError, match="stay inside"):
        mask_path(tmp_path / "masks", "../secret.jpg")


@pytest.mark.parametrize("size", [(160, 120), (640, 480), (320, 240), (33, 17)])
def test_a_mask_resized_keeps_its_share(size: tuple[int, int]) -> None:
    mask = resized(fish_mask(), size)
    assert mask.shape == size[::-1]
    assert mask.mean() == pytest.approx(fish_mask().mean(), abs=0.02)
