"""`POST /breed`: the children of the command, over HTTP; nothing that a body can hold is a fault of the server's."""

from __future__ import annotations

import io
import json
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from serving import Answer, Serving, answer, request, serving
from sprite_models import perturbed, small_config, weights
from typer.testing import CliRunner

from pixelreef.cli import app
from pixelreef.core.document import fields_from_sprite, json_from_sprite, sprite_from_fields
from pixelreef.core.grid import Grid
from pixelreef.core.palette import Palette
from pixelreef.core.reef import reef_palette
from pixelreef.core.sprite import Frame, Sprite
from pixelreef.corpus.reef.make import make_reef
from pixelreef.sprites.breed.cross import Breeder, Cross
from pixelreef.sprites.breed.inherit import Kind
from pixelreef.sprites.parts.labeller import labeller_from
from pixelreef.sprites.sample import Sampler
from pixelreef.sprites.serve import answers, queue, routes_breed
from pixelreef.sprites.serve.queue import Queue
from pixelreef.sprites.weights import Weights, write_weights

MASK = ["A" * 8 + "B" * 8] * 16


@pytest.fixture(scope="module")
def model() -> Weights:
    return weights(perturbed(small_config()))


@pytest.fixture(scope="module")
def served(model: Weights) -> Iterator[Serving]:
    with serving(Sampler(model, threads=1)) as running:
        yield running


def disc(model: Weights, radius: int, colour: int, cell: str) -> Sprite:
    y, x = np.mgrid[:16, :16]
    cells = np.where((y - 8) ** 2 + (x - 8) ** 2 < radius**2, colour, 0).astype(np.uint8)
    return Sprite(model.palette, (Frame(Grid(cells)),), f"of {colour}", {"cell": cell})


@pytest.fixture(scope="module")
def parents(model: Weights) -> dict[str, Any]:
    a, b = disc(model, 5, 3, "fish/top"), disc(model, 7, 6, "coral/deep")
    return {"a": fields_from_sprite(a), "b": fields_from_sprite(b)}


def post(running: Serving, body: Any, query: str = "format=json", **headers: str) -> Answer:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    sent = request(f"/breed?{query}", "POST", Content_Length=str(len(data)), **headers)
    return answer(running.port, sent + data)


def pixels(found: Answer) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    assert (found.status, found.headers["content-type"]) == (200, "image/png"), found.body
    return np.asarray(Image.open(io.BytesIO(found.body)))


def command(model: Weights, parents: dict[str, Any], folder: Path, asked: str) -> Path:
    for name, fields in parents.items():
        (folder / f"{name}.json").write_text(json_from_sprite(sprite_from_fields(fields)))
    write_weights(folder / "w.safetensors", model)
    Image.fromarray(np.where(np.arange(16) < 8, np.uint8(255), np.uint8(0))[None].repeat(16, 0)).save(folder / "m.png")
    words = (
        f"sprites breed {folder}/a.json {folder}/b.json --weights {folder}/w.safetensors --mask {folder}/m.png {asked}"
    )
    ended = CliRunner().invoke(app, [*words.split(), "--out", str(folder / "out")])
    assert ended.exit_code == 0, ended.exception
    return folder / "out"


@pytest.mark.parametrize("by", ["halves", "checker", "prefix", "silhouette", "mask"])
def test_children_are_those_of_the_command(
    by: str, served: Serving, model: Weights, parents: dict[str, Any], tmp_path: Path
) -> None:
    out = command(model, parents, tmp_path, f"--by {by} --n 5 --seed 9 --mutate 0.2 --temperature 0.8")
    asked = {"by": by, "n": 5, "seed": 9, "mutate": 0.2, "temperature": 0.8}
    body = {**parents, **asked, **({"mask": MASK} if by == "mask" else {})}
    found = post(served, body)
    assert found.status == 200, found.body
    expected = [json.loads((out / f"{by}-000{number}.json").read_text()) for number in range(5)]
    assert found.document == {"sprites": expected}
    assert post(served, body).body == found.body
    sheet = np.concatenate([sprite_from_fields(one).grid.cells for one in expected], axis=1)
    assert (pixels(post(served, body, "format=png")) == sheet).all()


def test_one_child_has_the_bytes_of_the_file(
    served: Serving, model: Weights, parents: dict[str, Any], tmp_path: Path
) -> None:
    out = command(model, parents, tmp_path, "--n 1 --seed 3 --cell fish/deep --no-align --new-colours")
    asked = {**parents, "seed": 3, "cell": "fish/deep", "align": False, "new_colours": True}
    found = post(served, asked, "", Accept="image/png")
    assert found.headers["content-type"] == "image/png"
    assert found.body == (out / "halves-0000.png").read_bytes()
    assert pixels(post(served, {**parents, "n": 16}, "scale=2")).shape == (64, 256)


def test_a_map_of_a_child_may_be_sent_back(served: Serving, parents: dict[str, Any]) -> None:
    mask = ["*" * 16, *MASK[1:]]
    lineage = post(served, {**parents, "by": "mask", "mask": mask}).document["sprites"][0]["lineage"]
    again = post(served, {**parents, "by": "mask", "mask": lineage["inheritance"]}).document["sprites"][0]["lineage"]
    assert again == lineage
    assert lineage["inheritance"][0] == "*" * 16
    assert lineage["inheritance"][8] == "AAAAAA****BBBBBB"


def test_parts_are_crossed_where_they_are_sure() -> None:
    base = weights(perturbed(small_config(height=32, width=32, colours=64)))
    model = replace(base, palette=reef_palette())
    breeder = Breeder(Sampler(model, threads=1), labeller_from(None))
    every = [Sprite(one.palette, (Frame(Grid(one.cells)),)) for one in make_reef(0, 1)]
    sure = [sprite for sprite in every if breeder.parent(sprite).labels is not None]
    unsure = next(sprite for sprite in every if breeder.parent(sprite).labels is None)
    with serving(breeder.sampler) as running:
        body = {"a": fields_from_sprite(sure[0]), "b": fields_from_sprite(sure[1]), "by": "parts", "n": 4}
        expected = [
            child.sprite(breeder.sampler, f"parts-000{child.drawn.number}")
            for child in breeder.children(sure[0], sure[1], Cross(Kind.parts), 4)
        ]
        assert [sprite_from_fields(one) for one in post(running, body).document["sprites"]] == expected
        found = post(running, {**body, "b": fields_from_sprite(unsure)})
        words = "by parts must be asked of parents whose parts are sure, got an unsure one. Take another kind of mask."
        assert (found.status, found.error) == (422, words)


def test_the_script_for_godot_asks_as_it_should(served: Serving, parents: dict[str, Any]) -> None:
    script = files("pixelreef.sprites.export.godot").joinpath("client.gd").read_text()
    (form,) = re.findall(r"var body := '(.+)' %", script)  # GDScript fills it in as Python does
    texts = [json_from_sprite(sprite_from_fields(fields)) for fields in parents.values()]
    found = post(served, (form % (*texts, "checker", 5)).encode(), "", Accept="image/png")
    assert found.body == post(served, {**parents, "by": "checker", "seed": 5}, "format=png").body
    assert pixels(found).shape == (16, 16)


BLANK = {"format": "pixelreef-sprite", "version": 1, "palette": ["112233"], "frames": [{"rows": ["0"]}]}


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"a": {**BLANK, "frames": [{"rows": ["0" * 17]}]}}, "parent must be at most 16 × 16 pixels, got 17 × 1."),
        ({"b": {**BLANK, "palette": []}}, "the body: b.palette must follow the format"),
        (
            {"b": {**BLANK, "frames": [{"rows": ["1"]}]}},
            "b: frame 0, row 0, column 0: the character must stand for one",
        ),
        ({"b": {**BLANK, "frames": [{"rows": ["0", "00"]}]}}, "b: rows of frame 0 must all have one length"),
        ({"a": None}, "the body: a must follow the format"),
        ({"by": "thirds"}, "the body: by must follow the format (input should be 'halves', 'parts'"),
        ({"by": "mask"}, "mask must be 16 × 16 pixels, got none."),
        ({"by": "mask", "mask": ["AB"]}, "mask must be 16 × 16 pixels, got 2 × 1."),
        ({"by": "mask", "mask": ["AB", "A"]}, "mask must have rows of one length, got others."),
        ({"by": "mask", "mask": ["Ab"]}, "the body: mask.0 must follow the format"),
        ({"by": "mask", "mask": []}, "the body: mask must follow the format"),
        ({"mask": MASK}, "mask must be given by mask alone, got it by halves."),
        ({"by": "parts"}, "by parts must be asked of parents whose parts are sure"),
        ({"cell": "shark/top"}, "cell must be a cell of these weights, got 'shark/top'. They know fish/top, "),
        ({"n": 17}, "the body: n must follow the format (input should be less than or equal to 16), got 17."),
        ({"n": 0}, "the body: n must follow the format"),
        ({"n": True}, "the body: n must follow the format"),
        ({"seed": -1}, "the body: seed must follow the format"),
        ({"seed": 2**63}, "the body: seed must follow the format"),
        ({"mutate": 1.01}, "the body: mutate must follow the format"),
        ({"temperature": 11}, "the body: temperature must follow the format"),
        ({"guidance": "1"}, "the body: guidance must follow the format"),
        ({"scale": 2}, "the body: scale must follow the format (extra inputs are not permitted)"),
    ],
)
def test_a_wrong_body_is_one_sentence(
    other: dict[str, Any], words: str, served: Serving, parents: dict[str, Any]
) -> None:
    found = post(served, {**parents, **other})
    assert found.status == 422, found.body
    assert words in found.error
    assert "\n" not in found.error


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "the body must be JSON"),
        (b"[" * 100_000, "the body must be nested at most 32 deep"),
        (b'{"a": 1e999}', "the body must hold finite numbers only"),
        (b'{"a": {}, "a": {}}', "the body must name each key once, got 'a'."),
        (b"\xff", "the body must be UTF-8 text"),
        (b"[]", "the body: document must follow the format"),
        (b"{}", "the body: a must follow the format (field required)"),
    ],
)
def test_what_is_no_body_is_one_sentence(body: bytes, words: str, served: Serving) -> None:
    found = post(served, body)
    assert found.status == 422, found.body
    assert words in found.error


def test_what_an_address_may_ask(served: Serving, parents: dict[str, Any]) -> None:
    assert post(served, parents, "", Accept="text/html").status == 406
    assert post(served, {**parents, "n": 16}, "format=png&scale=33").status == 422
    assert served.get("/breed").status == 405


def test_a_picture_too_large_is_refused(
    served: Serving, parents: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "MAX_PIXELS", 16 * 16 * 16 * 4)
    body = {**parents, "n": 9}  # takes two rows of eight
    found = post(served, body, "format=png&scale=3")
    assert (found.status, found.error) == (422, "scale must keep the picture within 16384 pixels, got 3.")
    assert pixels(post(served, body, "format=png&scale=2")).shape == (64, 256)
    assert post(served, body, "format=json&scale=3").status == 200


def test_children_and_samples_are_drawn_together(model: Weights, parents: dict[str, Any]) -> None:
    def ask(running: Serving, number: int) -> Any:
        if number % 2:
            return running.get(f"/sample?cell=fish/top&number={number}&format=json").document["sprites"]
        return post(running, {**parents, "seed": number, "n": 2}).document["sprites"]

    sampler = Sampler(model, threads=1)
    with serving(sampler) as running, ThreadPoolExecutor(40) as pool:
        alone = [ask(running, number) for number in range(40)]
        drawn, batches = running.queue.drawn, running.queue.batches
        together = list(pool.map(lambda number: ask(running, number), range(40)))
        assert sum(one == other for one, other in zip(alone, together, strict=True)) >= 39  # but for rounding
        assert running.queue.drawn - drawn == 60
        assert running.queue.batches - batches < 35


def test_a_full_queue_says_when_to_come_again(
    model: Weights, parents: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    sampler = Sampler(model, threads=1)
    body = {**parents, "n": 16, "guidance": 2}
    with serving(sampler, queue=Queue(sampler.engine, lanes=1, room=16)) as running:
        with ThreadPoolExecutor(12) as pool:
            found = list(pool.map(lambda _: post(running, body), range(12)))
        assert {one.status for one in found} == {200, 503}
        for one in found:
            if one.status == 503:
                assert one.error.startswith("too many sprites are waiting, ask again in ")
                assert int(one.headers["retry-after"]) >= 1
            else:
                assert len(one.document["sprites"]) == 16
        monkeypatch.setattr(queue, "BESIDE", 0)
        assert post(running, body).status == 503
        monkeypatch.undo()
        assert post(running, body).status == 200


def test_others_are_answered_while_parents_are_looked_at(
    served: Serving, parents: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go, found = threading.Event(), threading.Event(), routes_breed.job_from

    def slow(*asked: Any) -> Any:
        begun.set()
        assert go.wait(20)
        return found(*asked)

    monkeypatch.setattr(routes_breed, "job_from", slow)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(post, served, parents)
        assert begun.wait(20)
        assert served.get("/sample?cell=fish/top").status == 200
        go.set()
        assert waiting.result().status == 200


def test_children_of_more_colours_than_a_document_holds_come_as_pictures() -> None:
    model = weights(perturbed(small_config(colours=80, factors={})))
    with serving(Sampler(model, threads=1)) as running:
        assert pixels(post(running, {"a": BLANK, "b": BLANK}, "", Accept="*/*")).shape == (16, 16)
        assert post(running, {"a": BLANK, "b": BLANK}).status == 406


COLOURS = st.lists(st.integers(0, 2**24 - 1).map(lambda value: f"{value:06x}"), min_size=1, max_size=65, unique=True)
LINEAGE = st.dictionaries(
    st.sampled_from(["cell", "by", "seed", "number", "kind"]),
    st.recursive(
        st.none() | st.integers() | st.text() | st.sampled_from(["all", "fish/top", "fish/*"]),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=4,
    ),
)


@st.composite
def sprites(draw: st.DrawFn) -> dict[str, Any]:
    """Of any colours and any size that the model has room for; some blank, some full."""
    colours, clear = draw(COLOURS), draw(st.booleans())
    cells = np.random.default_rng(draw(st.integers(0, 99))).integers(
        0, draw(st.integers(1, len(colours))), (draw(st.integers(1, 16)), draw(st.integers(1, 16))), np.uint8
    )
    sprite = Sprite.still(Grid(cells), Palette.from_hex(colours, 0 if clear else None))
    return fields_from_sprite(replace(sprite, lineage=draw(LINEAGE)))


CHOSEN = st.fixed_dictionaries(
    {},
    optional={
        "temperature": st.floats(0, 10),
        "guidance": st.floats(0, 20),
        "top_k": st.integers(0, 256),
        "min_p": st.floats(0, 1),
        "certainty": st.floats(0, 1),
        "steadiness": st.floats(0, 1),
        "mutate": st.floats(0, 1),
        "align": st.booleans(),
        "new_colours": st.booleans(),
        "cell": st.none() | st.just("coral/top"),
    },
)


@given(a=sprites(), b=sprites(), by=st.sampled_from(sorted({*Kind} - {"parts"})), chosen=CHOSEN, n=st.integers(1, 5))
@settings(max_examples=40, deadline=None)
def test_any_two_documents_have_children(
    a: dict[str, Any], b: dict[str, Any], by: str, chosen: dict[str, Any], n: int, served: Serving
) -> None:
    mask = {"mask": MASK} if by == "mask" else {}
    found = post(served, {"a": a, "b": b, "by": by, "n": n, **mask, **chosen})
    assert found.status == 200, found.body
    for fields in found.document["sprites"]:
        assert [len(row) for row in fields["lineage"]["inheritance"]] == [16] * 16
        assert sprite_from_fields(fields).grid.cells.max() < 9
