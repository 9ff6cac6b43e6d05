"""Samples against real sprites: each fault gets its word, fresh sprites pass, and the edges hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache

import numpy as np
import pytest

from pixelreef.core.palette import Palette
from pixelreef.core.seeds import rng
from pixelreef.errors import InputError
from pixelreef.taste.against.pairing import MOST, Pairing
from pixelreef.taste.beside import sheet_beside
from pixelreef.taste.calibration import Calibration
from pixelreef.taste.compare import compare_judgements, compare_samples
from pixelreef.taste.evidence import Finding, Level, Limit, Limits
from pixelreef.taste.faults import Material, faults
from pixelreef.taste.judge import Judgement
from pixelreef.taste.samples import SAMPLE_STAGES, brought_to, judge_samples, sample_evidence, word_of
from pixelreef.taste.sprites import Sprites, sprites_from_arrays
from pixelreef.taste.worlds import FOREIGN, tokens

GATES = [gate for stage in SAMPLE_STAGES for gate in stage.gates]
REAL, FRESH = 48, 24


def made_limits(**at: tuple[float | None, float | None]) -> Calibration:
    """Gate → (warn, fail), alike for every size from ten."""
    return Calibration({f"samples_{name}": Limits(10, [Limit(10, *of)]) for name, of in at.items()})


LIMITS = made_limits(
    empty=(0.05, 0.2),
    copied=(0.1, 0.4),
    copy_test=(-4.0, -5.0),
    distinct=(0.95, 0.6),
    spacing=(0.7, 0.5),
    off_texture=(0.4, 0.7),
    drift=(1.8, None),
    density=(0.65, 0.3),
    coverage=(0.5, 0.2),
    kernel=(0.2, 1.0),
    accuracy=(0.5, 0.8),
    reverse=(0.35, 0.42),
)


@cache
def world() -> tuple[Sprites, Sprites]:
    made = tokens().make(7, REAL + FRESH)
    places = list(made.by_cell.values())
    return made.at(np.concatenate([of[:REAL] for of in places])), made.at(np.concatenate([of[REAL:] for of in places]))


def with_faults(planted: Mapping[str, str]) -> Sprites:
    """Fresh sprites with faults at full strength: cell → fault."""
    real, fresh = world()
    cells = fresh.cells.copy()
    for cell, name in planted.items():
        mine, other, training = fresh.of(cell), fresh.of("flask/gold"), real.of(cell)
        material = Material(fresh.cells[mine], fresh.cells[other], real.cells[training], real.palette)
        cells[mine] = faults()[name].spoilt(material, faults()[name].full, rng(1, "fault"))
    return fresh.changed(cells)


def with_fault(name: str) -> Sprites:
    return with_faults({"gem/red": name})


PLANTED = {
    "gem/red": ("shuffled", "noise"),
    "gem/green": ("static", "noise"),
    "gem/blue": ("photographs", "noise"),
    "gem/gold": ("originals", "collapsed"),
    "invader/red": ("one_mode", "collapsed"),
    "invader/green": ("half_empty", "empty"),
    "invader/blue": ("copies", "copied"),
}


@cache
def judged(name: str) -> Judgement:
    real, fresh = world()
    if name == "all":
        return judge_samples(with_faults({cell: fault for cell, (fault, _) in PLANTED.items()}), real, LIMITS)
    return judge_samples(fresh if name == "clean" else with_fault(name), real, LIMITS)


@pytest.mark.parametrize("cell", PLANTED)
def test_each_fault_gets_its_word(cell: str) -> None:
    verdict = judged("all").cells[cell]
    assert (verdict.word, verdict.level) == (PLANTED[cell][1], "fail"), verdict.reasons
    assert verdict.reasons


def test_pixels_of_any_colour_are_noise_and_no_collapse() -> None:
    """To `metrics.likeness` they are near-copies of one another."""
    real, fresh = world()
    cells = fresh.cells.copy()
    cells[fresh.of("gem/red")] = rng(0, "any").integers(0, len(fresh.palette), cells[fresh.of("gem/red")].shape)
    verdict = judge_samples(fresh.changed(cells), real).cells["gem/red"]
    assert verdict.evidence["collapse"].value("distinct") < 0.5
    assert verdict.word == "noise"


def test_cells_beside_faulty_ones_pass() -> None:
    assert judged("all").failed == list(PLANTED)


def test_mixed_labels_fail_and_say_what_they_are() -> None:
    verdict = judged("mixed").cells["gem/red"]
    assert verdict.level == "fail"
    assert any("flask/gold" in note for note in verdict.evidence["accuracy"].notes)


def test_fresh_sprites_are_learned_or_weak() -> None:
    words = [verdict.word for verdict in judged("clean").cells.values()]
    assert set(words) <= {"learned", "weak"}
    assert words.count("learned") >= 9


def test_the_same_seed_gives_the_same_judgement() -> None:
    real, fresh = world()
    again = judge_samples(fresh, real, LIMITS).document()["cells"]
    assert again == judged("clean").document()["cells"]


def test_figures_of_fresh_sprites_are_at_their_good_values() -> None:
    real, fresh = world()
    found, runs = sample_evidence(fresh, real)
    assert [run.name for run in runs] == [stage.name for stage in SAMPLE_STAGES]
    middle = {
        gate.figure: float(np.median([of[gate.stage].value(gate.figure) for of in found.values()])) for gate in GATES
    }
    assert middle["empty"] == 0
    assert middle["copied"] < 0.05
    for figure in ("spacing", "density", "coverage", "drift", "distinct"):
        assert middle[figure] == pytest.approx(1, abs=0.12), figure
    for figure in ("kernel", "accuracy_lost", "reverse_lost"):
        assert middle[figure] == pytest.approx(0, abs=0.06), figure
    assert abs(middle["copy_test"]) < 1.5


def test_a_cell_without_samples_says_how_many_are_needed() -> None:
    real, fresh = world()
    some = fresh.at(np.flatnonzero(fresh.cell != fresh.names.index("gem/red")))
    verdict = judge_samples(some, real, LIMITS).cells["gem/red"]
    assert (verdict.word, verdict.level, verdict.n) == ("too few to tell", "too few to tell", 0)
    assert verdict.more == 10
    assert "more sprites are needed" in verdict.reasons[0]


def test_cells_that_the_corpus_does_not_have_are_named() -> None:
    real, fresh = world()
    strange = sprites_from_arrays(fresh.cells[:60], fresh.palette, ["gem/red"] * 24 + ["dragon"] * 36)
    judgement = judge_samples(strange, real, LIMITS)
    assert "dragon" in judgement.notes[0]
    with pytest.raises(InputError, match="be cells of the corpus"):
        judge_samples(sprites_from_arrays(fresh.cells[:9], fresh.palette, ["dragon"] * 9), real, LIMITS)


def test_a_calibration_that_knows_no_sample_gate_is_refused() -> None:
    real, fresh = world()
    with pytest.raises(InputError, match="taste calibrate"):
        judge_samples(fresh, real, Calibration({}))


def test_one_cell_alone_can_be_judged() -> None:
    real, _ = world()
    for name in ("clean", "static"):
        samples = world()[1] if name == "clean" else with_fault(name)
        one = judge_samples(samples.at(samples.of("gem/red")), real.at(real.of("gem/red")), LIMITS)
        assert one.cells["gem/red"].level == ("fail" if name == "static" else one.cells["gem/red"].level)
        assert math.isnan(one.cells["gem/red"].evidence["accuracy"].value("accuracy_lost"))
        assert (one.cells["gem/red"].word in ("learned", "weak")) == (name == "clean")


@pytest.mark.parametrize(("samples", "real"), [(1, 1), (1, 5), (2, 2), (3, 40), (40, 3)])
def test_very_few_sprites_give_figures_or_none_but_no_error(samples: int, real: int) -> None:
    corpus, fresh = world()
    few = fresh.at(np.concatenate([np.resize(of, samples) for of in fresh.by_cell.values()]))
    against = corpus.at(np.concatenate([of[:real] for of in corpus.by_cell.values()]))
    judgement = judge_samples(few, against, LIMITS)
    assert set(judgement.cells) == set(corpus.names)
    judgement.document()


def test_samples_of_another_size_and_palette_are_brought_to_the_corpus() -> None:
    real, fresh = world()
    wide = np.pad(fresh.cells, ((0, 0), (4, 4), (4, 4)))
    order = np.array([0, *range(15, 0, -1)])
    turned = Palette(FOREIGN.rgb[order], 0)
    other = sprites_from_arrays(order.astype(np.uint8)[wide], turned, fresh.labels())
    brought = brought_to(other, real)
    assert brought.cells.shape == fresh.cells.shape
    assert len(brought.notes) == 2
    assert judge_samples(other, real, LIMITS).failed == []
    opaque = sprites_from_arrays(real.cells, Palette(FOREIGN.rgb), real.labels())
    with pytest.raises(InputError, match="24 × 24 as the corpus is"):
        brought_to(other, opaque)


def test_a_palette_without_transparency_is_judged() -> None:
    real, _ = world()
    opaque = Palette(FOREIGN.rgb)
    against = sprites_from_arrays(real.cells, opaque, real.labels())
    samples = with_fault("half_empty")
    judgement = judge_samples(sprites_from_arrays(samples.cells, opaque, samples.labels()), against, LIMITS)
    assert judgement.cells["gem/red"].word == "empty"


def test_at_most_so_many_sprites_of_a_cell_are_compared_pair_by_pair() -> None:
    real, fresh = world()
    many = sprites_from_arrays(np.tile(fresh.cells[:24], (20, 1, 1)), fresh.palette, ["gem/red"] * 480)
    pair = Pairing(many, real, 0).pairs["gem/red"]
    assert len(pair.samples) == len(pair.values) == MOST


def test_sprites_held_out_serve_the_copy_test() -> None:
    real, fresh = world()
    copies = with_fault("copies")
    found = sample_evidence(copies, real, held_out=fresh)[0]["gem/red"]["copying"]
    assert found.value("copy_test") < -4
    assert found.value("copied") > 0.9


def test_the_sheet_has_a_row_for_every_cell() -> None:
    sheet = sheet_beside(judged("static"), 4)
    assert sheet.ndim == 3
    assert sheet.shape[0] > 12 * 48
    assert sheet.shape[1] > 8 * 48


def test_compare_names_what_is_worse_and_better() -> None:
    real, fresh = world()
    found, _ = compare_samples({"good": fresh, "bad": with_fault("static")}, real, LIMITS)
    words = {one.cell: one.word for one in found}
    assert words.pop("gem/red") == "worse"
    assert set(words.values()) == {"same"}
    turned, _ = compare_samples({"bad": with_fault("static"), "good": fresh}, real, LIMITS)
    assert {one.cell: one.word for one in turned}["gem/red"] == "better"


def test_compare_sees_a_difference_where_both_pass() -> None:
    real, fresh = world()
    never = made_limits(kernel=(None, None))
    found, _ = compare_samples({"good": fresh, "bad": with_fault("photographs")}, real, never)
    cell = next(one for one in found if one.cell == "gem/red")
    assert (cell.word, cell.verdicts) == ("worse", ("learned", "learned"))
    assert 0 < cell.difference.low < cell.difference.value < cell.difference.high


def test_compare_judgements_that_were_written_before() -> None:
    documents = {"clean": judged("clean").document(), "static": judged("static").document()}
    words = {one.cell: one.word for one in compare_judgements(documents, GATES)}
    assert words.pop("gem/red") == "worse"
    assert set(words.values()) == {"same"}
    with pytest.raises(InputError, match="at least two"):
        compare_judgements({"clean": documents["clean"]}, GATES)
    with pytest.raises(InputError, match="be a judgement"):
        compare_judgements({"clean": documents["clean"], "other": {"format": "x"}}, GATES)
    with pytest.raises(InputError, match="cells with their evidence"):
        compare_judgements(
            {"clean": documents["clean"], "other": {"format": "pixelreef-judgement", "kind": "samples"}}, GATES
        )


def test_low_coverage_is_collapse_unless_the_samples_are_astray() -> None:
    def finding(gate: str, level: Level) -> Finding:
        return Finding(f"samples_{gate}", "fidelity", level, 0.0, None, "")

    assert word_of([finding("coverage", "fail"), finding("density", "pass")]) == "collapsed"
    assert word_of([finding("coverage", "fail"), finding("density", "warn")]) == "noise"
    assert word_of([finding("coverage", "fail"), finding("kernel", "fail")]) == "noise"
    assert word_of([finding("density", "warn"), finding("kernel", "too few to tell")]) == "weak"
    assert word_of([finding("density", "pass"), finding("kernel", "too few to tell")]) == "too few to tell"
