"""File names for many things in one folder, no two alike.

>>> names = FileNames("sprite")
>>> names.of("Moon jelly"), names.of("moon jelly"), names.of("")
('moon-jelly', 'moon-jelly-2', 'sprite')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pixelreef.core.files import safe_name

Stems = Callable[[str], Iterable[str]]


def _alone(name: str) -> Iterable[str]:
    return (name,)


class FileNames:
    """Hands out names such that no file of one thing is named like one of another."""

    def __init__(self, fallback: str = "item", taken: Iterable[str] = ()) -> None:
        """`fallback` is for texts of which no sign is left; `taken` are never handed out."""
        self.fallback, self.taken = fallback, set(taken)

    def of(self, text: str, stems: Stems = _alone) -> str:
        """A name from any text; `stems` are those of all files that a thing of a name has."""
        plain = name = safe_name(text, self.fallback)
        number = 1
        while self.taken & (own := {name, *stems(name)}):
            number += 1
            name = f"{plain}-{number}"
        self.taken |= own
        return name
