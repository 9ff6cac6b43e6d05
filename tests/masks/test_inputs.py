"""What a model is shown: the code as words and as swatches, and whole folders from which a perfect painter scores 1."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mask_pictures import FACES

from pixelreef.core.images import read_image
from pixelreef.errors import ImageError, InputError
from pixelreef.masks.adapters import adapter_for, adapters
from pixelreef.masks.classes import Classes, MaskClass, read_classes
from pixelreef.masks.dataset import Item
from pixelreef.masks.find import find_dataset
from pixelreef.masks.inputs import inputs, seen, shown_classes, write_inputs
from pixelreef.masks.legend import LINE, MARGIN, SWATCH, legend_picture
from pixelreef.masks.prompts import named_colours
from pixelreef.masks.score import score_folders
from pixelreef.masks.shuffle import conditions, shuffled
from pixelreef.masks.standings import standings
from pixelreef.masks.truth import read_truth

PARTS = find_dataset("reef-parts", 64)
ITEMS = PARTS.items(None, 3, 0).items
CHAT = adapter_for("", "chat")


@pytest.mark.parametrize("height", [None, 64, 300])
def test_every_swatch_is_flat_and_of_its_class(height: int | None) -> None:
    picture = legend_picture(FACES, height)
    rows = 19 if height is None else max(1, (height - 2 * MARGIN) // LINE)
    step = (picture.shape[1] - MARGIN) // -(-19 // rows)
    for label, colour in enumerate(FACES.rgb):
        left, top = MARGIN + label // rows * step, MARGIN + label % rows * LINE + (LINE - SWATCH[1]) // 2
        swatch = picture[top + 1 : top + SWATCH[1] - 1, left + 1 : left + SWATCH[0] - 1]
        assert (swatch == colour).all(), FACES.names[label]
        name = picture[top : top + SWATCH[1], left + SWATCH[0] + 1 : left + step]
        assert (name < 64).any()  # ink
    assert np.array_equal(picture, legend_picture(FACES, height))
    if height and height >= LINE + 2 * MARGIN:
        assert picture.shape[0] == height


def test_a_legend_of_133_classes_holds_them_all() -> None:
    classes = find_dataset("coco-panoptic").classes
    colours = {tuple(pixel) for pixel in legend_picture(classes).reshape(-1, 3)[::3].tolist()}
    assert {tuple(colour) for colour in classes.rgb.tolist()} <= colours


def test_the_text_holds_task_and_code_and_says_what_is_shown() -> None:
    one = seen(ITEMS[0], PARTS.classes)
    (plain,) = conditions(PARTS.classes, 0, 0)
    made = inputs(one, PARTS, plain, CHAT)
    assert PARTS.task.text in made.text
    code = re.findall(r"^(.+): \[(\d+), (\d+), (\d+)\]$", made.text, re.MULTILINE)
    assert [(name, [int(r), int(g), int(b)]) for name, r, g, b in code] == named_colours(PARTS.classes)
    assert "64 × 64 pixels" in made.text
    assert "first picture" in made.text
    assert "not scored" not in made.text
    assert len(made.pictures) == 2


def test_only_the_classes_in_sight_are_shown_when_asked_for() -> None:
    one = seen(ITEMS[0], PARTS.classes)
    _, truth = ITEMS[0].read()
    names = {PARTS.classes.names[label] for label in np.unique(truth)}
    shown = shown_classes(one, PARTS.classes, "present")
    assert names < set(PARTS.classes.names)
    assert list(shown.names) == [name for name in PARTS.classes.names if name in names]  # not by area
    (plain,) = conditions(PARTS.classes, 0, 0)
    assert "All of these classes are in sight" in inputs(one, PARTS, plain, CHAT, "present").text
    with pytest.raises(InputError, match="--classes must be one of all, present"):
        shown_classes(one, PARTS.classes, "some")


def test_ignored_pixels_are_said_to_be_free() -> None:
    classes = Classes((MaskClass("a", (0, 0, 0), 0), MaskClass("void", None, 255, ignore=True)))
    truth = np.array([[0, classes.void]] * 2, np.uint8)
    item = Item("x", lambda: np.zeros((2, 2, 3), np.uint8), lambda: truth)
    assert seen(item, classes).has_ignored
    assert seen(item, classes).labels == (0,)
    (plain,) = conditions(classes, 0, 0)
    assert "is not scored" in inputs(seen(item, classes), PARTS, plain, CHAT).text


@given(seed=st.integers(0, 2**40), number=st.integers(1, 20))
def test_a_shuffle_keeps_names_and_colours_and_no_pair_of_them(seed: int, number: int) -> None:
    other = shuffled(FACES, seed, number)
    assert other.names == FACES.names
    assert sorted(map(tuple, other.rgb.tolist())) == sorted(map(tuple, FACES.rgb.tolist()))
    assert not (other.rgb == FACES.rgb).all(axis=1).any()
    assert other == shuffled(FACES, seed, number)


def test_shuffles_differ_from_one_another_and_by_seed() -> None:
    codes = [tuple(map(tuple, one.classes.rgb.tolist())) for one in conditions(FACES, 5, 0)]
    assert len(set(codes)) == 6
    assert shuffled(FACES, 1, 1) != shuffled(FACES, 0, 1)
    with pytest.raises(InputError, match="two classes or more"):
        shuffled(Classes((MaskClass("a", (0, 0, 0), 0),)), 0, 1)


@pytest.mark.parametrize("adapter", list(adapters()))
def test_a_folder_holds_all_that_is_needed_to_answer_and_to_score(tmp_path: Path, adapter: str) -> None:
    codes = conditions(PARTS.classes, 2, 0)
    assert write_inputs(PARTS, ITEMS, codes, adapter_for("", adapter), tmp_path) == {}
    assert ("beside" in {path.name for path in tmp_path.iterdir()}) == (adapter == "beside")
    for code in codes:
        folder = tmp_path / code.name if code.number else tmp_path
        answers = tmp_path / "answers" / code.entrant("me")
        answers.mkdir(parents=True)
        classes = read_classes(folder / "classes.json")
        for item in ITEMS:  # a perfect painter, who knows only what the folder holds
            prompt = (folder / "prompts" / f"{item.id}.txt").read_text()
            code_read = {name: [int(r), int(g), int(b)] for name, r, g, b in re.findall(CODE, prompt, re.MULTILINE)}
            assert (folder / "palettes" / f"{item.id}.png").is_file()
            labels = read_truth(tmp_path / "truth" / f"{item.id}.png", classes).labels
            painted = np.array([code_read[name] for name in classes.names], np.uint8)[labels]
            _save(painted, answers / f"{item.id}.1.png")
        if code.number:
            (answers / "classes.json").write_bytes((folder / "classes.json").read_bytes())
    scores = score_folders(tmp_path / "answers", tmp_path / "truth", read_classes(tmp_path / "classes.json"))
    assert {one.entrant: one.mean().mean for one in standings(scores)} == {
        "me": 1.0,
        "me~shuffle-1": 1.0,
        "me~shuffle-2": 1.0,
    }
    assert np.array_equal(read_image(tmp_path / "images" / f"{ITEMS[0].id}.png").rgba[..., :3], ITEMS[0].photograph())


CODE = r"^(.+): \[(\d+), (\d+), (\d+)\]$"


def _save(rgb: Any, path: Path) -> None:
    from PIL import Image

    Image.fromarray(rgb).save(path)


def test_the_same_question_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_inputs(PARTS, ITEMS[:1], conditions(PARTS.classes, 1, 7), adapter_for("", "beside"), tmp_path / name)
    files = [sorted(path.relative_to(tmp_path / n) for path in (tmp_path / n).rglob("*.*")) for n in ("a", "b")]
    assert files[0] == files[1]
    assert all((tmp_path / "a" / one).read_bytes() == (tmp_path / "b" / one).read_bytes() for one in files[0])


def _broken(name: str) -> Any:
    raise ImageError(f"image {name!r}", "be a whole picture", "a broken one", verbatim=True)


def test_an_item_that_cant_be_read_is_left_out_and_named(tmp_path: Path) -> None:
    bad = replace(ITEMS[0], id="bad", photograph=partial(_broken, "bad.jpg"))
    codes = conditions(PARTS.classes, 0, 0)
    left_out = write_inputs(PARTS, [bad, *ITEMS[1:]], codes, CHAT, tmp_path)
    assert list(left_out) == ["bad"]
    assert "whole picture" in left_out["bad"]
    assert len(list((tmp_path / "prompts").iterdir())) == 2
    with pytest.raises(InputError, match="items must be readable"):
        write_inputs(PARTS, [bad], codes, CHAT, tmp_path / "none")


def test_a_folder_that_was_written_is_a_dataset(tmp_path: Path) -> None:
    write_inputs(PARTS, ITEMS, conditions(PARTS.classes, 0, 0), CHAT, tmp_path)
    again = find_dataset(str(tmp_path))
    items = again.items(None, None, 0).items
    assert [item.id for item in items] == [item.id for item in ITEMS]
    assert np.array_equal(items[0].truth(), ITEMS[0].truth())
    with pytest.raises(InputError, match="--size must be left out"):
        find_dataset(str(tmp_path), 64)
    with pytest.raises(InputError, match="dataset must be one of"):
        find_dataset("no-such-thing")


def test_class_files_of_conditions_are_alike_but_for_colours(tmp_path: Path) -> None:
    write_inputs(PARTS, ITEMS[:1], conditions(PARTS.classes, 1, 0), CHAT, tmp_path)
    own, other = (json.loads((tmp_path / path).read_text()) for path in ("classes.json", "shuffle-1/classes.json"))
    assert [one["name"] for one in own["classes"]] == [one["name"] for one in other["classes"]]
    assert own["truth"] == other["truth"] == "index"
    assert own != other
