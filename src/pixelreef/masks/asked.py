"""What a run asks for: the options of `pixelreef masks run`, from a recipe and from what was typed over it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Self

from pydantic import Field

from pixelreef.errors import InputError
from pixelreef.masks.adapters import AUTO, adapter_for
from pixelreef.masks.shuffle import MAX_SHUFFLES
from pixelreef.recipes import Options
from pixelreef.runs import edits, google_images

MAX_TOKENS = 8192
"""Of a reply: 1,120 to 4,160 for a picture of 1024², the rest for models that think before they paint."""


class Asked(Options):
    """Every field of a run."""

    command = "masks run"

    models: list[str] = Field(min_length=1)
    dataset: str = "reef-parts"
    root: str | None = None
    n: int | None = Field(None, ge=1)
    size: int | None = Field(None, ge=1)
    attempts: int = Field(1, ge=1, le=100)
    classes: Literal["all", "present"] = "all"
    shuffle: int = Field(0, ge=0, le=MAX_SHUFFLES)
    adapter: str = AUTO
    max_tokens: int = Field(MAX_TOKENS, ge=64)
    reasoning_effort: str | None = None
    temperature: float | None = Field(None, ge=0)
    top_p: float | None = Field(None, ge=0, le=1)
    image: dict[str, str | int] = Field(default_factory=dict)
    """Options of a vendor's image call: `size`, `quality`, … for OpenAI, `aspect_ratio` and `image_size` for Google."""
    seed: int = Field(0, ge=0)

    @classmethod
    def of(cls, recipe_name: str | None, **typed: Any) -> Self:
        """From a recipe, if any, with what was typed in front.

        >>> Asked.of(None, models=["google/gemini-2.5-flash-image"], attempts=3).attempts
        3
        """
        asked = super().of(recipe_name, **typed)
        adapter_for("", asked.adapter)  # checks it
        for name in asked.image:
            if name not in (*edits.OPTIONS, *google_images.OPTIONS):
                known = ", ".join((*edits.OPTIONS, *google_images.OPTIONS))
                raise InputError("option of --image", f"be one of {known}", name)
        return asked

    @property
    def called(self) -> dict[str, str]:
        """The name that Inspect is asked by → the model as typed."""
        return {adapter_for(model, self.adapter).called(model): model for model in self.models}

    @property
    def openai_image(self) -> dict[str, str | int] | None:
        """The options that OpenAI's calls know."""
        return {name: value for name, value in self.image.items() if name in edits.OPTIONS} or None

    def model_args(self, called: str) -> dict[str, str | int]:
        """Options of a model's provider."""
        if not called.startswith(f"{google_images.PROVIDER}/"):
            return {}
        return {name: value for name, value in self.image.items() if name in google_images.OPTIONS}

    @property
    def question(self) -> dict[str, Any]:
        """What must stay the same while a run goes on; models and attempts may be added."""
        return self.model_dump(exclude={"models", "attempts"})


def image_options(typed: Sequence[str]) -> dict[str, str]:
    """`name=value`, again and again, as options.

    >>> image_options(["quality=high", "size=1024x1024"])
    {'quality': 'high', 'size': '1024x1024'}
    """
    for one in typed:
        if not all(one.partition("=")):
            raise InputError("--image", "be name=value", one, "For example --image quality=high.")
    return {name: value for name, _, value in (one.partition("=") for one in typed)}
