"""The page on which a corpus is judged, and what stands beside it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from corpus.samples import FACTORS, PALETTE, blob, blobs
from playwright.sync_api import Page as BrowserPage
from playwright.sync_api import expect

from pixelreef.core.palette import Palette
from pixelreef.corpus.cells import CELLS
from pixelreef.corpus.curate import read_decisions
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.neighbours import neighbours
from pixelreef.corpus.show import deck_of, judged, labels_of, show_corpus
from pixelreef.corpus.store import Corpus, open_corpus, write_corpus


def corpus_of(path: Path, *entries: Entry) -> Corpus:
    write_corpus(path, entries or blobs(60), FACTORS)
    return open_corpus(path)


def test_everything_is_written_and_the_same_again(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path / "c.parquet")
    shown = show_corpus(corpus, tmp_path / "a")
    show_corpus(corpus, tmp_path / "b")
    files = [path.relative_to(tmp_path / "a") for path in sorted((tmp_path / "a").rglob("*")) if path.is_file()]
    assert len(files) == 4 + 6
    assert all((tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes() for name in files)
    assert json.loads((tmp_path / "a" / "census.json").read_text()) == shown.census.document()
    page = shown.page.read_text()
    assert "60 sprites." in page
    assert corpus.hash in page
    assert (shown.judged, len(shown.sheets)) == (60, 8)


def test_a_large_corpus_is_sampled_evenly_and_the_page_says_so(tmp_path: Path) -> None:
    many = [blob(n, factors={"kind": "fish"}) for n in range(200)]
    few = [blob(n, factors={"kind": "crab"}) for n in range(200, 205)]
    corpus = corpus_of(tmp_path / "c.parquet", *many, *few)
    entries = judged(corpus, 40, seed=1)
    assert [sum(entry.cell == cell for entry in entries) for cell in ("fish", "crab")] == [35, 5]
    assert [entry.hash for entry in entries] == [entry.hash for entry in judged(corpus, 40, seed=1)]
    assert [entry.hash for entry in entries] != [entry.hash for entry in judged(corpus, 40, seed=2)]
    assert "40 sprites of 205: a sample by seed 1" in show_corpus(corpus, tmp_path / "o", 1, limit=40).page.read_text()


def test_more_cells_than_places_still_fit(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path / "c.parquet", *(blob(n, factors={"kind": f"k{n}"}) for n in range(30)))
    assert len(judged(corpus, 10, 0)) == 10


def test_a_picture_that_stands_twice_is_judged_once(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path / "c.parquet", blob(0), blob(0), blob(3))
    assert [card.id for card in deck_of(corpus, judged(corpus, 100, 0)).cards] == [blob(0).hash, blob(3).hash]


def test_labels_are_all_cells_of_the_factors(tmp_path: Path) -> None:
    assert [label.title for label in labels_of(FACTORS)] == [
        *("fish/low", "fish/deep", "crab/low", "crab/deep", "weed/low", "weed/deep"),
    ]
    assert [label.title for label in labels_of({})] == list(CELLS)
    assert len(labels_of({"a": [str(n) for n in range(999)]})) == 200


def test_neighbours_are_of_the_same_cell_and_the_most_alike_come_first() -> None:
    base = np.zeros((6, 6), np.uint8)
    base[1:5, 1:5] = 2
    nearly, other = base.copy(), base.copy()
    nearly[2, 2] = 3
    other[:, 3:] = 0
    clear_last = Palette(PALETTE.rgb, 7)
    recoloured = np.where(base == 0, 7, 5).astype(np.uint8)
    entries = [
        Entry(cells, palette, Origin("x"), {"kind": kind})
        for cells, palette, kind in (
            (base, PALETTE, "fish"),
            (other, PALETTE, "fish"),
            (nearly, PALETTE, "fish"),
            (recoloured, clear_last, "fish"),
            (base, PALETTE, "crab"),
            (base[:5], PALETTE, "fish"),
        )
    ]
    found = neighbours(entries, 2)
    assert found[0] == (3, 2)
    assert found[3] == (0, 2)
    assert found[4:] == [(), ()]


@pytest.mark.browser
def test_what_the_page_saves_is_what_curation_reads(browser_page: BrowserPage, tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path / "c.parquet")
    browser_page.goto(show_corpus(corpus, tmp_path / "out").page.as_uri())
    expect(browser_page.locator(".deck-place")).to_have_text("1 of 60")
    for key in ("k", "d", "r", "6", "w", "4"):
        browser_page.keyboard.press(key)
    with browser_page.expect_download() as download:
        browser_page.get_by_role("button", name="Save decisions.json").click()
    decisions = read_decisions(download.value.path())
    assert decisions.corpus == corpus.hash
    shown = [entry.hash for entry in judged(corpus, 100, 0)][:4]
    assert [decisions.by_hash[name].document() for name in shown] == [
        {"do": "keep"},
        {"do": "drop"},
        {"do": "keep", "relabel": {"kind": "weed", "depth": "deep"}},
        {"do": "keep", "weight": 2.0},
    ]
