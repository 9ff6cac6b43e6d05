"""Sprites from photographs, ours against Pillow's reductions, on the photographs and masks of two folders.

    python benchmarks/photos.py PHOTOGRAPHS MASKS [SHEET.png] [--mask-colour HEX …]

All have the same subject, box, cells and palette. Printed, as means over the photographs:

    orphans    the share of visible pixels none of whose eight neighbours has their colour
    edges      the largest OKLab step to a neighbour in the fifth of the cells where the photograph changes most
    mixed      before the palette: OKLab distance of a cell's colour to the nearest sample inside the cell
    far off    OKLab distance to the photograph, both blurred by one cell: as seen from afar
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from pixelreef.core.colour import Floats, oklab_from_rgb
from pixelreef.core.orphans import orphans
from pixelreef.core.palette import rgb_from_hex
from pixelreef.core.reef import reef_palette
from pixelreef.core.render import png_from_rgba
from pixelreef.core.sheet import contact_sheet
from pixelreef.corpus.colours import coloured
from pixelreef.corpus.intake import Intake
from pixelreef.corpus.photos.folder import pictures_in
from pixelreef.corpus.photos.masks import mask_path, read_mask
from pixelreef.corpus.photos.pixelise import pixelise
from pixelreef.corpus.photos.reading import read_photo, working_side
from pixelreef.corpus.photos.tidy import despeckled, fewer_colours

Bytes = NDArray[np.uint8]
SIZE, SAMPLES, COLOURS = 32, 8, 16
FILTERS = {"box": Image.Resampling.BOX, "lanczos": Image.Resampling.LANCZOS}


def square(rgba: Bytes) -> Bytes:
    """The subject in the middle of a square as `pixelise` frames it: SIZE − 2 cells for the longer side."""
    rows, columns = np.flatnonzero(rgba[..., 3].any(axis=1)), np.flatnonzero(rgba[..., 3].any(axis=0))
    subject = Image.fromarray(rgba[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])
    scale = (SIZE - 2) / max(subject.size)
    cells = [max(1, round(side * scale)) for side in subject.size]
    fitted = subject.resize((cells[0] * SAMPLES, cells[1] * SAMPLES), Image.Resampling.BOX)
    made = Image.new("RGBA", (SIZE * SAMPLES, SIZE * SAMPLES))
    made.paste(fitted, (((SIZE - cells[0]) // 2) * SAMPLES, ((SIZE - cells[1]) // 2) * SAMPLES))
    return np.asarray(made)


def measured(cells: Bytes, raw: Bytes, source: Bytes) -> list[float]:
    palette = reef_palette()
    visible = cells != 0
    lab = palette.oklab[cells]
    truth = oklab_from_rgb(source[..., :3])
    inside = source[..., 3] >= 128
    blocks = truth.reshape(SIZE, SAMPLES, SIZE, SAMPLES, 3).swapaxes(1, 2).reshape(SIZE, SIZE, -1, 3)
    counted = inside.reshape(SIZE, SAMPLES, SIZE, SAMPLES).swapaxes(1, 2).reshape(SIZE, SIZE, -1)
    full = visible & counted.all(axis=-1)  # the outline is the same edge for all
    apart = np.where(counted, np.linalg.norm(blocks - oklab_from_rgb(raw[..., :3])[:, :, None], axis=-1), np.inf)
    spread = np.where(full, np.linalg.norm(np.std(blocks, axis=2), axis=-1), 0)
    busy = full & (spread >= np.quantile(spread[full], 0.8))
    far = [blurred(colours, inside) for colours in (truth, lab.repeat(SAMPLES, 0).repeat(SAMPLES, 1))]
    return [
        float(orphans(cells)[visible].mean()),
        float(steps(lab, visible)[busy].mean()),
        float(apart.min(axis=-1)[full].mean()),
        float(np.linalg.norm(far[0] - far[1], axis=-1)[inside & visible.repeat(SAMPLES, 0).repeat(SAMPLES, 1)].mean()),
    ]


def steps(lab: Floats, visible: NDArray[np.bool_]) -> Floats:
    found = np.zeros(visible.shape)
    for axis in (0, 1):
        for way in (1, -1):
            both = visible & np.roll(visible, way, axis)
            found = np.maximum(found, np.where(both, np.linalg.norm(lab - np.roll(lab, way, axis), axis=-1), 0))
    return found


def blurred(lab: Floats, inside: NDArray[np.bool_]) -> Floats:
    weight = ndimage.gaussian_filter(inside.astype(float), SAMPLES)[..., None]
    return np.asarray(
        ndimage.gaussian_filter(lab * inside[..., None], (SAMPLES, SAMPLES, 0)) / np.maximum(weight, 1e-6)
    )


def main() -> None:
    if len(sys.argv) == 1:  # as `make bench` calls it
        print(json.dumps({"benchmark": "photos", "skipped": "needs a folder of photographs and one of masks"}))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photographs", type=Path)
    parser.add_argument("masks", type=Path)
    parser.add_argument("sheet", type=Path, nargs="?")
    parser.add_argument("--mask-colour", action="append", default=[])
    asked = parser.parse_args()
    colours = [rgb_from_hex(colour) for colour in asked.mask_colour]
    palette = reef_palette()
    figures: dict[str, list[list[float]]] = {}
    rows = []
    for path in pictures_in(asked.photographs, Intake()):
        rgba = read_photo(asked.photographs / path, working_side(SIZE)).copy()
        mask = read_mask(mask_path(asked.masks, path), rgba.shape[:2], colours)
        rgba[..., 3] = np.where(mask, 255, 0)
        source = square(rgba)
        raws = {"ours": pixelise(rgba[..., :3], mask, SIZE)}
        for name, method in FILTERS.items():
            raws[name] = np.asarray(Image.fromarray(source).resize((SIZE, SIZE), method))
        row = [np.asarray(Image.fromarray(source).resize((6 * SIZE, 6 * SIZE)))]
        for name, raw in raws.items():
            cells = coloured(raw, palette).cells
            figures.setdefault(f"{name}, before tidying", []).append(measured(cells, raw, source))
            cells = despeckled(fewer_colours(cells, palette, COLOURS), palette)[0]
            figures.setdefault(f"{name}, tidied", []).append(measured(cells, raw, source))
            row.append(palette.rgba[cells].repeat(6, 0).repeat(6, 1))
        rows.append(row)
    print(f"{'':26}{'orphans':>9}{'edges':>9}{'mixed':>9}{'far off':>9}   n = {len(rows)}")
    for name, values in figures.items():
        print(f"{name:26}" + "".join(f"{value:9.4f}" for value in np.mean(values, axis=0)))
    if asked.sheet:
        asked.sheet.write_bytes(png_from_rgba(contact_sheet(rows, (), ["photograph", "ours", *FILTERS], scale=1)))


if __name__ == "__main__":
    main()
