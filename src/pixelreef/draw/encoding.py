"""What an encoding is: a way to write a drawing as JSON that a language model can be asked for.

An encoding states its contract for the prompt, gives it as a JSON Schema for constrained decoding, reads it to the
letter, reads it with repairs, and writes the exact text that a perfect model would return. The encodings themselves
are the files of `encodings`; finding the JSON in a reply is the work of `reply`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from pixelreef.core.palette import Palette
from pixelreef.draw.drawing import MAX_COLOURS, MIN_COLOURS, Drawing
from pixelreef.draw.repairs import Log
from pixelreef.errors import InputError

CONTRACT = """\
Reply with one JSON object and nothing else: no Markdown fence, no words before or after it, no comments.
The canvas is 24 cells wide and 24 cells high. Fill every cell; the background is a colour like any other.
If the subject is abstract, draw one concrete scene that stands for it. Do not draw letters, digits or words.
"""
"""What every encoding asks for; each adds its own keys."""


class Encoding(ABC):
    """One way to write a drawing. `palette` is the one named in the prompt, where `palette_given`; else it is None."""

    name: str
    """As typed at the command line."""
    version: int
    """Goes up when the contract, and with it the meaning of a score, changes."""
    keys: tuple[str, ...]
    """The keys of the object, in the order in which a perfect model writes them."""
    palette_given: bool = False
    """Whether the prompt names the palette and the reply holds the cells alone."""

    @abstractmethod
    def instructions(self, palette: Palette | None = None) -> str:
        """The contract in words, for the prompt."""

    @abstractmethod
    def schema(self, palette: Palette | None = None) -> dict[str, Any]:
        """The contract as a JSON Schema, as tight as one can be."""

    def grammar(self, palette: Palette | None = None) -> str | None:
        """The contract as GBNF, where a JSON Schema can't say all of it."""
        return None

    @abstractmethod
    def strict(self, value: Any, palette: Palette | None = None) -> Drawing:
        """Parsed JSON → drawing, to the letter; raises `Failure`."""

    @abstractmethod
    def repair(self, value: Any, palette: Palette | None, log: Log) -> Drawing | None:
        """Parsed JSON → drawing, every repair written to the log; None when there is too little to go on."""

    @abstractmethod
    def encode(self, drawing: Drawing) -> str:
        """The text a perfect model would return; InputError where the encoding can't hold the drawing."""

    def check_palette(self, palette: Palette | None) -> Palette | None:
        """The palette that this encoding reads with: the one given in the prompt, or None where the reply has it."""
        if not self.palette_given:
            return None
        if palette is None or not MIN_COLOURS <= len(palette) <= MAX_COLOURS or palette.transparent is not None:
            rule = f"be given for encoding {self.name!r}, opaque, with {MIN_COLOURS} to {MAX_COLOURS} colours"
            raise InputError("palette", rule, palette)
        return palette


def object_schema(properties: dict[str, Any]) -> dict[str, Any]:
    """The JSON Schema of an object with exactly these keys."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def one_of_each_length(properties: Callable[[int], dict[str, Any]]) -> dict[str, Any]:
    """One alternative for each palette length.

    A schema can't say 'below the length of that list'. Nine alternatives can, and a decoder that follows them can't
    write an index outside the palette.
    """
    return {"anyOf": [object_schema(properties(colours)) for colours in range(MIN_COLOURS, MAX_COLOURS + 1)]}
