from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mask_pictures import FACES
from strategies import palettes

from pixelreef.core.palette import Palette
from pixelreef.core.palette_files import hex_from_palette, json_from_palette
from pixelreef.errors import DocumentError, InputError
from pixelreef.masks.classes import (
    Classes,
    MaskClass,
    classes_from_bytes,
    classes_from_fields,
    classes_from_palette,
    json_from_classes,
    read_classes,
    schema,
)

SCHEMA = Path(__file__).parents[2] / "docs" / "mask-classes.schema.json"
LEFT = {"name": "left", "colour": "0000ff", "index": 7, "partner": "right"}
RIGHT = {"name": "right", "colour": "00ff00", "index": 9, "partner": "left"}
VOID = {"name": "void", "index": 255, "ignore": True}


def file(*classes: dict[str, Any], **changes: Any) -> dict[str, Any]:
    given = list(classes) or [{"name": "sea", "colour": "000000"}, LEFT, RIGHT, VOID]
    return {"format": "pixelreef-mask-classes", "version": 1, "classes": given, **changes}


def test_labels_names_partners_and_numbers() -> None:
    classes = classes_from_fields(file({"name": "sea", "colour": "000000"}, VOID, LEFT, RIGHT, name="eyes"))
    assert classes.names == ("sea", "left", "right")
    assert [one.index for one in classes.classes] == [0, 255, 7, 9]
    assert (len(classes), classes.unknown, classes.void) == (3, 3, 4)
    assert classes.partners == (None, 2, 1)
    assert classes.rgb.tolist() == [[0, 0, 0], [0, 0, 255], [0, 255, 0]]
    assert classes.label("right") == 2
    assert classes.labels(classes.classes).tolist() == [0, 4, 1, 2]
    with pytest.raises(DocumentError, match="name of a scored class"):
        classes.label("void")


def test_labels_take_two_bytes_from_255_classes_on() -> None:
    def many(count: int) -> Classes:
        return Classes(tuple(MaskClass(f"{n}", (n // 256, n % 256, 0), n) for n in range(count)))

    assert [many(count).dtype for count in (254, 255, 300)] == [np.uint8, np.uint16, np.uint16]


def test_the_published_schema_is_that_of_the_code() -> None:
    assert json.loads(SCHEMA.read_text()) == schema()


def test_a_class_file_survives_writing_and_keeps_to_the_schema() -> None:
    for classes in (FACES, classes_from_fields(file(name="Ünï", truth="colour"))):
        text = json_from_classes(classes)
        assert classes_from_bytes(text.encode()) == classes
        jsonschema.validate(json.loads(text), schema())


@given(palettes(), st.sampled_from([hex_from_palette, json_from_palette]))
def test_any_palette_of_different_colours_works_with_numbered_names(palette: Palette, write: Any) -> None:
    data = write(palette).encode()
    if len(set(palette.hex())) < len(palette):
        with pytest.raises(DocumentError, match="colour must be of one class only"):
            classes_from_bytes(data)
        return
    classes = classes_from_bytes(data)
    assert classes.names == tuple(f"class {index}" for index in range(len(palette)))
    assert np.array_equal(classes.rgb, palette.rgb)
    assert [one.index for one in classes.classes] == list(range(len(palette)))


def test_a_file_is_read_and_named_in_errors(tmp_path: Path) -> None:
    path = tmp_path / "classes.json"
    path.write_text(json.dumps(file()))
    assert read_classes(path).names == ("sea", "left", "right")
    path.write_text(json.dumps(file(version=2)))
    with pytest.raises(DocumentError, match=r"classes\.json.*version"):
        read_classes(path)


def changed(base: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**base, **changes}


@pytest.mark.parametrize(
    ("document", "rule"),
    [
        (file(LEFT, changed(RIGHT, colour="0000FF")), "colour must be of one class only, got '0000ff'"),
        (file(LEFT, changed(RIGHT, index=7)), "index must be of one class only, got 7"),
        (file(LEFT, changed(RIGHT, name="left")), "name must be of one class only"),
        (file(LEFT), "partner of 'left' must be another scored class"),
        (file(LEFT, changed(RIGHT, partner=None)), "partner of 'left'"),
        (file(changed(LEFT, partner="left")), "partner of 'left'"),
        (file(LEFT, changed(RIGHT, ignore=True)), "partner of 'left'"),
        (file(changed(LEFT, partner=None, colour=None)), "have a colour, or be ignored"),
        (file(VOID), "one of them scored"),
        (file(changed(LEFT, index=65_536)), "index"),
        (file(changed(LEFT, index=-1)), "index"),
        (file(changed(LEFT, index=True)), "index"),
        (file(changed(LEFT, colour="#0000ff")), "colour"),
        (file(changed(LEFT, name=" ")), "name"),
        (file(changed(LEFT, weight=2)), "weight"),
        (file(truth="rgb"), "truth"),
        (file(format="x"), "format"),
        (file(classes=[]), "classes"),
        (file(*[{"name": f"{n}", "colour": f"{n:06x}"} for n in range(1025)]), "classes"),
        ([1], "follow the format"),
    ],
)
def test_faults_are_named_in_one_line(document: Any, rule: str) -> None:
    with pytest.raises(DocumentError) as caught:
        classes_from_fields(document)
    assert rule in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\x00", b"{", b'{"classes": 3}', b"[[]]", b"hello"])
def test_what_is_no_class_file_is_one_error(data: bytes) -> None:
    with pytest.raises(InputError):
        classes_from_bytes(data)


def test_a_palette_of_equal_colours_is_refused() -> None:
    with pytest.raises(DocumentError, match="one class only"):
        classes_from_palette(Palette.from_hex(["000000", "ffffff", "000000"]))
