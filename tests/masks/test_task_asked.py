"""The options of a run, its recipes, its plan, and the figures of others."""

from __future__ import annotations

from pathlib import Path

import pytest

from pixelreef.errors import InputError
from pixelreef.masks.asked import Asked, image_options
from pixelreef.masks.find import find_dataset
from pixelreef.masks.theirs import MARK, PUBLISHED, published_rows
from pixelreef.recipes import recipe_names
from pixelreef.runs.prices import Prices, load_prices


def test_every_recipe_is_one_that_the_code_takes() -> None:
    names = recipe_names("masks")
    assert len(names) >= 4
    for name in names:
        asked = Asked.of(name)
        assert find_dataset(asked.dataset).classes
        assert all(load_prices().of(model) for model in asked.models)


def test_pixelarenas_settings_are_in_its_recipes() -> None:
    gemini = Asked.of("masks-pixelarena-gemini-3-pro")
    assert (gemini.temperature, gemini.top_p, gemini.attempts, gemini.n) == (1.0, 0.95, 5, 150)
    assert gemini.model_args("google-image/gemini-3-pro-image-preview") == {"aspect_ratio": "1:1", "image_size": "1K"}
    assert gemini.openai_image is None
    gpt = Asked.of("masks-pixelarena-gpt-image-1")
    assert gpt.openai_image == {"size": "1024x1024", "quality": "high", "input_fidelity": "high"}
    assert gpt.called == {"openai-edit/gpt-image-1": "openai/gpt-image-1"}
    assert {Asked.of(name).dataset for name in recipe_names("masks-pixelarena")} == {"celebamask-hq"}


def test_what_is_typed_stands_before_the_recipe() -> None:
    asked = Asked.of("masks-reef-shuffled", attempts=1, shuffle=None)
    assert (asked.attempts, asked.shuffle) == (1, 3)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "--model must be given, or a --recipe"),
        ({"models": ["a/b"], "classes": "some"}, "--classes must be right"),
        ({"models": ["a/b"], "shuffle": 99}, "--shuffle must be right"),
        ({"models": ["a/b"], "adapter": "loud"}, "--adapter must be auto or one of"),
        ({"models": ["a/b"], "image": {"colour": "red"}}, "option of --image must be one of size"),
    ],
)
def test_faults_are_one_line(fields: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Asked.of(None, **fields)


@pytest.mark.parametrize("typed", ["quality", "=high", "quality="])
def test_image_options_have_name_and_value(typed: str) -> None:
    with pytest.raises(InputError, match="--image must be name=value"):
        image_options([typed])


def test_figures_of_others_are_marked_as_theirs() -> None:
    rows = published_rows()
    assert len(rows) == len(PUBLISHED)
    assert all(MARK in row["source"] and "2512.16303" in row["source"] for row in rows)
    assert {row["figure"] for row in published_rows("celebamask-hq")} == {"0.708", "0.081", "+10%"}


@pytest.mark.inspect
def test_the_plan_counts_calls_and_money_and_asks_nothing() -> None:
    from pixelreef.masks.run import plan_masks

    asked = Asked.of(None, models=["openai/gpt-image-1", "x/y"], n=2, size=64, attempts=3, shuffle=1, max_tokens=1000)
    plan = plan_masks(asked)
    assert plan.calls == 2 * 2 * 3 * 2
    assert plan.unknown == ("x/y",)
    lines = [line for line in plan.lines if line.most]
    assert all(line.output_tokens == 6000 for line in lines)
    assert all(line.input_tokens > 2 * 1500 * 6 for line in lines)  # two pictures each
    assert plan.most == pytest.approx(sum(10 * line.input_tokens + 40 * 6000 for line in lines) / 1e6)


@pytest.mark.inspect
def test_a_cost_limit_needs_a_price(tmp_path: Path) -> None:
    from pixelreef.masks.run import run_masks

    asked = Asked.of(None, models=["openai/gpt-image-1"], n=1, size=64)
    with pytest.raises(InputError, match="--max-cost must be used with models whose price is known"):
        run_masks(asked, tmp_path, max_cost=1.0, prices=Prices("x", {}), note=lambda line: None)


@pytest.mark.inspect
@pytest.mark.parametrize("text", ["[]", '{"version": 1}', '{"version": 1, "question": {}, "models": ["x"]}', "junk"])
def test_a_folder_whose_question_cant_be_read_is_refused(tmp_path: Path, text: str) -> None:
    from pixelreef.masks.run import run_masks

    (tmp_path / "asked.json").write_text(text)
    with pytest.raises(InputError, match=r"asked\.json"):
        run_masks(Asked.of(None, models=["openai/gpt-image-1"], n=1, size=64), tmp_path, note=lambda line: None)
