"""What a model is given for an item: pictures and text; and all of it as a folder, for models that are run elsewhere.

    OUT/README.txt               how to name the answers, and the command that scores them
    OUT/images/<id>.png          photographs        OUT/truth/<id>.png   labels, one channel
    OUT/classes.json             the colour code    OUT/palettes/<id>.png, OUT/prompts/<id>.txt
    OUT/beside/<id>.png          instead of the photograph, where one picture is sent
    OUT/shuffle-1/…              classes.json, palettes/, prompts/ of a shuffled code, and so on

The truth is written by label, so its class file numbers the scored classes from 0, and what is ignored comes last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pixelreef.core.files import inside, write_bytes, write_text
from pixelreef.core.render import png_from_rgba
from pixelreef.errors import InputError
from pixelreef.masks.adapter import Adapter, Size
from pixelreef.masks.classes import Classes, MaskClass, json_from_classes
from pixelreef.masks.dataset import Dataset, Item
from pixelreef.masks.faults import present
from pixelreef.masks.legend import legend_picture
from pixelreef.masks.prompts import prompt
from pixelreef.masks.shuffle import Condition
from pixelreef.masks.truth import png_from_labels

WHICH = ("all", "present")
IGNORED = "(ignored)"


@dataclass(frozen=True)
class Seen:
    """What is known of an item that was read: its size, and which classes its truth has. It holds no pixels."""

    item: Item
    size: Size
    """(width, height)."""
    labels: tuple[int, ...]
    """In the order of the classes, which tells nothing of their areas."""
    has_ignored: bool

    @property
    def id(self) -> str:
        return self.item.id


@dataclass(frozen=True)
class Inputs:
    """What is sent for an item: picture files in order, and the text. `shown`: the classes of the code."""

    id: str
    pictures: tuple[bytes, ...]
    text: str
    shown: Classes


def seen(item: Item, classes: Classes) -> Seen:
    """An item, read now."""
    photograph, truth = item.read()
    size = (photograph.shape[1], photograph.shape[0])
    return Seen(item, size, tuple(sorted(present(truth, classes))), bool((truth == classes.void).any()))


def shown_classes(one: Seen, classes: Classes, which: str) -> Classes:
    """The classes of the code: `all` that are scored, or those `present` in the truth."""
    if which not in WHICH:
        raise InputError("--classes", f"be one of {', '.join(WHICH)}", which)
    kept = classes.scored if which == "all" else [classes.scored[label] for label in one.labels]
    return Classes(tuple(replace(each, partner=None) for each in kept), classes.name)


def inputs(one: Seen, dataset: Dataset, condition: Condition, adapter: Adapter, which: str = "all") -> Inputs:
    """What a model of the adapter's kind is sent for an item under a condition."""
    shown = shown_classes(one, condition.classes, which)
    text = prompt(
        adapter.lead(one.size), dataset.task, shown, only_these=which == "present", has_ignored=one.has_ignored
    )
    return Inputs(one.id, adapter.pictures(one.item.photograph(), shown), text, shown)


def written_classes(classes: Classes) -> Classes:
    """The classes as they are numbered in truth that we write: by label, and one for all that is ignored."""
    made = [replace(one, index=label) for label, one in enumerate(classes.scored)]
    return Classes((*made, MaskClass(IGNORED, None, classes.void, ignore=True)), classes.name, "index")


def write_inputs(
    dataset: Dataset,
    items: Sequence[Item],
    conditions: Sequence[Condition],
    adapter: Adapter,
    out: Path,
    which: str = "all",
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, str]:
    """Write the folder, one item at a time; returns id → why for items that can't be read, which are left out."""
    left_out = write_exhibits(dataset, items, out, progress)
    for item in (one for one in items if one.id not in left_out):
        read = seen(item, dataset.classes)
        for condition in conditions:
            _write_condition(inputs(read, dataset, condition, adapter, which), adapter, folder_of(condition, out))
    for condition in conditions:
        text = json_from_classes(written_classes(condition.classes))
        write_text(folder_of(condition, out) / "classes.json", text)
    write_text(out / "README.txt", readme(dataset, conditions, adapter, which, len(items) - len(left_out)))
    return left_out


def write_exhibits(
    dataset: Dataset, items: Sequence[Item], out: Path, progress: Callable[[int, int], None] | None = None
) -> dict[str, str]:
    """Write photographs, truth and the class file; returns id → why for items that can't be read."""
    left_out = {}
    for done, item in enumerate(items, 1):
        try:
            photograph, truth = item.read()
        except InputError as error:
            left_out[item.id] = str(error)
        else:
            write_bytes(inside(out / "images", f"{item.id}.png"), png_from_rgba(photograph))
            write_bytes(inside(out / "truth", f"{item.id}.png"), png_from_labels(truth))
        if progress:
            progress(done, len(items))
    if len(left_out) == len(items):
        raise InputError("items", "be readable", "none that is", f"The first: {next(iter(left_out.values()), 'none')}")
    write_text(out / "classes.json", json_from_classes(written_classes(dataset.classes)))
    return left_out


def folder_of(condition: Condition, out: Path) -> Path:
    """Where the inputs of a condition lie."""
    return out / condition.name if condition.number else out


def _write_condition(made: Inputs, adapter: Adapter, folder: Path) -> None:
    write_bytes(inside(folder / "palettes", f"{made.id}.png"), png_from_rgba(legend_picture(made.shown)))
    write_text(inside(folder / "prompts", f"{made.id}.txt"), made.text)
    if len(made.pictures) == 1:
        write_bytes(inside(folder / adapter.name, f"{made.id}.png"), made.pictures[0])


def readme(dataset: Dataset, conditions: Sequence[Condition], adapter: Adapter, which: str, count: int) -> str:
    """How to answer, in words."""
    sent = f"{adapter.name}/<id>.png" if adapter.name == "beside" else "images/<id>.png, then palettes/<id>.png"
    lines = [
        f"{dataset.title}: {count} photographs; version {dataset.version}, of the task {dataset.task.version}.",
        f"Adapter {adapter.name}; classes in the code: {which}; zero-shot.",
        "",
        f"Send a model {sent} and the text of prompts/<id>.txt, and save the picture that it returns, as it is, as",
        "",
        "    answers/<model>/<id>.<k>.png        k = 1, 2, … for each attempt; .jpg, .webp and so on will do as well",
        "    answers/<model>/<id>.<k>.refused    what it said, where it declined",
        "    answers/<model>/<id>.<k>.error      what went wrong, where the call failed; .timeout where none came",
        "",
        "Then, in this folder:",
        "",
        "    pixelreef masks score answers truth --classes classes.json --images images --out report",
    ]
    if len(conditions) > 1:
        lines += [
            "",
            "The folders shuffle-1 and so on hold the same task with the colours given to other classes. Answers to",
            "them go to answers/<model>~shuffle-1/, together with a copy of shuffle-1/classes.json.",
        ]
    if adapter.name == "beside":
        lines += ["", "If the palette comes back beside the mask, cut it off: only the photograph's part is scored."]
    return "\n".join(lines) + "\n"
