"""What a run asks for: the options of `pixelreef draw run`, from a recipe and from what was typed over it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from pixelreef.recipes import Options

MAX_TOKENS = 8192
"""Of a reply: about 800 for the drawing, the rest for models that think before they draw."""


class Asked(Options):
    """Every field of a run. The defaults are those of the frozen suite.

    >>> Asked.of(None, models=["local/smollm2"], attempts=3).attempts
    3
    """

    command = "draw run"

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
