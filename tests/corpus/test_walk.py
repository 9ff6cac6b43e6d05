from __future__ import annotations

import os
from pathlib import Path

import pytest
from aseprite_made import SAMPLE
from malformed import encoded

from pixelreef.corpus import walk
from pixelreef.corpus.intake import Intake
from pixelreef.corpus.walk import files_below, has_folders, kind_of
from pixelreef.errors import FileError, InputError


def names(root: Path, intake: Intake | None = None) -> list[str]:
    return [name for name, _ in files_below(root, intake or Intake())]


def touch(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(b"")


def test_files_come_in_one_order(tmp_path: Path) -> None:
    """Folder by folder, each by its names; a letter of two signs stands where the letter stands."""
    touch(tmp_path, "b.png", "a/z.png", "a/b/c.png", "a.png", "B.png", "a-b/x.png", "f.png", "e\u0301.png")
    assert names(tmp_path) == ["B.png", "a/b/c.png", "a/z.png", "a-b/x.png", "a.png", "b.png", "f.png", "\u00e9.png"]
    assert files_below(tmp_path, Intake())[1][1] == tmp_path / "a" / "b" / "c.png"


def test_hidden_names_are_passed_over(tmp_path: Path) -> None:
    touch(tmp_path, "a.png", "._a.png", ".git/b.png", "__MACOSX/._a.png")
    intake = Intake()
    assert names(tmp_path, intake) == ["a.png"]
    assert intake.counts == {"hidden, passed over": 3}


def test_links_do_not_lead_out(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    touch(root, "in/a.png")
    touch(outside, "secret.png")
    (root / "file").symlink_to(outside / "secret.png")
    (root / "folder").symlink_to(outside)
    (root / "broken").symlink_to("nothing")
    (root / "circle").symlink_to("circle")
    (root / "again.png").symlink_to("in/a.png")
    (root / "up").symlink_to(".")
    intake = Intake()
    assert names(root, intake) == ["again.png", "in/a.png"]
    assert [one.item for one in intake.refused] == ["broken", "circle", "file", "folder"]
    assert {one.reason for one in intake.refused} == {"the link leads out of the folder, or nowhere"}
    assert intake.counts == {"no regular file, passed over": 1}


def test_pipes_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    intake = Intake()
    assert names(tmp_path, intake) == []
    assert intake.counts == {"no regular file, passed over": 1}


def test_a_name_that_is_no_text_is_a_name(tmp_path: Path) -> None:
    path = os.path.join(os.fsencode(tmp_path), b"\xff.png")
    try:
        open(path, "wb").close()
    except OSError:
        pytest.skip("this file system takes text alone")
    assert names(tmp_path) == ["?.png"]


def test_depth_and_number_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(tmp_path, "a/b/c/d.png", "x.png", "y.png")
    monkeypatch.setattr(walk, "MAX_DEPTH", 2)
    intake = Intake()
    assert names(tmp_path, intake) == ["x.png", "y.png"]
    assert [one.item for one in intake.refused] == ["a/b/c/"]
    monkeypatch.setattr(walk, "MAX_FILES", 1)
    with pytest.raises(InputError, match="at most 1 files"):
        names(tmp_path)


def test_only_a_folder_is_a_folder(tmp_path: Path) -> None:
    touch(tmp_path, "a.png")
    with pytest.raises(FileError, match="must be a folder, got a file"):
        names(tmp_path / "a.png")
    with pytest.raises(FileError, match="must be a folder, got nothing there"):
        names(tmp_path / "none")
    assert not has_folders(tmp_path)
    assert not has_folders(tmp_path / "none")
    touch(tmp_path, ".git/x")
    assert not has_folders(tmp_path)
    touch(tmp_path, "b/x")
    assert has_folders(tmp_path)


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.png", encoded("PNG"), "picture"),
        ("a.dat", encoded("GIF"), "picture"),
        ("a.PNG", b"", "picture"),
        ("a.png", b"text", "picture"),
        ("a.png", SAMPLE, "aseprite"),
        ("a.ase", b"", "aseprite"),
        ("a.Aseprite", b"junk", "aseprite"),
        ("a.ase", b"ASEF\0\1\0\0", ""),
        ("a.ase", encoded("PNG"), "picture"),
        ("noname", SAMPLE, "aseprite"),
        ("a.json", b'{"format": "pixelreef-sprite", "version": 1}', "sprite"),
        ("a.txt", b'\xef\xbb\xbf {"palette": ["000000"], "grid": ["0"]}', "sprite"),
        ("a.json", b'{"frames": {}, "meta": {"app": "https://www.aseprite.org/"}}', ""),
        ("a.json", b'["pixelreef-sprite"]', ""),
        ("README.md", b"# pictures\n", ""),
        ("Thumbs.db", b"\xd0\xcf\x11\xe0", ""),
        ("notes.txt", b"BM is short for bitmap\n", ""),
        ("notes.txt", b"P5 notes", ""),
        ("a.ppm", b"P6 2 2 255\n", "picture"),
        ("empty", b"", ""),
    ],
)
def test_what_counts_as_a_picture(tmp_path: Path, name: str, data: bytes, kind: str) -> None:
    (tmp_path / name).write_bytes(data)
    assert kind_of(tmp_path / name) == kind
