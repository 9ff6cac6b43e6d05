"""A recipe: everything that decides a fine-tuning run but the pairs and the model's place. Kept as a file.

Recipe.of("smollm2", steps=20)     one of ours, with what was typed in front
Recipe.of("mine.toml")             a file
"""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, field_validator

from pixelreef.draw.encodings import encodings
from pixelreef.errors import InputError
from pixelreef.recipes import Options, recipe_names

ROOM = "tune"


class Recipe(Options):
    """The fields of a recipe.

    >>> Recipe.of("article").rank, Recipe.of("article").encodings
    (16, ['grid-only'])
    """

    command = "tune run"

    model: str | None = None
    """What is fine-tuned where no --model is given."""
    encodings: list[str] = Field(["rows"], min_length=1)
    """The encodings that are taught."""
    rank: int = Field(16, ge=1, le=1024)
    alpha: float = Field(32.0, gt=0)
    """The adapter counts alpha/rank times."""
    targets: list[str] = Field(["q_proj", "k_proj", "v_proj", "o_proj"], min_length=1)
    """The names of the dense layers that get an adapter."""
    dropout: float = Field(0.05, ge=0, lt=1)
    """Of what goes into the adapter."""
    rate: float = Field(1e-5, gt=0, le=1)
    """The highest learning rate."""
    warmup: float = Field(0.05, ge=0, lt=1)
    """The share of steps in which the rate grows; behind it, it falls along a cosine to 0."""
    decay: float = Field(0.0, ge=0, le=1)
    clip: float = Field(1.0, gt=0)
    """The longest gradient."""
    epochs: float = Field(5.0, gt=0, le=10_000)
    steps: int | None = Field(None, ge=1, le=10_000_000)
    """Instead of what the epochs come to."""
    batch: int = Field(16, ge=1, le=4096)
    """Pairs of a step, on all devices together."""
    at_once: int = Field(2, ge=1, le=4096)
    """Pairs in memory together."""
    length: int = Field(1024, ge=16, le=2**20)
    """The most tokens of a pair."""
    too_long: Literal["refuse", "leave out"] = "refuse"
    look_every: int | None = Field(None, ge=1)
    """Steps between two looks at the pairs held back; once an epoch unless given."""
    looked: int = Field(32, ge=1)
    """At most so many pairs of each encoding that are held back, always the same."""
    patience: int | None = Field(None, ge=1)
    """The run ends after so many looks without a lower loss on pairs held back; the best look's adapter is kept."""
    precision: Literal["float32", "bfloat16"] = "float32"
    """Of the model; the adapter is always in float32."""
    seed: int = Field(0, ge=0)

    @classmethod
    def of(cls, recipe_name: str | None, **typed: Any) -> Self:
        """From a recipe, if any, with what was typed in front; `article` is short for `tune-article`."""
        short = recipe_name and recipe_name.removeprefix(f"{ROOM}-")
        if short in shipped():
            recipe_name = f"{ROOM}-{short}"
        elif recipe_name and not recipe_name.endswith(".toml"):
            raise InputError("--recipe", f"be a .toml file or one of {', '.join(shipped())}", recipe_name)
        return super().of(recipe_name, **typed)

    @field_validator("encodings")
    @classmethod
    def _known(cls, found: list[str]) -> list[str]:
        if unknown := [name for name in found if name not in encodings()]:
            raise ValueError(f"{unknown[0]} is no encoding; known are {', '.join(encodings())}")
        return found

    @field_validator("at_once")
    @classmethod
    def _parts(cls, found: int, info: Any) -> int:
        if info.data.get("batch", found) % found:
            raise ValueError("must divide the batch")
        return found

    @property
    def groups(self) -> int:
        """Of pairs that are in memory together, in a batch."""
        return self.batch // self.at_once


def shipped() -> list[str]:
    """The names of our recipes."""
    return [name.removeprefix(f"{ROOM}-") for name in recipe_names(f"{ROOM}-")]


def check_devices(recipe: Recipe, devices: int) -> None:
    """Refuse a number of processes that a batch can't be dealt to."""
    if devices < 1 or recipe.groups % devices:
        rule = (
            f"divide the {recipe.groups} parts of the recipe's batch ({recipe.batch} pairs, {recipe.at_once} at once)"
        )
        raise InputError("--devices", rule, devices)
