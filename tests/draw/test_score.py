from __future__ import annotations

import json
import math
import time

import pytest

from pixelreef.draw.boards import SCORES, by_entrant, draw_board, paired, standings, summary_of
from pixelreef.draw.encodings import encoding
from pixelreef.draw.find import find_subject
from pixelreef.draw.score import entrant_name, score_replies
from pixelreef.draw.subject import Subject
from pixelreef.metrics.profile import MEASURES, composites
from pixelreef.runs.replies import Reply


def subject(id: str) -> Subject:
    found = find_subject(id)
    assert found
    return found


def perfect(id: str, name: str = "rows") -> str:
    return encoding(name).encode(subject(id).reference)


def test_a_perfect_reply_is_valid_usable_and_measured() -> None:
    (attempt,) = score_replies([Reply("a", "saturn", perfect("saturn"), cost=0.5)])
    assert (attempt.valid, attempt.readable, attempt.usable, attempt.json_validity) == (1, 1, 1, 1)
    assert attempt.check
    assert attempt.check.passed
    assert set(attempt.strict) == set(MEASURES)
    assert attempt.strict == attempt.repaired
    assert attempt.published["json_validity"] == attempt.published["render_success"] == 1


def test_a_fenced_reply_is_readable_but_not_valid_and_scores_nothing_strictly() -> None:
    (attempt,) = score_replies([Reply("a", "saturn", f"```json\n{perfect('saturn')}\n```")])
    assert (attempt.valid, attempt.readable, attempt.usable, attempt.json_validity) == (0, 1, 0, 0)
    assert attempt.check is None
    assert attempt.check_repaired
    assert attempt.check_repaired.passed
    for name in composites():
        assert attempt.measure(name) == 0
        assert (attempt.measure(name, repairs=True) or 0) > 0
    assert attempt.measure("edge_density") is None


def test_garbage_is_data_and_a_reply_never_asked_for_is_missing() -> None:
    garbage, error, missing = score_replies(
        [
            Reply("a", "sun", "I can't draw."),
            Reply("a", "sun", "", failure="error", error="500"),
            Reply("a", "sun", "", failure="not-asked"),
        ]
    )
    assert (garbage.valid, garbage.usable, garbage.measure("craft")) == (0, 0, 0)
    assert (error.valid, error.usable) == (0, 0)
    assert (missing.valid, missing.usable, missing.measure("craft"), missing.json_validity) == (None, None, None, None)
    summary = summary_of([garbage, error, missing], SCORES["usable"])
    assert (summary.n, summary.missing) == (2, 1)


def test_hope_has_no_check_and_an_unknown_item_none_either() -> None:
    hope, unknown = score_replies([Reply("a", "hope", perfect("hope")), Reply("a", "a dragon", perfect("sun"))])
    assert hope.usable is None
    assert unknown.usable is None
    assert (hope.valid, unknown.valid) == (1, 1)


def test_the_palette_of_a_grid_only_reply_comes_from_its_record() -> None:
    sun = subject("sun")
    reply = Reply(
        "a",
        "sun",
        encoding("grid-only").encode(sun.reference),
        metadata={"encoding": "grid-only", "palette": sun.reference.palette.hex()},
    )
    (attempt,) = score_replies([reply])
    assert attempt.reading.strict == sun.reference
    assert attempt.usable == 1
    (lost,) = score_replies([Reply("a", "sun", reply.text, metadata={"encoding": "grid-only"})])
    assert lost.valid == 0


def test_an_unknown_encoding_in_a_record_is_one_failure() -> None:
    (attempt,) = score_replies([Reply("a", "sun", perfect("sun"), metadata={"encoding": "morse"})])
    assert attempt.valid == 0
    assert "morse" in attempt.reading.reason


@pytest.mark.parametrize(
    ("metadata", "name"),
    [
        ({}, "m"),
        ({"encoding": "rows", "decoding": "free"}, "m"),
        ({"decoding": "constrained"}, "m · constrained"),
        ({"encoding": "ints", "decoding": "constrained"}, "m · ints · constrained"),
    ],
)
def test_settings_make_another_entrant(metadata: dict[str, str], name: str) -> None:
    assert entrant_name(Reply("m", "sun", "", metadata=metadata)) == name


def test_the_board_ranks_by_the_headline_and_leaves_baselines_unranked() -> None:
    replies = [
        *(Reply("good", id, perfect(id), cost=0.1) for id in ("sun", "maze", "saturn")),
        *(Reply("bad", id, "no") for id in ("sun", "maze", "saturn")),
        *(Reply("null", id, perfect("hope"), metadata={"baseline": True}) for id in ("sun", "maze", "saturn")),
        Reply("", "", "", failure="unreadable"),
    ]
    attempts = score_replies(replies)
    found = {one.entrant: one for one in standings(attempts)}
    assert set(found) == {"good", "bad", "null"}
    assert found["good"].scores["usable"].mean == 1
    assert found["good"].cost_per_usable == pytest.approx(0.1)
    assert found["bad"].cost_per_usable is None
    board = draw_board(list(found.values()), {"craft": "a warning"}, "three subjects")
    ranks = {str(record["entrant"]): record["rank"] for record in board.records()}
    assert ranks == {"good": 1, "bad": 2, "null": None}
    assert "a warning" in board.markdown()
    mine = by_entrant(attempts)
    gap = paired(mine["good"], mine["bad"], SCORES["usable"])
    assert (gap.mean, gap.n) == (1, 3)


def test_1675_replies_are_read_and_scored_quickly() -> None:
    """Under 2 s on an idle machine (docs/log.md); here as a multiple of plain JSON parsing, since it may be busy."""
    ids = ["sun", "maze", "saturn", "rainbow", "mario", "mona_lisa", "hope"]
    texts = [perfect(id) for id in ids]
    replies = [Reply("m", ids[n % 7], texts[n % 7], attempt=n) for n in range(1675)]
    score_replies(replies[:50])

    def times_as_long() -> float:
        started = time.process_time()
        for reply in replies * 10:
            json.loads(reply.text)
        plain = time.process_time() - started
        started = time.process_time()
        assert len(score_replies(replies)) == 1675
        return (time.process_time() - started) / plain

    assert any(times_as_long() < 25 for _ in range(4))  # one in four is undisturbed
    attempts = score_replies(replies[:1])
    assert not any(math.isnan(value) for value in attempts[0].strict.values())
