from __future__ import annotations

import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
from loaded import modules_after
from PIL import Image
from playwright.sync_api import Page, expect
from typer.testing import CliRunner

from pixelreef.cli import app
from pixelreef.core import reef_palette
from pixelreef.core.grid import Grid
from pixelreef.demo import run_demo
from pixelreef.demo.living import living_reef
from pixelreef.demo.quantising import compare_ways
from pixelreef.demo.scene import paint_fish, paint_reef
from pixelreef.errors import InputError
from pixelreef.sprites.sample import Sampler
from pixelreef.sprites.weights import weights_from


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, set[str]]:
    """The folder of seed 0, and the modules that were loaded. A demo takes a while, so what can share one does."""
    folder = tmp_path_factory.mktemp("demo")
    return folder / "report", modules_after("from pixelreef.demo import run_demo; run_demo('report')", folder)


def test_the_demo_writes_a_page_and_a_summary(first: tuple[Path, set[str]]) -> None:
    folder, _ = first
    page = (folder / "index.html").read_text()
    assert page.startswith("<!doctype html>")
    assert page.index('class="aquarium"') < page.index('class="swatches"') < page.index("<table")
    summary = json.loads((folder / "summary.json").read_text())
    assert sorted(path.name for path in folder.iterdir()) == ["index.html", "summary.json"]
    assert summary["taste"]["failed"] == [summary["taste"]["planted"]]
    assert summary["sprites"]["drawn"] == 120
    assert summary["sprites"]["not_learned"] == {}
    living = summary["living"]
    assert living["name"] == "reef"
    assert [one["origin"] == "drawn" for one in living["creatures"]] == [True] * 12 + [False] * 2
    assert sum(one["moves"] == "parts" for one in living["creatures"]) >= 4
    assert page.count('class="face bad"') == 1
    assert page.count('class="face good"') == 29


def test_the_demo_imports_neither_torch_nor_inspect(first: tuple[Path, set[str]]) -> None:
    _, loaded = first
    assert "numpy" in loaded
    assert not loaded & {"torch", "inspect_ai", "transformers", "onnxruntime", "xllamacpp"}


def test_the_same_seed_gives_the_same_page_and_another_seed_another(
    first: tuple[Path, set[str]], tmp_path: Path
) -> None:
    told: list[tuple[int, int, str]] = []
    made = run_demo(tmp_path / "a", 1, progress=lambda done, of, what: told.append((done, of, what)))
    one = made.page.read_bytes()
    assert json.loads((tmp_path / "a" / "summary.json").read_text()) == made.summary
    assert [done for done, _, _ in told] == list(range(told[-1][1] + 1))
    command = CliRunner().invoke(app, ["demo", "--out", str(tmp_path / "b"), "--json", "--seed", "1"])
    assert command.exit_code == 0
    assert json.loads(command.stdout)["seed"] == 1
    assert re.search(r"Done in \d+\.\d s\. Open .*index\.html", command.stderr)
    assert one == (tmp_path / "b" / "index.html").read_bytes()
    assert one != (first[0] / "index.html").read_bytes()


def test_the_painted_reef_is_no_pixel_art() -> None:
    picture = paint_reef(0)
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 3000
    fish = paint_fish(0, 0)
    assert 0.1 < (fish[..., 3] == 255).mean() < 0.9


def test_every_way_is_measured_on_every_tile_and_oklab_beats_rgb_where_it_should() -> None:
    ways = {one.name: one for one in compare_ways(paint_reef(0), reef_palette())}
    nearest, rgb = ways["OKLab, nearest"], ways["Pillow, nearest in RGB"]
    assert nearest.near.n == rgb.near.n == 18 * 9
    assert nearest.near.high is not None
    assert rgb.near.low is not None
    assert nearest.near.high < rgb.near.low
    dithered = ways["OKLab, ordered dither"].ahead
    assert dithered is not None
    assert dithered.high is not None
    assert dithered.high < 0


def test_another_name_grows_another_reef() -> None:
    scene = Grid(np.full((144, 288), 43, np.uint8))
    sampler = Sampler(weights_from(None))
    ada, again, eve = (living_reef(name, scene, sampler) for name in ("Ada", "Ada", "Eve"))
    assert ada.aquarium == again.aquarium
    assert ada.aquarium.gif != eve.aquarium.gif
    assert ada.aquarium.gif is not None
    with Image.open(io.BytesIO(ada.aquarium.gif)) as moving:
        assert (getattr(moving, "n_frames", 1), moving.size) == (24, (576, 288))
    shallow = {frame.size for one in ada.aquarium.swimmers for frame in one.frames}
    assert all(1 <= width <= 32 and 1 <= height <= 32 for width, height in shallow)
    standing = [one for one in ada.aquarium.swimmers if one.speed == 0]
    assert len(standing) == 5
    assert all(one.y + one.frames[0].height <= 144 for one in standing)


@pytest.mark.parametrize("name", ["", " ", "x" * 61])
def test_a_name_has_its_bounds(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--name must be 1 to 60 characters"):
        run_demo(tmp_path, name=name)


def test_an_unwritable_folder_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = CliRunner().invoke(app, ["demo", "--out", str(tmp_path / "file" / "x")])
    assert result.exit_code != 0
    assert "must be writable" in str(result.exception)


@pytest.mark.browser
def test_the_page_lives_sorts_and_filters_in_a_real_browser(browser_page: Page, tmp_path: Path) -> None:
    """The fixture itself fails on any console error and on any request that leaves the machine."""
    browser_page.goto(run_demo(tmp_path / "report").page.as_uri())
    first = "#board table tbody tr:first-child"
    before = browser_page.inner_text(first)
    browser_page.click("#board table thead button >> text=Error from close by")
    assert "OKLab, nearest" in browser_page.inner_text(first)
    assert browser_page.inner_text(first) != before
    browser_page.fill("#gallery input[type=search]", "fish 2")
    expect(browser_page.locator("#gallery output.matches")).to_have_text("2 of 15")
    assert browser_page.locator(".plot .main-svg").count() > 0
