from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache

import numpy as np
import pytest
from taste.reefs import spoilt

from pixelreef.core.palette import Palette
from pixelreef.core.reef import reef_palette
from pixelreef.corpus.cells import CELLS, REEF_FACTORS
from pixelreef.corpus.reef.make import make_reef
from pixelreef.sprites.forecast import Proxy, _material
from pixelreef.sprites.scale import parameters
from pixelreef.taste.calibration import Calibration
from pixelreef.taste.evidence import Evidence, Limit, Limits
from pixelreef.taste.judge import STAGES, judge_corpus
from pixelreef.taste.sprites import Sprites, sprites_from_arrays

SHORT = Proxy(seeds=1, steps=8)


@cache
def reef() -> Sprites:
    """Five cells of 16 sprites of 16×16."""
    entries = list(make_reef(0, 16, 16, CELLS[::6]))
    cells = np.stack([entry.cells for entry in entries])
    return sprites_from_arrays(cells, reef_palette(), [entry.cell for entry in entries], REEF_FACTORS)


@cache
def short_run(seed: int = 0) -> Mapping[str, Evidence]:
    return SHORT.run(reef(), seed, lambda _: None)


def test_a_cell_that_was_spoilt_falls_behind() -> None:
    bad = CELLS[6]
    heard: list[float] = []
    found = Proxy(seeds=1, steps=24).run(spoilt(reef(), bad, "shuffled"), 0, heard.append)
    gains = {cell: evidence.value("gain") for cell, evidence in found.items()}
    assert min(gains, key=gains.__getitem__) == bad
    assert found[bad].value("behind") > 0.1
    assert heard == sorted(heard)
    assert heard[-1] == 1.0


def test_a_proxy_is_small_whatever_the_corpus() -> None:
    many = Palette(np.random.default_rng(0).integers(0, 256, (256, 3)), 0)
    large = sprites_from_arrays(np.zeros((4, 64, 64), np.uint8), many, ["a", "b", "c", "d"])
    assert parameters(_material(reef())[2]) <= 500_000
    assert parameters(_material(large)[2]) <= 500_000


def test_figures_are_what_they_say() -> None:
    found = short_run()
    assert set(found) == set(reef().names)
    for evidence in found.values():
        bits, marginal, gain = (evidence.value(name) for name in ("bits", "marginal", "gain"))
        assert evidence.n == 16
        assert gain == pytest.approx(1 - bits / marginal)
        assert evidence.value("gap") == pytest.approx((bits - evidence.value("seen")) / marginal)


def test_the_same_seed_finds_the_same() -> None:
    again, other = (SHORT.run(reef(), seed, lambda _: None) for seed in (0, 1))
    assert {cell: of.value("bits") for cell, of in short_run().items()} == {
        cell: of.value("bits") for cell, of in again.items()
    }
    assert short_run()[CELLS[0]].value("bits") != other[CELLS[0]].value("bits")


def test_without_limits_the_gates_say_nothing() -> None:
    strict = Limits(1, (Limit(10, None, 0.99),))
    for gate in SHORT.gates:
        assert gate.judge(short_run()[CELLS[0]], None) is None
    finding = SHORT.gates[0].judge(short_run()[CELLS[0]], strict)
    assert finding is not None
    assert finding.level == "fail"


def test_it_is_a_stage_of_taste() -> None:
    judged = judge_corpus(reef(), [Proxy(seeds=1, steps=1)], calibration=Calibration({}))
    assert [run.name for run in judged.runs] == ["proxy"]
    assert all("gain" in verdict.evidence["proxy"].figures for verdict in judged.cells.values())


def test_its_gates_are_nobody_elses() -> None:
    names = [gate.name for stage in (*STAGES, SHORT) for gate in stage.gates]
    assert len(names) == len(set(names))


def test_a_run_that_takes_too_long_is_cut_and_says_so() -> None:
    found = Proxy(seeds=1, seconds=1e-6).run(reef(), 0, lambda _: None)
    assert any("cut short" in note for note in found[CELLS[0]].notes)


def test_a_cell_of_one_colour_has_no_figures() -> None:
    blank = reef().changed(np.zeros_like(reef().cells))
    found = SHORT.run(blank, 0, lambda _: None)
    assert math.isnan(found[CELLS[0]].value("gain"))


def test_corpora_without_factors_of_odd_sizes_are_tried() -> None:
    cells = (np.indices((12, 7, 9)).sum(axis=0) % 3).astype(np.uint8)
    bare = sprites_from_arrays(cells, Palette.from_hex(["000000", "777777", "ffffff"]), ["all"] * 12)
    assert SHORT.run(bare, 0, lambda _: None)["all"].value("bits") > 0


def test_its_price_grows_with_pixels_up_to_its_bound() -> None:
    assert Proxy(seeds=1, steps=1).cost(reef()) < Proxy(seeds=2).cost(reef()) <= 5 + 1.1 * 170
