from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from malformed import MALFORMED
from typer.testing import CliRunner

from pixelreef.cli import app
from pixelreef.core import png_from_rgba, reef_palette, write_bytes, write_text
from pixelreef.core.palette_files import json_from_palette

SECONDS, MEGABYTES, TRIES = 1.0, 200, 3


def show(path: str) -> tuple[int, str, str, float, float]:
    """Exit code, stdout, stderr, seconds and peak megabytes of `pixelreef show` in a fresh process."""
    out_read, out_write = os.pipe()
    err_read, err_write = os.pipe()
    started = time.perf_counter()
    pid = os.posix_spawn(
        sys.executable,
        [sys.executable, "-m", "pixelreef", "show", path],
        os.environ,
        file_actions=[(os.POSIX_SPAWN_DUP2, out_write, 1), (os.POSIX_SPAWN_DUP2, err_write, 2)],
    )
    os.close(out_write)
    os.close(err_write)
    with os.fdopen(out_read) as out, os.fdopen(err_read) as err:
        texts = out.read(), err.read()
    _, status, usage = os.wait4(pid, 0)
    return os.waitstatus_to_exitcode(status), *texts, time.perf_counter() - started, usage.ru_maxrss / 1024


def test_there_are_at_least_sixty_malformed_files() -> None:
    assert sum(not name.startswith("ok-") for name in MALFORMED) >= 60


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_file_is_read_or_refused_in_one_line(tmp_path: Path, name: str) -> None:
    path = write_bytes(tmp_path / name, MALFORMED[name])
    for attempt in range(TRIES):  # time is the best of three: the machine may be busy
        code, out, err, seconds, megabytes = show(str(path))
        if seconds < SECONDS or attempt == TRIES - 1:
            break
    if name.startswith("ok-"):
        assert (code, err) == (0, ""), err
        assert out.count("\n") == 1
    else:
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
        assert err.startswith("pixelreef: ")
        assert " must " in err
    assert (out + err).strip().isprintable()
    assert "\x1b" not in out + err
    assert seconds < SECONDS
    assert megabytes < MEGABYTES
    assert [file.name for file in tmp_path.iterdir()] == [name]
    assert path.read_bytes() == MALFORMED[name]


def test_one_bad_file_does_not_hide_the_others(tmp_path: Path) -> None:
    write_text(tmp_path / "a.hex", "ff0000\n")
    write_text(tmp_path / "b.hex", "nope\n")
    write_text(tmp_path / "c.hex", "00ff00\n")
    result = CliRunner().invoke(app, ["show", *(str(tmp_path / name) for name in ("a.hex", "b.hex", "c.hex"))])
    assert result.exit_code == 2
    assert result.stdout.count("palette (hex), 1 colour") == 2
    assert "b.hex" in result.stderr


def test_json_is_one_document_with_every_fact(tmp_path: Path) -> None:
    write_text(tmp_path / "reef.json", json_from_palette(reef_palette()))
    write_text(tmp_path / "reply.json", '{"palette": ["000000", "ff8800"], "grid": ["01", "11"]}')
    write_bytes(tmp_path / "x.png", png_from_rgba(np.zeros((2, 3, 4), np.uint8)))
    paths = [str(tmp_path / name) for name in ("reef.json", "reply.json", "x.png")]
    result = CliRunner().invoke(app, ["show", "--json", *paths])
    palette, sprite, image = json.loads(result.stdout)
    assert [len(ramp["colours"]) for ramp in palette["ramps"]] == [7] * 9
    assert palette["ramps"][3]["name"] == "coral"
    assert (sprite["kind"], sprite["version"], sprite["width"], sprite["transparent"]) == ("sprite", 0, 2, None)
    assert (image["width"], image["height"], image["transparent_share"]) == (3, 2, 1.0)


def test_the_terminal_picture_has_two_pixels_to_a_character(tmp_path: Path) -> None:
    pixels = np.zeros((4, 3, 4), np.uint8)
    pixels[:3, :2] = (255, 0, 0, 255)
    path = write_bytes(tmp_path / "x.png", png_from_rgba(pixels))
    result = CliRunner().invoke(app, ["show", "--picture", str(path)])
    assert result.stdout.splitlines()[1:3] == ["▀▀ ", "▀▀ "]


def test_a_missing_file_says_so() -> None:
    code, out, err, _, _ = show("no-such-file.hex")
    assert (code, out) == (2, "")
    assert err == "pixelreef: file 'no-such-file.hex' must exist, got nothing there.\n"
