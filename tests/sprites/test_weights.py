"""Files of weights: what is written is read, on both sides; what is broken is one line, soon and in little memory."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sprite_models import arrays, perturbed, small_config, weights

from pixelreef.core.seeds import rng
from pixelreef.errors import FileError, InputError
from pixelreef.sprites.config import Config
from pixelreef.sprites.network import Reef
from pixelreef.sprites.twin import reef_from_weights
from pixelreef.sprites.weights import (
    read_weights,
    shapes,
    shipped_weights,
    weights_from,
    weights_from_bytes,
    write_weights,
)

RAMPS = ((0, 0), *((1 + place // 4, place % 4) for place in range(8)))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    file = tmp_path_factory.mktemp("weights") / "w.safetensors"
    write_weights(file, weights(perturbed(small_config(ramps=RAMPS)), minutes=3))
    return file.read_bytes()


def parts(data: bytes) -> tuple[dict[str, Any], dict[str, Any], bytes]:
    """The header, the document in its metadata, and the numbers."""
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8 : 8 + size])
    return header, json.loads(header["__metadata__"]["pixelreef"]), data[8 + size :]


def joined(header: dict[str, Any], document: Any, numbers: bytes) -> bytes:
    header["__metadata__"]["pixelreef"] = json.dumps(document)
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + numbers


def test_factors_keep_their_order(tmp_path: Path) -> None:
    factors = {"kind": ("fish", "coral", "worm"), "depth": ("top", "deep"), "age": ("young",)}
    made = weights(perturbed(small_config(factors=factors)))
    found = read_weights(write_weights(tmp_path / "w.safetensors", made))
    assert list(found.config.factors.items()) == list(factors.items())
    assert all((found.arrays[name] == value).all() for name, value in made.arrays.items())


@pytest.mark.parametrize("other", [{}, {"ramps": RAMPS}, {"factors": {}}, {"height": 8, "width": 24, "patch": 2}])
def test_the_shapes_are_those_of_torch(other: dict[str, Any]) -> None:
    config = small_config(**other)
    found = {name: tuple(value.shape) for name, value in Reef(config).state_dict().items()}
    assert found == shapes(config)


def test_the_default_keeps_to_the_budget() -> None:
    config = Config(factors={"category": tuple("abcdef"), "zone": tuple("abcde")}, ramps=((0, 0),) * 64)
    assert sum(int(np.prod(shape)) for shape in shapes(config).values()) <= 3_100_000


def test_both_sides_load_the_numbers_that_were_stored_in_half(tmp_path: Path) -> None:
    config = small_config(ramps=RAMPS)
    kept = weights(perturbed(config), transparent=3, minutes=7)
    whole = {name: value + np.float32(1e-4) for name, value in kept.arrays.items()}
    write_weights(tmp_path / "weights.safetensors", type(kept)(config, kept.palette, whole, kept.facts))
    for path in (tmp_path, tmp_path / "weights.safetensors"):
        read = weights_from(path)
        assert (read.config, read.palette, read.facts) == (config, kept.palette, {"minutes": 7})
        theirs = arrays(reef_from_weights(read))
        for name, value in read.arrays.items():
            assert value.dtype == np.float32
            np.testing.assert_array_equal(value, whole[name].astype(np.float16).astype(np.float32))
            np.testing.assert_array_equal(value, theirs[name])


def test_numbers_too_large_for_half_are_not_written(tmp_path: Path) -> None:
    kept = weights(perturbed(small_config()))
    wrong = {**kept.arrays, "shape.begin": np.full_like(kept.arrays["shape.begin"], 1e6)}
    with pytest.raises(InputError, match="begin of a model must hold numbers that float16 can hold"):
        write_weights(tmp_path / "w", type(kept)(kept.config, kept.palette, wrong))
    assert not list(tmp_path.iterdir())


def test_missing_files_and_weights_are_said(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="must exist"):
        read_weights(tmp_path / "none")
    with pytest.raises(FileError, match=r"weights\.safetensors.*must exist"):
        weights_from(tmp_path)


def test_the_absence_of_shipped_weights_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pixelreef.sprites.weights.files", lambda _: tmp_path)
    with pytest.raises(FileError, match="name them with --weights RUN"):
        weights_from(None)


def test_shipped_weights_are_those_of_the_package(data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pixelreef.sprites.weights.files", lambda _: tmp_path)
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "reef.safetensors").write_bytes(data)
    assert shipped_weights().config == weights_from(None).config == small_config(ramps=RAMPS)


Change = Callable[[dict[str, Any], dict[str, Any]], object]
MISMATCHES: dict[str, Change] = {
    "another format": lambda _, document: document.update(format="other"),
    "a later version": lambda _, document: document.update(version=2),
    "no configuration": lambda _, document: document.pop("config"),
    "a field too many": lambda _, document: document["config"].update(depth=3),
    "a field too few": lambda _, document: document["config"].pop("heads"),
    "text for a number": lambda _, document: document["config"].update(heads="3"),
    "true for a number": lambda _, document: document["config"].update(heads=True),
    "a huge side": lambda _, document: document["config"].update(height=10**9),
    "a number of many digits": lambda _, document: document["config"].update(height=10**300),
    "another width": lambda _, document: document["config"].update(trunk_width=27),
    "more layers": lambda _, document: document["config"].update(trunk_layers=3),
    "as many parameters as can be": lambda _, document: document["config"].update(
        trunk_width=1024, heads=1, trunk_layers=32
    ),
    "another factor": lambda _, document: document["config"].update(factors={"a": ["b"]}),
    "no values": lambda _, document: document["config"].update(factors={"a": []}),
    "equal values": lambda _, document: document["config"].update(factors={"a": ["b", "b"]}),
    "factors of numbers": lambda _, document: document["config"].update(factors={"a": [1]}),
    "short ramps": lambda _, document: document["config"].update(ramps=[[0, 0]]),
    "negative ramps": lambda _, document: document["config"].update(ramps=[[-1, 0]] * 9),
    "a short palette": lambda _, document: document["palette"]["colours"].pop(),
    "a palette of numbers": lambda _, document: document["palette"].update(colours=[1] * 9),
    "an odd colour": lambda _, document: document["palette"]["colours"].__setitem__(0, "\ud800"),
    "a transparent colour outside": lambda _, document: document["palette"].update(transparent=9),
    "no palette": lambda _, document: document.pop("palette"),
    "an array missing": lambda header, _: header.pop("shape.begin"),
    "an array too many": lambda header, _: header.update(more=header["shape.begin"]),
    "an array of another shape": lambda header, _: header["shape.begin"].update(shape=[18, 1]),
    "an array of whole numbers": lambda header, _: header["shape.begin"].update(dtype="I16"),
    "an array that is text": lambda header, _: header.update({"shape.begin": "here"}),
    "an array elsewhere": lambda header, _: header["shape.begin"].update(data_offsets=[0, 10**12]),
    "arrays upon each other": lambda header, _: header["shape.begin"].update(
        data_offsets=header["colours.begin"]["data_offsets"]
    ),
}


@pytest.mark.parametrize("change", MISMATCHES)
def test_a_mismatch_is_one_line(change: str, data: bytes) -> None:
    header, document, numbers = parts(data)
    MISMATCHES[change](header, document)
    refused(joined(header, document, numbers))


@pytest.mark.parametrize("metadata", [None, "text", {}, {"pixelreef": 3}, {"pixelreef": "{"}, {"pixelreef": "[" * 99}])
def test_odd_metadata_are_one_line(metadata: Any, data: bytes) -> None:
    header, _, numbers = parts(data)
    header["__metadata__"] = metadata
    text = json.dumps(header).encode()
    refused(struct.pack("<Q", len(text)) + text + numbers)


def test_numbers_that_are_none_are_refused(data: bytes) -> None:
    header, document, numbers = parts(data)
    start = header["shape.begin"]["data_offsets"][0]
    for wrong in (np.nan, np.inf, -np.inf):
        changed = numbers[:start] + np.float16(wrong).tobytes() + numbers[start + 2 :]
        refused(joined(header, document, changed))


def refused(data: bytes) -> None:
    started = time.process_time()
    with pytest.raises(FileError) as caught:
        weights_from_bytes(data)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600
    assert time.process_time() - started < 1


def test_every_truncation_is_refused(data: bytes) -> None:
    for length in {0, 1, 7, 8, 9, 100, *rng(0, "cut").integers(0, len(data), 40).tolist(), len(data) - 1}:
        refused(data[:length])
    refused(data + b"\0")


def test_mutations_are_refused_or_still_make_a_model(data: bytes) -> None:
    """Bytes changed in the header, where everything is decided; in the numbers a change may well be another number."""
    size = 8 + struct.unpack("<Q", data[:8])[0]
    random = rng(0, "mutations")
    read, lines = 0, set()
    for _ in range(600):
        mutated = bytearray(data)
        for place in random.integers(0, size, int(random.integers(1, 6))):
            mutated[place] = int(random.integers(256))
        try:
            found = weights_from_bytes(bytes(mutated))
        except FileError as error:
            lines.add(str(error).count("\n"))
        else:
            read += 1
            assert {name: value.shape for name, value in found.arrays.items()} == shapes(found.config)
    assert read < 300
    assert lines == {0}


def test_a_huge_header_and_a_huge_file_are_refused_before_they_are_read(tmp_path: Path) -> None:
    refused(struct.pack("<Q", 2**40) + b"{}")
    file = tmp_path / "huge.safetensors"
    with file.open("wb") as sparse:
        sparse.truncate(2**33)
    started = time.process_time()
    with pytest.raises(FileError, match="be at most 50,331,648 bytes"):
        read_weights(file)
    assert time.process_time() - started < 1


@pytest.mark.parametrize("kind", ["huge", "cut", "largest"])
def test_broken_files_end_the_command_in_little_time_and_memory(kind: str, data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "w.safetensors"
    if kind == "huge":
        with file.open("wb") as sparse:
            sparse.truncate(2**33)
    elif kind == "cut":
        file.write_bytes(data[:-1])
    else:  # a sound header, and as many bytes of junk as may be
        file.write_bytes(data + bytes(48 * 2**20 - len(data)))
    code = (
        "import sys, time, resource\n"
        "from pixelreef.cli import app, run\n"
        "import pixelreef.sprites.write\n"
        "from peak_memory import forget_peak, peak_bytes\n"
        f"sys.argv = ['pixelreef', 'sprites', 'sample', '--cell', 'all', '--out', {str(tmp_path / 'd')!r}, "
        f"'--weights', {str(file)!r}]\n"
        "forget_peak(); started = time.process_time(); code = run(app)\n"
        "print(code, time.process_time() - started, peak_bytes())\n"
    )
    tests = str(Path(__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {tests!r})\n{code}"], capture_output=True, text=True
    )
    exit_code, seconds, peak = done.stdout.split()
    assert exit_code == "2"
    assert done.stderr.startswith("pixelreef: ")
    assert done.stderr.count("\n") == 1
    assert float(seconds) < 1
    assert int(peak) < 200e6
    assert not (tmp_path / "d").exists()
