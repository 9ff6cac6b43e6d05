"""What every dataset has, how items are chosen, folder pairs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from mask_trees import photograph, put

from pixelreef.errors import InputError
from pixelreef.masks.classes import Classes, MaskClass, classes_from_bytes, json_from_classes
from pixelreef.masks.dataset import Dataset, Item, chosen
from pixelreef.masks.datasets import dataset, datasets
from pixelreef.masks.folder_pair import FolderPair
from pixelreef.masks.item import score_arrays

CLASSES = Classes(
    (
        MaskClass("sea", (0, 0, 0), 0),
        MaskClass("left fin", (255, 0, 0), 4, partner="right fin"),
        MaskClass("right fin", (0, 255, 0), 5, partner="left fin"),
        MaskClass("void", None, 255, ignore=True),
    ),
    "fins",
)


@pytest.mark.parametrize("one", datasets().values(), ids=lambda one: one.name)
def test_every_dataset_ships_its_classes_and_a_task(one: Dataset) -> None:
    assert one.version >= 1
    assert one.task.version >= 1
    assert len(one.task.text) > 100
    assert one.classes == classes_from_bytes(json_from_classes(one.classes).encode())
    sides = [name for name in one.classes.names if name.startswith(("left", "right"))]
    assert [name for name, partner in zip(one.classes.names, one.classes.partners, strict=True) if partner] == sides
    assert ("own" in one.task.text and "left" in one.task.text.lower()) == bool(sides)


@pytest.mark.parametrize(
    ("name", "scored", "colour"),
    [
        ("ade20k", 150, None),
        ("celebamask-hq", 19, ("eye_glass", (204, 204, 0))),
        ("cityscapes", 19, ("bus", (0, 60, 100))),
        ("coco-panoptic", 134, ("rug", (250, 141, 255))),
        ("reef-parts", 21, None),
        ("reef-scenes", 8, None),
        ("suim", 8, ("wreck", (0, 255, 255))),
    ],
)
def test_classes_are_as_many_and_coloured_as_published(
    name: str, scored: int, colour: tuple[str, tuple[int, int, int]] | None
) -> None:
    classes = dataset(name).classes
    assert len(classes) == scored
    if colour:
        assert tuple(classes.rgb[classes.label(colour[0])]) == colour[1]


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"be one of ade20k, celebamask-hq, .*, suim, got 'kitti'"):
        dataset("kitti")


def _items(ids: range) -> list[Item]:
    pixel, label = np.zeros((1, 1, 3), np.uint8), np.zeros((1, 1), np.uint8)
    return [Item(f"{number:03d}", lambda: pixel, lambda: label) for number in ids]


def test_a_choice_is_by_the_seed_nested_and_hardly_changed_by_a_new_file() -> None:
    items = _items(range(100))
    ten = [item.id for item in chosen(items, 10, 3, "x")]
    assert ten == sorted(ten)
    assert ten == [item.id for item in chosen(items, 10, 3, "x")]
    assert ten != [item.id for item in chosen(items, 10, 4, "x")]
    assert set(ten) < {item.id for item in chosen(items, 11, 3, "x")}
    assert len(set(ten) - {item.id for item in chosen(_items(range(101)), 10, 3, "x")}) <= 1
    assert chosen(items, None, 3, "x") == items
    for n in (0, 101):
        with pytest.raises(InputError, match="be from 1 to 100"):
            chosen(items, n, 3, "x")


def _pair(tmp_path: Path) -> FolderPair:
    photograph(tmp_path / "photos/a.jpg", 3, 1)
    photograph(tmp_path / "photos/b.jpg", 3, 1)
    put(tmp_path / "truth/a.png", [[0, 5, 255]])
    put(tmp_path / "truth/c.png", [[0, 5, 4]])
    return FolderPair(tmp_path / "photos", tmp_path / "truth", CLASSES)


def test_a_folder_pair_is_a_dataset(tmp_path: Path) -> None:
    pair = _pair(tmp_path)
    found = pair.items()
    assert [(item.id, item.truth().tolist()) for item in found.items] == [("a", [[0, 2, CLASSES.void]])]
    assert found.items[0].read()[0].shape == (1, 3, 3)
    assert found.left_out == ("b: no truth", "c: no photograph")
    assert pair.name == "fins"
    assert "Left and right" in pair.task.text
    assert [item.id for item in FolderPair("photos", "truth", CLASSES).items(tmp_path).items] == ["a"]


def test_a_folder_pair_without_a_pair_says_so(tmp_path: Path) -> None:
    pair = _pair(tmp_path)
    (tmp_path / "truth/a.png").unlink()
    with pytest.raises(InputError, match=r"hold a mask for one of the 2 photographs .*, got 1 masks of other names"):
        pair.items()
    put(tmp_path / "truth/b.png", [[0]])
    put(tmp_path / "truth/b.bmp", [[0]])
    with pytest.raises(InputError, match="hold one picture of each name, got two of 'b'"):
        pair.items()
    with pytest.raises(InputError, match="be a readable folder"):
        FolderPair(tmp_path / "no", tmp_path / "truth", CLASSES).items()


@pytest.mark.parametrize("name", ["reef-parts", "reef-scenes"])
def test_truth_in_its_own_colours_scores_one(name: str) -> None:
    item = dataset(name).items(n=1).items[0]
    classes, truth = dataset(name).classes, item.truth()
    assert score_arrays(classes.rgb[truth], truth, classes).measures["mean_iou_union"] == 1.0
