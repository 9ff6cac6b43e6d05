"""The report's files and page: whatever the replies are, nothing is NaN, nothing crashes, nothing runs."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from draw.replies_made import HOSTILE, attempts, mixed, reference_text, reply
from playwright.sync_api import Page, expect

from pixelreef.draw.analysis import analyse
from pixelreef.draw.pictures import PER_SUBJECT, SHOWN_REPLY, gallery, shown_reply
from pixelreef.draw.report import Written, write_report
from pixelreef.draw.score import score_replies
from pixelreef.draw.sections import draw_sections
from pixelreef.report import Page as HtmlPage
from pixelreef.runs.replies import Reply, read_replies

FILES = {"index.html", "board.csv", "board.json", "board.md", "attempts.csv", "replies.jsonl"}
SETS = {
    "none": [],
    "one": [reply("a", "sun", reference_text("sun"))],
    "only failures": [reply("a", name, text) for name, text in (("sun", ""), ("hope", "no"), ("maze", "[1"))],
    "not asked": [reply("a", "sun", "", failure="not-asked")],
    "unreadable": [Reply("", "", "", failure="unreadable", error="line 1")],
    "one-colour palette": [reply("a", "sun", json.dumps({"palette": ["ffffff"], "grid": ["0" * 24] * 24}))] * 3,
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return write_report(attempts(mixed()), tmp_path_factory.mktemp("report"))


def body(page: Path) -> str:
    """The page without its scripts and styles, which name NaN and more; the charts' data stay."""
    html = page.read_text(encoding="utf-8")
    return re.sub(r"<(script|style)>.*?</\1>", "", html, flags=re.DOTALL)


def test_all_files_are_written(made: Written) -> None:
    assert {file.name for file in made.page.parent.iterdir()} == FILES
    assert json.loads((made.page.parent / "board.json").read_text()) == json.loads(json.dumps(made.document))


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("baselines", [True, False])
def test_edge_cases(name: str, baselines: bool, tmp_path: Path) -> None:
    made = write_report(attempts(SETS[name]), tmp_path, baselines=baselines)
    assert {file.name for file in tmp_path.iterdir()} == FILES
    json.dumps(made.document, allow_nan=False)
    for text in (body(made.page), *((tmp_path / file).read_text() for file in FILES if not file.endswith("html"))):
        assert not re.search(r"\b(nan|inf|None)\b", text), name


def test_no_nan_on_the_page(made: Written) -> None:
    assert not re.search(r"\b(NaN|nan|inf|None)\b", body(made.page))


def test_hostile_text_is_only_text(made: Written) -> None:
    html = made.page.read_text(encoding="utf-8")
    assert "<script>alert" not in html
    assert "<img src=x" not in html
    assert "&lt;script&gt;alert(1)" in html


def test_replies_score_to_the_same_report_again(made: Written, tmp_path: Path) -> None:
    again = write_report(score_replies(read_replies(made.page.parent / "replies.jsonl")), tmp_path)
    assert again.page.read_bytes() == made.page.read_bytes()


def test_attempts_csv_has_a_row_for_every_attempt(made: Written) -> None:
    with (made.page.parent / "attempts.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    given = [row for row in rows if row["baseline"] == "0"]
    assert len(given) == len(mixed())
    assert len(rows) > len(given)
    first = given[0]
    assert (first["entrant"], first["outcome"], first["usable"], first["check"]) == (
        "paid/exact",
        "strict",
        "1.0",
        "passed",
    )
    refused = next(row for row in given if row["entrant"] == "free/refuses")
    assert (refused["outcome"], refused["failure"], refused["strict_craft"]) == ("failed", "refusal", "")


def test_flags_stand_on_the_board(made: Written) -> None:
    assert "valid" in made.document["flags"]
    assert "usable" not in made.document["flags"]
    assert "The null “blank” does as well" in (made.page.parent / "board.md").read_text(encoding="utf-8")


def test_free_models_stand_apart(made: Written) -> None:
    records = {one["entrant"]: one for one in made.document["board"]}
    assert records["paid/exact"]["cost_per_usable"] is None, "the price of one attempt is not known"
    assert records["free/fenced"]["cost_per_usable"] is None


def test_the_articles_figures_are_marked_as_theirs(made: Written) -> None:
    assert "Phi-3.5-mini-instruct, as published" in made.page.read_text(encoding="utf-8")


def test_without_baselines_there_are_none(tmp_path: Path) -> None:
    made = write_report(attempts(mixed()), tmp_path, baselines=False)
    assert not any(one["baseline"] for one in made.document["entrants"])
    assert made.document["flags"] == {}


def test_the_gallery_is_bounded_and_says_so() -> None:
    text = reference_text("sun")
    found = analyse(attempts([reply(f"m{m}", "sun", text, n + 1) for m in range(3) for n in range(10)]))
    shown, said = gallery(found, most=12)
    assert len(shown.pictures) == 12
    assert said.startswith("12 of 30 attempts are shown")
    assert "18 are left out" in said
    shown, said = gallery(found)
    assert len(shown.pictures) == 3 * PER_SUBJECT


def test_a_long_reply_is_cut_on_the_page() -> None:
    assert shown_reply("x" * SHOWN_REPLY) == "x" * SHOWN_REPLY
    assert shown_reply("x" * 9000).endswith("(the first 2,500 of 9,000 characters; the whole is in replies.jsonl)")
    assert shown_reply("") == "(empty)"


@pytest.mark.parametrize("count", [0, 5, None])
def test_sections_for_another_page(count: int | None) -> None:
    sections = draw_sections(attempts(mixed()[:count]), seed=0)
    assert [section.id for section in sections] == ["draw-board", "draw-gallery"]
    assert "reference" in HtmlPage("Demo", "Lead.", sections).html()


@pytest.mark.browser
def test_in_a_browser(made: Written, browser_page: Page) -> None:
    browser_page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    browser_page.goto(made.page.as_uri())
    expect(browser_page.locator("#board table").first).to_contain_text("paid/exact")
    expect(browser_page.locator("#board")).to_contain_text("this alone says nothing of quality")
    expect(browser_page.locator(".chart .main-svg").first).to_be_visible()
    assert "NaN" not in browser_page.locator("main").inner_text()
    shown = browser_page.locator("#gallery .pictures li:visible")
    every = shown.count()
    browser_page.locator("#gallery .chip", has_text="repaired").click()
    assert 0 < shown.count() < every
    browser_page.locator("#gallery .chip", has_text="repaired").click()
    browser_page.locator("#gallery .chip", has_text="failed").click()
    browser_page.locator("#gallery .chip", has_text="free/refuses").click()
    shown.first.locator("button.look").click()
    expect(browser_page.locator("#gallery dialog .closer-detail")).to_contain_text("I'm sorry, but I can't draw that.")
    browser_page.keyboard.press("Escape")
    expect(browser_page.locator("#failed")).to_contain_text(HOSTILE[:25])
