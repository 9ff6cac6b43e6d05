"""Limits from records made by hand, where it is known what they must be."""

from __future__ import annotations

import numpy as np
import pytest

from pixelreef.core.seeds import rng
from pixelreef.errors import InputError
from pixelreef.taste.calibrate import RATE, Seen, answers_of, calibrated, clean_end
from pixelreef.taste.calibration import Calibration, calibration_from_document
from pixelreef.taste.detection import rows_of, table
from pixelreef.taste.evidence import Gate, Limit, Limits
from pixelreef.taste.faults import Side
from pixelreef.taste.harness import CLEAN, Record, Trial

HIGH = Gate("high", "stage", "high", "high", "high")
LOW = Gate("low", "stage", "low", "low", "low")
BLIND = Gate("blind", "stage", "blind", "high", "blind")
GATES: dict[Side, list[Gate]] = {"samples": [HIGH, LOW, BLIND]}


def record(n: int, fault: str, strength: float, number: int, **values: float) -> Record:
    return Record(Trial("samples", "made", number, n, n), f"cell {number}", fault, strength, values, n)


def records(n: int = 64, clean: int = 400, static: float = 10.0, mixed: float = 6.0) -> list[Record]:
    """Clean cells are normal around 0; `high` sees static best, `low` sees mixed, `blind` sees nothing."""
    g = rng(n, "records")
    made = [record(n, CLEAN, 0, i, high=g.normal(), low=g.normal(), blind=g.normal()) for i in range(clean)]
    made += [record(n, "static", 0.5, i, high=static + 0.1 * g.normal(), low=-0.1, blind=0.1) for i in range(20)]
    made += [record(n, "static", 0.02, i, high=2.0, low=0.1, blind=0.1) for i in range(20)]
    made += [record(n, "mixed", 0.5, i, high=0.2, low=-mixed + 0.1 * g.normal(), blind=0.3) for i in range(20)]
    return made


def test_a_gate_warns_where_clean_cells_end_and_fails_halfway_to_its_fault() -> None:
    made = calibrated(records(), GATES, {})
    high, low = made.gates["high"].at[0], made.gates["low"].at[0]
    assert high.warn is not None
    assert high.fail is not None
    assert low.warn is not None
    assert low.fail is not None
    assert 3.8 < high.warn < 5.5  # 1 in 1,800 of a normal is beyond 3.26, and a quarter more
    assert high.fail == pytest.approx((high.warn + 9.85) / 2, abs=0.1)
    assert -5.5 < low.warn < -3.8
    assert low.fail == pytest.approx((low.warn - 5.85) / 2, abs=0.1)
    assert made.gates["blind"].at[0].fail is None


def test_a_gate_warns_halfway_to_the_weak_fault_that_it_can_tell() -> None:
    clean = [record(64, CLEAN, 0, number, high=0.0) for number in range(50)]
    full = [record(64, "static", 0.5, number, high=10.0) for number in range(9)]
    weak = [record(64, "static", 0.02, number, high=3.0) for number in range(9)]
    unseen = [record(64, "mixed", 0.25, number, high=-1.0) for number in range(9)]
    made = calibrated([*clean, *full, *weak, *unseen], {"samples": [HIGH]}, {})
    assert made.gates["high"].at == [Limit(64, 1.5, 5.0)]


def test_a_weak_fault_beyond_the_full_one_never_warns_after_the_failure() -> None:
    clean = [record(64, CLEAN, 0, number, high=0.0) for number in range(50)]
    full = [record(64, "static", 0.5, number, high=4.0) for number in range(9)]
    weak = [record(64, "static", 0.02, number, high=9.0) for number in range(9)]
    assert calibrated([*clean, *full, *weak], {"samples": [HIGH]}, {}).gates["high"].at == [Limit(64, 2.0, 2.0)]


def test_each_fault_is_answered_for_by_the_gates_that_see_it() -> None:
    seen = [Seen(gate, records(), RATE / 3) for gate in GATES["samples"]]
    assert answers_of(seen) == {"high": ["static"], "low": ["mixed"], "blind": []}


def test_a_gate_that_is_constant_on_clean_cells_still_needs_half_the_way() -> None:
    made = [record(64, CLEAN, 0, i, high=0.0) for i in range(50)]
    made += [record(64, "half_empty", 0.5, i, high=0.5) for i in range(9)]
    assert calibrated(made, {"samples": [HIGH]}, {}).gates["high"].at == [Limit(64, 0.0, 0.25)]


def test_a_gate_tells_from_the_size_on_at_which_its_faults_lie_beyond() -> None:
    small = [
        record(
            10,
            one.fault,
            one.strength,
            number,
            **{gate: 4 * value if one.fault == CLEAN else value for gate, value in one.values.items()},
        )
        for number, one in enumerate(records())
    ]
    limits = calibrated([*small, *records()], GATES, {}).gates["high"]
    assert [limit.n for limit in limits.at] == [10, 64]
    assert limits.at[0].fail is None
    assert limits.fewest == 64


def test_sizes_with_few_clean_cells_get_no_limits_and_gates_never_asked_none() -> None:
    made = calibrated([*records(), *records(25, clean=10)], GATES, {})
    assert [limit.n for limit in made.gates["high"].at] == [64]
    assert "never" not in calibrated(records(), {"samples": [HIGH, Gate("never", "s", "f", "high", "w")]}, {}).gates


def test_other_gates_are_taken_over() -> None:
    base = Calibration({"corpus gate": Limits(5, [Limit(5, 1.0, 2.0)]), "high": Limits(1, [Limit(1, 0.0, 0.0)])})
    made = calibrated(records(), GATES, {"by": "test"}, base=base)
    assert made.gates["corpus gate"] == base.gates["corpus gate"]
    assert made.gates["high"] != base.gates["high"]
    assert calibration_from_document(made.document()).hash == made.hash


def test_a_gate_that_no_trial_moves_keeps_its_limits() -> None:
    made = [record(64, CLEAN, 0, number, high=0.0, low=float(number)) for number in range(50)]
    made += [record(64, "static", 0.5, number, high=0.0, low=-99.0) for number in range(9)]
    base = Calibration({"high": Limits(1, [Limit(200, 2.0, None)])})
    found = calibrated(made, {"samples": [HIGH, LOW]}, {}, base=base)
    assert found.gates["high"] == base.gates["high"]
    assert found.gates["low"].at[0].fail is not None


def test_rates_must_be_shares() -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        calibrated(records(), GATES, {}, rate=0)


def test_clean_cells_of_heavy_tails_warn_at_most_at_twice_the_stated_rate() -> None:
    beyond = [
        (rng(seed, "later").standard_t(5, 2000) > clean_end(rng(seed, "now").standard_t(5, 300), 1 / 600)).mean()
        for seed in range(20)
    ]
    assert np.mean(beyond) < 2 / 600


def test_rows_count_what_failed_and_by_which_gate() -> None:
    rows = rows_of(records(), GATES, calibrated(records(), GATES, {}))
    found = {(row.fault, row.strength): row for row in rows}
    assert found[CLEAN, 0].failed == 0
    assert found[CLEAN, 0].cells == 400
    assert found["static", 0.5].failed == 20
    assert found["static", 0.5].by_gate == {"high": 20}
    assert found["static", 0.02].failed == 0
    assert found["mixed", 0.5].by_gate == {"low": 20}
    assert found["mixed", 0.5].words == {"noise": 20}
    assert rows[0].fault == CLEAN
    assert rows[0].document()["cells"] == 400
    assert "| samples | made | 64 | static | 0.02: 0 of 20, **0.5: 20 of 20** | high 20 |" in table(rows)


def test_the_world_whose_clean_cells_reach_furthest_decides_and_two_humps_are_not_one_tail() -> None:
    far = [
        Record(
            Trial("samples", "far", i, 64, 64), f"cell {i}", CLEAN, 0, {"high": 5 + 0.1 * rng(i, "far").normal()}, 64
        )
        for i in range(40)
    ]
    near = [record(64, CLEAN, 0, i, high=0.1 * rng(i, "near").normal()) for i in range(40)]
    warn = calibrated([*near, *far], {"samples": [HIGH]}, {}).gates["high"].at[0].warn
    assert warn is not None
    assert 5.2 < warn < 6.2


def test_no_tail_reaches_further_than_halfway_to_what_was_seen() -> None:
    made = [record(64, CLEAN, 0, i, low=1.0 if i % 2 else 0.6) for i in range(60)]
    made += [record(64, "originals", 1.0, i, low=0.1) for i in range(9)]
    limits = calibrated(made, {"samples": [LOW]}, {}).gates["low"]
    assert limits.at == [Limit(64, 0.433333, 0.266667)]  # a third of the way from 0.6, and from there a half
