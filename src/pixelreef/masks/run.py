"""A whole run: ask models for masks, keep what they return as files, score the files, write the report.

    OUT/asked.json                the question, which must stay the same while the run goes on
    OUT/run.json, OUT/logs/       the record (runs.run)
    OUT/images/, truth/, classes.json
    OUT/answers/<entrant>/…       the pictures as they came (answers)
    OUT/report/                   the board

Answers are extracted from the logs, and scored, each time: the logs alone are the record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pixelreef.core.files import read_bytes, write_json
from pixelreef.core.strict_json import json_from_bytes
from pixelreef.errors import DocumentError, InputError
from pixelreef.extras import require
from pixelreef.masks.adapters import adapter_for
from pixelreef.masks.answers import Answers, write_answers
from pixelreef.masks.asked import Asked
from pixelreef.masks.classes import read_classes
from pixelreef.masks.control_entrants import with_controls
from pixelreef.masks.dataset import Dataset, Item
from pixelreef.masks.distributed import files_in
from pixelreef.masks.find import find_dataset
from pixelreef.masks.inputs import Seen, seen, shown_classes, write_exhibits
from pixelreef.masks.item import Settings
from pixelreef.masks.pairs import Pairing, pair
from pixelreef.masks.score import Progress, Scores, score_pairing
from pixelreef.masks.shuffle import conditions
from pixelreef.runs.logs import replies_from_logs
from pixelreef.runs.plan import Plan, make_plan
from pixelreef.runs.prices import Prices, load_prices
from pixelreef.runs.replies import Reply
from pixelreef.runs.run import LOGS_FOLDER, Patience, RunResult, run_eval_set

ASKED_FILE = "asked.json"
VERSION = 1


@dataclass(frozen=True, eq=False)
class MaskRun:
    """What became of a run. `scores` is None when nothing could be scored yet."""

    result: RunResult
    answers: Answers
    scores: Scores | None
    controls: Sequence[str]
    left_out: Mapping[str, str]
    """Items that can't be read → why; nobody was asked for them."""


def plan_masks(asked: Asked, prices: Prices | None = None) -> Plan:
    """Calls, tokens and cost of a run, before the first call."""
    require("bench", "inspect_ai")
    from pixelreef.masks.task import tasks_from

    table = _priced(asked, prices or load_prices())
    return make_plan(tasks_from(asked), list(asked.called), table, attempts=asked.attempts)


def run_masks(
    asked: Asked,
    out: Path,
    *,
    max_cost: float | None = None,
    prices: Prices | None = None,
    patience: Patience | None = None,
    model_args: Mapping[str, Mapping[str, Any]] | None = None,
    settings: Settings | None = None,
    controls: bool = False,
    jobs: int = 1,
    cache: bool = True,
    note: Callable[[str], None] | None = None,
    progress: Progress | None = None,
) -> MaskRun:
    """Begin, or go on with, the run in `out`. `model_args` are options of Inspect's providers by model as typed;
    `controls` puts entrants that are made from the truth beside the models.
    """
    require("bench", "inspect_ai")
    from pixelreef.masks.task import tasks_from

    _begin(asked, out)
    found = find_dataset(asked.dataset, asked.size)
    items = found.items(asked.root, asked.n, asked.seed).items
    left_out = write_exhibits(found, items, out)
    called = asked.called
    result = run_eval_set(
        tasks_from(asked), list(called), out, attempts=asked.attempts, max_cost=max_cost, seed=asked.seed,
        prices=_priced(asked, prices or load_prices()), patience=patience, cache=cache, note=note,
        model_args={
            name: {**asked.model_args(name), **(model_args or {}).get(model, {})} for name, model in called.items()
        },
    )  # fmt: skip
    answers = extract(asked, found, [item for item in items if item.id not in left_out], out)
    scores, made = score_answers(out, answers, settings, asked.seed if controls else None, jobs, progress)
    return MaskRun(result, answers, scores, made, left_out)


def extract(asked: Asked, found: Dataset, items: list[Item], out: Path) -> Answers:
    """Write `answers/` from the logs of a run; models that were asked before under the same question count too."""
    codes = {one.task: one for one in conditions(found.classes, asked.shuffle, asked.seed)}
    known: dict[str, Seen] = {}
    _, models = _asked_before(out / ASKED_FILE)
    cuts = {name: adapter_for(model, asked.adapter).mask for name, model in models.items()}

    def cut(reply: Reply, content: bytes) -> bytes:
        one = known.get(reply.item) or known.setdefault(reply.item, seen(by_id[reply.item], found.classes))
        shown = shown_classes(one, codes[reply.task or ""].classes, asked.classes)
        return cuts[reply.entrant](content, one.size, shown)

    by_id = {item.id: item for item in items}
    return write_answers(replies_from_logs(out / LOGS_FOLDER), out / "answers", models, codes, list(by_id), cut)


def score_answers(
    out: Path,
    answers: Answers,
    settings: Settings | None = None,
    control_seed: int | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> tuple[Scores | None, list[str]]:
    """Score `answers/` over the items that every entrant was asked, all attempts; None if there is none yet.

    With a `control_seed` there are controls too; their names come second.
    """
    unasked = {item for _, item, _ in answers.not_asked}
    if not answers.folders:
        return None, []
    found = pair(out / "answers", out / "truth")
    kept = {item: path for item, path in found.truth.items() if item not in unasked}
    if not kept:
        return None, []
    pairing, controls = _named(replace(found, truth=kept), answers.folders), list[str]()
    classes, photographs = read_classes(out / "classes.json"), files_in(out / "images", ".png")
    if control_seed is not None:
        pairing, controls = with_controls(pairing, classes, photographs, out / "controls", control_seed)
    return score_pairing(pairing, classes, settings or Settings(), jobs, progress, photographs), controls


def _named(found: Pairing, folders: Mapping[str, str]) -> Pairing:
    """Entrants by the name they were asked by; folders that the run did not write keep theirs."""
    return replace(
        found,
        entrants={folders.get(name, name): files for name, files in found.entrants.items()},
        classes={folders.get(name, name): path for name, path in found.classes.items()},
    )


def _begin(asked: Asked, out: Path) -> None:
    """Write the question, or check that the folder's own is the same; all models that were ever asked are kept."""
    path, question, models = out / ASKED_FILE, asked.question, dict[str, str]()
    if path.exists():
        had, models = _asked_before(path)
        differs = next((name for name in question if had.get(name) != question[name]), None)
        if differs:
            rule = f"be a new folder or a run with {differs} {had.get(differs)!r}"
            raise InputError(f"--out {str(out)!r}", rule, question[differs], "Use another folder for another run.")
    write_json(path, {"version": VERSION, "question": question, "models": {**models, **asked.called}})


def _asked_before(path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """The question of a folder, and of every model that it was put to the name in the logs → as typed."""
    what = f"run {str(path)!r}"
    document = json_from_bytes(read_bytes(path, 2**20), what)
    if not isinstance(document, dict) or document.get("version") != VERSION:
        raise DocumentError(what, f"be an object with version {VERSION}", document)
    question, models = document.get("question"), document.get("models")
    named = isinstance(models, dict) and all(isinstance(model, str) for model in models.values())
    if not isinstance(question, dict) or not isinstance(models, dict) or not named:
        raise DocumentError(what, "have the objects 'question' and 'models'", document)
    return question, models


def _priced(asked: Asked, prices: Prices) -> Prices:
    """The table with the price of each model under the name that Inspect is asked by, too."""
    known = {name: price for name, model in asked.called.items() if (price := prices.of(model))}
    return Prices(prices.as_of, {**prices.models, **known})
