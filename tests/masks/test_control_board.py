from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pixelreef.core.images import image_from_bytes
from pixelreef.core.render import png_from_rgba
from pixelreef.errors import InputError
from pixelreef.masks.classes import Classes, MaskClass
from pixelreef.masks.control_board import fitted_on_halves, fitted_on_others, write_controls
from pixelreef.masks.controls import CONTROLS, control, control_picture
from pixelreef.masks.dataset import MadeDataset
from pixelreef.masks.datasets import dataset
from pixelreef.masks.exhibit import Exhibit, exhibit_of
from pixelreef.masks.pairs import pair
from pixelreef.masks.render import rgb_from_labels
from pixelreef.masks.segmenter import Segmenter

TWO = Classes((MaskClass("dark", (0, 0, 0), 0), MaskClass("light", (255, 255, 255), 1)))


def made(name: str) -> MadeDataset:
    found = dataset(name)
    assert isinstance(found, MadeDataset)
    return found.sized(128)


def items(name: str, count: int = 2) -> list[tuple[str, Exhibit]]:
    return [(f"{name}-{number}", exhibit_of(made(name), 3, number)) for number in range(count)]


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.*"))}


def test_every_control_is_an_entrant_with_a_file_for_every_item(tmp_path: Path) -> None:
    shown = items("reef-parts")
    names = write_controls(shown, tmp_path / "controls", segmenter=fitted_on_others(made("reef-parts")))
    assert names == [*CONTROLS, "segmenter"]
    for name, exhibit in shown:
        (tmp_path / "truth").mkdir(exist_ok=True)
        (tmp_path / "truth" / f"{name}.png").write_bytes(png_from_rgba(rgb_from_labels(exhibit.truth, exhibit.classes)))
    found = pair(tmp_path / "controls", tmp_path / "truth")
    assert not found.unmatched
    assert set(found.entrants) == set(names)
    assert all(set(attempts) == {name for name, _ in shown} for attempts in found.entrants.values())
    assert all(list(files) == [1] for attempts in found.entrants.values() for files in attempts.values())
    exact = image_from_bytes(found.entrants["truth"][shown[1][0]][1].read_bytes()).rgba[..., :3]
    assert np.array_equal(exact, control_picture(control("truth"), shown[1][1]))


def test_the_same_seed_gives_the_same_bytes_whatever_the_other_items(tmp_path: Path) -> None:
    some = ["truth", "permuted", "own-colours", "noise"]
    shown = items("reef-parts", 3)
    assert write_controls(shown, tmp_path / "all", 4, some) == some
    write_controls(shown[2:], tmp_path / "last", 4, some)
    write_controls(shown[2:], tmp_path / "other", 5, some)
    whole, last, other = (bytes_of(tmp_path / name) for name in ("all", "last", "other"))
    assert len(whole) == 12
    assert last == {name: data for name, data in whole.items() if shown[2][0] in name}
    assert {name for name in last if last[name] == other[name]} == {f"truth/{shown[2][0]}.1.png"}


def test_what_an_item_can_t_show_is_left_out(tmp_path: Path) -> None:
    truth = np.zeros((16, 16), np.uint8)
    truth[4:9, 4:9] = 1
    bare, whole = Exhibit(truth, TWO), Exhibit(truth, TWO, rgb_from_labels(truth, TWO) // 2)
    names = write_controls([("a", bare)], tmp_path / "bare")
    assert set(CONTROLS) - set(names) == {"swapped", "painted-over", "photograph"}
    names = write_controls([("a", bare), ("b", whole)], tmp_path / "mixed")
    assert set(CONTROLS) - set(names) == {"swapped"}
    assert list(bytes_of(tmp_path / "mixed" / "photograph")) == ["b.1.png"]


def test_a_segmenter_answers_only_what_it_has_not_seen(tmp_path: Path) -> None:
    shown = dict(items("reef-scenes", 6))
    asked: list[str] = []

    def read(name: str) -> Exhibit:
        asked.append(name)
        if name == "reef-scenes-broken":
            raise InputError("image", "be readable", name)
        return shown[name]

    fit = fitted_on_halves([*shown, "reef-scenes-broken"], read, seed=1, pictures=2)
    fits: dict[int, Segmenter] = {id(fit(name)): fit(name) for name in shown}
    taught = [name for name in asked if name in shown]
    assert len(fits) == 2
    assert len(taught) == 4
    assert fit(taught[0]) is fit(taught[1])
    assert fit(taught[0]) is not fit(taught[2])
    alone = fitted_on_halves(taught, lambda name: shown[name], seed=1, pictures=2)
    other = fitted_on_halves(
        taught, lambda name: items("reef-scenes", 9)[8][1] if name == taught[0] else shown[name], 1, 2
    )
    assert np.array_equal(alone(taught[0]).centres, other(taught[0]).centres)
    assert not np.array_equal(alone(taught[2]).centres, other(taught[2]).centres)
    assert write_controls(shown.items(), tmp_path, 0, ["segmenter"], fit) == ["segmenter"]
    assert len(bytes_of(tmp_path)) == 6


def test_what_can_t_be_a_name_is_refused(tmp_path: Path) -> None:
    one = items("reef-parts", 1)[0][1]
    for name in ("", "../a", "a/b", "a\\b", ".hidden", "a" * 300):
        with pytest.raises(InputError, match="id must be a plain file name"):
            write_controls([(name, one)], tmp_path, names=["truth"])
    with pytest.raises(InputError, match="control must be one of truth"):
        write_controls([], tmp_path, names=["nothing"])
    with pytest.raises(InputError, match="'segmenter' must be given with"):
        write_controls([], tmp_path, names=["segmenter"])
    with pytest.raises(InputError, match="training pictures must be at least one"):
        fitted_on_halves(["a"], lambda _: one)
    assert not list(tmp_path.iterdir())
