from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page as BrowserPage
from playwright.sync_api import expect

from pixelreef.core.render import png_from_rgba
from pixelreef.errors import InputError
from pixelreef.report import Legend, Lined, Lineup, Page, Pane, Section, View

LABELS = {"000000": "water", "ff8800": "fish <b>", "00ff00": "weed"}


def labels(rows: list[list[int]]) -> View:
    colours = np.array([list(bytes.fromhex(colour)) for colour in LABELS], np.uint8)
    return View(png_from_rgba(colours[np.array(rows)]), labels=True)


def lineup(rows: int = 2) -> Lineup:
    truth, painted = labels([[0, 1], [2, 2]]), labels([[0, 1], [1, 2]])
    panes = [
        Pane("photograph", View(truth.image)),
        Pane("truth", truth),
        Pane("tide", painted, "0.5", {"overlay": View(truth.image)}, detail="<i>said</i>"),
        Pane("null", None, "missing", apart=True),
    ]
    return Lineup(
        [Lined(f"row {number}", panes, tags=("odd" if number % 2 else "even",)) for number in range(rows)], LABELS
    )


def test_text_is_only_text() -> None:
    html = lineup().fragment("a").body
    assert "<i>" not in html
    assert "<b>" not in html
    assert "&lt;i&gt;said" in html


def test_only_pictures_that_a_page_can_hold() -> None:
    with pytest.raises(InputError, match="must be PNG or JPEG bytes"):
        View(b"GIF89a")
    assert View(b"\xff\xd8\xff\xe0").kind == "jpeg"


def test_size_is_about_that_of_the_page() -> None:
    made = lineup()
    assert made.size() == sum(
        4 * len(view.image) // 3
        for row in made.rows
        for pane in row.panes
        for view in [*([pane.first] if pane.first else []), *pane.views.values()]
    )
    assert made.size() <= len(made.fragment("a").body)


def test_a_legend_names_every_colour() -> None:
    body = Legend(LABELS, "Classes").fragment("a").body
    assert body.count("<li>") == 3
    assert "--colour:#ff8800" in body
    with pytest.raises(InputError):
        Legend({"red": "fish"})


def opened(page: BrowserPage, folder: Path, made: Lineup) -> BrowserPage:
    (folder / "page.html").write_text(
        Page("Report", "A page.", [Section("s", "S", parts=[made])]).html(), encoding="utf-8"
    )
    page.goto((folder / "page.html").as_uri())
    return page


@pytest.mark.browser
def test_the_label_under_the_pointer_is_read_out_in_every_pane(browser_page: BrowserPage, tmp_path: Path) -> None:
    page = opened(browser_page, tmp_path, lineup())
    row = page.locator(".lined > li").first
    box = row.locator(".glass").first.bounding_box()
    assert box is not None
    reads = row.locator(".read")
    row.locator(".glass").first.hover(position={"x": box["width"] * 0.75, "y": box["height"] * 0.25})
    expect(reads).to_have_text(["", "fish <b>", "fish <b>", ""])
    row.locator(".glass").nth(2).hover(position={"x": box["width"] * 0.25, "y": box["height"] * 0.75})
    expect(reads).to_have_text(["", "weed", "fish <b>", ""])
    expect(reads.nth(2)).to_have_class("read other")
    expect(page.locator(".lined > li").nth(1).locator(".read").nth(1)).to_have_text("")
    page.mouse.move(1, 1)
    expect(reads.nth(1)).to_have_text("")


@pytest.mark.browser
def test_a_tap_reads_too_and_stays(browser_page: BrowserPage, tmp_path: Path) -> None:
    page = opened(browser_page, tmp_path, lineup())
    glass = page.locator(".glass").nth(1)
    box = glass.bounding_box()
    assert box is not None
    at = {"clientX": box["x"] + 0.75 * box["width"], "clientY": box["y"] + 0.25 * box["height"], "pointerType": "touch"}
    glass.dispatch_event("pointerdown", {**at, "bubbles": True})
    page.locator(".panes").first.dispatch_event("pointerleave", {"pointerType": "touch"})
    expect(page.locator(".read").nth(1)).to_have_text("fish <b>")


@pytest.mark.browser
def test_views_turn_and_rows_filter(browser_page: BrowserPage, tmp_path: Path) -> None:
    page = opened(browser_page, tmp_path, lineup(9))
    row = page.locator(".lined > li").first
    page.get_by_role("button", name="overlay").click()
    expect(row.locator('img[data-view="overlay"]')).to_be_visible()
    expect(row.locator(".pane").nth(2).locator("img").first).to_be_hidden()
    expect(row.locator(".pane").nth(1).locator("img")).to_be_visible()
    row.locator(".panes").focus()
    page.keyboard.press("ArrowDown")
    expect(row.locator(".read").nth(2)).to_have_text("weed")
    page.get_by_role("button", name="odd").click()
    expect(page.locator(".lined > li:visible")).to_have_count(4)
