"""Inspect's `.eval` logs → replies.

A log is untrusted: its size is bounded before it is opened, samples are read one at a time, and a sample that can't be
read is one reply with `failure` "unreadable". A folder may hold several logs of the same task (a run that was killed
leaves one behind, and the run that took over from it wrote another): each attempt at each item counts once, a reply
before a failure and the newer before the older. Needs the `bench` extra.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pixelreef.errors import FileError, InputError
from pixelreef.extras import require
from pixelreef.runs.budget import STOPPED
from pixelreef.runs.replies import Path_, Reply, bounded, unreadable

MAX_LOG_BYTES = 4 * 2**30
MAX_SAMPLE_BYTES = 512 * 2**20  # unpacked: a few dozen pictures as base64
MAX_LOGS = 10_000
SAMPLING = (
    "temperature", "top_p", "top_k", "max_tokens", "reasoning_effort", "reasoning_tokens",
    "frequency_penalty", "presence_penalty", "stop_seqs", "modalities",
)  # fmt: skip
_ERROR_CHARACTERS = 500


@dataclass(frozen=True)
class _Found:
    """A sample of a log: where it is, and what decides between two of the same."""

    log: Path
    spec: Any  # Inspect's EvalSpec
    id: str | int
    epoch: int
    answered: bool
    too_large: bool

    @property
    def key(self) -> tuple[str, str, int]:
        return (self.spec.task_id, str(self.id), self.epoch)

    @property
    def rank(self) -> tuple[bool, str]:
        return (self.answered, self.spec.created)

    @property
    def place(self) -> tuple[str, str, str, int]:
        return (str(self.spec.task), str(self.spec.model), str(self.id), self.epoch)


def replies_from_logs(path: Path_) -> Iterator[Reply]:
    """The replies of one log, or of every log below a folder, one at a time.

    In the order of task, entrant, item and attempt; logs that can't be read come first. One sample is in memory at a
    time, so a folder of pictures may be larger than that.
    """
    best: dict[tuple[str, str, int], _Found] = {}
    for log in log_files(path):
        for found in _samples(log):
            if isinstance(found, Reply):
                yield found
            elif found.key not in best or found.rank >= best[found.key].rank:
                best[found.key] = found
    yield from map(_reply, sorted(best.values(), key=lambda found: found.place))


def log_files(path: Path_) -> list[Path]:
    """The logs at a path: itself, or all `.eval` files below it."""
    path = Path(path)
    found = [path] if path.is_file() else sorted(path.rglob("*.eval")) if path.is_dir() else []
    if not found:
        raise FileError(f"path {str(path)!r}", "be an Inspect log or a folder of them", "none there", verbatim=True)
    if len(found) > MAX_LOGS:
        raise FileError(f"folder {str(path)!r}", f"hold at most {MAX_LOGS:,} logs", len(found))
    return found


def spent_in_logs(folder: Path_) -> float:
    """Dollars that the calls recorded below a folder have cost, as far as their prices were known."""
    require("bench", "inspect_ai")
    from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries

    costs: dict[tuple[str, str, int], float] = {}
    for log in log_files(folder) if any(Path(folder).rglob("*.eval")) else []:
        with suppress(Exception):  # a log cut short by a kill tells what it can
            task_id = read_eval_log(str(log), header_only=True).eval.task_id
            for sample in read_eval_log_sample_summaries(str(log)):
                cost = sum(usage.total_cost or 0.0 for usage in sample.model_usage.values())
                key = (task_id, str(sample.id), sample.epoch)
                costs[key] = max(cost, costs.get(key, 0.0))
    return sum(costs.values())


def _samples(log: Path) -> Iterator[_Found | Reply]:
    """The samples that a log says it has, or one unreadable reply for a log that says nothing."""
    require("bench", "inspect_ai")
    from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries

    try:
        too_large = _check_sizes(log)
        spec = read_eval_log(str(log), header_only=True).eval
        summaries = read_eval_log_sample_summaries(str(log))
    except InputError as error:  # a part that says it is huge: the log is not read, the others are
        yield unreadable(log.name, error)
        return
    except Exception as error:  # whatever its many parsers, and zipfile, raise on a damaged file
        yield unreadable(log.name, f"not an Inspect log ({type(error).__name__})")
        return
    for one in summaries:
        large = f"samples/{one.id}_epoch_{one.epoch}.json" in too_large
        yield _Found(log, spec, one.id, one.epoch, answered=one.error is None, too_large=large)


def _reply(found: _Found) -> Reply:
    from inspect_ai.log import read_eval_log_sample

    reason = "too large"
    if not found.too_large:
        try:
            sample = read_eval_log_sample(str(found.log), found.id, found.epoch, resolve_attachments=True)
            return reply_from_sample(sample, found.spec)
        except Exception as error:  # as above
            reason = type(error).__name__
    task, entrant, item, attempt = found.place
    lost = unreadable(f"{found.log.name}, sample {item[:80]!r}, attempt {attempt}", reason)
    return replace(lost, task=task, entrant=entrant, item=item, attempt=attempt)


def reply_from_sample(sample: Any, spec: Any) -> Reply:
    """A reply from Inspect's `EvalSample` and the `EvalSpec` of its log."""
    output = sample.output
    event = _last_call(sample)
    usage = output.usage if output.choices else None
    failure, error = _failure(sample)
    config = event.config if event else None
    sampling = {name: getattr(config, name, None) for name in SAMPLING}
    return bounded(
        Reply(
            entrant=str(spec.model),
            item=str(sample.id),
            attempt=int(sample.epoch),
            text=output.completion if output.choices else "",
            reasoning=_reasoning(output),
            images=_images(output),
            stop_reason=str(output.stop_reason) if output.choices else None,
            failure=failure,
            error=error,
            input_tokens=_input_tokens(usage) if usage else None,
            output_tokens=usage.output_tokens if usage else None,
            cost=usage.total_cost if usage else None,
            cached=bool(event and event.cache == "read"),
            seconds=output.time,
            seed=config.seed if config else None,
            task=str(spec.task),
            task_version=str(spec.task_version),
            sampling={name: value for name, value in sampling.items() if value is not None}
            | ({"constrained": True} if config and _is_constrained(config) else {}),
            metadata=dict(sample.metadata),
        )
    )


def _failure(sample: Any) -> tuple[str | None, str | None]:
    message = _error_text(sample.error.message) if sample.error else None
    if sample.output.choices:  # a reply came; what failed after it is noted, and does not take it away
        return None, message
    if message is not None:
        return ("not-asked", None) if STOPPED in sample.error.message else ("error", message)
    if sample.limit:
        return "limit", f"{sample.limit.type} limit of {sample.limit.limit:g}"
    return "error", "no reply was recorded"


def _error_text(message: str) -> str:
    """The telling part of what Inspect records: the last line, and the name of the error that retries ended in.

    >>> _error_text("RetryError(<Future at 0x7f state=finished raised InternalServerError>)")
    'InternalServerError, after retries'
    """
    retried = re.search(r"^RetryError\(.*raised (\w+)>", message)
    if retried:
        return f"{retried[1]}, after retries"
    # The request comes first, then the error, in a representation that shows line ends as \n.
    return message.rpartition("\\n")[2].strip()[-_ERROR_CHARACTERS:] or message[:_ERROR_CHARACTERS]


def _last_call(sample: Any) -> Any:
    return next((event for event in reversed(sample.events) if event.event == "model" and not event.role), None)


def _parts(output: Any) -> list[Any]:
    if not output.choices or isinstance(output.choices[0].message.content, str):
        return []
    return list(output.choices[0].message.content)


def _reasoning(output: Any) -> str:
    """In words; what is redacted is a signature for the vendor, and tells a reader nothing."""
    parts = [part for part in _parts(output) if part.type == "reasoning"]
    return "\n".join(text for part in parts if (text := part.summary or ("" if part.redacted else part.reasoning)))


def _images(output: Any) -> tuple[str, ...]:
    return tuple(part.image for part in _parts(output) if part.type == "image" and part.image.startswith("data:"))


def _input_tokens(usage: Any) -> int:
    """All tokens that went in; Inspect counts those that the vendor's cache took part in apart."""
    return int(usage.input_tokens + (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0))


def _is_constrained(config: Any) -> bool:
    return config.response_schema is not None or bool({"response_format", "grammar"} & set(config.extra_body or {}))


def _check_sizes(log: Path) -> frozenset[str]:
    """The members of a log that are larger than is read; one error if the log itself is."""
    what = f"log {str(log)!r}"
    if log.stat().st_size > MAX_LOG_BYTES:
        raise InputError(what, f"be at most {MAX_LOG_BYTES:,} bytes", f"{log.stat().st_size:,}", verbatim=True)
    try:
        with zipfile.ZipFile(log) as archive:
            large = [entry for entry in archive.infolist() if entry.file_size > MAX_SAMPLE_BYTES]
    except (zipfile.BadZipFile, OSError, ValueError):
        return frozenset()  # read_eval_log says what it is
    if any(not entry.filename.startswith("samples/") for entry in large):
        raise InputError(what, f"unpack to at most {MAX_SAMPLE_BYTES:,} bytes a part", "more", verbatim=True)
    return frozenset(entry.filename for entry in large)
