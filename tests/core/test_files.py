from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixelreef.core.files import inside, read_bytes, replacing, safe_name, write_bytes, write_json, write_text
from pixelreef.errors import FileError


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    write_text(target, "old")

    def killed_half_way() -> None:
        with replacing(target) as part:
            part.write_text("new, but only a p")
            raise RuntimeError("half-way")

    with pytest.raises(RuntimeError, match="half-way"):
        killed_half_way()
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_write_makes_its_folder_and_follows_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        path = write_bytes(tmp_path / "deep" / "er" / "b.bin", b"x")
    finally:
        os.umask(before)
    assert path.read_bytes() == b"x"
    assert path.stat().st_mode & 0o777 == 0o640


def test_json_refuses_nan_and_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(tmp_path / "c.json", {"a": float("nan")})
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_can_not_be_made_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="must be writable"):
        write_bytes(tmp_path / "file" / "x", b"")


def test_reading_is_bounded_and_takes_regular_files_only(tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "d", b"12345")
    assert read_bytes(path, limit=5) == b"12345"
    with pytest.raises(FileError, match="at most 4 bytes"):
        read_bytes(path, limit=4)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileError, match="regular file, got a device"):
        read_bytes(tmp_path / "pipe")
    with pytest.raises(FileError, match="must"):
        read_bytes("nul\0byte")


@given(st.text())
def test_safe_names_are_safe_whatever_the_text(text: str) -> None:
    name = safe_name(text)
    assert 1 <= len(name) <= 81
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789._-")
    assert ".." not in name
    assert not name.startswith((".", "-"))
    assert safe_name(name.upper()) == name


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "a/../../x", "..", "."])
def test_no_name_leads_out_of_its_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError, match="stay inside"):
        inside(tmp_path, name)


def test_a_link_does_not_lead_out_either(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path)
    with pytest.raises(FileError, match="stay inside"):
        inside(folder, "link/x")
    assert inside(folder, "a/b.png") == folder / "a" / "b.png"
