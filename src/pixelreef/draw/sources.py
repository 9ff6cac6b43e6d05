"""Replies from wherever they are: files, logs, run folders, the hub, or those kept in the package."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from pixelreef.draw.dataset import is_public_layout, replies_from_hub, replies_from_parquet
from pixelreef.errors import InputError
from pixelreef.runs.replies import Reply, read_replies

KEPT = "kept"


def replies_from(source: str) -> list[Reply]:
    """`kept`, `hub:OWNER/NAME`, a `.jsonl` or parquet file, an Inspect log, or a folder of a run or of logs.

    Records that can't be read are counted among the others; a source that holds nothing else is a wrong one.
    """
    replies = _replies(source)
    if replies and all(reply.failure == "unreadable" for reply in replies):
        raise InputError(
            f"source {source!r}", "hold replies", f"none that can be read ({replies[0].error})", verbatim=True
        )
    return replies


def _replies(source: str) -> list[Reply]:
    if source == KEPT:
        return kept_replies()
    if source.startswith("hub:"):
        return replies_from_hub(source.removeprefix("hub:"))
    path = Path(source)
    if path.is_dir() or path.suffix == ".eval":
        from pixelreef.runs.logs import replies_from_logs

        return list(replies_from_logs(path / "logs" if (path / "logs").is_dir() else path))
    if not path.is_file():
        raise InputError("source", "be a file, a folder, kept or hub:OWNER/NAME", source)
    return replies_from_parquet(path) if is_public_layout(path) else read_replies(path)


def kept_replies() -> list[Reply]:
    """The replies of real models that the package carries, so that its boards are real and can be remade."""
    folder = resources.files("pixelreef.draw").joinpath("kept")
    replies: list[Reply] = []
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        if file.name.endswith(".jsonl"):
            with resources.as_file(file) as path:
                replies += read_replies(path)
    return replies
