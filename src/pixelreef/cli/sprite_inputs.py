"""Sprites named on the command line: one that can't be read is said to be so, and the others are taken."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pixelreef.core.palette import Palette
    from pixelreef.core.sprite import Sprite

Refused = list[dict[str, str]]


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
            print(f"pixelreef: {error}", file=sys.stderr)
            refused.append({"file": str(path), "reason": str(error)})
        else:
            yield path, sprite
