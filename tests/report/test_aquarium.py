from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from pixelreef.core import Grid, Palette, ramps_from_palette, reef_palette, reef_ramps
from pixelreef.errors import InputError, PaletteError
from pixelreef.report import Aquarium, Page, Section, Swimmer

if TYPE_CHECKING:
    from playwright.sync_api import Page as BrowserPage

SCENE = Grid(np.random.default_rng(0).integers(1, 64, (20, 40), dtype=np.uint8))
FISH = Grid(np.array([[0, 29, 29], [29, 29, 30]], np.uint8))


def tank() -> Aquarium:
    return Aquarium(SCENE, reef_palette(), reef_ramps(), [Swimmer([FISH], 5, 5, 8)], "<a reef>")


def test_the_page_holds_the_very_indices() -> None:
    body = tank().fragment("a").body
    found = re.search(r'<script type="application/json">(.*?)</script>', body)
    assert found
    document = json.loads(found[1])
    assert base64.b64decode(document["scene"]) == SCENE.cells.tobytes()
    assert np.array(document["walks"]).shape == (7, 64)
    assert document["walks"][3] == list(range(64))
    assert "&lt;a reef&gt;" in body


def test_what_can_not_be_shown_is_refused() -> None:
    opaque = Palette(reef_palette().rgb)
    with pytest.raises(PaletteError, match="declare a transparent entry"):
        Aquarium(SCENE, opaque, ramps_from_palette(opaque), [Swimmer([FISH], 0, 0, 1)], "x")
    with pytest.raises(PaletteError, match="be of a palette of 1 colours"):
        Aquarium(SCENE, Palette.from_hex(["000000"]), reef_ramps(), [], "x")
    with pytest.raises(InputError, match="say what is to be seen"):
        Aquarium(SCENE, reef_palette(), reef_ramps(), [], " ")


@pytest.mark.browser
def test_light_and_motion_stay_inside_the_palette(browser_page: BrowserPage, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(Page("Tank", "Lead.", [Section("tank", "Tank", parts=[tank()], hero=True)]).html())
    browser_page.goto(path.as_uri())
    read = """() => { const c = document.querySelector('.aquarium canvas');
      return Array.from(c.getContext('2d').getImageData(0, 0, c.width, c.height).data); }"""
    allowed = {tuple(colour) for colour in reef_palette().rgb[1:].tolist()}
    frames = []
    for theme in (None, "click"):
        if theme:
            browser_page.click(".theme")
        browser_page.focus(".aquarium canvas")
        browser_page.keyboard.press("ArrowLeft")
        browser_page.wait_for_timeout(400)
        pixels = np.array(browser_page.evaluate(read), np.uint8).reshape(-1, 4)
        assert (pixels[:, 3] == 255).all()
        assert {tuple(colour) for colour in pixels[:, :3].tolist()} <= allowed
        frames.append(pixels)
    assert not np.array_equal(frames[0], frames[1])
    browser_page.click(".aquarium .pause")
    assert browser_page.inner_text(".aquarium .pause") == "Play"
