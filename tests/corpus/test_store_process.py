"""The store in a process of its own: its memory, and what is left when it is killed."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from corpus.samples import FACTORS, blobs

from pixelreef.corpus.store import open_corpus, write_corpus

# The reef's own shape: 32 × 32 with parts, every sprite another one, 64 colours, parameters and all.
WRITER = """
import json, resource, sys
import numpy as np
from pixelreef.core.reef import reef_palette
from pixelreef.corpus.cells import CATEGORIES, REEF_FACTORS, ZONES
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.store import open_corpus, write_corpus

def sprites(count):
    palette, random = reef_palette(), np.random.default_rng(0)
    origin = Origin("reef", "", "CC0-1.0")
    for number in range(count):
        cells = random.integers(0, 64, (32, 32), dtype=np.uint8)
        factors = {"category": CATEGORIES[number % 6], "zone": ZONES[number // 6 % 5]}
        yield Entry(cells, palette, origin, factors, f"n{number}", "x", {"seed": number}, cells % 25)

facts = write_corpus(sys.argv[1], sprites(int(sys.argv[2])), REEF_FACTORS)
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
written = peak()
read = sum(1 for _ in open_corpus(sys.argv[1]))
print(json.dumps([written, peak(), facts.count, read]))
"""


def megabytes(path: Path, count: int) -> tuple[float, float]:
    """Peak megabytes of a fresh process that writes so many sprites, and that then reads them one by one."""
    # A process counts the memory of whoever started it until it runs its own program, so a small one starts it.
    launch = (
        "import subprocess, sys; print(subprocess.run(sys.argv[1:], capture_output=True, text=True, check=True).stdout)"
    )
    command = [sys.executable, "-c", launch, sys.executable, "-c", WRITER, str(path), str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    writing, reading, written, read = json.loads(done.stdout)
    assert written == read == count
    return writing, reading


def test_memory_does_not_grow_with_the_corpus(tmp_path: Path) -> None:
    few, many = (megabytes(tmp_path / "c.parquet", count) for count in (2_500, 10_000))
    assert many[0] < few[0] + 12  # 7,500 sprites with parts are 15 MB as bare cells, more as entries
    assert many[1] < few[1] + 12
    assert many[1] < 400


@pytest.mark.slow
def test_a_hundred_thousand_sprites_fit_into_400_megabytes(tmp_path: Path) -> None:
    writing, reading = megabytes(tmp_path / "c.parquet", 100_000)
    assert max(writing, reading) < 400


def test_two_runs_give_the_same_file(tmp_path: Path) -> None:
    hashes = []
    for name in ("a", "b"):
        megabytes(tmp_path / name, 500)
        hashes.append(hashlib.sha256((tmp_path / name).read_bytes()).hexdigest())
    assert hashes[0] == hashes[1]


ENDLESS = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have turned it off
import sys
sys.path.insert(0, sys.argv[2])
from itertools import count
from corpus.samples import FACTORS, blob
from pixelreef.corpus.store import write_corpus
write_corpus(sys.argv[1], (blob(n % 50, 4) for n in count()), FACTORS, progress=lambda n: print(n, flush=True))
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_an_interrupted_import_leaves_the_old_corpus(tmp_path: Path, how: signal.Signals) -> None:
    path = write_corpus(tmp_path / "c.parquet", blobs(20), FACTORS).path
    before = path.read_bytes()
    command = [sys.executable, "-c", ENDLESS, str(path), str(Path(__file__).parents[1])]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert child.stdout is not None
    child.stdout.readline()  # a row group is on its way
    os.kill(child.pid, how)
    child.wait(timeout=30)
    child.stdout.close()
    assert path.read_bytes() == before
    assert open_corpus(path).count == 20
    left = [one for one in tmp_path.iterdir() if one != path]
    assert len(left) == (1 if how == signal.SIGKILL else 0)  # what is killed can't clean up
    assert all(one.name.startswith(".c.parquet.") for one in left)
    write_corpus(path, blobs(30), FACTORS)  # and the next one goes through
    assert open_corpus(path).count == 30


def test_arrays_make_no_object_per_sprite(tmp_path: Path) -> None:
    """Reading arrays against reading entries, the best of three."""
    write_corpus(tmp_path / "c.parquet", (entry for _ in range(4) for entry in blobs(500)), FACTORS)
    corpus = open_corpus(tmp_path / "c.parquet")
    spent: dict[str, list[float]] = {"arrays": [], "entries": []}
    for _ in range(3):
        for name, use in (("arrays", corpus.arrays), ("entries", lambda: list(corpus))):
            started = time.perf_counter()
            use()
            spent[name].append(time.perf_counter() - started)
    assert 2 * min(spent["arrays"]) < min(spent["entries"])
