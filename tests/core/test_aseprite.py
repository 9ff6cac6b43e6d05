from __future__ import annotations

import struct
import tracemalloc
import zlib
from pathlib import Path

import aseprite_made as made
import numpy as np
import pytest
from aseprite_made import ACROSS, BLUE, CLEAR, DIAGONAL, DOWN, GREY, GROUPS, INDEXED, OPACITY, RED, SAMPLE, TILED
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from numpy.typing import NDArray

from pixelreef.core.aseprite import aseprite_from_bytes, read_aseprite
from pixelreef.core.frames import Tag
from pixelreef.errors import FileError, ImageError

COLOURS = ["000000", "ff8800", "00ffaa", "123456"]


def colours_of(rgba: NDArray[np.uint8]) -> list[str]:
    """Pixels as hex, row by row, `-` where nothing is seen."""
    return [bytes(pixel[:3]).hex() if pixel[3] == 255 else "-" for pixel in rgba.reshape(-1, 4)]


def first(data: bytes) -> NDArray[np.uint8]:
    return aseprite_from_bytes(data).frames[0].rgba


def test_rgba_pixels_are_as_they_are(tmp_path: Path) -> None:
    pixels = RED + BLUE + b"\x01\x02\x03\x80" + CLEAR
    path = tmp_path / "x.aseprite"
    path.write_bytes(made.still(made.layer("fish"), made.cel(pixels)))
    read = read_aseprite(path)
    assert read.frames[0].rgba.tobytes() == pixels
    assert (read.format, read.mode, read.width, read.height) == ("Aseprite", "RGBA", 2, 2)
    assert (read.layers, read.palette, read.notes) == (("fish",), None, ())
    assert not read.frames[0].rgba.flags.writeable


def test_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="must exist"):
        read_aseprite(tmp_path / "none.ase")


def test_grey_has_a_value_and_an_alpha() -> None:
    rgba = first(made.still(made.layer(), made.cel(bytes([0, 255, 90, 255, 200, 128, 9, 0])), depth=GREY))
    assert rgba.tolist() == [[[0, 0, 0, 255], [90, 90, 90, 255]], [[200, 200, 200, 128], [0, 0, 0, 0]]]


def test_an_indexed_file_keeps_indices_palette_and_its_transparent_entry() -> None:
    data = made.still(made.palette(COLOURS), made.layer(), made.cel(bytes([0, 1, 2, 3])), depth=INDEXED, transparent=2)
    read = aseprite_from_bytes(data)
    assert read.palette is not None
    assert (read.palette.hex(), read.palette.transparent) == (COLOURS, 2)
    assert read.frames[0].indices is not None
    assert read.frames[0].indices.tolist() == [[0, 1], [2, 3]]
    assert colours_of(read.frames[0].rgba) == ["000000", "ff8800", "-", "123456"]


def test_on_a_background_nothing_is_transparent() -> None:
    head = made.palette(COLOURS)
    read = aseprite_from_bytes(made.still(head, made.layer(more=8), made.cel(bytes([0, 1, 2, 3])), depth=INDEXED))
    assert read.palette is not None
    assert read.palette.transparent is None
    assert colours_of(read.frames[0].rgba) == COLOURS
    half = made.layer(opacity=0)
    mixed = made.still(head, made.layer(more=8), half, made.cel(bytes([0, 1, 2, 3])), depth=INDEXED)
    assert colours_of(first(mixed)) == COLOURS  # the way through blending says the same


def test_an_index_beyond_the_palette_shows_nothing() -> None:
    data = made.still(made.palette(["0000ff"] * 2), made.layer(), made.cel(bytes([1, 2, 255, 0])), depth=INDEXED)
    read = aseprite_from_bytes(data)
    assert colours_of(read.frames[0].rgba) == ["0000ff", "-", "-", "-"]
    assert read.frames[0].indices is not None


def test_a_transparent_index_beyond_the_palette_makes_it_longer() -> None:
    data = made.still(
        made.palette(["0000ff"]), made.layer(), made.cel(bytes([0]), (1, 1)), depth=INDEXED, transparent=5
    )
    read = aseprite_from_bytes(data)
    assert read.palette is not None
    assert (len(read.palette), read.palette.transparent) == (6, 5)
    assert colours_of(read.frames[0].rgba) == ["0000ff", "-", "-", "-"]


def test_later_layers_cover_earlier_ones_and_hidden_ones_nothing() -> None:
    layers = made.layer("a"), made.layer("b"), made.layer("c", visible=False), made.layer("d", more=64)
    cels = [made.cel(RED * 4), made.cel(BLUE, (1, 1), on=1), made.cel(CLEAR * 4, on=2), made.cel(BLUE * 4, on=3)]
    read = aseprite_from_bytes(made.still(*layers, *cels))
    assert colours_of(read.frames[0].rgba) == ["0000ff", "ff0000", "ff0000", "ff0000"]
    assert read.layers == ("a", "b", "c", "d")
    assert read.notes == ("reference layers left out",)


def test_a_hidden_group_hides_what_is_in_it() -> None:
    layers = [made.layer(), made.layer(kind=1, visible=False), made.layer(kind=1, level=1), made.layer(level=2)]
    beside = made.layer(level=0)
    cels = [made.cel(RED * 4), made.cel(BLUE * 4, on=3), made.cel(BLUE, (1, 1), on=4)]
    for flags in (OPACITY, OPACITY | GROUPS):
        rgba = first(made.still(*layers, beside, *cels, flags=flags))
        assert colours_of(rgba) == ["0000ff", "ff0000", "ff0000", "ff0000"]


def test_opacities_of_cel_and_layer_multiply() -> None:
    """Blue at 255 · 128/255 · 100/255 = 50 of 255 on red: 255 − 255·50/255 = 205 red, 50 blue."""
    layers = [made.layer(), made.layer(opacity=100)]
    cels = [made.cel(RED * 4), made.cel(BLUE * 4, on=1, opacity=128)]
    assert first(made.still(*layers, *cels))[0, 0].tolist() == [205, 0, 50, 255]
    # Without the header's flag a layer's opacity means nothing: 255 − 255·128/255 = 127.
    assert first(made.still(*layers, *cels, flags=0))[0, 0].tolist() == [127, 0, 128, 255]


def test_a_blended_indexed_file_has_no_indices_and_says_so() -> None:
    head = made.palette(COLOURS), made.layer(opacity=128), made.cel(bytes([1] * 4))
    read = aseprite_from_bytes(made.still(*head, depth=INDEXED))
    assert read.frames[0].indices is None
    assert read.frames[0].rgba[0, 0].tolist() == [0xFF, 0x88, 0, 128]
    assert read.notes == ("layers are blended: indices are not kept",)
    faint = made.still(made.palette(["000000", "ff880080"]), made.layer(), made.cel(bytes([1] * 4)), depth=INDEXED)
    assert first(faint)[0, 0].tolist() == [0xFF, 0x88, 0, 128]
    unused = made.still(made.palette(["000000", "ff8800", "11223380"]), *head[1:2], made.layer(), depth=INDEXED)
    assert aseprite_from_bytes(unused).palette is not None


def test_groups_are_put_together_first_where_the_file_says_so() -> None:
    """Red and, on it, blue in a group of opacity 128: flat, the blue alone; together, half of blue over nothing."""
    layers = [made.layer(), made.layer(kind=1, opacity=128), made.layer(level=1), made.layer(level=1)]
    cels = [made.cel(RED * 4), made.cel(BLUE * 4, on=3), made.cel(b"\0\xff\0\xff" * 4, on=2)]
    assert first(made.still(*layers, *cels))[0, 0].tolist() == [0, 0, 255, 255]
    grouped = first(made.still(*layers, *cels, flags=OPACITY | GROUPS))
    assert grouped[0, 0].tolist() == [127, 0, 128, 255]


def test_a_groups_mode_counts_only_where_the_file_says_so() -> None:
    layers = [made.layer(), made.layer(kind=1, mode=16), made.layer(level=1)]  # 16: addition
    cels = [made.cel(RED * 4), made.cel(BLUE * 4, on=2)]
    assert first(made.still(*layers, *cels))[0, 0].tolist() == [0, 0, 255, 255]
    assert first(made.still(*layers, *cels, flags=OPACITY | GROUPS))[0, 0].tolist() == [255, 0, 255, 255]


def test_z_index_moves_a_cel_up_and_down() -> None:
    layers = [made.layer(), made.layer(), made.layer()]
    shades = [bytes([shade, 0, 0, 255]) * 4 for shade in (10, 20, 30)]

    def top(*zs: int) -> int:
        cels = [made.cel(shade, on=number, z=zs[number]) for number, shade in enumerate(shades)]
        return int(first(made.still(*layers, *cels))[0, 0, 0])

    assert (top(0, 0, 0), top(0, 0, -1), top(0, 0, -2), top(2, 0, 0), top(1, 1, 0)) == (30, 20, 20, 10, 20)


def test_z_index_counts_siblings_where_groups_are_put_together() -> None:
    layers = [made.layer(), made.layer(kind=1), made.layer(level=1), made.layer(level=1)]
    cels = [made.cel(RED * 4, z=1), made.cel(BLUE * 4, on=3)]
    # Red is child 0 and moves to 1, where the group is: the z-index breaks the tie. Flat, blue is 3 and stays above.
    assert colours_of(first(made.still(*layers, *cels, flags=OPACITY | GROUPS)))[0] == "ff0000"
    assert colours_of(first(made.still(*layers, *cels)))[0] == "0000ff"
    # Layer 3 is child 2 of the whole: one down, it is where the group is, and below it by its z-index.
    layers = [made.layer(), made.layer(kind=1), made.layer(level=1), made.layer()]
    cels = [made.cel(RED * 4, on=2), made.cel(BLUE * 4, on=3, z=-1)]
    assert colours_of(first(made.still(*layers, *cels, flags=OPACITY | GROUPS)))[0] == "ff0000"


def test_a_linked_cel_shows_the_other_frames_picture_at_its_own_place() -> None:
    frames = [
        made.frame(made.layer(), made.cel(RED, (1, 1)), milliseconds=40),
        made.frame(made.linked(0, at=(1, 1))),
        made.frame(made.linked(1)),
        made.frame(made.linked(9)),
        made.frame(),
    ]
    read = aseprite_from_bytes(made.file(frames, speed=70))
    shown = [colours_of(frame.rgba) for frame in read.frames]
    assert shown == [
        ["ff0000", "-", "-", "-"],
        ["-", "-", "-", "ff0000"],
        ["ff0000", "-", "-", "-"],
        ["-"] * 4,
        ["-"] * 4,
    ]
    assert [frame.milliseconds for frame in read.frames] == [40, 70, 70, 70, 70]
    assert read.notes == ("a linked cel that leads nowhere is left out",)


@pytest.mark.parametrize("at", [(-1, -1), (1, 0), (0, 1), (5, 5), (-9, 0), (-32768, 32767)])
def test_what_is_outside_the_canvas_is_cut_off(at: tuple[int, int]) -> None:
    pixels = np.arange(4, dtype=np.uint8).repeat(4).reshape(2, 2, 4) + np.array([0, 0, 0, 252], np.uint8)
    canvas = np.zeros((2, 2, 4), np.uint8)
    for y in range(2):
        for x in range(2):
            if 0 <= x + at[0] < 2 and 0 <= y + at[1] < 2 and pixels[y, x, 3]:
                canvas[y + at[1], x + at[0]] = pixels[y, x]
    assert np.array_equal(first(made.still(made.layer(), made.cel(pixels.tobytes(), at=at))), canvas)


def test_raw_cels_and_cels_of_many_strips() -> None:
    assert colours_of(first(made.still(made.layer(), made.cel(RED * 4, raw=True)))) == ["ff0000"] * 4
    noise = np.random.default_rng(3).integers(0, 256, (300, 700), dtype=np.uint8)
    for raw in (False, True):
        data = made.still(
            *(made.palette([f"{i:06x}" for i in range(256)]), made.layer()),
            made.cel(noise.tobytes(), (700, 300), raw=raw),
            depth=INDEXED,
            size=(700, 300),
        )
        indices = aseprite_from_bytes(data).frames[0].indices
        assert indices is not None
        assert np.array_equal(indices, noise)


def test_tags_name_runs_of_frames() -> None:
    frames = [made.frame(made.layer(), made.tags(("all", 0, 2), ("wägt", 1, 1)))] + [made.frame()] * 2
    read = aseprite_from_bytes(made.file(frames))
    assert read.tags == (Tag("all", 0, 2), Tag("wägt", 1, 1))
    assert [read.tag_of(number) for number in range(4)] == ["all", "wägt", "all", ""]


def test_old_palettes_hold_until_a_new_one_comes() -> None:
    pixels = made.layer(), made.cel(bytes([0, 1, 2, 3]))
    old = made.old_palette([(1, ["aa0000"]), (1, ["bb0000"])])  # entries 1 and 2: the place counts on, 1 + 1

    def palette(*chunks: bytes) -> list[str]:
        read = aseprite_from_bytes(made.still(*chunks, *pixels, depth=INDEXED, colours=4, transparent=0))
        assert read.palette is not None
        return read.palette.hex()

    assert palette(old) == ["000000", "aa0000", "bb0000", "000000"]
    assert palette(made.palette(COLOURS), old) == COLOURS
    assert palette(old, made.palette(["cc0000"], first=1, size=4)) == ["000000", "cc0000", "bb0000", "000000"]
    assert palette(made.palette(COLOURS, names=True)) == COLOURS


@pytest.mark.parametrize("kind", [0x000B, 0x0011])
def test_the_oldest_palettes_have_six_bits(kind: int) -> None:
    old = made.old_palette([(0, ["00203f"])], kind)  # 0, 32 and 63 of 63
    read = aseprite_from_bytes(made.still(old, made.layer(), depth=INDEXED, colours=1))
    assert read.palette is not None
    assert read.palette.hex() == ["0082ff"]


def test_a_palette_that_changes_is_used_frame_by_frame() -> None:
    one = made.cel(bytes([1] * 4))
    frames = [
        made.frame(made.palette(["000000", "ff0000"]), made.layer(), one),
        made.frame(made.palette(["0000ff"], first=1, size=2), one),
        made.frame(one),
    ]
    read = aseprite_from_bytes(made.file(frames, depth=INDEXED))
    assert [colours_of(frame.rgba)[0] for frame in read.frames] == ["ff0000", "0000ff", "0000ff"]
    assert (read.palette, read.frames[0].indices) == (None, None)
    assert read.notes == ("the palette changes from frame to frame: indices are not kept",)


def test_tiles_are_laid_out_and_flipped() -> None:
    """The tile has its mark at the right of its lower row: (1, 2, 3, 4) = row 0: 1 2, row 1: 3 4."""
    tiles = made.tileset(bytes([0, 0, 0, 0, 1, 2, 3, 4]), 2, (2, 2))
    codes = [1, 1 | ACROSS, 1 | DOWN, 1 | DIAGONAL, 1 | DIAGONAL | ACROSS, 0, 77, 1 | DIAGONAL | ACROSS | DOWN]
    data = made.still(
        *(made.palette([f"00000{i}" for i in range(8)]), tiles, made.layer(kind=2), made.tilemap(codes, (4, 2))),
        depth=INDEXED,
        size=(8, 4),
    )
    indices = aseprite_from_bytes(data).frames[0].indices
    assert indices is not None
    assert indices.tolist() == [
        [1, 2, 2, 1, 3, 4, 1, 3],
        [3, 4, 4, 3, 1, 2, 2, 4],
        [3, 1, 0, 0, 0, 0, 4, 2],
        [4, 2, 0, 0, 0, 0, 3, 1],
    ]


def test_tiles_of_channels_and_tiles_of_the_first_kind() -> None:
    assert colours_of(first(made.still(made.tileset(RED * 4, 1, (1, 4), flags=2), made.layer(kind=2))))[0] == "-"
    columns = made.tileset(RED + BLUE, 2, (1, 1), flags=2)  # no empty tile: 0xffffffff means none
    data = made.still(columns, made.layer(kind=2), made.tilemap([0, 1, 0xFFFFFFFF, 0], (2, 2)))
    assert colours_of(first(data)) == ["ff0000", "0000ff", "-", "ff0000"]


def test_tiles_that_are_in_another_file_are_left_out_with_a_note() -> None:
    data = made.still(made.tileset(b"", 3, (2, 2), flags=1), made.layer(kind=2), made.tilemap([1], (1, 1)))
    read = aseprite_from_bytes(data)
    assert colours_of(read.frames[0].rgba) == ["-"] * 4
    assert read.notes == ("a tileset in another file is left out", "a map whose tiles are not there is left out")


@given(
    st.tuples(st.integers(1, 9), st.integers(1, 9)).flatmap(
        lambda shape: st.lists(npst.arrays(np.uint8, shape, elements=st.integers(0, 15)), min_size=1, max_size=4)
    ),
    st.integers(0, 15),
)
def test_any_grids_come_back(grids: list[NDArray[np.uint8]], transparent: int) -> None:
    size = grids[0].shape[::-1]
    head = made.palette([f"{i:02x}0000" for i in range(16)]), made.layer()
    frames = [
        made.frame(*(head if number == 0 else ()), made.cel(grid.tobytes(), (size[0], size[1])))
        for number, grid in enumerate(grids)
    ]
    read = aseprite_from_bytes(made.file(frames, (size[0], size[1]), INDEXED, transparent=transparent))
    for still, grid in zip(read.frames, grids, strict=True):
        assert still.indices is not None
        assert np.array_equal(still.indices, grid)
        assert np.array_equal(still.rgba[..., 3] == 0, grid == transparent)


def deep(levels: int) -> bytes:
    return made.still(*(made.layer(kind=1, level=level) for level in range(levels)))


LAYER, CEL = made.layer(), made.cel(RED * 4)
WRONG = {
    "empty": (b"", "an empty file"),
    "junk": (b"hello, world", "something else"),
    "header alone": (SAMPLE[:100], "header ends early"),
    "no frames": (made.file([]), "0 frames"),
    "no width": (made.still(LAYER, size=(0, 5)), "of 0 × 5"),
    "bits": (made.still(LAYER, depth=24), "24 bits to a pixel"),
    "cut in a frame's header": (SAMPLE[:140], "frame 0 ends early"),
    "cut in a frame": (SAMPLE[:-1], "frame 1 has no frame's header"),
    "frame of no magic": (SAMPLE.replace(b"\xfa\xf1", b"\xfa\xf2"), "frame 0 has no frame's header"),
    "a frame missing": (made.file([made.frame(LAYER)])[:6] + b"\2" + made.file([made.frame(LAYER)])[7:], "frame 1"),
    "tiny chunk": (made.still(LAYER, struct.pack("<IH", 5, 0x2005)), "a chunk of 5 bytes"),
    "chunk past its frame": (made.still(LAYER, struct.pack("<IH", 999, 0x2005)), "a chunk of 999 bytes"),
    "chunk count": (
        made.still(LAYER)[:134] + b"\xff\xff" + made.still(LAYER)[136:140] + b"\xff\xff\xff\xff",
        "frame 0",
    ),
    "no layer": (made.still(), "no layer"),
    "cel on no layer": (made.still(LAYER, made.cel(RED * 4, on=1)), "a cel on layer 1"),
    "cel on a group": (made.still(made.layer(kind=1), CEL), "a cel on layer 0"),
    "short pixels": (made.still(LAYER, made.cel(RED * 3)), "fewer pixels"),
    "short raw pixels": (made.still(LAYER, made.cel(RED * 3, raw=True)), "fewer pixels"),
    "no zlib": (made.still(LAYER, CEL.replace(zlib.compress(RED * 4), b"x" * len(zlib.compress(RED * 4)))), "unpack"),
    "cut zlib": (made.still(LAYER, made.chunk(0x2005, CEL[6:-6])), "fewer pixels"),
    "short layer": (made.still(made.chunk(0x2004, b"\1\0")), "0x2004 of frame 0 ends early"),
    "long name": (made.still(made.chunk(0x2004, bytes(16) + b"\xff\xffab")), "ends early"),
    "short palette": (made.still(LAYER, made.chunk(0x2019, struct.pack("<III8x", 9, 0, 2**32 - 1))), "ends early"),
    "short old palette": (made.still(LAYER, made.chunk(0x0004, b"\xff\xff\0\0")), "ends early"),
    "many tags": (made.still(LAYER, made.chunk(0x2018, b"\xff\xff" + bytes(20))), "ends early"),
    "bits of a tile": (made.still(made.layer(kind=2), made.tilemap([1], (1, 1), bits=16)), "16 bits to a tile"),
    "no tiles": (made.still(made.tileset(b"", 0, (2, 2)), made.layer(kind=2), made.tilemap([1], (1, 1))), "0 tiles"),
    "tiles of no size": (
        made.still(made.tileset(b"", 1, (0, 2)), made.layer(kind=2), made.tilemap([1], (1, 1))),
        "1 t",
    ),
    "many tiles": (
        made.still(made.tileset(b"", 2**32 - 1, (9, 9)), made.layer(kind=2), made.tilemap([1], (1, 1))),
        "ti",
    ),
    "wide row of tiles": (
        made.still(made.tileset(b"", 1, (60_000, 9)), made.layer(kind=2), made.tilemap([1], (60_000, 1))),
        "pixels in a row of tiles",
    ),
    "huge": (made.still(LAYER, size=(5000, 5000)), "at most 16,777,216 pixels in all frames"),
    "huge in all": (made.file([made.frame(LAYER)] * 300, (300, 300)), "300 frames of 300 × 300"),
    "huge cel": (made.still(LAYER, made.cel(bytes(100), (65_535, 65_535))), "pixels in all cels"),
    "many large cels": (
        made.file(
            [made.frame(LAYER, made.cel(bytes(4096**2), (4096, 4096)))] + [made.frame(made.linked(0))] * 9, (1, 1), 8
        ),
        "pixels in all cels",
    ),
    "deep groups": (deep(70), "nest groups at most 64 deep"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_one_clear_line(name: str) -> None:
    data, reason = WRONG[name]
    with pytest.raises(ImageError, match="must") as caught:
        aseprite_from_bytes(data)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_groups_may_be_deep() -> None:
    assert colours_of(first(deep(60))) == ["-"] * 4


def test_a_large_cel_on_a_small_canvas_takes_little_memory() -> None:
    data = made.still(LAYER, made.cel(bytes(4 * 3000 * 3000), (3000, 3000)))
    tracemalloc.start()
    aseprite_from_bytes(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * 2**20  # unpacked at once it would be 36 MB


@pytest.mark.parametrize("sample", [SAMPLE, TILED], ids=["sample", "tiled"])
def test_damaged_files_are_read_or_refused(sample: bytes) -> None:
    chance = np.random.default_rng(5)
    read = refused = 0
    for _ in range(3000):
        data = bytearray(sample)
        for place in chance.integers(0, len(data), chance.integers(1, 5)):
            data[place] = chance.integers(0, 256)
        cut = int(chance.integers(0, 4 * len(data)))
        try:
            aseprite_from_bytes(bytes(data[:cut] if cut else data), max_pixels=2**16)
            read += 1
        except ImageError:
            refused += 1
    assert read > 100
    assert refused > 100
