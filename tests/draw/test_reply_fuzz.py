"""Mutated replies: no crash, no hang, little memory, and a verdict that a second reader shares."""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from reply_mutations import mutated
from second_reader import is_strict

from pixelreef.core import Palette
from pixelreef.draw.encodings import encoding, encodings
from pixelreef.draw.repairs import MOST_CHANGED
from pixelreef.draw.reply import Reading, read
from pixelreef.errors import InputError

SLOWEST = 0.050
MOST_MEMORY = 64 * 2**20
OTHERS = [name for name in encodings() if name != "rows"]


@contextmanager
def no_collector() -> Iterator[None]:
    gc.disable()  # its pauses grow with the test's own garbage
    try:
        yield
    finally:
        gc.enable()


def timed(text: str, name: str = "rows", palette: Palette | None = None) -> tuple[Reading, float]:
    """The reading and its seconds of processor time; a slow one is measured twice more, and the best counts."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        reading = read(text, name, palette)
        best = min(best, time.process_time() - start)
        if best < SLOWEST:
            break
    return reading, best


def check(reading: Reading) -> None:
    """What holds for every reading."""
    if reading.strict is not None:
        assert reading.repaired == reading.strict
        assert (reading.failures, reading.repairs, reading.cells_changed) == ((), (), 0)
        assert reading.json_valid
        assert reading.published is not None
        return
    assert reading.failures
    assert reading.reason
    if reading.repaired is None:
        assert (reading.repairs, reading.cells_changed) == ((), 0)
        return
    assert reading.repairs
    assert reading.cells_changed <= MOST_CHANGED
    try:
        again = encoding(reading.encoding).encode(reading.repaired)
    except InputError:
        assert reading.encoding == "shapes"
        return
    assert read(again, reading.encoding, reading.repaired.palette).strict == reading.repaired


def fuzz(count: int, name: str) -> dict[str, object]:
    slowest, strict, repaired, primary = (0.0, 0), 0, 0, Counter[str]()
    with no_collector():
        for seed in range(count):
            text, palette = mutated(seed, name)
            reading, seconds = timed(text, name, palette)
            check(reading)
            if name == "rows":
                assert (reading.strict is not None) == is_strict(text), f"seed {seed}"
            slowest = max(slowest, (seconds, seed))
            strict += reading.strict is not None
            repaired += reading.repaired is not None and reading.strict is None
            primary.update(reading.failures[:1])
            if seed % 1000 == 0:
                gc.collect()
    assert slowest[0] < SLOWEST, f"seed {slowest[1]} takes {slowest[0] * 1000:.0f} ms"
    return {"slowest ms": round(slowest[0] * 1000, 1), "strict": strict, "repaired": repaired, "primary": primary}


def test_mutated_rows_are_read_as_the_second_reader_reads_them() -> None:
    found = fuzz(3_000, "rows")
    assert isinstance(found["strict"], int)
    assert isinstance(found["repaired"], int)
    assert found["strict"] > 300
    assert found["repaired"] > 1_000


@pytest.mark.parametrize("name", OTHERS)
def test_mutated_replies_of_other_encodings_never_crash(name: str) -> None:
    fuzz(500, name)


# Texts on which a careless reader takes seconds or the stack: each is repeated up to the size limit.
NASTY = [
    "[",
    "{",
    '{"a":',
    '["',
    '{"a" ',
    '"',
    "'",
    "\\",
    "(",
    "```json\n{",
    "{}",
    '{"grid":',
    "</think>{",
    '"",',
    "1,",
]
NASTY += ["0", "true", '{"palette":[],"grid":[]}', "“", "\n", '{"a":"b" c" ', "</think>", "/*", '"a":', "{palette"]


@pytest.mark.parametrize("unit", NASTY)
@pytest.mark.parametrize("before", ["", '{"grid":["', '{"palette":["000000","ffffff"],"grid":[', "```\n"])
@pytest.mark.parametrize("size", [3_000, 6_000, 262_144, 1_000_000])
def test_nasty_repetitions_take_bounded_time(unit: str, before: str, size: int) -> None:
    text = before + unit * (size // len(unit))
    with no_collector():
        reading, seconds = timed(text)
    check(reading)
    assert seconds < SLOWEST


def test_nasty_replies_take_bounded_memory() -> None:
    read("{")  # imports are not the reader's memory
    tracemalloc.start()
    try:
        for unit in NASTY:
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            read('{"palette":["000000","ffffff"],"grid":[' + unit * (1_000_000 // len(unit)))
            assert tracemalloc.get_traced_memory()[1] - before < MOST_MEMORY, unit
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_a_hundred_thousand_mutated_replies() -> None:
    import psutil

    process = psutil.Process()
    fuzz(1_000, "rows")
    before = process.memory_info().rss
    found = fuzz(100_000, "rows")
    grown = process.memory_info().rss - before
    print(found, f"grown {grown / 2**20:.1f} MB")
    assert grown < MOST_MEMORY


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHERS)
def test_ten_thousand_mutated_replies_of_other_encodings(name: str) -> None:
    print(name, fuzz(10_000, name))
