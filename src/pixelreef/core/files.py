"""Files: bounded reading, atomic writing, names that are safe on every system.

A write goes to a temporary file beside its target and is renamed over it, so a killed run leaves the old file or the
new one, never a part. A name made from data (`safe_name`) can't leave the folder it is put in.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pixelreef.errors import FileError

MAX_BYTES = 64 * 2**20  # the largest file that is read whole
_RESERVED = {"con", "prn", "aux", "nul"} | {f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)}


def read_bytes(path: str | os.PathLike[str], limit: int = MAX_BYTES) -> bytes:
    """The whole of a regular file of at most `limit` bytes; one clear error for anything else."""
    path = Path(path)
    what = f"file {str(path)!r}"
    try:
        if not path.exists():
            raise FileError(what, "exist", "nothing there", verbatim=True)
        if not path.is_file():  # a pipe or a device could block or never end
            raise FileError(what, "be a regular file", "a folder" if path.is_dir() else "a device", verbatim=True)
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(what, "be readable", reason, verbatim=True) from None
    if len(data) > limit:
        raise FileError(what, f"be at most {limit:,} bytes", "more", verbatim=True)
    return data


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary path beside `path`; renamed over it on a clean exit, removed on an error.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(Path(folder, "a.txt")) as part:
    ...         _ = part.write_text("whole")
    ...     Path(folder, "a.txt").read_text()
    'whole'
    """
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:80]}.", suffix=target.suffix)
        os.close(handle)
    except OSError as error:
        raise FileError(f"folder {str(target.parent)!r}", "be writable", error.strerror, verbatim=True) from None
    part = Path(name)
    try:
        yield part
        part.chmod(0o666 & ~_umask())
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.replace(target)
    except OSError as error:
        raise FileError(f"file {str(target)!r}", "be writable", error.strerror, verbatim=True) from None
    finally:
        part.unlink(missing_ok=True)


def write_bytes(path: str | os.PathLike[str], data: bytes) -> Path:
    """Write a file whole or not at all."""
    with replacing(path) as part:
        part.write_bytes(data)
    return Path(path)


def write_text(path: str | os.PathLike[str], text: str) -> Path:
    """Write UTF-8 with `\\n` line ends, whole or not at all."""
    return write_bytes(path, text.encode("utf-8", errors="replace"))


def write_json(path: str | os.PathLike[str], document: Any) -> Path:
    """Write indented JSON, whole or not at all; NaN is refused, because no strict reader takes it."""
    return write_text(path, json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def safe_name(text: str, fallback: str = "item") -> str:
    """A file name from any text: lower-case letters, digits, `-`, `_` and inner dots, 1 to 80 characters.

    >>> safe_name("../Ünder the sea?.png"), safe_name("CON"), safe_name("///")
    ('under-the-sea-.png', 'con-', 'item')
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"\.{2,}", ".", re.sub(r"[^a-z0-9._-]+", "-", plain)).strip(".-")[:80].rstrip(".-") or fallback
    return f"{name}-" if name.split(".")[0] in _RESERVED else name


def inside(folder: str | os.PathLike[str], name: str) -> Path:
    """The path of `name` inside `folder`; refused if it would lead out of it, through a link as well."""
    root = Path(folder).resolve()
    path = (root / name).resolve()
    if root not in path.parents:
        raise FileError(f"name {name!r}", f"stay inside {str(folder)!r}", str(path))
    return path


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
