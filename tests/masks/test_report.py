"""The report of masks: its files, its figures, its page, whatever came back."""

from __future__ import annotations

import csv
import json
import math
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mask_folders import HOSTILE, ITEMS, SIDE, folders
from mask_pictures import FACES, encoded, face
from playwright.sync_api import Page, expect

from pixelreef.masks.control_entrants import CONTROL
from pixelreef.masks.evaluate import Wanted, evaluate
from pixelreef.masks.item import Settings
from pixelreef.masks.measures import FAILURES, PRIMARY
from pixelreef.masks.report import Written, write_report
from pixelreef.masks.report.analysis import analyse
from pixelreef.masks.report.choice import evenly, in_turns
from pixelreef.masks.report.galleries import MOST_BYTES, MOST_PANES, Galleries
from pixelreef.masks.report.pictures import SHOWN_TEXT, Album
from pixelreef.masks.score import Scores, score_folders
from pixelreef.masks.standings import standings
from pixelreef.report import Lineup

FILES = {"index.html", "board.csv", "board.md", "board.tex", "board.json", "classes.csv", "images.csv"}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folders(tmp_path_factory.mktemp("masks"))


@pytest.fixture(scope="module")
def scores(root: Path) -> Scores:
    settings = Settings(ceiling=True, diagnosis=True)
    photographs = {item: root / "images" / f"{item}.jpg" for item in ITEMS}
    return score_folders(root / "predictions", root / "truth", FACES, settings, photographs=photographs)


@pytest.fixture(scope="module")
def made(scores: Scores, tmp_path_factory: pytest.TempPathFactory) -> Written:
    texts = {("shifted", "p", 1): "I see a face. " + HOSTILE}
    return write_report(scores, tmp_path_factory.mktemp("report"), texts=texts, controls=["exact"])


def entrant(made: Written, name: str) -> dict[str, Any]:
    return next(one for one in made.document["entrants"] if one["entrant"] == name)


def body(page: Path) -> str:
    """The page without scripts, styles and pictures."""
    html = re.sub(r"<(script|style)>.*?</\1>", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.sub(r'src="data:[^"]*"', "", html)


def test_all_files_are_written_and_hold_no_nan(made: Written) -> None:
    assert {file.name for file in made.page.parent.iterdir()} == FILES
    json.dumps(made.document, allow_nan=False)
    assert json.loads((made.page.parent / "board.json").read_text()) == json.loads(json.dumps(made.document))
    for text in (body(made.page), *((made.page.parent / name).read_text() for name in FILES - {"index.html"})):
        assert not re.search(r"\b(nan|NaN|inf|None)\b", text)


def test_the_same_scores_give_the_same_bytes(scores: Scores, tmp_path: Path) -> None:
    first, second = (write_report(scores, tmp_path / name).page for name in ("a", "b"))
    assert first.read_bytes() == second.read_bytes()


def test_controls_are_not_ranked_and_the_primary_figure_ranks_the_others(made: Written) -> None:
    board = made.document["board"]
    assert [(row["rank"], row["entrant"]) for row in board] == [(None, "exact"), (1, "shifted"), (2, "mixed")]
    assert made.document["primary"]["measure"] == PRIMARY


def test_every_failure_has_its_own_rate(made: Written) -> None:
    with (made.page.parent / "board.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["entrant"]: row for row in csv.DictReader(file)}
    rates = {kind: float(rows["mixed"][kind]) for kind in FAILURES if kind not in ("error", "timeout")}
    third = pytest.approx(1 / 3)
    assert rates == {"missing": 0, "refused": third, "unreadable": 0, "not-a-mask": third, "one-colour": third}
    assert float(rows["mixed"]["failed"]) == 1
    assert float(rows["mixed"]["mean_iou_union_mean"]) == 0
    assert rows["mixed"]["valid_mean"] == ""


def test_shares_of_the_ceiling_are_shown_as_they_are(made: Written, scores: Scores) -> None:
    exact = entrant(made, "exact")
    assert exact["ceiling"]["mean"] < 1 < exact["share_of_ceiling"]["mean"]
    worked = [
        attempt.scores["robust"].measures[PRIMARY] / attempt.ceiling[PRIMARY]
        for item in scores.entrants["exact"]
        for attempt in item.attempts
        if attempt.ceiling is not None
    ]
    assert exact["share_of_ceiling"]["mean"] == pytest.approx(math.fsum(worked) / len(ITEMS))
    assert entrant(made, "mixed")["share_of_ceiling"]["mean"] == 0


def test_a_jpeg_has_the_ceiling_of_its_own_tables(scores: Scores) -> None:
    """The two attempts of one image came differently, so their ceilings differ; two PNG share theirs."""
    jpeg, png = scores.entrants["shifted"][0].attempts
    assert jpeg.ceiling is not None
    assert png.ceiling is not None
    assert jpeg.ceiling[PRIMARY] != png.ceiling[PRIMARY]
    assert png.ceiling is scores.entrants["exact"][0].attempts[0].ceiling


def test_verdicts_add_up_to_what_the_primary_figure_lacks(scores: Scores) -> None:
    for one in standings(scores):
        found = one.verdicts()
        assert found is not None
        mean = sum(score.measures[PRIMARY] for _, score in one.scores()) / len(one.attempts)
        assert found.score == pytest.approx(100 * mean)
        assert sum(found.split.values()) == pytest.approx(100 - found.score)
        assert sum(found.counts.values()) == len(one.attempts)
    mixed = next(one for one in standings(scores) if one.entrant == "mixed").verdicts()
    assert mixed is not None
    assert set(mixed.counts) >= {"refused", "blank"}


def test_a_shift_is_named_on_the_page(made: Written) -> None:
    assert "shifted by (4, 2)" in body(made.page)
    assert entrant(made, "shifted")["verdicts"]["counts"]["shifted"] == len(ITEMS)


def test_without_ceiling_and_diagnosis_nothing_of_them_is_said(root: Path, tmp_path: Path) -> None:
    plain = score_folders(root / "predictions", root / "truth", FACES)
    assert all(
        attempt.ceiling is None and attempt.why is None
        for items in plain.entrants.values()
        for item in items
        for attempt in item.attempts
    )
    page = body(write_report(plain, tmp_path).page)
    assert 'id="why"' not in page
    assert "Share of ceiling" not in page


def test_what_models_said_is_only_text(made: Written) -> None:
    html = made.page.read_text(encoding="utf-8")
    assert "<script>alert" not in html
    assert "I see a face. &lt;script&gt;alert(1)" in html
    assert "can&#39;t &lt;b&gt;help" in html


def test_long_texts_are_cut(scores: Scores) -> None:
    album = Album(analyse(scores), {}, {("exact", "p", 1): "x" * 9000})
    one = next(one for one in album.found.everyone if one.name == "exact")
    said = album.said(one, one.standing.attempts[0])
    assert said == "x" * SHOWN_TEXT + "… (9,000 characters)"


def test_unmatched_files_are_on_the_page_and_in_the_document(made: Written) -> None:
    (unmatched,) = made.document["unmatched"]
    assert unmatched["path"].endswith("notes.txt")
    assert "notes.txt: not the ending of a picture" in body(made.page)


def test_images_csv_has_every_attempt_under_every_decoder(made: Written, scores: Scores) -> None:
    with (made.page.parent / "images.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3 + 3 + 6
    first = next(row for row in rows if (row["entrant"], row["image"], row["attempt"]) == ("shifted", "p", "1"))
    (attempt, _) = scores.entrants["shifted"][0].attempts
    assert float(first[PRIMARY]) == attempt.scores["robust"].measures[PRIMARY]
    assert float(first[f"pixelarena_{PRIMARY}"]) == attempt.scores["pixelarena"].measures[PRIMARY]
    assert (first["verdict"], first["width"]) == ("shifted", str(SIDE))
    refused = next(row for row in rows if row["failure"] == "refused")
    assert refused["reason"] == HOSTILE


def test_classes_csv_has_every_class_of_everyone(made: Written) -> None:
    with (made.page.parent / "classes.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3 * len(FACES)
    hat = next(row for row in rows if row["class"] == "hat")
    assert hat["iou"] == ""


def test_attempts_mean_vote_and_oracle(made: Written) -> None:
    shifted = entrant(made, "shifted")
    mean, oracle = shifted["measures"][PRIMARY]["mean"], shifted["best_of"]["2"]["mean"]
    assert oracle == 1
    assert shifted["vote"]["mean"] < mean < oracle, "of two attempts the first decides every tie"
    assert "oracle" in body(made.page)


def gallery_of(scores: Scores, most_bytes: int = MOST_BYTES, most_panes: int = MOST_PANES) -> Galleries:
    return Galleries(Album(analyse(scores), scores.photographs, {}), most_bytes, most_panes)


def test_the_gallery_keeps_to_its_budget_and_says_so(scores: Scores) -> None:
    whole = gallery_of(scores)
    (part,) = whole.all_rows()
    assert isinstance(part, Lineup)
    assert whole.words() == "All 3 images are shown."
    assert [row.title for row in part.rows] == list(ITEMS)
    few = gallery_of(scores, most_bytes=part.size() // 2)
    (half,) = few.all_rows()
    assert isinstance(half, Lineup)
    assert 0 < half.size() <= part.size() // 2
    assert few.words().startswith("1 of 3 images are shown: 1 of the best")
    assert gallery_of(scores, most_panes=13).record["shown"] == 2


def test_an_even_sample_is_even() -> None:
    """Of 100 items, the first ten of the order lie in ten different tenths; all are there once."""
    order = evenly([f"{number:03d}" for number in range(100)])
    assert sorted(order) == [f"{number:03d}" for number in range(100)]
    assert len({int(item) // 10 for item in order[:10]}) >= 8


def test_best_worst_and_failed_take_turns(scores: Scores) -> None:
    chosen = in_turns(analyse(scores))
    assert {one.item for one in chosen} == set(ITEMS)
    assert chosen[0].kinds[0] == "best"
    assert all("failed" in one.kinds for one in chosen)


def test_a_row_shows_photograph_truth_and_everyone(scores: Scores) -> None:
    (part,) = gallery_of(scores).all_rows()
    assert isinstance(part, Lineup)
    names = [pane.name for pane in part.rows[0].panes]
    assert names == ["photograph", "truth", "exact", "shifted · 1", "shifted · 2", "mixed"]
    assert "not-a-mask" in part.rows[0].panes[-1].caption


def test_controls_beside(root: Path, tmp_path: Path) -> None:
    wanted = Wanted(
        root / "predictions",
        root / "truth",
        root / "classes.json",
        images=root / "images",
        controls=True,
        diagnosis=False,
    )
    done = evaluate(wanted, tmp_path)
    assert f"{CONTROL}truth" in done.controls
    assert f"{CONTROL}segmenter" in done.controls
    assert (tmp_path / "controls" / "noise" / "p.1.png").exists()
    board = standings(done.scores)
    assert next(one for one in board if one.entrant == f"{CONTROL}truth").mean().mean == 1
    page = write_report(done.scores, tmp_path, controls=done.controls).page
    assert "what a small misalignment costs" in body(page)


@pytest.mark.parametrize(
    "files",
    [
        {"a.refused": b"no"},
        {"a.png": b""},
        {"a.png": encoded(FACES.rgb[face(24)])},
        {"a.png": encoded(np.zeros((1, 300, 3), np.uint8))},
    ],
)
def test_edge_cases(files: dict[str, bytes], tmp_path: Path) -> None:
    """One image, no photograph, and nothing, or little, that can be scored."""
    for folder in ("truth", "predictions"):
        (tmp_path / folder).mkdir()
    (tmp_path / "truth" / "a.png").write_bytes(encoded(face(24)))
    for name, data in files.items():
        (tmp_path / "predictions" / name).write_bytes(data)
    scores = score_folders(tmp_path / "predictions", tmp_path / "truth", FACES, Settings(ceiling=True, diagnosis=True))
    made = write_report(scores, tmp_path / "out", controls=["predictions"] if "a.refused" in files else [])
    json.dumps(made.document, allow_nan=False)
    assert not re.search(r"\b(nan|NaN|inf|None)\b", body(made.page))


@pytest.mark.browser
def test_in_a_browser(made: Written, browser_page: Page) -> None:
    browser_page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    browser_page.goto(made.page.as_uri())
    expect(browser_page.locator("#board table").first).to_contain_text("shifted")
    expect(browser_page.locator("#why .main-svg").first).to_be_visible()
    assert "NaN" not in browser_page.locator("main").inner_text()
    row = browser_page.locator("#gallery .lined > li").first
    row.scroll_into_view_if_needed()
    truth = row.locator(".pane", has_text="truth").locator(".glass")
    nose = face(SIDE, 0) == FACES.label("nose")
    y, x = (int(axis.mean()) for axis in np.nonzero(nose))
    box = truth.bounding_box()
    assert box is not None
    truth.hover(position={"x": (x + 0.5) / SIDE * box["width"], "y": (y + 0.5) / SIDE * box["height"]})
    reads = row.locator(".pane .read")
    expect(reads).to_have_text(["", "nose", "nose", "nose", "", "nose"])
    row.locator(".panes").focus()
    for _ in range(5):
        browser_page.keyboard.press("Shift+ArrowUp")
    expect(reads.nth(1)).to_have_text("hair")
    expect(row.locator("[aria-live]")).to_contain_text("truth: hair")
    browser_page.keyboard.press("Escape")
    expect(reads.nth(1)).to_have_text("")
    browser_page.locator("#gallery .turn", has_text="overlay").click()
    expect(row.locator('.pane img[data-view="overlay"]').first).to_be_visible()
    browser_page.locator("#failures .look").first.click()
    expect(browser_page.locator("#failures dialog .closer-detail")).not_to_be_empty()


def test_what_is_said_of_a_mask_is_small_enough_to_be_sent(scores: Scores) -> None:
    """Between processes, for thousands of masks: no arrays."""
    for items in scores.entrants.values():
        for attempt in (attempt for item in items for attempt in item.attempts):
            assert len(pickle.dumps((attempt.why, attempt.ceiling))) < 5000
