"""From replies to files: every kind of reply has its ending, and nothing is fetched, lost or written outside."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mask_pictures import FACES, encoded, face

from pixelreef.errors import InputError
from pixelreef.masks.answers import Answer, answer_from_reply, write_answers
from pixelreef.masks.classes import read_classes
from pixelreef.masks.shuffle import Condition, conditions
from pixelreef.runs import replies
from pixelreef.runs.replies import Reply, bytes_from_data_uri

PNG = encoded(FACES.rgb[face(16)])
PLAIN = {one.task: one for one in conditions(FACES, 0, 0)}


def uri(data: bytes, kind: str = "image/png") -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


@pytest.mark.parametrize(
    ("reply", "ending", "content"),
    [
        (Reply("m", "a", "Here.", images=(uri(PNG),)), "png", PNG),
        (Reply("m", "a", "", images=(uri(b"\xff\xd8\xff jpeg"),)), "jpg", b"\xff\xd8\xff jpeg"),
        (Reply("m", "a", "", images=(uri(b"draft"), uri(PNG))), "png", PNG),
        (Reply("m", "a", "", images=("data:image/png;base64,!!",)), "png", b"data:image/png;base64,!!"),
        (Reply("m", "a", "", images=("data:text/uri-list,https%3A//x.org/a",)), "png", b"https://x.org/a"),
        (Reply("m", "a", "", images=("https://x.org/a.png",)), "png", b"https://x.org/a.png"),
        (Reply("m", "a", "No."), "refused", b"No."),
        (Reply("m", "a", ""), "refused", b"an empty reply"),
        (Reply("m", "a", "Hm", stop_reason="max_tokens"), "refused", b"[max_tokens] Hm"),
        (Reply("m", "a", "", images=(uri(PNG),), stop_reason="content_filter"), "refused", b"[content_filter]"),
        (Reply("m", "a", "", failure="error", error="InternalServerError"), "error", b"InternalServerError"),
        (Reply("m", "a", "", failure="error", error="AttemptTimeoutError, after retries"), "timeout", None),
        (Reply("m", "a", "", failure="error", error="Request timed out."), "timeout", None),
        (Reply("m", "a", "", failure="limit", error="time limit of 5"), "timeout", None),
        (Reply("m", "a", "", failure="unreadable", error="bad sample"), "error", b"bad sample"),
        (Reply("m", "a", "", cut=True), "error", b"the picture was larger than is kept"),
    ],
)
def test_every_reply_has_its_ending(reply: Reply, ending: str, content: bytes | None) -> None:
    answer = answer_from_reply(reply)
    assert answer is not None
    assert answer.ending == ending
    assert content is None or answer.content == content


def test_what_was_not_asked_is_no_answer(tmp_path: Path) -> None:
    reply = Reply("m", "a", "", failure="not-asked", task="masks")
    assert answer_from_reply(reply) is None
    done = write_answers([reply], tmp_path, {"m": "m/m"}, PLAIN, ["a"])
    assert done.not_asked == {("m/m", "a", 1)}
    assert not list(tmp_path.iterdir())


@given(st.text(max_size=200) | st.builds("data:{};base64,{}".format, st.text(max_size=9), st.text(max_size=99)))
def test_any_text_for_a_picture_is_an_answer(text: str) -> None:
    assert isinstance(answer_from_reply(Reply("m", "a", "", images=(text,))), Answer)


def test_data_uris_are_bounded_and_nothing_else_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replies, "MAX_IMAGE", 100)
    assert bytes_from_data_uri(uri(b"x" * 60)) == b"x" * 60
    for bad in (uri(b"x" * 90), "https://x.org/a.png", "file:///etc/passwd", "data:image/png;base64"):
        with pytest.raises(InputError, match="picture of a reply must"):
            bytes_from_data_uri(bad)


def test_words_and_pictures_are_kept_by_entrant_item_and_attempt(tmp_path: Path) -> None:
    codes = {one.task: one for one in conditions(FACES, 1, 0)}
    given = [
        Reply("e/x", "a", "Here.", images=(uri(PNG),), reasoning="Eyes first.", task="masks"),
        Reply("e/x", "a", "No.", attempt=2, task="masks"),
        Reply("e/x", "a", "", images=(uri(PNG),), task="masks-shuffle-1"),
        Reply("other", "a", "", task="masks"),
        Reply("e/x", "../../a", "", images=(uri(PNG),), task="masks"),
        Reply("e/x", "a", "", images=(uri(PNG),), task="else"),
    ]
    done = write_answers(given, tmp_path, {"e/x": "openai/x"}, codes, ["a"])
    assert done.folders == {"openai-x": "openai/x", "openai-x-shuffle-1": "openai/x~shuffle-1"}
    assert done.texts == {
        ("openai/x", "a", 1): "(reasoning)\nEyes first.\n\nHere.",
        ("openai/x", "a", 2): "No.",
    }
    assert done.unknown == 3
    files = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*"))
    assert files == [
        "openai-x-shuffle-1/a.1.png",
        "openai-x-shuffle-1/classes.json",
        "openai-x/a.1.png",
        "openai-x/a.2.refused",
    ]
    assert (tmp_path / "openai-x/a.1.png").read_bytes() == PNG
    own = read_classes(tmp_path / "openai-x-shuffle-1/classes.json")
    assert own.rgb.tolist() == codes["masks-shuffle-1"].classes.rgb.tolist()


def test_names_that_are_one_folder_get_two(tmp_path: Path) -> None:
    given = [Reply(name, "a", "No.", task="masks") for name in ("A/x", "a-x", "a x")]
    done = write_answers(given, tmp_path, {name: name for name in ("A/x", "a-x", "a x")}, PLAIN, ["a"])
    assert sorted(done.folders.values()) == ["A/x", "a x", "a-x"]
    assert len(list(tmp_path.iterdir())) == 3


def test_an_answer_replaces_the_failure_of_the_run_before_and_nothing_else(tmp_path: Path) -> None:
    names, items = {"m": "m"}, ["a", "a.1"]
    first = [Reply("m", "a", "", failure="error", task="masks"), Reply("m", "a.1", "No.", attempt=2, task="masks")]
    write_answers(first, tmp_path, names, PLAIN, items)
    write_answers([Reply("m", "a", "", images=(uri(PNG),), task="masks")], tmp_path, names, PLAIN, items)
    assert sorted(path.name for path in (tmp_path / "m").iterdir()) == ["a.1.2.refused", "a.1.png"]


def test_a_cut_is_made_of_pictures_only(tmp_path: Path) -> None:
    given = [Reply("m", "a", "No.", task="masks"), Reply("m", "b", "", images=(uri(PNG),), task="masks")]
    write_answers(given, tmp_path, {"m": "m"}, PLAIN, ["a", "b"], lambda reply, data: b"\xff\xd8" + data)
    assert sorted(path.name for path in (tmp_path / "m").iterdir()) == ["a.1.refused", "b.1.jpg"]


def test_a_condition_says_its_names() -> None:
    assert (Condition(0, FACES).task, Condition(3, FACES).task) == ("masks", "masks-shuffle-3")
