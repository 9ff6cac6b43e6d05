"""From corpora of any size and palette to sprites of one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from pixelreef.core import write_bytes
from pixelreef.core.palette import Palette
from pixelreef.core.render import png_from_rgba
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.store import open_corpus, write_corpus
from pixelreef.errors import FileError, InputError
from pixelreef.taste.gather import sprites_from_corpus
from pixelreef.taste.open import open_sprites
from pixelreef.taste.sprites import sprites_from_arrays

RED = Palette.from_hex(["000000", "ff0000", "00ff00"], transparent=0)
BLUE = Palette.from_hex(["0000ff", "ff0000", "777777"], transparent=2)


def entry(
    cells: list[list[int]], palette: Palette = RED, kind: str = "fish", source: str = "x", group: str = ""
) -> Entry:
    return Entry(np.array(cells, np.uint8), palette, Origin(source), {"kind": kind}, group=group)


def test_what_is_alike_is_taken_as_it_is(tmp_path: Path) -> None:
    write_corpus(
        tmp_path / "a.parquet", [entry([[1, 2]], group="g"), entry([[2, 0]], kind="crab"), entry([[0, 1]], group="g")]
    )
    sprites = sprites_from_corpus(open_corpus(tmp_path / "a.parquet"))
    assert sprites.cells.tolist() == [[[1, 2]], [[2, 0]], [[0, 1]]]
    assert (sprites.palette, sprites.names, sprites.cell.tolist()) == (RED, ("fish", "crab"), [0, 1, 0])
    assert sprites.group[0] == sprites.group[2] != sprites.group[1]
    assert (sprites.sources, sprites.notes, sprites.rows.tolist()) == (("x",), (), [0, 1, 2])


def test_sizes_and_palettes_are_brought_together(tmp_path: Path) -> None:
    large = [[1] * 70 for _ in range(70)]  # reduced by two, to 35
    write_corpus(tmp_path / "a.parquet", [entry([[1, 2, 1]]), entry([[1], [0]], BLUE, source="y"), entry(large)])
    sprites = sprites_from_corpus(open_corpus(tmp_path / "a.parquet"))
    assert sprites.cells.shape == (3, 64, 64)
    seen = [
        {tuple(sprites.palette.rgb[i]) for i in np.unique(one) if i != sprites.palette.transparent}
        for one in sprites.cells
    ]
    assert seen == [{(255, 0, 0), (0, 255, 0)}, {(255, 0, 0), (0, 0, 255)}, {(255, 0, 0)}]
    assert [int((one != sprites.palette.transparent).sum()) for one in sprites.cells] == [3, 2, 35 * 35]
    assert sprites.sources == ("x", "y")
    assert sprites.notes == ("Sprites of 3 sizes were brought to 64 × 64.",)


def test_more_than_255_colours_go_to_the_commonest(tmp_path: Path) -> None:
    def rainbow() -> Iterator[Entry]:
        for start in (0, 150):
            palette = Palette(np.array([[n, n // 2, 255 - n] for n in range(start % 100, start % 100 + 150)], np.uint8))
            yield Entry(np.arange(150, dtype=np.uint8).reshape(10, 15), palette, Origin("x"))
        many = Palette(np.stack([np.arange(200), np.full(200, 200), np.arange(200)], axis=1).astype(np.uint8))
        yield Entry(np.arange(150, dtype=np.uint8).reshape(10, 15), many, Origin("x"))

    write_corpus(tmp_path / "a.parquet", rainbow())
    sprites = sprites_from_corpus(open_corpus(tmp_path / "a.parquet"))
    assert len(sprites.palette) == 256
    assert sprites.cells.shape == (3, 10, 15)


def test_too_many_are_thinned_evenly_and_it_is_said(tmp_path: Path) -> None:
    kinds = ["fish"] * 90 + ["crab"] * 10
    write_corpus(tmp_path / "a.parquet", (entry([[1, n % 3]], kind=kind) for n, kind in enumerate(kinds)))
    corpus = open_corpus(tmp_path / "a.parquet")
    sprites = sprites_from_corpus(corpus, most_pixels=2 * 40)
    counts = np.bincount(sprites.cell).tolist()
    assert counts[1] == 10
    assert 20 <= counts[0] <= 30
    assert "of 100 sprites were looked at" in sprites.notes[0]
    assert sprites.rows.tolist() == sprites_from_corpus(corpus, most_pixels=2 * 40).rows.tolist()
    assert sprites.rows.tolist() != sprites_from_corpus(corpus, seed=1, most_pixels=2 * 40).rows.tolist()


def test_a_row_that_cant_be_read_is_left_out_and_counted(tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    table = {
        "grid": [b"\1\1", b"\1", b"\0\1"],
        "width": [2, 2, 2],
        "height": [1, 1, 1],
        "palette": ["000000 ff0000"] * 3,
    }
    pyarrow.parquet.write_table(pyarrow.table({**table, "kind": ["a", "a", "b"]}), tmp_path / "a.parquet")
    sprites = sprites_from_corpus(open_corpus(tmp_path / "a.parquet"))
    assert sprites.rows.tolist() == [0, 2]
    assert [sprites.names[place] for place in sprites.cell] == ["a", "b"]
    assert sprites.notes == ("1 rows could not be read.",)


def test_a_folder_of_pictures_is_a_corpus(tmp_path: Path) -> None:
    pixels: NDArray[np.uint8] = np.zeros((4, 4, 4), np.uint8)
    for number, name in enumerate(("fish/a", "fish/b", "crab/c")):
        pixels[number] = 255
        write_bytes(tmp_path / "art" / f"{name}.png", png_from_rgba(pixels))
    write_bytes(tmp_path / "art" / "crab" / "broken.png", b"\x89PNG\r\n\x1a\n")
    sprites = open_sprites(tmp_path / "art")
    assert (sprites.names, sprites.cell.tolist()) == (("crab", "fish"), [0, 1, 1])
    assert sprites.notes == ("1 pictures could not come in.",)


def test_nothing_to_look_at_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="at least one sprite"):
        open_sprites(tmp_path / "empty")
    with pytest.raises(FileError, match="nothing there"):
        open_sprites(tmp_path / "none.parquet")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(FileError, match="be a parquet file"):
        open_sprites(tmp_path / "text")
    with pytest.raises(InputError, match="at least one"):
        sprites_from_arrays(np.zeros((0, 4, 4), np.uint8), RED, [])


def test_kin_are_near_copies_of_any_cell_and_members_of_a_group() -> None:
    cells = np.zeros((4, 8, 8), np.uint8)
    cells[0, 1:6, 1:4] = 1
    cells[1] = cells[0][:, ::-1] * 2  # mirrored and recoloured
    cells[2, ::2] = 1
    cells[3, :, ::3] = 1
    sprites = sprites_from_arrays(cells, RED, ["a", "b", "a", "a"])
    assert sprites.kin.tolist() == [0, 0, 1, 2]
    assert sprites.keeper.tolist() == [0, 1, 2, 3]  # merged within a cell only
    assert sprites.kin_of(np.array([0, 2, 3])).tolist() == [0, 1, 2]
    assert sprites.kin_of(np.array([0, 1])).tolist() == [0, 1]


def test_a_kin_of_more_than_a_quarter_counts_each_for_itself() -> None:
    cells = np.zeros((8, 8, 8), np.uint8)
    for place in range(8):
        cells[place].flat[: 3 + 7 * place] = 1
    cells[1] = cells[0]
    cells[4] = cells[3] = cells[2]
    sprites = sprites_from_arrays(cells, RED, ["a"] * 8)
    assert sprites.kin.tolist() == [0, 0, 1, 1, 1, 2, 3, 4]
    assert sprites.of_large_kin(np.arange(8)).tolist() == [False, False, True, True, True, False, False, False]
    kin = sprites.kin_of(np.arange(8))
    assert kin[0] == kin[1]
    assert len(set(kin.tolist())) == 7
