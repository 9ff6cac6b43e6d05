from __future__ import annotations

import json
from pathlib import Path

import pytest
from mask_folders import ITEMS, SIDE, folders
from mask_pictures import encoded
from mask_trees import TREES
from typer.testing import CliRunner

from pixelreef.cli import app
from pixelreef.core.files import write_bytes
from pixelreef.core.images import read_image
from pixelreef.errors import PixelreefError
from pixelreef.masks.datasets import dataset
from pixelreef.masks.render import rgb_from_labels


def invoke(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["masks", *map(str, arguments)])
    if isinstance(result.exception, PixelreefError):
        return 2, "", str(result.exception)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folders(tmp_path_factory.mktemp("masks"))


def test_score_writes_a_board_and_prints_one_document(root: Path, tmp_path: Path) -> None:
    code, out, err = invoke(
        "score", root / "predictions", root / "truth", "--classes", root / "classes.json", "--images", root / "images",
        "--no-diagnosis", "--json", "--out", tmp_path,
    )  # fmt: skip
    document = json.loads(out)
    assert code == 0
    assert [row["entrant"] for row in document["board"]] == ["exact", "shifted", "mixed"]
    assert "notes.txt: not the ending of a picture" in err
    assert f"Wrote {tmp_path / 'index.html'}" in err
    assert (tmp_path / "board.tex").read_text().startswith("\\begin{tabular}")
    assert document["entrants"][0]["verdicts"] is None
    assert document["entrants"][0]["ceiling"]["mean"] < 1


def test_score_with_a_pattern(root: Path, tmp_path: Path) -> None:
    for item in ITEMS:
        data = (root / "predictions" / "exact" / f"{item}.png").read_bytes()
        write_bytes(tmp_path / "named" / f"mask_{item}-2.png", data)
    code, out, _ = invoke(
        "score", tmp_path / "named", root / "truth", "--classes", root / "classes.json", "--match", "mask_<id>-<k>.png",
        "--no-diagnosis", "--json", "--out", tmp_path / "out",
    )  # fmt: skip
    assert code == 0
    assert json.loads(out)["board"][0]["mean_iou_union"]["mean"] == 1


def test_score_of_a_made_dataset_needs_no_truth(tmp_path: Path) -> None:
    known = dataset("reef-scenes")
    for item in known.items(n=2, seed=9).items:
        rgb = rgb_from_labels(item.truth()[::4, ::4], known.classes)
        write_bytes(tmp_path / "painted" / f"{item.id}.1.png", encoded(rgb))
    code, out, _ = invoke(
        "score", tmp_path / "painted", "--dataset", "reef-scenes", "--no-diagnosis", "--json", "--out", tmp_path / "out"
    )
    document = json.loads(out)
    assert code == 0
    assert (document["images"], document["board"][0]["mean_iou_union"]["mean"]) == (2, 1)
    (tmp_path / "painted" / "reef-scenes-9-0000.1.png").unlink()
    code, out, _ = invoke(
        "score", tmp_path / "painted", "--dataset", "reef-scenes", "--no-diagnosis", "--json", "--out", tmp_path / "out"
    )
    assert json.loads(out)["images"] == 1, "the truth of the first run is not asked for"
    assert read_image(tmp_path / "out" / "dataset" / "photographs" / "reef-scenes-9-0001.png").width == 512


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["score", "PRED"], "TRUTH_DIR must be given, or --dataset, got neither"),
        (["score", "PRED", "TRUTH"], "--classes must be given, or --dataset, got neither"),
        (["score", "PRED", "--dataset", "reef-parts"], "must hold a prediction for an item of reef-parts, got none"),
        (["score", "PRED", "--dataset", "reefs"], "dataset must be one of"),
        (["score", "PRED", "TRUTH", "--classes", "CLASSES", "--match", "x.png"], "--match must hold <id> once"),
        (["report", "PRED", "TRUTH", "--classes", "CLASSES", "--table", "html"], "--table must be one of latex, md"),
        (["ceiling", "TRUTH", "--classes", "CLASSES", "--size", "9"], "--size must be WIDTHxHEIGHT"),
        (["ceiling", "NOWHERE", "--classes", "CLASSES"], "must be a readable folder"),
        (["palette", "make", "-n", "3", "--out", "a.png"], "--out must end in .hex, .gpl, .pal, .json"),
    ],
)
def test_wrong_input_is_one_line(arguments: list[str], said: str, root: Path) -> None:
    given = {"PRED": root / "predictions", "TRUTH": root / "truth", "CLASSES": root / "classes.json"}
    code, _, err = invoke(*[given.get(one, one) for one in arguments])
    assert code == 2
    assert said in err
    assert "\n" not in err.strip()


def test_report_prints_a_table_and_writes_nothing(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = invoke("report", root / "predictions", root / "truth", "--classes", root / "classes.json")
    assert code == 0
    assert out.splitlines()[0].startswith("| # | Entrant | Pixel accuracy | mIoU |")
    code, out, _ = invoke(
        "report", root / "predictions", root / "truth", "--classes", root / "classes.json", "--table", "latex"
    )
    assert out.startswith("\\begin{tabular}")
    assert list(tmp_path.iterdir()) == []


def test_ceiling_per_image_and_class_under_each_decoder(root: Path) -> None:
    code, out, _ = invoke("ceiling", root / "truth", "--classes", root / "classes.json", "--json")
    soft = json.loads(out)
    code, out, _ = invoke(
        "ceiling",
        root / "truth",
        "--classes",
        root / "classes.json",
        "--jpeg",
        "60",
        "--size",
        f"{SIDE}x{SIDE}",
        "--json",
    )
    jpeg = json.loads(out)
    assert code == 0
    assert jpeg["way"] == f"{SIDE} × {SIDE}, soft edges, JPEG 4:2:0, quality 60"
    assert list(soft["images"]) == list(ITEMS)
    assert soft["mean"]["robust"]["mean_iou_union"] > soft["mean"]["pixelarena"]["mean_iou_union"] + 0.1
    assert soft["mean"]["robust"]["mean_iou_union"] > jpeg["mean"]["robust"]["mean_iou_union"]
    assert soft["classes"]["hat"]["robust"] is None
    _, table, _ = invoke("ceiling", root / "truth", "--classes", root / "classes.json")
    assert "| mean |" in table
    assert "| class | IoU, robust | IoU, pixelarena |" in table


def test_palette_lint_says_no_to_duplicates(tmp_path: Path, root: Path) -> None:
    (tmp_path / "twice.hex").write_text("000000\nff0000\nff0000\n")
    code, out, _ = invoke("palette", "lint", tmp_path / "twice.hex")
    assert code == 1
    assert "error: one colour for several classes: 1 = 2" in out
    document = json.loads((root / "classes.json").read_text())
    document["classes"][2]["colour"] = document["classes"][1]["colour"]
    (tmp_path / "classes.json").write_text(json.dumps(document))
    code, out, _ = invoke("palette", "lint", tmp_path / "classes.json", "--json")
    assert code == 1
    assert json.loads(out)["findings"][0]["text"] == "one colour for several classes: skin = nose"


def test_palette_make_is_clean_and_drawn(tmp_path: Path) -> None:
    code, out, _ = invoke("palette", "make", "-n", "6", "--out", tmp_path / "six.hex", "--json")
    assert code == 0
    assert json.loads(out)["lint"]["usable"] is True
    code, out, _ = invoke("palette", "lint", tmp_path / "six.hex", "--out", tmp_path / "six.png")
    assert code == 0
    assert "nearest: " in out
    picture = read_image(tmp_path / "six.png")
    colours = {bytes(pixel).hex() for pixel in picture.rgba[:, 30, :3]}
    assert set((tmp_path / "six.hex").read_text().split()) <= colours


@pytest.mark.parametrize("name", TREES)
def test_score_of_a_dataset_in_the_layout_of_its_makers(name: str, tmp_path: Path) -> None:
    """Of every item that has a prediction, here its own truth, classes that are ignored included."""
    known, root = dataset(name), TREES[name](tmp_path / "tree")
    items = known.items(root).items
    for item in items[:2]:
        write_bytes(tmp_path / "painted" / f"{item.id}.png", encoded(rgb_from_labels(item.truth(), known.classes)))
    code, out, err = invoke(
        "score", tmp_path / "painted", root, "--dataset", name, "--no-diagnosis", "--json", "--out", tmp_path / "out"
    )
    assert code == 0, err
    document = json.loads(out)
    assert document["images"] == len(items[:2])
    scores = [row["mean_iou_union"]["mean"] for row in document["board"]]
    assert scores == [1.0]


def test_an_item_of_a_dataset_that_cant_be_read_is_said(tmp_path: Path) -> None:
    known, root = dataset("suim"), TREES["suim"](tmp_path / "tree")
    for item in known.items(root).items:
        write_bytes(tmp_path / "painted" / f"{item.id}.png", encoded(rgb_from_labels(item.truth(), known.classes)))
    (root / "masks" / "w_r_1_.bmp").write_bytes(b"BM")
    code, out, err = invoke(
        "score", tmp_path / "painted", root, "--dataset", "suim", "--no-diagnosis", "--json", "--out", tmp_path / "out"
    )
    assert code == 0
    assert list(json.loads(out)["unscored"]) == ["w_r_1_"]
    assert "not scored: w_r_1_: truth " in err
