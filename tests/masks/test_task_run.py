"""Runs through Inspect against a real server on loopback: OpenAI's image edits and responses, Google's images."""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import painting
import pytest
from image_server import NO, THOUGHT, ImageServer, image_server
from painting import CHAT, EDIT, GOOGLE, SIZE, answers, run

from pixelreef.errors import InputError
from pixelreef.masks.asked import Asked
from pixelreef.masks.report import write_report
from pixelreef.masks.standings import Standing, standings
from pixelreef.runs.logs import replies_from_logs

pytestmark = [
    pytest.mark.inspect,
    pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning"),  # google-genai's
]

CASES = {
    "right": None,
    "size": None,
    "jpeg": None,
    "refused": "refused",
    "words": "refused",
    "garbage": "unreadable",
    "broken": "error",
    "error": "error",
    "address": {GOOGLE: "refused", CHAT: "refused", EDIT: "unreadable"},
}
AMPLE, SHORT = 600, 3  # seconds of patience: Inspect holds all calls up while it renders the traceback of one
LOST = 8  # at a kill: four calls under way, and four answers not yet on disk


def photographs_asked(server: ImageServer) -> Counter[bytes]:
    return Counter(fields["pictures"][0] for _, fields in server.requests)


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any, ImageServer]:
    """One run of three models over every case that is answered."""
    out = tmp_path_factory.mktemp("run")
    with image_server(answers(tuple(CASES))) as server:
        image = {"quality": "high", "size": "1024x1024", "aspect_ratio": "1:1", "image_size": "1K"}
        done = run(out, server.address, [GOOGLE, CHAT, EDIT], len(CASES), AMPLE, image=image, temperature=1.0)
    return out, done, server


def test_every_case_ends_in_its_own_column(everything: tuple[Path, Any, ImageServer]) -> None:
    _, done, server = everything
    assert done.result.complete
    assert (done.result.replies, done.result.failures) == (21, {"error": 6})
    assert len(server.asked) == 3 * len(CASES)
    assert set(server.asked.values()) == {1}
    board = {one.entrant: one for one in standings(done.scores)}
    assert set(board) == {GOOGLE, CHAT, EDIT}
    for model, standing in board.items():
        expected = [case[model] if isinstance(case, dict) else case for case in CASES.values()]
        assert [one.scores["robust"].failure for one in standing.attempts] == expected
        rates = {name: rate.mean for name, rate in standing.failure_rates().items() if rate.mean}
        assert rates == {"any": 6 / 9, **{name: count / 9 for name, count in Counter(expected).items() if name}}
        check_pictures(standing)


def check_pictures(standing: Standing) -> None:
    right, size, jpeg = standing.attempts[:3]
    for one in (right, size):
        assert one.scores["robust"].measures["mean_iou_union"] == 1
    assert 0.5 < jpeg.scores["robust"].measures["mean_iou_union"] < 1
    assert (right.size, size.size) == ((SIZE, SIZE), (SIZE * 3 // 2, SIZE * 3 // 2))


def test_the_board_is_written_with_all_of_it(everything: tuple[Path, Any, ImageServer], tmp_path: Path) -> None:
    out, done, _ = everything
    made = write_report(done.scores, tmp_path, images=out / "images", texts=done.answers.texts)
    assert made.page.stat().st_size > 10_000
    with (tmp_path / "images.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["entrant"] for row in rows} == {GOOGLE, CHAT, EDIT}
    board = (tmp_path / "board.csv").read_text()
    assert all(model in board for model in (GOOGLE, CHAT, EDIT))


def test_answers_are_files_as_they_came(everything: tuple[Path, Any, ImageServer]) -> None:
    out, done, _ = everything
    assert sorted(done.answers.folders.values()) == sorted([GOOGLE, CHAT, EDIT])
    folder = out / "answers" / "openai-gpt-image-1"
    endings = [path.suffix for path in sorted(folder.iterdir())]
    assert endings == [".png", ".png", ".jpg", ".refused", ".refused", ".png", ".error", ".error", ".png"]
    files = sorted(folder.iterdir())
    assert NO in files[3].read_text()
    assert files[8].read_text() == "https://example.org/mask.png"  # never fetched


def test_words_and_reasoning_are_kept(everything: tuple[Path, Any, ImageServer]) -> None:
    _, done, _ = everything
    texts = done.answers.texts
    assert texts[GOOGLE, "reef-parts-0-0000", 1] == f"(reasoning)\n{THOUGHT}\n\nHere."
    assert NO in texts[CHAT, "reef-parts-0-0004", 1]


def test_each_call_is_asked_as_its_vendor_wants_it(everything: tuple[Path, Any, ImageServer]) -> None:
    _, _, server = everything
    sent = dict(server.requests)
    assert all(len(fields["pictures"]) == 2 and "background: [0, 0, 0]" in fields["prompt"] for fields in sent.values())
    assert (sent["edit"]["model"], sent["edit"]["quality"], sent["edit"]["size"]) == (
        "gpt-image-1",
        "high",
        "1024x1024",
    )
    assert "aspect_ratio" not in sent["edit"]
    assert sent["responses"]["tools"] == [{"type": "image_generation", "quality": "high", "size": "1024x1024"}]
    config = sent["google"]["config"]
    assert config["responseModalities"] == ["TEXT", "IMAGE"]
    assert config["imageConfig"] == {"aspectRatio": "1:1", "imageSize": "1K"}
    assert (config["temperature"], config["thinkingConfig"]) == (1.0, {"include_thoughts": True})


def test_logs_say_what_was_asked_and_hold_the_primary_figure(everything: tuple[Path, Any, ImageServer]) -> None:
    from inspect_ai.log import read_eval_log

    out, _, _ = everything
    for path in (out / "logs").glob("*.eval"):
        log = read_eval_log(str(path))
        scores = {sample.id: sample.scores["mask"] for sample in log.samples or [] if sample.scores}
        assert scores["reef-parts-0-0000"].value == {"mean_iou_union": 1.0, "pixel_accuracy": 1.0}
        assert scores["reef-parts-0-0005"].value == {"mean_iou_union": 0.0, "pixel_accuracy": 0.0}
        assert scores["reef-parts-0-0005"].metadata == {"failure": "unreadable"}
        said = log.eval.metadata or {}
        assert (said["shots"], said["prompt_version"], said["condition"]) == (0, 1, "plain")
    reply = next(replies_from_logs(out / "logs"))
    assert reply.metadata["dataset"] == "reef-parts"


def test_what_it_cost_is_counted_under_the_name_that_was_typed(everything: tuple[Path, Any, ImageServer]) -> None:
    _, done, _ = everything
    google = 7 * (600 * 2 + 1000 * 120) / 1e6
    openai = (7 * (600 * 1.25 + 1000 * 10) + 5 * (600 * 10 + 1000 * 40)) / 1e6
    assert done.result.spent == pytest.approx(google + openai)


def test_an_answer_that_takes_too_long_is_a_timeout_of_its_own(tmp_path: Path) -> None:
    models = [GOOGLE, CHAT, EDIT]
    with image_server(answers(("slow",)), slow=AMPLE) as server:
        done = run(tmp_path, server.address, models, 1, SHORT)
        assert (done.result.complete, done.result.replies, done.result.failures) == (True, 0, {"error": 3})
    for standing in standings(done.scores):
        assert [one.scores["robust"].failure for one in standing.attempts] == ["timeout"]
    folders = [tmp_path / "answers" / name for name in done.answers.folders]
    assert [[path.suffix for path in folder.iterdir()] for folder in folders] == [[".timeout"]] * 3


def test_a_killed_run_goes_on_and_asks_nothing_twice(tmp_path: Path) -> None:
    count, out = 12, tmp_path / "out"
    command = [sys.executable, str(Path(painting.__file__)), str(out)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with image_server(answers(("right",) * count), delay=0.5) as server:
        command += [server.address, str(count)]
        first = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 90
        while len(server.requests) < 6 and time.monotonic() < deadline and first.poll() is None:
            time.sleep(0.02)
        first.send_signal(signal.SIGKILL)
        first.wait()
        kept = {reply.item for reply in replies_from_logs(out / "logs") if reply.failure is None}
        before = len(server.requests)
        assert 6 <= before < count
        second = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert second.stdout.split() == ["True", str(count)], second.stderr[-2000:]
        asked = photographs_asked(server)
        assert len(asked) == count
        assert sum(asked.values()) == count + before - len(kept)  # what was kept was not asked again
        assert before - LOST <= len(kept)
    assert len(list((out / "answers" / "openai-gpt-image-1").iterdir())) == count


def test_a_finished_run_asks_nothing_and_another_question_needs_another_folder(tmp_path: Path) -> None:
    with image_server(answers(("right", "refused"))) as server:
        for _ in range(2):
            assert run(tmp_path, server.address, [EDIT], 2).result.complete
        assert len(server.requests) == 2
        run(tmp_path, server.address, [CHAT], 2)  # another model is added, and the first one stays on the board
        shutil.copytree(tmp_path / "answers" / "openai-gpt-5", tmp_path / "answers" / "asked elsewhere")
        done = run(tmp_path, server.address, [CHAT], 2)
        assert len(server.requests) == 4
        assert set(done.scores.entrants) == {EDIT, CHAT, "asked elsewhere"}
        with pytest.raises(InputError, match="be a new folder or a run with classes 'all', got 'present'"):
            run(tmp_path, server.address, [EDIT], 2, classes="present")


def test_a_shuffle_is_a_condition_of_its_own(tmp_path: Path) -> None:
    """The server paints from memory, in the plain colours: right under the plain code, wrong under the shuffle."""
    with image_server(answers(("right", "right"))) as server:
        done = run(tmp_path, server.address, [EDIT], 2, shuffle=1, attempts=2)
        assert len(server.requests) == 8
        first = next(iter(server.answers))
        assert len({fields["prompt"] for _, fields in server.requests if fields["pictures"][0] == first}) == 2
    board = {one.entrant: one for one in standings(done.scores)}
    assert board[EDIT].mean().mean == 1
    assert (board[f"{EDIT}~shuffle-1"].mean().mean or 0) < 0.1
    assert board[EDIT].most_attempts == 2


def test_a_model_that_looks_scores_1_under_a_shuffle(tmp_path: Path) -> None:
    with image_server(answers(("right",), shuffle=1)) as server:
        done = run(tmp_path, server.address, [EDIT], 1, shuffle=1)
    assert {one.entrant: one.mean().mean == 1 for one in standings(done.scores)} == {
        EDIT: False,
        f"{EDIT}~shuffle-1": True,
    }


def test_the_cost_limit_stops_the_run_and_the_board_has_what_was_asked_of_all(tmp_path: Path) -> None:
    with image_server(answers(("right",) * 3)) as server:
        stopped = run(tmp_path, server.address, [EDIT], 3, max_cost=0.4, max_tokens=8192)
        asked = len(server.requests)
        assert (stopped.result.stopped, stopped.result.complete) == (True, False)
        assert 0 < asked < 3
        assert len(stopped.scores.items) == asked
        done = run(tmp_path, server.address, [EDIT], 3, max_cost=9.0, max_tokens=8192)
        assert done.result.complete
        assert len(done.scores.items) == len(server.requests) == 3


def test_one_picture_goes_to_a_model_that_takes_one(tmp_path: Path) -> None:
    from pixelreef.masks.adapters import adapter_for
    from pixelreef.masks.find import find_dataset

    parts = find_dataset("reef-parts", SIZE)
    plain = next(iter(answers(("right",)).values()))
    (item,) = parts.items(None, 1, 0).items
    (whole,) = adapter_for("", "beside").pictures(item.photograph(), parts.classes)
    with image_server({whole: plain}) as server:
        done = run(tmp_path, server.address, [CHAT], 1, adapter="beside")
        ((_, fields),) = server.requests
    assert len(fields["pictures"]) == 1
    assert "On the left of the picture" in fields["prompt"]
    assert standings(done.scores)[0].mean().mean == 1


def test_inspect_evaluates_the_task_by_name(tmp_path: Path) -> None:
    """Needs the package installed with its entry point, as `pip install -e` does."""
    with image_server(answers(("right",))) as server:
        command = [
            sys.executable,
            "-m",
            "inspect_ai",
            "eval",
            "pixelreef/masks",
            "-T",
            "dataset=reef-parts",
            "-T",
            "n=1",
        ]
        command += [
            "-T",
            f"size={SIZE}",
            "--model",
            "openai-edit/gpt-image-1",
            "--model-base-url",
            f"{server.address}/v1",
        ]
        command += ["--log-dir", str(tmp_path), "--display", "plain", "--log-format", "json"]
        environment = {**os.environ, "OPENAI_API_KEY": "none", "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (log,) = tmp_path.glob("*.json")
    metrics = json.loads(log.read_text())["results"]["scores"]
    assert {one["name"]: one["metrics"]["mean"]["value"] for one in metrics} == {
        "mean_iou_union": 1,
        "pixel_accuracy": 1,
    }


def test_a_missing_key_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pixelreef.masks.run import run_masks

    for name in ("OPENAI_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    for model in (EDIT, GOOGLE):
        with pytest.raises(InputError, match="must be one that Inspect can ask"):
            run_masks(Asked.of(None, models=[model], n=1, size=SIZE), tmp_path / model, note=lambda line: None)
