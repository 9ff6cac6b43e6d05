"""Judging: which stages are run, what their gates make of a cell, and what is written down."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from taste.reefs import CELLS, reef, spoilt
from taste.reefs import LIMITS as REEF_LIMITS

from pixelreef.errors import InputError
from pixelreef.taste.calibration import Calibration
from pixelreef.taste.evidence import Evidence, Figure, Gate, Limit, Limits
from pixelreef.taste.judge import STAGES, judge_corpus
from pixelreef.taste.sprites import Sprites
from pixelreef.taste.stage import Progress, seconds_from_text
from pixelreef.taste.tables import judgement_text
from pixelreef.taste.texture import Texture

LIMITS = Calibration({"g": Limits(10, (Limit(100, 0.2, 0.5),))}, "calibrated")


@dataclass
class Made:
    """A stage as a higher room would add it: one figure per cell, given."""

    name: str = "made"
    values: Mapping[str, float] = field(default_factory=dict)
    price: float = 1.0
    ran: list[int] = field(default_factory=list)

    @property
    def gates(self) -> Sequence[Gate]:
        return (Gate("g", self.name, "f", "high", "a made figure"),)

    def cost(self, sprites: Sprites) -> float:
        return self.price

    def run(self, sprites: Sprites, seed: int, progress: Progress) -> Mapping[str, Evidence]:
        self.ran.append(seed)
        progress(1.0)
        return {
            cell: Evidence(len(of), {"f": Figure(self.values.get(cell, 0.0))}) for cell, of in sprites.by_cell.items()
        }


def test_a_stage_of_ones_own_is_run_and_its_gate_asked() -> None:
    stage = Made(values={CELLS[1]: 0.3, CELLS[2]: 0.6})
    judged = judge_corpus(reef(), [stage], calibration=LIMITS, seed=7)
    assert stage.ran == [7]
    assert [verdict.word for verdict in judged.cells.values()] == ["pass", "warn", "fail", "pass", "pass", "pass"]
    assert (judged.level, judged.failed) == ("fail", [CELLS[2]])


def test_too_few_to_tell_is_no_failure_and_says_how_many_more() -> None:
    few = reef().at(np.concatenate([reef().of(cell)[:7] for cell in CELLS]))
    judged = judge_corpus(few, [Made(values={CELLS[2]: 0.6})], calibration=LIMITS)
    assert (judged.level, judged.failed) == ("too few to tell", [])
    assert {verdict.more for verdict in judged.cells.values()} == {3}


def test_a_cell_without_sprites_has_no_verdict() -> None:
    sprites = replace(reef(), names=(*CELLS, "nobody/here"))
    assert list(judge_corpus(sprites, [Made()], calibration=LIMITS).cells) == list(CELLS)
    assert list(judge_corpus(sprites, [Texture()]).cells) == list(CELLS)


def test_a_budget_takes_what_fits_in_order() -> None:
    stages = [Made("a", price=2), Made("b", price=9), Made("c", price=3), Made("d", price=2)]
    heard: list[tuple[str, float, float]] = []
    judged = judge_corpus(
        reef(), stages, budget=6, calibration=LIMITS, progress=lambda name, done, left: heard.append((name, done, left))
    )
    assert [(run.name, run.seconds is not None) for run in judged.runs] == [
        ("a", True),
        ("b", False),
        ("c", True),
        ("d", False),
    ]
    assert heard == [("a", 1.0, 3.0), ("c", 1.0, 0.0)]
    assert "The budget did not allow b, d." in judgement_text(judged)
    with pytest.raises(InputError, match="allow the cheapest stage, about 2s"):
        judge_corpus(reef(), stages, budget=1)


def test_stages_differ_in_name() -> None:
    with pytest.raises(InputError, match="each of another name"):
        judge_corpus(reef(), [Made(), Made()])
    with pytest.raises(InputError, match="at least one"):
        judge_corpus(reef(), [])


@pytest.mark.parametrize("text", ["", "m", "3 parsecs", "-3m", "0", "nan", "inf", "1e9h"])
def test_a_budget_is_a_time(text: str) -> None:
    with pytest.raises(InputError, match="be a time such as 90s"):
        seconds_from_text(text)


def test_all_stages_on_one_spoilt_cell() -> None:
    judged = judge_corpus(spoilt(reef(), "coral/hadal", "shuffled"), calibration=REEF_LIMITS)
    assert judged.failed == ["coral/hadal"]
    assert [run.name for run in judged.runs] == [stage.name for stage in STAGES]
    document = json.loads(json.dumps(judged.document(), allow_nan=False))
    assert document["cells"]["coral/hadal"]["verdict"] == "fail"
    assert document["cells"]["coral/hadal"]["evidence"]["texture"]["figures"]["orphans"]["value"] > 0.3
    words = judgement_text(judged)
    assert "6 cells: 5 pass, 1 fail" in words
    line = next(line for line in words.splitlines() if line.startswith("hadal"))
    assert line.split() == ["hadal", "–", "FAIL", "ok", "ok"]
    assert "coral/hadal: fail: " in words


def test_sources_have_a_texture_of_their_own() -> None:
    sprites = spoilt(reef(), "coral/hadal", "static")
    web = (sprites.cell == sprites.names.index("coral/hadal")).astype(np.intp)
    judged = judge_corpus(replace(sprites, sources=("drawn", "web"), source=web), [Texture()], calibration=REEF_LIMITS)
    assert {source: verdict.word for source, verdict in judged.sources.items()} == {"drawn": "pass", "web": "fail"}
    assert judge_corpus(sprites, [Texture()]).sources == {}


class Trained(Made):
    """One that trained a model, and knows what a sprite costs it; of one cell it does not."""

    def run(self, sprites: Sprites, seed: int, progress: Progress) -> Mapping[str, Evidence]:
        bits = {CELLS[0]: 0.5, CELLS[1]: np.nan}
        return {
            cell: Evidence(len(of), {"f": Figure(0.0), **({"bits": Figure(bits[cell])} if cell in bits else {})})
            for cell, of in sprites.by_cell.items()
        }


def test_a_record_has_verdicts_and_the_losses_of_a_stage_that_trained() -> None:
    stages = [Made(values={CELLS[2]: 0.6}), Trained(name="proxy")]
    record = judge_corpus(reef(), stages, budget=5, calibration=LIMITS, seed=7).record()
    assert record["verdicts"] == {cell: "fail" if cell == CELLS[2] else "pass" for cell in CELLS}
    assert record["losses"] == {CELLS[0]: 0.5}
    assert record["calibration"] == LIMITS.hash
    assert record["made"] == {"sprites": len(reef()), "seed": 7, "stages": ["made", "proxy"]}
    assert judge_corpus(reef(), stages, budget=1, calibration=LIMITS).record()["made"]["stages"] == ["made"]
