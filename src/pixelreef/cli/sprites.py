"""`pixelreef sprites`: train | sample | sweep | card | breed | idle | parts | shade | export | serve | onnx."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from pixelreef.cli.sprites_breed import breed
from pixelreef.cli.sprites_export import export
from pixelreef.cli.sprites_idle import idle
from pixelreef.cli.sprites_onnx import onnx
from pixelreef.cli.sprites_parts import parts
from pixelreef.cli.sprites_serve import serve
from pixelreef.cli.sprites_shade import shade
from pixelreef.cli.sprites_train import train

if TYPE_CHECKING:
    from pixelreef.sprites.choose import Sampling
    from pixelreef.sprites.completion import Given
    from pixelreef.sprites.sample import Sampler
    from pixelreef.sprites.weights import Weights

sprites = typer.Typer(no_args_is_help=True, help="A small model that draws sprites, and the engine that samples it.")
sprites.command()(train)
sprites.command()(breed)
sprites.command()(idle)
sprites.command()(parts)
sprites.command()(serve)
sprites.command()(onnx)
sprites.command()(shade)
sprites.command()(export)

_EVERY = 10.0  # seconds between lines of progress where stderr is no terminal
Item = TypeVar("Item")

Cells = Annotated[
    list[str],
    typer.Option("--cell", help="Such as jellyfish/abyss; again for more, a pattern such as 'coral/*', or all."),
]
Out = Annotated[Path, typer.Option("--out", help="A folder for the pictures.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Decides all randomness.")]
File = Annotated[
    Path | None, typer.Option("--weights", metavar="RUN|FILE", help="Of a training run; the shipped ones unless given.")
]
Guidance = Annotated[float, typer.Option("--guidance", help="Above 1: more like its cell, and less varied.")]
TopK = Annotated[int, typer.Option("--top-k", help="Only so many of the likeliest colours; 0: all.")]
MinP = Annotated[
    float, typer.Option("--min-p", help="Only colours with this share of the likeliest one's probability.")
]
Certainty = Annotated[float, typer.Option("--certainty", help="From 0 to 1: cooler where the choice is wide open.")]
Steadiness = Annotated[float, typer.Option("--steadiness", help="From 0 to 1: how much cooler shapes are drawn.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")]


@sprites.command()
def sample(
    cell: Cells,
    out: Out,
    n: Annotated[int, typer.Option("--n", min=1, max=1_000_000, help="Sprites of each cell.")] = 16,
    temperature: Annotated[float, typer.Option("--temperature", help="Below 1 calmer, above 1 wilder.")] = 1.0,
    guidance: Guidance = 1.3,
    top_k: TopK = 0,
    min_p: MinP = 0.0,
    certainty: Certainty = 0.0,
    steadiness: Steadiness = 0.1,
    seed: Seed = 0,
    weights: File = None,
    given: Annotated[
        Path | None, typer.Option("--given", metavar="PNG", help="Keep its opaque pixels, draw the others.")
    ] = None,
    mask: Annotated[
        Path | None, typer.Option("--mask", metavar="PNG", help="Keep of --given what is light here instead.")
    ] = None,
    silhouette: Annotated[
        Path | None, typer.Option("--silhouette", metavar="PNG", help="Keep the shape of its opaque pixels.")
    ] = None,
    scale: Annotated[int, typer.Option("--scale", min=1, max=32, help="Pixels of a file for each of a sprite.")] = 1,
    documents: Annotated[bool, typer.Option("--documents", help="A sprite document beside each picture.")] = False,
    parquet: Annotated[bool, typer.Option("--parquet", help="All of them as a corpus, samples.parquet, too.")] = False,
    as_json: Json = False,
) -> None:
    """Draw sprites of a cell: a PNG each, named by cell and number, and one sheet of them.

    Sprite n of a seed is the same however many are drawn. Cells that the model did not learn are named.

    Examples: `pixelreef sprites sample --cell jellyfish/abyss --n 16 --out drawn` ·
    `pixelreef sprites sample --cell all --n 64 --parquet --out drawn` ·
    `pixelreef sprites sample --cell 'coral/*' --silhouette shape.png --weights run --out corals`
    """
    from pixelreef.sprites.choose import Sampling
    from pixelreef.sprites.sample import Sampler
    from pixelreef.sprites.weights import weights_from
    from pixelreef.sprites.write import SHEET, Order, write_samples

    rule = Sampling(temperature, top_k, min_p, guidance, certainty, steadiness)
    model = weights_from(weights)
    kept = _given(model, given, mask, silhouette)
    sampler = Sampler(model)
    cells = sampler.cells_from(cell)
    failing = _warn(sampler, cells)
    order = Order(model, seed, rule, scale, documents, parquet)
    drawn = write_samples(sampler.sample_cells(cells, n, seed, rule, kept), out, order)
    records = [
        {"cell": one.cell, "number": one.number, "file": str(path), "likelihood": one.likelihood, "bits": one.bits}
        for one, path in _told(drawn, n * len(cells))
    ]
    if as_json:
        print(json.dumps({**_asked(seed, rule, failing), "sheet": str(out / SHEET), "sprites": records}, indent=2))
    else:
        print(f"{out}: {len(records):,} sprites of {_count(len(cells), 'cell')}, and {SHEET}")


@sprites.command()
def sweep(
    cell: Cells,
    out: Out,
    temperatures: Annotated[
        str, typer.Option("--temperatures", metavar="T,…", help="Temperatures, from left to right.")
    ] = "0.6,0.8,1,1.2",
    n: Annotated[int, typer.Option("--n", min=1, max=16, help="Sprites of each cell at each temperature.")] = 4,
    guidance: Guidance = 1.3,
    top_k: TopK = 0,
    min_p: MinP = 0.0,
    certainty: Certainty = 0.0,
    steadiness: Steadiness = 0.1,
    seed: Seed = 0,
    weights: File = None,
    as_json: Json = False,
) -> None:
    """Draw the same sprites at several temperatures: one sheet, temperature × cell.

    Examples: `pixelreef sprites sweep --cell all --out swept` ·
    `pixelreef sprites sweep --cell coral/hadal --temperatures 0.4,0.7,1 --guidance 2 --out swept`
    """
    from dataclasses import replace

    from pixelreef.core.files import write_bytes
    from pixelreef.core.render import png_from_rgba
    from pixelreef.sprites.choose import Sampling
    from pixelreef.sprites.sample import Sampler
    from pixelreef.sprites.sheets import sweep_sheet
    from pixelreef.sprites.weights import weights_from

    rule = Sampling(1.0, top_k, min_p, guidance, certainty, steadiness)
    rules = {one: replace(rule, temperature=one) for one in _temperatures(temperatures)}
    model = weights_from(weights)
    sampler = Sampler(model)
    cells = sampler.cells_from(cell)
    failing = _warn(sampler, cells)
    pairs = ((one, made) for one, each in rules.items() for made in sampler.sample_cells(cells, n, seed, each))
    swept: dict[float, dict[str, list[Any]]] = {one: {name: [] for name in cells} for one in rules}
    for one, made in _told(pairs, len(rules) * len(cells) * n):
        swept[one][made.cell].append(made)
    title = f"seed {seed}, guidance {guidance:g}"
    path = write_bytes(out / "sweep.png", png_from_rgba(sweep_sheet(swept, model.palette, title)))
    bits = {
        f"{one:g}": {name: sum(made.bits for made in some) / len(some) for name, some in by_cell.items()}
        for one, by_cell in swept.items()
    }
    if as_json:
        print(json.dumps({**_asked(seed, rule, failing), "sheet": str(path), "bits": bits}, indent=2))
    else:
        print(f"{path}: {_count(len(cells), 'cell')} at {_count(len(rules), 'temperature')}")


@sprites.command()
def card(weights: File = None) -> None:
    """Print what is known of a model: its corpus, its recipe, the minutes it took, and what taste says of each cell.

    Examples: `pixelreef sprites card` · `pixelreef sprites card --weights run > card.md`
    """
    from pixelreef.sprites.card import card_from_weights
    from pixelreef.sprites.weights import weights_from

    print(card_from_weights(weights_from(weights)), end="")


def _given(model: Weights, given: Path | None, mask: Path | None, silhouette: Path | None) -> Given | None:
    from pixelreef.errors import InputError

    if silhouette is not None and given is not None:
        raise InputError("--silhouette", "be without --given", "both", verbatim=True)
    if mask is not None and given is None:
        raise InputError("--mask", "come with --given", "it alone", verbatim=True)
    if given is None and silhouette is None:
        return None
    from pixelreef.core.images import read_image
    from pixelreef.sprites.completion import given_from_picture, silhouette_from_picture

    if silhouette is not None:
        return silhouette_from_picture(read_image(silhouette), model)
    assert given is not None
    return given_from_picture(read_image(given), model, read_image(mask) if mask else None)


def _warn(sampler: Sampler, cells: list[str]) -> dict[str, str]:
    """Say which of the cells the model did not learn; cell → verdict."""
    failing = {cell: word for cell in cells if (word := sampler.failing(cell)) is not None}
    for cell, word in failing.items():
        print(f"{ascii(cell)[1:-1]} was not learned by this model: taste says {ascii(word)[1:-1]}.", file=sys.stderr)
    return failing


def _asked(seed: int, rule: Sampling, failing: dict[str, str]) -> dict[str, Any]:
    return {"seed": seed, "sampling": rule.document(), "not_learned": failing}


def _temperatures(text: str) -> list[float]:
    from pixelreef.errors import InputError

    try:
        found = list(dict.fromkeys(float(part) for part in text.split(",")))
    except ValueError:
        found = []
    if not 1 <= len(found) <= 16:
        raise InputError("--temperatures", "be 1 to 16 numbers such as 0.6,0.8,1", text)
    return found


def _told(items: Iterable[Item], total: int) -> Iterator[Item]:
    """The items, with a bar and the time left on stderr; where that is no terminal, a line now and then."""
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import track

        yield from track(items, "sprites", total, transient=True, console=Console(stderr=True))
        return
    began = said = time.monotonic()
    for done, item in enumerate(items, 1):
        yield item
        now = time.monotonic()
        if now - said > _EVERY:
            said = now
            left = (now - began) / done * (total - done)
            print(f"{done:,} of {total:,} sprites, about {left:.0f} s left", file=sys.stderr)


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
