"""Sheets whose every cell is known: blobby creatures in reef colours, laid out and then damaged as asked."""

from __future__ import annotations

import io
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pixelreef.core.grid import Cells
from pixelreef.core.reef import reef_palette
from pixelreef.core.render import enlarged, png_from_rgba
from pixelreef.core.seeds import rng

RGBA = NDArray[np.uint8]
KEYS = ((255, 0, 255), (0, 255, 0), (40, 60, 20), (255, 255, 255), (90, 90, 160))


def creature(random: np.random.Generator, width: int, height: int, fill: bool) -> Cells:
    """One connected, mirrored, outlined blob of reef colours; with `fill` it touches all four borders."""
    from scipy import ndimage

    noise = random.normal(size=(height, (width + 1) // 2))
    soft = ndimage.gaussian_filter(noise, max(1.0, min(width, height) / 10), mode="nearest")
    soft = np.concatenate([soft, soft[:, : width // 2][:, ::-1]], axis=1)
    y, x = np.ogrid[:height, :width]
    dome = 1 - ((x - (width - 1) / 2) / (width / 2)) ** 2 - ((y - (height - 1) / 2) / (height / 2)) ** 2
    body = soft / (soft.std() + 1e-9) * 0.25 + dome * 1.2 > 0.15
    body[height // 2, :] |= fill
    body[:, width // 2] |= fill
    body[height // 2, width // 2] = True
    labels, _ = ndimage.label(body, np.ones((3, 3)))
    body = labels == labels[height // 2, width // 2]
    ramp = 1 + 7 * int(random.integers(9))
    shade = np.clip(3 + soft / (soft.std() + 1e-9) * 1.2, 1, 6).astype(int)
    cells = np.where(body, ramp + shade, 0)
    edge = body & ~ndimage.binary_erosion(body, border_value=0)
    cells[edge] = ramp
    for _ in range(int(random.integers(1, 4))):
        spot = random.permutation(np.argwhere(body))[0]
        cells[tuple(spot)] = 1 + int(random.integers(63))
    return cells.astype(np.uint8)


def cropped(cells: Cells) -> Cells:
    rows, columns = np.flatnonzero(cells.any(axis=1)), np.flatnonzero(cells.any(axis=0))
    return cells[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


@dataclass(frozen=True)
class Made:
    """A sheet and the truth about it."""

    cell: tuple[int, int] = (16, 16)
    gutter: tuple[int, int] = (1, 1)
    offset: tuple[int, int] = (3, 3)
    columns: int = 6
    rows: int = 4
    last_row: int = 6
    """Sprites of the last row."""
    fill: str = "mixed"
    """`full`: all touch all borders of their cell; `mixed`: sizes differ, some touch; `small`: none touches."""
    background: tuple[int, int, int] | None = (255, 0, 255)
    margin: str = "same"
    """Right and bottom: `same` as the offset, `none`, or a `gutter`."""
    seed: int = 0
    sprites: list[list[Cells]] = field(default_factory=list, compare=False)

    def __post_init__(self) -> None:
        random = rng(self.seed, "sheet")
        for row in range(self.rows):
            count = self.last_row if row == self.rows - 1 else self.columns
            self.sprites.append([self._sprite(random) for _ in range(count)])

    def _sprite(self, random: np.random.Generator) -> Cells:
        width, height = self.cell
        full = self.fill == "full" or (self.fill == "mixed" and random.random() < 0.4)
        if full:
            return creature(random, width, height, True)
        inner_w, inner_h = (max(4, int(side * random.uniform(0.5, 0.95))) for side in self.cell)
        limit = 2 if self.fill == "small" else 0
        inner_w, inner_h = min(inner_w, width - limit), min(inner_h, height - limit)
        cells = np.zeros((height, width), np.uint8)
        top, left = (height - inner_h) // 2, (width - inner_w) // 2
        cells[top : top + inner_h, left : left + inner_w] = creature(random, inner_w, inner_h, False)
        return cells

    def cells(self) -> Cells:
        """The sheet as reef indices, before any damage."""
        (width, height), (gx, gy), (ox, oy) = self.cell, self.gutter, self.offset
        right, bottom = {"same": (ox, oy), "none": (0, 0), "gutter": (gx, gy)}[self.margin]
        sheet_w = ox + self.columns * width + (self.columns - 1) * gx + right
        sheet_h = oy + self.rows * height + (self.rows - 1) * gy + bottom
        sheet = np.zeros((sheet_h, sheet_w), np.uint8)
        for row, line in enumerate(self.sprites):
            for column, sprite in enumerate(line):
                top, left = oy + row * (height + gy), ox + column * (width + gx)
                sheet[top : top + height, left : left + width] = sprite
        return sheet

    def rgba(self, scale: int = 1) -> RGBA:
        pixels = reef_palette().rgba[self.cells()].copy()
        if self.background is not None:
            pixels[pixels[..., 3] == 0] = (*self.background, 255)
        return enlarged(pixels, scale)

    def png(self, scale: int = 1) -> bytes:
        return png_from_rgba(self.rgba(scale))

    def jpeg(self, scale: int, quality: int, subsampling: str = "4:4:4") -> bytes:
        assert self.background is not None
        buffer = io.BytesIO()
        image = Image.fromarray(np.ascontiguousarray(self.rgba(scale)[..., :3]))
        image.save(buffer, "JPEG", quality=quality, subsampling=subsampling)
        return buffer.getvalue()

    def truth(self) -> list[Cells]:
        return [sprite for line in self.sprites for sprite in line]


def random_sheet(seed: int, fill: str, gutters: bool, background: tuple[int, int, int] | None = None) -> Made:
    """Cells of 8 to 64, gutters of 1 to 4 or none, offsets of 0 to 9, a last row that is full or not."""
    random = rng(seed, "layout", fill)
    width = int(random.integers(8, 65))
    height = width if random.random() < 0.6 else int(random.integers(8, 65))
    if random.random() < 0.4:
        width = height = int(random.choice([8, 16, 24, 32, 48, 64]))
    gutter = int(random.integers(1, 5)) if gutters else 0
    offset = int(random.integers(10)), int(random.integers(10))
    offset = offset if random.random() < 0.5 else (offset[0], offset[0])
    columns, rows = int(random.integers(3, 10)), int(random.integers(2, 7))
    last = int(random.integers(1, columns + 1)) if random.random() < 0.5 else columns
    margin = str(random.choice(["same", "none", "gutter"]))
    return Made((width, height), (gutter, gutter), offset, columns, rows, last, fill, background, margin, seed)


def packed_sheet(seed: int, gap: int = 1, count: int = 40) -> tuple[Cells, list[Cells]]:
    """Creatures of all sizes on shelves, and each of them."""
    random = rng(seed, "packed")
    sheet, sprites = np.zeros((1000, 256), np.uint8), []
    x = y = gap
    shelf = 0
    for _ in range(count):
        sprite = cropped(creature(random, int(random.integers(8, 40)), int(random.integers(8, 40)), False))
        height, width = sprite.shape
        if x + width + gap > sheet.shape[1]:
            x, y, shelf = gap, y + shelf + gap, 0
        sheet[y : y + height, x : x + width] = sprite
        sprites.append(sprite)
        x, shelf = x + width + gap, max(shelf, height)
    return sheet[: y + shelf + gap], sprites


def reef_cells(rgba: RGBA) -> Cells:
    """The reef index of every pixel, 255 where it is none."""
    index = {tuple(colour): number for number, colour in enumerate(reef_palette().rgba.tolist())}
    return np.array([[index.get(tuple(pixel), 255) for pixel in row] for row in rgba.tolist()], np.uint8)


def same_subjects(found: list[Cells], made: list[Cells]) -> bool:
    """Whether every creature came in whole, once and in order, wherever it stands in its cell."""
    return len(found) == len(made) and all(
        np.array_equal(cropped(one), cropped(other)) for one, other in zip(found, made, strict=True)
    )
