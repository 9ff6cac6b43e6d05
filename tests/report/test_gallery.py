"""Galleries: whole multiples, one copy of each picture, tags."""

from __future__ import annotations

import base64
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report.samples import gallery, png, read

from pixelreef.errors import InputError
from pixelreef.report import Gallery, Picture


@given(st.integers(1, 600), st.integers(1, 600), st.integers(16, 300))
def test_a_picture_is_shown_at_a_whole_multiple_or_fraction(width: int, height: int, tile: int) -> None:
    picture = Picture(png(), width, height, "a")
    shown = picture.shown_size(tile)
    assert max(shown) <= tile
    if max(width, height) <= tile:
        assert shown[0] % width == shown[1] % height == 0
        assert shown[0] // width == shown[1] // height
        assert max(shown) + max(width, height) > tile


def test_the_same_bytes_are_stored_once() -> None:
    body = gallery(24).fragment("g").body
    assert body.count("data:image/png") == 10
    assert body.count('data-same="3"') == 2
    assert body.count(base64.b64encode(png(3)).decode()) == 1


def test_structure() -> None:
    seen = read(gallery())
    tags = [tag for tag, _ in seen.tags]
    assert tags.count("li") == 12
    assert tags.count("dialog") == 1
    assert seen.values.count("chip") == 5
    assert "12 of 12" in seen.texts
    assert "reply 1\n<b>&</b>" in seen.texts
    assert tags.count("h1") + tags.count("h2") + tags.count("h3") == 0


def test_a_few_pictures_without_tags_have_no_filter() -> None:
    assert 'role="search"' not in Gallery([Picture(png(), 8, 8, "a")]).fragment("g").body
    assert 'role="search"' in gallery(2).fragment("g").body


def test_a_picture_larger_than_its_tile_is_marked_to_be_smoothed() -> None:
    body = Gallery([Picture(png(), 100, 50, "a")], tile=64).fragment("g").body
    assert 'width="50" height="25" data-size="100 50" data-smooth' in body


def test_an_empty_gallery() -> None:
    assert read(Gallery([])).tags


def test_two_thousand_pictures_are_made_in_a_moment() -> None:
    picture = Picture(png(), 8, 8, "a", "b", tuple(f"t{n}" for n in range(50)), "detail " * 100)
    start = time.perf_counter()
    Gallery([picture] * 2000).fragment("g")
    assert time.perf_counter() - start < 2  # about 0.1 s


@pytest.mark.parametrize(
    "make",
    [lambda: Picture(b"GIF89a", 8, 8, "a"), lambda: Picture(png(), 0, 8, "a"), lambda: Gallery([], tile=4)],
)
def test_what_is_no_picture_is_refused(make: object) -> None:
    assert callable(make)
    with pytest.raises(InputError):
        make()
