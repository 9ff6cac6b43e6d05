"""`pixelreef sprites breed`: children of two sprites."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from pixelreef.sprites.breed.inherit import Kind, Map

SHEET, MATE = "sheet.png", "mate"
_KINDS = ("halves", "parts", "checker", "prefix", "silhouette", "mask")


def breed(
    a: Annotated[Path, typer.Argument(metavar="A", help="A sprite: a document, a PNG, a GIF or an .aseprite file.")],
    b: Annotated[
        Path | None, typer.Argument(metavar="[B]", help="Another one; else the model draws a mate that suits.")
    ] = None,
    *,
    out: Annotated[Path, typer.Option("--out", help="A folder for the children.")],
    by: Annotated[str, typer.Option("--by", metavar="KIND,…", help=f"Kinds of masks: {', '.join(_KINDS)}.")] = "halves",
    n: Annotated[int, typer.Option("--n", min=1, max=1000, help="Children of each kind.")] = 8,
    mutate: Annotated[float, typer.Option("--mutate", help="This share of what is inherited is drawn anew.")] = 0.0,
    mask: Annotated[
        Path | None, typer.Option("--mask", metavar="PNG", help="For --by mask: light is A's, dark is B's.")
    ] = None,
    cell: Annotated[
        str | None, typer.Option("--cell", help="What children are to be; else as the parent that gives more.")
    ] = None,
    align: Annotated[bool, typer.Option("--align/--no-align", help="Whether B is moved over A, and turned.")] = True,
    new_colours: Annotated[
        bool, typer.Option("--new-colours", help="What is drawn may have colours that no parent has.")
    ] = False,
    temperature: Annotated[float, typer.Option("--temperature", help="Below 1 calmer, above 1 wilder.")] = 1.0,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Decides all randomness.")] = 0,
    weights: Annotated[
        Path | None, typer.Option("--weights", metavar="RUN|FILE", help="Of a training run; else the shipped ones.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """Breed two sprites: a child takes some pixels of each, and the model draws the seam between them.

    Writes each child as a PNG and as a sprite document, which says what came from whom, and a sheet for each kind.
    Documents of parents (`sprites sample --documents`) tell their cell too, PNGs do not. A kind that these
    parents can't have is said to be so, and the others are bred. Without B, 128 sprites of A's cell are drawn and
    the one that lies over A best, in the likest colours, is its mate; it is kept beside the children.

    Examples: `pixelreef sprites breed fish.json --out children` ·
    `pixelreef sprites breed fish.json coral.json --out children` ·
    `pixelreef sprites breed a.png b.png --by halves,checker,silhouette --n 4 --out children` ·
    `pixelreef sprites breed a.png b.png --by mask --mask mask.png --mutate 0.1 --out children`
    """
    from dataclasses import replace

    from pixelreef.core.document import json_from_sprite
    from pixelreef.core.files import write_bytes, write_text
    from pixelreef.core.render import png_from_grid, png_from_rgba
    from pixelreef.core.sprite_files import sprite_from_file
    from pixelreef.errors import InputError
    from pixelreef.sprites.breed.cross import Breeder, Cross, child_name
    from pixelreef.sprites.breed.inherit import Kind
    from pixelreef.sprites.breed.mate import mate_for, suits
    from pixelreef.sprites.breed.sheet import breeding_sheet
    from pixelreef.sprites.choose import Sampling
    from pixelreef.sprites.parts.labeller import labeller_from
    from pixelreef.sprites.sample import Sampler
    from pixelreef.sprites.weights import weights_from

    kinds = _kinds(by)
    cross = Cross(
        mutate=mutate,
        cell=cell,
        align=align,
        sampling=Sampling(temperature),
        mask=_mask(mask),
        new_colours=new_colours,
    )
    model = weights_from(weights)
    breeder = Breeder(Sampler(model), labeller_from(None))
    first = sprite_from_file(a)
    second = sprite_from_file(b) if b else mate_for(breeder, first, seed, cell, parts=Kind.parts in kinds).sprite
    if b is None:
        write_bytes(out / f"{MATE}.png", png_from_grid(second.grid, second.palette))
        write_text(out / f"{MATE}.json", json_from_sprite(second))
    parents = first, second
    suit = suits(breeder.parent(first, parts=False), breeder.parent(second, parts=False))
    records: list[dict[str, Any]] = []
    sheets: list[str] = []
    refused: list[dict[str, str]] = []
    for kind in kinds:
        try:
            children = breeder.children(*parents, replace(cross, kind=kind), n, seed)
        except InputError as error:
            refused.append({"kind": str(kind), "reason": str(error)})
            print(f"pixelreef: {error}", file=sys.stderr)
            continue
        for child in children:
            name = child_name(child.lineage)
            sprite = child.sprite(breeder.sampler, name)
            path = write_bytes(out / f"{name}.png", png_from_grid(sprite.grid, sprite.palette))
            write_text(out / f"{name}.json", json_from_sprite(sprite))
            records.append({"file": str(path), "kind": str(kind), "cell": child.drawn.cell, **child.shares()})
        title = f"{parents[0].name} × {parents[1].name}, by {kind}, seed {seed}"
        placed = breeder.parents(*parents, align)
        picture = breeding_sheet(*placed, children, model.palette, title)
        sheets.append(str(write_bytes(out / f"{kind}-{SHEET}", png_from_rgba(picture))))
    if as_json:
        document = {"seed": seed, "suits": suit, "sheets": sheets, "children": records, "refused": refused}
        print(json.dumps(document, indent=2))
    elif sheets:
        listed = ", ".join(Path(one).name for one in sheets)
        print(f"{out}: {len(records):,} children of parents that suit {suit:.2f}, and {listed}")
    if refused:
        raise typer.Exit(2)


def _kinds(text: str) -> list[Kind]:
    from pixelreef.errors import InputError
    from pixelreef.sprites.breed.inherit import Kind

    names = list(dict.fromkeys(part.strip() for part in text.split(",")))
    if odd := [name for name in names if name not in _KINDS]:
        raise InputError("--by", f"be kinds among {', '.join(_KINDS)}", odd[0])
    return [Kind(name) for name in names]


def _mask(path: Path | None) -> Map | None:
    if path is None:
        return None
    from pixelreef.core.images import read_image
    from pixelreef.sprites.breed.inherit import map_from_bits
    from pixelreef.sprites.completion import light_of

    return map_from_bits(light_of(read_image(path)))
