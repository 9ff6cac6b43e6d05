"""Each stage on a small reef with one spoilt cell: the spoilt one stands apart from every good one."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from taste.reefs import CELLS, EACH, mixed, reef, spoilt

from pixelreef.core.palette import Palette
from pixelreef.core.seeds import rng
from pixelreef.taste.census import Census, source_table, source_tells
from pixelreef.taste.evidence import Evidence
from pixelreef.taste.guess import guess
from pixelreef.taste.judge import STAGES
from pixelreef.taste.labels import Labels
from pixelreef.taste.learnability import Learnability, fit
from pixelreef.taste.sprites import Sprites, sprites_from_arrays
from pixelreef.taste.stage import Stage
from pixelreef.taste.texture import Texture
from pixelreef.taste.usual import usual

BAD = "coral/hadal"
STAGE = {stage.name: stage for stage in STAGES}


@cache
def evidence(stage: str, how: str) -> dict[str, Evidence]:
    return dict(STAGE[stage].run(spoilt(reef(), BAD, how), 0, lambda done: None))


def bad_and_good(stage: str, how: str, figure: str) -> tuple[float, list[float]]:
    found = evidence(stage, how)
    return found[BAD].value(figure), [found[cell].value(figure) for cell in CELLS if cell != BAD]


@pytest.mark.parametrize(
    ("stage", "how", "figure"),
    [
        ("census", "half blank", "blank"),
        ("texture", "shuffled", "orphans"),
        ("texture", "shuffled", "ragged"),
        ("texture", "shuffled", "crumbled"),
        ("texture", "static", "stray"),
        ("texture", "static", "gaudy"),
        ("texture", "blurred", "smooth"),
        ("texture", "blurred", "flat"),
        ("texture", "blurred", "filled"),
        ("learnability", "shuffled", "gap"),
        ("learnability", "static", "behind"),
    ],
)
def test_spoilt_stands_above_all_good(stage: str, how: str, figure: str) -> None:
    bad, good = bad_and_good(stage, how, figure)
    assert bad > 1.3 * max(good) + 0.05


@pytest.mark.parametrize(
    ("stage", "how", "figure"),
    [
        ("census", "copied", "distinct"),
        ("census", "one mode", "variety"),
        ("learnability", "shuffled", "gain"),
        ("learnability", "static", "gain"),
        ("learnability", "copied", "gain"),
    ],
)
def test_spoilt_stands_below_all_good(stage: str, how: str, figure: str) -> None:
    bad, good = bad_and_good(stage, how, figure)
    assert bad < 0.7 * min(good)


def test_mixed_labels_are_entangled_with_each_other() -> None:
    a, b = "coral/hadal", "reef-fish/shallows"
    found = Labels().run(mixed(reef(), a, b), 0, lambda done: None)
    for cell in CELLS:
        is_mixed = cell in (a, b)
        assert (found[cell].value("entangled") > 0.3) == is_mixed
        assert (found[cell].value("recall") < 0.7) == is_mixed
    assert any(b in note for note in found[a].notes)
    assert found[a].shown["look like another cell"]


def test_a_foreigner_among_good_sprites_is_shown_first() -> None:
    sprites = reef()
    labels = sprites.cell.copy()
    stranger = int(sprites.of("reef-fish/shallows")[3])
    labels[stranger] = sprites.names.index(BAD)
    found = Labels().run(sprites.changed(cell=labels), 0, lambda done: None)[BAD]
    assert found.shown["look like another cell"][0] == stranger


def test_recall_by_factor_counts_the_value_alone() -> None:
    found = Labels().run(mixed(reef(), "coral/hadal", "coral/shallows"), 0, lambda done: None)["coral/hadal"]
    assert found.value("recall") < 0.7
    assert found.value("recall of category") > 0.85


def test_kin_are_never_learnt_from() -> None:
    """Random labels on pairs of copies: who learns from the other of a pair is right, who does not is not."""
    random = rng(0, "kin")
    values = np.repeat(random.normal(size=(150, 20)), 2, axis=0).astype(np.float32)
    truth = np.repeat(random.integers(0, 3, 150), 2)
    kin = np.repeat(np.arange(150), 2)
    honest = guess(values, truth, kin, 0)
    cheating = guess(values, truth, np.arange(300), 0)
    assert (honest.guessed == truth).mean() < 0.5
    assert (cheating.guessed == truth).mean() > 0.7


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.name)
def test_every_gate_finds_its_figure_and_the_same_seed_the_same(stage: Stage) -> None:
    sprites = reef().at(np.arange(0, 6 * EACH, 2))
    heard: list[float] = []
    first, second = stage.run(sprites, 5, heard.append), stage.run(sprites, 5, lambda done: None)
    assert list(first) == list(CELLS)
    assert heard[-1] == 1
    assert stage.cost(sprites) > 0
    for gate in stage.gates:
        if gate.name != "source":
            assert np.isfinite(first[BAD].value(gate.figure)), gate.name
    assert [one.document() for one in first.values()] == [one.document() for one in second.values()]


@pytest.mark.parametrize("stage", [Census(), Texture(), Labels(), Learnability()], ids=lambda stage: stage.name)
@pytest.mark.parametrize("shape", [(1, 8, 8), (2, 8, 8), (9, 1, 1), (9, 1, 5)])
@pytest.mark.parametrize("transparent", [0, None])
def test_small_and_odd_corpora_are_no_error(stage: Stage, shape: tuple[int, int, int], transparent: int | None) -> None:
    palette = Palette.from_hex(["000000", "ff0000"], transparent)
    for cells in (np.zeros(shape, np.uint8), rng(0, "odd").integers(0, 2, shape).astype(np.uint8)):
        found = stage.run(sprites_from_arrays(cells, palette, ["a"] * len(cells)), 0, lambda done: None)
        assert found["a"].n == len(cells)


def test_what_is_usual_is_a_good_cells_with_half_of_them_bad() -> None:
    good, others = [0.41, 0.42, 0.43, 0.44, 0.45], [0.6, 0.7, 1.3, 5.0, 900.0]
    below = [0.86 - value for value in others]
    for bad in (others, below, others[:3] + below[:2]):
        assert usual(good + bad) == pytest.approx(0.43)
    assert 0.41 <= usual(good) <= 0.45


def sourced(cell: list[int], source: list[int]) -> Sprites:
    made = sprites_from_arrays(np.zeros((len(cell), 2, 2), np.uint8), Palette.from_hex(["000000"]), ["x"] * len(cell))
    return Sprites(
        made.cells, made.palette, ("a", "b"), np.array(cell), {}, ("s", "t"), np.array(source), made.rows, made.group
    )


def test_a_cell_of_a_source_of_its_own_is_told_by_it() -> None:
    assert source_tells(sourced([0, 0, 1, 1], [0, 0, 1, 1])) == {"a": 1, "b": 1}
    assert source_tells(sourced([0, 0, 1, 1], [0, 1, 0, 1])) == {"a": 0, "b": 0}
    # Cell a: two of source s, where 2 of 3 are a: (2/3 − 1/2) / (1/2); cell b: 1/3 and 1, so (2/3 − 1/2) / (1/2).
    assert source_tells(sourced([0, 0, 1, 1], [0, 0, 0, 1]))["a"] == pytest.approx(1 / 3)
    assert source_table(sourced([0, 0, 1, 1], [0, 0, 0, 1])) == {"s": {"a": 2, "b": 1}, "t": {"b": 1}}


def test_the_learner_of_a_cell_draws_its_colours() -> None:
    drawn = fit(reef(), "jellyfish/hadal")(4, 0)
    assert drawn.shape == (4, 32, 32)
    own = np.unique(reef().cells[reef().of("jellyfish/hadal")])
    assert np.isin(drawn, own).mean() > 0.98 > np.isin(np.arange(64), own).mean()
    assert 0.02 < (drawn != 0).mean() < 0.8
