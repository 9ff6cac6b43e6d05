"""Choosing a colour from log-odds and a uniform number: temperature, top-k, min-p. Shared by engine and torch.

Uniform numbers come from a counter-based generator (Philox) keyed by the seed, the cell and the number of the sprite;
the place of a number in the stream belongs to one patch or pixel. So a sprite is the same alone and in a batch, and
whatever is given beside it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.seeds import derive
from pixelreef.errors import InputError
from pixelreef.sprites.config import Config

Reals = NDArray[np.float32]
Uniforms = NDArray[np.float64]

_COLD = 1e-6  # temperatures below, which float32 may not tell from 0, take the likeliest
_COOLEST = np.float32(0.05)  # what an entropy-dependent temperature never falls below


@dataclass(frozen=True)
class Sampling:
    """How choices are made. Of shapes, temperature, steadiness and guidance decide alone."""

    temperature: float = 1.0
    top_k: int = 0
    """Only so many of the likeliest colours; 0: all."""
    min_p: float = 0.0
    """Only colours with at least this share of the likeliest one's probability."""
    guidance: float = 1.3
    """1: as the factors say; more: further from what a sprite without factors would be."""
    certainty: float = 0.0
    """Above 0 the temperature falls where the choice is wide open: T · (1 − certainty · entropy / log colours)."""
    steadiness: float = 0.1
    """Above 0 shapes are drawn cooler than colours: T · (1 − steadiness). One slip in a shape spoils it for good."""

    def __post_init__(self) -> None:
        for name, least, most in (
            ("temperature", 0.0, 10.0),
            ("top_k", 0, 256),
            ("min_p", 0.0, 1.0),
            ("guidance", 0.0, 20.0),
            ("certainty", 0.0, 1.0),
            ("steadiness", 0.0, 1.0),
        ):
            value = getattr(self, name)
            if not least <= value <= most:
                raise InputError(f"--{name.replace('_', '-')}", f"be from {least} to {most}", value)

    @property
    def plain(self) -> bool:
        """Whether chances are taken just as the log-odds say."""
        return self.temperature == 1 and not (self.top_k or self.min_p or self.certainty)

    @property
    def of_shapes(self) -> Sampling:
        """Without what is for colours: a row of four pixels has rare patterns that are right, and few that are not."""
        cooler = self.temperature * (1 - self.steadiness)
        return replace(self, temperature=cooler, steadiness=0.0, top_k=0, min_p=0.0, certainty=0.0)

    def guides(self, config: Config) -> bool:
        """Whether there is anything that sprites are to be like, more than without factors."""
        return self.guidance != 1 and bool(config.factors)

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)


PLAIN = Sampling(temperature=1.0, guidance=1.0, steadiness=0.0)


def uniforms(seed: int, numbers: NDArray[np.intp], config: Config, cell: str = "") -> tuple[Uniforms, Uniforms]:
    """For sprites of these numbers: (n, patches, 1 + rows of a patch) for shapes, (n, height, width) for colours."""
    key = derive(seed, "sprites", "uniform", cell)
    shapes = config.patches * (1 + config.patch)
    drawn = np.empty((len(numbers), shapes + config.height * config.width))
    for row, number in zip(drawn, numbers, strict=True):
        np.random.Generator(np.random.Philox(key=[key, int(number)])).random(out=row)
    return (
        drawn[:, :shapes].reshape(-1, config.patches, 1 + config.patch),
        drawn[:, shapes:].reshape(-1, config.height, config.width),
    )


def chosen(logits: Reals, uniform: Uniforms, sampling: Sampling) -> NDArray[np.intp]:
    """(n,) places chosen from (n, options) log-odds.

    >>> chosen(np.log(np.array([[0.5, 0.25, 0.25]], np.float32)), np.array([0.6]), Sampling())
    array([1])
    """
    if sampling.temperature < _COLD:
        return np.asarray(logits.argmax(axis=1))
    share = logits - np.maximum.reduce(logits, axis=1, keepdims=True)
    if not sampling.plain:
        share /= _temperature(share, sampling)
    np.exp(share, out=share)
    if sampling.top_k and sampling.top_k < logits.shape[1]:
        least = np.partition(share, -sampling.top_k, axis=1)[:, -sampling.top_k, None]
        share[share < least] = 0
    if sampling.min_p:
        share[share < np.float32(sampling.min_p)] = 0  # the likeliest has share 1
    heights = np.add.accumulate(share, axis=1, dtype=np.float64)
    return np.asarray((heights > uniform[:, None] * heights[:, -1:]).argmax(axis=1))


def chosen_one(logits: Reals, uniform: float, sampling: Sampling) -> int:
    """The place that `chosen` would choose from one row of log-odds, in fewer steps."""
    if sampling.top_k or sampling.min_p or sampling.certainty or sampling.temperature < _COLD:
        return int(chosen(logits[None], np.array([uniform]), sampling)[0])
    share = logits - np.maximum.reduce(logits)
    if sampling.temperature != 1:
        share /= np.float32(sampling.temperature)
    np.exp(share, out=share)
    heights = np.add.accumulate(share, dtype=np.float64)
    place = int(heights.searchsorted(uniform * heights[-1], "right"))
    return min(place, len(share) - 1)  # beyond the end where log-odds are no numbers


def log_shares(logits: Reals, choice: NDArray[np.integer]) -> Reals:
    """The natural logarithm of the probability of each choice, (…,), from log-odds (…, options), all plain."""
    top = logits.max(axis=-1, keepdims=True)
    total = np.exp(logits - top).sum(axis=-1)
    picked = np.take_along_axis(logits, choice[..., None].astype(np.intp), axis=-1)
    return np.asarray((picked - top)[..., 0] - np.log(total))


def _temperature(odds: Reals, sampling: Sampling) -> Reals:
    """(n, 1)."""
    base = np.float32(sampling.temperature)
    if not sampling.certainty:
        return np.full((len(odds), 1), base, np.float32)
    share = np.exp(odds)
    share /= share.sum(axis=1, keepdims=True)
    entropy = -(share * np.log(np.maximum(share, np.float32(1e-12)))).sum(axis=1, keepdims=True)
    spread = entropy / np.float32(np.log(odds.shape[1]))
    return np.asarray(np.maximum(base * (1 - np.float32(sampling.certainty) * spread), min(base, _COOLEST)))
