"""`corpus show`: the census, contact sheets, and a page on which sprites are judged with single keys.

    shown = show_corpus(open_corpus("reef.parquet"), Path("shown"))
    shown.page, shown.census.text()

    index.html       judge sprites, and the census
    census.json      the census
    overview.png     all cells, eight sprites each
    table.png        the cells by two factors, four sprites each
    cells/NAME.png   one sheet per cell

The page saves a file of decisions, which `corpus curate` takes. The same corpus and seed give the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from typing import Any

from pixelreef import __version__
from pixelreef.core.files import write_json, write_text
from pixelreef.core.seeds import rng
from pixelreef.corpus.cells import REEF_FACTORS
from pixelreef.corpus.census import Census, Group, take_census
from pixelreef.corpus.contact import choose, write_sheets
from pixelreef.corpus.curate import FORMAT, VERSION
from pixelreef.corpus.entry import Entry
from pixelreef.corpus.layout import Factors
from pixelreef.corpus.neighbours import neighbours
from pixelreef.corpus.opened import Corpus
from pixelreef.errors import InputError
from pixelreef.report import Board, Card, Column, Deck, Html, Label, Page, Points, Row, Section

LIMIT = 2500  # sprites on the page
PIXELS = 2**23  # of all sprites on the page, so that large ones are fewer
NEAR = 9
MAX_LABELS = 200
_LEAD = (
    "Deciding what a model sees is the work. Each sprite stands beside those of its cell that are most like it; single "
    "keys decide, the space bar moves on."
)


@dataclass(frozen=True)
class Shown:
    """What was written."""

    page: Path
    sheets: list[Path]
    census: Census
    judged: int
    """Sprites on the page."""

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        sheets = [str(path) for path in self.sheets]
        return {"page": str(self.page), "sheets": sheets, "on_page": self.judged, "census": self.census.document()}


def show_corpus(corpus: Corpus, out: Path, seed: int = 0, limit: int = LIMIT, per_cell: int = 48) -> Shown:
    """Write page, sheets and census into `out`."""
    out = Path(out)
    census = take_census(corpus)
    if not census.whole.count:
        raise InputError(f"corpus {str(corpus.path)!r}", "have a sprite to show", "none", verbatim=True)
    counts = {cell: group.count for cell, group in census.cells.items()}
    sheets = write_sheets(choose(corpus, per_cell, seed), out, counts, corpus.factors)
    entries = judged(corpus, limit, seed)
    write_json(out / "census.json", census.document())
    page = write_text(out / "index.html", page_of(corpus, census, entries, seed))
    return Shown(page, sheets, census, len(entries))


def judged(corpus: Corpus, limit: int, seed: int) -> list[Entry]:
    """The sprites of the page, cell by cell, each picture once: all of them, or a sample of every cell by seed."""
    chosen: list[int] = []
    cells = corpus.cells()
    room = limit
    for left, (cell, rows) in zip(
        range(len(cells), 0, -1), sorted(cells.items(), key=lambda item: len(item[1])), strict=True
    ):
        taken = rng(seed, "judge", cell).permutation(rows)[
            : max(1, room // left)
        ]  # small cells leave room to large ones
        chosen += taken.tolist()
        room -= len(taken)
    found = corpus.at(chosen[: max(limit, 1)])
    entries: dict[str, Entry] = {}
    pixels = 0
    for cell in cells:
        for row in cells[cell].tolist():
            entry = found.get(row)
            if entry is not None and entry.hash not in entries and pixels + entry.cells.size <= PIXELS:
                entries[entry.hash] = entry
                pixels += entry.cells.size
    return list(entries.values())


def page_of(corpus: Corpus, census: Census, entries: list[Entry], seed: int) -> Html:
    """The whole page."""
    whole = len(entries) == census.whole.unique
    words = f"{len(entries):,} sprites" + ("." if whole else f" of {census.whole.unique:,}: a sample by seed {seed}.")
    if not whole:
        words += " Choose a cell with --cell, or show more with --limit."
    sections = [
        Section("judge", "Judge", words, [deck_of(corpus, entries)]),
        Section("census", "Census", parts=[_cells_board(census)]),
        Section("sources", "Sources and licences", parts=[_sources_board(census), Points(_remarks(census))]),
    ]
    footer = f"Made by pixelreef {__version__}. Corpus {corpus.hash}. Opens from disk; needs no network."
    return Page(f"Corpus {corpus.path.name}", _LEAD, sections, footer).html()


def deck_of(corpus: Corpus, entries: list[Entry]) -> Deck:
    """The sprites as cards, to be judged."""
    near = neighbours(entries, NEAR)
    cards = [
        Card(one.hash, one.palette.rgba[one.cells], _title(one), _caption(one), one.cell, beside)
        for one, beside in zip(entries, near, strict=True)
    ]
    header = {"format": FORMAT, "version": VERSION, "corpus": corpus.hash}
    return Deck(cards, corpus.hash, header, labels_of(corpus.factors), groups="cell")


def labels_of(factors: Factors) -> list[Label]:
    """Every cell that the factors make; those of the reef for a corpus without any."""
    known = {name: values for name, values in (factors or REEF_FACTORS).items() if values}
    cells = [dict(zip(known, values, strict=True)) for values in islice(product(*known.values()), MAX_LABELS)]
    return [Label("/".join(cell.values()), cell) for cell in cells if cell]


def _title(entry: Entry) -> str:
    return " ".join(filter(None, (entry.species, entry.name))) or entry.hash[:8]


def _caption(entry: Entry) -> str:
    height, width = entry.cells.shape
    origin = entry.origin
    licence = origin.licence or "no licence"
    weight = "" if entry.weight == 1 else f"weight {entry.weight:g}"
    facts = (
        entry.cell,
        f"{width} × {height}",
        origin.source,
        origin.author,
        licence,
        origin.address,
        entry.split,
        weight,
    )
    return " · ".join(filter(None, facts))[:400]


def _cells_board(census: Census) -> Board:
    columns = [
        Column("cell", "Cell"),
        Column("count", "Sprites", "count"),
        Column("unique", "Unique", "count", hint="Sprites that look different from one another."),
        Column("species", "Species", "count"),
        Column("largest", "Largest species", "percent", hint="The share of the species with the most sprites."),
        Column("sizes", "Sizes"),
        Column("colours", "Colours", "count", hint="Different colours seen in the cell."),
        Column("weight", "Weight", "number", digits=1, hint="The sum of the sprites' weights."),
    ]
    rows = [Row({"cell": name, **_figures(group)}) for name, group in census.cells.items()]
    return Board(columns, rows, f"{census.whole.count:,} sprites in {len(census.cells):,} cells")


def _figures(group: Group) -> dict[str, Any]:
    shares = list(group.shares().values())
    sizes = sorted(group.sizes)
    return {
        "count": group.count,
        "unique": group.unique,
        "species": len(group.species) or None,
        "largest": shares[0] if shares else None,
        "sizes": ", ".join(f"{width} × {height}" for width, height in sizes[:3]) + (" …" if len(sizes) > 3 else ""),
        "colours": len(group.colours),
        "weight": group.weight,
    }


def _sources_board(census: Census) -> Board:
    columns = [
        Column("source", "Source"),
        Column("licence", "Licence"),
        Column("count", "Sprites", "count"),
    ]
    rows = [
        Row({"source": name or "not said", "licence": licence or "none known", "count": count})
        for name, group in census.sources.items()
        for licence, count in sorted(group.licences.items())
    ]
    return Board(columns, rows, "Where the sprites come from")


def _remarks(census: Census) -> list[str]:
    splits: Mapping[str, int] = census.whole.splits
    named = ", ".join(f"{name} {count:,}" for name, count in sorted(splits.items()) if name)
    return [
        f"Splits: {named}." if named else "Not split yet.",
        f"{census.whole.with_parts:,} sprites have part labels.",
        f"{census.refused:,} rows could not be read." if census.refused else "Every row could be read.",
    ]
