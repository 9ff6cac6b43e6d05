"""What a run asks for: the options of `pixelreef draw run`, from a recipe and from what was typed over it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pixelreef.errors import InputError
from pixelreef.recipes import recipe

COMMAND = "draw run"
MAX_TOKENS = 8192
"""Of a reply: about 800 for the drawing, the rest for models that think before they draw."""


class Asked(BaseModel):
    """Every field of a run. The defaults are those of the frozen suite."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    models: list[str] = Field(min_length=1)
    subjects: str = "draw-1"
    attempts: int = Field(1, ge=1, le=10_000)
    encoding: str = "rows"
    decoding: list[Literal["free", "constrained"]] = Field(["free"], min_length=1)
    prompts: str = "ours"
    max_tokens: int = Field(MAX_TOKENS, ge=64)
    reasoning_effort: str = "low"
    temperature: float | None = Field(None, ge=0)
    top_p: float | None = Field(None, ge=0, le=1)
    seed: int = Field(0, ge=0)

    @classmethod
    def of(cls, recipe_name: str | None, **typed: Any) -> Self:
        """From a recipe, if any, with what was typed in front.

        >>> Asked.of(None, models=["local/smollm2"], attempts=3).attempts
        3
        """
        fields: Mapping[str, Any] = recipe(recipe_name, COMMAND) if recipe_name else {}
        given = {name: value for name, value in typed.items() if value is not None}
        try:
            return cls.model_validate({**fields, **given})
        except ValidationError as error:
            fault = error.errors(include_url=False)[0]
            name = str(fault["loc"][0]).replace("_", "-")
            option = "--model" if name == "models" else f"--{name}"
            if fault["type"] == "missing":
                raise InputError(option, "be given, or a --recipe", "neither", verbatim=True) from None
            message = str(fault["msg"])
            raise InputError(option, f"be right ({message[:1].lower()}{message[1:]})", fault["input"]) from None
