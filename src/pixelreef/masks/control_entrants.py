"""Controls beside entrants: the truth of a pairing turned into every control, and these put into the pairing.

A control has `control: ` before its name, so that a folder of predictions called `truth` is still an entrant. The
photograph of an item is brought to the truth's size. Where an item can't be read no control answers it; the item is
left out of scoring all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from pixelreef.errors import InputError
from pixelreef.masks.classes import Classes
from pixelreef.masks.control_board import fitted_on_halves, write_controls
from pixelreef.masks.distributed import photograph_from_file
from pixelreef.masks.exhibit import Exhibit
from pixelreef.masks.pairs import Pairing, match_files
from pixelreef.masks.render import Rgb
from pixelreef.masks.truth import read_truth

CONTROL = "control: "
"""Stands before the name of a control on a board."""

Progress = Callable[[int, int], None]


def with_controls(
    pairing: Pairing,
    classes: Classes,
    photographs: Mapping[str, Path],
    out: Path,
    seed: int = 0,
    progress: Progress | None = None,
) -> tuple[Pairing, list[str]]:
    """The pairing with every control as an entrant, their files written into the folder `out`, and their names."""

    def read(item: str) -> Exhibit:
        return exhibit_from_files(pairing.truth[item], photographs.get(item), classes)

    def exhibits() -> Iterator[tuple[str, Exhibit]]:
        for done, item in enumerate(pairing.truth):
            if progress:
                progress(done, len(pairing.truth))
            try:
                yield item, read(item)
            except InputError:
                continue

    try:
        fit = fitted_on_halves([item for item in pairing.truth if item in photographs], read, seed)
    except InputError:  # too few photographs to learn from
        fit = None
    names = write_controls(exhibits(), out, seed, segmenter=fit)
    added = {f"{CONTROL}{name}": match_files(sorted((out / name).iterdir()), pairing.truth, None, []) for name in names}
    if clash := set(added) & set(pairing.entrants):
        raise InputError("entrants", f"have no name that starts with {CONTROL!r}", sorted(clash)[0])
    return replace(pairing, entrants={**pairing.entrants, **added}), list(added)


def exhibit_from_files(truth: Path, photograph: Path | None, classes: Classes) -> Exhibit:
    """The exhibit of one item; a photograph that can't be read is none."""
    labels = read_truth(truth, classes).labels
    if photograph is None:
        return Exhibit(labels, classes)
    try:
        rgb = photograph_from_file(photograph)
    except InputError:
        return Exhibit(labels, classes)
    return Exhibit(labels, classes, sized(rgb, (labels.shape[0], labels.shape[1])))


def sized(rgb: Rgb, shape: tuple[int, int]) -> Rgb:
    """A photograph (H, W, 3) at (height, width)."""
    if rgb.shape[:2] == shape:
        return rgb
    from PIL import Image

    return np.asarray(Image.fromarray(np.ascontiguousarray(rgb)).resize(shape[::-1], Image.Resampling.BICUBIC))
