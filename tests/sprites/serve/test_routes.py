"""A real server: the sprites of the command line, by any number of clients at once, and clear words for the rest."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from serving import Answer, Serving, answer, request, serving
from sprite_models import perturbed, small_config, weights
from typer.testing import CliRunner

from pixelreef.cli import app
from pixelreef.core.document import sprite_from_fields
from pixelreef.sprites.sample import Sampler
from pixelreef.sprites.serve.queue import Queue
from pixelreef.sprites.serve.run import Place
from pixelreef.sprites.weights import Weights, write_weights


@pytest.fixture(scope="module")
def model() -> Weights:
    return weights(perturbed(small_config()), verdicts={"fish/top": "learned", "fish/deep": "noise", "coral/top": 7})


@pytest.fixture(scope="module")
def served(model: Weights) -> Iterator[Serving]:
    with serving(Sampler(model, threads=1)) as running:
        yield running


def pixels(found: Answer) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    assert (found.status, found.headers["content-type"]) == (200, "image/png"), found.body
    return np.asarray(Image.open(io.BytesIO(found.body)))


def test_a_sprite_has_the_bytes_that_the_command_line_writes(served: Serving, model: Weights, tmp_path: Path) -> None:
    write_weights(tmp_path / "w.safetensors", model)
    asked = f"sprites sample --cell fish/top --n 5 --seed 9 --scale 3 --temperature 0.8 --out {tmp_path}/d"
    CliRunner().invoke(app, [*asked.split(), "--weights", str(tmp_path / "w.safetensors")])
    for number in range(5):
        found = served.get(f"/sample?cell=fish/top&seed=9&number={number}&scale=3&temperature=0.8")
        assert found.body == (tmp_path / "d" / f"fish-top-000{number}.png").read_bytes()
        assert found.headers["content-type"] == "image/png"


def test_several_are_a_sheet_or_documents_of_the_same_sprites(served: Serving) -> None:
    singles = [pixels(served.get(f"/sample?cell=coral/deep&seed=4&number={number}")) for number in range(3, 13)]
    sheet = pixels(served.get("/sample?cell=coral%2Fdeep&seed=4&number=3&n=10"))
    assert sheet.shape == (32, 128)
    for place, single in enumerate(singles):
        y, x = divmod(place, 8)
        assert (sheet[16 * y : 16 * y + 16, 16 * x : 16 * x + 16] == single).all()
    document = served.get("/sample?cell=coral/deep&seed=4&number=3&n=10", Accept="application/json").document
    found = [sprite_from_fields(one).grid.cells for one in document["sprites"]]
    assert (np.array(found) == np.array(singles)).all()
    assert served.get("/sample?cell=coral/deep&format=json").headers["content-type"] == "application/json"


def test_cells_that_were_not_learned_are_said(served: Serving) -> None:
    found = served.get("/sample?cell=fish/deep")
    assert found.headers["pixelreef-not-learned"] == "noise"
    document = served.get("/sample?cell=fish/deep&format=json").document
    assert (document["verdict"], document["learned"]) == ("noise", False)
    assert "pixelreef-not-learned" not in served.get("/sample?cell=fish/top").headers
    listed = {one["cell"]: (one["verdict"], one["learned"]) for one in served.get("/cells").document["cells"]}
    assert list(listed) == [f"{one}/{other}" for one in ("fish", "coral") for other in ("top", "middle", "deep")]
    assert listed["fish/top"] == ("learned", True)
    assert listed["fish/deep"] == ("noise", False)
    assert listed["fish/middle"] == (None, None)


def test_the_page_the_card_and_how_it_goes(served: Serving) -> None:
    page = served.get("/")
    assert page.headers["content-type"].startswith("text/html")
    text = page.body.decode()
    assert "GET /sample" in text
    assert "float from" not in text
    assert re.search(r"number from 0(\.0)? to 10(\.0)?<", text)
    assert not re.findall(r"https?://", text)  # nothing from elsewhere
    for source in re.findall(r'src="([^"]+)"', text):
        pixels(served.get(source.replace("&amp;", "&")))
    assert served.get("/card").body.startswith(b"# Card of a sprite model")
    health = served.get("/health").document
    assert (health["status"], health["waiting"]) == ("ok", 0)
    assert health["drawn"] >= 24
    document = served.get("/openapi.json").document
    cell = next(one for one in document["paths"]["/sample"]["get"]["parameters"] if one["name"] == "cell")
    assert "fish/top" in cell["schema"]["enum"]


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/sample?cell=shark/top", 404, "cell must be a cell of these weights, got 'shark/top'. They know fish/top, "),
        ("/sample?cell=%00%0d%0a", 404, "got '\\x00\\r\\n'"),
        ("/sample", 422, "cell must be given, got nothing."),
        ("/sample?cell=", 422, "cell must have at least 1 character, got ''."),
        ("/sample?cell=fish/top&n=65", 422, "n must be less than or equal to 64, got '65'."),
        ("/sample?cell=fish/top&n=0", 422, "n must be greater than or equal to 1, got '0'."),
        ("/sample?cell=fish/top&n=two", 422, "n must be a valid integer"),
        (
            "/sample?cell=fish/top&seed=9223372036854775808",
            422,
            "seed must be less than or equal to 9223372036854775807",
        ),
        ("/sample?cell=fish/top&seed=1e400", 422, "seed must be a valid integer"),
        ("/sample?cell=fish/top&temperature=nan", 422, "temperature must be a finite number, got 'nan'."),
        ("/sample?cell=fish/top&guidance=-1", 422, "guidance must be greater than or equal to 0, got '-1'."),
        ("/sample?cell=fish/top&temprature=1", 422, "temprature must not be asked for, got '1'."),
        ("/sample?cell=fish/top&format=gif", 422, "format must be 'auto', 'png' or 'json', got 'gif'."),
        ("/sample?cell=fish/top&n=64&scale=32", 422, "scale must keep the picture within 4194304 pixels, got 32."),
        ("/sample?cell=fish/top&seed=1&seed=2", 422, "seed must be given once, got it again."),
        ("/nothing/here", 404, "the path must be one that / lists, got '/nothing/here'."),
    ],
)
def test_a_mistake_is_one_sentence(path: str, status: int, words: str, served: Serving) -> None:
    found = served.get(path)
    assert (found.status, found.headers["content-type"]) == (status, "application/json")
    assert words in found.error
    assert "\n" not in found.error


def test_other_methods_are_refused(served: Serving) -> None:
    found = answer(served.port, request("/sample?cell=fish/top", "DELETE"))
    assert (found.status, found.headers["allow"], found.error) == (405, "GET", "DELETE is not for this path.")


def test_many_at_once_each_get_their_own_and_are_drawn_together(model: Weights) -> None:
    sampler = Sampler(model, threads=1)
    expected = {
        (one.cell, one.number): one.cells for one in sampler.sample_cells(["fish/top", "coral/top"], 20, seed=2)
    }
    with serving(sampler) as running, ThreadPoolExecutor(40) as pool:
        found = pool.map(lambda key: pixels(running.get(f"/sample?cell={key[0]}&number={key[1]}&seed=2")), expected)
        same = sum((one == cells).all() for one, cells in zip(found, expected.values(), strict=True))
        assert same >= 39  # a choice within rounding of its border may fall otherwise beside others
        assert running.queue.drawn == 40
        assert running.queue.batches < 30


def test_a_full_queue_says_when_to_come_again(model: Weights) -> None:
    sampler = Sampler(model, threads=1)
    with serving(sampler, queue=Queue(sampler.engine, lanes=1, room=64)) as running, ThreadPoolExecutor(12) as pool:
        found = list(pool.map(lambda _: running.get("/sample?cell=fish/top&n=64&format=json"), range(12)))
        assert {one.status for one in found} == {200, 503}
        for one in found:
            if one.status == 503:
                assert one.error.startswith("too many sprites are waiting, ask again in ")
                assert int(one.headers["retry-after"]) >= 1
            else:
                assert len(one.document["sprites"]) == 64
        assert running.get("/sample?cell=fish/top").status == 200


def test_pages_of_other_sites_may_ask_only_where_told(served: Serving, model: Weights) -> None:
    origin = {"Origin": "https://game.example"}
    assert "access-control-allow-origin" not in served.get("/health", **origin).headers
    place = Place(port=0, origins=("https://game.example",))
    with serving(Sampler(model, threads=1), place) as running:
        assert running.get("/health", **origin).headers["access-control-allow-origin"] == "https://game.example"
        other = running.get("/health", Origin="https://evil.example")
        assert "access-control-allow-origin" not in other.headers


def test_more_colours_than_a_document_holds_come_as_pictures(tmp_path: Path) -> None:
    large = weights(perturbed(small_config(colours=80, factors={})))
    with serving(Sampler(large, threads=1)) as running:
        assert pixels(running.get("/sample?cell=all", Accept="*/*")).shape == (16, 16)
        assert running.get("/sample?cell=all&format=json").status == 406
        assert json.loads(running.get("/cells").body)["factors"] == {}
