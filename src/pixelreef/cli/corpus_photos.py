"""`pixelreef corpus photos`: sprites from photographs, of a folder, of Wikimedia Commons or of a list of addresses."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pixelreef.cli import corpus_import as shared
from pixelreef.cli.recorded import NO_TRAIL, NOTE, Recorder

if TYPE_CHECKING:
    from pixelreef.corpus.intake import Intake
    from pixelreef.corpus.photos.web import Web


def photos(
    folder: Annotated[Path | None, typer.Argument(metavar="[DIR]", help="A folder of photographs.")] = None,
    commons: Annotated[
        str | None, typer.Option("--commons", metavar="CATEGORY", help="Download a category of Wikimedia Commons.")
    ] = None,
    addresses: Annotated[
        Path | None,
        typer.Option("--addresses", metavar="CSV", help="Download a list: address,licence,author[,page][,factors…]."),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE.parquet", help="The corpus to write.")] = None,
    downloads: Annotated[
        Path | None,
        typer.Option("--downloads", metavar="DIR", help="Where downloads are kept. [beside --out, FILE-photos]"),
    ] = None,
    only_download: Annotated[
        bool, typer.Option("--only-download", help="Download and stop: for sheets, or to look first.")
    ] = False,
    size: Annotated[int, typer.Option("--size", min=4, max=512, help="Cells along a side of a sprite.")] = 32,
    palette: Annotated[str, typer.Option("--palette", metavar="FILE|reef", help="The palette to map to.")] = "reef",
    colours: Annotated[int, typer.Option("--colours", min=1, max=256, help="The most colours of one sprite.")] = 16,
    dither: shared.DITHER = False,
    lift: Annotated[
        float, typer.Option("--lift", min=0, max=1, help="Contrast and saturation towards a drawing's: 0 none, 1 all.")
    ] = 0.0,
    masks: Annotated[
        Path | None, typer.Option("--masks", metavar="DIR", help="A mask for every photograph, of the same stem.")
    ] = None,
    mask_colour: Annotated[
        list[str] | None,
        typer.Option("--mask-colour", help="What a mask paints subjects with; again for more. [any but black]"),
    ] = None,
    salient: Annotated[
        bool, typer.Option("--salient", help="Without a plain background, cut out what stands out.")
    ] = False,
    whole: Annotated[
        bool, typer.Option("--whole", help="Where no subject is found, take the middle of the picture.")
    ] = False,
    category: shared.CATEGORY = "",
    zone: shared.ZONE = "",
    factor: shared.FACTOR = None,
    folders: shared.FOLDERS = "",
    labels: shared.LABELS = None,
    origins: Annotated[
        Path | None, typer.Option("--origins", metavar="CSV", help="file,author,licence,address for each.")
    ] = None,
    author: shared.AUTHOR = "",
    licence: shared.LICENCE = "",
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="The most photographs. [all; 100 downloads]")
    ] = None,
    contact: Annotated[
        str, typer.Option("--contact", help="Your mail or web address, for the servers' log: Commons asks for it.")
    ] = "",
    pause: Annotated[float, typer.Option("--pause", min=0, help="Seconds between two requests.")] = 1.0,
    api: Annotated[str | None, typer.Option("--api", hidden=True, help="Another wiki's api.php.")] = None,
    strict: shared.STRICT = False,
    note: NOTE = "",
    no_trail: NO_TRAIL = False,
    as_json: shared.JSON = False,
) -> None:
    """Make sprites of photographs: cut out the subject, take the dominant colour of each cell, map to a palette.

    The subject comes from a mask, the picture's alpha or a plain background; else the photograph is refused, unless
    `--salient` or `--whole` is given. Only free licences are downloaded; author, licence and address are kept.

    Examples: `pixelreef corpus photos shells --category grazer --licence CC0-1.0 --out shells.parquet` ·
    `pixelreef corpus photos --commons "Aurelia aurita" --limit 50 --contact me@example.org --salient --out m.parquet` ·
    `pixelreef corpus photos --addresses sheets.csv --only-download --downloads sheets`
    """
    from dataclasses import replace

    from pixelreef.core.palette import rgb_from_hex
    from pixelreef.core.reef import reef_palette
    from pixelreef.corpus.intake import Intake
    from pixelreef.corpus.photos.folder import PhotoOptions, photos_from_folder, with_manifest
    from pixelreef.corpus.photos.origins import read_origins
    from pixelreef.corpus.photos.web import Pace, Web

    recorder = Recorder(note, no_trail)
    _check(folder, commons, addresses, out, downloads, only_download, contact)
    options = PhotoOptions(
        size=size,
        palette=shared.palette_from_option(palette) or reef_palette(),
        colours=colours,
        dither=dither,
        lift=lift,
        masks=masks,
        mask_colours=tuple(rgb_from_hex(colour.removeprefix("#"), "mask colour") for colour in mask_colour or ()),
        salient=salient,
        whole=whole,
        labels=shared.labels_from_options(category, zone, factor, folders, labels),
        source=commons or "",
        author=author,
        licence=licence,
        limit=limit,
    )
    if origins:
        options = replace(options, origins=read_origins(origins, options.source))
    intake = Intake()
    if folder is None:
        folder = downloads or _beside(out)
        _download(commons, addresses, folder, Web(contact, Pace(pause=pause), _say), limit or 100, api, intake)
    if out is None:
        shared.print_intake(intake, as_json)
        return
    photographs = with_manifest(folder, options)
    facts = shared.import_corpus(
        lambda told: photos_from_folder(folder, photographs, told),
        out,
        photographs.labels,
        {"by": "photos", "size": size, "palette": palette, "colours": colours, "lift": lift, "dither": dither},
        strict,
        as_json,
        intake,
    )
    recorder.add("corpus", facts.record)


def _check(
    folder: Path | None,
    commons: str | None,
    addresses: Path | None,
    out: Path | None,
    downloads: Path | None,
    only_download: bool,
    contact: str,
) -> None:
    from pixelreef.errors import InputError

    given = [one for one in (folder, commons, addresses) if one is not None]
    if len(given) != 1:
        raise InputError("photographs", "be one of DIR, --commons CATEGORY and --addresses CSV", len(given))
    if commons is not None and not contact:
        todo = "Give your mail or web address with --contact: Wikimedia turns away clients that name none."
        raise InputError("--commons", "come with --contact", "none", todo, verbatim=True)
    if only_download and (folder is not None or downloads is None):
        raise InputError("--only-download", "come with --downloads and something to download", "less", verbatim=True)
    if not only_download and out is None:
        raise InputError("--out", "name the corpus to write", "nothing", "Give --out FILE.parquet.", verbatim=True)


def _download(
    commons: str | None, addresses: Path | None, folder: Path, web: Web, most: int, api: str | None, intake: Intake
) -> None:
    from pixelreef.corpus.photos.addresses import wanted_from_addresses
    from pixelreef.corpus.photos.commons import API, wanted_from_commons
    from pixelreef.corpus.photos.download import Limits, download

    if commons is not None:
        wanted = wanted_from_commons(commons, web, intake, api or API)
    else:
        assert addresses is not None
        wanted = wanted_from_addresses(addresses, intake)
    for number, row in enumerate(download(wanted, folder, web, Limits(most), intake), 1):
        _say(f"{number}/{most} {row.file}")


def _beside(out: Path | None) -> Path:
    assert out is not None
    return out.with_name(f"{out.stem}-photos")


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
