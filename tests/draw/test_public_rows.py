"""400 rows of the public layout, from a parquet file to the board's figures, against the plain transcription."""

from __future__ import annotations

import math
from dataclasses import replace

import pyarrow
import pyarrow.parquet as parquet
import pytest
from metrics.odd_grids import Row, odd_rows
from metrics.published_plain import plain_figures

from pixelreef.draw.score import Attempt, score_replies
from pixelreef.draw.sources import replies_from
from pixelreef.metrics.published import NAMES


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    """The public layout writes a cell as one digit, so that no value is below 0 or above 9."""
    return [replace(row, grid=[[cell % 10 for cell in line] for line in row.grid]) for row in odd_rows(400)]


@pytest.fixture(scope="module")
def attempts(rows: list[Row], tmp_path_factory: pytest.TempPathFactory) -> list[Attempt]:
    table = [
        {
            "id": str(number),
            "model_slug": "vendor/model",
            "example_id": "sun",
            "palette": [f"{colour:06x}" for colour in range(row.palette)],
            "grid": ["".join(str(cell) for cell in line) for line in row.grid],
            "cost": row.cost,
        }
        for number, row in enumerate(rows)
    ]
    path = tmp_path_factory.mktemp("public") / "rows.parquet"
    parquet.write_table(pyarrow.Table.from_pylist(table), path)
    return score_replies(replies_from(str(path)))


def test_every_published_figure_equals_the_plain_transcription(rows: list[Row], attempts: list[Attempt]) -> None:
    assert len(attempts) == len(rows) == 400
    largest = 0.0
    for row, attempt in zip(rows, attempts, strict=True):
        plain = plain_figures(row.grid, row.palette, True, row.cost)
        for name in NAMES:
            ours, theirs = attempt.published[name], plain[name]
            if theirs is None or math.isnan(theirs):
                assert math.isnan(ours), (row.kind, name)
            else:
                assert ours == pytest.approx(theirs, rel=1e-12, abs=1e-12), (row.kind, name)
                largest = max(largest, ours if name == "entropy" else 0)
    assert largest > 1e8  # a one-colour palette, as published


def test_our_own_profile_stays_within_bounds_on_the_same_rows(attempts: list[Attempt]) -> None:
    measured = [attempt.repaired for attempt in attempts if attempt.repaired]
    assert len(measured) > 200
    assert all(0 <= value <= 1 for measures in measured for value in measures.values())
