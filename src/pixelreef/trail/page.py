"""The trail as a page: what to do next, the iterations, loss beside cells learned, every cell, the sheets.

write_page(story, "trail")      index.html, trail.json
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pixelreef import __version__
from pixelreef.core.files import write_json, write_text
from pixelreef.report import Board, Chart, Column, Gallery, Mark, Page, Points, Prose, Row, Section, Tiles, Timeline
from pixelreef.report.columns import Turn
from pixelreef.report.part import Part
from pixelreef.trail.comparison import WORDS, Ceiling, CellChange, Comparison, learned, rank
from pixelreef.trail.iterations import Iteration
from pixelreef.trail.record import Record
from pixelreef.trail.sheets import pictures_of
from pixelreef.trail.stops import LEVELS, NAMES, corpus_words, counted, short, stop_of, time_words
from pixelreef.trail.story import Story, share_words

MAX_STOPS = 100  # iterations on the timeline
MAX_COLUMNS = 12  # iterations on the board of cells
MAX_ROWS = 500  # cells
MAX_RECORDS = 200
_LEAD = "Corpora, forecasts, runs and verdicts in the order in which they were made, joined by their hashes."
_TURNS: dict[str, Turn] = {"better": "up", "worse": "down", "same": "level", "not told": "none"}


def write_page(story: Story, out: str | os.PathLike[str]) -> list[Path]:
    """Write `index.html` and `trail.json` into a folder."""
    folder = Path(out)
    return [
        write_text(folder / "index.html", trail_page(story).html()),
        write_json(folder / "trail.json", story.document()),
    ]


def trail_page(story: Story) -> Page:
    """The whole page."""
    sections = [_now_section(story)]
    if story.iterations:
        sections += [_timeline_section(story), _loss_section(story), *_cells_section(story), *_sheets_section(story)]
    sections += _about_section(story)
    footer = f"Made by pixelreef {__version__} from {len(story.trail.records):,} records. Needs no network."
    return Page("Trail", _LEAD, sections, footer)


def _now_section(story: Story) -> Section:
    """Where things stand, and the ceiling where there is one."""
    if not story.iterations:
        return Section("now", "No iteration yet", "Train a model, or judge samples, and it stands here.")
    told: list[Part] = [Tiles(_tiles(story))]
    past = [one for one in story.ceilings if not one.now]
    if past:
        told.append(Points([_past(one, story) for one in past]))
    if story.ceiling:
        return Section("now", WORDS[0].upper() + WORDS[1:], story.ceiling.words, told)
    return Section("now", "Where it stands", _standing(story), told)


def _tiles(story: Story) -> list[tuple[str, str, str]]:
    last = story.iterations[-1]
    tiles = [("iterations", f"{len(story.iterations):,}", f"{len(story.trail.records):,} records")]
    losses = [one for one in story.iterations if one.loss is not None]
    if losses:
        first = f"{losses[0].loss:.3f} in iteration {losses[0].number}" if len(losses) > 1 else ""
        tiles.append(("mean loss", f"{losses[-1].loss:.3f}", first))
    judged = [one for one in story.iterations if one.verdicts]
    if judged:
        first = f"{share_words(judged[0])} in iteration {judged[0].number}" if len(judged) > 1 else ""
        tiles.append(("cells learned", share_words(judged[-1]), first))
    than = story.comparisons[-1] if story.comparisons else None
    if than and than.iteration == last.number:
        tiles.append(("better", f"{than.count('better'):,}", "than when last told"))
        tiles.append(("worse", f"{than.count('worse'):,}", f"{than.count('same'):,} the same"))
    return tiles


def _standing(story: Story) -> str:
    told = [one for one in story.iterations if one.loss is not None and one.verdicts]
    if len(told) < 2:
        return "A second iteration with loss and verdicts is needed to say what became better."
    return f"No ceiling: that is when loss falls {story.falls} times running and no cell's verdict improves."


def _past(one: Ceiling, story: Story) -> str:
    after = next(other for other in story.iterations if other.number > one.iterations[-1] and other.verdicts)
    return f"A ceiling before: {one.words} Iteration {after.number} ended it."


def _timeline_section(story: Story) -> Section:
    shown = story.iterations[-MAX_STOPS:]
    left = len(story.iterations) - len(shown)
    words = "From corpus to verdict. " + (f"{left:,} older iterations are in trail.json." if left else "")
    before = [None, *story.iterations][-len(shown) - 1 :]
    stops = [stop_of(one, was) for was, one in zip(before, shown, strict=False)]
    return Section("timeline", "Iterations", words.strip(), [Timeline(stops, NAMES)])


def _loss_section(story: Story) -> Section:
    words = (
        "Loss is in bits per pixel on sprites held back; lower is better. It is not taste: see where the lines part."
    )
    return Section("loss", "Loss and cells learned", words, [chart(story)])


def chart(story: Story) -> Chart:
    """Mean loss and the cells learned by iteration, as a share where not all have as many; ceilings are shaded."""
    losses = [(one.number, one.loss) for one in story.iterations if one.loss is not None]
    scale = _scale(story)
    cells = [(one.number, scale.of(one)) for one in story.iterations if one.verdicts]
    lines = [_line("mean loss", losses), {**_line("cells learned", cells), "yaxis": "y2", "line": {"dash": "dot"}}]
    layout: dict[str, Any] = {
        "xaxis": {"title": {"text": "iteration"}, "tickmode": "array", "range": [0.7, len(story.iterations) + 0.3],
                  "tickvals": _ticks(len(story.iterations), 30), "showgrid": False},
        "yaxis": {"title": {"text": "bits per pixel"}, "rangemode": "tozero"},
        "yaxis2": {"title": {"text": scale.title}, "overlaying": "y", "side": "right", "range": [0, 1.04 * scale.most],
                   "tickmode": "array", "tickvals": _ticks(scale.most), "showgrid": False, "zeroline": False},
        "shapes": [_shade(one) for one in story.ceilings],
        "annotations": [_label(one) for one in story.ceilings],
    }  # fmt: skip
    return Chart({"data": lines, "layout": layout}, _told(losses, cells, scale), table=_figures(story))


@dataclass(frozen=True)
class _Scale:
    """What cells learned are counted in."""

    title: str
    most: int
    shares: bool

    def of(self, one: Iteration) -> float | None:
        found = learned(one)
        return round(100 * found / len(one.verdicts), 1) if self.shares and found is not None else found


def _scale(story: Story) -> _Scale:
    sizes = {len(one.verdicts) for one in story.iterations if one.verdicts} or {1}
    most = max(sizes)
    return _Scale("cells learned, %", 100, True) if len(sizes) > 1 else _Scale(f"cells learned, of {most}", most, False)


def _ticks(most: int, parts: int = 5) -> list[int]:
    """Some whole numbers from 0 up to the most.

    >>> _ticks(30), _ticks(3)
    ([0, 6, 12, 18, 24, 30], [0, 1, 2, 3])
    """
    return list(range(0, most + 1, max(1, -(-most // parts))))


def _line(name: str, points: Sequence[tuple[int, Any]]) -> dict[str, Any]:
    x, y = [point[0] for point in points], [point[1] for point in points]
    return {"type": "scatter", "mode": "lines+markers", "name": name, "x": x, "y": y, "marker": {"size": 8}}


def _shade(one: Ceiling) -> dict[str, Any]:
    ends = {"x0": one.iterations[0] - 0.15, "x1": one.iterations[-1] + 0.15, "y0": 0, "y1": 1}
    return {"type": "rect", "xref": "x", "yref": "paper", **ends, "line": {"width": 0},
            "fillcolor": "rgba(224, 148, 32, 0.16)", "layer": "below"}  # fmt: skip


def _label(one: Ceiling) -> dict[str, Any]:
    middle = (one.iterations[0] + one.iterations[-1]) / 2
    return {"x": middle, "y": 0.02, "yref": "paper", "yanchor": "bottom", "text": "ceiling", "showarrow": False}


def _told(losses: Sequence[tuple[int, Any]], cells: Sequence[tuple[int, Any]], scale: _Scale) -> str:
    loss = f"Mean loss: {', '.join(f'{value:.3f}' for _, value in losses[-12:])}." if losses else "No loss is known."
    counts = ", ".join(f"{value:g}" for _, value in cells[-12:]) or "not judged"
    return f"{loss} {scale.title[0].upper()}{scale.title[1:]}: {counts}."


def _figures(story: Story) -> Board:
    columns = [
        Column("iteration", "Iteration"),
        Column("loss", "Mean loss", "number", 3),
        Column("learned", "Cells learned", "count"),
        Column("judged", "Cells judged", "count"),
        Column("better", "Better", "count"),
        Column("worse", "Worse", "count"),
        Column("corpus", "Corpus"),
    ]
    than = {one.iteration: one for one in story.comparisons}
    rows = [Row(_figure_row(one, than.get(one.number))) for one in story.iterations[-MAX_STOPS:]]
    return Board(columns, rows, "Better and worse: each cell against the last iteration that told of it")


def _figure_row(one: Iteration, than: Comparison | None) -> dict[str, Any]:
    return {
        "iteration": str(one.number),
        "loss": one.loss,
        "learned": learned(one),
        "judged": len(one.verdicts) or None,
        "better": than.count("better") if than else None,
        "worse": than.count("worse") if than else None,
        "corpus": short(one.corpus_hash) or None,
    }


def _cells_section(story: Story) -> list[Section]:
    """Cells × iterations: the verdict, whether it is better than before, and the loss."""
    judged = [one for one in story.iterations if one.verdicts]
    if not judged:
        return []
    shown = judged[-MAX_COLUMNS:]
    than = {one.iteration: one.cells for one in story.comparisons}
    cells = list(dict.fromkeys(cell for one in reversed(shown) for cell in one.verdicts))
    columns = [Column("cell", "Cell")] + [_column(one) for one in shown]
    rows = [
        Row({"cell": cell, **{f"i{one.number}": _mark(one, cell, than.get(one.number, {}).get(cell)) for one in shown}})
        for cell in cells[:MAX_ROWS]
    ]
    few = f"the last {len(shown)} of {len(judged)} iterations judged" if len(shown) < len(judged) else "by iteration"
    some = f"the first {MAX_ROWS} of {len(cells):,} cells" if len(cells) > MAX_ROWS else f"{len(cells):,} cells"
    words = (
        "The verdict of taste: better ▲, the same = or worse ▼ than the last time that something was told of the cell. "
        "Learned is better than weak, weak than any fault. Below it the cell's loss, and how it moved where the corpus "
        "is the same."
    )
    board = Board(columns, rows, f"Verdicts of {some}, {few}")
    return [Section("cells", "Cells", words, [board])]


def _column(one: Iteration) -> Column:
    loss = "" if one.loss is None else f"loss {one.loss:.3f}"
    return Column(f"i{one.number}", f"{one.number}", "mark", hint=loss)


def _mark(one: Iteration, cell: str, change: CellChange | None) -> Mark | None:
    word = one.verdicts.get(cell)
    if word is None:
        return None
    loss = one.losses.get(cell)
    moved = f" ({change.loss:+.3f})".replace("-", "−") if change and change.loss is not None else ""
    remark = "" if loss is None else f"{loss:.3f}{moved}"
    return Mark(word, _TURNS[change.change] if change else "none", remark, rank(word))


def _sheets_section(story: Story) -> list[Section]:
    pictures, notes = pictures_of(story.iterations, story.trail.folder)
    if not pictures and not notes:
        return []
    gallery: list[Part] = [Gallery(pictures, tile=540, label="Sheets by iteration")] if pictures else []
    words = "What was drawn, unselected, in the order of the iterations."
    return [Section("sheets", "Sheets", words, [*gallery, *([Points(notes)] if notes else [])])]


def _about_section(story: Story) -> list[Section]:
    parts: list[Part] = []
    if story.notes:
        parts.append(Points(story.notes))
    if story.joined.notes:
        parts.append(Prose("\n\n".join(["Notes on records that are gone:", *story.joined.notes])))
    if story.joined.unused:
        parts.append(_unused(story.joined.unused))
    if story.trail.records:
        parts.append(_records(story))
    return [Section("about", "About this trail", "", parts)] if parts else []


def _records(story: Story) -> Board:
    columns = [Column("id", "Record"), Column("kind", "Kind"), Column("time", "Time"), Column("command", "As typed")]
    shown = story.trail.records[-MAX_RECORDS:]
    rows = [Row({"id": one.id, "kind": one.kind, "time": time_words(one), "command": one.command}) for one in shown]
    return Board(columns, rows, f"The last {len(rows)} records" if len(shown) < len(story.trail.records) else "Records")


def _unused(records: Sequence[Record]) -> Board:
    columns = [Column("kind", "Kind"), Column("time", "Time"), Column("what", "What"), Column("note", "Note")]
    rows = [
        Row({"kind": one.kind, "time": time_words(one), "what": _what(one), "note": one.note or None})
        for one in records[-MAX_STOPS:]
    ]
    return Board(columns, rows, "Corpora and forecasts that no run has followed yet")


def _what(record: Record) -> str:
    if record.kind == "corpus":
        return f"{corpus_words(record)}, {short(record.corpus)}"
    return f"{counted(record.verdicts.values(), LEVELS)}, {short(record.corpus) or 'of pictures'}"
