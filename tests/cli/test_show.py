from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from aseprite_made import SAMPLE
from corpus.samples import FACTORS, blobs
from malformed import MALFORMED
from typer.testing import CliRunner

from pixelreef.cli import app
from pixelreef.core import png_from_rgba, reef_palette, write_bytes, write_text
from pixelreef.core.palette_files import json_from_palette
from pixelreef.corpus.store import open_corpus, write_corpus

MEGABYTES, TRIES = 200, 3
# A file may take this many times as long as the smallest one; on an idle machine that one takes about 0.4 s, and none
# over 1 s (docs/log.md). A ratio, because the machine that runs the tests may be busy.
RATIO = 3.0

# A process counts the memory of whoever started it until it runs its own program, so a small one starts it.
LAUNCHER = """
import json, os, subprocess, sys, time
started = time.perf_counter()
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
out, err = child.stdout.read(), child.stderr.read()
_, status, usage = os.wait4(child.pid, 0)
child.returncode = os.waitstatus_to_exitcode(status)
print(json.dumps([child.returncode, out, err, time.perf_counter() - started, usage.ru_maxrss / 1024]))
"""


def show(path: str) -> tuple[int, str, str, float, float]:
    """Exit code, stdout, stderr, seconds and peak megabytes of `pixelreef show` in a fresh process."""
    command = [sys.executable, "-c", LAUNCHER, sys.executable, "-m", "pixelreef", "show", path]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    code, out, err, seconds, megabytes = json.loads(done.stdout)
    return code, out, err, seconds, megabytes


@pytest.fixture(scope="module")
def smallest(tmp_path_factory: pytest.TempPathFactory) -> float:
    """Seconds to show a palette of one colour, best of a few."""
    path = write_text(tmp_path_factory.mktemp("smallest") / "one.hex", "ff0000\n")
    return min(show(str(path))[3] for _ in range(TRIES))


def test_there_are_at_least_sixty_malformed_files() -> None:
    assert sum(not name.startswith("ok-") for name in MALFORMED) >= 60


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_file_is_read_or_refused_in_one_line(tmp_path: Path, name: str, smallest: float) -> None:
    path = write_bytes(tmp_path / name, MALFORMED[name])
    for _ in range(TRIES):
        code, out, err, seconds, megabytes = show(str(path))
        if seconds < RATIO * smallest:
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
    assert seconds < RATIO * smallest
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


def test_an_aseprite_file_is_told_with_its_frames_layers_tags_and_palette(tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "eel.png", SAMPLE)
    result = CliRunner().invoke(app, ["show", "--no-picture", str(path)])
    line = "Aseprite file, 2 × 2, mode P, 2 frames, 3 layers, 1 tag, 3 colours, transparent index 0"
    assert result.stdout == f"{path}: {line}, layers are blended: indices are not kept\n"
    (facts,) = json.loads(CliRunner().invoke(app, ["show", "--json", str(path)]).stdout)
    assert (facts["kind"], facts["milliseconds"]) == ("aseprite", 180)
    assert facts["layers"] == ["body", "group", "fin"]
    assert facts["tags"] == [{"name": "swim", "first": 0, "last": 1}]
    assert facts["palette"] == ["000000", "ff8800", "00ffaa"]


def test_a_corpus_is_described(tmp_path: Path) -> None:
    path = write_corpus(tmp_path / "c.parquet", blobs(40), FACTORS, {"by": "make"}).path
    plain = CliRunner().invoke(app, ["show", "--picture", str(path)]).stdout
    assert "c.parquet: corpus, 40 sprites, 6 cells, 8 × 8, 1 source, CC0-1.0\n" in plain
    assert "▀" in plain
    (document,) = json.loads(CliRunner().invoke(app, ["show", "--json", str(path)]).stdout)
    assert (document["kind"], document["cells"]["crab/low"], document["palette_colours"]) == ("corpus", 7, [8])
    assert (document["hash"], document["history"]) == (open_corpus(path).hash, {"by": "make"})
