"""Make the reef: each sprite from a random stream of its own, so that it is the same whatever else is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pixelreef.core.reef import reef_palette
from pixelreef.core.seeds import rng
from pixelreef.corpus.cells import CATEGORIES, CELLS, ZONES
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.reef import finish
from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.species import living_in, species
from pixelreef.corpus.reef.zones import pick, traits_of
from pixelreef.errors import InputError

GENERATOR = "reef-1"
"""The version of the generator: changed pixels are a new one."""
MIN_SIZE, MAX_SIZE = 16, 512
_ORIGIN = Origin("reef", "Pixelreef", "CC0-1.0")
_TRIES = 5
_ZOOM = 0.96  # of the size at which a species is drawn: most then fit at the first try


def make_reef(seed: int, per_cell: int, size: int = 32, cells: Sequence[str] | None = None) -> Iterator[Entry]:
    """The sprites of every cell, or of those named (`jellyfish/abyss`), cell after cell."""
    for cell in CELLS if cells is None else cells:
        category, zone = _factors(cell)
        for number in range(per_cell):
            yield make_sprite(category, zone, seed, number, size)


def make_sprite(
    category: str, zone: str, seed: int, number: int, size: int = 32, species_name: str | None = None
) -> Entry:
    """Sprite `number` of a cell, of a species of that cell or of the one named."""
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise InputError("--size", f"be from {MIN_SIZE} to {MAX_SIZE}", size)
    zoom = _ZOOM
    for _ in range(_TRIES):
        random = rng(seed, "reef", category, zone, number)  # the same animal at every try
        kind = _kind(category, zone, species_name, random)
        canvas, parameters = _drawn(kind, zone, random, size, zoom)
        fits = finish.fit(canvas)
        if fits >= 1:
            break
        zoom *= min(fits, 0.97)
    cells, parts = finish.sprite(canvas)
    return Entry(
        cells=cells,
        palette=reef_palette(),
        origin=_ORIGIN,
        factors={"category": category, "zone": zone},
        name=f"{category}-{zone}-{seed}-{number}",
        species=kind.name,
        parameters={"seed": seed, "number": number, **parameters},
        parts=parts,
        generator=GENERATOR,
    )


def _drawn(
    kind: Species, zone: str, random: np.random.Generator, size: int, zoom: float
) -> tuple[Canvas, dict[str, Any]]:
    """The animal with its outline, and its parameters."""
    traits = traits_of(zone, random)
    canvas = Canvas(size, zoom)
    parameters = {**traits.parameters(), **kind.draw(canvas, random, traits)}
    finish.outline(canvas, *traits.line)
    return canvas, parameters


def _kind(category: str, zone: str, name: str | None, random: np.random.Generator) -> Species:
    """One of the species of a cell, all alike, or the one named; either takes one number from the stream."""
    _factors(f"{category}/{zone}")
    kinds = living_in(category, zone)
    drawn = pick(random, kinds)
    if name is None:
        return drawn
    if name not in {kind.name for kind in kinds}:
        raise InputError("species", f"live in {category}/{zone}", name, f"Those that do: {_listed(kinds)}.")
    return species()[name]


def _listed(kinds: Sequence[Species]) -> str:
    return ", ".join(kind.name for kind in kinds)


def _factors(cell: str) -> tuple[str, str]:
    category, _, zone = cell.partition("/")
    if category not in CATEGORIES or zone not in ZONES:
        raise InputError("cell", "be category/zone, such as jellyfish/abyss", cell, f"Cells: {', '.join(CELLS)}.")
    return category, zone
