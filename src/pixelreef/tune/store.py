"""Pairs as a folder: `pairs.jsonl` (or `pairs.parquet`) and `pairs.json`, which says how they came to be.

    {"version": 1, "hash": "5f…", "subject": "sea fan, coral", "split": "train", "encoding": "rows", "prompt": …, …}

Every pair has its hash and all of them one together, so that a run can say what it was taught. A file is untrusted:
bounded, and refused with the number of the first line that is not a whole pair.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal

from pixelreef.core.files import read_bytes, replacing, write_json
from pixelreef.core.strict_json import json_from_bytes
from pixelreef.corpus.parquet import is_parquet
from pixelreef.errors import FileError, InputError, PixelreefError
from pixelreef.tune.pairs import VERSION, Pair
from pixelreef.tune.split import HELD, TRAIN

NAME = "pairs"
FACTS = "pairs.json"
MAX_PAIRS = 1_000_000
MAX_LINE = 2**20
_FIELDS = tuple(field.name for field in fields(Pair))
_COLUMNS = ("version", "hash", *_FIELDS)

Form = Literal["jsonl", "parquet"]


@dataclass(frozen=True)
class Stored:
    """Pairs that were written or read."""

    path: Path
    pairs: Sequence[Pair]
    hash: str
    """Over the pairs in their order."""
    facts: Mapping[str, Any]
    """How they came to be; empty for a file from elsewhere."""


def write_pairs(folder: Path, pairs: Sequence[Pair], facts: Mapping[str, Any], form: Form = "jsonl") -> Stored:
    """Write both files, each whole or not at all."""
    path, found = folder / f"{NAME}.{form}", hash_of(pairs)
    (_write_parquet if form == "parquet" else _write_lines)(path, pairs)
    document = {"version": VERSION, "hash": found, "file": path.name, **facts}
    write_json(folder / FACTS, document)
    return Stored(path, pairs, found, document)


def read_pairs(path: Path) -> Stored:
    """The pairs of a folder or of one file."""
    file = _file(path)
    pairs = [_pair(row, f"pair {number} of {str(file)!r}") for number, row in enumerate(_rows(file), 1)]
    found, beside = hash_of(pairs), file.with_name(FACTS)
    facts = json_from_bytes(read_bytes(beside), f"facts {str(beside)!r}") if path.is_dir() and beside.exists() else {}
    if isinstance(facts, dict) and facts.get("hash", found) != found:
        todo = "Make them again with: pixelreef tune data"
        raise FileError(f"pairs {str(file)!r}", f"have the hash {facts['hash']}", found, todo)
    return Stored(file, pairs, found, facts if isinstance(facts, dict) else {})


def hash_of(pairs: Iterable[Pair]) -> str:
    """32 hex digits."""
    found = hashlib.blake2b(digest_size=16)
    for pair in pairs:
        found.update(bytes.fromhex(pair.hash))
    return found.hexdigest()


def _file(path: Path) -> Path:
    if path.is_dir():
        for form in ("jsonl", "parquet"):
            if (path / f"{NAME}.{form}").is_file():
                return path / f"{NAME}.{form}"
    if not path.is_file():
        todo = "Make some with: pixelreef tune data"
        raise FileError(f"pairs {str(path)!r}", "be a file or folder of pairs", "none there", todo, verbatim=True)
    return path


def _write_lines(path: Path, pairs: Sequence[Pair]) -> None:
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        for pair in pairs:
            file.write(json.dumps(_row(pair), ensure_ascii=False) + "\n")


def _write_parquet(path: Path, pairs: Sequence[Pair]) -> None:
    import pyarrow
    import pyarrow.parquet as parquet

    kinds = [(name, pyarrow.int64() if name == "version" else pyarrow.string()) for name in _COLUMNS]
    table = pyarrow.Table.from_pylist([_row(pair) for pair in pairs], pyarrow.schema(kinds))
    with replacing(path) as part:
        parquet.write_table(table, part, compression="zstd")


def _row(pair: Pair) -> dict[str, Any]:
    return {"version": VERSION, "hash": pair.hash, **asdict(pair)}


def _rows(file: Path) -> Iterator[Any]:
    what = f"pairs {str(file)!r}"
    if is_parquet(file):
        yield from _parquet_rows(file, what)
        return
    with file.open("rb") as lines:
        number = 0
        while line := lines.readline(MAX_LINE + 1):
            number += 1
            if len(line) > MAX_LINE or number > MAX_PAIRS:
                raise FileError(what, f"have at most {MAX_PAIRS:,} lines of {MAX_LINE:,} bytes", "more", verbatim=True)
            try:
                yield json_from_bytes(line, "pair")
            except PixelreefError as error:
                raise FileError(
                    f"pair {number} of {str(file)!r}", "be whole", f"this: {error}", verbatim=True
                ) from None


def _parquet_rows(file: Path, what: str) -> Iterator[Any]:
    import pyarrow
    import pyarrow.parquet as parquet

    try:
        with parquet.ParquetFile(file) as opened:
            if opened.metadata.num_rows > MAX_PAIRS:
                raise FileError(what, f"have at most {MAX_PAIRS:,} pairs", opened.metadata.num_rows)
            for batch in opened.iter_batches(batch_size=256):
                yield from batch.to_pylist()
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise FileError(what, "be a readable parquet file", str(error)) from None


def _pair(row: Any, what: str) -> Pair:
    if not isinstance(row, dict) or row.get("version") != VERSION:
        found = row.get("version") if isinstance(row, dict) else row
        raise FileError(what, f"be an object of version {VERSION}", found)
    values = {name: row.get(name) for name in _FIELDS}
    if not all(isinstance(value, str) for value in values.values()) or values["split"] not in (TRAIN, HELD):
        raise FileError(what, f"have the texts {', '.join(_FIELDS)}", sorted(row))
    pair = Pair(**{name: str(value) for name, value in values.items()})
    if pair.hash != row.get("hash"):
        raise FileError(what, f"have the hash {pair.hash}", row.get("hash"), "Somebody changed it.")
    return pair


def check_some(stored: Stored, encodings: Sequence[str]) -> tuple[list[Pair], list[Pair]]:
    """(taught, held) pairs of these encodings; InputError where there is nothing to teach."""
    mine = [pair for pair in stored.pairs if pair.encoding in encodings]
    taught, held = ([pair for pair in mine if pair.split == split] for split in (TRAIN, HELD))
    if not taught:
        there = sorted({pair.encoding for pair in stored.pairs})
        raise InputError(
            f"pairs {str(stored.path)!r}", f"hold some in {', '.join(encodings)}", f"{there}", verbatim=True
        )
    return taught, held
