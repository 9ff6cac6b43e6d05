"""`pixelreef masks run` and `inputs`: asking models for masks, and the same question as files for models elsewhere."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pixelreef.cli.masks_score import progress_bar

if TYPE_CHECKING:
    from pixelreef.masks.run import MaskRun

Name = Annotated[
    str | None,
    typer.Option("--dataset", help="A dataset's name, or a folder with images/, truth/, classes.json. [reef-parts]"),
]
Root = Annotated[str | None, typer.Option("--root", help="The folder that a distributed dataset lies in.")]
Count = Annotated[
    int | None, typer.Option("--n", min=1, help="Photographs, chosen by the seed. [all; of made ones 50]")
]
Size = Annotated[int | None, typer.Option("--size", min=1, help="Of made photographs, in pixels. [512]")]
Which = Annotated[
    str | None, typer.Option("--classes", help="In the colour code: all, or those present in the photograph. [all]")
]
Shuffles = Annotated[
    int | None, typer.Option("--shuffle", min=0, help="So many shuffles of the colours beside the plain code. [0]")
]
AdapterName = Annotated[
    str | None, typer.Option("--adapter", help="chat, edit or beside; auto: by the model's name. [auto]")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")]
SeedOption = Annotated[int | None, typer.Option("--seed", min=0, help="Decides all randomness. [0]")]


def run(
    out: Annotated[Path, typer.Option("--out", help="The run's folder; the same again goes on with it.")],
    model: Annotated[list[str] | None, typer.Option("--model", help="provider/model; again for more.")] = None,
    recipe: Annotated[
        str | None, typer.Option("--recipe", help="A recipe's name or file: its fields, where no option is given.")
    ] = None,
    dataset: Name = None,
    root: Root = None,
    n: Count = None,
    size: Size = None,
    attempts: Annotated[int | None, typer.Option("--attempts", min=1, help="Tries per photograph. [1]")] = None,
    classes: Which = None,
    shuffle: Shuffles = None,
    adapter: AdapterName = None,
    image: Annotated[
        list[str] | None,
        typer.Option("--image", help="name=value of a vendor's image call, such as quality=high or image_size=1K."),
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", min=64, help="Of a reply, thoughts and picture included. [8192]")
    ] = None,
    reasoning_effort: Annotated[
        str | None, typer.Option("--reasoning-effort", help="For models that reason; the provider's own unless given.")
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
    controls: Annotated[bool, typer.Option("--controls", help="Entrants made from the truth beside.")] = False,
    diagnosis: Annotated[
        bool, typer.Option("--diagnosis/--no-diagnosis", help="Say why each mask is wrong; the slow part.")
    ] = True,
    jobs: Annotated[int, typer.Option("--jobs", min=1, max=64, help="Processes, for scoring.")] = 1,
    seed: SeedOption = None,
    as_json: Json = False,
) -> None:
    """Ask image models for masks, zero-shot, and write answers, board and page.

    Prints calls, tokens and cost before the first call. Killed or stopped, the same command goes on where it was.
    Needs the extra `bench`, and the vendors' keys in GOOGLE_API_KEY and OPENAI_API_KEY.

    Examples: `pixelreef masks run --model google/gemini-3-pro-image --model openai/gpt-image-1 --n 50 --attempts 3
    --max-cost 20 --out out` · `pixelreef masks run --model openai/gpt-image-1 --n 5 --plan --out out` ·
    `pixelreef masks run --recipe masks-pixelarena-gpt-image-1 --root /data/CelebAMask-HQ --out out`
    """
    from pixelreef.masks.asked import Asked, image_options
    from pixelreef.masks.item import Settings
    from pixelreef.masks.run import plan_masks, run_masks
    from pixelreef.runs.prices import load_prices

    asked = Asked.of(
        recipe,
        models=model,
        dataset=dataset,
        root=root,
        n=n,
        size=size,
        attempts=attempts,
        classes=classes,
        shuffle=shuffle,
        adapter=adapter,
        image=image_options(image) if image else None,
        max_tokens=max_tokens,
        reasoning_effort=reasoning_effort,
        temperature=temperature,
        top_p=top_p,
        seed=seed,
    )
    table = load_prices(prices)
    if plan:
        print(plan_masks(asked, table).text())
        return
    with progress_bar() as told:
        done = run_masks(
            asked,
            out,
            max_cost=max_cost,
            prices=table,
            settings=Settings(ceiling=True, diagnosis=diagnosis),
            controls=controls,
            jobs=jobs,
            progress=partial(told, "scoring"),
        )
    _report(done, out, asked.seed, as_json)
    if not done.result.complete:
        raise typer.Exit(1)


def inputs(
    out: Annotated[Path, typer.Option("--out", help="The folder to write.")],
    dataset: Name = None,
    root: Root = None,
    n: Count = None,
    size: Size = None,
    classes: Which = None,
    shuffle: Shuffles = None,
    adapter: AdapterName = None,
    seed: SeedOption = None,
    as_json: Json = False,
) -> None:
    """Write photographs, palette pictures, prompts and truth, for models that are run elsewhere.

    `README.txt` in the folder says how to name the answers and how to score them. Needs the base install only.

    Examples: `pixelreef masks inputs --dataset reef-parts --n 50 --out inputs` ·
    `pixelreef masks inputs --dataset suim --root /data/SUIM --classes present --shuffle 2 --out inputs`
    """
    from pixelreef.masks.adapters import USUAL, adapter_for
    from pixelreef.masks.find import find_dataset
    from pixelreef.masks.inputs import write_inputs
    from pixelreef.masks.shuffle import conditions

    found = find_dataset(dataset or "reef-parts", size)
    items = found.items(root, n, seed or 0).items
    codes = conditions(found.classes, shuffle or 0, seed or 0)
    with progress_bar() as told:
        chosen = adapter_for("", adapter or USUAL)
        left_out = write_inputs(found, items, codes, chosen, out, classes or "all", partial(told, "writing"))
    for item, why in left_out.items():
        _say(f"left out: {item}: {why}")
    _say(f"Wrote {len(items) - len(left_out)} photographs to {out}; {out / 'README.txt'} says how to answer")
    if as_json:
        written = [item.id for item in items if item.id not in left_out]
        print(json.dumps({"items": written, "conditions": [one.name for one in codes], "left_out": left_out}, indent=2))


def _report(done: MaskRun, out: Path, seed: int, as_json: bool) -> None:
    from pixelreef.masks.report import write_report

    for item, why in done.left_out.items():
        _say(f"left out: {item}: {why}")
    failed = sum(done.result.failures.values())
    _say(f"{done.result.replies:,} replies, {failed:,} failures in {done.result.seconds:.0f} s; {out / 'answers'}")
    if done.scores is None:
        _say("no photograph was put to every model yet: there is no board")
        return
    made = write_report(
        done.scores, out / "report", images=out / "images", texts=done.answers.texts, controls=done.controls, seed=seed
    )
    _say(f"Wrote {made.page}")
    if as_json:
        print(json.dumps(made.document, indent=2))


def _say(line: str) -> None:
    print(line, file=sys.stderr)
