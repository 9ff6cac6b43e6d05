from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from photographs import encoded, fish_mask, fish_photo, reef_scene

from pixelreef.core.orphans import orphans
from pixelreef.core.palette import Palette
from pixelreef.core.reef import reef_palette
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.intake import Intake
from pixelreef.corpus.labels import Labels
from pixelreef.corpus.photos.folder import PhotoOptions, photos_from_folder, pictures_in
from pixelreef.corpus.photos.free_licences import free_licence
from pixelreef.corpus.photos.manifest import Manifest, Row
from pixelreef.corpus.photos.origins import read_origins
from pixelreef.errors import FileError, InputError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three good photographs among what a folder may hold besides."""
    (tmp_path / "grazer" / "abyss").mkdir(parents=True)
    (tmp_path / "a.jpg").write_bytes(encoded(fish_photo()))
    (tmp_path / "grazer" / "abyss" / "b.png").write_bytes(encoded(fish_photo(seed=1), "PNG"))
    (tmp_path / "grazer" / "no-suffix").write_bytes(encoded(fish_photo(seed=2)))
    (tmp_path / "empty.jpg").write_bytes(b"")
    (tmp_path / "broken.jpg").write_bytes(encoded(fish_photo())[:900])
    (tmp_path / "text.png").write_text("hello")
    (tmp_path / "huge.png").write_bytes(encoded(np.zeros((4100, 4100), np.uint8), "PNG"))
    (tmp_path / "scene.jpg").write_bytes(encoded(reef_scene()))
    (tmp_path / "notes.txt").write_text("hello")
    return tmp_path


def taken(root: Path, options: PhotoOptions | None = None) -> tuple[list[Entry], Intake]:
    intake = Intake()
    return list(photos_from_folder(root, options or PhotoOptions(), intake)), intake


def test_the_good_come_in_and_the_rest_is_listed(folder: Path) -> None:
    entries, intake = taken(folder)
    assert [entry.origin.address for entry in entries] == ["a.jpg", "grazer/no-suffix", "grazer/abyss/b.png"]
    assert {one.item for one in intake.refused} == {"empty.jpg", "broken.jpg", "text.png", "huge.png", "scene.jpg"}
    reasons = {one.item: one.reason for one in intake.refused}
    assert "an empty file" in reasons["empty.jpg"]
    assert "4100 × 4100" in reasons["huge.png"]
    assert "of the border unlike the rest" in reasons["scene.jpg"]
    assert intake.counts["taken"] == 3
    assert intake.counts["other files"] == 1


def test_entries_are_tidy_sprites_of_the_palette(folder: Path) -> None:
    for entry in taken(folder)[0]:
        assert entry.cells.shape == (32, 32)
        assert entry.palette == reef_palette()
        assert not orphans(entry.cells).any()
        assert 2 <= len(np.unique(entry.cells)) <= 17
        assert entry.parameters["cut"] == "plain"
        assert 0.1 < (entry.cells != 0).mean() < 0.7
        assert entry.palette.oklab[entry.cells[16, 22], 2] > 0.1  # b: yellow, orange


def test_the_dark_stripe_of_the_fish_is_there(folder: Path) -> None:
    entry = taken(folder)[0][0]
    lightness = entry.palette.oklab[entry.cells, 0]
    visible = entry.cells != 0
    assert (np.where(visible, lightness, 1)[12:20].min(axis=1) < 0.4).all()


def test_factors_come_from_folders_table_and_flags(folder: Path) -> None:
    labels = Labels({"zone": "shallows"}, ("category", "zone"), {"a.jpg": {"category": "coral"}})
    entries, intake = taken(folder, PhotoOptions(labels=labels))
    assert [entry.cell for entry in entries] == ["coral/shallows", "grazer/shallows", "grazer/abyss"]
    assert intake.unlabelled == []
    assert taken(folder)[1].unlabelled == ["a.jpg", "grazer/no-suffix", "grazer/abyss/b.png"]


def test_salient_and_whole_take_what_has_no_plain_background(folder: Path) -> None:
    salient = {entry.name: entry for entry in taken(folder, PhotoOptions(salient=True))[0]}["scene"]
    whole = {entry.name: entry for entry in taken(folder, PhotoOptions(whole=True))[0]}["scene"]
    assert salient.parameters["cut"] == "salient"
    assert (salient.cells == 0).any()
    assert whole.parameters["cut"] == "whole"
    assert (whole.cells != 0).all()


def test_masks_decide_and_a_missing_one_is_a_refusal(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    masks = tmp_path_factory.mktemp("masks")
    (masks / "scene.png").write_bytes(encoded(fish_mask().astype(np.uint8) * 7, "PNG"))
    entries, intake = taken(folder, PhotoOptions(masks=masks))
    assert [entry.name for entry in entries] == ["scene"]
    assert entries[0].parameters["cut"] == "mask"
    assert "mask of 'a.jpg' must exist" in {one.item: one.reason for one in intake.refused}["a.jpg"]


def test_sizes_palettes_and_dithering(folder: Path) -> None:
    palette = Palette.from_hex(["ff8800", "202020", "88aaff"])
    entries, _ = taken(folder, PhotoOptions(size=48, palette=palette, dither=True, limit=1))
    assert len(entries) == 1
    assert entries[0].cells.shape == (48, 48)
    assert entries[0].palette.transparent == 3


def test_origins_from_flags_a_table_and_the_manifest(folder: Path) -> None:
    flags = PhotoOptions(author="Me", licence="CC0-1.0", source="trip")
    assert taken(folder, flags)[0][0].origin == Origin("trip", "Me", "CC0-1.0", "a.jpg")
    table = folder / "origins.csv"
    table.write_text("file,author,licence,address\na.jpg,Ann,CC BY 4.0,https://example.org/a\n")
    options = PhotoOptions(origins=read_origins(table, "trip"), licence="MIT", source="trip")
    entries = taken(folder, options)[0]
    assert entries[0].origin == Origin("trip", "Ann", "CC-BY-4.0", "https://example.org/a")
    assert entries[1].origin.licence == "MIT"
    Manifest(folder).add(
        Row("a.jpg", "Bob", "CC0-1.0", "https://example.org/b", fetched="x", factors={"zone": "hadal"})
    )
    entries = taken(folder, PhotoOptions(source="trip"))[0]
    assert entries[0].origin == Origin("trip", "Bob", "CC0-1.0", "https://example.org/b")
    assert entries[0].factors == {"zone": "hadal"}
    assert taken(folder, options)[0][0].origin.author == "Ann"


def test_links_out_of_the_folder_are_not_followed(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.jpg").write_bytes(encoded(fish_photo()))
    os.symlink(outside, folder / "linked")
    os.symlink(outside / "secret.jpg", folder / "link.jpg")
    os.symlink(folder / "a.jpg", folder / "again.jpg")
    entries, intake = taken(folder)
    assert [entry.name for entry in entries] == ["a", "again", "no-suffix", "b"]
    assert "stay inside" in {one.item: one.reason for one in intake.refused}["link.jpg"]


def test_folders_too_deep_are_listed(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["d"] * 20)
    deep.mkdir(parents=True)
    (deep / "a.jpg").write_bytes(encoded(fish_photo()))
    intake = Intake()
    assert list(pictures_in(tmp_path, intake)) == []
    assert "deeper than 16" in intake.refused[0].reason


def test_the_same_folder_gives_the_same_entries(folder: Path) -> None:
    assert [entry.hash for entry in taken(folder)[0]] == [entry.hash for entry in taken(folder)[0]]


def test_no_folder_and_wrong_options_are_errors(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="exist"):
        taken(tmp_path / "none")
    with pytest.raises(InputError, match="size must be from"):
        PhotoOptions(size=3)
    with pytest.raises(InputError, match="colours must be from"):
        PhotoOptions(colours=0)
    with pytest.raises(InputError, match="lift must be from"):
        PhotoOptions(lift=1.5)
    assert taken(tmp_path)[0] == []


@pytest.mark.parametrize("text", ["", "author\nAnn\n", "file,file\na,b\n", 'file,author\n"a'])
def test_a_table_of_origins_must_be_one(tmp_path: Path, text: str) -> None:
    (tmp_path / "o.csv").write_text(text)
    with pytest.raises(InputError):
        read_origins(tmp_path / "o.csv", "x")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("CC BY 3.0 de", "CC-BY-3.0-DE"),
        ("CC BY-SA 2.5", "CC-BY-SA-2.5"),
        ("cc-by-4.0", "CC-BY-4.0"),
        ("PD-USGov", "Public domain"),
        ("GPL 3.0", "GPL-3.0-only"),
        ("GFDL 1.2+", "GFDL-1.2-or-later"),
        ("No known copyright restrictions", "Public domain"),
        ("OGA-BY 3.0", "OGA-BY-3.0"),
        ("CC BY-NC-SA 4.0", None),
        ("CC BY-NC 2.0", None),
        ("CC BY-ND", None),
        ("CC BY 4.0 ND", None),
        ("cc-by-nc", None),
        ("Public domain, non-commercial use only", None),
        ("All rights reserved", None),
        ("pdf", None),
        ("CC BY-SA 4.0 and others", None),
    ],
)
def test_licences(name: str, expected: str | None) -> None:
    assert free_licence(name) == expected
