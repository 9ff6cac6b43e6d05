"""Runs the `fragment` of a Godot canvas_item shader on arrays, in float32, from the text of the shader itself.

Enough of the language for straight-line code: uniforms and constants, declarations, `+=`, the functions below, and
swizzles. Every value is an array over all pixels; a vector is a tuple of such.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Real = Any
_TYPES = r"(?:float|int|vec[234]|ivec2)"
_NAMED = re.compile(rf"(?:uniform|const) {_TYPES} (\w+)(?: : [^=;]*)? = ([^;]+);")


class Vec:
    """A vector with swizzles, added to, multiplied and divided by parts or by a number."""

    def __init__(self, *parts: Real) -> None:
        self.parts = parts

    def __getattr__(self, names: str) -> Any:
        places = ["xyzw".find(name) if name in "xyzw" else "rgba".find(name) for name in names]
        return self.parts[places[0]] if len(places) == 1 else Vec(*(self.parts[place] for place in places))

    def __add__(self, other: Real) -> Vec:
        return Vec(*(part + other for part in self.parts))

    def __sub__(self, other: Real) -> Vec:
        return Vec(*(part - other for part in self.parts))

    def __mul__(self, other: Real) -> Vec:
        return Vec(*(part * other for part in self.parts))


def each(function: Any) -> Any:
    """A function of one number, also of the parts of a vector."""
    return lambda value: Vec(*map(function, value.parts)) if isinstance(value, Vec) else function(value)


def texture(image: NDArray[np.uint8], at: Vec) -> Vec:
    """The nearest texel, as numbers from 0 to 1."""
    height, width = image.shape[:2]
    pixels = image[(at.y * height).astype(int), (at.x * width).astype(int)]
    return Vec(*np.moveaxis(pixels.astype(np.float32) / np.float32(255), -1, 0))


def texel_fetch(image: NDArray[np.uint8], at: Vec, _: int) -> Vec:
    return Vec(*np.moveaxis(image[at.y, at.x].astype(np.float32) / np.float32(255), -1, 0))


FUNCTIONS: Mapping[str, Any] = {
    "f32": np.float32,
    "texture": texture,
    "texelFetch": texel_fetch,
    "textureSize": lambda image, _: Vec(image.shape[1], image.shape[0]),
    "floor": each(np.floor),
    "sqrt": np.sqrt,
    "abs": np.abs,
    "sign": np.sign,
    "max": np.maximum,
    "min": np.minimum,
    "clamp": np.clip,
    "step": lambda edge, value: np.float32(1) * (value >= edge),
    "mix": lambda first, second, share: first * (1 - share) + second * share,
    "float": np.float32,
    "int": lambda value: np.asarray(value).astype(int),
    "ivec2": Vec,
    "vec3": Vec,
}


def run(shader: str, width: int, height: int, uniforms: Mapping[str, Any]) -> NDArray[np.uint8]:
    """(height, width, 4): what the shader paints on a sprite of that size."""
    text = re.sub(r"//.*", "", shader)
    names: dict[str, Any] = dict(FUNCTIONS)
    for name, value in _NAMED.findall(text):
        names[name] = _value(value, names)
    missing = set(re.findall(r"uniform sampler2D (\w+)", text)) - set(uniforms)
    assert not missing, missing
    for name, given in uniforms.items():
        assert re.search(rf"uniform \w+ {name}\b", text), name
        names[name] = np.float32(given) if isinstance(given, float) else given
    y, x = np.mgrid[:height, :width].astype(np.float32)
    names["UV"] = Vec((x + np.float32(0.5)) / np.float32(width), (y + np.float32(0.5)) / np.float32(height))
    for line in re.search(r"void fragment\(\) \{(.*)\}", text, re.DOTALL)[1].split(";"):  # type: ignore[index]
        found = re.fullmatch(rf"\s*(?:{_TYPES} )?(\w+) (\+?)= (.*)", line, re.DOTALL)
        if line.strip():
            assert found, line
            value = _value(found[3], names)
            names[found[1]] = names[found[1]] + value if found[2] else value
    channels = np.stack(np.broadcast_arrays(*names["COLOR"].parts), axis=-1)
    return np.asarray(np.rint(channels * 255), np.uint8)


def _value(expression: str, names: dict[str, Any]) -> Any:
    numbered = re.sub(r"(?<![\w.])(\d+\.\d+)", r"f32(\1)", expression.strip())
    return eval(numbered, {"__builtins__": {}}, names)
