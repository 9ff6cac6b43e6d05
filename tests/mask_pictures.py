"""Masks to decode: faces of ellipses in the colours of CelebAMask-HQ, softened and saved as generated ones are."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from pixelreef.core.palette import Palette
from pixelreef.masks.classes import Classes, MaskClass, classes_from_palette

Labels = NDArray[np.uint8]
Pixels = NDArray[np.uint8]

FACE = {
    "background": (0, 0, 0),
    "skin": (204, 0, 0),
    "nose": (76, 153, 0),
    "eye_glass": (204, 204, 0),
    "left_eye": (51, 51, 255),
    "right_eye": (204, 0, 204),
    "left_eyebrow": (0, 255, 255),
    "right_eyebrow": (255, 204, 204),
    "left_ear": (102, 51, 0),
    "right_ear": (255, 0, 0),
    "mouth": (102, 204, 0),
    "upper_lip": (255, 255, 0),
    "lower_lip": (0, 0, 153),
    "hair": (0, 0, 204),
    "hat": (255, 51, 153),
    "ear_ring": (0, 204, 204),
    "necklace": (0, 51, 0),
    "neck": (255, 153, 51),
    "cloth": (0, 204, 0),
}
FACES = Classes(tuple(MaskClass(name, colour, index) for index, (name, colour) in enumerate(FACE.items())), "faces")

# Centre and half axes, as shares of the side, painted in this order: nine classes with the background.
_PARTS = {
    "hair": (0.5, 0.42, 0.33, 0.38),
    "cloth": (0.5, 1.05, 0.5, 0.2),
    "skin": (0.5, 0.5, 0.24, 0.32),
    "left_eye": (0.6, 0.45, 0.05, 0.03),
    "right_eye": (0.4, 0.45, 0.05, 0.03),
    "nose": (0.5, 0.55, 0.04, 0.08),
    "upper_lip": (0.5, 0.67, 0.08, 0.03),
    "lower_lip": (0.5, 0.71, 0.07, 0.03),
}


def face(side: int, seed: int = 0) -> Labels:
    """A face in nine of the nineteen classes."""
    random = np.random.default_rng(seed)
    labels = np.zeros((side, side), np.uint8)
    y, x = (np.mgrid[:side, :side] + 0.5) / side
    for name, (cx, cy, rx, ry) in _PARTS.items():
        a, b = random.normal(0, 0.006, 2)
        inside = ((x - cx - a) / (rx * random.uniform(0.9, 1.1))) ** 2 + ((y - cy - b) / ry) ** 2 < 1
        labels[inside] = FACES.label(name)
    return labels


def softened(labels: Labels, classes: Classes = FACES, radius: float = 1.0) -> Pixels:
    """Painted with soft edges."""
    return np.asarray(Image.fromarray(classes.rgb[labels]).filter(ImageFilter.GaussianBlur(radius)))


def as_jpeg(pixels: Pixels, quality: int) -> Pixels:
    """Through a JPEG with half the colour resolution (4:2:0)."""
    return np.asarray(Image.open(io.BytesIO(encoded(pixels, "JPEG", quality=quality, subsampling=2))))


def encoded(pixels: Pixels | Image.Image, container: str = "PNG", **options: object) -> bytes:
    buffer = io.BytesIO()
    image = pixels if isinstance(pixels, Image.Image) else Image.fromarray(pixels)
    image.save(buffer, container, **options)
    return buffer.getvalue()


def photograph(side: int = 128, seed: int = 0) -> Pixels:
    """What no one painted: clouds of every size in a haze of colours, with grain."""
    random = np.random.default_rng(seed)
    layers = np.zeros((side, side, 3))
    for size in (2, 4, 8, 16, 32, 64):
        small = random.normal(0, 1, (size, size, 3))
        channels = [Image.fromarray(small[..., one].astype(np.float32)) for one in range(3)]
        grown = [np.asarray(one.resize((side, side), Image.Resampling.BICUBIC)) for one in channels]
        layers += np.stack(grown, axis=-1) / size**0.5
    return np.asarray(np.clip(128 + 45 * layers + random.normal(0, 3, layers.shape), 0, 255), np.uint8)


def spread_classes(count: int, seed: int = 5, apart: float = 15.0) -> Classes:
    """So many classes in random colours no nearer than `apart` in sRGB."""
    random = np.random.default_rng(seed)
    chosen = [random.integers(0, 256, 3)]
    while len(chosen) < count:
        colour = random.integers(0, 256, 3)
        if min(float(((other - colour) ** 2).sum()) for other in chosen) > apart**2:
            chosen.append(colour)
    return classes_from_palette(Palette(np.array(chosen)))
