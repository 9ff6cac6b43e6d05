"""One run at a time in a folder: a lock that the system takes back when its holder ends, however it ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pixelreef.core.locks import taken
from pixelreef.errors import FileError

NAME = ".lock"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder, or say at once that another holds it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / NAME).open("ab")
    except OSError as error:
        raise FileError(f"folder {str(folder)!r}", "be writable", error.strerror, verbatim=True) from None
    with file:
        if not taken(file.fileno()):
            todo = "Wait for it, or give another --out."
            raise FileError(
                f"run {str(folder)!r}", "be nobody's", "another training at work there", todo, verbatim=True
            )
        yield
