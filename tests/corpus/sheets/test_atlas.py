from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pixelreef.core.render import png_from_rgba
from pixelreef.corpus.entry import Entry
from pixelreef.corpus.intake import Intake
from pixelreef.corpus.sheets import SheetOptions, sheet_entries
from pixelreef.corpus.sheets.atlas import atlas_beside, read_atlas
from pixelreef.errors import DocumentError

SIZE = (20, 12)
PLACE = {"x": 0, "y": 0, "w": 2, "h": 2}


def sheet_pixels() -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Every pixel a colour of its own: red is x, green is y."""
    pixels = np.full((SIZE[1], SIZE[0], 4), 255, np.uint8)
    pixels[..., 0], pixels[..., 1], pixels[..., 2] = np.arange(SIZE[0])[None], np.arange(SIZE[1])[:, None], 7
    return pixels


def frame(x: int, y: int, w: int, h: int, **more: Any) -> dict[str, Any]:
    return {"frame": {"x": x, "y": y, "w": w, "h": h}, "rotated": False, "trimmed": False, **more}


def imported(folder: Path, document: Any) -> tuple[list[Entry], Intake]:
    (folder / "fish.png").write_bytes(png_from_rgba(sheet_pixels()))
    (folder / "fish.json").write_text(json.dumps(document))
    intake = Intake()
    return list(sheet_entries([folder / "fish.png"], SheetOptions(), intake)), intake


def seen(entry: Entry) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return entry.palette.rgba[entry.cells]


def test_a_hash_of_frames_beside_the_sheet(tmp_path: Path) -> None:
    entries, intake = imported(tmp_path, {"frames": {"swim_01.png": frame(2, 1, 5, 4), "rock.png": frame(9, 3, 2, 2)}})
    assert [entry.name for entry in entries] == ["fish-swim_01", "fish-rock"]
    assert [entry.group for entry in entries] == ["fish/swim", ""]
    assert np.array_equal(seen(entries[0]), sheet_pixels()[1:5, 2:7])
    assert entries[1].origin.address == "fish.png#rock"
    assert intake.refused == []


def test_an_array_of_frames(tmp_path: Path) -> None:
    entries, _ = imported(tmp_path, {"frames": [{"filename": "a/b 3.png", **frame(0, 0, 2, 2)}, frame(2, 0, 2, 3)]})
    assert [entry.name for entry in entries] == ["fish-a/b 3", "fish-001"]
    assert [entry.group for entry in entries] == ["fish/a/b", ""]


def test_a_turned_frame_is_turned_back(tmp_path: Path) -> None:
    entries, _ = imported(tmp_path, {"frames": {"eel": frame(3, 2, 6, 2, rotated=True)}})
    turned_back = seen(entries[0])
    assert turned_back.shape == (2, 6, 4)
    # On the sheet the frame is 2 wide and 6 tall, turned clockwise: its right-hand column is the sprite's first row.
    assert np.array_equal(turned_back[0], sheet_pixels()[2:8, 4])
    assert np.array_equal(turned_back[1], sheet_pixels()[2:8, 3])


def test_what_was_trimmed_is_put_back(tmp_path: Path) -> None:
    trimmed = frame(
        4, 4, 3, 2, trimmed=True, spriteSourceSize={"x": 1, "y": 2, "w": 3, "h": 2}, sourceSize={"w": 8, "h": 6}
    )
    (entry,), _ = imported(tmp_path, {"frames": {"crab": trimmed}})
    whole = np.zeros((6, 8, 4), np.uint8)
    whole[2:4, 1:4] = sheet_pixels()[4:6, 4:7]
    assert np.array_equal(seen(entry), whole)


def test_aseprites_tags_name_and_group(tmp_path: Path) -> None:
    frames = {f"fish {number}.aseprite": frame(4 * number, 0, 4, 4, duration=100) for number in range(4)}
    tags = [{"name": "idle", "from": 0, "to": 1}, {"name": "dart", "from": 2, "to": 9}, {"name": 3, "from": 0, "to": 3}]
    entries, _ = imported(tmp_path, {"frames": frames, "meta": {"app": "https://www.aseprite.org/", "frameTags": tags}})
    assert [entry.name for entry in entries] == ["fish-idle-000", "fish-idle-001", "fish-dart-002", "fish-dart-003"]
    assert [entry.group for entry in entries] == ["fish/idle", "fish/idle", "fish/dart", "fish/dart"]


@pytest.mark.parametrize(
    "bad",
    [
        frame(18, 0, 3, 2),
        frame(0, 11, 1, 2),
        frame(0, 0, 0, 2),
        frame(15, 0, 2, 6, rotated=True),  # 6 wide on the sheet: up to 21
        {"frame": {"x": -1, "y": 0, "w": 2, "h": 2}},
        {"frame": {"x": 0.5, "y": 0, "w": 2, "h": 2}},
        {"frame": {"x": True, "y": 0, "w": 2, "h": 2}},
        {"frame": [0, 0, 2, 2]},
        "frame",
        None,
        frame(0, 0, 2, 2, trimmed=True, spriteSourceSize=PLACE, sourceSize={"w": 1, "h": 9}),
        frame(0, 0, 2, 2, trimmed=True, spriteSourceSize=PLACE, sourceSize={"w": 2**20, "h": 9}),
        frame(0, 0, 2, 2, trimmed=True),
    ],
)
def test_a_bad_frame_is_refused_and_the_others_come_in(tmp_path: Path, bad: Any) -> None:
    entries, intake = imported(tmp_path, {"frames": {"good": frame(0, 0, 2, 2), "bad": bad, "too": frame(4, 0, 2, 2)}})
    assert [entry.name for entry in entries] == ["fish-good", "fish-too"]
    assert [one.item for one in intake.refused] == ["fish.json#bad"]


def test_json_that_is_no_atlas_is_left_alone(tmp_path: Path) -> None:
    sheet = tmp_path / "fish.png"
    for text in ('{"palette": []}', "[1]", "{", '{"frames": 3}', "[" * 100):
        sheet.with_suffix(".json").write_text(text)
        assert atlas_beside(sheet) is None
    sheet.with_suffix(".json").write_text("{}")
    with pytest.raises(DocumentError, match="must have frames, as TexturePacker and Aseprite write them"):
        read_atlas(sheet.with_suffix(".json"), SIZE, Intake())
