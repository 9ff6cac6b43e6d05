"""`pixelreef corpus photos`: sprites from photographs, of a folder, of Wikimedia Commons or of a list of addresses."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from pixelreef.corpus.intake import Intake
    from pixelreef.corpus.labels import Labels
    from pixelreef.corpus.photos.folder import PhotoOptions
    from pixelreef.corpus.photos.web import Web

SHOWN = 20  # refusals that are printed; `--json` has all


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
    palette: Annotated[Path | None, typer.Option("--palette", help="A palette file. [the reef's 64]")] = None,
    colours: Annotated[int, typer.Option("--colours", min=1, max=256, help="The most colours of one sprite.")] = 16,
    dither: Annotated[bool, typer.Option("--dither", help="Ordered dithering.")] = False,
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
    category: Annotated[str | None, typer.Option("--category", help="The factor category of all.")] = None,
    zone: Annotated[str | None, typer.Option("--zone", help="The factor zone of all.")] = None,
    factor: Annotated[list[str] | None, typer.Option("--factor", help="NAME=VALUE of all; again for more.")] = None,
    folders: Annotated[
        str | None, typer.Option("--folders", help="Factors that folder names give, outermost first: category,zone.")
    ] = None,
    labels: Annotated[Path | None, typer.Option("--labels", metavar="CSV", help="file,FACTOR… for each.")] = None,
    origins: Annotated[
        Path | None, typer.Option("--origins", metavar="CSV", help="file,author,licence,address for each.")
    ] = None,
    author: Annotated[str, typer.Option("--author", help="Of those with no other.")] = "",
    licence: Annotated[str, typer.Option("--licence", help="Of those with no other, such as CC0-1.0.")] = "",
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="The most photographs. [all; 100 downloads]")
    ] = None,
    contact: Annotated[
        str, typer.Option("--contact", help="Your mail or web address, for the servers' log: Commons asks for it.")
    ] = "",
    pause: Annotated[float, typer.Option("--pause", min=0, help="Seconds between two requests.")] = 1.0,
    api: Annotated[str | None, typer.Option("--api", hidden=True, help="Another wiki's api.php.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 2 if anything was refused.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
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
    from pixelreef.core.palette_files import read_palette
    from pixelreef.core.reef import reef_palette
    from pixelreef.corpus.intake import Intake
    from pixelreef.corpus.photos.folder import PhotoOptions
    from pixelreef.corpus.photos.origins import read_origins
    from pixelreef.corpus.photos.web import Pace, Web

    _check(folder, commons, addresses, out, downloads, only_download, contact)
    options = PhotoOptions(
        size=size,
        palette=read_palette(palette) if palette else reef_palette(),
        colours=colours,
        dither=dither,
        lift=lift,
        masks=masks,
        mask_colours=tuple(rgb_from_hex(colour.removeprefix("#"), "mask colour") for colour in mask_colour or ()),
        salient=salient,
        whole=whole,
        labels=_labels(category, zone, factor or [], folders, labels),
        source=commons or "",
        author=author,
        licence=licence,
        limit=limit,
    )
    if origins:
        options = replace(options, origins=read_origins(origins, options.source))
    intake = Intake()
    try:
        if folder is None:
            folder = downloads or _beside(out)
            _download(commons, addresses, folder, Web(contact, Pace(pause=pause), _say), limit or 100, api, intake)
        written = None if only_download else _written(folder, out, options, intake)
    finally:
        _say_intake(intake, as_json)
    if as_json:
        print(json.dumps({"corpus": written, "folder": str(folder), **intake.document()}, indent=2))
    elif written:
        print(f"{out}: {written['count']:,} sprites, {len(intake.refused):,} refused")
    else:
        print(f"{folder}: {intake.counts['downloaded']:,} downloaded, {intake.counts['already there']:,} already there")
    if strict and intake.refused:
        raise typer.Exit(2)


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


def _labels(
    category: str | None, zone: str | None, given: list[str], folders: str | None, table: Path | None
) -> Labels:
    from pixelreef.corpus.labels import Labels, read_labels
    from pixelreef.errors import InputError

    flags = {name: value for name, value in (("category", category), ("zone", zone)) if value}
    for one in given:
        name, equals, value = one.partition("=")
        if not (name and equals and value):
            raise InputError("--factor", "be NAME=VALUE", one)
        flags[name] = value
    names = tuple(name.strip() for name in (folders or "").split(",") if name.strip())
    return Labels(flags, names, read_labels(table) if table else {})


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


def _written(folder: Path, out: Path | None, options: PhotoOptions, intake: Intake) -> dict[str, Any]:
    from pixelreef.corpus.cells import REEF_FACTORS
    from pixelreef.corpus.photos.folder import photos_from_folder, with_manifest
    from pixelreef.corpus.store import write_corpus

    assert out is not None
    options = with_manifest(folder, options)
    factors = {name: REEF_FACTORS.get(name, ()) for name in options.labels.names}
    history = {"by": "photos", "size": options.size, "lift": options.lift, "dither": options.dither}
    return write_corpus(out, photos_from_folder(folder, options, intake), factors, history).document()


def _beside(out: Path | None) -> Path:
    assert out is not None
    return out.with_name(f"{out.stem}-photos")


def _say_intake(intake: Intake, as_json: bool) -> None:
    for one in intake.refused[: None if as_json else SHOWN]:
        _say(f"refused {ascii(one.item)[1:-1]}: {one.reason}")
    if not as_json and len(intake.refused) > SHOWN:
        _say(f"and {len(intake.refused) - SHOWN:,} more refused; --json lists all")
    if intake.unlabelled:
        _say(f"{len(intake.unlabelled):,} without a factor, in the cell `all`: {', '.join(intake.unlabelled[:5])}")
    if intake.counts:
        _say(", ".join(f"{number:,} {what}" for what, number in sorted(intake.counts.items())))


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
