"""Sampling by cell: the same sprites whatever is drawn beside them, and clear words about cells."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from sprite_models import TWO, perturbed, small_config, weights

from pixelreef.core.document import read_sprite
from pixelreef.core.images import image_from_bytes, read_image
from pixelreef.corpus.store import open_corpus
from pixelreef.errors import InputError
from pixelreef.sprites.choose import Sampling
from pixelreef.sprites.completion import given_from_picture, silhouette_from_picture
from pixelreef.sprites.sample import Sample, Sampler
from pixelreef.sprites.sheets import sheet, sweep_sheet
from pixelreef.sprites.weights import Weights
from pixelreef.sprites.write import Order, write_samples

CELLS = ["fish/top", "fish/middle", "fish/deep", "coral/top", "coral/middle", "coral/deep"]


@pytest.fixture(scope="module")
def model() -> Weights:
    return weights(
        perturbed(small_config()), verdicts={"fish/top": "learned", "fish/deep": "noise", "coral/top": "weak"}
    )


@pytest.fixture(scope="module")
def sampler(model: Weights) -> Sampler:
    return Sampler(model, threads=1)


def grids(samples: list[Sample]) -> list[bytes]:
    return [one.cells.tobytes() for one in samples]


def test_the_first_sprites_are_the_same_whatever_is_drawn_beside_them(sampler: Sampler) -> None:
    many = list(sampler.sample("fish/deep", 20, seed=3))
    assert [one.number for one in many] == list(range(20))
    assert len(set(grids(many))) > 10
    beside = [one for one in sampler.sample_cells(CELLS, 3, seed=3) if one.cell == "fish/deep"]
    assert grids(beside) == grids(many[:3])
    assert grids(list(sampler.sample("fish/deep", 1, seed=3))) == grids(many[:1])
    assert grids(list(sampler.sample("fish/deep", 5, seed=3, first=7))) == grids(many[7:12])
    assert grids(list(sampler.sample("fish/deep", 3, seed=4))) != grids(many[:3])
    assert grids(list(sampler.sample({"zone": "deep", "category": "fish"}, 3, seed=3))) == grids(many[:3])


def test_samples_say_what_they_are(sampler: Sampler) -> None:
    (one,) = sampler.sample("coral/top", 1)
    assert (one.cell, one.number, one.factors) == ("coral/top", 0, {"category": "coral", "zone": "top"})
    found = sampler.engine.likelihood(one.cells[None], np.array([[1, 0]]))
    assert one.likelihood == pytest.approx(float(found.total[0]), abs=1e-3)
    assert one.bits == pytest.approx(-one.likelihood / np.log(2) / 256)
    (other,) = sampler.sample({"zone": "top"}, 1)
    assert (other.cell, other.factors) == ("*/top", {"zone": "top"})


def test_cells_in_their_order_and_by_pattern(sampler: Sampler) -> None:
    assert list(sampler.cells()) == sampler.cells_from(["all"]) == CELLS
    assert sampler.cells_from(["*/deep", "fish/*"]) == ["fish/deep", "coral/deep", "fish/top", "fish/middle"]
    assert [one.cell for one in sampler.sample_cells(["coral/top", "fish/top"], 2)] == ["coral/top"] * 2 + [
        "fish/top"
    ] * 2


@pytest.mark.parametrize("wrong", ["shark/top", "fish", "fish/top/more", "", "top/fish"])
def test_unknown_cells_are_refused_with_the_known_ones(wrong: str, sampler: Sampler) -> None:
    with pytest.raises(InputError, match=r"must be a cell of these weights.*They know fish/top, fish/middle,"):
        sampler.cells_from([wrong])
    with pytest.raises(InputError, match="be a cell of these weights"):
        sampler.sample(wrong, 1)


def test_unknown_factors_patterns_and_counts_are_refused(sampler: Sampler) -> None:
    with pytest.raises(InputError, match="factor must be one of category, zone, got 'size'"):
        sampler.sample({"size": "large"}, 1)
    with pytest.raises(InputError, match="factor zone must be one of top, middle, deep"):
        sampler.sample({"zone": "sky"}, 1)
    with pytest.raises(InputError, match="match a cell"):
        sampler.cells_from(["shark/*"])
    with pytest.raises(InputError, match="--n must be at least 0"):
        sampler.sample("fish/top", -1)


def test_a_model_without_factors_has_one_cell() -> None:
    sampler = Sampler(weights(perturbed(small_config(factors={})), transparent=None))
    assert list(sampler.cells()) == sampler.cells_from(["all"]) == ["all"]
    (one,) = sampler.sample("all", 1, sampling=Sampling(guidance=3))
    assert (one.cell, one.factors) == ("all", {})


def test_names_with_a_stroke_and_too_many_cells() -> None:
    names = {"kind": ("a", "a/b"), "size": ("c", "b/c")}
    sampler = Sampler(weights(perturbed(small_config(factors=names))))
    assert sampler.factors_from("a/b/b/c") == {"kind": "a/b", "size": "b/c"}
    huge = {str(place): tuple(map(str, range(200))) for place in range(3)}
    sampler = Sampler(weights(perturbed(small_config(factors=huge))))
    with pytest.raises(InputError, match="one by one"):
        sampler.cells_from(["all"])
    assert sampler.cells_from(["1/2/3"]) == ["1/2/3"]
    with pytest.raises(InputError, match="0/0/39, …"):
        sampler.cells_from(["nothing"])


def test_failing_cells_are_known(sampler: Sampler) -> None:
    assert {cell: word for cell in CELLS if (word := sampler.failing(cell))} == {"fish/deep": "noise"}
    odd = weights(perturbed(small_config()), verdicts=["noise"])
    assert Sampler(odd).failing("fish/deep") is None


def png(rgba: NDArray[np.uint8]) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(rgba).save(buffer, "PNG")
    return buffer.getvalue()


def test_a_picture_is_completed_where_it_is_transparent(model: Weights, sampler: Sampler) -> None:
    (before,) = sampler.sample("fish/top", 1)
    rgba = model.palette.rgba[before.cells].copy()
    rgba[:, 8:] = 0
    kept = given_from_picture(image_from_bytes(png(rgba)), model)
    mask = kept.codes != model.config.unknown
    assert (mask[:, :8] == (before.cells[:, :8] != 0)).all()
    assert not mask[:, 8:].any()
    for one in sampler.sample("coral/top", 6, given=kept):
        assert (one.cells[mask] == before.cells[mask]).all()
    light = np.zeros((16, 16, 4), np.uint8)
    light[:, 8:] = 255
    masked = given_from_picture(
        image_from_bytes(png(model.palette.rgba[before.cells])), model, image_from_bytes(png(light))
    )
    for one in sampler.sample("coral/top", 6, given=masked):
        assert (one.cells[:, 8:] == before.cells[:, 8:]).all()
    with pytest.raises(InputError, match="--given must be a picture of 16 × 16 pixels, got 8 × 16"):
        given_from_picture(image_from_bytes(png(rgba[:, :8])), model)


def test_a_silhouette_is_kept(model: Weights, sampler: Sampler) -> None:
    rgba = np.zeros((16, 16, 4), np.uint8)
    rgba[3:12, 5:14] = 255
    kept = silhouette_from_picture(image_from_bytes(png(rgba)), model)
    for one in sampler.sample("fish/top", 6, given=kept):
        assert ((one.cells != 0) == (rgba[..., 3] > 0)).all()


def test_files_can_be_read_again(model: Weights, sampler: Sampler, tmp_path: Path) -> None:
    order = Order(model, 5, Sampling(temperature=0.9), documents=True, corpus=True)
    cells = ["fish/top", "coral/deep"]
    written = list(write_samples(sampler.sample_cells(cells, 3, 5, order.sampling), tmp_path, order))
    assert [path.name for _, path in written[2:4]] == ["fish-top-0002.png", "coral-deep-0000.png"]
    corpus = open_corpus(tmp_path / "samples.parquet")
    assert dict(corpus.factors) == TWO
    assert list(corpus.cells()) == cells
    for (sample, path), entry in zip(written, corpus, strict=True):
        picture = read_image(path)
        assert picture.indices is not None
        assert (picture.indices == sample.cells).all()
        sprite = read_sprite(path.with_suffix(".json"))
        assert (sprite.grid.cells == sample.cells).all()
        assert sprite.lineage["number"] == sample.number
        assert (entry.cells == sample.cells).all()
        assert entry.factors == sample.factors
    assert read_image(tmp_path / "sheet.png").width > 100


def test_sheets_are_a_table_when_all_cells_of_two_factors_are_there(model: Weights, sampler: Sampler) -> None:
    drawn = {cell: list(sampler.sample(cell, 2)) for cell in CELLS}
    tile = 96
    whole = sheet(drawn, model.config, model.palette, "all")
    assert whole.shape[1] > 6 * tile > whole.shape[0] > 2 * tile  # two rows of three zones with two each
    rows = sheet({cell: drawn[cell] for cell in CELLS[:5]}, model.config, model.palette, "some")
    assert rows.shape[0] > 5 * tile > rows.shape[1] > 2 * tile
    swept = sweep_sheet({0.5: drawn, 1.0: drawn}, model.palette, "swept")
    assert swept.shape[0] > 6 * tile > swept.shape[1] > 4 * tile
