"""Sprites named on the command line: one that can't be read is said to be so, and the others are taken.

And the end of a command that made something of each: a sheet of all, and what was done.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pixelreef.core.file_names import FileNames
    from pixelreef.core.palette import Palette
    from pixelreef.core.sprite import Sprite

Refused = list[dict[str, str]]
SHEET = "sheet.png"


def _file_names() -> FileNames:
    from pixelreef.core.file_names import FileNames

    return FileNames("sprite", {SHEET.removesuffix(".png")})


@dataclass
class Made:
    """What a command made of the sprites it was given."""

    records: list[dict[str, Any]] = field(default_factory=list)
    rows: list[list[NDArray[np.uint8]]] = field(default_factory=list)
    """Of the sheet: RGBA pictures."""
    names: list[str] = field(default_factory=list)
    """One for each row."""
    refused: Refused = field(default_factory=list)
    files: FileNames = field(default_factory=_file_names)

    def end(self, out: Path, said: str, as_json: bool) -> None:
        """Write the sheet, print what was `said` or the records, and leave with 2 where a file was refused."""
        from pixelreef.core.files import write_bytes
        from pixelreef.core.render import png_from_rgba
        from pixelreef.core.sheet import contact_sheet

        if self.rows:
            write_bytes(out / SHEET, png_from_rgba(contact_sheet(self.rows, self.names, scale=3)))
        if as_json:
            document = {"sheet": str(out / SHEET), "sprites": self.records, "refused": self.refused}
            print(json.dumps(document, indent=2))
        elif self.rows:
            print(f"{out}: {said}, and {SHEET}")
        if self.refused:
            raise typer.Exit(2)


def count_of(number: int, thing: str) -> str:
    """A number with its noun.

    >>> count_of(1, "sprite"), count_of(4096, "sprite")
    ('1 sprite', '4,096 sprites')
    """
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def sprites_from_paths(
    paths: Sequence[Path], refused: Refused, palette: Palette | None = None
) -> Iterator[tuple[Path, Sprite]]:
    """Every file that is a sprite; the others are added to `refused`, with a line each on stderr."""
    from pixelreef.core.sprite_files import sprite_from_file
    from pixelreef.errors import InputError

    for path in paths:
        try:
            sprite = sprite_from_file(path, palette)
        except InputError as error:
            refuse(path, error, refused)
        else:
            yield path, sprite


def refuse(path: Path, error: Exception, refused: Refused) -> None:
    """Keep a file among those that are not taken, and say so."""
    print(f"pixelreef: {error}", file=sys.stderr)
    refused.append({"file": str(path), "reason": str(error)})
