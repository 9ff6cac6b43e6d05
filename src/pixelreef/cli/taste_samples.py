"""`pixelreef taste`: samples | compare | calibrate."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pixelreef.cli.recorded import NO_TRAIL, Recorder

if TYPE_CHECKING:
    from collections.abc import Callable

    from pixelreef.taste.calibration import Calibration
    from pixelreef.taste.harness import Bench
    from pixelreef.taste.sprites import Sprites

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Decides all randomness.")]
Against = Annotated[Path, typer.Option("--against", metavar="CORPUS", help="The corpus the samples should be like.")]
Limits = Annotated[
    Path | None, typer.Option("--calibration", metavar="FILE", help="Limits of the gates, instead of the shipped ones.")
]


_CALIBRATED = 3  # of the worlds: those from which limits are worked out


def samples(
    source: Annotated[
        Path, typer.Argument(metavar="SAMPLES", help="A parquet corpus, a folder of pictures, or a sprite document.")
    ],
    against: Against,
    labels: Annotated[
        Path | None, typer.Option("--labels", help="A CSV with a column `file` and one column per factor.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="A folder for the page, the sheets and the JSON.")] = None,
    note: Annotated[str, typer.Option("--note", help="A remark that stands in the report and in the trail.")] = "",
    no_trail: NO_TRAIL = False,
    calibration: Limits = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Say of every cell whether a model learned it: learned, weak, noise, collapsed, copied or empty.

    Pictures are sorted into cells by their folders or the start of their names. Exit 1 when any cell is neither learned
    nor weak; a cell of too few samples says how many more are needed.

    Examples: `pixelreef taste samples drawn --against reef.parquet --out judged` ·
    `pixelreef taste samples drawn.parquet --against reef.parquet --json`
    """
    from pixelreef.cli.taste import corpus_hash, progress
    from pixelreef.errors import GateFailed
    from pixelreef.sprites.write import weights_of
    from pixelreef.taste.beside import write_sheets_beside
    from pixelreef.taste.report import write_report
    from pixelreef.taste.samples import judge_samples
    from pixelreef.taste.tables import judgement_text

    recorder = Recorder(note, no_trail)
    sheets: list[Path] = []
    corpus, held_out = _corpus(against, seed)
    given = _samples(source, corpus, labels, seed)
    with progress() as told:
        judged = judge_samples(given, corpus, _limits(calibration), seed, told, held_out)
    if out:
        sheets = write_sheets_beside(judged, out)
        for path in [*write_report(judged, out, note), *sheets]:
            _say(f"Wrote {path}")
    document = {**judged.document(), "note": note}
    print(json.dumps(document, indent=2, allow_nan=False) if as_json else judgement_text(judged))
    recorder.add(
        "verdict",
        lambda: {**judged.record(), "corpus": corpus_hash(against), "weights": weights_of(source)},
        sheets,
    )
    if judged.failed:
        raise GateFailed(f"{len(judged.failed)} of {len(judged.cells)} cells were not learned: {_some(judged.failed)}")


def compare(
    sets: Annotated[
        list[Path],
        typer.Argument(metavar="A B…", help="Sets of samples, corpora, or judgements written by --out or --json."),
    ],
    against: Annotated[
        Path | None,
        typer.Option("--against", metavar="CORPUS", help="The corpus that sets of samples are held against."),
    ] = None,
    calibration: Limits = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Say of every cell whether B, and each further set, is better than A, the same, or worse.

    Samples need `--against`. Corpora are judged first, judgements are compared as they are.

    Examples: `pixelreef taste compare monday tuesday --against reef.parquet` ·
    `pixelreef taste compare old.json new.json`
    """
    from pixelreef.cli.taste import progress
    from pixelreef.taste.compare import compare_judgements, compare_samples

    names = _unique(sets)
    if against is not None:
        corpus, _ = _corpus(against, seed)
        given = {name: _samples(path, corpus, None, seed) for name, path in names.items()}
        with progress() as told:
            found, _ = compare_samples(given, corpus, _limits(calibration), seed, told)
    else:
        found = compare_judgements(
            {name: _judgement(path, calibration, seed) for name, path in names.items()}, _gates()
        )
    if as_json:
        print(json.dumps([one.document() for one in found], indent=2, allow_nan=False))
        return
    wide = max((len(one.cell) for one in found), default=0)
    for other in list(names)[1:]:
        print(f"{other} against {next(iter(names))}")
        for one in (one for one in found if one.other == other):
            print(f"  {one.cell:<{wide}}  {one.word:<16}  {one.reason}")


def calibrate(
    out: Annotated[Path, typer.Option("--out", help="The folder for trials, calibration and tables.")],
    rounds: Annotated[int, typer.Option("--rounds", min=1, max=200, help="More rounds, sharper limits.")] = 10,
    side: Annotated[
        list[str] | None, typer.Option("--side", help="Only `corpus`, or only `samples`; both unless told.")
    ] = None,
    proof: Annotated[bool, typer.Option("--proof", help="Prove a calibration on seeds it never saw.")] = False,
    calibration: Limits = None,
    photos: Annotated[Path | None, typer.Option("--photos", help="A folder of real photographs to plant.")] = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Plant faults in corpora and samples, and work out the limits of every gate from what it saw.

    Trials are kept in the folder: a run that was stopped goes on where it was. With `--proof` the limits stay as they
    are, and tables of what they find are written.

    Examples: `pixelreef taste calibrate --out calibrated` · `pixelreef taste calibrate --proof --out proved`
    """
    from pixelreef.core.files import write_json, write_text
    from pixelreef.taste.calibrate import calibrated
    from pixelreef.taste.calibration import shipped_calibration
    from pixelreef.taste.detection import rows_of, table
    from pixelreef.taste.harness import run_trials
    from pixelreef.taste.trials import calibration_trials, proof_trials

    sides = _sides(side)
    bench = calibration_bench(photos)
    worlds = list(bench.worlds)
    trials = (
        proof_trials(worlds[0], worlds[1:], seed, rounds, sides)
        if proof
        else calibration_trials(worlds[0], worlds[1:_CALIBRATED], seed, rounds, sides)
    )
    with _counted(len(trials)) as told:
        records = run_trials(trials, bench, out / ("proof.jsonl" if proof else "trials.jsonl"), told)
    gates = {one: bench.gates(one) for one in sides}
    base = _limits(calibration) or shipped_calibration()
    made = {
        "by": "taste calibrate",
        "seed": seed,
        "rounds": rounds,
        "trials": len(trials),
        "worlds": worlds[:_CALIBRATED],
    }
    limits = base if proof else calibrated(records, gates, made, base=base)
    rows = rows_of(records, gates, limits)
    if not proof:
        write_json(out / "calibration.json", limits.document())
    write_text(out / "table.md", table(rows))
    document = {"calibration": limits.document(), "rows": [row.document() for row in rows]}
    write_json(out / "table.json", document)
    print(json.dumps(document, indent=2, allow_nan=False) if as_json else table(rows), end="")


def calibration_bench(photos: Path | None) -> Bench:
    """What trials are run on: the worlds that make a calibration, then those it is only proved on."""
    from pixelreef.corpus.cells import REEF_FACTORS
    from pixelreef.corpus.reef.make import make_reef
    from pixelreef.taste.charms import charms
    from pixelreef.taste.gather import sprites_from_entries
    from pixelreef.taste.handmade import handmade
    from pixelreef.taste.harness import Bench
    from pixelreef.taste.judge import STAGES
    from pixelreef.taste.learnability import fit
    from pixelreef.taste.photo_folder import photographs_from_folder
    from pixelreef.taste.worlds import World, in_palette, tokens

    def reef(size: int) -> Callable[[int, int], Sprites]:
        def make(seed: int, per_cell: int) -> Sprites:
            return sprites_from_entries(list(make_reef(seed, per_cell, size)), REEF_FACTORS)

        return make

    usual = World("reef", reef(32))
    worlds = (usual, tokens(), handmade(usual), charms(), World("reef 16×16", reef(16)), in_palette(usual))
    return Bench(
        {world.name: world for world in worlds}, STAGES, fit, photographs_from_folder(photos) if photos else None
    )


def _corpus(path: Path, seed: int) -> tuple[Sprites, Sprites | None]:
    """The sprites a model was to learn from, and those held out from it where the corpus says which."""
    from pixelreef.corpus.store import open_corpus
    from pixelreef.taste.gather import sprites_from_corpus

    whole = open_corpus(path)
    training, tests = whole.select(split="train"), whole.select(split="test")
    if not training.count or not tests.count:
        return sprites_from_corpus(whole, seed), None
    return sprites_from_corpus(training, seed), sprites_from_corpus(tests, seed)


def _samples(source: Path, corpus: Sprites, labels: Path | None, seed: int) -> Sprites:
    from pixelreef.corpus.labels import read_labels
    from pixelreef.taste.sources import labels_match, samples_from_path

    table = read_labels(labels) if labels else {}
    labels_match(table, corpus)
    return samples_from_path(source, corpus, seed, table)


def _judgement(path: Path, calibration: Path | None, seed: int) -> Any:
    """A judgement as it was written, or of a corpus that is judged now."""
    from pixelreef.core.files import read_bytes
    from pixelreef.core.strict_json import json_from_bytes
    from pixelreef.corpus.store import is_parquet, open_corpus
    from pixelreef.taste.gather import sprites_from_corpus
    from pixelreef.taste.judge import judge_corpus

    if path.is_file() and is_parquet(path):
        return judge_corpus(
            sprites_from_corpus(open_corpus(path), seed), calibration=_limits(calibration), seed=seed
        ).document()
    return json_from_bytes(read_bytes(path), f"judgement {str(path)!r}")


def _gates() -> list[Any]:
    from pixelreef.taste.judge import STAGES
    from pixelreef.taste.samples import SAMPLE_STAGES

    corpus = [gate for stage in STAGES for gate in stage.gates]
    return corpus + [gate for stage in SAMPLE_STAGES for gate in stage.gates]


def _limits(path: Path | None) -> Calibration | None:
    from pixelreef.taste.calibration import read_calibration

    return read_calibration(path) if path else None


def _sides(given: list[str] | None) -> list[Any]:
    from pixelreef.errors import InputError
    from pixelreef.taste.trials import SIDES

    if strange := [one for one in given or () if one not in SIDES]:
        raise InputError("--side", f"be {' or '.join(SIDES)}", strange[0])
    return [side for side in SIDES if not given or side in given]


def _unique(paths: list[Path]) -> dict[str, Path]:
    """A name for each set: its file's, or the whole path where two are alike."""
    names = [path.name for path in paths]
    return {str(path) if names.count(path.name) > 1 else path.name: path for path in paths}


def _some(items: list[str], shown: int = 5) -> str:
    return ", ".join(items[:shown]) + (", …" if len(items) > shown else "")


@contextmanager
def _counted(total: int) -> Iterator[Callable[[int, int, float], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("trials"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("about {task.fields[left]:.0f} min left"),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=total, left=0.0)
        yield lambda done, of, left: bar.update(task, completed=done, total=of, left=left / 60)


def _say(line: str) -> None:
    print(line, file=sys.stderr)
