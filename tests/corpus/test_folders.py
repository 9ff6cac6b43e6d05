from __future__ import annotations

from pathlib import Path

import aseprite_made
import numpy as np
import pytest
from aseprite_made import INDEXED, SAMPLE
from malformed import MALFORMED, encoded
from numpy.typing import NDArray
from PIL import Image

from pixelreef.core import Frame, Grid, Palette, Sprite, gif_from_sprite, json_from_sprite, png_from_rgba, reef_palette
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.folders import FolderOptions, folder_entries
from pixelreef.corpus.intake import Intake
from pixelreef.corpus.labels import Labels

Pixels = NDArray[np.uint8]
ORIGIN = Origin("reef art", "A. Painter", "CC0-1.0")


def dot(colour: tuple[int, int, int] = (255, 0, 0), side: int = 4, at: tuple[int, int] = (1, 1)) -> Pixels:
    rgba = np.zeros((side, side, 4), np.uint8)
    rgba[at] = (*colour, 255)
    return rgba


def imported(root: Path, intake: Intake | None = None, **options: object) -> list[Entry]:
    return list(folder_entries(root, FolderOptions(ORIGIN, **options), intake or Intake()))  # type: ignore[arg-type]


def seen(entry: Entry) -> Pixels:
    return entry.palette.rgba[entry.cells]


def two_frames(*cells: list[list[int]]) -> Sprite:
    palette = Palette.from_hex(["000000", "ff0000", "00ff00"], 0)
    return Sprite(palette, tuple(Frame(Grid.from_rows(rows), 90) for rows in cells))


def test_pictures_come_in_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "fish").mkdir()
    (tmp_path / "fish" / "b.png").write_bytes(png_from_rgba(dot()))
    (tmp_path / "a.png").write_bytes(encoded("PNG", Image.fromarray(dot((1, 2, 3), 7))))
    intake = Intake()
    first, second = imported(tmp_path, intake, labels=Labels(folders=("category",)))
    assert np.array_equal(seen(first), dot((1, 2, 3), 7))
    assert np.array_equal(seen(second), dot())
    assert second.origin == Origin("reef art", "A. Painter", "CC0-1.0", "fish/b.png")
    assert (second.name, second.group, dict(second.parameters)) == ("b", "", {})
    assert (first.factors, second.factors) == ({}, {"category": "fish"})
    assert intake.unlabelled == ["a.png"]
    assert intake.counts == {"taken": 2}


def test_an_indexed_picture_keeps_its_palette_whole_and_in_order(tmp_path: Path) -> None:
    image = Image.frombytes("P", (2, 1), b"\2\1")
    image.putpalette([9, 9, 9, 255, 0, 0, 0, 0, 255, 7, 7, 7])
    (tmp_path / "a.png").write_bytes(encoded("PNG", image, transparency=1))
    (entry,) = imported(tmp_path)
    assert entry.palette.hex()[:4] == ["090909", "ff0000", "0000ff", "070707"]
    assert (entry.palette.transparent, entry.cells.tolist()) == (1, [[2, 1]])


def test_an_indexed_picture_with_half_transparent_entries_is_known_by_what_is_seen(tmp_path: Path) -> None:
    image = Image.frombytes("P", (3, 1), b"\0\1\2")
    image.putpalette([9, 9, 9, 255, 0, 0, 0, 0, 255])
    (tmp_path / "a.png").write_bytes(encoded("PNG", image, transparency=bytes([0, 200, 20])))
    intake = Intake()
    (entry,) = imported(tmp_path, intake)
    assert seen(entry).tolist() == [[[0, 0, 0, 0], [255, 0, 0, 255], [0, 0, 0, 0]]]
    assert intake.counts["half-transparent pixels"] == 2


@pytest.mark.parametrize("kind", ["gif", "json", "aseprite"])
def test_frames_are_entries_of_one_group(tmp_path: Path, kind: str) -> None:
    sprite = two_frames([[1, 0]], [[0, 2]])
    data = {
        "gif": gif_from_sprite(sprite),
        "json": json_from_sprite(sprite).encode(),
        "aseprite": aseprite_made.file(
            [
                aseprite_made.frame(
                    aseprite_made.palette(sprite.palette.hex()),
                    aseprite_made.layer(),
                    aseprite_made.cel(b"\1\0", (2, 1)),
                    milliseconds=90,
                ),
                aseprite_made.frame(aseprite_made.cel(b"\0\2", (2, 1)), milliseconds=90),
            ],
            (2, 1),
            INDEXED,
        ),
    }[kind]
    (tmp_path / f"eel.{kind}").write_bytes(data)
    first, second = imported(tmp_path)
    assert np.array_equal(seen(first), sprite.palette.rgba[[[1, 0]]])
    assert np.array_equal(seen(second), sprite.palette.rgba[[[0, 2]]])
    assert first.group == second.group == f"reef art/eel.{kind}"
    assert first.palette == second.palette
    assert (first.name, second.name) == ("eel 0", "eel 1")
    assert dict(second.parameters) == {"frame": 1, "frames": 2, "milliseconds": 90}


def test_a_tag_stands_in_name_and_parameters(tmp_path: Path) -> None:
    (tmp_path / "eel.aseprite").write_bytes(SAMPLE)
    first, second = imported(tmp_path)
    assert (first.name, second.name) == ("eel swim 0", "eel swim 1")
    assert first.parameters["tag"] == "swim"


def test_frames_of_too_many_colours_together_have_a_palette_each(tmp_path: Path) -> None:
    shades = np.arange(400).reshape(2, 10, 20)
    rgb = np.stack([shades % 256, shades // 256 * 9, np.full_like(shades, 5)], axis=-1).astype(np.uint8)
    frames = [Image.fromarray(one) for one in rgb]
    (tmp_path / "a.png").write_bytes(encoded("PNG", frames[0], save_all=True, append_images=frames[1:]))
    entries = imported(tmp_path)
    assert [len(entry.palette) for entry in entries] == [200, 200]
    assert np.array_equal(np.stack([seen(entry)[..., :3] for entry in entries]), rgb)


def test_too_many_colours_are_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "photo.png").write_bytes(encoded("PNG"))  # noise
    intake = Intake()
    assert imported(tmp_path, intake) == []
    (refused,) = intake.refused
    assert refused.item == "photo.png"
    assert refused.reason.endswith("at most 256 colours to keep them, got more. Give a palette to map it to.")
    (mapped,) = imported(tmp_path, palette=reef_palette())
    assert mapped.palette == reef_palette()


def test_mapping_counts_what_it_moves(tmp_path: Path) -> None:
    rgba = np.array([[[255, 0, 0, 255], [250, 0, 0, 255], [9, 9, 9, 100], [0, 0, 0, 0]]], np.uint8)
    (tmp_path / "a.png").write_bytes(encoded("PNG", Image.fromarray(rgba)))
    intake = Intake()
    (entry,) = imported(tmp_path, intake, palette=Palette.from_hex(["000000", "ff0000"], 0))
    assert entry.cells.tolist() == [[1, 1, 0, 0]]
    assert intake.counts == {"taken": 1, "snapped pixels": 1, "half-transparent pixels": 1}


def test_dithering_mixes(tmp_path: Path) -> None:
    grey = np.full((8, 8, 4), (120, 120, 120, 255), np.uint8)
    (tmp_path / "a.png").write_bytes(png_from_rgba(grey))
    palette = Palette.from_hex(["000000", "ffffff"])
    assert len(np.unique(imported(tmp_path, palette=palette)[0].cells)) == 1
    assert len(np.unique(imported(tmp_path, palette=palette, dither=True)[0].cells)) == 2


def test_all_are_brought_to_one_size(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(png_from_rgba(np.full((8, 8, 4), 255, np.uint8)))
    (tmp_path / "b.png").write_bytes(png_from_rgba(np.full((2, 2, 4), 255, np.uint8)))  # opaque: room is added
    (tmp_path / "c.png").write_bytes(png_from_rgba(dot()))
    large, small, same = imported(tmp_path, size=(4, 4))
    assert seen(large)[..., 3].tolist() == [[255] * 4] * 4
    assert seen(small)[..., 3].tolist() == [[0] * 4, [0, 255, 255, 0], [0, 255, 255, 0], [0] * 4]
    assert np.array_equal(seen(same), dot())


def test_frames_are_fitted_by_one_box(tmp_path: Path) -> None:
    frames = np.zeros((2, 3, 8), int)
    frames[0, 1, 2], frames[1, 1, 5] = 1, 1
    (tmp_path / "a.json").write_bytes(json_from_sprite(two_frames(*frames.tolist())).encode())
    made = imported(tmp_path, size=(4, 4))
    assert [np.argwhere(entry.cells == 1).tolist() for entry in made] == [[[1, 0]], [[1, 3]]]


def test_repeats_are_kept_and_counted_and_empty_frames_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(png_from_rgba(dot()))
    (tmp_path / "b.png").write_bytes(png_from_rgba(dot()))
    (tmp_path / "c.json").write_bytes(json_from_sprite(two_frames([[0, 0]], [[0, 1]])).encode())
    (tmp_path / "d.png").write_bytes(png_from_rgba(np.zeros((3, 3, 4), np.uint8)))
    intake = Intake()
    entries = imported(tmp_path, intake)
    assert [entry.name for entry in entries] == ["a", "b", "c 1"]
    assert intake.counts == {"taken": 3, "repeated, kept": 1, "empty frames, left out": 1}
    assert [one.item for one in intake.refused] == ["d.png"]


def test_labels_of_files_that_are_not_there_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(png_from_rgba(dot()))
    intake = Intake()
    table = {"a.png": {"zone": "abyss"}, "b.png": {"zone": "hadal"}}
    (entry,) = imported(tmp_path, intake, labels=Labels(table=table))
    assert entry.cell == "abyss"
    assert intake.counts["labels of no file"] == 1


def test_a_large_picture_is_refused_unless_it_is_made_smaller(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(png_from_rgba(np.full((4, 1500, 4), 255, np.uint8)))
    intake = Intake()
    assert imported(tmp_path, intake) == []
    assert "at most 1024 pixels on a side, got 1500 × 4. Give a size" in intake.refused[0].reason
    assert imported(tmp_path, size=(32, 32))[0].cells.shape == (32, 32)


def test_every_broken_file_is_one_line_and_the_good_ones_come_in(tmp_path: Path) -> None:
    for name, data in MALFORMED.items():
        if len(data) < 2**20:
            (tmp_path / name).write_bytes(data)
    (tmp_path / "good.png").write_bytes(png_from_rgba(dot()))
    (tmp_path / "zero.png").write_bytes(b"")
    (tmp_path / "huge.png").write_bytes(MALFORMED["bomb-square.png"])
    with (tmp_path / "hole.png").open("wb") as file:
        file.truncate(2**31)  # no byte on disk
    intake = Intake()
    entries = imported(tmp_path, intake)
    names = {entry.origin.address for entry in entries}
    refused = {one.item: one.reason for one in intake.refused}
    assert "good.png" in names
    assert {"zero.png", "huge.png", "hole.png", "truncated.gif", "truncated.aseprite"} <= set(refused)
    assert refused["zero.png"].endswith("got an empty file.")
    assert refused["hole.png"] == "the file must be at most 67,108,864 bytes, got more."
    assert all("\n" not in reason and str(tmp_path) not in reason for reason in refused.values())
    pictures = (".png", ".gif", ".jpg", ".bmp", ".webp", ".tiff", ".aseprite")
    whole = [reason for name, reason in refused.items() if name.startswith("ok-") and "corpus" not in name]
    assert all("colours" in reason or "pixels" in reason or "transparency alone" in reason for reason in whole)
    listed = {path.name for path in tmp_path.iterdir() if path.name.endswith(pictures)}
    assert listed == {name for name in names | set(refused) if name.endswith(pictures)}
    assert not any(name.endswith((".hex", ".gpl", ".pal")) for name in names | set(refused))


def test_the_same_folder_gives_the_same_entries(tmp_path: Path) -> None:
    for name in ("b", "a", "c"):
        (tmp_path / f"{name}.png").write_bytes(png_from_rgba(dot(at=(ord(name) % 4, 0))))
    once, again = imported(tmp_path), imported(tmp_path)
    assert [(entry.name, entry.hash) for entry in once] == [(entry.name, entry.hash) for entry in again]
    assert [entry.name for entry in once] == ["a", "b", "c"]
