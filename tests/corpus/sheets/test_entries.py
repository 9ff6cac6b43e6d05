from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_sheets import KEYS, Made, random_sheet, reef_cells, same_subjects

from pixelreef.core.images import image_from_bytes
from pixelreef.core.palette import Palette
from pixelreef.core.reef import reef_palette
from pixelreef.core.render import png_from_rgba
from pixelreef.corpus.entry import Entry
from pixelreef.corpus.intake import Intake
from pixelreef.corpus.labels import Labels
from pixelreef.corpus.sheets import SheetOptions, SheetReport, sheet_entries
from pixelreef.corpus.sheets.preview import preview_png
from pixelreef.corpus.sheets.scale import Scale

REEF = SheetOptions(palette=reef_palette())


def entries_of(folder: Path, data: bytes, options: SheetOptions = SheetOptions()) -> tuple[list[Entry], Intake]:  # noqa: B008
    file = folder / "sheet.png"
    file.write_bytes(data)
    intake = Intake()
    return list(sheet_entries([file], options, intake)), intake


def colours(entries: list[Entry]) -> list[np.ndarray[tuple[int, ...], np.dtype[np.uint8]]]:
    return [reef_cells(entry.palette.rgba[entry.cells]) for entry in entries]


@pytest.mark.parametrize(("quality", "sampling"), [(90, "4:4:4"), (75, "4:4:4")])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_gutters_offset_backdrop_scale_and_jpeg_noise_are_undone_exactly(
    tmp_path: Path, quality: int, sampling: str, seed: int
) -> None:
    made = Made(seed=seed, background=KEYS[seed])
    entries, intake = entries_of(tmp_path, made.jpeg(3, quality, sampling), REEF)
    assert len(entries) == 24
    for entry, sprite in zip(entries, made.truth(), strict=True):
        assert np.array_equal(entry.cells, sprite)
        assert entry.palette == reef_palette()
    assert intake.counts == {"taken": 24}


@pytest.mark.parametrize("seed", [0, 1])
def test_halved_colour_resolution_is_undone_exactly_at_four(tmp_path: Path, seed: int) -> None:
    made = Made(seed=seed, background=KEYS[seed])
    entries, _ = entries_of(tmp_path, made.jpeg(4, 90, "4:2:0"), REEF)
    assert all(np.array_equal(entry.cells, sprite) for entry, sprite in zip(entries, made.truth(), strict=True))


def test_halved_colour_resolution_at_three_is_nearly_undone_and_told(tmp_path: Path) -> None:
    made = Made(seed=0, columns=4, rows=3, last_row=4)
    entries, intake = entries_of(tmp_path, made.jpeg(3, 90, "4:2:0"), REEF)
    wrong = sum(int((one.cells != sprite).sum()) for one, sprite in zip(entries, made.truth(), strict=True))
    assert wrong <= 6  # of 3072
    assert bool(intake.counts["unsure pixels"]) == bool(wrong)
    assert all(np.array_equal(one.cells > 0, two > 0) for one, two in zip(entries, made.truth(), strict=True))


def test_without_a_palette_outlines_are_exact_and_colours_close(tmp_path: Path) -> None:
    made = Made(seed=1, background=KEYS[1])
    entries, _ = entries_of(tmp_path, made.jpeg(3, 90), SheetOptions())
    for entry, sprite in zip(entries, made.truth(), strict=True):
        rgba, true = entry.palette.rgba[entry.cells], reef_palette().rgba[sprite]
        assert np.array_equal(rgba[..., 3], true[..., 3])
        assert (np.abs(rgba.astype(int) - true).max(axis=-1) <= 8).all()


def test_a_jpeg_saved_as_png_is_restored_too(tmp_path: Path) -> None:
    made = Made(seed=2, background=KEYS[0])
    noisy = png_from_rgba(image_from_bytes(made.jpeg(4, 90)).rgba)
    entries, _ = entries_of(tmp_path, noisy, REEF)
    assert all(np.array_equal(entry.cells, sprite) for entry, sprite in zip(entries, made.truth(), strict=True))


@settings(max_examples=12)
@given(
    seed=st.integers(0, 10_000),
    fill=st.sampled_from(["full", "mixed"]),
    scale=st.integers(1, 6),
    backdrop=st.sampled_from([None, *KEYS]),
)
def test_lossless_sheets_with_gutters_come_in_whole(
    tmp_path_factory: pytest.TempPathFactory,
    seed: int,
    fill: str,
    scale: int,
    backdrop: tuple[int, int, int] | None,
) -> None:
    made = random_sheet(seed, fill, gutters=True, background=backdrop)
    entries, intake = entries_of(tmp_path_factory.mktemp("sheet"), made.png(scale), REEF)
    assert same_subjects([entry.cells for entry in entries], made.truth())
    assert intake.refused == []


def test_empty_and_repeated_cells_are_dropped_and_counted(tmp_path: Path) -> None:
    made = Made(background=None, last_row=4)
    made.sprites[1][2] = made.sprites[0][0]
    entries, intake = entries_of(tmp_path, made.png())
    assert intake.counts == {"taken": 21, "repeated sprites": 1, "empty cells": 2}
    assert "sheet-r01-c02" not in [entry.name for entry in entries]
    assert entries[-1].name == "sheet-r03-c03"


def test_sizes_are_kept_or_brought_to_one(tmp_path: Path) -> None:
    made = Made(background=None, cell=(20, 20))
    kept, _ = entries_of(tmp_path, made.png())
    assert {entry.cells.shape for entry in kept} == {(20, 20)}
    sized, _ = entries_of(tmp_path, made.png(), SheetOptions(size=(32, 24)))
    assert {entry.cells.shape for entry in sized} == {(24, 32)}
    assert same_subjects(colours(sized), made.truth())


def test_a_palette_that_has_other_colours_is_snapped_to_and_counted(tmp_path: Path) -> None:
    palette = Palette.from_hex(["000000", "ffffff", "ff0000"], transparent=0)
    entries, intake = entries_of(tmp_path, Made(background=None).png(), SheetOptions(palette=palette))
    assert {entry.palette for entry in entries} == {palette}
    assert intake.counts["snapped pixels"] == sum(int((one > 0).sum()) for one in Made(background=None).truth())


def test_labels_of_sheet_row_column_and_sprite(tmp_path: Path) -> None:
    table = {"sheet.png": {"zone": "abyss"}, "sheet.png#r01-c01": {"zone": "hadal"}}
    options = SheetOptions(
        labels=Labels({"age": "adult"}, table=table),
        rows={"category": ("coral", "grazer")},
        columns={"side": ("left",)},
        author="Ann",
        licence="CC0-1.0",
    )
    entries, intake = entries_of(tmp_path, Made(background=None, rows=3).png(), options)
    by_name = {entry.name: entry for entry in entries}
    first = {"category": "coral", "side": "left", "zone": "abyss", "age": "adult"}
    assert dict(by_name["sheet-r00-c00"].factors) == first
    assert dict(by_name["sheet-r01-c01"].factors) == {"category": "grazer", "zone": "hadal", "age": "adult"}
    assert dict(by_name["sheet-r02-c00"].factors) == {"side": "left", "zone": "abyss", "age": "adult"}
    origin = by_name["sheet-r01-c01"].origin
    assert (origin.source, origin.author, origin.licence) == ("sheet", "Ann", "CC0-1.0")
    assert origin.address == "sheet.png#r01-c01"
    assert intake.unlabelled == []


def test_a_bad_sheet_is_one_refusal(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("none.png", "empty.png", "broken.png", "blank.png", "good.png")]
    good = Made(background=None)
    files[1].write_bytes(b"")
    files[2].write_bytes(good.png()[:200])
    files[3].write_bytes(png_from_rgba(np.zeros((16, 16, 4), np.uint8)))
    files[4].write_bytes(good.png())
    intake = Intake()
    assert len(list(sheet_entries(files, SheetOptions(), intake))) == 24
    assert [one.item for one in intake.refused] == ["none.png", "empty.png", "broken.png", "blank.png"]
    assert len(intake.unlabelled) == 24


def test_a_sprite_of_too_many_colours_is_refused_and_the_others_come_in(tmp_path: Path) -> None:
    rgba = Made(background=None, cell=(32, 32), fill="full").rgba().copy()
    box = rgba[3:35, 3:35]
    random = np.random.default_rng(0).integers(0, 255, box.shape).astype(np.uint8)
    box[box[..., 3] > 0] = (random | np.array([0, 0, 0, 255], np.uint8))[box[..., 3] > 0]
    entries, intake = entries_of(tmp_path, png_from_rgba(rgba))
    assert len(entries) == 23
    assert [one.item for one in intake.refused] == ["sheet.png#r00-c00"]
    assert "at most 256 colours" in intake.refused[0].reason


def test_a_sprite_too_large_for_a_corpus_is_refused(tmp_path: Path) -> None:
    rgba = np.zeros((40, 1100, 4), np.uint8)
    rgba[2:10, 2:1090], rgba[20:30, 5:405] = (9, 9, 9, 255), (9, 200, 9, 255)
    entries, intake = entries_of(tmp_path, png_from_rgba(rgba), SheetOptions(components=True, scale=Scale(1)))
    assert [entry.cells.shape for entry in entries] == [(10, 400)]
    assert "at most 1024 pixels on a side, got 1088 × 8" in intake.refused[0].reason


def test_what_was_found_is_told_and_drawn(tmp_path: Path) -> None:
    made = Made(last_row=5)
    (tmp_path / "a.png").write_bytes(made.png(2))
    told: list[SheetReport] = []
    pictures = []

    def hear(report: SheetReport, sheet: object, cut: object, taken: set[str]) -> None:
        told.append(report)
        pictures.append(preview_png(sheet.rgba, cut.places, taken))  # type: ignore[attr-defined]

    list(sheet_entries([tmp_path / "a.png"], SheetOptions(), Intake(), hear))
    document = told[0].document()
    assert document["file"] == "a.png"
    assert (document["scale"], document["background"], document["sprites"]) == (2, "colour ff00ff", 23)
    assert (document["cell"], document["offset"], document["gutter"]) == ((16, 16), (3, 3), (1, 1))
    drawn = image_from_bytes(pictures[0]).rgba[..., :3]
    scale = drawn.shape[1] // made.cells().shape[1]
    assert scale == 8
    corners = [(3 * 8, 3 * 8), (3 * 8, (3 + 16) * 8 - 1), ((3 + 3 * 17) * 8, (3 + 5 * 17) * 8)]
    assert [drawn[corner].tolist() for corner in corners] == [[255, 40, 90], [255, 40, 90], [70, 110, 140]]
