from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pixelreef.corpus.cells import REEF_FACTORS
from pixelreef.errors import InputError
from pixelreef.sprites.config import Config
from pixelreef.sprites.layers import parameters_of
from pixelreef.sprites.recipe import Recipe, check_devices, shipped
from pixelreef.sprites.scale import parameters, scaled_sizes
from pixelreef.sprites.train import build


def test_the_shipped_recipes_are_read() -> None:
    assert shipped() == ["raster", "reef", "short", "small", "tiny"]
    assert {Recipe.of(name).shape for name in shipped()} == {"raster", "reef"}
    assert Recipe.of("sprites-reef") == Recipe.of("reef")
    with pytest.raises(InputError, match="one of raster, reef, short, small, tiny, got 'huge'"):
        Recipe.of("huge")


def test_what_is_typed_stands_before_the_recipe() -> None:
    assert Recipe.of("tiny", steps=3, seed=None).steps == 3
    assert Recipe.of("tiny", steps=None).steps == Recipe.of("tiny").steps


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("model = {walls = 4}", "walls is no size of a model"),
        ("shape = 'raster'\ncopies = 0.1", "for the shape reef"),
        ("steps = 0", "--steps"),
        ("speed = 1", "--speed"),
    ],
)
def test_a_recipe_that_is_wrong_is_one_line(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f'command = "sprites train"\n{text}\n')
    with pytest.raises(InputError, match=told):
        Recipe.of(str(file))


def config_of(name: str) -> Config:
    fields: dict[str, Any] = {**Recipe.of(name).model}
    return Config(factors=REEF_FACTORS, **fields)


def test_both_shapes_keep_the_budget() -> None:
    reef, raster = (parameters_of(build(config_of(name), Recipe.of(name))) for name in ("reef", "raster"))
    assert reef <= 3_100_000
    assert 2_850_000 <= raster <= 2_950_000


def test_a_batch_is_dealt_to_devices_evenly() -> None:
    check_devices(Recipe.of("tiny"), 4)
    with pytest.raises(InputError, match="divisor of the recipe's batch of 8"):
        check_devices(Recipe.of("tiny"), 3)


def test_a_small_corpus_gets_a_small_model() -> None:
    config = Config(height=16, width=16, colours=32)
    few, many = scaled_sizes(config, 50_000), scaled_sizes(config, 50_000_000)
    assert parameters(few) <= 300_000
    assert many == config
    assert parameters(scaled_sizes(config, 1)) == min(parameters(scaled_sizes(config, 10**n)) for n in range(8))
