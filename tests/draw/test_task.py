"""The task through Inspect itself: a real server on loopback that misbehaves, Inspect's own scores, the registry."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from openai_server import chat_server
from tiny_task import MODEL, PRICES

from pixelreef.draw.asked import Asked
from pixelreef.draw.boards import standings
from pixelreef.draw.encodings import encoding, encodings
from pixelreef.draw.find import find_subject, find_subjects
from pixelreef.draw.prompts import prompt, prompt_hash
from pixelreef.draw.score import score_replies
from pixelreef.draw.sources import replies_from
from pixelreef.errors import InputError
from pixelreef.recipes import recipe, recipe_names
from pixelreef.runs.replies import Reply
from pixelreef.runs.run import Patience, run_eval_set

pytestmark = pytest.mark.inspect

KINDS = ("good", "prose", "500", "400", "garbage", "slow", "refuse")


def test_a_bad_server_ends_in_a_complete_board_with_its_failures_counted(tmp_path: Path) -> None:
    from pixelreef.draw.task import draw

    ids = [one.id for one in find_subjects("canonical")]
    with (tmp_path / "prompts.csv").open("w", newline="") as file:
        csv.writer(file).writerows(
            [("id", "prompt"), *((id, f"draw !{kind}") for id, kind in zip(ids, KINDS, strict=True))]
        )
    with chat_server() as server:
        result = run_eval_set(
            [draw("canonical", prompts=str(tmp_path / "prompts.csv"))],
            [MODEL],
            tmp_path / "run",
            attempts=2,
            prices=PRICES,
            patience=Patience(http_retries=0, call_seconds=2, sample_retries=0, connections=8),
            model_args={MODEL: {"base_url": server.address, "api_key": "none", "max_retries": 0}},
            note=lambda line: None,
        )
    assert result.complete
    attempts = score_replies(replies_from(str(tmp_path / "run")))
    assert len(attempts) == 14
    (standing,) = standings(attempts)
    assert (standing.attempts, standing.asked) == (14, 14)
    assert standing.scores["valid"].mean == 0
    failed = {id for id, kind in zip(ids, KINDS, strict=True) if kind in ("500", "400", "garbage", "slow")}
    assert failed <= {attempt.reply.item for attempt in attempts if attempt.reply.failure == "error"}
    assert all(attempt.reading.failures for attempt in attempts)
    assert {str(attempt.reply.metadata["subject"]) for attempt in attempts} == set(ids)


def mock_eval(tmp_path: Path, texts: dict[str, str], **options: Any) -> Any:
    """The task, answered by Inspect's own stand-in for a model."""
    from inspect_ai import eval as inspect_eval
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from pixelreef.draw.task import draw

    def answer(messages: Any, *_: Any) -> ModelOutput:
        text = next(reply for key, reply in texts.items() if key in messages[-1].text)
        output = ModelOutput.from_content("mockllm/model", text)
        output.usage = ModelUsage(input_tokens=10, output_tokens=20, total_tokens=30)
        return output

    model = get_model("mockllm/model", custom_outputs=answer)
    (log,) = inspect_eval(draw(**options), model=model, log_dir=str(tmp_path), display="none")
    return log


def test_inspects_own_scores_agree_with_ours(tmp_path: Path) -> None:
    sun, hope = find_subject("sun"), find_subject("hope")
    assert sun
    assert hope
    good = encoding("rows").encode(sun.reference)
    log = mock_eval(tmp_path, {"the sun": good, "hope": encoding("rows").encode(hope.reference)}, subjects="sun,hope")
    assert log.status == "success"
    by_id = {sample.id: sample.scores for sample in log.samples}
    (ours,) = score_replies([Reply("m", "sun", good)])
    assert by_id["sun"]["drawing"].value["craft"] == pytest.approx(ours.measure("craft"))
    assert by_id["sun"]["subject_check"].value == 1
    assert "disc" in by_id["sun"]["subject_check"].explanation
    assert by_id["hope"]["drawing"].value["valid"] == 1
    headline = next(score for score in log.results.scores if score.scorer == "subject_check")
    assert headline.metrics["mean"].value == 1  # hope is unscored, not a zero
    (reply,) = [one for one in replies_from(str(tmp_path)) if one.item == "sun"]
    assert reply.text == good
    assert reply.metadata["prompt_hash"] == prompt_hash(prompt(sun, encoding("rows")))


@pytest.mark.parametrize("name", list(encodings()))
def test_every_encoding_goes_through_the_task_and_back(tmp_path: Path, name: str) -> None:
    sun = find_subject("sun")
    assert sun
    log = mock_eval(tmp_path, {"the sun": encoding(name).encode(sun.reference)}, subjects="sun", encoding=name)
    assert log.samples[0].scores["subject_check"].value == 1
    (attempt,) = score_replies(replies_from(str(tmp_path)))
    assert attempt.usable == 1


def test_inspect_finds_the_task_by_name() -> None:
    """Needs the package installed with its entry point, as `pip install -e` does."""
    code = (
        "import pixelreef._registry; from inspect_ai._util.registry import registry_lookup; "
        "print(registry_lookup('task', 'pixelreef/draw'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "draw" in done.stdout, done.stderr


def test_every_recipe_is_one_that_the_code_takes() -> None:
    for name in recipe_names("draw"):
        asked = Asked.of(name)
        assert asked.models
        assert find_subjects(asked.subjects)
        assert encoding(asked.encoding)


def test_what_is_typed_stands_before_the_recipe() -> None:
    asked = Asked.of("draw-smollm2", attempts=2, models=["local/other.gguf"])
    assert (asked.attempts, asked.models, asked.max_tokens) == (2, ["local/other.gguf"], 1024)


def test_faults_of_recipes_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("command = ")
    (tmp_path / "b.toml").write_text('command = "sprites train"\n')
    (tmp_path / "c.toml").write_text('command = "draw run"\nmodels = ["x/y"]\ncolour = 7\n')
    with pytest.raises(InputError, match="be TOML"):
        recipe(str(tmp_path / "a.toml"), "draw run")
    with pytest.raises(InputError, match="be for `pixelreef draw run`, got 'sprites train'"):
        recipe(str(tmp_path / "b.toml"), "draw run")
    with pytest.raises(InputError, match="--colour must be right"):
        Asked.of(str(tmp_path / "c.toml"))
    with pytest.raises(InputError, match="--recipe must be"):
        Asked.of("nonsense")
    with pytest.raises(InputError, match="--model must be given"):
        Asked.of(None)
