"""The Inspect task `pixelreef/masks`: photographs in, masks out, scored as they come.

    inspect eval pixelreef/masks -T dataset=reef-parts -T n=5 --model google-image/gemini-3-pro-image
    pixelreef masks run --model google/gemini-3-pro-image --model openai/gpt-image-1 --n 50 --attempts 3 --out out

The scores in the log are a convenience: boards are computed anew from the pictures it keeps, by `masks.score`. This is
one of the few places that import Inspect.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText, GenerateConfig, ImageOutput, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from pixelreef.core.images import image_from_bytes
from pixelreef.errors import InputError
from pixelreef.masks.adapters import AUTO, adapter_for
from pixelreef.masks.answers import answer_from_reply
from pixelreef.masks.asked import MAX_TOKENS, Asked
from pixelreef.masks.classes import Classes
from pixelreef.masks.dataset import Dataset, Item
from pixelreef.masks.find import find_dataset
from pixelreef.masks.inputs import Inputs, Seen, inputs, seen, shown_classes
from pixelreef.masks.item import score_arrays
from pixelreef.masks.measures import MEASURES_VERSION, PRIMARY
from pixelreef.masks.pairs import SAID
from pixelreef.masks.prompts import PROMPT_VERSION, SHOTS, prompt_hash
from pixelreef.masks.shuffle import Condition, shuffled
from pixelreef.runs.ask import ask
from pixelreef.runs.replies import Reply

TASK_VERSION = 1
SHOWN = (PRIMARY, "pixel_accuracy")


@task
def masks(
    dataset: str = "reef-parts",
    root: str | None = None,
    n: int | None = None,
    size: int | None = None,
    classes: str = "all",
    shuffle: int = 0,
    adapter: str = AUTO,
    max_tokens: int = MAX_TOKENS,
    reasoning_effort: str | None = None,
    temperature: float | None = None,
    top_p: float | None = None,
    image: dict[str, Any] | None = None,
    seed: int = 0,
) -> Task:
    """Semantic masks, painted by image models.

    Args:
        dataset: A dataset's name, or a folder with images/, truth/ and classes.json.
        root: The folder that a distributed dataset lies in.
        n: How many photographs; all there are (of made ones 50) unless given.
        size: Of made photographs, in pixels.
        classes: Of the colour code: `all`, or those `present` in the photograph.
        shuffle: 0 for the dataset's own colours, or the number of a shuffle of them.
        adapter: `chat`, `edit` or `beside`; `auto` chooses by the model's name.
        max_tokens: The most tokens of a reply, reasoning and picture included.
        reasoning_effort: For models that reason.
        temperature: Of sampling; the provider's own unless given.
        top_p: Of sampling; the provider's own unless given.
        image: Options of OpenAI's image calls, such as size and quality.
        seed: Chooses the photographs and shuffles the colours.
    """
    found = find_dataset(dataset, size)
    condition = Condition(shuffle, shuffled(found.classes, seed, shuffle))
    read = {one.id: one for one in _readable(found.items(root, n, seed).items, found.classes)}
    settings = {
        "dataset": found.name, "dataset_version": found.version, "task_text_version": found.task.version,
        "prompt_version": PROMPT_VERSION, "shots": SHOTS, "classes": classes, "condition": condition.name,
        "measures_version": MEASURES_VERSION,
    }  # fmt: skip
    shown_as = adapter_for("", adapter if adapter != AUTO else "chat")
    samples = [_sample(inputs(one, found, condition, shown_as, classes), settings) for one in read.values()]
    return Task(
        dataset=MemoryDataset(samples, name=found.name),
        solver=[_shown_by(adapter, read, found, condition, classes), ask(seed=seed)],
        scorer=_mask(read, condition, adapter, classes),
        config=GenerateConfig(
            modalities=[ImageOutput(options={"openai": image}) if image else "image"],
            max_tokens=max_tokens,
            reasoning_effort=reasoning_effort,  # type: ignore[arg-type]
            temperature=temperature,
            top_p=top_p,
        ),
        name=condition.task,
        version=TASK_VERSION,
        metadata=settings,
    )


def tasks_from(asked: Asked) -> list[Task]:
    """One task for the plain code, and one for each shuffle."""
    fields = asked.question
    shuffles = fields.pop("shuffle")
    return [masks(**{**fields, "image": asked.openai_image}, shuffle=number) for number in range(shuffles + 1)]


def _readable(items: Sequence[Item], classes: Classes) -> list[Seen]:
    read, reasons = [], []
    for item in items:
        try:
            read.append(seen(item, classes))
        except InputError as error:
            reasons.append(str(error))
    if not read:
        raise InputError("items", "be readable", "none that is", f"The first: {reasons[0] if reasons else 'none'}")
    return read


def _sample(made: Inputs, settings: dict[str, Any]) -> Sample:
    return Sample(id=made.id, input=[_message(made)], metadata={**settings, "prompt_hash": prompt_hash(made.text)})


def _message(made: Inputs) -> ChatMessageUser:
    uris = [f"data:image/png;base64,{base64.b64encode(one).decode()}" for one in made.pictures]
    return ChatMessageUser(content=[*(ContentImage(image=uri) for uri in uris), ContentText(text=made.text)])


def _shown_by(adapter: str, read: dict[str, Seen], found: Dataset, condition: Condition, classes: str) -> Solver:
    """A solver that shows the item as the model's adapter does, where that is not `chat`."""

    @solver(name="shown")
    def shown() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            chosen = adapter_for(str(get_model()), adapter)
            if adapter == AUTO and chosen is not adapter_for("", "chat"):
                made = inputs(read[str(state.sample_id)], found, condition, chosen, classes)
                state.messages = [_message(made)]
            return state

        return solve

    return shown()


def _mask(read: dict[str, Seen], condition: Condition, adapter: str, classes: str) -> Scorer:
    """The primary figure and pixel accuracy of the mask; 0 where there is none, with the reason."""

    @scorer(name="mask", metrics={"*": [mean(), stderr()]})
    def mask() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            one = read[str(state.sample_id)]
            cut = adapter_for(str(get_model()), adapter).mask
            shown = shown_classes(one, condition.classes, classes)
            return _score(_reply(state), one.item, condition.classes, lambda file: cut(file, one.size, shown))

        return score

    return mask()


def _score(reply: Reply, item: Item, classes: Classes, cut: Any) -> Score:
    answer = answer_from_reply(reply)
    failed = dict.fromkeys(SHOWN, 0.0)
    if answer is None or f".{answer.ending}" in SAID:
        why = answer.content.decode("utf-8", "replace")[:500] if answer else "not asked"
        return Score(value=failed, explanation=why, metadata={"failure": answer.ending if answer else "not-asked"})
    try:
        picture = image_from_bytes(cut(answer.content), f"answer to {item.id!r}")
    except InputError as error:
        return Score(value=failed, explanation=str(error), metadata={"failure": "unreadable"})
    scored = score_arrays(picture.rgba, item.truth(), classes)
    why = scored.reason or "; ".join(scored.notes) or "read as it is"
    return Score(
        value={name: scored.measures[name] for name in SHOWN}, explanation=why, metadata={"failure": scored.failure}
    )


def _reply(state: TaskState) -> Reply:
    output = state.output
    parts = output.choices[0].message.content if output.choices else ""
    images = () if isinstance(parts, str) else tuple(one.image for one in parts if one.type == "image")
    return Reply(
        str(state.model), str(state.sample_id), output.completion, images=images, stop_reason=str(output.stop_reason)
    )
