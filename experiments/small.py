"""A small corpus of somebody else's: 400 sprites of 16×16 in 32 colours that are not the reef's.

    python experiments/small.py make FOLDER            labelled.parquet, renamed.parquet, unlabelled.parquet
    python experiments/small.py mixed CORPUS RUN OUT   a sheet of real and drawn sprites in one order, and its key

Between the two, `pixelreef sprites train FOLDER/labelled.parquet --recipe small --out RUN`, and with `--from shipped`:
then values of factors begin as the shipped model's of the same name, which `renamed` has none of.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path

from pixelreef.core.files import write_bytes, write_json
from pixelreef.core.palette import Palette
from pixelreef.core.quantise import quantise
from pixelreef.core.reef import reef_palette
from pixelreef.core.render import enlarged, png_from_rgba
from pixelreef.core.seeds import rng
from pixelreef.core.sheet import contact_sheet
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.reef.make import make_sprite
from pixelreef.corpus.store import open_corpus, write_corpus
from pixelreef.sprites.lecture import lecture_from_corpus
from pixelreef.sprites.recipe import Recipe
from pixelreef.sprites.sample import Sampler
from pixelreef.sprites.weights import weights_from

SIZE = 16
FACTORS = {"kind": ("reef-fish", "coral", "jellyfish", "cephalopod"), "depth": ("shallows", "midnight")}
NAMES = {
    "reef-fish": "swimmer", "coral": "plant", "jellyfish": "bell", "cephalopod": "arms",
    "shallows": "bright", "midnight": "dim",
}  # fmt: skip
PER_CELL = 50
SEED = 7  # the shipped model was taught seed 0
ROWS, COLUMNS = 8, 16
DB32 = (  # a palette of 32 that pixel artists use, by DawnBringer
    "000000 222034 45283c 663931 8f563b df7126 d9a066 eec39a fbf236 99e550 6abe30 37946e 4b692f 524b24 "
    "323c39 3f3f74 306082 5b6ee1 639bff 5fcde4 cbdbfc ffffff 9badb7 847e87 696a6a 595652 76428a ac3232 "
    "d95763 d77bba 8f974a 8a6f30"
)
PALETTE = Palette.from_hex(["ff00ff", *DB32.split()], 0)


def entries(names: Mapping[str, str] | None) -> Iterator[Entry]:
    """With labels by these names, or without any."""
    for kind in FACTORS["kind"]:
        for depth in FACTORS["depth"]:
            for number in range(PER_CELL):
                drawn = make_sprite(kind, depth, SEED, number, SIZE)
                cells = quantise(reef_palette().rgba[drawn.cells], PALETTE)
                told = {} if names is None else {"kind": names[kind], "depth": names[depth]}
                yield Entry(cells, PALETTE, Origin("small"), told)


def make(folder: Path) -> None:
    for name, names in (("labelled", {one: one for one in NAMES}), ("renamed", NAMES), ("unlabelled", None)):
        path = folder / f"{name}.parquet"
        factors = {} if names is None else {of: tuple(names[one] for one in values) for of, values in FACTORS.items()}
        write_corpus(path, entries(names), factors, {"by": "experiments/small.py"})
        print(path)


def mixed(corpus: Path, run: Path, out: Path) -> None:
    weights = weights_from(run)
    lecture = lecture_from_corpus(open_corpus(corpus), Recipe.of(None, **weights.facts["recipe"]))
    sampler, random = Sampler(weights), rng(SEED, "mixed")
    half = ROWS * COLUMNS // 2
    cells = list(sampler.cells())
    drawn = [one.cells for one in sampler.sample_cells(cells, -(-half // len(cells)), 0)][:half]
    real = list(lecture.taught.grids[random.permutation(len(lecture.taught.grids))[:half]])
    order = random.permutation(2 * half)
    tiles = [enlarged(weights.palette.rgba[(real + drawn)[place]], 4) for place in order]
    rows = [tiles[start : start + COLUMNS] for start in range(0, len(tiles), COLUMNS)]
    sheet = contact_sheet(rows, title="half of these are real", scale=1)
    write_bytes(out, png_from_rgba(sheet))
    write_json(out.with_suffix(".json"), ["real" if place < half else "drawn" for place in order])
    print(out)


def main() -> None:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    made = commands.add_parser("make")
    made.add_argument("folder", type=Path)
    shown = commands.add_parser("mixed")
    for name in ("corpus", "run", "out"):
        shown.add_argument(name, type=Path)
    given = parser.parse_args()
    if given.command == "make":
        make(given.folder)
    else:
        mixed(given.corpus, given.run, given.out)


if __name__ == "__main__":
    main()
