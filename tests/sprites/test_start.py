from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from sprites.small_corpora import lecture, reef_corpus, squares, tiny

from pixelreef.core.palette import Palette
from pixelreef.core.seeds import rng
from pixelreef.corpus.store import open_corpus
from pixelreef.errors import InputError
from pixelreef.sprites.config import Config
from pixelreef.sprites.lecture import Material, lecture_from_corpus
from pixelreef.sprites.start import arrays_from_weights, read_start, sizes_of
from pixelreef.sprites.train import build, sprite_bits, train
from pixelreef.sprites.weights import Weights, shapes, weights_from

PALETTE = Palette.from_hex(["000000", "800000", "008000", "000080", "808080", "ffffff"], transparent=0)
CONFIG = Config(
    height=8, width=8, colours=6, factors={"kind": ("a", "b"), "place": ("x",)},
    ramps=((0, 0), (1, 1), (2, 1), (3, 1), (4, 1), (4, 2)), **tiny().model,
)  # fmt: skip


@pytest.fixture
def old() -> Weights:
    random = rng(0, "weights")
    arrays = {name: random.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes(CONFIG).items()}
    return Weights(CONFIG, PALETTE, arrays)


def bits(config: Config, arrays: dict[str, np.ndarray], grids: np.ndarray, factors: np.ndarray) -> np.ndarray:
    return sprite_bits(build(config, tiny(), arrays), Material(grids, factors), config)


def untold(config: Config, count: int) -> np.ndarray:
    return np.array([[len(values) for values in config.factors.values()]] * count, np.intp).reshape(count, -1)


@pytest.mark.parametrize("factors", [{}, {"size": ("s", "m", "l")}, {"a": ("x",), "b": ("y", "z"), "c": ("w",)}])
def test_what_was_known_untold_stays_known(old: Weights, factors: dict[str, tuple[str, ...]]) -> None:
    new = replace(CONFIG, factors=factors)
    grids = rng(0, "grids").integers(0, 6, (4, 8, 8)).astype(np.uint8)
    before = bits(CONFIG, dict(old.arrays), grids, untold(CONFIG, 4))
    after = bits(new, arrays_from_weights(old, new, PALETTE, 0), grids, untold(new, 4))
    assert after == pytest.approx(before, rel=1e-4)


def test_values_of_the_same_name_cost_the_same(old: Weights) -> None:
    new = replace(CONFIG, factors={"Place": ("new", "X"), "sort": ("B", "c", "A")})
    grids = rng(0, "grids").integers(0, 6, (4, 8, 8)).astype(np.uint8)
    before = bits(CONFIG, dict(old.arrays), grids, np.array([[1, 0], [0, 0], [0, 1], [2, 0]]))
    arrays = arrays_from_weights(old, new, PALETTE, 0)
    after = bits(new, arrays, grids, np.array([[1, 0], [1, 2], [2, 2], [1, 3]]))
    assert after == pytest.approx(before, rel=1e-4)
    untold, fresh = (arrays["shape.factors.0"][row] for row in (2, 0))
    assert 0 < np.abs(fresh - untold).max() < 0.2  # a new name begins near what is known untold


def test_colours_in_another_order_cost_the_same(old: Weights) -> None:
    order = np.array([0, 5, 3, 1, 4, 2])  # new place → old place
    palette = Palette(PALETTE.rgb[order], 0)
    new = replace(CONFIG, ramps=None)
    grids = rng(0, "grids").integers(0, 6, (4, 8, 8)).astype(np.uint8)
    before = bits(CONFIG, dict(old.arrays), order[grids].astype(np.uint8), untold(CONFIG, 4))
    after = bits(new, arrays_from_weights(old, new, palette, 0), grids, untold(new, 4))
    assert after == pytest.approx(before, rel=1e-4)


def test_colours_with_one_nearest_share_its_odds(old: Weights) -> None:
    palette = Palette.from_hex([*PALETTE.hex(), "fefefe"], transparent=0)
    new = replace(CONFIG, colours=7, ramps=None)
    arrays = arrays_from_weights(old, new, palette, 0)
    odds, before = arrays["colours.out.bias"], old.arrays["colours.out.bias"]
    assert odds[5] == odds[6] == pytest.approx(before[5] - np.log(2))
    assert odds[4] == before[4]


def test_another_size_takes_the_same_parts_of_the_picture(old: Weights) -> None:
    new = replace(CONFIG, height=16, width=4)
    arrays = arrays_from_weights(old, new, PALETTE, 0)
    for painter in ("shape", "colours"):
        assert np.array_equal(arrays[f"{painter}.row"], old.arrays[f"{painter}.row"][[0, 0, 1, 1]])
        assert np.array_equal(arrays[f"{painter}.column"], old.arrays[f"{painter}.column"][[1]])
        wide = arrays[f"{painter}.begin"].shape[1]
        seen, before = arrays[f"{painter}.whole.weight"], old.arrays[f"{painter}.whole.weight"]
        np.testing.assert_allclose(
            seen.reshape(wide, 16, 4, 3), before.reshape(wide, 8, 8, 3).repeat(2, axis=1)[:, :, 1::2], rtol=1e-6
        )


def test_another_patch_is_refused(old: Weights) -> None:
    with pytest.raises(InputError, match="patch of the model must be 4 as in --from"):
        arrays_from_weights(old, replace(CONFIG, patch=2), PALETTE, 0)


def test_a_raster_recipe_can_not_begin_with_weights(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="shape reef"):
        read_start(tmp_path, tiny(shape="raster"))


def test_the_shipped_weights_are_begun_with_by_name() -> None:
    assert read_start("shipped", tiny()).facts == weights_from(None).facts


def test_a_run_begins_where_another_ended(tmp_path: Path) -> None:
    torch.manual_seed(0)
    recipe = tiny(steps=40, rate=5e-3)
    first = train(lecture(tmp_path, recipe), recipe, tmp_path / "first")
    before = read_start(tmp_path / "first", recipe)
    corpus = reef_corpus(tmp_path / "again.parquet")
    again = tiny(steps=1, rate=1e-5, scaled=True)
    found = lecture_from_corpus(open_corpus(corpus), again, sizes_of(before.config))
    start = arrays_from_weights(before, found.config, found.palette, 0)
    second = train(found, again, tmp_path / "second", start=start)
    anew = train(lecture_from_corpus(open_corpus(corpus), tiny(steps=1)), tiny(steps=1), tmp_path / "anew")
    assert abs(second.look.loss - first.look.loss) < 0.5 * (anew.look.loss - first.look.loss)


def test_a_foreign_corpus_begins_with_ours(tmp_path: Path) -> None:
    recipe = tiny(steps=1)
    train(lecture(tmp_path, recipe), recipe, tmp_path / "run")
    before = read_start(tmp_path / "run", recipe)
    found = lecture_from_corpus(open_corpus(squares(tmp_path / "s.parquet")), recipe, sizes_of(before.config))
    start = arrays_from_weights(before, found.config, found.palette, 0)
    assert train(found, recipe, tmp_path / "mine", start=start).look.step == 1
