"""Picture files as bad luck or malice makes them: five thousand, each from a whole one of a small mask."""

from __future__ import annotations

import time
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from malformed import MALFORMED, PNG_SIGNATURE
from mask_pictures import FACES, encoded, face
from peak_memory import forget_peak, peak_bytes
from PIL import Image

from pixelreef.core.files import write_bytes
from pixelreef.errors import InputError
from pixelreef.masks.item import Settings, score_item
from pixelreef.masks.truth import truth_from_bytes

SIDE = 40


@dataclass(frozen=True)
class Outcome:
    """How scoring a run of mutated files went."""

    slowest: float
    """Seconds of processor time of the slowest file."""
    grown: int
    """By how many bytes the process grew, at most, for one file."""
    failures: dict[str, int]
    """Failure, or "none", → files."""
    strange: list[str]
    """Files that raised what nobody expects."""


def whole_files() -> list[bytes]:
    """One mask in every kind of file that is read."""
    labels = face(SIDE)
    pixels = Image.fromarray(FACES.rgb[labels])
    indexed = pixels.quantize(19)
    kinds = [
        encoded(pixels),
        encoded(pixels.convert("RGBA")),
        encoded(indexed),
        encoded(indexed, transparency=0),
        encoded(labels),
        encoded(labels.astype(np.uint16) * 257),  # type: ignore[arg-type]
        encoded(pixels, "JPEG", quality=90),
        encoded(pixels, "JPEG", quality=60, progressive=True),
        encoded(pixels.convert("CMYK"), "JPEG"),
        encoded(indexed, "GIF"),
        encoded(pixels, "BMP"),
        encoded(pixels, "WEBP"),
        encoded(pixels, "WEBP", lossless=True),
        encoded(pixels, "TIFF"),
        encoded(pixels, "TIFF", compression="tiff_lzw"),
        encoded(pixels, "PPM"),
    ]
    return [*kinds, *kinds, *(data for data in MALFORMED.values() if len(data) < 2**16)]


def mutated(data: bytes, random: np.random.Generator) -> bytes:
    """One or two changes: bytes, numbers, cuts, repetitions; every second time in the head."""
    changed = bytearray(data)
    for _ in range(int(random.integers(1, 3))):
        if not changed:
            break
        head = min(len(changed), 64)
        place = int(random.integers(head if random.random() < 0.5 else len(changed)))
        kind = int(random.integers(8))
        if kind < 3:
            changed[place] = int(random.integers(256))
        elif kind < 5:
            changed[place] ^= 1 << int(random.integers(8))
        elif kind == 5:
            extreme = [b"\0\0\0\0", b"\xff\xff\xff\xff", b"\0\0\x10\0", b"\0\x10\0\0", b"\x7f\xff\xff\xff"]
            changed[place : place + 4] = extreme[int(random.integers(len(extreme)))]
        elif kind == 6:
            del changed[place : place + int(random.integers(1, len(changed) - place + 1))]
        else:
            changed[place:place] = changed[place : place + int(random.integers(1, 64))]
    return _with_sums(bytes(changed)) if random.random() < 0.7 else bytes(changed)


def _with_sums(data: bytes) -> bytes:
    """A PNG with the check sums that its chunks, as they are now, should have: else nothing behind them is read."""
    if not data.startswith(PNG_SIGNATURE):
        return data
    made, place = bytearray(PNG_SIGNATURE), len(PNG_SIGNATURE)
    while place + 12 <= len(data):
        size = int.from_bytes(data[place : place + 4], "big")
        body = data[place + 4 : place + 8 + size]
        made += data[place : place + 4] + body + zlib.crc32(body).to_bytes(4, "big")
        place += 12 + size
    return bytes(made + data[place:])


def as_prediction(path: Path, data: bytes, failures: dict[str, int]) -> None:
    scores, _ = score_item("face", face(SIDE), {1: path}, FACES, Settings())
    failure = scores.attempts[0].scores["robust"].failure or "none"
    failures[failure] = failures.get(failure, 0) + 1


def as_truth(path: Path, data: bytes, failures: dict[str, int]) -> None:
    with suppress(InputError):
        truth_from_bytes(data, FACES)


def score_mutated(folder: str, count: int, seed: int) -> Outcome:
    """Score so many mutated files as predictions, and read each as truth too."""
    random, files = np.random.default_rng(seed), whole_files()
    failures: dict[str, int] = {}
    strange: list[str] = []
    path = write_bytes(f"{folder}/prediction.png", files[0])
    as_prediction(path, files[0], {})  # tables and imports are no file's fault
    slowest, grown = 0.0, 0
    for number in range(count):
        data = mutated(files[number % len(files)], random)
        path.write_bytes(data)
        for use in (as_prediction, as_truth):
            forget_peak()
            before, started = peak_bytes(), time.process_time()
            try:
                use(path, data, failures)
            except Exception as error:
                strange.append(f"{number}: {use.__name__}: {type(error).__name__}: {error}")
            slowest, grown = max(slowest, time.process_time() - started), max(grown, peak_bytes() - before)
    return Outcome(slowest, grown, failures, strange)
