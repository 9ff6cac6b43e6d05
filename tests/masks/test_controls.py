from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from pixelreef.core.images import image_from_bytes
from pixelreef.core.seeds import rng
from pixelreef.errors import ImageError, InputError
from pixelreef.masks import faults
from pixelreef.masks.ceiling import way_from_file
from pixelreef.masks.classes import Classes, MaskClass
from pixelreef.masks.controls import CONTROLS, control, control_file, control_picture, own_colours
from pixelreef.masks.dataset import MadeDataset
from pixelreef.masks.datasets import dataset
from pixelreef.masks.decode import decode
from pixelreef.masks.decoder import PIXELARENA, ROBUST, Decoder
from pixelreef.masks.exhibit import Exhibit, exhibit_from_item, exhibit_of
from pixelreef.metrics.overlap import count, macro_f1, mean_iou

FACES = dataset("celebamask-hq").classes
EMBEDDED = ("reef-parts", "reef-scenes")


@cache
def exhibit(name: str, number: int, size: int = 512) -> Exhibit:
    made = dataset(name)
    assert isinstance(made, MadeDataset)
    return exhibit_of(made.sized(size), 21, number)


def in_faces(one: Exhibit, number: int) -> Exhibit | None:
    """The same regions in colours of the face palette; None where they would be more than half of its classes."""
    there = faults.present(one.truth, one.classes)
    if len(there) > len(FACES) // 2:
        return None
    chosen = rng(0, "faces", number).permutation(len(FACES))[: len(there)]
    table = np.zeros(one.classes.void + 1, np.uint8)
    table[there] = chosen
    return Exhibit(table[one.truth], FACES, one.photograph)


def f1_of(name: str, one: Exhibit, decoder: Decoder) -> float:
    labels = decode(control_picture(CONTROLS[name], one), one.classes, decoder).labels
    return macro_f1(count(one.truth, labels, len(one.classes), [one.classes.void]))


def check_soft_truth(name: str, how_many: int) -> None:
    """Softened and JPEG-95 truth: at least 0.95 under `robust`, and 0.10 less under `pixelarena` in face colours."""
    made = dataset(name)
    assert isinstance(made, MadeDataset)
    ways = ("softened", "jpeg-95")
    own: list[list[float]] = []
    robust: list[list[float]] = []
    published: list[list[float]] = []
    for number in range(how_many):
        one = exhibit_of(made, 21, number)
        own.append([f1_of(way, one, ROBUST) for way in ways])
        face = in_faces(one, number)
        if face is not None:
            robust.append([f1_of(way, face, ROBUST) for way in ways])
            published.append([f1_of(way, face, PIXELARENA) for way in ways])
    assert len(robust) >= how_many // 2
    assert np.min(own) >= 0.95
    assert np.min(np.mean(robust, axis=0)) >= 0.95
    assert np.min(np.mean(robust, axis=0) - np.mean(published, axis=0)) >= 0.10


@pytest.mark.parametrize("name", EMBEDDED)
def test_soft_and_jpeg_truth_survive_our_decoder(name: str) -> None:
    check_soft_truth(name, 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", EMBEDDED)
def test_soft_and_jpeg_truth_survive_our_decoder_in_many_pictures(name: str) -> None:
    check_soft_truth(name, 200)


@pytest.mark.parametrize("name", EMBEDDED)
def test_the_board_of_controls_stands_in_the_order_that_explains_it(name: str) -> None:
    scores: dict[str, float] = {}
    for each in CONTROLS.values():
        found = []
        for number in range(3):
            one = exhibit(name, number, 256)
            labels = decode(control_picture(each, one, number=number), one.classes, ROBUST).labels
            found.append(mean_iou(count(one.truth, labels, len(one.classes))))
        scores[each.name] = float(np.mean(found))
    assert scores["truth"] == 1.0
    for better, worse in (
        ("truth", "shifted"),
        ("shifted", "half-missing"),
        ("half-missing", "blank"),
        ("blank", "noise"),
        ("legend", "half-missing"),
        ("half-missing", "permuted"),
        ("half-missing", "own-colours"),
        ("half-missing", "outlines"),
        ("half-missing", "photograph"),
        ("truth", "painted-over"),
    ):
        assert scores[better] > scores[worse], (better, worse, scores)


@pytest.mark.parametrize("name", list(CONTROLS))
def test_a_control_is_the_same_for_the_same_seed_and_as_a_file(name: str) -> None:
    one, each = exhibit("reef-parts", 1, 128), control(name)
    picture = control_picture(each, one, seed=4, number=7)
    assert picture.shape == (128, 128, 3)
    assert picture.dtype == np.uint8
    data, ending = control_file(each, one, seed=4, number=7)
    assert np.array_equal(image_from_bytes(data).rgba[..., :3], picture)
    assert ending == (".jpg" if each.jpeg else ".png")
    assert (way_from_file(data).jpeg is not None) == bool(each.jpeg)
    assert each.shows.endswith(".")
    assert "\n" not in each.shows


def test_chance_is_drawn_anew_for_every_item() -> None:
    one = exhibit("reef-parts", 1, 128)
    for name in ("permuted", "own-colours", "noise"):
        first, second = (control_picture(control(name), one, seed=4, number=number) for number in (1, 2))
        assert not np.array_equal(first, second), name


LEFT_RIGHT = Classes(
    (
        MaskClass("ground", (0, 0, 0), 0),
        MaskClass("left eye", (255, 0, 0), 1, partner="right eye"),
        MaskClass("right eye", (0, 0, 255), 2, partner="left eye"),
    )
)


def test_faults_worked_by_hand() -> None:
    truth = np.array([[0, 1, 0, 2], [0, 0, 0, 0]], np.uint8)
    assert faults.sides_swapped(truth, LEFT_RIGHT).tolist() == [[0, 2, 0, 1], [0, 0, 0, 0]]
    assert faults.shifted(truth, -1, 1).tolist() == [[1, 0, 2, 2], [1, 0, 2, 2]]
    assert faults.flipped(truth).tolist() == [[2, 0, 1, 0], [0, 0, 0, 0]]
    assert faults.without(truth, [1, 2], filling=0).tolist() == [[0] * 4] * 2
    one = Exhibit(truth, LEFT_RIGHT, np.full((2, 4, 3), 100, np.uint8))
    assert faults.painted_over(one, 0.25)[0, :2].tolist() == [[75, 75, 75], [139, 75, 75]]
    assert faults.outlined(Exhibit(np.array([[0, 0, 0, 1, 1, 1]], np.uint8), LEFT_RIGHT), 2).tolist() == [
        [[0, 0, 0], [0, 0, 0], [0, 0, 0], [255, 0, 0], [0, 0, 0], [0, 0, 0]]
    ]


def test_permuted_labels_all_have_another_name() -> None:
    one = exhibit("reef-scenes", 0, 128)
    labels = decode(control_picture(control("permuted"), one), one.classes, PIXELARENA).labels
    assert not (labels == one.truth).any()
    assert sorted(np.unique(labels)) == sorted(np.unique(one.truth))


def test_half_of_the_classes_are_gone_and_nothing_else_has_changed() -> None:
    one = exhibit("reef-parts", 0, 128)
    labels = decode(control_picture(control("half-missing"), one), one.classes, PIXELARENA).labels
    kept, before = faults.present(labels, one.classes), faults.present(one.truth, one.classes)
    assert len(kept) == (len(before) + 1) // 2
    there = np.isin(one.truth, kept)
    assert np.array_equal(labels[there], one.truth[there])


def test_own_colours_are_no_class_s() -> None:
    one = exhibit("reef-scenes", 0, 128)
    colours = own_colours(one.classes, np.random.default_rng(0))
    assert len(np.unique(colours, axis=0)) == len(one.classes)
    assert (
        decode(control_picture(control("own-colours"), one), one.classes, ROBUST).labels == one.classes.unknown
    ).all()


def test_items_of_datasets_are_exhibits() -> None:
    made = dataset("reef-parts")
    assert isinstance(made, MadeDataset)
    small = made.sized(64)
    first, second = exhibit_from_item(small.items(n=2, seed=9).items[1], small.classes), exhibit_of(small, 9, 1)
    assert np.array_equal(first.truth, second.truth)
    assert np.array_equal(np.asarray(first.photograph), np.asarray(second.photograph))


def test_what_can_t_be_made_says_why() -> None:
    bare = Exhibit(np.zeros((4, 4), np.uint8), LEFT_RIGHT)
    for each in CONTROLS.values():
        if each.needs_photograph:
            with pytest.raises(InputError, match="exhibit must have a photograph"):
                control_picture(each, bare)
        elif each.name != "half-missing":
            control_picture(each, bare)
    with pytest.raises(InputError, match="control must be one of truth, softened"):
        control("nothing")
    with pytest.raises(ImageError, match="photograph must be"):
        Exhibit(np.zeros((4, 4), np.uint8), LEFT_RIGHT, np.zeros((4, 5, 3), np.uint8))
    with pytest.raises(InputError, match="leave one in the picture"):
        faults.without(np.zeros((2, 2), np.uint8), [0])
