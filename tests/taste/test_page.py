"""The page of a judgement: in words, and in a real browser."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page as BrowserPage
from playwright.sync_api import expect
from taste.reefs import LIMITS, reef, spoilt

from pixelreef.core.render import png_from_rgba
from pixelreef.taste.judge import Judgement, judge_corpus
from pixelreef.taste.report import SHOWN, chosen, report_page, strip, write_report
from pixelreef.taste.texture import Texture

EVIL = '<img src=x onerror="alert(1)">'


def judged() -> Judgement:
    return judge_corpus(spoilt(reef(), "coral/hadal", "shuffled"), [Texture()], calibration=LIMITS)


def test_names_from_a_corpus_are_text() -> None:
    sprites = reef()
    named = replace(sprites, names=(EVIL, *sprites.names[1:]), factors={}, sources=(EVIL, "b"))
    html = report_page(judge_corpus(named, [Texture()]), note=EVIL).html()
    assert EVIL not in html
    assert html.count("&lt;img src=x") > 3


def test_samples_stand_beside_real_sprites() -> None:
    samples = replace(judged(), kind="samples", against=reef())
    html = report_page(samples).html()
    assert "real sprites" in html
    for sprites in (samples.sprites, reef()):
        shown = strip(sprites, chosen(sprites, "coral/hadal", SHOWN, samples.seed))
        assert base64.b64encode(png_from_rgba(shown)).decode() in html
    assert "Did the model learn this cell?" in html


def test_a_strip_holds_the_sprites_themselves() -> None:
    sprites = reef()
    sheet = strip(sprites, np.array([4, 9, 2]), columns=2)
    assert sheet.shape == (65, 65, 4)
    assert np.array_equal(sheet[:32, 33:65], sprites.palette.rgba[sprites.cells[9]])
    assert np.array_equal(sheet[33:65, :32], sprites.palette.rgba[sprites.cells[2]])
    assert not sheet[33:65, 33:65].any()


def test_the_report_is_a_page_and_a_document(tmp_path: Path) -> None:
    page, document = write_report(judged(), tmp_path, "a note")
    assert json.loads(document.read_text())["note"] == "a note"
    assert f"The limits are provisional: they were not worked out on planted faults. Calibration {LIMITS.hash}." in (
        page.read_text()
    )


@pytest.mark.browser
def test_a_tile_opens_to_its_evidence(browser_page: BrowserPage, tmp_path: Path) -> None:
    page, _ = write_report(judged(), tmp_path)
    browser_page.goto(page.as_uri())
    bad = browser_page.locator("a.face.bad")
    expect(bad).to_have_count(1)
    box = browser_page.locator("details.box.bad")
    expect(box.get_by_text("What each gate says")).to_be_hidden()
    bad.click()
    expect(box.get_by_text("What each gate says")).to_be_visible()
    expect(box).to_contain_text("coral/hadal")
    expect(browser_page.locator("details.box[open]")).to_have_count(1)
