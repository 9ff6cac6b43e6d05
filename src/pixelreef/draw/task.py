"""The Inspect task `pixelreef/draw`: subjects in, drawings out, scored as they come.

    inspect eval pixelreef/draw --model openai/gpt-4o-mini
    pixelreef draw run --model openai/gpt-4o-mini --model local/smollm2 --attempts 5 --out out

The scores in the log are a convenience: boards are computed anew from the replies it keeps, by `draw.score`. This is
one of the three places that import Inspect.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from pixelreef.core.palette import Palette
from pixelreef.draw.asked import MAX_TOKENS, Asked
from pixelreef.draw.encodings import encoding as encoding_named
from pixelreef.draw.find import find_subjects
from pixelreef.draw.prompts import PROMPT_VERSION, prompt, prompt_hash
from pixelreef.draw.score import Attempt, score_replies
from pixelreef.draw.subject import Subject
from pixelreef.errors import InputError
from pixelreef.runs.ask import ask
from pixelreef.runs.replies import Reply

TASK_VERSION = 1
DECODINGS = ("free", "constrained")


@task
def draw(
    subjects: str = "draw-1",
    encoding: str = "rows",
    decoding: str = "free",
    prompts: str = "ours",
    max_tokens: int = MAX_TOKENS,
    reasoning_effort: str = "low",
    temperature: float | None = None,
    top_p: float | None = None,
) -> Task:
    """Pixel art as JSON.

    Args:
        subjects: A suite (`draw-1`), `canonical`, `heldout:SEED:COUNT`, or ids parted by commas.
        encoding: `rows`, `ints`, `grid-only`, `runs` or `shapes`.
        decoding: `free`, or `constrained` to the encoding's JSON Schema where the provider can.
        prompts: `ours`, or a parquet, JSON or CSV file with the columns `id` and `prompt`.
        max_tokens: The most tokens of a reply, reasoning included.
        reasoning_effort: For models that reason.
        temperature: Of sampling; the provider's own unless given.
        top_p: Of sampling; the provider's own unless given.
    """
    if decoding not in DECODINGS:
        raise InputError("decoding", f"be one of {', '.join(DECODINGS)}", decoding)
    chosen = find_subjects(subjects)
    texts = _prompts(chosen, encoding, prompts)
    settings = {"encoding": encoding, "decoding": decoding, "prompts": prompts, "prompt_version": PROMPT_VERSION}
    samples = [_sample(one, texts[one.id], encoding, settings) for one in chosen]
    held = _constraint(chosen, encoding) if decoding == "constrained" else {}
    return Task(
        dataset=MemoryDataset(samples, name=subjects),
        solver=ask(**held),
        scorer=[drawing(), subject_check()],
        config=GenerateConfig(
            max_tokens=max_tokens,
            reasoning_effort=reasoning_effort,  # type: ignore[arg-type]
            temperature=temperature,
            top_p=top_p,
        ),
        name="draw" if (encoding, decoding) == ("rows", "free") else f"draw-{encoding}-{decoding}",
        version=TASK_VERSION,
        metadata={"suite": subjects, **settings},
    )


def tasks_from(asked: Asked) -> list[Task]:
    """One task for each way of decoding."""
    return [
        draw(
            asked.subjects,
            asked.encoding,
            decoding,
            asked.prompts,
            asked.max_tokens,
            asked.reasoning_effort,
            asked.temperature,
            asked.top_p,
        )
        for decoding in dict.fromkeys(asked.decoding)
    ]


@scorer(metrics={"*": [mean(), stderr(cluster="subject")]})
def drawing() -> Scorer:
    """Strict validity, the article's three headline scores, and craft; 0 where there is no strict drawing."""

    async def score(state: TaskState, target: Target) -> Score:
        attempt = _attempt(state)
        values = {
            "valid": attempt.valid or 0.0,
            "json_validity": attempt.json_validity or 0.0,
            "render_success": attempt.measure("render_success") or 0.0,
            "pixel_art_quality": attempt.measure("pixel_art_quality") or 0.0,
            "craft": attempt.measure("craft") or 0.0,
        }
        reading = attempt.reading
        why = reading.reason or "follows the contract to the letter"
        metadata = {"failures": list(reading.failures), "repairs": [repair.name for repair in reading.repairs]}
        return Score(value=values, explanation=why, metadata=metadata)

    return score


@scorer(metrics=[mean(), stderr(cluster="subject")])
def subject_check() -> Scorer:
    """The headline: 1 where the reply is strictly valid and its subject's check passes. Unscored without a check."""

    async def score(state: TaskState, target: Target) -> Score:
        attempt = _attempt(state)
        if attempt.usable is None:
            why = attempt.subject.unchecked if attempt.subject else "not a subject that we know"
            return Score.unscored(explanation=why)
        saw = attempt.check.saw if attempt.check else attempt.reading.reason
        return Score(value=attempt.usable, explanation=saw)

    return score


def _attempt(state: TaskState) -> Attempt:
    reply = Reply(str(state.model), str(state.sample_id), state.output.completion, metadata=state.metadata)
    return score_replies([reply])[0]


def _sample(subject: Subject, text: str, encoding: str, settings: dict[str, Any]) -> Sample:
    metadata = {"subject": subject.id, "category": subject.category, "prompt_hash": prompt_hash(text), **settings}
    if encoding_named(encoding).palette_given:
        metadata["palette"] = subject.reference.palette.hex()
    return Sample(id=subject.id, input=text, metadata=metadata)


def _prompts(subjects: Sequence[Subject], encoding: str, prompts: str) -> dict[str, str]:
    if prompts == "ours":
        contract = encoding_named(encoding)
        return {
            one.id: prompt(one, contract, one.reference.palette if contract.palette_given else None) for one in subjects
        }
    from pixelreef.draw.dataset import prompts_from_file

    theirs = prompts_from_file(prompts)
    for one in subjects:
        if one.id not in theirs:
            raise InputError("prompts", "have a prompt for every subject", one.id, "Choose subjects that the file has.")
    return {one.id: theirs[one.id] for one in subjects}


def _constraint(subjects: Sequence[Subject], encoding: str) -> dict[str, Any]:
    """One schema, and grammar, hold for all subjects; a given palette only says how many colours there are."""
    contract = encoding_named(encoding)
    palette = None
    if contract.palette_given:
        palette = Palette(max((one.reference.palette for one in subjects), key=len).rgb)
    return {"schema": contract.schema(palette), "grammar": contract.grammar(palette)}
