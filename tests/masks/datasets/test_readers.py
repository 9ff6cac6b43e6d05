"""Each reader against a miniature tree whose label grids were worked out by hand."""

from __future__ import annotations

import json
import pickle
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mask_trees import GREY, TREES, celeb, coco, photograph, put

from pixelreef.errors import InputError
from pixelreef.masks.dataset import FolderDataset
from pixelreef.masks.datasets import dataset, datasets

MASKS = {
    "celebamask-hq": "CelebAMask-HQ-mask-anno",
    "coco-panoptic": "panoptic_val2017",
    "cityscapes": "gtFine/val",
    "ade20k": "annotations/validation",
    "suim": "masks",
}
VOID_CITY, VOID_ADE = 20, 151  # after 19 and 150 classes and `unknown`

# Dataset → id → labels.
EXPECTED: dict[str, dict[str, list[list[int]]]] = {
    # skin 1 under the eyes 4 (left) and 5 (right), hair 13 over skin
    "celebamask-hq": {
        "00007": [[13, 13, 13, 13], [1, 5, 4, 1], [0, 1, 1, 0]],
        "02001": [[13, 13, 13, 13], [1, 5, 4, 1], [0, 1, 1, 0]],
    },
    # other 0, person 1, sky the 120th of 133 categories, rug the last; columns 1 to 3 of 5
    "coco-panoptic": {
        "000000000139": [[120, 120, 0], [120, 1, 1], [0, 1, 1]],
        "000000000285": [[133] * 3] * 3,
    },
    # road 0, sidewalk 1, sky 10, car 13, bicycle 18; unlabelled and ego vehicle are ignored
    "cityscapes": {
        "frankfurt_000000_000294": [[VOID_CITY, 0, 1], [18, VOID_CITY, 13]],
        "munster_000000_000019": [[10] * 3] * 2,
    },
    "ade20k": {
        "ADE_val_00000001": [[VOID_ADE, 0, 1], [149, 149, 0]],
        "ADE_val_00000002": [[12, 12, 12], [12, 12, VOID_ADE]],
    },
    "suim": {"d_r_47_": [[0, 1, 2, 3], [4, 5, 6, 7]], "w_r_1_": [[0] * 4] * 2},
}


@pytest.mark.parametrize("name", TREES)
def test_label_grids_are_those_worked_out_by_hand(name: str, tmp_path: Path) -> None:
    found = dataset(name).items(TREES[name](tmp_path))
    assert {item.id: item.truth().tolist() for item in found.items} == EXPECTED[name]
    assert (found.total, found.left_out) == (2, ())
    for item in found.items:
        picture, truth = item.read()
        assert picture.dtype == np.uint8
        assert picture.shape == (*truth.shape, 3)
        assert (picture == GREY).all()
        assert truth.dtype == dataset(name).classes.dtype
        assert not picture.flags.writeable
        assert not truth.flags.writeable


@pytest.mark.parametrize("name", TREES)
def test_a_missing_folder_is_one_line_that_says_which_and_where_to_get_it(name: str, tmp_path: Path) -> None:
    reader = dataset(name)
    with pytest.raises(InputError, match="be a folder, got nothing there") as nowhere:
        reader.items(tmp_path / "no")
    assert reader.origin in str(nowhere.value)
    with pytest.raises(InputError, match=r"must hold .* as it is distributed: .*, got no .*, no ") as empty:
        reader.items(tmp_path)
    assert reader.origin in str(empty.value)
    root = TREES[name](tmp_path)
    gone = next(path for path in root.rglob(MASKS[name].split("/")[-1]) if str(path).endswith(MASKS[name]))
    shutil.rmtree(gone)
    with pytest.raises(InputError, match=f"got no {MASKS[name]}. ") as part:
        reader.items(root)
    assert "\n" not in str(part.value)
    with pytest.raises(InputError, match="be given the folder that it lies in"):
        reader.items()


@pytest.mark.parametrize("name", TREES)
def test_what_lacks_its_other_half_is_left_out_and_said(name: str, tmp_path: Path) -> None:
    root = TREES[name](tmp_path)
    photographs = sorted(root.rglob("*.jpg")) or sorted(root.rglob("*_leftImg8bit.png"))
    gone, bare = photographs[0], photographs[1]
    extra = bare.with_name(bare.name.replace(bare.name.split("_leftImg8bit")[0].removesuffix(".jpg"), "99"))
    shutil.copy(bare, extra)
    gone.unlink()
    found = dataset(name).items(root)
    assert len(found.items) == 1
    assert sorted(line.split(": ")[1] for line in found.left_out) == ["no photograph", "no truth"]


@pytest.mark.parametrize("name", TREES)
def test_a_broken_file_is_the_fault_of_one_item(name: str, tmp_path: Path) -> None:
    root = TREES[name](tmp_path)
    masks = [path for path in sorted([*root.rglob("*.png"), *root.rglob("*.bmp")]) if "leftImg8bit" not in str(path)]
    item_id = next(iter(EXPECTED[name]))
    broken = [path for path in masks if item_id in path.name and "FV" not in path.parts]
    for path in broken:
        path.write_bytes(path.read_bytes()[:40])
    first, second = dataset(name).items(root).items
    with pytest.raises(InputError, match="must be a"):
        first.truth()
    assert second.truth().tolist() == EXPECTED[name][second.id]


@pytest.mark.parametrize("name", TREES)
def test_items_can_be_sent_to_another_process(name: str, tmp_path: Path) -> None:
    item = dataset(name).items(TREES[name](tmp_path)).items[0]
    assert pickle.loads(pickle.dumps(item)).truth().tolist() == EXPECTED[name][item.id]


def test_every_reader_has_a_tree() -> None:
    assert {one.name for one in datasets().values() if isinstance(one, FolderDataset)} == set(TREES)


def test_faces_are_reduced_by_the_mean_of_squares(tmp_path: Path) -> None:
    root = celeb(tmp_path)
    pixels = np.zeros((6, 8, 3), np.uint8)
    pixels[:, 1::2] = 200
    put(root / "CelebA-HQ-img/7.png", pixels).rename(root / "CelebA-HQ-img/7.jpg")  # known by content, not by name
    assert (dataset("celebamask-hq").items(root).items[0].photograph() == 100).all()


def test_a_face_of_another_shape_than_its_masks_is_refused(tmp_path: Path) -> None:
    root = celeb(tmp_path)
    photograph(root / "CelebA-HQ-img/7.jpg", 9, 6)
    with pytest.raises(InputError, match="whole number of times as large as its mask of 4 × 3, got 9 × 6"):
        dataset("celebamask-hq").items(root).items[0].photograph()
    put(root / "CelebAMask-HQ-mask-anno/0/00007_hair.png", [[255] * 5] * 3)
    with pytest.raises(InputError, match="be as large as the first part, 4 × 3, got 5 × 3"):
        dataset("celebamask-hq").items(root).items[0].truth()


def test_panoptic_masks_may_lie_beside_the_photographs(tmp_path: Path) -> None:
    root = coco(tmp_path)
    (root / "annotations/panoptic_val2017").rename(root / "panoptic_val2017")
    assert len(dataset("coco-panoptic").items(root).items) == 2


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"annotations": 5}, "annotations"),
        ({"annotations": [{"file_name": "a.png"}]}, "segments_info"),
        ({"annotations": [{"file_name": "a.png", "segments_info": [{"id": 2**24, "category_id": 1}]}]}, "16777216"),
        ([], "valid dictionary"),
    ],
)
def test_annotations_are_untrusted(change: Any, rule: str, tmp_path: Path) -> None:
    root = coco(tmp_path)
    (root / "annotations/panoptic_val2017.json").write_text(json.dumps(change))
    with pytest.raises(InputError, match=rule) as error:
        dataset("coco-panoptic").items(root)
    assert "\n" not in str(error.value)


def test_a_segment_must_be_listed_and_of_a_known_category(tmp_path: Path) -> None:
    root = coco(tmp_path)
    place = root / "annotations/panoptic_val2017.json"
    whole = json.loads(place.read_text())
    whole["annotations"][0]["segments_info"].pop()
    whole["annotations"][1]["segments_info"][0]["category_id"] = 12
    place.write_text(json.dumps(whole))
    first, second = dataset("coco-panoptic").items(root).items
    with pytest.raises(InputError, match="hold the segments that the annotations list, got 515"):
        first.truth()
    with pytest.raises(InputError, match="have segments of the 133 categories, got 12"):
        second.truth()
    whole["annotations"].pop()
    place.write_text(json.dumps(whole))
    assert dataset("coco-panoptic").items(root).left_out == ("000000000285: not in annotations/panoptic_val2017.json",)


def test_an_index_of_no_class_is_refused(tmp_path: Path) -> None:
    root = TREES["ade20k"](tmp_path)
    put(root / "ADEChallengeData2016/annotations/validation/ADE_val_00000001.png", [[0, 1, 151]] * 2)
    with pytest.raises(InputError, match="hold indices of classes only, got 151"):
        dataset("ade20k").items(root).items[0].truth()


def test_photograph_and_truth_must_be_of_one_size(tmp_path: Path) -> None:
    root = TREES["suim"](tmp_path)
    photograph(root / "images/d_r_47_.jpg", 5, 2)
    with pytest.raises(InputError, match="be as large as its photograph, 5 × 2, got 4 × 2"):
        dataset("suim").items(root).items[0].read()
