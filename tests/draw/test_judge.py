from __future__ import annotations

import base64
import io
from pathlib import Path

import pytest
from openai_server import chat_server
from PIL import Image
from tiny_task import MODEL, PRICES

from pixelreef.draw.encodings import encoding
from pixelreef.draw.find import find_subjects
from pixelreef.draw.judge import CHOICES, LETTERS, judge_task, judged, verdicts
from pixelreef.draw.score import Attempt, score_replies
from pixelreef.runs.replies import Reply
from pixelreef.runs.run import read_run, run_eval_set

pytestmark = pytest.mark.inspect


@pytest.fixture(scope="module")
def attempts() -> list[Attempt]:
    good = [Reply("m", one.id, encoding("rows").encode(one.reference)) for one in find_subjects("canonical")]
    return score_replies([*good, Reply("m", "sun", "no picture", attempt=2)])


def answers(attempts: list[Attempt], open_answer: str, right: bool) -> list[Reply]:
    """A judge that knows, or one that always says A."""
    replies = []
    for sample in judge_task(attempts).dataset:
        _, item, _, question = str(sample.id).split("|")
        text = open_answer
        if question == "forced":
            (subject,) = find_subjects(item)
            content = sample.input[0].content  # type: ignore[union-attr]
            lines = str(content[0].text).splitlines()  # type: ignore[union-attr]
            letter = next(line[0] for line in lines if line[1:3] == ". " and line[3:] == subject.text)
            text = f"It is {letter}." if right else "A"
        replies.append(Reply("judge", str(sample.id), text))
    return replies


def test_each_picture_is_asked_about_twice_and_seen_exactly(attempts: list[Attempt]) -> None:
    samples = list(judge_task(attempts).dataset)
    assert len(samples) == 14
    content = samples[0].input[0].content  # type: ignore[union-attr]
    uri = str(content[1].image)  # type: ignore[union-attr]
    picture = Image.open(io.BytesIO(base64.b64decode(uri.partition(",")[2])))
    assert picture.size == (384, 384)
    assert "reply" not in str(content[0].text).lower()  # type: ignore[union-attr]


def test_a_judge_that_knows_is_right_and_one_that_guesses_is_near_chance(attempts: list[Attempt]) -> None:
    knowing = judged(verdicts(answers(attempts, "the sun", right=True), attempts))["m"]
    assert knowing.forced.mean == 1
    assert knowing.forced_by_chance == 1 / CHOICES
    assert knowing.open.mean is not None
    assert 0 < knowing.open.mean < 0.5
    many = [
        score_replies(
            [
                Reply("m", one.id, encoding("rows").encode(one.reference), attempt=n)
                for one in find_subjects("canonical")
            ]
        )
        for n in range(1, 41)
    ]
    flat = [attempt for some in many for attempt in some]
    blind = judged(verdicts(answers(flat, "?", right=False), flat))["m"]
    assert blind.forced.mean is not None
    assert abs(blind.forced.mean - 1 / 7) < 0.08
    assert blind.open.mean == 0


def test_no_letter_is_a_wrong_answer_and_a_missing_reply_is_left_out(attempts: list[Attempt]) -> None:
    replies = [
        Reply(one.entrant, one.item, "no idea, sorry" if one.item.endswith("forced") else "x")
        for one in answers(attempts, "x", right=True)
    ]
    found = verdicts(replies, attempts)
    assert {one.right for one in found} == {0.0}
    assert {one.chosen for one in found} == {None}
    assert verdicts(replies[:1], attempts) == []
    assert len(LETTERS) == CHOICES


def test_the_judge_runs_through_inspect_against_a_real_server(attempts: list[Attempt], tmp_path: Path) -> None:
    """The server sees text and picture of every question and answers with no letter: all wrong, nothing lost."""
    with chat_server() as server:
        result = run_eval_set(
            [judge_task(attempts)],
            [MODEL],
            tmp_path,
            prices=PRICES,
            model_args={MODEL: {"base_url": server.address, "api_key": "none", "max_retries": 0}},
            note=lambda line: None,
        )
        parts = [message["content"] for body in server.bodies for message in body["messages"]]
    assert result.complete
    assert len(parts) == 14
    assert all({part["type"] for part in content} == {"text", "image_url"} for content in parts)
    (found,) = judged(verdicts(read_run(tmp_path), attempts)).values()
    assert (found.forced.mean, found.forced.n) == (0, 7)
