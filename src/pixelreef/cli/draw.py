"""`pixelreef draw`: run | parse | score | report | judge | export."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pixelreef.draw.reply import Reading
    from pixelreef.draw.score import Attempt
    from pixelreef.runs.replies import Reply

draw = typer.Typer(no_args_is_help=True, help="The pixel-art benchmark: a model returns a palette and a 24×24 grid.")

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Decides all randomness.")]
Sources = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[SOURCE…]",
        help="Replies as JSONL or parquet (the public layout too), Inspect logs, run folders, or hub:OWNER/NAME. "
        "Without any: the replies kept in the package.",
    ),
]


@draw.command()
def run(
    out: Annotated[Path, typer.Option("--out", help="The run's folder; the same again goes on with it.")],
    model: Annotated[
        list[str] | None,
        typer.Option("--model", help="provider/model; again for more. local/smollm2, local/PATH.gguf, …"),
    ] = None,
    recipe: Annotated[
        str | None, typer.Option("--recipe", help="A recipe's name or file: its fields, where no option is given.")
    ] = None,
    subjects: Annotated[
        str | None,
        typer.Option("--subjects", help="A suite, canonical, heldout:SEED:COUNT, or ids; + adds up. [draw-1]"),
    ] = None,
    attempts: Annotated[int | None, typer.Option("--attempts", min=1, help="Tries per subject. [1]")] = None,
    encoding: Annotated[
        str | None, typer.Option("--encoding", help="rows, ints, grid-only, runs or shapes. [rows]")
    ] = None,
    decoding: Annotated[
        list[str] | None, typer.Option("--decoding", help="free or constrained; give both for both. [free]")
    ] = None,
    prompts: Annotated[
        str | None, typer.Option("--prompts", help="ours, or a file with the columns id and prompt. [ours]")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", min=64, help="Of a reply, reasoning included. [8192]")
    ] = None,
    reasoning_effort: Annotated[
        str | None, typer.Option("--reasoning-effort", help="For models that reason. [low]")
    ] = None,
    temperature: Annotated[
        float | None, typer.Option("--temperature", min=0, help="The provider's own unless given.")
    ] = None,
    top_p: Annotated[
        float | None, typer.Option("--top-p", min=0, max=1, help="The provider's own unless given.")
    ] = None,
    max_cost: Annotated[float | None, typer.Option("--max-cost", min=0, help="Stop before so many dollars.")] = None,
    prices: Annotated[Path | None, typer.Option("--prices", help="A price file instead of the shipped one.")] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Print calls, tokens and cost, and ask nothing.")] = False,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="Decides all randomness. [0]")] = None,
    as_json: Json = False,
) -> None:
    """Ask models to draw, and write board, gallery and page. Prints calls, tokens and cost before the first call.

    Killed or stopped, the same command goes on where it was. Needs the extra `bench`, and `local` for local models.

    Examples: `pixelreef draw run --model local/smollm2 --subjects canonical --attempts 5 --out out` ·
    `pixelreef draw run --model openai/gpt-4o-mini --max-cost 2 --out out` ·
    `pixelreef draw run --recipe draw-smollm2 --out out`
    """
    from pixelreef.extras import require

    require("bench", "inspect_ai")
    from pixelreef.draw.asked import Asked
    from pixelreef.draw.task import tasks_from
    from pixelreef.runs.plan import make_plan
    from pixelreef.runs.prices import load_prices
    from pixelreef.runs.run import run_eval_set

    asked = Asked.of(
        recipe,
        models=model,
        subjects=subjects,
        attempts=attempts,
        encoding=encoding,
        decoding=decoding,
        prompts=prompts,
        max_tokens=max_tokens,
        reasoning_effort=reasoning_effort,
        temperature=temperature,
        top_p=top_p,
        seed=seed,
    )
    tasks, table = tasks_from(asked), load_prices(prices)
    if plan:
        print(make_plan(tasks, asked.models, table, attempts=asked.attempts).text())
        return
    result = run_eval_set(
        tasks, asked.models, out, attempts=asked.attempts, max_cost=max_cost, seed=asked.seed, prices=table
    )
    _say(f"{result.replies:,} replies, {sum(result.failures.values()):,} failures in {result.seconds:.0f} s")
    _report(_scored([str(out)]), out / "report", asked.seed, as_json)
    if not result.complete:
        raise typer.Exit(1)


@draw.command()
def parse(
    file: Annotated[Path | None, typer.Argument(help="A file with one reply; without it, stdin.")] = None,
    encoding: Annotated[str, typer.Option("--encoding", help="What the reply was asked in.")] = "rows",
    palette: Annotated[Path | None, typer.Option("--palette", help="For grid-only: the palette of the prompt.")] = None,
    subject: Annotated[str | None, typer.Option("--subject", help="Check it against this subject.")] = None,
    as_json: Json = False,
) -> None:
    """Read one reply and say what it is: strict or not, why not, what can be repaired.

    Exit 0 when a drawing could be had, 1 when not. Example: `echo '{"palette": …}' | pixelreef draw parse`
    """
    from pixelreef.core.files import read_bytes
    from pixelreef.core.palette_files import read_palette
    from pixelreef.draw.find import find_subjects
    from pixelreef.draw.reply import MAX_CHARACTERS, read

    limit = 4 * MAX_CHARACTERS
    data = read_bytes(file, limit) if file else sys.stdin.buffer.read(limit)
    reading = read(data.decode("utf-8", errors="replace"), encoding, read_palette(palette) if palette else None)
    check = None
    if subject and reading.repaired:
        (asked,) = find_subjects(subject)
        check = asked.check(reading.repaired) if asked.check else None
    if as_json:
        print(json.dumps(_reading_document(reading, check), indent=2))
    else:
        _print_reading(reading, check)
    if reading.repaired is None:
        raise typer.Exit(1)


@draw.command()
def score(
    sources: Sources = None,
    out: Annotated[Path, typer.Option("--out", help="The folder for board, gallery and tables.")] = Path("draw-report"),
    baselines: Annotated[bool, typer.Option("--baselines/--no-baselines", help="Nulls and references beside.")] = True,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Rescore any replies, without keys or network: a board, a gallery, CSV, JSON and Markdown.

    Examples: `pixelreef draw score` · `pixelreef draw score replies.jsonl other.parquet out/logs --out board`
    """
    _report(_scored(sources), out, seed, as_json, baselines)


@draw.command()
def report(
    sources: Sources = None,
    table: Annotated[str | None, typer.Option("--table", help="latex, md or csv: print the table and stop.")] = None,
    out: Annotated[Path, typer.Option("--out", help="The folder for the page.")] = Path("draw-report"),
    seed: Seed = 0,
) -> None:
    """Write the page, or print the table that a paper needs.

    Examples: `pixelreef draw report out --table latex > table.tex` · `pixelreef draw report replies.jsonl`
    """
    if table is None:
        _report(_scored(sources), out, seed, as_json=False)
        return
    from pixelreef.draw.tables import table_text

    print(table_text(_scored(sources), table, seed), end="")


@draw.command()
def judge(
    model: Annotated[str, typer.Option("--model", help="A model that sees pictures, as provider/model.")],
    out: Annotated[Path, typer.Option("--out", help="The judge's run folder; the same again goes on with it.")],
    sources: Sources = None,
    max_cost: Annotated[float | None, typer.Option("--max-cost", min=0, help="Stop before so many dollars.")] = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Let a vision model guess each picture's subject, blind: in its own words, and among eight. Chance stands beside.

    Example: `pixelreef draw judge out --model openai/gpt-4o-mini --out out-judged`
    """
    from pixelreef.draw.judge import judge_task, judged, verdicts
    from pixelreef.runs.run import read_run, run_eval_set

    attempts = _scored(sources)
    run_eval_set([judge_task(attempts, seed)], [model], out, max_cost=max_cost, seed=seed)
    found = judged(verdicts(read_run(out), attempts, seed))
    if as_json:
        print(json.dumps({name: asdict(one) for name, one in found.items()}, indent=2))
        return
    for name, one in found.items():
        forced, guessed, by_chance = (_share(part) for part in (one.forced, one.open, one.open_by_chance))
        chance = f"{one.forced_by_chance:.3f}"
        print(f"{name}: of eight {forced} (chance {chance}); in its own words {guessed} (chance {by_chance})")


@draw.command()
def export(
    out: Annotated[Path, typer.Argument(help="The data set's folder.")],
    sources: Sources = None,
) -> None:
    """Write a data set folder, parquet and card, in the public column layout.

    Example: `pixelreef draw export dataset replies.jsonl`
    """
    from pixelreef.draw.dataset import write_dataset

    print(write_dataset(out, _scored(sources)))


def _scored(sources: Sequence[str] | None) -> list[Attempt]:
    from rich.console import Console
    from rich.progress import Progress

    from pixelreef.draw.score import score_replies

    replies = _replies(sources)
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading and scoring replies", total=len(replies))
        return score_replies(replies, progress=lambda done: bar.update(task, completed=done))


def _replies(sources: Sequence[str] | None) -> list[Reply]:
    from pixelreef.draw.sources import replies_from

    return [reply for source in (sources or ["kept"]) for reply in replies_from(source)]


def _report(attempts: list[Attempt], out: Path, seed: int, as_json: bool, baselines: bool = True) -> None:
    from pixelreef.draw.report import write_report

    made = write_report(attempts, out, seed, baselines=baselines)
    _say(f"Wrote {made.page}")
    if as_json:
        print(json.dumps(made.document, indent=2))


def _reading_document(reading: Reading, check: Any) -> dict[str, Any]:
    drawing = reading.repaired
    return {
        "encoding": reading.encoding,
        "strict": reading.strict is not None,
        "readable": drawing is not None,
        "json_valid": reading.json_valid,
        "failures": list(reading.failures),
        "reason": reading.reason,
        "repairs": {repair.name: repair.count for repair in reading.repairs},
        "cells_changed": reading.cells_changed,
        "palette": drawing.palette.hex() if drawing else None,
        "grid": ["".join(str(cell) for cell in row) for row in drawing.cells.tolist()] if drawing else None,
        "check": {"passed": check.passed, "saw": check.saw} if check else None,
    }


def _print_reading(reading: Reading, check: Any) -> None:
    from rich.console import Console

    from pixelreef.cli.terminal import picture_text
    from pixelreef.core.render import rgba_from_grid

    print("strictly valid" if reading.strict else f"not strictly valid: {', '.join(reading.failures)}")
    if not reading.strict:
        print(f"  {ascii(reading.reason)[1:-1]}")
    for repair in reading.repairs:
        print(f"  repaired: {repair.name} ({repair.count})")
    if reading.repairs:
        print(f"  {reading.cells_changed} of 576 cells changed by repairs")
    if reading.repaired is None:
        print("no drawing could be had")
    elif sys.stdout.isatty():
        Console().print(picture_text(rgba_from_grid(reading.repaired.grid, reading.repaired.palette), 80))
    if check:
        print(f"subject check {'passed' if check.passed else 'failed'}: {check.saw}")


def _share(summary: Any) -> str:
    low, high = summary.low, summary.high
    interval = "" if low is None or high is None else f" [{low:.3f}, {high:.3f}]"
    return "–" if summary.mean is None else f"{summary.mean:.3f}{interval}, n {summary.n}"


def _say(line: str) -> None:
    print(line, file=sys.stderr)
