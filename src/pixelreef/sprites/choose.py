"""Choosing a colour from log-odds and a uniform number: temperature, top-k, min-p. Shared by engine and torch.

Uniform numbers come from a counter-based generator (Philox) keyed by the seed and the number of the sprite; the place
of a number in the stream belongs to one patch or pixel. So a sprite is the same alone and in a batch, whatever order
its neighbours are drawn in.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.seeds import derive
from pixelreef.errors import InputError
from pixelreef.sprites.config import Config

Reals = NDArray[np.float32]
Uniforms = NDArray[np.float64]


@dataclass(frozen=True)
class Sampling:
    """How colours are chosen."""

    temperature: float = 1.0
    top_k: int = 0
    """Only so many of the likeliest colours; 0: all."""
    min_p: float = 0.0
    """Only colours with at least this share of the likeliest one's probability."""
    guidance: float = 1.0
    """1: as the factors say; more: further from what a sprite without factors would be."""
    certainty: float = 0.0
    """Above 0 the temperature falls where the choice is wide open: T · (1 − certainty · entropy / log colours)."""

    def __post_init__(self) -> None:
        for name, least, most in (
            ("temperature", 0.0, 10.0),
            ("top_k", 0, 256),
            ("min_p", 0.0, 1.0),
            ("guidance", 0.0, 20.0),
            ("certainty", 0.0, 1.0),
        ):
            value = getattr(self, name)
            if not least <= value <= most:
                raise InputError(f"--{name.replace('_', '-')}", f"be from {least} to {most}", value)


def uniforms(seed: int, numbers: NDArray[np.intp], config: Config) -> tuple[Uniforms, Uniforms]:
    """For sprites of these numbers: (n, patches) for empty or not, (n, height, width) for colours."""
    key = derive(seed, "sprites", "uniform")
    size = config.patches + config.height * config.width
    drawn = np.stack([np.random.Generator(np.random.Philox(key=[key, int(number)])).random(size) for number in numbers])
    return drawn[:, : config.patches], drawn[:, config.patches :].reshape(-1, config.height, config.width)


def chosen(logits: Reals, uniform: Uniforms, sampling: Sampling) -> NDArray[np.intp]:
    """(n,) places chosen from (n, options) log-odds.

    >>> chosen(np.log(np.array([[0.5, 0.25, 0.25]], np.float32)), np.array([0.6]), Sampling())
    array([1])
    """
    if sampling.temperature == 0:
        return np.asarray(logits.argmax(axis=1))
    odds = logits - logits.max(axis=1, keepdims=True)
    if sampling.certainty or sampling.temperature != 1:
        odds = odds / _temperature(odds, sampling)
    share = np.exp(odds)
    if sampling.top_k and sampling.top_k < logits.shape[1]:
        least = np.partition(share, -sampling.top_k, axis=1)[:, -sampling.top_k, None]
        share = np.where(share >= least, share, np.float32(0))
    if sampling.min_p:
        share = np.where(share >= np.float32(sampling.min_p), share, np.float32(0))  # the likeliest has share 1
    heights = share.cumsum(axis=1, dtype=np.float64)
    return np.asarray((heights <= uniform[:, None] * heights[:, -1:]).sum(axis=1))


def _temperature(odds: Reals, sampling: Sampling) -> Reals:
    """(n, 1)."""
    base = np.float32(sampling.temperature)
    if not sampling.certainty:
        return np.full((len(odds), 1), base, np.float32)
    share = np.exp(odds)
    share /= share.sum(axis=1, keepdims=True)
    entropy = -(share * np.log(np.maximum(share, np.float32(1e-12)))).sum(axis=1, keepdims=True)
    open_ = entropy / np.float32(np.log(odds.shape[1]))
    return np.maximum(base * (1 - np.float32(sampling.certainty) * open_), np.float32(0.05))
