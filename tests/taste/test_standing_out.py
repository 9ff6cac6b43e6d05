"""Cells that stand out among those of their corpus, before any gate says a word."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pytest
from taste.reefs import reef

from pixelreef.core.seeds import rng
from pixelreef.taste.calibration import Calibration
from pixelreef.taste.evidence import Gate, Limit, Limits
from pixelreef.taste.judge import judge_corpus
from pixelreef.taste.report import report_page
from pixelreef.taste.standing_out import standing_out
from pixelreef.taste.tables import HARDEST, judgement_text
from pixelreef.taste.texture import Texture

HIGH = Gate("high", "s", "high", "high", "too much")
LOW = Gate("low", "s", "low", "low", "too little")
FREE = Gate("free", "s", "free", "high", "without limits")
LIMITS = Calibration({name: Limits(1, (Limit(100, None, 1.0),)) for name in ("high", "low")}, "calibrated")


def found(values: Mapping[str, float], gate: Gate = HIGH) -> dict[str, dict[str, float]]:
    cells = {cell: {gate.name: value} for cell, value in values.items()}
    return standing_out(cells, dict.fromkeys(cells, 100), [gate], LIMITS)


def test_what_is_far_from_the_median_on_the_bad_side_stands_out() -> None:
    values = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0, "e": 5.0, "f": 9.0, "g": -9.0}
    assert {cell for cell, of in found(values).items() if of} == {"f"}
    assert {cell for cell, of in found(values, LOW).items() if of} == {"g"}
    assert found(values)["f"]["high"] == pytest.approx(2)  # six away, where two thirds are within two
    assert found({**values, "f": 1e9})["f"]["high"] == 3  # beyond four spreads it counts no more


def test_a_spread_is_at_least_a_tenth_of_the_limit() -> None:
    still = dict.fromkeys("abcde", 0.0)
    assert not any(found({**still, "f": 0.09}).values())
    assert found({**still, "f": 0.2})["f"] == {"high": pytest.approx(1)}


def test_gates_without_limits_and_figures_of_few_cells_are_not_asked() -> None:
    far = {**dict.fromkeys("abcde", 0.0), "f": 9.0}
    assert not any(found(far, FREE).values())
    assert not any(found({"a": 0.0, "b": 0.0, "f": 9.0, "c": math.nan}).values())
    assert found({**far, "g": math.nan})["g"] == {}


def test_a_faint_fault_that_passes_its_gates_is_told_first() -> None:
    whole = reef()
    cell = whole.names[2]
    pixels, random = whole.cells.copy(), rng(0, "faint")
    of = whole.of(cell)
    specks = random.random(pixels[of].shape) < 0.03
    pixels[of] = np.where(specks, random.integers(1, 64, specks.shape), pixels[of])
    judged = judge_corpus(whole.changed(cells=pixels), [Texture()])
    assert judged.cells[cell].level == "pass"
    assert judged.hardest()[0][0] == cell
    assert "stray" in judged.stands_out[cell]
    assert judged.document()["cells"][cell]["stands_out"] == judged.stands_out[cell]
    assert f"{HARDEST}\n  {cell}: " in judgement_text(judged)
    assert HARDEST in report_page(judged).html()
