"""Simple drawings made by code, what a null makes of them, and damage in doses."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Cells = NDArray[np.uint8]
SIDE = 24
DOSES = (0.05, 0.1, 0.2, 0.4, 0.8)


def drawings() -> dict[str, tuple[Cells, list[str]]]:
    return {
        "sun": (_sun(), ["4a90d9", "ffd23f", "ff9f1c", "fff3b0"]),
        "plain sun": (np.where(_round(8), 1, 0).astype(np.uint8), ["4a90d9", "ffd23f"]),
        "rainbow": (_rainbow(), ["87ceeb", "e40303", "ff8c00", "ffed00", "008026", "004dff", "750787", "5c9e31"]),
        "saturn": (_saturn(), ["0b1026", "e3c16f", "c99b4a", "a8b5c8", "8a6a30", "ffffff"]),
        "maze": (_maze(3), ["f0ead6", "22333b"]),
        "face": (_face(), ["3d5a80", "f2c6a0", "4b2e1e", "ffffff", "1b1b1b", "d89b73", "b23a48"]),
        "tree": (_tree(), ["bde0fe", "2d6a4f", "7f5539", "95d5b2"]),
    }


def batch(chosen: dict[str, tuple[Cells, list[str]]]) -> tuple[Cells, Cells, NDArray[np.intp]]:
    """cells (N, 24, 24), rgb (N, 10, 3), colours (N,)."""
    rgb = np.zeros((len(chosen), 10, 3), np.uint8)
    for row, (_, palette) in zip(rgb, chosen.values(), strict=True):
        row[: len(palette)] = [list(bytes.fromhex(colour)) for colour in palette]
    lengths = np.array([len(palette) for _, palette in chosen.values()])
    return np.stack([cells for cells, _ in chosen.values()]), rgb, lengths


Null = Callable[[Cells, int, np.random.Generator], Cells]
NULLS: dict[str, Null] = {
    "blank": lambda cells, colours, g: np.zeros_like(cells),
    "one-colour": lambda cells, colours, g: np.full_like(cells, colours - 1),
    "uniform noise": lambda cells, colours, g: g.integers(0, colours, cells.shape, dtype=np.uint8),
    "palette noise": lambda cells, colours, g: g.choice(cells.ravel(), cells.shape),
    "shuffled rows": lambda cells, colours, g: g.permutation(cells),
    "shuffled pixels": lambda cells, colours, g: g.permutation(cells.ravel()).reshape(cells.shape),
}


def flipped(cells: Cells, colours: int, share: float, g: np.random.Generator) -> Cells:
    """Cells that take a random other colour."""
    out, chosen = cells.ravel().copy(), _chosen(cells.size, share, g)
    out[chosen] = (out[chosen] + g.integers(1, colours, len(chosen))) % colours
    return out.reshape(cells.shape)


def shifted(cells: Cells, colours: int, share: float, g: np.random.Generator) -> Cells:
    """Rows moved sideways, around the edge."""
    out = cells.copy()
    for row in _chosen(len(cells), share, g):
        out[row] = np.roll(out[row], g.integers(1, cells.shape[1]))
    return out


def merged_into_common(cells: Cells, colours: int, share: float, g: np.random.Generator) -> Cells:
    """Cells that take the most common colour."""
    out = cells.ravel().copy()
    out[_chosen(cells.size, share, g)] = np.bincount(cells.ravel()).argmax()
    return out.reshape(cells.shape)


def merged_into_neighbour(cells: Cells, colours: int, share: float, g: np.random.Generator) -> Cells:
    """Cells that take the colour of a random neighbour."""
    wide = np.pad(cells, 1, mode="edge")
    around = np.stack([wide[:-2, 1:-1], wide[2:, 1:-1], wide[1:-1, :-2], wide[1:-1, 2:]])
    picked = np.take_along_axis(around, g.integers(0, 4, (1, *cells.shape)), axis=0)[0].ravel()
    out, chosen = cells.ravel().copy(), _chosen(cells.size, share, g)
    out[chosen] = picked[chosen]
    return out.reshape(cells.shape)


def merged_colours(cells: Cells, colours: int, share: float, g: np.random.Generator) -> Cells:
    """Whole colours, the rarest first, that become the most common one, up to a share of all other cells."""
    counts = np.bincount(cells.ravel(), minlength=colours)
    common, out, gone = int(counts.argmax()), cells.copy(), 0
    for colour in np.argsort(counts):
        if colour != common and gone < share * (cells.size - counts[common]):
            out[cells == colour] = common
            gone += int(counts[colour])
    return out


Damage = Callable[[Cells, int, float, np.random.Generator], Cells]
DAMAGE: dict[str, Damage] = {
    "flipped": flipped,
    "shifted": shifted,
    "merged into common": merged_into_common,
    "merged into neighbour": merged_into_neighbour,
    "merged colours": merged_colours,
}


def _chosen(of: int, share: float, g: np.random.Generator) -> NDArray[np.intp]:
    return g.permutation(of)[: round(share * of)]  # a smaller share is part of a larger one


def _round(radius: float) -> NDArray[np.bool_]:
    y, x = np.mgrid[:SIDE, :SIDE] - 11.5
    return np.asarray(np.hypot(y, x) < radius)


def _sun() -> Cells:
    y, x = np.mgrid[:SIDE, :SIDE] - 11.5
    out = np.zeros((SIDE, SIDE), np.uint8)
    out[_round(11) & ~_round(7.5) & (np.cos(8 * np.arctan2(y, x)) > 0.75)] = 2
    out[_round(7)] = 1
    out[np.hypot(y + 2.5, x + 2.5) < 2.5] = 3
    return out


def _rainbow() -> Cells:
    y, x = np.mgrid[:SIDE, :SIDE]
    away = np.hypot(y - 20, x - 11.5)
    band = np.floor((11.5 - away) / 1.3)
    out = np.where((band >= 0) & (band < 6) & (y < 20), band + 1, 0)
    return np.where(y >= 20, 7, out).astype(np.uint8)


def _saturn() -> Cells:
    y, x = np.mgrid[:SIDE, :SIDE] - 11.5
    tilted = y + 0.3 * x
    ellipse = (x / 11.5) ** 2 + (tilted / 3.2) ** 2
    disc = _round(6.5)
    out = np.zeros((SIDE, SIDE), np.uint8)
    out[disc] = 1
    out[disc & (y % 4 == 1.5)] = 2
    out[disc & (x + y > 4)] = 4
    out[(ellipse < 1) & (ellipse > 0.45) & ~(disc & (tilted < 0))] = 3
    out[[2, 20, 3, 21], [3, 4, 19, 20]] = 5
    return out


def _maze(seed: int) -> Cells:
    """Walls of one pixel around 11 × 11 rooms, walked through depth first."""
    g = np.random.default_rng(seed)
    out = np.ones((SIDE, SIDE), np.uint8)
    path, seen = [(1, 1)], {(1, 1)}
    out[1, 1] = 0
    while path:
        y, x = path[-1]
        rooms = [(y + 2, x), (y - 2, x), (y, x + 2), (y, x - 2)]
        fresh = [room for room in rooms if min(room) > 0 and max(room) < 23 and room not in seen]
        if not fresh:
            path.pop()
            continue
        room = fresh[g.integers(len(fresh))]
        out[room] = out[(y + room[0]) // 2, (x + room[1]) // 2] = 0
        seen.add(room)
        path.append(room)
    out[[0, 22, 22, 23], [1, 21, 22, 22]] = 0
    return out


def _face() -> Cells:
    y, x = np.mgrid[:SIDE, :SIDE]
    out = np.zeros((SIDE, SIDE), np.uint8)
    out[((x - 11.5) / 8) ** 2 + ((y - 12) / 10) ** 2 < 1] = 1
    out[(y < 8) & (((x - 11.5) / 9) ** 2 + ((y - 10) / 9.5) ** 2 < 1)] = 2
    for centre in (8, 15):
        out[10:12, centre - 1 : centre + 2] = 3
        out[10:12, centre] = 4
    out[13:16, 11:13] = 5
    out[18, 9:15] = out[19, 10:14] = 6
    return out


def _tree() -> Cells:
    out = np.zeros((SIDE, SIDE), np.uint8)
    out[18:] = 3
    out[14:20, 10:14] = 2
    for row in range(12):
        out[3 + row, 11 - row * 3 // 4 : 13 + row * 3 // 4] = 1
    return out
