"""Recipes: the run of every published figure, as a file that ships with the package.

A recipe is TOML. Its `command` says which command it belongs to; its other fields are that command's options. A name
without a path is one of ours, anything else a file.

    recipe("draw-smollm2", "draw run")["models"]
"""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

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
