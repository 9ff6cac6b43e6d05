"""A deck: its pictures on one atlas, its document, and a person's hands in a real browser."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page as BrowserPage
from playwright.sync_api import expect
from report.samples import card, deck, read

from pixelreef.errors import InputError
from pixelreef.report import Deck, Label, Page, Section
from pixelreef.report.deck import packed


def test_every_picture_is_on_the_atlas() -> None:
    pictures = [card(n, size).pixels for n, size in enumerate([8, 3, 900, 16, 1200, 5, 2100])]
    atlas, places = packed(pictures)
    for picture, (x, y) in zip(pictures, places, strict=True):
        assert np.array_equal(atlas[y : y + picture.shape[0], x : x + picture.shape[1]], picture)
    taken = np.zeros(atlas.shape[:2], int)
    for picture, (x, y) in zip(pictures, places, strict=True):
        taken[y : y + picture.shape[0], x : x + picture.shape[1]] += 1
    assert taken.max() == 1


def test_limits() -> None:
    with pytest.raises(InputError, match="id of its own"):
        Deck([card(0), card(0)], "k")
    with pytest.raises(InputError, match="id of its own"):
        Deck([], "k")
    with pytest.raises(InputError, match="near cards"):
        Deck([card(0, near=(1,))], "k")
    with pytest.raises(InputError, match="Show fewer"):
        packed([np.zeros((4096, 2048, 4), np.uint8)] * 3)


def test_strange_text_stays_text() -> None:
    strange = deck(labels=[Label("<b>", {"kind": "</script><b>"})], groups="<u>")
    seen = read(strange)
    assert not {tag for tag, _ in seen.tags} & {"b", "i", "u"}


def test_two_thousand_cards_are_few_elements() -> None:
    body = deck(2000).fragment("x").body
    assert body.count("<img") == 1
    assert len(re.findall("<[a-z]", body)) < 150


@pytest.fixture
def opened(browser_page: BrowserPage, tmp_path: Path) -> BrowserPage:
    path = tmp_path / "page.html"
    path.write_text(Page("Judge", "A page.", [Section("s", "S", parts=[deck()])]).html(), encoding="utf-8")
    browser_page.goto(path.as_uri())
    expect(browser_page.locator(".deck-title")).to_have_text("card 0")
    return browser_page


def saved(page: BrowserPage) -> dict[str, Any]:
    with page.expect_download() as download:
        page.get_by_role("button", name="Save decisions.json").click()
    assert download.value.suggested_filename == "decisions.json"
    return dict(json.loads(Path(download.value.path()).read_text()))


def title(page: BrowserPage) -> str:
    return str(page.locator(".deck-title").text_content())


@pytest.mark.browser
def test_single_keys_decide_and_the_file_says_so(opened: BrowserPage) -> None:
    keys = opened.keyboard
    for key in ("k", "d", "r", "2", "w", "1", " ", "K"):
        keys.press(key)
    assert title(opened) == "card 0"  # six cards, round again
    assert opened.locator(".deck-counts").text_content() == (
        "4 kept · 1 dropped · 1 relabelled · 1 reweighted · 1 of 6 to go"
    )
    expect(opened.locator(".deck-verdict")).to_have_text("Kept")
    keys.press("ArrowRight")
    expect(opened.locator(".deck-verdict")).to_have_text("Dropped")
    keys.press("ArrowRight")
    expect(opened.locator(".deck-verdict")).to_have_text("Kept as fish/deep")
    assert saved(opened) == {
        "format": "f",
        "version": 1,
        "decisions": {
            "id0": {"do": "keep"},
            "id1": {"do": "drop"},
            "id2": {"do": "keep", "relabel": {"kind": "fish", "depth": "deep"}},
            "id3": {"do": "keep", "weight": 0.25},
            "id5": {"do": "keep"},
        },
    }


@pytest.mark.browser
def test_a_label_and_a_weight_go_together_and_a_drop_takes_both(opened: BrowserPage) -> None:
    for key in ("r", "1", "ArrowLeft", "w", "5", "ArrowLeft"):
        opened.keyboard.press(key)
    expect(opened.locator(".deck-verdict")).to_have_text("Kept as crab/low with weight 4")
    opened.keyboard.press("d")
    assert saved(opened)["decisions"] == {"id0": {"do": "drop"}}


@pytest.mark.browser
def test_undo_goes_back_step_by_step(opened: BrowserPage) -> None:
    for key in ("k", "ArrowLeft", "d", "k", "u"):
        opened.keyboard.press(key)
    assert title(opened) == "card 1"
    opened.keyboard.press("u")
    expect(opened.locator(".deck-verdict")).to_have_text("Kept")
    opened.keyboard.press("u")
    opened.keyboard.press("u")  # nothing is left to take back
    assert title(opened) == "card 0"
    assert saved(opened)["decisions"] == {}


@pytest.mark.browser
def test_filters_by_group_and_by_what_is_undecided(opened: BrowserPage) -> None:
    opened.get_by_label("Cell", exact=True).select_option("b")
    opened.get_by_label("Show").select_option("undecided")
    seen = []
    for _ in range(3):
        seen.append((title(opened), opened.locator(".deck-place").text_content()))
        opened.keyboard.press("k")
    assert seen == [("card 1", "1 of 3"), ("card 3", "1 of 2"), ("card 5", "1 of 1")]
    expect(opened.get_by_text("Nothing left to show here.")).to_be_visible()
    opened.keyboard.press("d")  # decides nothing
    opened.keyboard.press("u")
    assert title(opened) == "card 5"
    assert set(saved(opened)["decisions"]) == {"id1", "id3"}


@pytest.mark.browser
def test_what_was_decided_is_there_again(opened: BrowserPage) -> None:
    opened.keyboard.press("k")
    opened.keyboard.press("d")
    opened.reload()
    expect(opened.locator(".deck-title")).to_have_text("card 2")  # the first undecided
    expect(opened.locator(".deck-counts")).to_contain_text("4 of 6 to go")


@pytest.mark.browser
def test_a_browser_without_storage_says_so(browser_page: BrowserPage, tmp_path: Path) -> None:
    browser_page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } });"
    )
    path = tmp_path / "page.html"
    path.write_text(Page("Judge", "A page.", [Section("s", "S", parts=[deck()])]).html(), encoding="utf-8")
    browser_page.goto(path.as_uri())
    expect(browser_page.locator(".deck-title")).to_have_text("card 0")
    browser_page.keyboard.press("k")
    expect(browser_page.get_by_text("save before you close it")).to_be_visible()
    assert saved(browser_page)["decisions"] == {"id0": {"do": "keep"}}


@pytest.mark.browser
def test_a_saved_file_can_be_opened_again(opened: BrowserPage, tmp_path: Path) -> None:
    file = tmp_path / "d.json"
    known = {"id1": {"do": "drop"}, "elsewhere": {"do": "keep"}, "id2": {"do": "burn"}}
    file.write_text(json.dumps({"format": "f", "version": 1, "decisions": known}))
    opened.locator("input[type='file']").set_input_files(file)
    expect(opened.get_by_text("2 decisions opened, 1 of them about pictures that are not on this page")).to_be_visible()
    assert saved(opened)["decisions"] == {"id1": {"do": "drop"}, "elsewhere": {"do": "keep"}}
    file.write_text('{"decisions": 7')
    opened.locator("input[type='file']").set_input_files(file)
    expect(opened.get_by_text("d.json is no file of decisions")).to_be_visible()


@pytest.mark.browser
def test_by_mouse_and_the_space_bar_still_moves_on(opened: BrowserPage) -> None:
    opened.get_by_role("button", name="Drop").click()
    assert title(opened) == "card 1"
    opened.keyboard.press(" ")
    assert title(opened) == "card 2"
    expect(opened.locator(".deck-counts")).to_contain_text("1 dropped")  # the button was not pressed again
    expect(opened.locator(".deck-near button")).to_have_count(2)
    opened.locator(".deck-near button").first.click()
    assert title(opened) == "card 0"
    opened.get_by_role("button", name="Relabel").click()
    expect(opened.get_by_role("dialog", name="Relabel as")).to_be_visible()
    opened.keyboard.press("Escape")
    opened.get_by_role("button", name="Relabel").click()
    opened.get_by_role("button", name="crab/low").click()
    assert saved(opened)["decisions"]["id0"]["relabel"] == {"kind": "crab", "depth": "low"}


@pytest.mark.browser
def test_the_picture_is_drawn_at_a_whole_multiple_from_the_atlas(opened: BrowserPage) -> None:
    big = opened.locator(".deck-big")
    width, shown = big.evaluate("c => [c.width, c.getBoundingClientRect().width]")
    assert width == 8
    assert shown > 8
    assert shown % 8 == 0
    pixels = big.evaluate("c => [...c.getContext('2d').getImageData(0, 0, 8, 8).data]")
    assert pixels == card(0).pixels.ravel().tolist()


@pytest.mark.browser
@pytest.mark.parametrize("width", [360, 768, 1280])
def test_the_deck_fits_the_screen(opened: BrowserPage, width: int) -> None:
    opened.set_viewport_size({"width": width, "height": 800})
    assert opened.evaluate("document.documentElement.scrollWidth") <= width
