"""The classes of a mask: their names, colours and numbers in the truth, and the file that holds them.

    {"format": "pixelreef-mask-classes", "version": 1, "name": "faces", "truth": "index", "classes": [
      {"name": "background", "colour": "000000"},
      {"name": "left_eye", "colour": "3333ff", "index": 4, "partner": "right_eye"},
      {"name": "right_eye", "colour": "cc00cc", "index": 5, "partner": "left_eye"},
      {"name": "void", "index": 255, "ignore": true}]}

A class without an index has its place in the list, from 0. Classes to be ignored are masked out of the truth before
anything is counted; only they may have no colour. A partner is the same thing on the other side, left for right, and
must name this class as its own. `truth` says whether truth masks hold indices or colours; without it each file is
looked at. Any palette file works too: its colours become `class 0`, `class 1`, …

In memory a mask is a grid of *labels*: the scored classes in order from 0, then `unknown` (a prediction that is no
class), then `void` (truth that is ignored). `docs/mask-classes.schema.json` describes the file for programs.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pixelreef.core.document import described
from pixelreef.core.files import read_bytes
from pixelreef.core.palette import Palette, rgb_from_hex
from pixelreef.core.palette_files import palette_from_bytes, palette_kind
from pixelreef.core.strict_json import json_from_bytes
from pixelreef.errors import DocumentError
from pixelreef.metrics.overlap import MAX_CLASSES

VERSION = 1
FORMAT = "pixelreef-mask-classes"
MAX_INDEX = 2**16 - 1

Kind = Literal["index", "colour"]
_Name = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^\S(.*\S)?$")]
_Colour = Annotated[str, Field(pattern=r"^[0-9A-Fa-f]{6}$")]


class ClassFields(BaseModel):
    """One class."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: _Name = Field(description="What it is called, once in the file.")
    colour: _Colour | None = Field(None, description="Six hex digits, once in the file; needed unless ignored.")
    index: int | None = Field(None, ge=0, le=MAX_INDEX, description="Its number in the truth; its place in the list.")
    ignore: bool = Field(False, description="Masked out of the truth before anything is counted.")
    partner: _Name | None = Field(None, description="The class that is the same thing on the other side.")


class ClassFileFields(BaseModel):
    """A class file, version 1."""

    model_config = ConfigDict(extra="forbid", strict=True, title="Pixelreef mask classes")

    format: Literal["pixelreef-mask-classes"] = Field(description="Says what this file is.")
    version: Literal[1] = Field(description="The version of this layout.")
    name: str = Field("", max_length=200, description="A label for people.")
    truth: Kind | None = Field(None, description="What truth masks hold; without it each file is looked at.")
    classes: list[ClassFields] = Field(
        min_length=1, max_length=MAX_CLASSES, description="In the order of their labels."
    )


@dataclass(frozen=True)
class MaskClass:
    """One class. `colour` is None only where it is ignored and has none."""

    name: str
    colour: tuple[int, int, int] | None
    index: int
    ignore: bool = False
    partner: str | None = None


@dataclass(frozen=True)
class Classes:
    """All classes of a data set, checked: no name, index or colour twice, partners that name each other.

    >>> two = classes_from_palette(Palette.from_hex(["000000", "ff8800"]))
    >>> two.names, two.unknown, two.void
    (('class 0', 'class 1'), 2, 3)
    """

    classes: tuple[MaskClass, ...]
    name: str = ""
    truth: Kind | None = None

    def __post_init__(self) -> None:
        _check(self.classes, self.name or "classes")

    def __len__(self) -> int:
        """How many are scored."""
        return len(self.scored)

    @cached_property
    def scored(self) -> tuple[MaskClass, ...]:
        """Those that are not ignored; the place is the label."""
        return tuple(one for one in self.classes if not one.ignore)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of the scored classes, by label."""
        return tuple(one.name for one in self.scored)

    @cached_property
    def rgb(self) -> NDArray[np.uint8]:
        """(labels, 3): the colours of the scored classes, by label."""
        return np.array([one.colour for one in self.scored], np.uint8)

    @cached_property
    def partners(self) -> tuple[int | None, ...]:
        """For each label that of its left/right partner."""
        return tuple(None if one.partner is None else self.names.index(one.partner) for one in self.scored)

    @property
    def unknown(self) -> int:
        """The label of predicted pixels that are no class."""
        return len(self.scored)

    @property
    def void(self) -> int:
        """The label of truth pixels that are ignored."""
        return len(self.scored) + 1

    @property
    def dtype(self) -> np.dtype[Any]:
        """The smallest type that holds every label."""
        return np.dtype(np.uint8 if self.void < 256 else np.uint16)

    def label(self, name: str) -> int:
        """The label of a scored class.

        >>> classes_from_palette(Palette.from_hex(["000000", "ff8800"])).label("class 1")
        1
        """
        if name not in self.names:
            raise DocumentError("class", "be the name of a scored class", name)
        return self.names.index(name)

    def labels(self, kept: Iterable[MaskClass]) -> NDArray[np.uint16]:
        """The label of each of these classes; `void` for the ignored."""
        place = {one.name: label for label, one in enumerate(self.scored)}
        return np.array([place.get(one.name, self.void) for one in kept], np.uint16)


def schema() -> dict[str, Any]:
    """The JSON Schema of the current version, as published in `docs/`."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **ClassFileFields.model_json_schema()}


def read_classes(path: str | os.PathLike[str]) -> Classes:
    """Read a class file, or any palette file."""
    return classes_from_bytes(read_bytes(path), f"classes {os.fspath(path)!r}")


def classes_from_bytes(data: bytes, what: str = "classes") -> Classes:
    """Read a class file, or any palette file, from bytes; `what` names it in errors."""
    if palette_kind(data) == "json":
        document = json_from_bytes(data, what)
        if isinstance(document, dict) and ("classes" in document or "format" in document):
            return classes_from_fields(document, what)
    return classes_from_palette(palette_from_bytes(data, what), what)


def classes_from_fields(document: Any, what: str = "classes") -> Classes:
    """Read a class file from parsed JSON."""
    try:
        fields = ClassFileFields.model_validate(document)
    except ValidationError as error:
        raise described(error, what) from None
    made = tuple(
        MaskClass(
            one.name,
            None if one.colour is None else rgb_from_hex(one.colour),
            place if one.index is None else one.index,
            one.ignore,
            one.partner,
        )
        for place, one in enumerate(fields.classes)
    )
    _check(made, what)
    return Classes(made, fields.name, fields.truth)


def classes_from_palette(palette: Palette, what: str = "classes") -> Classes:
    """Every colour a class, named by its number."""
    made = tuple(
        MaskClass(f"class {index}", (red, green, blue), index)
        for index, (red, green, blue) in enumerate(palette.rgb.tolist())
    )
    _check(made, what)
    return Classes(made, palette.name)


def json_from_classes(classes: Classes) -> str:
    """The class file as text, one class a line."""
    lines = []
    for one in classes.classes:
        fields: dict[str, Any] = {"name": one.name, "index": one.index}
        if one.colour is not None:
            fields["colour"] = bytes(one.colour).hex()
        if one.ignore:
            fields["ignore"] = True
        if one.partner is not None:
            fields["partner"] = one.partner
        lines.append(json.dumps(fields, ensure_ascii=False))
    head: dict[str, Any] = {"format": FORMAT, "version": VERSION, "name": classes.name}
    if classes.truth:
        head["truth"] = classes.truth
    text = ",\n    ".join(lines)
    return f'{json.dumps(head, ensure_ascii=False)[:-1]},\n  "classes": [\n    {text}\n  ]\n}}\n'


def _check(classes: Sequence[MaskClass], what: str) -> None:
    if not 1 <= len(classes) <= MAX_CLASSES or all(one.ignore for one in classes):
        raise DocumentError(what, f"have 1 to {MAX_CLASSES} classes, one of them scored", len(classes))
    _once([one.name for one in classes], f"{what}: name")
    _once([one.index for one in classes], f"{what}: index")
    _once([bytes(one.colour).hex() for one in classes if one.colour is not None], f"{what}: colour")
    by_name = {one.name: one for one in classes}
    for one in classes:
        if one.colour is None and not one.ignore:
            raise DocumentError(f"{what}: class {one.name!r}", "have a colour, or be ignored", None)
        if one.partner is None:
            continue
        other = by_name.get(one.partner)
        if other is None or other is one or other.partner != one.name or one.ignore or other.ignore:
            rule = "be another scored class that names this one as its partner"
            raise DocumentError(f"{what}: partner of {one.name!r}", rule, one.partner)


def _once(values: Sequence[object], what: str) -> None:
    seen: set[object] = set()
    for value in values:
        if value in seen:
            raise DocumentError(what, "be of one class only", value)
        seen.add(value)
