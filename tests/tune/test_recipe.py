from __future__ import annotations

from pathlib import Path

import pytest

from pixelreef.errors import InputError
from pixelreef.tune.recipe import Recipe, check_devices, shipped


def test_the_shipped_recipes_are_read() -> None:
    assert shipped() == ["article", "smollm2"]
    assert Recipe.of("tune-article") == Recipe.of("article")
    with pytest.raises(InputError, match="one of article, smollm2, got 'huge'"):
        Recipe.of("huge")


def test_the_article_s_recipe_is_as_it_was_told() -> None:
    told = Recipe.of("article")
    assert (told.model, told.encodings) == ("Qwen/Qwen3-1.7B", ["grid-only"])
    assert (told.rank, told.alpha, told.targets) == (16, 32, ["q_proj", "k_proj", "v_proj", "o_proj"])
    assert (told.dropout, told.rate, told.epochs, told.steps) == (0.05, 1e-5, 5, None)
    assert (told.at_once, told.groups, told.length) == (2, 8, 1024)
    assert (told.warmup, told.patience) == (0.05, 3)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('encodings = ["morse"]', "morse is no encoding"),
        ("batch = 6\nat_once = 4", "must divide the batch"),
        ("rank = 0", "--rank"),
        ("speed = 1", "--speed"),
    ],
)
def test_a_recipe_that_is_wrong_is_one_line(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f'command = "tune run"\n{text}\n')
    with pytest.raises(InputError, match=told):
        Recipe.of(str(file))


def test_a_batch_is_dealt_to_devices_in_whole_parts() -> None:
    check_devices(Recipe.of("article"), 4)
    with pytest.raises(InputError, match="divide the 8 parts of the recipe's batch"):
        check_devices(Recipe.of("article"), 3)
