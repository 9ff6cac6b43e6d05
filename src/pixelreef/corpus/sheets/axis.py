"""One axis of a sheet's grid: how well each pitch, cell, gutter and offset explains what is seen along it.

A grid line may cut few links. The links across a line are the visible pixels on one side of it that touch one on the
other, half a link each, and half more where the colours are equal: between two sprites there is nothing, between two
tiles of a full sheet (where only equal colours count) there is little, within either there is much.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats

LEAST, MOST = 4, 512  # pixels of a pitch
MAX_GUTTER = 8
_FULL = 0.85  # share of a sheet that is visible; sprites that fill their cells reach about 0.7
_KEPT = 24  # pitches looked at closely
# Weights of the evidence, against the 0 to 4 that habits (`_prior`) can add; set on generated sheets, see the docs.
_STRENGTH, _CUT, _AGAIN, _TIGHT = 2.0, 1.5, 4.0, 4.0
_COMMON = {16: 1.2, 32: 1.2, 8: 1.0, 24: 1.0, 48: 1.0, 64: 1.0}


@dataclass(frozen=True)
class Line:
    """Cells of one size, evenly spaced along one axis."""

    cell: int
    gutter: int
    offset: int
    """Pixels before the first cell, less than a pitch."""
    score: float
    strength: float = 0.0
    """How many times the usual deviation the grid lines' links are below the mean, summed as for independent lines."""

    @property
    def pitch(self) -> int:
        return self.cell + self.gutter


@dataclass(frozen=True, eq=False)
class Profile:
    """What is seen along one axis of length n."""

    seen: NDArray[np.intp]
    """(n,) visible pixels at each place."""
    links: Floats
    """(n + 1,) links between place i − 1 and place i."""
    first: int
    last: int
    """The places of the first and one past the last visible pixel."""

    @property
    def length(self) -> int:
        return len(self.seen)


def profiles(seen: NDArray[np.bool_], packed: NDArray[np.uint32]) -> tuple[Profile, Profile]:
    """(x, y) profiles of a sheet with at least one visible pixel: (H, W) visible or not, and one number per colour."""
    return _profile(seen.T, packed.T), _profile(seen, packed)


def _profile(seen: NDArray[np.bool_], packed: NDArray[np.uint32]) -> Profile:
    wide = np.pad(seen[:-1], ((0, 0), (1, 1)))
    touching = seen[1:] & (wide[:, 1:-1] | wide[:, 2:] | wide[:, :-2])  # corners too
    equal = seen[1:] & seen[:-1] & (packed[1:] == packed[:-1])
    links = np.zeros(len(seen) + 1)
    links[1:-1] = 0.5 * equal.sum(axis=1) + (0.0 if full(seen) else 0.5) * touching.sum(axis=1)
    places = np.flatnonzero(seen.any(axis=1))
    return Profile(seen.sum(axis=1), links, int(places[0]), int(places[-1]) + 1)


def full(seen: NDArray[np.bool_]) -> bool:
    """Whether a sheet is so full that everything touches: tiles, with at most some of them partly transparent."""
    return bool(seen.mean() >= _FULL)


def lines(profile: Profile) -> list[Line]:
    """The best line for each cell and gutter that are worth a thought, the best first."""
    found: dict[tuple[int, int], Line] = {}
    for pitch in _pitches(profile):
        for line in _lines_of(profile, pitch):
            key = line.cell, line.gutter
            if key not in found or line.score > found[key].score:
                found[key] = line
    return sorted(found.values(), key=lambda line: -line.score)


def strengths(profile: Profile, pitch: int) -> Floats:
    """(pitch,) for each phase: how far the links across the lines inside the content fall below the mean."""
    inner = profile.links[profile.first + 1 : profile.last]
    mean, spread = float(inner.mean()) if len(inner) else 0.0, float(inner.std()) if len(inner) else 0.0
    if spread == 0:
        return np.zeros(pitch)
    places = np.arange(profile.first + 1, profile.last)
    saved = np.bincount(places % pitch, (mean - inner) / spread, pitch)
    count = np.bincount(places % pitch, minlength=pitch)
    return np.asarray(saved / np.sqrt(np.maximum(count, 1)))


def cuts(profile: Profile, pitch: int) -> Floats:
    """(pitch,) for each phase: the mean number of links that a line inside the content cuts."""
    places = np.arange(profile.first + 1, profile.last)
    total = np.bincount(places % pitch, profile.links[places], pitch)
    return np.asarray(total / np.maximum(np.bincount(places % pitch, minlength=pitch), 1))


def repetition(profile: Profile, pitch: int) -> float:
    """How alike what is seen is to itself one pitch on: a correlation, −1 to 1."""
    content = profile.seen[profile.first : profile.last].astype(float)
    one, other = content[pitch:], content[:-pitch]
    if len(one) < pitch // 2 or one.std() == 0 or other.std() == 0:
        return 0.0
    return float(np.corrcoef(one, other)[0, 1])


def _pitches(profile: Profile) -> list[int]:
    """The pitches with the strongest lines, and the whole length for a single row or column."""
    length = profile.length
    ranked = []
    for pitch in range(LEAST, min(MOST, length) + 1):
        strength = float(strengths(profile, pitch).max()) if pitch < profile.last else 0.0
        ranked.append((strength + 2 * repetition(profile, pitch), pitch))
    best = [pitch for _, pitch in sorted(ranked, reverse=True)[:_KEPT]]
    whole = [length] if length <= MOST else []
    return list(dict.fromkeys([*best, *whole]))


def _lines_of(profile: Profile, pitch: int) -> list[Line]:
    """Every cell, gutter and offset of one pitch whose gutters are empty and whose lines are about the best."""
    strength = strengths(profile, pitch)
    score = _scores(profile, pitch, strength)
    places = np.arange(profile.length) % pitch
    reached = np.bincount(places, profile.seen > 0, pitch) / np.bincount(places, minlength=pitch).clip(min=1)
    holds = reached > 0
    made = []
    for offset in np.flatnonzero(score >= score.max() - 1.0).tolist():
        for gutter in range(min(MAX_GUTTER, pitch - LEAST) + 1):
            if gutter and holds[(offset - gutter) % pitch]:
                break
            cell = pitch - gutter
            # Sprites that reach the first and the last place of their cells, in many of them, do so by no chance.
            tight = min(float(reached[offset]), float(reached[(offset + cell - 1) % pitch]))
            habit = _prior(profile, cell, gutter, offset) - _imbalance(holds, offset, cell)
            total = float(score[offset]) + _TIGHT * tight + habit
            made.append(Line(cell, gutter, offset, total, float(strength[offset])))
    return made


def _scores(profile: Profile, pitch: int, strength: Floats) -> Floats:
    """(pitch,) for each phase: strong lines, few links cut, content that repeats.

    Of the phases of one pitch, one that cuts a single link more than another is clearly worse. Between pitches, what
    the best phase cuts counts against what is usual: sprites that touch are cut a little by their own grid.
    """
    inner = profile.links[profile.first + 1 : profile.last]
    usual = float(inner.mean()) if len(inner) and inner.any() else 1.0
    cut = cuts(profile, pitch)
    least = float(cut.min())
    worse = np.log2((1 + 4 * cut) / (1 + 4 * least))
    across = float(np.log2(1 + 32 * least / usual))
    return np.asarray(_STRENGTH * strength - _CUT * (worse + across) + _AGAIN * repetition(profile, pitch))


def _prior(profile: Profile, cell: int, gutter: int, offset: int) -> float:
    """What people usually make: round sizes, thin gutters, sheets that end where a cell does."""
    size = _COMMON.get(cell, 0.6 if cell % 8 == 0 else 0.3 if cell % 4 == 0 else 0.1 if cell % 2 == 0 else 0.0)
    thin = {0: 0.6, 1: 0.5, 2: 0.4, 4: 0.2}.get(gutter, 0.0) - 0.05 * gutter
    count = max(1, (profile.length - offset + gutter) // (cell + gutter))
    rest = profile.length - (offset + count * cell + (count - 1) * gutter)
    ends = 1.5 if offset == rest == 0 else 1.0 if rest == offset else 0.5 if rest in (0, gutter) else 0.0
    partly = profile.first < offset or offset + count * cell + (count - 1) * gutter < profile.last
    return size + thin + ends - (2.5 if partly else 0.0)


def _imbalance(holds: NDArray[np.bool_], offset: int, cell: int) -> float:
    """A little against content that stands to one side of its cell."""
    inside = np.flatnonzero(holds[(offset + np.arange(cell)) % len(holds)])
    return 0.0 if not len(inside) else min(0.5, 0.03 * abs(int(inside[0]) - (cell - 1 - int(inside[-1]))))
