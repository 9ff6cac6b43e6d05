"""Downloading pictures into a folder, with their manifest. Where they are comes from `commons` or `addresses`.

One picture that can't be had is one line in the intake. What is there already, whole and of the same version, is not
fetched again, so the same command goes on where it was stopped.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pixelreef.core.files import safe_name, write_bytes
from pixelreef.core.palette_files import looks_like_image
from pixelreef.corpus.intake import Intake
from pixelreef.corpus.photos.free_licences import free_licence
from pixelreef.corpus.photos.manifest import Manifest, Row
from pixelreef.corpus.photos.web import Answer, Web
from pixelreef.errors import InputError, PixelreefError

SUFFIXES = {
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "image/tiff": ".tif",
    "image/bmp": ".bmp",
    "image/x-ms-bmp": ".bmp",
}

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Wanted:
    """A picture that may be downloaded."""

    name: str
    """What people call it: its title or the last part of its address."""
    fetch: str
    """The address of its bytes."""
    licence: str
    """As its source names it; only a free one is fetched."""
    author: str = ""
    address: str = ""
    """Its page; the address of its bytes when empty."""
    licence_address: str = ""
    version: str = ""
    factors: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Limits:
    """How much is downloaded."""

    pictures: int = 100
    file_bytes: int = 32 * 2**20
    total_bytes: int = 2 * 2**30


def download(
    wanted: Iterable[Wanted], folder: str | os.PathLike[str], web: Web, limits: Limits, intake: Intake
) -> Iterator[Row]:
    """Fetch up to `limits.pictures` into `folder` and yield the row of each, whether it was there or came now."""
    manifest = Manifest(folder)
    taken = fetched_bytes = 0
    for one in wanted:
        if taken >= limits.pictures:
            return
        try:
            licence = _free(one)
            row = manifest.kept(one.fetch, one.version)
            if row is None:
                if fetched_bytes >= limits.total_bytes:
                    raise InputError("download", f"be at most {limits.total_bytes:,} bytes in all", "more")
                row = _fetched(one, licence, manifest, web, limits.file_bytes)
                fetched_bytes += row.bytes
                intake.count("downloaded")
            else:
                intake.count("already there")
        except PixelreefError as error:
            intake.refuse(one.name, error)
            continue
        taken += 1
        yield row


def file_name(name: str, fetch: str, suffix: str) -> str:
    """The same for the same address, another for another: a readable part, eight hex digits, a suffix.

    >>> file_name("File:Moon jelly.JPG", "https://example.org/a.jpg", ".jpg")
    'moon-jelly-adf023d6.jpg'
    """
    stem = Path(name.removeprefix("File:")).stem or name
    digest = hashlib.blake2b(fetch.encode(), digest_size=4).hexdigest()
    return f"{safe_name(stem)[:60].rstrip('.-_')}-{digest}{suffix}"


def _fetched(one: Wanted, licence: str, manifest: Manifest, web: Web, most_bytes: int) -> Row:
    answer = web.get(one.fetch, most_bytes)
    name = file_name(one.name, one.fetch, _suffix(answer))
    write_bytes(manifest.folder / name, answer.body)
    row = Row(
        name,
        one.author,
        licence,
        one.address or one.fetch,
        one.licence_address,
        one.fetch,
        one.version,
        hashlib.sha1(answer.body, usedforsecurity=False).hexdigest(),
        len(answer.body),
        one.factors,
    )
    manifest.add(row)
    return row


def _free(one: Wanted) -> str:
    licence = free_licence(one.licence)
    if licence is None:
        raise InputError("licence", "be known and free", one.licence or "none", verbatim=not one.licence)
    return licence


def _suffix(answer: Answer) -> str:
    """A reply must call itself a picture and begin like one."""
    suffix = SUFFIXES.get(answer.kind)
    if suffix is None or not looks_like_image(answer.body[:64]):
        kind = answer.kind if suffix is None else f"{answer.kind} that is none"
        raise InputError("download", "be a picture (JPEG, PNG, GIF, WebP, TIFF or BMP)", kind)
    return suffix
