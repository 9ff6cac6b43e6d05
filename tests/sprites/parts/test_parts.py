"""The labeller of parts: fitted on real sprites, it tells those of others; its file is untrusted."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from pixelreef.core.palette import Palette
from pixelreef.core.reef import reef_palette
from pixelreef.corpus.cells import REEF_FACTORS
from pixelreef.corpus.parts import PARTS
from pixelreef.corpus.reef.make import make_reef
from pixelreef.corpus.store import open_corpus, write_corpus
from pixelreef.errors import FileError, InputError
from pixelreef.sprites.parts.fit import accuracy, fit
from pixelreef.sprites.parts.labeller import Labeller, labeller_from, labeller_from_bytes, write_labeller
from pixelreef.sprites.parts.view import WIDTH, view


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("parts") / "reef.parquet"
    write_corpus(path, make_reef(3, 10), REEF_FACTORS, {"by": "make"})
    return path


@pytest.fixture(scope="module")
def small(corpus: Path) -> Labeller:
    return fit(open_corpus(corpus), each=8, rounds=2)


def test_a_view_does_not_depend_on_the_palette_but_by_lightness_and_ramps() -> None:
    entry = next(iter(make_reef(0, 1)))
    seen = view(entry.cells, entry.palette)
    filled = int((entry.cells != 0).sum())
    assert seen.shape == (filled, WIDTH)
    order = np.r_[0, np.arange(len(entry.palette) - 1, 0, -1)]
    turned = Palette(entry.palette.rgb[order], 0)
    places = np.argsort(order).astype(np.uint8)
    # Another order of the same colours, whose ramps are found and not declared.
    assert np.abs(view(places[entry.cells], turned) - seen).mean() < 0.02
    assert view(np.zeros((4, 4), np.uint8), entry.palette).shape == (0, WIDTH)


def test_a_small_fit_knows_more_than_the_commonest_part(small: Labeller, corpus: Path) -> None:
    found = small.facts["accuracy"]
    counts = np.zeros(len(PARTS))
    for entry in open_corpus(corpus):
        assert entry.parts is not None
        counts += np.bincount(entry.parts[entry.cells != 0], minlength=len(PARTS)) / (entry.cells != 0).sum()
    assert found["told"] > counts.max() / counts.sum() + 0.1
    assert small.facts["corpus"] == open_corpus(corpus).hash
    assert small.facts["held"] >= 30


def test_the_shipped_labeller_is_as_good_as_its_card_says() -> None:
    """On sprites of a seed that it was not fitted on."""
    shipped = labeller_from(None)
    found = accuracy(shipped, make_reef(11, 4))
    said = shipped.facts["accuracy"]
    assert found.told > 0.78
    assert found.told == pytest.approx(said["told"], abs=0.05)
    assert found.untold == pytest.approx(said["untold"], abs=0.05)
    assert found.sure > 0.82
    assert found.unsure_share < 0.3


def test_it_is_unsure_of_what_is_no_creature() -> None:
    shipped = labeller_from(None)
    random = np.random.default_rng(0)
    noise = random.integers(1, 64, (32, 32)).astype(np.uint8)
    assert shipped.label(noise, reef_palette()).sure == 0
    y, x = np.mgrid[:32, :32] - 16
    noise[y**2 + x**2 > 100] = 0
    assert shipped.label(noise, reef_palette()).unsure
    blank = shipped.label(np.zeros((32, 32), np.uint8), reef_palette())
    assert blank.unsure
    assert not blank.labels.any()


def test_labels_cover_the_sprite_and_nothing_else(small: Labeller) -> None:
    entry = next(iter(make_reef(0, 1)))
    found = small.label(entry.cells, entry.palette, entry.factors)
    assert ((found.labels > 0) == (entry.cells != 0)).all()
    assert 0 < found.sure <= 1
    assert set(found.names()) <= set(PARTS[1:])


def test_a_file_keeps_it(small: Labeller, tmp_path: Path) -> None:
    again = labeller_from(write_labeller(tmp_path / "parts.safetensors", small))
    assert (again.factors, again.facts) == (small.factors, json.loads(json.dumps(small.facts)))
    for entry in make_reef(5, 1):
        one, other = (each.label(entry.cells, entry.palette, entry.factors) for each in (small, again))
        assert (one.labels == other.labels).mean() > 0.99  # float16


def test_a_wrong_file_is_one_line(small: Labeller, tmp_path: Path) -> None:
    from safetensors.numpy import load, save

    data = write_labeller(tmp_path / "parts.safetensors", small).read_bytes()
    document = {
        "format": "pixelreef-parts",
        "version": 1,
        "hidden": [128, 64],
        "factors": {"category": ["fish"]},
        "parts": list(PARTS),
    }
    arrays = load(data)
    for change, words in (
        ({"format": "other"}, "be a labeller of parts"),
        ({"version": 9}, "be of version 1"),
        ({"hidden": [128]}, "have two hidden layers"),
        ({"hidden": [True, 64]}, "have two hidden layers"),
        ({"factors": {"a": [1]}}, "have factors with their values"),
        ({"parts": ["none"]}, "know the parts of this version"),
        ({}, "be \\(.*\\) in float16"),
    ):
        text = json.dumps({**document, **change})
        with pytest.raises(FileError, match=words):
            labeller_from_bytes(save(arrays, {"pixelreef": text}))
    with pytest.raises(FileError, match="be a safetensors file"):
        labeller_from_bytes(data[:100])


def test_a_corpus_without_parts_is_refused(tmp_path: Path) -> None:
    from dataclasses import replace

    entries = [replace(entry, parts=None) for entry in make_reef(0, 2)]
    write_corpus(tmp_path / "bare.parquet", entries, REEF_FACTORS, {"by": "make"})
    with pytest.raises(InputError, match="have several sprites with parts"):
        fit(open_corpus(tmp_path / "bare.parquet"))
