from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import torch
from torch import Tensor

from pixelreef.errors import FileError
from pixelreef.training.checkpoint import NAME, Place, load_checkpoint, save_checkpoint


class One:
    def __init__(self, size: int = 4) -> None:
        self.value = torch.arange(size, dtype=torch.float32)

    def tensors(self) -> Mapping[str, Tensor]:
        return {"value": self.value}

    def take(self, tensors: Mapping[str, Tensor]) -> None:
        self.value.copy_(tensors["value"])


def test_what_was_saved_is_taken_up(tmp_path: Path) -> None:
    save_checkpoint(tmp_path, Place(7, 1.5), {"recipe": "a"}, One())
    other = One()
    other.value.zero_()
    assert load_checkpoint(tmp_path, {"recipe": "a"}, other) == Place(7, 1.5)
    assert other.value.tolist() == [0, 1, 2, 3]
    with pytest.raises(FileError, match="be of this corpus and recipe"):
        load_checkpoint(tmp_path, {"recipe": "b"}, other)
    with pytest.raises(FileError, match="hold the arrays of this model"):
        load_checkpoint(tmp_path, {"recipe": "a"}, One(9))
    with pytest.raises(FileError, match="be at most 10 bytes"):
        load_checkpoint(tmp_path, {"recipe": "a"}, other, limit=10)


def test_a_file_that_was_cut_is_one_line(tmp_path: Path) -> None:
    path = save_checkpoint(tmp_path, Place(7, 1.5), {}, One())
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(FileError, match="be a whole checkpoint"):
        load_checkpoint(tmp_path, {}, One())


def main(folder: Path) -> None:
    """In a process of its own, whose files may not grow beyond 100,000 bytes."""
    save_checkpoint(folder, Place(1, 1.0), {}, One(100))
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    try:
        save_checkpoint(folder, Place(2, 1.0), {}, One(100_000))
    except FileError as error:
        print(error)


def test_without_room_the_file_before_stays(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, __file__, str(tmp_path)], capture_output=True, text=True, check=True)
    assert "must be writable, got File too large" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == [NAME]
    assert load_checkpoint(tmp_path, {}, One(100)).step == 1


if __name__ == "__main__":
    main(Path(sys.argv[1]))
