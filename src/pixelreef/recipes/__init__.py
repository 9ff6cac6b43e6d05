"""Recipes: the run of every published figure, as a file that ships with the package.

A recipe is TOML. Its `command` says which command it belongs to; its other fields are that command's options. A name
without a path is one of ours, anything else a file.

    recipe("draw-smollm2", "draw run")["models"]

A command that takes recipes has a model of its options, a subclass of `Options`.
"""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from pixelreef.core.files import read_bytes
from pixelreef.errors import InputError

MAX_BYTES = 2**20


def recipe_names(room: str) -> list[str]:
    """The recipes of a room (`draw`, `masks`) that ship with the package."""
    names = [file.name for file in resources.files(__name__).iterdir()]
    return sorted(name.removesuffix(".toml") for name in names if name.startswith(room) and name.endswith(".toml"))


def recipe(name: str, command: str) -> dict[str, Any]:
    """The fields of a recipe for a command, without `command` and `about`."""
    known = recipe_names(command.split()[0])
    if name in known:
        text = resources.files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    elif Path(name).suffix == ".toml":
        text = read_bytes(name, MAX_BYTES).decode("utf-8", errors="replace")
    else:
        raise InputError("--recipe", f"be a .toml file or one of {', '.join(known)}", name)
    try:
        fields = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"recipe {name!r}", "be TOML", str(error).splitlines()[0][:100], verbatim=True) from None
    if fields.get("command") != command:
        raise InputError(f"recipe {name!r}", f"be for `pixelreef {command}`", fields.get("command"))
    return {key: value for key, value in fields.items() if key not in ("command", "about")}


class Options(BaseModel):
    """The options of a command, from a recipe and from what was typed over it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    command: ClassVar[str]

    @classmethod
    def of(cls, recipe_name: str | None, **typed: Any) -> Self:
        """From a recipe, if any, with what was typed in front; None is not typed."""
        fields = recipe(recipe_name, cls.command) if recipe_name else {}
        given = {name: value for name, value in typed.items() if value is not None}
        try:
            return cls.model_validate({**fields, **given})
        except ValidationError as error:
            fault = error.errors(include_url=False)[0]
            where = fault["loc"] or ("recipe",)  # a rule about several options is at no one of them
            name = str(where[0]).replace("_", "-")
            option = "--model" if name == "models" else f"--{name}"
            if fault["type"] == "missing":
                raise InputError(option, "be given, or a --recipe", "neither", verbatim=True) from None
            message = str(fault["msg"])
            raise InputError(option, f"be right ({message[:1].lower()}{message[1:]})", fault["input"]) from None
