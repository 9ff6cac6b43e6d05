"""The three composites that claim quality, against every null and every dose of damage."""

from __future__ import annotations

import numpy as np
import pytest
from metrics.pictures import DAMAGE, DOSES, NULLS, Cells, batch, drawings

from pixelreef.core.colour import Floats
from pixelreef.metrics.headline import json_validity, pixel_art_quality, render_success
from pixelreef.metrics.profile import composites, score
from pixelreef.metrics.tally import Tally

TRIES = 8
CELLS, RGB, COLOURS = batch(drawings())
NAMES = list(drawings())


def scored(variants: list[Cells]) -> dict[str, Floats]:
    """Composite → (tries, drawings)."""
    tries = len(variants)
    values = score(
        np.concatenate(variants), np.concatenate([RGB] * tries), np.concatenate([COLOURS] * tries), composites()
    )
    return {name: value.reshape(tries, len(CELLS)) for name, value in values.items()}


REFERENCE = {name: value[0] for name, value in scored([CELLS]).items()}


@pytest.mark.parametrize("null", NULLS)
def test_every_drawing_beats_every_null(null: str) -> None:
    variants = [
        np.stack([NULLS[null](one, int(n), np.random.default_rng((k, t))) for k, (one, n) in enumerate(_drawn())])
        for t in range(TRIES)
    ]
    for name, values in scored(variants).items():
        assert (values < REFERENCE[name]).all(), (name, np.argwhere(values >= REFERENCE[name]))
        if null not in ("shuffled rows",):
            assert values.max() < 0.1, name


@pytest.mark.parametrize("damage", DAMAGE)
def test_every_composite_falls_with_the_dose(damage: str) -> None:
    means = {name: [float(value.mean())] for name, value in REFERENCE.items()}
    for dose in DOSES:
        variants = [
            np.stack(
                [
                    DAMAGE[damage](one, int(n), dose, np.random.default_rng((k, t)))
                    for k, (one, n) in enumerate(_drawn())
                ]
            )
            for t in range(TRIES)
        ]
        for name, values in scored(variants).items():
            means[name].append(float(values.mean()))
    for name, fall in means.items():
        assert np.all(np.diff(fall) < 0), (name, fall)


def test_both_hard_ends_do_well() -> None:
    for name, least in {"pixel_art_quality": 0.4, "render_success": 0.45, "craft": 0.35}.items():
        for subject in ("maze", "plain sun"):
            assert REFERENCE[name][NAMES.index(subject)] > least, (name, subject)


def test_one_value_outside_the_palette_is_no_quality() -> None:
    cells = CELLS.copy()
    cells[:, 5, 5] = 99
    assert pixel_art_quality(Tally(cells, RGB, COLOURS)).max() == 0
    assert render_success(Tally(cells, RGB, COLOURS)).min() > 0


def test_unused_colours_lower_quality_alone() -> None:
    more = score(CELLS, RGB, np.full(len(CELLS), 10), composites())
    assert (more["pixel_art_quality"] <= REFERENCE["pixel_art_quality"]).all()
    assert more["render_success"] == pytest.approx(REFERENCE["render_success"])


def test_render_is_the_same_turned_and_mirrored() -> None:
    upright = render_success(Tally(CELLS, RGB, COLOURS))
    for turned in (CELLS.transpose(0, 2, 1), CELLS[:, ::-1], CELLS[:, :, ::-1]):
        assert render_success(Tally(np.ascontiguousarray(turned), RGB, COLOURS)) == pytest.approx(upright)


def test_json_validity_needs_both() -> None:
    assert json_validity(True, True) == 1
    assert json_validity(True, False) == json_validity(False, True) == 0


def _drawn() -> list[tuple[Cells, int]]:
    return list(zip(CELLS, COLOURS.tolist(), strict=True))
