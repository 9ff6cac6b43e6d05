"""Replies made by hand for the report's tests: strict, repaired, failed, refused, hostile."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pixelreef.draw.drawing import Drawing
from pixelreef.draw.encodings import encoding
from pixelreef.draw.score import Attempt, score_replies
from pixelreef.draw.subjects import canonical
from pixelreef.runs.replies import Reply

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)> & \\input{/etc/passwd} =1+1"
STRIPES = json.dumps({"palette": ["ffffff", "000000"], "grid": ["01" * 12] * 24})


def written(drawing: Drawing) -> str:
    return encoding("rows").encode(drawing)


def reference_text(subject: str) -> str:
    return written(canonical()[subject].reference)


def reply(entrant: str, item: str, text: str, attempt: int = 1, **fields: Any) -> Reply:
    return Reply(entrant, item, text, attempt=attempt, **fields)


def attempts(replies: Sequence[Reply]) -> list[Attempt]:
    return score_replies(replies)


def mixed() -> list[Reply]:
    """Every kind of outcome, several entrants, two encodings, a free and a paid model, a subject that no one knows."""
    found: list[Reply] = []
    for name in ("sun", "saturn", "rainbow", "hope"):
        good = reference_text(name)
        value = json.loads(good)
        for attempt in (1, 2):
            found += [
                reply("paid/exact", name, good, attempt, cost=0.01, output_tokens=800),
                reply("free/fenced", name, f"```json\n{good}\n```", attempt, cost=0.0),
                reply("free/stripes", name, STRIPES, attempt, metadata={"decoding": "constrained"}),
                reply("free/refuses", name, "I'm sorry, but I can't draw that.", attempt),
                reply(HOSTILE, name, f"{HOSTILE} {name}", attempt),
            ]
        ints = encoding("ints").encode(canonical()[name].reference)
        found.append(reply("paid/exact", name, ints, metadata={"encoding": "ints"}))
        found.append(reply("ragged", name, json.dumps({**value, "grid": [*value["grid"][:23], "0"]})))
        found.append(reply("stopped", name, "", failure="not-asked"))
        found.append(reply("broken", name, "", failure="error", error=HOSTILE))
    found.append(reply("paid/exact", "a thing unknown", reference_text("sun")))
    found.append(Reply("", "", "", failure="unreadable", error="line 3: no entrant"))
    return found
