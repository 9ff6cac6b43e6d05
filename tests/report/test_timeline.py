"""Timelines: every step in its place, nothing of their words markup."""

from __future__ import annotations

import pytest

from pixelreef.errors import InputError
from pixelreef.report import Step, Stop, Timeline


def test_a_step_that_was_not_taken_keeps_its_place() -> None:
    stops = [Stop("One", "15:30", [Step("66 sprites", ["by make"], "6cac"), None], ["a <b>"])]
    body = Timeline(stops, ["corpus", "run"]).fragment("t").body
    assert body.index("66 sprites") < body.index('class="step gone"><span class="step-name">run')
    assert "<code>6cac</code>" in body
    assert '<p class="stop-note">a &lt;b&gt;</p>' in body
    assert "--steps:2" in body


def test_words_are_text() -> None:
    bad = "<script>"
    made = Timeline([Stop(bad, bad, [Step(bad, [bad], bad)], [bad])], [bad])
    assert bad not in made.fragment("t").body


def test_stops_have_all_steps() -> None:
    with pytest.raises(InputError, match="stop 'One' must have 2 steps, got 1"):
        Timeline([Stop("One", "", [None])], ["corpus", "run"])
