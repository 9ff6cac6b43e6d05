"""The page: what stands on it, and what a stranger's trail can't put there."""

from __future__ import annotations

import hashlib
import json
import os
import re
from pathlib import Path

import numpy as np
import pytest
from trail.histories import FIELDS, at, hash_of, history, run

from pixelreef.core.render import png_from_rgba
from pixelreef.trail.file import append_record, read_trail
from pixelreef.trail.page import chart, trail_page, write_page
from pixelreef.trail.record import Record, Sheet
from pixelreef.trail.sheets import MAX_SIDE, pictures_of, sheet_from_file
from pixelreef.trail.story import Story, story_from_trail

CEILING = "Ceiling: change the model&#39;s shape"
FALLING = [0.5, 0.48, 0.45, 0.43]


def png(path: Path, shade: int = 90, size: int = 40) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(png_from_rgba(np.full((size, size, 4), shade, np.uint8)))
    return path


def story(folder: Path, records: list[Record], falls: int = 3) -> Story:
    for record in records:
        append_record(folder / "trail.jsonl", record)
    return story_from_trail(read_trail(folder / "trail.jsonl"), falls)


def html(told: Story) -> str:
    """What a reader sees of the page: without scripts and styles."""
    return re.sub(r"<(script|style)\b.*?</\1>", "", trail_page(told).html(), flags=re.DOTALL)


def test_a_ceiling_is_the_first_thing_on_the_page_and_names_its_iterations(tmp_path: Path) -> None:
    page = html(story(tmp_path, history(FALLING, ["wnnc"] * 4)))
    assert f'<h2 id="now_title">{CEILING}</h2>' in page
    assert "Mean loss fell in iterations 2, 3 and 4, from iteration 1 on" in page


def test_without_a_ceiling_none_is_named(tmp_path: Path) -> None:
    page = html(story(tmp_path, history(FALLING, ["wnnc", "wnnw", "wnwc", "lnnc"])))
    assert CEILING not in page
    assert "Where it stands" in page


def test_a_ceiling_that_was_left_behind_is_told_as_past(tmp_path: Path) -> None:
    page = html(story(tmp_path, history([*FALLING, 0.42], [*["wnnc"] * 4, "lnnc"])))
    assert CEILING not in page
    assert "A ceiling before: Mean loss fell in iterations 2, 3 and 4" in page
    assert "Iteration 5 ended it." in page


def test_one_iteration_and_an_empty_trail_have_a_page(tmp_path: Path) -> None:
    one = html(story(tmp_path, [run(1, 0.5, "lwnc")]))
    assert "A second iteration with loss and verdicts is needed" in one
    assert "<strong>1 learned, 1 weak, 1 noise, 1 collapsed</strong>" in one
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "trail.jsonl").write_bytes(b"")
    assert "No iteration yet" in html(story(tmp_path / "none", []))


def test_runs_without_loss_or_verdicts_have_a_page(tmp_path: Path) -> None:
    page = html(story(tmp_path, history([None, 0.4], ["----", "----"])))
    assert "Cells</h2>" not in page
    assert "reef: no loss" in page


@pytest.mark.parametrize(
    ("verdicts", "title", "points"),
    [(["lwnc", "llnc"], "cells learned, of 4", [1, 2]), (["lwnc", "l-nc"], "cells learned, %", [25.0, 33.3])],
)
def test_cells_learned_are_a_share_where_their_number_changes(
    tmp_path: Path, verdicts: list[str], title: str, points: list[float]
) -> None:
    drawn = chart(story(tmp_path, history([0.5, 0.4], verdicts)))
    assert drawn.figure["layout"]["yaxis2"]["title"]["text"] == title
    assert drawn.figure["data"][1]["y"] == points


def test_the_board_has_every_cell_with_its_turn(tmp_path: Path) -> None:
    page = html(story(tmp_path, history([0.5, 0.4], ["lwnc", "wlc?"])))
    rows = re.findall(
        r'<tr><th scope="row".*?</tr>', page[page.index('id="cells"') : page.index('id="about"')], re.DOTALL
    )
    turns = [re.findall(r'class="turn-(\w+)"><span class="word">([^<]*)', row) for row in rows]
    assert turns == [
        [("none", "learned"), ("down", "weak")],
        [("none", "weak"), ("up", "learned")],
        [("none", "noise"), ("level", "collapsed")],
        [("none", "collapsed"), ("none", "too few to tell")],
    ]
    assert "0.400 (−0.100)" in rows[0]


def test_the_timeline_says_what_of_the_recipe_is_another(tmp_path: Path) -> None:
    records = [
        Record(
            "corpus",
            at(1),
            corpus=hash_of("reef"),
            recipe="make",
            made={"count": 6000, "cells": 30, "path": "reef.parquet"},
        ),
        Record("forecast", at(2), corpus=hash_of("reef"), verdicts={"a": "pass", "b": "warn"}, losses={"a": 0.6}),
        run(1, 0.5, "lwnc"),
        run(2, 0.4, "lwnc", fields={**FIELDS, "steps": 900}, note="longer"),
        Record("verdict", at(190), corpus=hash_of("reef"), verdicts={"coral/abyss": "learned"}, minutes=0.5),
    ]
    told = story(tmp_path, records)
    page = html(told)
    assert "6,000 sprites of 30 cells, by make" in page
    assert "1 pass, 1 warn" in page
    assert "0.600 bits per pixel by the proxy" in page
    assert "steps: 100 → 900" in page
    assert '<p class="stop-note">longer</p>' in page
    assert "joined by the corpus: the samples name no weights" in page
    assert "do not name their weights" in told.notes[0]


def test_what_no_run_followed_stands_at_the_end(tmp_path: Path) -> None:
    records = [Record("corpus", at(1), corpus=hash_of("tiles"), recipe="folder", note="next"), run(1, 0.5, "lwnc")]
    page = html(story(tmp_path, records))
    assert "Corpora and forecasts that no run has followed yet" in page
    assert hash_of("tiles")[:8] in page[page.index('id="about"') :]


def test_nothing_of_a_trail_becomes_markup(tmp_path: Path) -> None:
    bad = "<img src=x onerror=alert(1)>\u202e"
    cells = {bad: "noise", "coral": bad}
    record = Record(
        "run",
        at(1),
        bad,
        corpus=hash_of("reef"),
        recipe=bad,
        fields={bad: bad},
        note=bad,
        loss=0.5,
        losses={bad: 0.5},
        verdicts=cells,
        sheets=(Sheet(bad, ""),),
        made={bad: bad},
    )
    corpus = Record("corpus", at(0), corpus=hash_of("reef"), recipe=bad, made={"path": bad, "count": bad})
    forecast = Record("forecast", at(0), corpus=hash_of("reef"), verdicts=cells, made={"stages": [bad]})
    note = Record("note", at(3), note=bad, about="ab" * 6)
    unused = Record("forecast", at(0), corpus=hash_of("x"), verdicts=cells, note=bad)
    second = Record(**{**vars(record), "weights": "ab" * 16, "fields": {bad: 2}})
    told = story(tmp_path, [corpus, forecast, record, second, note, unused])
    page = trail_page(told).html()
    assert "<img src=x" not in page
    assert "\u202e" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert "\x1b" not in told.text()


def test_sheets_stand_side_by_side_and_the_same_bytes_once(tmp_path: Path) -> None:
    sheets = [sheet_from_file(png(tmp_path / f"run-{n}" / "sheet.png", 40 * n), tmp_path) for n in (1, 2)]
    assert sheets[0] is not None
    assert sheets[1] is not None
    records = [run(1, 0.5, "lwnc", sheets=(sheets[0],)), run(2, 0.4, "llnc", sheets=(sheets[1],))]
    told = story(tmp_path, records)
    pictures, notes = pictures_of(told.iterations, tmp_path)
    assert notes == []
    assert [(one.title, one.caption) for one in pictures] == [
        ("Iteration 1: at the end of its run", "0.500 bits per pixel, 1 of 4 cells learned"),
        ("Iteration 2: at the end of its run", "0.400 bits per pixel, 2 of 4 cells learned"),
    ]
    assert sheets[0].path == "run-1/sheet.png"
    assert html(told).count("data:image/png") >= 2


def test_a_sheet_that_was_overwritten_is_not_shown_for_what_it_was(tmp_path: Path) -> None:
    sheet = sheet_from_file(png(tmp_path / "judged" / "samples.png"), tmp_path)
    assert sheet is not None
    png(tmp_path / "judged" / "samples.png", 7)
    told = story(tmp_path, [run(1, 0.5, "lwnc", sheets=(sheet,))])
    pictures, notes = pictures_of(told.iterations, tmp_path)
    assert pictures == []
    assert "be as it was recorded, got another picture, written since" in notes[0]


def test_no_path_leads_out_of_the_folder(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    outside = png(tmp_path / "outside.png")
    os.symlink(outside, inner / "link.png")
    os.symlink("circle.png", inner / "circle.png")
    (inner / "secret.txt").write_text("secret")
    flat = bytearray(png(inner / "wide.png").read_bytes())
    flat[16:20] = (MAX_SIDE + 1).to_bytes(4, "big")
    (inner / "wide.png").write_bytes(flat)
    paths = [
        "../outside.png",
        str(outside),
        "link.png",
        "circle.png",
        "a\0.png",
        "secret.txt",
        "gone.png",
        ".",
        "wide.png",
    ]
    records = [
        Record(**{**vars(run(n, 0.5, "lwnc")), "sheets": (Sheet(path, ""),)}) for n, path in enumerate(paths, start=1)
    ]
    pictures, notes = pictures_of(story(inner, records).iterations, inner)
    assert pictures == []
    assert len(notes) == len(paths)
    assert sheet_from_file(outside, inner) is None


def test_the_page_and_its_document_are_written(tmp_path: Path) -> None:
    told = story(tmp_path, history(FALLING, ["wnnc"] * 4))
    paths = write_page(told, tmp_path / "page")
    assert [path.name for path in paths] == ["index.html", "trail.json"]
    document = json.loads(paths[1].read_text("utf-8"))
    assert document["ceiling"]["iterations"] == [1, 2, 3, 4]
    assert document["ceiling"]["say"] == "ceiling: change the model's shape"
    assert [one["number"] for one in document["iterations"]] == [1, 2, 3, 4]
    assert document["comparisons"][0]["counts"] == {"better": 0, "same": 4, "worse": 0, "not told": 0}
    assert document["iterations"][0]["records"]["run"]["id"] == told.iterations[0].last.id
    before = hashlib.sha256(paths[0].read_bytes()).digest()
    write_page(told, tmp_path / "page")
    assert hashlib.sha256(paths[0].read_bytes()).digest() == before


def test_many_iterations_and_cells_are_bounded(tmp_path: Path) -> None:
    cells = {f"cell-{n}": "noise" for n in range(700)}
    records = [Record(**{**vars(run(n, 1 / n, "----")), "verdicts": cells}) for n in range(1, 16)]
    page = html(story(tmp_path, records))
    assert "the first 500 of 700 cells, the last 12 of 15 iterations judged" in page
    assert page.count("run-15") == 1  # as typed, among the records


@pytest.mark.parametrize("losses", [[0.5], [0.5, 0.4]])
def test_the_terminal_has_a_line_for_each_iteration(tmp_path: Path, losses: list[float]) -> None:
    lines = story(tmp_path, history(losses, ["lwnc"] * len(losses))).text().splitlines()
    assert len(lines) == 1 + len(losses)
    assert lines[1].split()[:6] == ["1", "2026-11-16", "10:00", "reef", "15.0", "0.500"]
