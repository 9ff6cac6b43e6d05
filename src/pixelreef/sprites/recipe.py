"""A recipe: everything that decides a training run but the corpus. Kept as a file; its length is in steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pixelreef.errors import InputError
from pixelreef.recipes import recipe

COMMAND = "sprites train"


class Recipe(BaseModel):
    """The fields of a recipe; `model` overrides the sizes of the configuration."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    shape: Literal["reef", "raster"] = "reef"
    model: dict[str, int] = Field(default_factory=dict)
    steps: int = Field(6000, ge=1, le=10_000_000)
    batch: int = Field(32, ge=1, le=4096)
    rate: float = Field(2e-3, gt=0, le=1)
    """The highest learning rate."""
    warmup: int = Field(100, ge=0)
    """Steps of a rate that grows."""
    decay: float = Field(0.05, ge=0, le=1)
    """Of weights, in dense layers."""
    clip: float = Field(1.0, gt=0)
    """The longest gradient."""
    memory: float = Field(0.998, ge=0, lt=1)
    """Of the running mean of the weights."""
    untold: float = Field(0.1, ge=0, le=1)
    """The share of sprites whose factors are not told, for guidance."""
    plain: float = Field(0.6, ge=0, le=1)
    """The share of batches drawn row by row with nothing given."""
    flip: bool = False
    """Mirror half of the sprites."""
    ramps: bool = False
    """Exchange ramps of the palette with one another in half of the sprites."""
    validate_every: int = Field(500, ge=1)
    sheet_every: int = Field(1000, ge=1)
    seed: int = Field(0, ge=0)

    @classmethod
    def of(cls, name: str | None, **typed: Any) -> Self:
        """From a recipe's name or file, if any, with what was typed in front."""
        fields: Mapping[str, Any] = recipe(name, COMMAND) if name else {}
        given = {key: value for key, value in typed.items() if value is not None}
        try:
            return cls.model_validate({**fields, **given})
        except ValidationError as error:
            fault = error.errors(include_url=False)[0]
            where = ".".join(str(part) for part in fault["loc"])
            raise InputError(f"{where} of the recipe", f"be right ({fault['msg']})", fault["input"]) from None
