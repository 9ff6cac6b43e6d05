from __future__ import annotations

from pathlib import Path

import pytest

from pixelreef.corpus.labels import Labels, path_key, read_labels
from pixelreef.errors import InputError


def table(tmp_path: Path, text: str | bytes) -> dict[str, dict[str, str]]:
    path = tmp_path / "labels.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_labels(path)


def test_the_table_wins_over_folders_and_folders_over_flags() -> None:
    labels = Labels(
        {"category": "coral", "zone": "abyss", "age": "old"},
        folders=("category", "zone"),
        table={"fish/deep/a.png": {"zone": "hadal"}},
    )
    assert labels.factors_of("fish/deep/a.png") == {"category": "fish", "zone": "hadal", "age": "old"}
    assert labels.factors_of("fish/a.png") == {"category": "fish", "zone": "abyss", "age": "old"}
    assert labels.factors_of("a.png") == {"category": "coral", "zone": "abyss", "age": "old"}
    assert labels.factors_of("fish/deep/deeper/a.png") == {"category": "fish", "zone": "deep", "age": "old"}


def test_factors_come_in_declared_order_whoever_gives_them() -> None:
    labels = Labels({"zone": "abyss"}, ("category",), {"a.png": {"zone": "hadal", "category": "fish"}})
    assert list(labels.factors_of("a.png")) == ["category", "zone"]
    assert labels.names == ("category", "zone")


def test_without_anything_there_are_no_factors() -> None:
    assert Labels().factors_of("a/b.png") == {}
    assert Labels(folders=("category",)).factors_of("b.png") == {}
    assert Labels().names == ()


def test_a_table_of_labels(tmp_path: Path) -> None:
    read = table(tmp_path, 'zone,file,category\r\nabyss,"a, b.png",fish\r\n,c/d.png,coral\r\nabyss,,\r\n')
    assert read == {"a, b.png": {"zone": "abyss", "category": "fish"}, "c/d.png": {"category": "coral"}}


def test_a_table_from_elsewhere(tmp_path: Path) -> None:
    """A byte order mark, spaces after commas, Windows' separators, letters written as two signs, short rows."""
    read = table(tmp_path, "\ufefffile, zone\n.\\deep\\e\u0301.png, abyss \nx.png\n")
    assert read == {"deep/\u00e9.png": {"zone": "abyss"}, "x.png": {}}


@pytest.mark.parametrize(
    "text", ["", "file\na.png\n", "name,zone\na.png,abyss\n", "file,zone,zone\na,b,c\n", "file,\na.png,abyss\n"]
)
def test_a_table_without_its_columns_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match="must have a column 'file' and one column per factor"):
        table(tmp_path, text)


@pytest.mark.parametrize("text", [b'file,zone\n"a.png,abyss\n', b"file,zone\na\0b,c\n" + b"x" * 200_000])
def test_what_is_no_table_is_refused(tmp_path: Path, text: bytes) -> None:
    with pytest.raises(InputError, match="must be a CSV table"):
        table(tmp_path, text)


def test_names_of_files_that_are_no_text_have_a_key_too() -> None:
    assert path_key("a/\udcff.png") == "a/?.png"
    assert path_key("./a//b/./c.png") == "a/b/c.png"
