"""The page: one file, each asset once, nothing from elsewhere, readable in light and dark."""

from __future__ import annotations

import base64
import hashlib
import re
from importlib import resources
from itertools import pairwise

import pytest
from report.samples import board, deck, gallery, png, read

import pixelreef.report as report
from pixelreef.core.grid import Grid
from pixelreef.core.reef import reef_palette, reef_ramps
from pixelreef.errors import InputError
from pixelreef.report import (
    Aquarium,
    Beside,
    Chart,
    Command,
    Gallery,
    Html,
    Legend,
    Lined,
    Lineup,
    Mosaic,
    Page,
    Pane,
    Picture,
    Points,
    Prose,
    Section,
    Step,
    Stop,
    Swatches,
    Tile,
    Tiles,
    Timeline,
    View,
)
from pixelreef.report.part import PLOTLY, asset_text

LINEUP = Lineup([Lined("a", [Pane("truth", View(png(), labels=True))])], {"ff8800": "fish"})
BAR = {"data": [{"type": "bar", "x": ["a"], "y": [1]}]}


@pytest.fixture(scope="module")
def html() -> Html:
    """A page with every part, most of them twice."""
    sections = [
        Section("top", "At a glance", "One.\n\nTwo.", [Tiles([("replies", "12", "")])], hero=True),
        Section("boards", "Boards", parts=[board(), board()]),
        Section("charts", "Charts", parts=[Beside([Chart(BAR, "One bar."), Chart(BAR, "One bar.", title="Bar")])]),
        Section("pictures", "Pictures", parts=[gallery(), Gallery([Picture(png(), 8, 8, "a")])]),
        Section("palette", "Palette", parts=[Swatches(reef_palette(), reef_ramps())]),
        Section("tank", "Tank", parts=[Aquarium(Grid.from_rows([[1]]), reef_palette(), reef_ramps(), [], "Water.")]),
        Section("deck", "Deck", parts=[deck(), deck()]),
        Section("lineup", "Lineup", parts=[LINEUP, LINEUP, Legend({"ff8800": "fish"})]),
        Section("mosaic", "Mosaic", parts=[Mosaic([Tile("a", "pass", "good", parts=[Prose("x")])], "Cells")] * 2),
        Section("timeline", "Timeline", parts=[Timeline([Stop("One", "now", [Step("a")])], ["corpus"])] * 2),
        Section("words", "Words", parts=[Prose("One.\n\nTwo."), Points(["a"]), Command("pixelreef demo\n")]),
    ]
    return Page("Draw <24×24>", "How precisely.", sections, footer="Made on a day.").html()


def test_golden_structure() -> None:
    page = Page("Title", "Lead.", [Section("a", "First", "Words.", [Points(["x"])])])
    body = page.html().partition("<body>")[2].partition("<script>")[0]
    words = " ".join(re.sub(r"<svg.*?</svg>", "", body).split())
    assert words == (
        '<a class="skip" href="#page_main">Skip to the content</a> <header class="page-header">'
        '<div class="header-row"><h1>Title</h1><button type="button" class="theme" hidden'
        ' aria-label="Switch between light and dark"><span class="theme-name">Theme</span></button></div>'
        '<div class="lead"><p>Lead.</p></div></header> <main id="page_main" tabindex="-1">'
        ' <section id="a" class="section" aria-labelledby="a_title"><div class="inside"><h2 id="a_title">First</h2>'
        '<div class="words"><p>Words.</p></div><ul class="prose points"><li>x</li></ul></div></section> </main>'
    )


def test_each_asset_is_inlined_once(html: Html) -> None:
    names = [file.name for file in resources.files("pixelreef.report").joinpath("assets").iterdir()]
    assert len(names) == 22
    assert {name: html.count(asset_text(name)) for name in [*names, PLOTLY]} == dict.fromkeys([*names, PLOTLY], 1)


def test_a_page_without_charts_has_no_plotly() -> None:
    html = Page("Title", "Lead.", [Section("a", "A", parts=[board()])]).html()
    assert len(html) < 40_000
    assert "plotly" not in html.lower()


def test_nothing_is_asked_of_the_network(html: Html) -> None:
    ours = html.replace(asset_text(PLOTLY), "")
    assert not re.search(r"https?://|//cdn|@import|url\((?!data:)", ours)
    addresses = re.findall(r'(?:src|href)="([^"]*)"', ours)
    assert addresses
    assert all(address.startswith(("data:image/png;base64,", "#")) for address in addresses)


def test_the_policy_names_every_script_and_allows_no_other(html: Html) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    assert policy
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-eval" not in policy[1]
    assert policy[1].count("unsafe-inline") == 1  # of styles
    scripts = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    hashes = {base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts}
    assert set(re.findall(r"'sha256-([^']*)'", policy[1])) == hashes
    assert html.index("Content-Security-Policy") < html.index("<style>")


def test_headings_are_in_order_and_ids_differ(html: Html) -> None:
    seen = read(html.replace(asset_text(PLOTLY), ""))
    levels = [int(tag[1]) for tag, _ in seen.tags if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = re.findall(r'\bid="([^"]*)"', html.replace(asset_text(PLOTLY), ""))
    assert len(ids) == len(set(ids))
    targets = set(re.findall(r'(?:aria-labelledby|for)="([^"]*)"', html)) | set(re.findall(r'href="#([^"]*)"', html))
    assert targets <= set(ids)


@pytest.mark.parametrize(("count", "contents"), [(1, False), (2, False), (3, True)])
def test_contents_stand_from_three_sections_on(count: int, contents: bool) -> None:
    page = Page("Title", "Lead.", [Section(f"s{n}", "S") for n in range(count)])
    assert ('<nav class="contents"' in page.html()) is contents


def test_the_same_parts_give_the_same_bytes() -> None:
    page = Page("Title", "Lead.", [Section("a", "A", parts=[board(), gallery()])])
    assert page.html() == page.html()
    page.html().encode()


@pytest.mark.parametrize("name", ["", "A", "a b", "1a", 'a"', "page_main"])
def test_a_section_id_is_plain(name: str) -> None:
    with pytest.raises(InputError, match="section id must"):
        Section(name, "S")


def test_sections_that_clash_are_refused() -> None:
    with pytest.raises(InputError, match="section ids must differ"):
        Page("T", "L", [Section("a", "A"), Section("a", "B")])
    with pytest.raises(InputError, match="hero section must stand first"):
        Page("T", "L", [Section("a", "A"), Section("b", "B", hero=True)])


def test_all_is_what_is_exported() -> None:
    assert report.__all__ == sorted(report.__all__)
    public = {name for name, value in vars(report).items() if not name.startswith("_") and _is_ours(value)}
    assert set(report.__all__) == public


def _is_ours(value: object) -> bool:
    return getattr(value, "__module__", "").startswith("pixelreef.report")


GROUNDS = ("ground", "surface", "sunk", "hero")


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("ink", "grounds", "least"),
    [
        ("ink", GROUNDS, 7),
        ("muted", GROUNDS, 4.5),
        ("accent", GROUNDS, 4.5),
        ("accent-ink", ("accent",), 4.5),
        ("warn", ("warn-wash",), 4.5),
        ("edge", ("ground", "surface"), 3),
        *((f"series-{n}", ("ground", "surface"), 3) for n in range(1, 9)),
    ],
)
def test_contrast(ink: str, grounds: tuple[str, ...], least: float, mode: int) -> None:
    """WCAG AA: 4.5 for text, 3 for what is drawn."""
    colours = {name: pair[mode] for name, *pair in _light_dark()}
    for ground in grounds:
        light, dark = sorted((_luminance(colours[ink]), _luminance(colours[ground])), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= least, f"{ink} on {ground}"


def _light_dark() -> list[tuple[str, ...]]:
    return re.findall(r"--([\w-]+): light-dark\(#(\w{6}), #(\w{6})\)", asset_text("page.css"))


def _luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
