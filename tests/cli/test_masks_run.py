"""`pixelreef masks inputs` and `run`: from the command line to a board."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from image_server import image_server
from painting import EDIT, GOOGLE, SIZE, answers
from typer.testing import CliRunner

from pixelreef.cli import app
from pixelreef.core.images import read_image
from pixelreef.core.render import png_from_rgba
from pixelreef.errors import InputError
from pixelreef.masks.classes import read_classes
from pixelreef.masks.render import rgb_from_labels
from pixelreef.masks.truth import read_truth


def invoke(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["masks", *arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def test_a_folder_of_inputs_is_answered_and_scored_as_its_readme_says(tmp_path: Path) -> None:
    code, out, said = invoke("inputs", "--n", "2", "--size", "128", "--shuffle", "1", "--json", "--out", str(tmp_path))
    assert code == 0
    assert json.loads(out) == {
        "items": ["reef-parts-0-0000", "reef-parts-0-0001"],
        "conditions": ["plain", "shuffle-1"],
        "left_out": {},
    }
    assert "Wrote 2 photographs" in said
    readme = (tmp_path / "README.txt").read_text()
    (command,) = [line.strip() for line in readme.splitlines() if "pixelreef masks score" in line]
    for name, folder in (("me", tmp_path), ("me~shuffle-1", tmp_path / "shuffle-1")):
        mine = tmp_path / "answers" / name
        mine.mkdir(parents=True)
        classes = read_classes(folder / "classes.json")
        for path in (tmp_path / "truth").iterdir():
            painted = rgb_from_labels(read_truth(path, classes).labels, classes)
            (mine / f"{path.stem}.1.png").write_bytes(png_from_rgba(painted))
        if folder is not tmp_path:
            shutil.copy(folder / "classes.json", mine)
    words = [str(tmp_path / word) if (tmp_path / word).exists() else word for word in command.split()[2:]]
    words[words.index("--out") + 1] = str(tmp_path / "report")
    code, out, _ = invoke(*words, "--json", "--no-diagnosis")
    assert code == 0
    found = {one["entrant"]: one["measures"]["mean_iou_union"]["mean"] for one in json.loads(out)["entrants"]}
    assert found == {"me": 1.0, "me~shuffle-1": 1.0}
    assert (tmp_path / "report" / "index.html").is_file()


def test_inputs_say_what_is_wrong(tmp_path: Path) -> None:
    for wrong, message in (
        (["--dataset", "moon"], "dataset must be one of"),
        (["--dataset", "suim"], "be given the folder that it lies in"),
        (["--classes", "few", "--n", "1", "--size", "64"], "--classes must be one of"),
        (["--size", "100"], "--size must be a multiple of 64"),
        (["--adapter", "loud", "--n", "1"], "--adapter must be"),
    ):
        with pytest.raises(InputError, match=message):
            invoke("inputs", *wrong, "--out", str(tmp_path))


@pytest.mark.inspect
@pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning")
def test_a_run_from_the_command_line_ends_in_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with image_server(answers(("right", "refused"))) as server:
        for name, value in (("OPENAI_API_KEY", "none"), ("OPENAI_BASE_URL", f"{server.address}/v1")):
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("GOOGLE_API_KEY", "none")
        monkeypatch.setenv("GOOGLE_BASE_URL", server.address)
        options = ["--model", EDIT, "--model", GOOGLE, "--n", "2", "--size", str(SIZE), "--out", str(tmp_path)]
        options += ["--image", "quality=high", "--max-cost", "5", "--no-diagnosis"]
        code, planned, _ = invoke("run", *options, "--plan")
        assert (code, len(server.requests)) == (0, 0)
        assert "in all: 4 calls" in planned
        code, out, said = invoke("run", *options, "--json")
        assert len(server.requests) == 4
        assert {fields.get("quality") for call, fields in server.requests if call == "edit"} == {"high"}
    assert code == 0, said
    assert json.loads(out)
    assert "4 replies, 0 failures" in said
    board = (tmp_path / "report" / "board.csv").read_text()
    assert EDIT in board
    assert GOOGLE in board
    assert "can't help" in (tmp_path / "report" / "index.html").read_text().replace("&#x27;", "'").replace("&#39;", "'")
    photograph = next((tmp_path / "images").iterdir())
    assert read_image(photograph).width == SIZE


def test_help_shows_examples() -> None:
    for command in ("run", "inputs"):
        code, out, _ = invoke(command, "--help")
        assert code == 0
        assert f"pixelreef masks {command}" in " ".join(out.split())
