"""The page in a real browser, opened from disk."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import pytest
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as BrowserPage
from report.samples import Summary, board, gallery, png

from pixelreef.core.reef import reef_palette, reef_ramps
from pixelreef.report import Board, Chart, Column, Fragment, Gallery, Html, Page, Part, Picture, Row, Section, Swatches

pytestmark = pytest.mark.browser

FIGURES: dict[str, Any] = {
    "bar": {"data": [{"type": "bar", "x": ["a", "b"], "y": [1, 2], "error_y": {"array": [0.1, 0.2]}}]},
    "scatter": go.Figure(go.Scatter(x=[1, 2, 3], y=[1, 3, 2], mode="lines+markers")),
    "heatmap": go.Figure(go.Heatmap(z=[[1, 2], [3, 4]])),
    "scatterpolar": go.Figure(go.Scatterpolar(r=[1, 2, 3], theta=["x", "y", "z"], fill="toself")),
    "box": go.Figure(go.Box(y=[1, 2, 3, 4, 9])),
    "violin": go.Figure(go.Violin(y=[1, 2, 3, 4, 9])),
    "histogram": go.Figure(go.Histogram(x=[1, 2, 2, 3])),
}

# What Plotly draws for one trace of each type.
MARKS = {
    "bar": ".bars .point path",
    "scatter": ".scatterlayer .trace path.js-line",
    "heatmap": ".heatmaplayer image, .heatmaplayer path",
    "scatterpolar": ".polarlayer .trace path.js-line",
    "box": ".boxlayer path.box",
    "violin": ".violinlayer path.violin",
    "histogram": ".bars .point path",
}


def opened(browser_page: BrowserPage, folder: Path, *parts: Part) -> BrowserPage:
    """The page opened with one section per part, named s1, s2, …"""
    sections = [Section(f"s{number}", f"Section {number}", parts=[part]) for number, part in enumerate(parts, start=1)]
    path = folder / "page.html"
    path.write_text(Page("Report", "A page.", sections).html(), encoding="utf-8")
    browser_page.goto(path.as_uri())
    return browser_page


def names(page: BrowserPage) -> list[str]:
    heads = page.locator("tbody th").evaluate_all("heads => heads.map(head => head.firstChild.textContent)")
    return [str(head) for head in heads]


def test_board_sorts_by_click_and_by_key_with_missing_last(browser_page: BrowserPage, tmp_path: Path) -> None:
    page = opened(browser_page, tmp_path, board())
    score = page.get_by_role("columnheader", name="Score")
    assert names(page) == ["tide", "kelp", "noise", "Anemone"]
    expect(score).to_have_attribute("aria-sort", "descending")
    score.get_by_role("button").click()
    assert names(page) == ["noise", "kelp", "tide", "Anemone"]
    expect(score).to_have_attribute("aria-sort", "ascending")

    page.get_by_role("button", name="Cost").focus()
    page.keyboard.press("Enter")
    assert names(page) == ["noise", "kelp", "tide", "Anemone"]
    page.keyboard.press("Space")
    assert names(page) == ["tide", "kelp", "noise", "Anemone"]
    expect(score).not_to_have_attribute("aria-sort", "ascending")

    page.get_by_role("button", name="Entrant").click()
    assert names(page) == ["Anemone", "kelp", "noise", "tide"]


def test_gallery_filters_by_words_and_chips(browser_page: BrowserPage, tmp_path: Path) -> None:
    page = opened(browser_page, tmp_path, gallery(12))
    count, shown = page.locator("output"), page.locator(".pictures > li:visible")
    expect(count).to_have_text("12 of 12")
    page.get_by_label("Filter").fill("SPRITE tide")
    expect(count).to_have_text("6 of 12")
    page.get_by_role("button", name="abyss").click()
    expect(page.get_by_role("button", name="abyss")).to_have_attribute("aria-pressed", "true")
    expect(count).to_have_text("2 of 12")
    expect(shown).to_have_count(2)
    page.get_by_role("button", name="hadal").click()  # of the same group: widens
    expect(count).to_have_text("4 of 12")
    page.get_by_role("button", name="even").click()  # of another group: narrows
    expect(count).to_have_text("0 of 12")
    expect(page.get_by_text("No picture matches")).to_be_visible()
    page.get_by_label("Filter").fill("")
    expect(count).to_have_text("4 of 12")


def test_every_picture_is_drawn_at_a_whole_multiple(browser_page: BrowserPage, tmp_path: Path) -> None:
    page = opened(browser_page, tmp_path, gallery(12))
    sizes = "images => images.map(i => [i.naturalWidth, i.getBoundingClientRect().width])"
    page.locator(".pictures img").last.scroll_into_view_if_needed()
    expect(page.locator(".pictures img").last).to_have_js_property("naturalWidth", 8)
    assert page.locator(".pictures img").evaluate_all(sizes) == [[8, 64]] * 12
    assert page.locator(".pictures img").first.evaluate("i => getComputedStyle(i).imageRendering") == "pixelated"


def test_zoom_by_keyboard(browser_page: BrowserPage, tmp_path: Path) -> None:
    page = opened(browser_page, tmp_path, gallery(12))
    page.get_by_role("button", name="odd").click()
    looks = page.locator(".look:visible")
    looks.first.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="sprite 1")
    expect(dialog).to_be_visible()
    expect(dialog.locator("pre")).to_have_text("reply 1\n<b>&</b>")
    width = dialog.get_by_role("img").evaluate("image => image.getBoundingClientRect().width")
    assert width > 64
    assert width % 8 == 0
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("dialog", name="sprite 3")).to_contain_text("2 of 6")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("dialog", name="sprite 11")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(looks.last).to_be_focused()


def test_zoom_by_mouse(browser_page: BrowserPage, tmp_path: Path) -> None:
    page = opened(browser_page, tmp_path, gallery(12))
    page.locator(".look").first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("pre")).to_be_hidden()
    dialog.get_by_role("button", name="Next picture").click()
    expect(dialog).to_contain_text("sprite 1")
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
    page.locator(".look").first.click()
    page.mouse.click(5, 5)
    expect(dialog).to_have_count(0)


def test_two_thousand_pictures_stay_quick(browser_page: BrowserPage, tmp_path: Path) -> None:
    """Ten times the pictures take about ten times as long to filter; anything quadratic would take a hundred times."""
    spent = """() => { const chip = document.querySelector('.chip'), times = [];
        for (let turn = 0; turn < 10; turn++) {
          const start = performance.now();
          chip.click();
          document.body.offsetHeight;
          times.push(performance.now() - start);
        }
        return Math.min(...times); }"""
    few = opened(browser_page, tmp_path, Gallery(gallery(200).pictures)).evaluate(spent)
    page = opened(browser_page, tmp_path, Gallery(gallery(2000).pictures))
    assert page.evaluate(spent) < 50 * max(few, 1)
    page.locator(".chip").first.click()
    expect(page.locator("output")).to_have_text("667 of 2,000")


def test_theme_toggles_and_charts_follow(browser_page: BrowserPage, tmp_path: Path) -> None:
    page = opened(browser_page, tmp_path, Chart(FIGURES["bar"], "Two bars."))
    ground = "getComputedStyle(document.body).backgroundColor"
    tick = page.locator(".xtick text").first
    fill = "text => getComputedStyle(text).fill"
    light, light_tick = page.evaluate(ground), tick.evaluate(fill)
    page.get_by_role("button", name="Switch to dark").press("Enter")
    assert page.evaluate(ground) != light
    assert tick.evaluate(fill) != light_tick
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.get_by_role("button", name="Switch to light").click()
    assert (page.evaluate(ground), tick.evaluate(fill)) == (light, light_tick)


def test_the_system_decides_until_the_button_does(browser_page: BrowserPage, tmp_path: Path) -> None:
    page = opened(browser_page, tmp_path, Chart(FIGURES["bar"], "Two bars."))
    light = page.locator(".xtick text").first.evaluate("text => getComputedStyle(text).fill")
    page.emulate_media(color_scheme="dark")
    expect(page.get_by_role("button", name="Switch to light")).to_be_visible()
    assert page.locator(".xtick text").first.evaluate("text => getComputedStyle(text).fill") != light


def test_charts_of_every_type_are_drawn_within_the_policy(browser_page: BrowserPage, tmp_path: Path) -> None:
    charts = [Chart(figure, f"A {kind}.", height=300) for kind, figure in FIGURES.items()]
    page = opened(browser_page, tmp_path, *charts)
    for kind in FIGURES:
        plot = page.get_by_role("img", name=f"A {kind}.")
        assert plot.locator(MARKS[kind]).count() > 0, kind
        assert plot.evaluate("plot => plot.getBoundingClientRect().height") == 300
        plot.locator(".nsewdrag, .maindrag").first.hover(force=True)


def test_pictures_out_of_sight_are_on_paper(browser_page: BrowserPage, tmp_path: Path) -> None:
    # All different: a picture seen before would be taken from memory.
    page = opened(browser_page, tmp_path, Gallery([Picture(png(n), 8, 8, f"sprite {n}") for n in range(1500)]))
    expect(page.locator(".pictures img").last).to_have_js_property("naturalWidth", 0)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".pictures img").last).to_have_js_property("naturalWidth", 8)
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate("document.documentElement.dataset.theme") is None


def test_swatches_by_keyboard(browser_page: BrowserPage, tmp_path: Path) -> None:
    page = opened(browser_page, tmp_path, Swatches(reef_palette(), reef_ramps()))
    first = page.get_by_label("1 #191d25", exact=True)
    first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_label("9 #4f3125")).to_be_focused()
    expect(page.get_by_text("9 #4f3125")).to_be_visible()
    assert page.locator('.swatch[tabindex="0"]').count() == 1


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_the_page_fits_the_screen(browser_page: BrowserPage, tmp_path: Path, width: int) -> None:
    browser_page.set_viewport_size({"width": width, "height": 800})
    chart, swatches = Chart(FIGURES["scatterpolar"], "A chart."), Swatches(reef_palette(), reef_ramps())
    columns = [Column(f"c{n}", f"Column {n}", "interval", flag="Take care.") for n in range(12)]
    wide = Board(columns, [Row({column.key: Summary(0.5, 0.4, 0.6, 60) for column in columns})], "Wide")
    page = opened(browser_page, tmp_path, wide, gallery(), chart, swatches)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_first_tab_skips_to_the_content(browser_page: BrowserPage, tmp_path: Path) -> None:
    page = opened(browser_page, tmp_path, board())
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


class Injected:
    """What must never happen: markup of a stranger in the page."""

    def __init__(self, address: str) -> None:
        self.address = address

    def fragment(self, name: str) -> Fragment:
        address = self.address
        return Fragment(
            Html(
                f'<script>window.ran = 1</script><script src="{address}/a.js"></script><img src="x" onerror="ran = 2">'
                f'<img src="{address}/b.png"><link rel="stylesheet" href="{address}/c.css">'
                f'<iframe src="{address}/d"></iframe><style>body {{ background: url({address}/e.png) }}</style>'
            )
        )


@pytest.fixture
def listener() -> Iterator[tuple[str, list[str]]]:
    """A server on loopback, and the paths that it was asked for."""
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
        server.shutdown()
        thread.join()


def test_injected_markup_runs_nothing_and_loads_nothing(
    browser: Browser, tmp_path: Path, listener: tuple[str, list[str]]
) -> None:
    address, asked = listener
    page = browser.new_page()
    opened(page, tmp_path, Injected(address), board())
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.ran") is None
    page.get_by_role("button", name="Valid").click()  # the page's own scripts do run
    assert names(page)[-1] == "Anemone"
    page.close()
    assert asked == []
