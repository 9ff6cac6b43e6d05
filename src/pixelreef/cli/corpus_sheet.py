"""`pixelreef corpus sheet`: a corpus from sprite sheets."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pixelreef.cli import corpus_import as shared
from pixelreef.cli.recorded import NO_TRAIL, NOTE, Recorder

if TYPE_CHECKING:
    from pixelreef.corpus.sheets.entries import Told


def sheet(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Sprite sheets: PNG, GIF, JPEG, ….")],
    out: shared.OUT,
    cell: Annotated[
        str | None, typer.Option("--cell", metavar="N|WxH", help="The size of a cell; else the grid is found.")
    ] = None,
    offset: Annotated[
        str | None, typer.Option("--offset", metavar="N|X,Y", help="Pixels before the first cell. [0]")
    ] = None,
    gutter: Annotated[
        str | None, typer.Option("--gutter", metavar="N|X,Y", help="Pixels between two cells. [0]")
    ] = None,
    scale: Annotated[
        str, typer.Option("--scale", metavar="auto|N", help="By how much the sheet was enlarged, to be undone.")
    ] = "auto",
    components: Annotated[bool, typer.Option("--components", help="No grid: what hangs together is a sprite.")] = False,
    atlas: Annotated[
        Path | None,
        typer.Option("--atlas", metavar="FILE.json", help="Of TexturePacker or Aseprite. [the sheet's own name]"),
    ] = None,
    background: Annotated[
        str, typer.Option("--background", metavar="auto|none|RRGGBB", help="The backdrop, made transparent.")
    ] = "auto",
    enclosed: Annotated[
        str,
        typer.Option("--enclosed", metavar="auto|clear|keep", help="The backdrop's colour inside a sprite."),
    ] = "auto",
    size: shared.SIZE = None,
    palette: shared.PALETTE = None,
    category: shared.CATEGORY = "",
    zone: shared.ZONE = "",
    factor: shared.FACTOR = None,
    row_factor: Annotated[
        list[str] | None,
        typer.Option("--row-factor", metavar="NAME=A,B,…", help="A factor's value for each row of the sheet."),
    ] = None,
    column_factor: Annotated[
        list[str] | None,
        typer.Option("--column-factor", metavar="NAME=A,B,…", help="A factor's value for each column."),
    ] = None,
    labels: shared.LABELS = None,
    author: shared.AUTHOR = "",
    licence: shared.LICENCE = "",
    preview: Annotated[
        Path | None, typer.Option("--preview", metavar="FILE.png", help="The sheet with the cut drawn on it.")
    ] = None,
    strict: shared.STRICT = False,
    note: NOTE = "",
    no_trail: NO_TRAIL = False,
    as_json: shared.JSON = False,
) -> None:
    """Cut sprite sheets up. Enlargement, JPEG noise and backdrop are undone, and the grid is found, unless given.

    Sizes are in pixels of the sheet as its artist had it, before any enlargement. Empty and repeated cells are
    dropped. What was found is told for each sheet; `--preview` shows it.

    Examples: `pixelreef corpus sheet fish.png --licence CC0-1.0 --preview cut.png --out fish.parquet` ·
    `pixelreef corpus sheet old.jpg --cell 16 --offset 3 --gutter 1 --palette reef --out old.parquet`
    """
    from pixelreef.corpus.layout import check_factor_names
    from pixelreef.corpus.sheets import SheetOptions, sheet_entries
    from pixelreef.corpus.sheets.background import background_from_text, enclosed_from_text
    from pixelreef.corpus.sheets.options import pair_from_text, values_from_text
    from pixelreef.corpus.sheets.scale import scale_from_text

    recorder = Recorder(note, no_trail)
    rows = dict(values_from_text(one, "--row-factor") for one in row_factor or ())
    columns = dict(values_from_text(one, "--column-factor") for one in column_factor or ())
    given = shared.labels_from_options(category, zone, factor, "", labels)
    options = SheetOptions(
        scale=scale_from_text(scale),
        background=background_from_text(background),
        enclosed=enclosed_from_text(enclosed),
        cell=pair_from_text(cell, "--cell", 1) if cell else None,
        offset=pair_from_text(offset, "--offset") if offset else None,
        gutter=pair_from_text(gutter, "--gutter") if gutter else None,
        components=components,
        atlas=atlas,
        size=shared.size_from_option(size),
        palette=shared.palette_from_option(palette),
        labels=given,
        rows=rows,
        columns=columns,
        author=author,
        licence=licence,
    )
    check_factor_names(options.all_labels.names)
    history: dict[str, Any] = {"by": "sheet", "size": options.size, "palette": palette or "own", "sheets": []}
    told = _teller(history["sheets"], preview, len(files) > 1)
    facts = shared.import_corpus(
        lambda intake: sheet_entries(files, options, intake, told), out, options.all_labels, history, strict, as_json
    )
    recorder.add("corpus", facts.record, [preview] if preview is not None and preview.is_file() else [])


def _teller(reports: list[dict[str, Any]], preview: Path | None, several: bool) -> Told:
    """Keeps and prints what was found about each sheet, and writes its preview."""
    from pixelreef.core.files import safe_name, write_bytes
    from pixelreef.corpus.sheets.preview import preview_png

    def told(report: Any, sheet: Any, cut: Any, taken: set[str]) -> None:
        reports.append(report.document())
        print(shared.printable(report.line()), file=sys.stderr)
        if preview is not None:
            own = preview.with_name(f"{preview.stem}-{safe_name(Path(report.file).stem)}{preview.suffix}")
            write_bytes(own if several else preview, preview_png(sheet.rgba, cut.places, taken))

    return told
