"""The published formulas once more, in plain Python: loops and dictionaries, one grid at a time.

Written from the formulas alone, to be compared with `pixelreef.metrics.published`. Missing is None.
"""

from __future__ import annotations

import math

Grid = list[list[int]]


def plain_figures(grid: Grid, palette: int, json_valid: bool, cost: float | None) -> dict[str, float | None]:
    out: dict[str, float | None] = {}
    valid = 1.0 if json_valid else 0.0
    rendered = 1.0
    if len(grid) != 24:
        rendered = 0.0
    for row in grid:
        if len(row) != 24:
            rendered = 0.0
    tally: dict[int, int] = {}
    total = within = coloured = 0
    for row in grid:
        for index in row:
            total += 1
            tally[index] = tally.get(index, 0) + 1
            if index <= palette - 1:
                within += 1
            if index != 0:
                coloured += 1
    quality = min(len(tally) / 10, 1.0)
    out["json_validity"], out["render_success"], out["pixel_art_quality"] = valid, rendered, quality
    out["overall"] = (valid + rendered + quality) / 3
    out["palette_valid"] = within / total if total else None
    out["grid_valid"] = 1.0 if is_rectangle(grid) else 0.0
    out["edge_density"] = edges(grid)
    information = 0.0
    for number in tally.values():
        information -= number / total * math.log(number / total)
    out["entropy"] = information / math.log(palette + 1e-9) if total else None
    out["color_efficiency"] = len(tally) / palette if palette and total else None
    out["fill_balance"] = 1 - abs(coloured / total - 0.5) if total else None
    out["quality_score"] = weighted(
        [
            (2, out["grid_valid"]),
            (2, out["palette_valid"]),
            (1.5, out["edge_density"]),
            (1, out["entropy"]),
            (1, out["color_efficiency"]),
            (1, out["fill_balance"]),
        ]
    )
    out["efficiency"] = None
    if out["quality_score"] is not None and cost is not None:
        out["efficiency"] = out["quality_score"] - math.log(cost + 1e-9)
    out["lora_quality"] = None
    if total and palette:
        out["lora_quality"] = 0.7 * min(len(tally) / palette, 1) + 0.3 * (1 - max(tally.values()) / total)
    out["row_consistency"] = consistency(grid)
    out["grid_completeness"] = sum(1 for row in grid[:24] for _ in row) / 576
    return out


def is_rectangle(grid: Grid) -> bool:
    return len(grid) > 0 and all(len(row) == len(grid[0]) for row in grid)


def edges(grid: Grid) -> float | None:
    if not is_rectangle(grid) or len(grid) < 2 or len(grid[0]) < 2:
        return None
    changes = 0
    for y in range(len(grid) - 1):
        for x in range(len(grid[0]) - 1):
            if grid[y][x] != grid[y][x + 1]:
                changes += 1
            if grid[y][x] != grid[y + 1][x]:
                changes += 1
    return changes / (2 * (len(grid) - 1) * (len(grid[0]) - 1))


def consistency(grid: Grid) -> float | None:
    seen = changes = 0
    for row in grid:
        for x in range(1, len(row)):
            seen += 1
            if row[x] != row[x - 1]:
                changes += 1
    return 1 - changes / seen if seen else None


def weighted(parts: list[tuple[float, float | None]]) -> float | None:
    total = 0.0
    for weight, part in parts:
        if part is None:
            return None
        total += weight * part
    return total
