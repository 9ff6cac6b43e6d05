"""The public column layout of Pixel Art Bench's source results: replies from it, and replies to it.

The layout holds only replies that already parsed, as a palette and a grid of strings. Reading it writes each back as
the JSON that a model would have sent (`metadata["rebuilt"]` says so), so that it is read and scored like any other
reply; what the model really sent is not known. Rows are untrusted: ragged, tall and one-colour ones are data.

    replies_from_parquet("v1.parquet")            replies_from_hub("AINovice2005/pixel-art-bench-v1")
    write_dataset("out", attempts)                a folder with parquet and a card
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pixelreef import __version__
from pixelreef.core.files import read_bytes, replacing, write_text
from pixelreef.core.strict_json import json_from_bytes
from pixelreef.draw.score import Attempt
from pixelreef.errors import FileError, InputError
from pixelreef.extras import require
from pixelreef.runs.replies import Reply, unreadable

MAX_ROWS = 1_000_000
MAX_CELLS = 2**22  # of one row's grid; the tallest known has 5,779 rows
SOURCE = "AINovice2005/pixel-art-bench-v1"
COLUMNS = (
    "id",
    "model_slug",
    "model_name",
    "example_id",
    "example_name",
    "palette",
    "grid",
    "is_appropriate",
    "height",
    "width",
    "num_colors",
    "input_tokens",
    "output_tokens",
    "total_tokens",
    "cost",
    "generation_time",
)


def is_public_layout(path: str | os.PathLike[str]) -> bool:
    """Whether a parquet file has the columns of the public layout."""
    import pyarrow.parquet as parquet

    try:
        names = set(parquet.read_schema(path).names)
    except Exception:  # pyarrow raises many kinds on what is no parquet file
        return False
    return {"model_slug", "example_id", "palette", "grid"} <= names


def replies_from_parquet(path: str | os.PathLike[str]) -> list[Reply]:
    """The rows of a parquet file in the public layout as replies; a row that can't be read is one recorded failure."""
    import pyarrow.parquet as parquet

    name = os.fspath(path)
    try:
        file = parquet.ParquetFile(path)
        if file.metadata.num_rows > MAX_ROWS:
            raise FileError(f"file {name!r}", f"have at most {MAX_ROWS:,} rows", file.metadata.num_rows)
        rows = [row for batch in file.iter_batches(batch_size=256) for row in batch.to_pylist()]
    except FileError:
        raise
    except Exception as error:  # pyarrow raises many kinds on a broken file
        reason = str(error).splitlines()[0][:100] if str(error) else type(error).__name__
        raise FileError(f"file {name!r}", "be a parquet file", reason, verbatim=True) from None
    return replies_from_rows(rows, name)


def replies_from_hub(dataset: str = SOURCE, split: str = "train") -> list[Reply]:
    """The rows of a data set on the Hugging Face hub as replies. Needs the extra `hub` and the network."""
    require("hub", "huggingface_hub")
    from huggingface_hub import HfApi, hf_hub_download

    try:
        files = [name for name in HfApi().list_repo_files(dataset, repo_type="dataset") if name.endswith(".parquet")]
        chosen = [name for name in files if split in Path(name).name] or files
        paths = [hf_hub_download(dataset, name, repo_type="dataset") for name in chosen]
    except Exception as error:  # the client raises its own kinds for a missing network, set or right
        reason = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        raise InputError(f"data set {dataset!r}", "be reachable on the hub", reason, verbatim=True) from None
    if not paths:
        raise InputError(f"data set {dataset!r}", f"hold parquet files of split {split!r}", "none", verbatim=True)
    return [reply for path in paths for reply in replies_from_parquet(path)]


def replies_from_rows(rows: Iterable[Mapping[str, Any]], where: str = "rows") -> list[Reply]:
    """Rows of the public layout as replies; attempts are counted in the order of the rows."""
    counted: Counter[tuple[str, str]] = Counter()
    replies = []
    for number, row in enumerate(rows, 1):
        try:
            reply = _reply(row)
        except (InputError, KeyError, TypeError, ValueError) as error:
            replies.append(unreadable(f"{where}, row {number}", error))
            continue
        counted[reply.entrant, reply.item] += 1
        replies.append(_numbered(reply, counted[reply.entrant, reply.item]))
    return replies


def prompts_from_file(path: str | os.PathLike[str]) -> dict[str, str]:
    """Subject id → prompt, from a parquet, JSON or CSV file with the columns `id` and `prompt`."""
    data = read_bytes(path)
    what = f"prompts {os.fspath(path)!r}"
    if data[:4] == b"PAR1":
        import pyarrow.parquet as parquet

        rows: Any = parquet.read_table(io.BytesIO(data)).to_pylist()
    elif data.lstrip()[:1] in (b"[", b"{"):
        rows = json_from_bytes(data, what)
    else:
        rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig", errors="replace"))))
    if not isinstance(rows, list) or not all(isinstance(row, dict) and {"id", "prompt"} <= set(row) for row in rows):
        raise InputError(what, "have rows with the columns id and prompt", "something else", verbatim=True)
    return {str(row["id"]): str(row["prompt"]) for row in rows}


def write_dataset(
    out: str | os.PathLike[str], attempts: Sequence[Attempt], title: str = "Pixelreef draw replies"
) -> Path:
    """A data set folder in the public layout: `data/train.parquet` and a card. Holds replies that could be read."""
    import pyarrow
    import pyarrow.parquet as parquet

    rows = [row for attempt in attempts if (row := _row(attempt)) is not None]
    table = pyarrow.Table.from_pylist(rows, schema=_schema())
    folder = Path(out)
    with replacing(folder / "data" / "train.parquet") as part:
        parquet.write_table(table, part, compression="zstd")
    write_text(folder / "README.md", _card(title, attempts, len(rows)))
    return folder


def _reply(row: Mapping[str, Any]) -> Reply:
    palette, grid = list(row["palette"]), list(row["grid"])
    if sum(len(line) for line in grid) > MAX_CELLS:
        raise InputError("grid", f"have at most {MAX_CELLS:,} cells", "more", verbatim=True)
    return Reply(
        entrant=str(row["model_slug"])[:200],
        item=str(row["example_id"])[:200].replace("-", "_"),
        text=json.dumps(
            {"palette": [str(colour).removeprefix("#") for colour in palette], "grid": [str(line) for line in grid]}
        ),
        input_tokens=_whole(row.get("input_tokens")),
        output_tokens=_whole(row.get("output_tokens")),
        cost=None if row.get("cost") is None else float(row["cost"]),
        seconds=None if row.get("generation_time") is None else float(row["generation_time"]),
        metadata={"rebuilt": True, "model_name": str(row.get("model_name", ""))[:200]},
    )


def _numbered(reply: Reply, attempt: int) -> Reply:
    from dataclasses import replace

    return replace(reply, attempt=attempt)


def _whole(value: Any) -> int | None:
    return None if value is None else int(value)


def _row(attempt: Attempt) -> dict[str, Any] | None:
    grid = attempt.reading.published
    if grid is None:
        return None
    reply = attempt.reply
    tokens = [reply.input_tokens, reply.output_tokens]
    return {
        "id": f"{attempt.entrant}/{reply.item}/{reply.attempt}",
        "model_slug": attempt.entrant,
        "model_name": attempt.entrant,
        "example_id": reply.item,
        "example_name": attempt.subject.text if attempt.subject else reply.item,
        "palette": list(grid.palette),
        "grid": ["".join(_digit(value) for value in row) for row in grid.rows],
        "is_appropriate": None,
        "height": len(grid.rows),
        "width": max((len(row) for row in grid.rows), default=0),
        "num_colors": len(grid.palette),
        "input_tokens": reply.input_tokens,
        "output_tokens": reply.output_tokens,
        "total_tokens": sum(token for token in tokens if token is not None) if any(tokens) else None,
        "cost": reply.cost,
        "generation_time": reply.seconds,
    }


def _digit(value: int) -> str:
    return str(value) if 0 <= value <= 9 else "?"


def _schema() -> Any:
    import pyarrow

    text, whole, number = pyarrow.string(), pyarrow.int64(), pyarrow.float64()
    kinds = {
        **dict.fromkeys(COLUMNS, text),
        **dict.fromkeys(("palette", "grid"), pyarrow.list_(text)),
        **dict.fromkeys(("height", "width", "num_colors", "input_tokens", "output_tokens", "total_tokens"), whole),
        **dict.fromkeys(("cost", "generation_time"), number),
        "is_appropriate": pyarrow.bool_(),
    }
    return pyarrow.schema([(name, kinds[name]) for name in COLUMNS])


def _card(title: str, attempts: Sequence[Attempt], rows: int) -> str:
    entrants = sorted({attempt.entrant for attempt in attempts})
    plain = " ".join(title.split())
    return f"""---
license: apache-2.0
pretty_name: {json.dumps(plain)}
configs:
- config_name: default
  data_files:
  - split: train
    path: data/train.parquet
---

# {plain}

{rows:,} of {len(attempts):,} replies, those that hold a palette and a grid, in the column layout of `{SOURCE}`.
Written by pixelreef {__version__}. A cell that is no digit stands as `?`; `is_appropriate` was not judged.

Entrants: {", ".join(f"`{entrant}`" for entrant in entrants)}
"""
