"""The living reef at the head of the demo: creatures grown from a name, all of them by the model.

A name is a seed. Corals stand on the floor, others swim: drawn, two of them bred from those before, every one shaded
inside the palette and moving by its parts. None is left out for its looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.files import safe_name
from pixelreef.core.grid import Grid
from pixelreef.core.palette import Palette
from pixelreef.core.reef import reef_ramps
from pixelreef.core.render import gif_from_sprite, png_from_rgba
from pixelreef.core.seeds import derive, rng
from pixelreef.core.sprite import Frame, Sprite
from pixelreef.corpus.fit import subject_box
from pixelreef.corpus.parts import PART_INDEX
from pixelreef.report import Aquarium, Gallery, Picture, Section, Swimmer
from pixelreef.sprites.breed.cross import Breeder, Cross
from pixelreef.sprites.breed.inherit import Kind
from pixelreef.sprites.idle.animate import Animator, Moving
from pixelreef.sprites.parts.labeller import Labeller, labeller_from
from pixelreef.sprites.sample import Sampler
from pixelreef.sprites.shade import Light
from pixelreef.sprites.shade.write import shaded

STANDING = ("coral/shallows", "coral/twilight", "coral/shallows", "coral/twilight", "coral/shallows")
SWIMMING = (
    "reef-fish/shallows",
    "jellyfish/shallows",
    "reef-fish/shallows",
    "grazer/shallows",
    "reef-fish/twilight",
    "cephalopod/shallows",
    "reef-fish/shallows",
)
BRED = ((0, 2, Kind.halves), (4, 6, Kind.checker))  # places in SWIMMING, and how
_EYES = [PART_INDEX[name] for name in ("eye", "head", "mouth")]
_GIF_FRAMES = 24
_GIF_DRIFT = 5.0  # pixels to either side
_SCALE = 2  # of the GIF


@dataclass(frozen=True)
class Creature:
    """One that lives in the reef."""

    flat: Sprite
    """Before it was shaded and moved."""
    moving: Moving
    cell: str
    origin: str
    """`drawn`, or whose child it is."""

    @property
    def frames(self) -> list[Grid]:
        """Cut to the outline of all of them together."""
        cells = [frame.grid.cells for frame in self.moving.sprite.frames]
        box = subject_box(np.maximum.reduce([(one != 0).astype(np.uint8) for one in cells]), 0)
        return [Grid(np.ascontiguousarray(one[box])) for one in cells]


@dataclass(frozen=True)
class LivingReef:
    """The aquarium, who lives in it, and what the summary says."""

    name: str
    aquarium: Aquarium
    section: Section
    creatures: Sequence[Creature]

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        living = [{"cell": one.cell, "origin": one.origin, "moves": one.moving.idle.way} for one in self.creatures]
        return {"name": self.name, "creatures": living}


def living_reef(name: str, scene: Grid, sampler: Sampler, labeller: Labeller | None = None) -> LivingReef:
    """Grow a reef from a name on a painted scene in the reef palette."""
    seed = derive(0, "demo", "living", name) >> 1  # seeds have 63 bits
    grower = _Grower(sampler, labeller or labeller_from(None), seed)
    standing, swimming = grower.creatures(STANDING), grower.creatures(SWIMMING)
    children = [grower.child(swimming[a], swimming[b], kind) for a, b, kind in BRED]
    placed = _placed(standing, [*swimming, *children], scene, rng(seed, "placed"))
    every = [*standing, *swimming, *children]
    aquarium = Aquarium(
        scene,
        sampler.weights.palette,
        reef_ramps(),
        placed,
        f"A coral reef in the 64 colours of the reef palette, grown from the name {name}: {len(every)} creatures, "
        "drawn and bred by the model, move through ripples of light.",
        f"Grown from the name “{name}”. Every creature was drawn or bred by the model, shaded by walking the palette's "
        "ramps, and made to move. Move the pointer, or use the arrow keys, to carry a lamp; in the dark theme it "
        "is night.",
        _gif(scene, placed, sampler.weights.palette),
        f"{safe_name(name, 'reef')}.gif",
    )
    return LivingReef(name, aquarium, _who(every, sampler.weights.palette), every)


class _Grower:
    """Draws, breeds, shades and animates, all by one seed."""

    def __init__(self, sampler: Sampler, labeller: Labeller, seed: int) -> None:
        self.sampler, self.labeller, self.seed = sampler, labeller, seed
        self.animator, self.breeder = Animator(sampler, labeller), Breeder(sampler, labeller)

    def creatures(self, cells: Sequence[str]) -> list[Creature]:
        """One for each of these cells; again for a cell that comes again."""
        found = []
        for place, cell in enumerate(cells):
            (sample,) = self.sampler.sample(cell, 1, self.seed, first=cells[:place].count(cell))
            sprite = Sprite(self.sampler.weights.palette, (Frame(Grid(sample.cells)),), cell, {"cell": cell})
            found.append(self._grown(sprite, cell, "drawn"))
        return found

    def child(self, a: Creature, b: Creature, kind: Kind) -> Creature:
        """Of two creatures."""
        (child,) = self.breeder.children(a.flat, b.flat, Cross(kind), 1, self.seed)
        return self._grown(child.sprite(self.sampler, child.drawn.cell), child.drawn.cell, f"{a.cell} × {b.cell}")

    def _grown(self, sprite: Sprite, cell: str, origin: str) -> Creature:
        flat = self._facing_right(sprite)
        return Creature(flat, self.animator.idle(shaded(flat, Light())), cell, origin)

    def _facing_right(self, sprite: Sprite) -> Sprite:
        """Mirrored where its eyes are on the left."""
        found = self.labeller.label(sprite.grid.cells, sprite.palette, self.labeller.told_by(sprite))
        front, body = np.isin(found.labels, _EYES), found.labels > 0
        if not front.any() or np.nonzero(front)[1].mean() >= np.nonzero(body)[1].mean():
            return sprite
        return replace(sprite, frames=(Frame(Grid(np.ascontiguousarray(sprite.grid.cells[:, ::-1]))),))


def _placed(
    standing: Sequence[Creature], swimming: Sequence[Creature], scene: Grid, random: np.random.Generator
) -> list[Swimmer]:
    """Corals along the floor, the others in lanes of their own; larger ones in front."""
    width, height = scene.size
    floor = []
    for number, creature in enumerate(standing):
        frames = creature.frames
        x = (number + 0.15 + 0.5 * random.random()) * width / len(standing)
        y = height * random.uniform(0.93, 0.99) - frames[0].height
        floor.append(Swimmer(frames, round(min(x, width - frames[0].width), 1), round(y, 1), 0.0))
    lanes = []
    for number, creature in enumerate(swimming):
        frames = creature.frames
        pace = frames[0].width * random.uniform(0.2, 0.4) * (0.4 if frames[0].height > frames[0].width else 1)
        depth = (0.02 + 0.6 * (number + random.random()) / len(swimming)) * height
        speed = float(random.choice([-1, 1]) * pace)
        lanes.append(Swimmer(frames, round(random.uniform(0, width), 1), round(depth, 1), round(speed, 2)))
    return [*floor, *sorted(lanes, key=lambda one: one.frames[0].width)]


def _gif(scene: Grid, swimmers: Sequence[Swimmer], palette: Palette) -> bytes:
    """All of them hovering where they start, in a loop without a seam."""
    frames = []
    for number in range(_GIF_FRAMES):
        turn = 2 * np.pi * number / _GIF_FRAMES
        cells = scene.cells.copy()
        for one in swimmers:
            drift = _GIF_DRIFT * np.sin(turn + one.x) if one.speed else 0.0
            body = one.frames[number // 2 % len(one.frames)].cells
            _paste(cells, body if one.speed >= 0 else body[:, ::-1], round(one.x + drift), round(one.y))
        frames.append(Frame(Grid(cells), 80))
    return gif_from_sprite(Sprite(palette, tuple(frames)), _SCALE)


def _paste(cells: NDArray[np.uint8], body: NDArray[np.uint8], x: int, y: int) -> None:
    """With what lies beyond an edge left out."""
    height, width = cells.shape
    top, left, bottom, right = max(0, y), max(0, x), min(height, y + body.shape[0]), min(width, x + body.shape[1])
    if top >= bottom or left >= right:
        return
    part = body[top - y : bottom - y, left - x : right - x]
    place = cells[top:bottom, left:right]
    place[part != 0] = part[part != 0]


def _who(creatures: Sequence[Creature], palette: Palette) -> Section:
    pictures = []
    for one in creatures:
        frames = np.concatenate([palette.rgba[np.pad(frame.cells, 1)] for frame in one.frames], axis=1)
        tags = ("bred" if one.origin != "drawn" else "drawn", f"moves:{one.moving.idle.way}")
        picture = Picture(png_from_rgba(frames), frames.shape[1], frames.shape[0], one.cell, one.origin, tags)
        pictures.append(picture)
    words = "Who lives in the reef above, each with its four frames: drawn by the model, or bred from two that were."
    return Section("living", "Who lives here", words, [Gallery(pictures, tile=280, label="The creatures of the reef")])
