"""Contact sheets: many small pictures on one, at an integer scale, with labels.

Labels are set in Pillow's built-in bitmap font, so a sheet is the same bytes wherever it is made.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from pixelreef.core.render import enlarged
from pixelreef.errors import ImageError

MAX_PIXELS = 2**27
_INK, _FAINT, _PAPER, _CELL = (222, 230, 236), (130, 146, 160), (13, 20, 29), (22, 32, 44)
_GAP, _MARGIN, _LINE = 4, 10, 14


def contact_sheet(
    rows: Sequence[Sequence[NDArray[np.uint8]]],
    row_labels: Sequence[str] = (),
    column_labels: Sequence[str] = (),
    title: str = "",
    scale: int = 2,
    columns_per_label: int = 1,
) -> NDArray[np.uint8]:
    """Rows of RGBA pictures (H, W, 4) → one RGB picture. Every cell is as large as the largest picture.

    With `columns_per_label` n, each column label spans n pictures, and a wider gap sets the groups apart.
    """
    pictures = [picture for row in rows for picture in row]
    if not pictures:
        raise ImageError("contact sheet", "have at least one picture", 0)
    cell_h, cell_w = (scale * max(picture.shape[axis] for picture in pictures) for axis in (0, 1))
    columns = max(len(row) for row in rows)
    left = _MARGIN + (max(_width(label) for label in row_labels) + 2 * _GAP if row_labels else 0)
    top = _MARGIN + (_LINE + _GAP if title else 0) + (_LINE if column_labels else 0)
    xs = [
        left + i * (cell_w + _GAP) + (i // columns_per_label) * 2 * _GAP * (columns_per_label > 1)
        for i in range(columns)
    ]
    ys = [top + i * (cell_h + _GAP) for i in range(len(rows))]
    width = max(xs[-1] + cell_w + _MARGIN, _width(title) + 2 * _MARGIN)
    height = ys[-1] + cell_h + _MARGIN
    if width * height > MAX_PIXELS:
        raise ImageError("contact sheet", f"have at most {MAX_PIXELS:,} pixels", f"{width} × {height}", verbatim=True)
    sheet = np.empty((height, width, 3), np.uint8)
    sheet[:] = _PAPER
    for y, row in zip(ys, rows, strict=True):
        for x, picture in zip(xs, row, strict=False):
            _paste(sheet[y : y + cell_h, x : x + cell_w], picture, scale)
    return _lettered(
        sheet,
        title,
        [(label, x) for label, x in zip(column_labels, xs[::columns_per_label], strict=False)],
        [(label, y + cell_h // 2) for label, y in zip(row_labels, ys, strict=False)],
        top,
    )


def beside(sheets: Sequence[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """Sheets (H, W, 3) side by side, their tops in line, on the same paper."""
    height = max(sheet.shape[0] for sheet in sheets)
    whole = np.empty((height, sum(sheet.shape[1] for sheet in sheets), 3), np.uint8)
    whole[:] = _PAPER
    left = 0
    for sheet in sheets:
        whole[: sheet.shape[0], left : left + sheet.shape[1]] = sheet
        left += sheet.shape[1]
    return whole


def _paste(cell: NDArray[np.uint8], picture: NDArray[np.uint8], scale: int) -> None:
    """Put a picture in the middle of its cell, over the cell's own shade."""
    cell[:] = _CELL
    big = enlarged(picture, scale)
    y, x = (cell.shape[0] - big.shape[0]) // 2, (cell.shape[1] - big.shape[1]) // 2
    place = cell[y : y + big.shape[0], x : x + big.shape[1]]
    alpha = big[..., 3:].astype(np.uint16)
    place[:] = ((big[..., :3] * alpha + place * (255 - alpha) + 127) // 255).astype(np.uint8)


def _lettered(
    sheet: NDArray[np.uint8],
    title: str,
    column_labels: list[tuple[str, int]],
    row_labels: list[tuple[str, int]],
    top: int,
) -> NDArray[np.uint8]:
    image = Image.fromarray(sheet)
    draw = ImageDraw.Draw(image)
    draw.fontmode = "1"
    font = _font()
    draw.text((_MARGIN, _MARGIN - 2), _plain(title), _INK, font)
    for label, x in column_labels:
        draw.text((x, top - _LINE), _plain(label), _FAINT, font)
    for label, middle in row_labels:
        draw.text((_MARGIN, middle - 6), _plain(label), _INK, font)
    return np.asarray(image)


def _font() -> ImageFont.ImageFont:
    return ImageFont.load_default_imagefont()


def _plain(text: str) -> str:
    """What the bitmap font can set: Latin-1 on one line."""
    return " ".join(text.split())[:120].encode("latin-1", "replace").decode("latin-1")


def _width(text: str) -> int:
    return int(_font().getlength(_plain(text)))
