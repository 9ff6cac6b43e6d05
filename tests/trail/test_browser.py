"""The page in a real browser: light and dark, wide and narrow."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from trail.histories import history

from pixelreef.core.render import png_from_rgba
from pixelreef.trail.file import append_record, read_trail
from pixelreef.trail.page import write_page
from pixelreef.trail.record import Record
from pixelreef.trail.sheets import sheet_from_file
from pixelreef.trail.story import story_from_trail

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("trail")
    for number, record in enumerate(history([0.5, 0.48, 0.45, 0.43], ["wnnc"] * 4)):
        (folder / f"{number}.png").write_bytes(png_from_rgba(np.full((60, 900, 4), 50 * number + 40, np.uint8)))
        sheet = sheet_from_file(folder / f"{number}.png", folder)
        assert sheet is not None
        append_record(folder / "trail.jsonl", Record(**{**vars(record), "sheets": (sheet,), "note": "x" * 300}))
    write_page(story_from_trail(read_trail(folder / "trail.jsonl")), folder / "page")
    return Path(folder / "page" / "index.html").as_uri()


@pytest.mark.parametrize("width", [380, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_runs_over_the_edge_and_the_chart_is_drawn(
    browser_page: Page, page_file: str, width: int, scheme: str
) -> None:
    browser_page.set_viewport_size({"width": width, "height": 900})
    browser_page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    browser_page.goto(page_file)
    expect(browser_page.locator("h2").first).to_have_text("Ceiling: change the model's shape")
    expect(browser_page.locator(".plot .scatterlayer .trace")).to_have_count(2)
    assert browser_page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert browser_page.locator(".stop").count() == 4
    sheet = browser_page.locator("#sheets img").first
    sheet.scroll_into_view_if_needed()
    shown, frame = sheet.bounding_box(), browser_page.locator("#sheets .look").first.bounding_box()
    assert shown is not None
    assert frame is not None
    assert shown["width"] <= frame["width"]
    steps = browser_page.locator(".stop").first.locator(".step")
    boxes = [steps.nth(place).bounding_box() for place in range(4)]
    tops = {round(box["y"]) for box in boxes if box}
    assert len(tops) == (1 if width > 1000 else 4)


def test_a_column_of_verdicts_sorts_and_sheets_open(browser_page: Page, page_file: str) -> None:
    browser_page.goto(page_file)
    head = browser_page.locator("#cells thead button").nth(1)
    head.click()
    first = browser_page.locator("#cells tbody tr").first
    expect(first.locator("th")).to_have_text("coral/abyss")
    head.click()
    expect(first.locator(".word").first).not_to_have_text("weak")
    browser_page.locator("#sheets .look").first.click()
    expect(browser_page.locator("dialog.closer")).to_be_visible()
