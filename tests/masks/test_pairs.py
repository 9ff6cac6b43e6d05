from __future__ import annotations

import os
from pathlib import Path

import pytest

from pixelreef.errors import FileError, InputError
from pixelreef.masks import pairs
from pixelreef.masks.pairs import expression, pair


def made(root: Path, *names: str) -> Path:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"x")
    return root


def shown(found: pairs.Attempts) -> dict[str, dict[int, str]]:
    return {item: {attempt: path.name for attempt, path in files.items()} for item, files in found.items()}


def test_attempts_of_one_entrant(tmp_path: Path) -> None:
    truth = made(tmp_path / "truth", "b.png", "a.bmp")
    folder = made(tmp_path / "tide", "a.2.png", "a.0.JPG", "a.10.webp", "b.png", "c.1.png", "notes.txt", "b.1.gif")
    found = pair(folder, truth)
    assert list(found.truth) == ["a", "b"]
    assert list(found.entrants) == ["tide"]
    assert shown(found.entrants["tide"]) == {"a": {0: "a.0.JPG", 2: "a.2.png", 10: "a.10.webp"}, "b": {1: "b.1.gif"}}
    assert [(one.path.name, one.reason) for one in found.unmatched] == [
        ("b.png", "a second file for attempt 1 of 'b'"),
        ("c.1.png", "no truth of that name"),
        ("notes.txt", "not the ending of a picture"),
    ]


def test_several_entrants_are_folders_and_what_is_deeper_is_listed(tmp_path: Path) -> None:
    truth = made(tmp_path / "truth", "a.png", "deep/x.png", "labels.json")
    folder = made(
        tmp_path / "all", "wave/a.1.png", "tide/a.1.png", "tide/more/a.2.png", "empty/readme.md", ".hidden/a.png"
    )
    found = pair(folder, truth)
    assert list(found.entrants) == ["tide", "wave"]
    reasons = {one.path.relative_to(tmp_path).as_posix(): one.reason for one in found.unmatched}
    assert reasons == {
        "all/empty/readme.md": "not the ending of a picture",
        "all/tide/more": "a folder too deep",
        "truth/deep": "a folder too deep",
        "truth/labels.json": "not the ending of a picture",
    }


def test_an_id_with_dots_and_numbers_is_found_whole_first(tmp_path: Path) -> None:
    truth = made(tmp_path / "truth", "scene.1.png", "scene.png")
    found = pair(made(tmp_path / "tide", "scene.1.png", "scene.1.3.png", "scene.2.png"), truth)
    assert shown(found.entrants["tide"]) == {
        "scene": {2: "scene.2.png"},
        "scene.1": {1: "scene.1.png", 3: "scene.1.3.png"},
    }


def test_refusals_are_attempts(tmp_path: Path) -> None:
    truth = made(tmp_path / "truth", "a.png", "b.png")
    found = pair(made(tmp_path / "tide", "a.1.refused", "b.refused", "a.2.png"), truth)
    assert shown(found.entrants["tide"]) == {"a": {1: "a.1.refused", 2: "a.2.png"}, "b": {1: "b.refused"}}


def test_a_pattern_of_ones_own(tmp_path: Path) -> None:
    truth = made(tmp_path / "truth", "a(1).png", "b.png")
    folder = made(tmp_path / "tide", "try7_a(1)_mask.png", "try07_a(1)_mask.png", "b.1.png")
    found = pair(folder, truth, "try<k>_<id>_mask.png")
    assert shown(found.entrants["tide"]) == {"a(1)": {7: "try07_a(1)_mask.png"}}
    assert [one.path.name for one in found.unmatched] == ["b.1.png", "try7_a(1)_mask.png"]
    single = pair(made(tmp_path / "wave", "b-out.jpg"), truth, "<id>-out.png")
    assert shown(single.entrants["wave"]) == {"b": {1: "b-out.jpg"}}


@pytest.mark.parametrize("pattern", ["", "<k>.png", "<id><id>", "<id>.<k>.<k>", "<id>" + "x" * 200])
def test_a_pattern_without_sense_is_refused(pattern: str) -> None:
    with pytest.raises(InputError, match="--match must hold <id> once"):
        expression(pattern)


def test_folders_that_hold_nothing_are_one_error(tmp_path: Path) -> None:
    truth = made(tmp_path / "truth", "a.png")
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileError, match="hold a prediction for one of the truth masks"):
        pair(tmp_path / "empty", truth)
    with pytest.raises(FileError, match="hold truth masks"):
        pair(truth, tmp_path / "empty")
    with pytest.raises(FileError, match="be a readable folder"):
        pair(truth, tmp_path / "nowhere")
    with pytest.raises(FileError, match="be a readable folder"):
        pair(truth / "a.png", truth)


def test_pipes_and_more_files_than_can_be_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    truth = made(tmp_path / "truth", "a.png")
    folder = made(tmp_path / "tide", "a.1.png")
    os.mkfifo(folder / "a.2.png")
    assert [one.reason for one in pair(folder, truth).unmatched] == ["not a regular file"]
    monkeypatch.setattr(pairs, "MAX_FILES", 1)
    with pytest.raises(FileError, match="at most 1 files"):
        pair(folder, truth)
