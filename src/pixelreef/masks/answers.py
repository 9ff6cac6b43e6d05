"""From replies to files that can be scored: the picture that came, byte for byte, or why there is none.

    answers/<entrant>/<id>.<k>.png | .jpg | …    the last picture of the reply
    answers/<entrant>/<id>.<k>.refused           a content filter stopped it, or words came without a picture
    answers/<entrant>/<id>.<k>.error, .timeout   the call failed, or took too long
    answers/<entrant>/classes.json               the colours of a shuffled code

What was not asked has no file. A picture that is only named by an address is never fetched: the file then holds the
address and can't be read as a picture, which is what the board says. Of several pictures the last is taken, because
models send drafts before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pixelreef.core.files import inside, safe_name, write_bytes, write_text
from pixelreef.errors import InputError
from pixelreef.masks.classes import json_from_classes
from pixelreef.masks.inputs import written_classes
from pixelreef.masks.pairs import OWN_CLASSES, SAID
from pixelreef.masks.shuffle import Condition
from pixelreef.runs.replies import Reply, bytes_from_data_uri

_SIGNATURES = {b"\x89PNG": "png", b"\xff\xd8": "jpg", b"RIFF": "webp", b"GIF8": "gif", b"BM": "bmp"}
_FILTERED = ("content_filter",)
_TIME = re.compile(r"(?i)time[d]?[ -]?out|deadline")

Key = tuple[str, str, int]
"""Entrant, item, attempt."""
Cut = Callable[[Reply, bytes], bytes]


@dataclass(frozen=True)
class Answer:
    """What is written for one reply: a file's ending without its dot, and its bytes."""

    ending: str
    content: bytes


@dataclass
class Answers:
    """What was written: folder → entrant, and what was said, by entrant, item and attempt."""

    folders: dict[str, str] = field(default_factory=dict)
    texts: dict[Key, str] = field(default_factory=dict)
    not_asked: set[Key] = field(default_factory=set)
    unknown: int = 0
    """Replies that belong to no entrant or item of the run."""


def answer_from_reply(reply: Reply) -> Answer | None:
    """The answer; None if the model was not asked.

    >>> answer_from_reply(Reply("m", "reef", "I'd rather not."))
    Answer(ending='refused', content=b"I'd rather not.")
    >>> answer_from_reply(Reply("m", "reef", "", images=("data:image/png;base64,iVBORw==",)))
    Answer(ending='png', content=b'\\x89PNG')
    """
    if reply.failure == "not-asked":
        return None
    if reply.failure:
        late = reply.failure == "limit" or _TIME.search(reply.error or "")
        return Answer("timeout" if late else "error", (reply.error or reply.failure).encode("utf-8", "replace"))
    if reply.images and reply.stop_reason not in _FILTERED:
        return _picture(reply.images[-1])
    if reply.cut and not reply.text.strip():
        return Answer("error", b"the picture was larger than is kept")
    why = "" if reply.stop_reason in (None, "stop") else f"[{reply.stop_reason}] "
    text = f"{why}{reply.text}".strip() or "an empty reply"
    return Answer("refused", text.encode("utf-8", "replace"))


def write_answers(
    replies: Iterable[Reply],
    out: Path,
    entrants: Mapping[str, str],
    conditions: Mapping[str, Condition],
    items: Sequence[str],
    cut: Cut | None = None,
) -> Answers:
    """Write the folder `out`. `entrants`: the name in the log → on the board; `conditions`: by the name of the task;
    `cut`: what of a returned picture is the mask.
    """
    done, known = Answers(), set(items)
    for reply in replies:
        condition = conditions.get(reply.task or "")
        if reply.entrant not in entrants or condition is None or reply.item not in known:
            done.unknown += 1
            continue
        entrant = condition.entrant(entrants[reply.entrant])
        key = (entrant, reply.item, reply.attempt)
        answer = answer_from_reply(reply)
        if said := _said(reply):
            done.texts[key] = said
        if answer is None:
            done.not_asked.add(key)
            continue
        folder = out / _folder(entrant, condition, out, done.folders)
        _write(answer, reply, folder, cut)
    return done


def _write(answer: Answer, reply: Reply, folder: Path, cut: Cut | None) -> None:
    stem = f"{reply.item}.{reply.attempt}"
    content, ending = answer.content, answer.ending
    if cut and f".{ending}" not in SAID:
        content = cut(reply, content)
        ending = _ending(content)
    path = inside(folder, f"{stem}.{ending}")
    for old in folder.iterdir() if folder.is_dir() else ():  # the failure of a run that has gone on since
        if old.name.removesuffix(old.suffix) == stem and old != path:
            old.unlink()
    write_bytes(path, content)


def _folder(entrant: str, condition: Condition, out: Path, folders: dict[str, str]) -> str:
    """The folder of an entrant; the first time it is asked for, with its own class file under a shuffle."""
    for name, whose in folders.items():
        if whose == entrant:
            return name
    name = plain = safe_name(entrant)
    while name in folders:
        name = f"{plain[:70]}-{len(folders)}"
    folders[name] = entrant
    if condition.number:
        write_text(out / name / OWN_CLASSES, json_from_classes(written_classes(condition.classes)))
    return name


def _picture(uri: str) -> Answer:
    try:
        content = bytes_from_data_uri(uri)
    except InputError:  # kept as it came: it is scored as unreadable
        content = uri.encode("utf-8", "replace")
    return Answer(_ending(content), content)


def _ending(content: bytes) -> str:
    return next((ending for sign, ending in _SIGNATURES.items() if content.startswith(sign)), "png")


def _said(reply: Reply) -> str:
    """Words of a reply: its reasoning, then its text."""
    reasoning = f"(reasoning)\n{reply.reasoning.strip()}" if reply.reasoning.strip() else ""
    return "\n\n".join(part for part in (reasoning, reply.text.strip()) if part)
