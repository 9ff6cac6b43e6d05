"""Photographs brought to the palette: what a crawl brings home for want of sprites.

They are made by code to look like photographs at this size: textures whose power falls with frequency as that of
natural pictures does, a lit body with a soft shadow, the grain of a sensor. Those of one cell come from one camera,
which may be sharp or soft. Half of them are cut out on transparency, as an importer would. Real ones are taken instead
where `Material` has them.
"""

from __future__ import annotations

import numpy as np

from pixelreef.core.colour import Floats
from pixelreef.core.grid import Cells
from pixelreef.core.quantise import quantise
from pixelreef.taste.faults.fault import Fault, Material, replaced

_GRAIN = 0.03  # of full white
_SOFTEST = 0.8  # photographs under water, reduced to 32 × 32, have the texture of 0.6


def photographs(material: Material, strength: float, random: np.random.Generator) -> Cells:
    """A share of the sprites is a photograph."""
    real = material.photographs
    if real is not None and len(real):
        made = real[random.permutation(len(real))]
    else:
        count, (height, width) = max(1, round(strength * len(material.cells))), material.cells.shape[1:]
        soft = random.uniform(0, _SOFTEST)
        pictures = np.stack([photograph(height, width, random, soft) for _ in range(count)])
        made = quantise(pictures, material.palette)
    return replaced(material.cells, made, strength, random)


def photograph(height: int, width: int, random: np.random.Generator, soft: float = 0.0) -> Cells:
    """(H, W, 4) sRGB bytes: a body before a background, or cut out; `soft` of 1 has no grain and hardly a texture."""
    rough = (1 - 0.7 * soft) * _natural(height, width, random, soft)[..., None]
    sky, ground, skin = random.uniform(0.15, 0.85, (3, 1)) + random.normal(0, 0.12, (3, 3))  # mostly dull
    slope = np.linspace(0, 1, height)[:, None, None] ** random.uniform(0.5, 2)
    behind = sky * (1 - slope) + ground * slope + 0.12 * rough
    inside, light = _body(height, width, random)
    front = skin * light[..., None] + 0.15 * (1 - 0.7 * soft) * _natural(height, width, random, soft)[..., None]
    picture = np.where(inside[..., None], front, behind) + random.normal(0, (1 - soft) * _GRAIN, (height, width, 3))
    alpha = np.where(inside, 1.0, 0.0) if random.random() < 0.5 else np.ones((height, width))
    return np.asarray(np.clip(np.dstack([picture, alpha]) * 255, 0, 255), np.uint8)


def _natural(height: int, width: int, random: np.random.Generator, soft: float = 0.0) -> Floats:
    """(H, W) with a spread of 1: noise whose amplitude falls as 1/f, or faster where it is soft."""
    frequency = np.hypot(np.fft.fftfreq(height)[:, None], np.fft.rfftfreq(width)[None])
    frequency[0, 0] = np.inf
    spectrum = np.fft.rfft2(random.normal(size=(height, width))) / frequency ** (random.uniform(0.8, 1.4) + soft)
    field = np.fft.irfft2(spectrum, (height, width))
    return np.asarray(field / max(float(field.std()), 1e-9))


def _body(height: int, width: int, random: np.random.Generator) -> tuple[Cells, Floats]:
    """(H, W) where a lumpy body is, and how brightly it is lit."""
    y, x = np.mgrid[:height, :width]
    y, x = (y + 0.5) / height - random.uniform(0.4, 0.6), (x + 0.5) / width - random.uniform(0.4, 0.6)
    turn = random.uniform(0, np.pi)
    along, across = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    reach = (along / random.uniform(0.25, 0.42)) ** 2 + (across / random.uniform(0.15, 0.35)) ** 2
    reach = reach + 0.12 * _natural(height, width, random)
    towards = random.uniform(0, 2 * np.pi)
    light = 0.75 + 1.1 * (x * np.cos(towards) + y * np.sin(towards)) + 0.3 * np.sqrt(np.clip(1 - reach, 0, 1))
    return np.asarray(reach < 1, np.uint8), np.asarray(np.clip(light, 0.1, 1.4))


FAULT = Fault(
    "photographs", "share of sprites that are photographs", ("corpus", "samples"), (0.25, 0.5, 1.0), 0.25, photographs
)
