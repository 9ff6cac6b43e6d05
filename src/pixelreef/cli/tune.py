"""`pixelreef tune`: data | run | compare."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pixelreef.tune.history import Look
    from pixelreef.tune.pairs import Pair
    from pixelreef.tune.tokens import TokenCount
    from pixelreef.tune.train import Outcome

tune = typer.Typer(no_args_is_help=True, help="Fine-tuning a language model to draw, and asking whether it helped.")

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Decides all randomness.")]


@tune.command()
def data(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE…",
            help="Corpora, replies (JSONL, parquet, run folders, kept), the public layout, or hub:OWNER/NAME.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="The folder for pairs.jsonl and pairs.json.")],
    encoding: Annotated[
        list[str] | None,
        typer.Option("--encoding", help="rows, ints, grid-only, runs or shapes; again for more. [all]"),
    ] = None,
    test: Annotated[
        str, typer.Option("--test", help="Subjects that are never taught, as for `draw run --subjects`.")
    ] = "draw-1",
    held: Annotated[float, typer.Option("--held", help="The share of subjects that are held back.")] = 0.05,
    most: Annotated[
        int | None, typer.Option("--most", min=1, help="At most so many drawings, evenly over subjects.")
    ] = None,
    least: Annotated[
        list[str] | None, typer.Option("--least", help="Of replies: SCORE=0…1 that they must reach, such as craft=0.5.")
    ] = None,
    tokenizer: Annotated[
        list[str] | None, typer.Option("--tokenizer", help="Count tokens: a folder, GGUF file, smollm2 or hub name.")
    ] = None,
    parquet: Annotated[bool, typer.Option("--parquet", help="Write pairs.parquet instead of pairs.jsonl.")] = False,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Make prompt and drawing pairs from corpora, replies or the public dataset, split by subject.

    Sprites of other sizes are fitted to 24×24 and at most 10 colours. Counting tokens needs the extra `tune`.

    Examples: `pixelreef tune data reef.parquet --encoding rows --most 400 --tokenizer smollm2 --out pairs` ·
    `pixelreef tune data out/replies.jsonl --least craft=0.5 --out pairs` ·
    `pixelreef tune data hub:AINovice2005/pixel-art-bench-v1 --encoding grid-only --test heldout:55:40 --out pairs`
    """
    from pixelreef.tune.make import make_pairs
    from pixelreef.tune.sources import least_from, source_from
    from pixelreef.tune.store import write_pairs

    wanted = least_from(least or [])
    made = make_pairs(
        [source_from(one, wanted) for one in sources], encoding, test=test, held=held, most=most, seed=seed
    )
    counts = _counts(made.pairs, tokenizer or [])
    stored = write_pairs(
        out,
        made.pairs,
        {**made.facts, "tokens": [one.document() for one in counts]},
        "parquet" if parquet else "jsonl",
    )
    if taught := made.facts["canonical_taught"]:
        print(f"Canonical subjects are taught ({', '.join(taught)}): boards on them are no test.", file=sys.stderr)
    if as_json:
        print(json.dumps({"path": str(stored.path), **stored.facts}, indent=2))
        return
    pairs, subjects = made.facts["pairs"], made.facts["subjects"]
    print(f"{pairs['train']:,} pairs of {subjects['train']:,} subjects to teach")
    print(f"{pairs['held']:,} pairs of {subjects['held']:,} subjects held back")
    for name, count in made.facts["left_out"].items():
        print(f"left out: {count:,} {name}")
    if counts:
        print(_token_table(counts))
    print(f"Wrote {stored.path}")


@tune.command()
def run(
    pairs: Annotated[Path, typer.Argument(metavar="PAIRS", help="The folder or file of `tune data`.")],
    out: Annotated[
        Path, typer.Option("--out", metavar="RUN", help="The run's folder; the same again goes on with it.")
    ],
    model: Annotated[
        str | None,
        typer.Option("--model", help="A folder, OWNER/NAME on the hub, a GGUF file, or local/smollm2. [the recipe's]"),
    ] = None,
    recipe: Annotated[str, typer.Option("--recipe", help="article, smollm2, or a file of your own.")] = "smollm2",
    devices: Annotated[int, typer.Option("--devices", min=1, max=64, help="Processes that share each batch.")] = 1,
    steps: Annotated[int | None, typer.Option("--steps", min=1, help="Instead of the recipe's.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="Decides all randomness. [the recipe's]")] = None,
    as_json: Json = False,
) -> None:
    """Teach a causal language model with LoRA; killed, and started again, it goes on where it was.

    RUN holds the adapter in peft's layout with a card, the same as adapter.gguf for llama.cpp, and a history with the
    loss of every encoding on pairs held back. Needs the extra `tune`.

    Examples: `pixelreef tune run pairs --recipe smollm2 --devices 2 --out run` ·
    `pixelreef tune run pairs --model Qwen/Qwen3-1.7B --recipe article --out run` ·
    then `pixelreef draw run --model local/smollm2 --model local/smollm2+run/adapter.gguf --out out`
    """
    from pixelreef.errors import InputError
    from pixelreef.extras import require
    from pixelreef.tune.recipe import Recipe
    from pixelreef.tune.store import read_pairs

    require("tune", "torch", "lightning_fabric", "transformers", "peft", "gguf")
    asked = Recipe.of(recipe, model=model, steps=steps, seed=seed)
    if asked.model is None:
        raise InputError("--model", "be given, or stand in the recipe", "neither", verbatim=True)
    from pixelreef.tune.base import find_base

    base, stored = find_base(asked.model), read_pairs(pairs)

    from pixelreef.cli.progress import Teller
    from pixelreef.tune.train import tune as tune_model

    found = tune_model(base, stored, asked, out, devices=devices, tell=Teller("nats per token", _line))
    print(json.dumps(found.document(), indent=2) if as_json else _summary(found))


@tune.command()
def compare(
    sources: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE…", help="Replies of both: run folders, JSONL or parquet, Inspect logs."),
    ],
    base: Annotated[str | None, typer.Option("--base", help="The entrant before. [the one without an adapter]")] = None,
    tuned: Annotated[str | None, typer.Option("--tuned", help="The entrant after. [BASE+ADAPTER]")] = None,
    out: Annotated[Path, typer.Option("--out", help="The folder for page, JSON and table.")] = Path("tune-report"),
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Compare base and tuned, paired by subject: format, structure, quality, craft and subject, with intervals.

    Examples: `pixelreef tune compare out` ·
    `pixelreef tune compare before.jsonl after.jsonl --base qwen3 --tuned qwen3-tuned --out report`
    """
    from pixelreef.draw.score import score_replies
    from pixelreef.draw.sources import replies_from
    from pixelreef.tune.compare import compare as compare_attempts
    from pixelreef.tune.compare import taught_subjects
    from pixelreef.tune.report import answers, write_comparison

    attempts = score_replies([reply for source in sources for reply in replies_from(source)])
    found = compare_attempts(attempts, base, tuned, seed, taught_subjects)
    written = write_comparison(found, out)
    if as_json:
        print(json.dumps(written.document, indent=2))
        return
    for part in found.parts:
        print(f"{part.title}:")
        for answer in answers(part):
            print(f"  {answer}")
    print(f"Wrote {written.page}")


def _counts(pairs: Sequence[Pair], names: Sequence[str]) -> list[TokenCount]:
    if not names:
        return []
    from pixelreef.extras import require

    require("tune", "transformers", "gguf")
    from pixelreef.tune.base import find_base, load_tokeniser
    from pixelreef.tune.tokens import token_counts

    return token_counts(pairs, {name: load_tokeniser(find_base(name)) for name in names})


def _token_table(counts: Sequence[TokenCount]) -> str:
    from pixelreef.corpus.census import aligned

    head = ["tokenizer", "encoding", "pairs", "prompt", "answer", "longest", "over 1,024"]
    rows = [
        [one.tokenizer, one.encoding, f"{one.pairs:,}", f"{one.prompt:g}", f"{one.answer:g}", f"{one.longest:,}",
         f"{one.over:,}"]
        for one in counts
    ]  # fmt: skip
    return aligned([head, *rows])


def _line(look: Look) -> str:
    if look.loss is None:
        return f"step {look.step:,}: nothing is held back"
    parts = ", ".join(
        f"{name} {one.loss:.4f} ({one.bits:,.0f} bits per drawing)" for name, one in look.encodings.items()
    )
    return f"step {look.step:,}: nats per token on pairs held back: {parts}{', the best so far' if look.best else ''}"


def _summary(found: Outcome) -> str:
    lines = [_line(found.first), _line(found.look), *found.notes]
    made: list[Any] = [found.adapter, *([found.gguf] if found.gguf else [])]
    return "\n".join([*lines, f"Wrote {' and '.join(str(one) for one in made)}"])
