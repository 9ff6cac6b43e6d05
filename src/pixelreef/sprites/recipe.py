"""A recipe: everything that decides a training run but the corpus. Kept as a file; its length is in steps.

Recipe.of("small", steps=400)      one of ours, with what was typed in front
Recipe.of("mine.toml")             a file
"""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, ValidationInfo, field_validator

from pixelreef.errors import InputError
from pixelreef.recipes import Options, recipe_names

ROOM = "sprites"
SIZES = (
    "patch",
    "trunk_width",
    "trunk_layers",
    "heads",
    "pixel_width",
    "pixel_layers",
    "pixel_hidden",
    "window",
    "colour_width",
    "shape_width",
    "shape_layers",
    "shape_heads",
    "shape_row_width",
    "shape_row_layers",
    "shape_row_hidden",
    "shape_window",
    "shape_colour_width",
)
"""What a recipe may set of a configuration; the rest follows from the corpus."""


class Recipe(Options):
    """The fields of a recipe.

    >>> Recipe.of("tiny", steps=5).steps
    5
    """

    command = "sprites train"

    shape: Literal["reef", "raster"] = "reef"
    model: dict[str, int] = Field(default_factory=dict)
    """Sizes of the configuration that differ from the usual ones."""
    scaled: bool = False
    """No more parameters than the corpus can teach."""
    steps: int = Field(6000, ge=1, le=10_000_000)
    batch: int = Field(32, ge=1, le=4096)
    optimiser: Literal["adamw", "muon"] = "adamw"
    """Muon takes the dense layers, and leaves the rest to AdamW."""
    rate: float = Field(2e-3, gt=0, le=1)
    """The highest learning rate."""
    haste: float = Field(1.0, gt=0, le=100)
    """How many times as fast it is learnt what the values of factors mean."""
    warmup: int = Field(100, ge=0)
    """Steps of a rate that grows."""
    decay: float = Field(0.05, ge=0, le=1)
    """Of weights, in dense layers."""
    dropout: float = Field(0.0, ge=0, lt=1)
    """The share of what a layer adds that is left out at random."""
    clip: float = Field(1.0, gt=0)
    """The longest gradient."""
    memory: float = Field(0.998, ge=0, lt=1)
    """Of the running mean of the weights."""
    untold: float = Field(0.1, ge=0, le=1)
    """The share of sprites whose factors are not told, for guidance."""
    plain: float = Field(0.6, ge=0, le=1)
    """The share of sprites drawn with nothing given."""
    flip: bool = False
    """Mirror half of the sprites, where no label speaks against it."""
    ramps: bool = False
    """Exchange ramps of the palette in half of the sprites, where no label goes with colours."""
    shift: int = Field(0, ge=0, le=64)
    """Move sprites by up to so many pixels, as far as there is ground around them; one at an edge stays at it."""
    held: float = Field(0.1, gt=0, lt=1)
    """The share of sprites held back, where the corpus does not say which."""
    validate_every: int = Field(500, ge=1)
    """Steps."""
    validated: int = Field(16, ge=1)
    """At most so many sprites of each cell that are held back, always the same."""
    sheet_every: int = Field(1000, ge=1)
    judge_every: int = Field(0, ge=0)
    """Steps between verdicts of taste, which take minutes; 0: at the end alone."""
    judged: int = Field(64, ge=0, le=1024)
    """Samples of a cell that taste looks at; 0: no verdicts."""
    copies: float | None = Field(None, ge=0, le=1)
    """Stop when the share of samples that copy a sprite is so much above that of the sprites held back."""
    patience: int | None = Field(None, ge=1)
    """Stop after so many looks without a lower loss on sprites held back, and keep the weights of the lowest one."""
    seed: int = Field(0, ge=0)

    @property
    def may_stop(self) -> bool:
        """Whether a look can end a run before its last step."""
        return self.copies is not None or self.patience is not None

    @classmethod
    def of(cls, recipe_name: str | None, **typed: Any) -> Self:
        """From a recipe, if any, with what was typed in front; `reef` is short for `sprites-reef`."""
        short = recipe_name and recipe_name.removeprefix(f"{ROOM}-")
        if short in shipped():
            recipe_name = f"{ROOM}-{short}"
        elif recipe_name and not recipe_name.endswith(".toml"):
            raise InputError("--recipe", f"be a .toml file or one of {', '.join(shipped())}", recipe_name)
        return super().of(recipe_name, **typed)

    @field_validator("scaled", "copies", "patience")
    @classmethod
    def _of_the_shape(cls, found: Any, info: ValidationInfo) -> Any:
        if found not in (None, False) and info.data.get("shape") == "raster":
            raise ValueError("is for the shape reef")
        return found

    @field_validator("model")
    @classmethod
    def _sizes(cls, found: dict[str, int]) -> dict[str, int]:
        if unknown := sorted(set(found) - set(SIZES)):
            raise ValueError(f"{unknown[0]} is no size of a model; known are {', '.join(SIZES)}")
        return found


def shipped() -> list[str]:
    """The names of our recipes."""
    return [name.removeprefix(f"{ROOM}-") for name in recipe_names(ROOM)]


def check_devices(recipe: Recipe, devices: int) -> None:
    """Refuse a number of processes that a batch can't be dealt to."""
    if devices < 1 or recipe.batch % devices:
        raise InputError("--devices", f"be a divisor of the recipe's batch of {recipe.batch}", devices)
