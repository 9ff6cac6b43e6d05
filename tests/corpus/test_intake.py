from __future__ import annotations

import json

from pixelreef.corpus.intake import Intake, Refused
from pixelreef.errors import ImageError


def test_the_record_of_an_import_is_plain_json() -> None:
    intake = Intake()
    intake.count("taken", 2)
    intake.count("taken")
    intake.count("snapped pixels", 0)
    intake.refuse("a/b.png#3", ImageError("the file", "be a picture", "an empty file", verbatim=True))
    intake.unlabelled.append("c.png")
    document = intake.document()
    assert json.loads(json.dumps(document)) == document
    assert document == {
        "counts": {"taken": 3},
        "refused": [{"item": "a/b.png#3", "reason": "the file must be a picture, got an empty file."}],
        "unlabelled": ["c.png"],
    }
    assert intake.refused == [Refused("a/b.png#3", "the file must be a picture, got an empty file.")]


def test_two_intakes_share_nothing() -> None:
    one, other = Intake(), Intake()
    one.count("taken")
    one.refuse("a", "b")
    assert other.document() == {"counts": {}, "refused": [], "unlabelled": []}
