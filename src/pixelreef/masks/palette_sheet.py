"""A palette for people: as a table of what was found out about it, as a picture with names, and as a file.

A class file is read here without asking that its colours differ, since that is what a linter is to find.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ValidationError

from pixelreef.core.palette import Palette, rgb_from_hex
from pixelreef.core.palette_files import (
    gpl_from_palette,
    hex_from_palette,
    json_from_palette,
    pal_from_palette,
    palette_from_bytes,
    palette_kind,
)
from pixelreef.core.strict_json import json_from_bytes
from pixelreef.errors import InputError
from pixelreef.masks.classes import ClassFileFields, classes_from_bytes
from pixelreef.masks.palette_lint import Lint
from pixelreef.report.tables import markdown_table, markdown_text

Named = Mapping[str, tuple[int, int, int]]

_WRITERS = {".hex": hex_from_palette, ".gpl": gpl_from_palette, ".pal": pal_from_palette, ".json": json_from_palette}
_ROW, _SWATCH, _WIDE, _ROWS = 28, 64, 320, 24  # pixels, pixels, pixels, rows of a column


def named_colours(data: bytes, what: str = "palette") -> Named:
    """Name → colour of a class file, or of any palette file, whose colours have numbers.

    >>> named_colours(bytes("000000,ff8800", "ascii").replace(b",", bytes([10])))
    {'0': (0, 0, 0), '1': (255, 136, 0)}
    """
    if palette_kind(data) == "json":
        document = json_from_bytes(data, what)
        if isinstance(document, dict) and ("classes" in document or "format" in document):
            return _of_class_file(document) or _of_classes(data, what)
    palette = palette_from_bytes(data, what)
    return {str(place): (red, green, blue) for place, (red, green, blue) in enumerate(palette.rgb.tolist())}


def lint_text(found: Lint, named: Named) -> str:
    """What was found, and a table of the colours."""
    qualities = list(found.survival)
    rows = [
        [
            markdown_text(name),
            f"#{bytes(named[name]).hex()}",
            *(f"{found.survival[quality][place]:.3f}" for quality in qualities),
        ]
        for place, name in enumerate(found.names)
    ]
    head = ["colour", "hex", *(f"kept by JPEG {quality}" for quality in qualities)]
    table = markdown_table(head, [False, False, *[True] * len(qualities)], rows)
    lines = [f"{one.level}: {one.text}" for one in found.findings] or ["nothing wrong"]
    for near, unit in ((found.oklab, "in OKLab"), (found.rgb, "bytes in sRGB")):
        if near is not None:
            lines.append(f"nearest: {near.first} – {near.second}, {near.distance:.3g} {unit}")
    return f"{table}\n" + "".join(f"{line}\n" for line in lines)


def png_from_colours(named: Named) -> bytes:
    """Swatches with names and hex digits, in columns."""
    import io

    from PIL import Image, ImageDraw, ImageFont

    columns = -(-len(named) // _ROWS)
    image = Image.new("RGB", (columns * _WIDE, min(len(named), _ROWS) * _ROW), (255, 255, 255))
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(15)
    for place, (name, colour) in enumerate(named.items()):
        left, top = place // _ROWS * _WIDE, place % _ROWS * _ROW
        draw.rectangle((left + 3, top + 3, left + _SWATCH, top + _ROW - 3), fill=colour, outline=(128, 128, 128))
        words = f"{name[:22]}  #{bytes(colour).hex()}"
        draw.text((left + _SWATCH + 10, top + 5), words, fill=(16, 34, 43), font=font)
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def palette_file(palette: Palette, ending: str) -> str:
    """The palette as the text of a file with this ending."""
    if ending.lower() not in _WRITERS:
        raise InputError("--out", f"end in {', '.join(_WRITERS)}", ending or "nothing")
    return _WRITERS[ending.lower()](palette)


def _of_class_file(document: object) -> Named | None:
    """The colours of a sound layout; None where something else than a colour is wrong."""
    try:
        fields = ClassFileFields.model_validate(document)
    except ValidationError:
        return None
    found = {one.name: rgb_from_hex(one.colour) for one in fields.classes if one.colour is not None}
    return found if len({one.name for one in fields.classes}) == len(fields.classes) else None


def _of_classes(data: bytes, what: str) -> Named:
    """As the strict reader has it, which says what is wrong."""
    classes = classes_from_bytes(data, what)
    return {one.name: one.colour for one in classes.classes if one.colour is not None}
