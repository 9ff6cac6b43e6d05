"""The store: what goes in comes out, the same entries give the same bytes, and others can read the file."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from corpus.samples import COLOURS, FACTORS, PALETTE, blob, blobs, facts_of
from hypothesis import given, settings
from hypothesis import strategies as st

from pixelreef.core.palette import Palette
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.licences import check_licences
from pixelreef.corpus.store import GROUP_BYTES, GROUP_ROWS, open_corpus, write_corpus
from pixelreef.errors import InputError

TEXTS = st.text(max_size=12)


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    colours = draw(st.lists(st.binary(min_size=3, max_size=3), min_size=1, max_size=20))
    palette = Palette(np.array([list(colour) for colour in colours]), draw(st.none() | st.just(0)))
    shape = draw(st.tuples(st.integers(1, 6), st.integers(1, 6)))
    size = shape[0] * shape[1]
    cells = draw(st.lists(st.integers(0, len(colours) - 1), min_size=size, max_size=size))
    parts = draw(st.none() | st.lists(st.integers(0, 24), min_size=size, max_size=size))
    return Entry(
        np.array(cells, np.uint8).reshape(shape),
        palette,
        Origin(*draw(st.tuples(TEXTS, TEXTS, TEXTS, TEXTS))),
        draw(st.dictionaries(st.sampled_from(["kind", "depth"]), st.text(min_size=1, max_size=5))),
        draw(TEXTS),
        draw(TEXTS),
        draw(st.dictionaries(TEXTS, st.integers(-(2**40), 2**40) | st.booleans() | st.none() | TEXTS, max_size=3)),
        None if parts is None else np.array(parts, np.uint8).reshape(shape),
        draw(TEXTS),
        draw(st.sampled_from(["", "train", "test"])),
        draw(st.floats(0, 1e6)),
        draw(TEXTS),
    )


def read_back(written: list[Entry], **options: Any) -> list[Entry]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "c.parquet")
        write_corpus(path, written, **options)
        return list(open_corpus(path))


@settings(max_examples=60)
@given(st.lists(entries(), min_size=1, max_size=5))
def test_what_goes_in_comes_out(written: list[Entry]) -> None:
    back = read_back(written, factors={"kind": (), "depth": ()})
    for before, after in zip(written, back, strict=True):
        ordered = {name: before.factors[name] for name in ("kind", "depth") if name in before.factors}
        assert after.hash == before.hash
        assert list(after.factors.items()) == list(ordered.items())
        assert facts_of(after)[:3] == facts_of(before)[:3]
        assert facts_of(after)[5:] == facts_of(before)[5:]


def test_many_row_groups_in_order(tmp_path: Path) -> None:
    heard: list[int] = []
    count = 2 * GROUP_ROWS + 10
    facts = write_corpus(tmp_path / "c.parquet", blobs(count, 2), FACTORS, progress=heard.append)
    assert heard == [GROUP_ROWS, 2 * GROUP_ROWS, count]
    assert pq.ParquetFile(tmp_path / "c.parquet").num_row_groups == 3
    corpus = open_corpus(tmp_path / "c.parquet")
    assert [entry.name for entry in corpus] == [f"blob {number}" for number in range(count)]
    assert (corpus.count, corpus.hash) == (facts.count, facts.hash)
    assert sum(facts.cells.values()) == count
    assert list(facts.cells) == ["fish/low", "fish/deep", "crab/low", "crab/deep", "weed/low", "weed/deep"]


def test_large_sprites_make_small_row_groups(tmp_path: Path) -> None:
    large = Entry(np.zeros((1024, 1024), np.uint8), PALETTE, Origin("x"))
    write_corpus(tmp_path / "c.parquet", itertools.repeat(large, 12))
    sizes = [pq.ParquetFile(tmp_path / "c.parquet").metadata.row_group(n).num_rows for n in range(2)]
    assert sizes == [GROUP_BYTES // 2**20, 12 - GROUP_BYTES // 2**20]


def test_the_same_entries_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_corpus(tmp_path / name, blobs(50), FACTORS, {"by": "test", "seed": 7})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def hashed(tmp_path: Path, written: list[Entry], **options: Any) -> str:
    return write_corpus(tmp_path / "h.parquet", written, **{"factors": FACTORS, **options}).hash


def test_the_hash_is_over_the_content(tmp_path: Path) -> None:
    base = list(blobs(4))
    plain = hashed(tmp_path, base)
    assert hashed(tmp_path, list(blobs(4, generator="blob-2")), history={"by": "another"}) == plain
    swapped = Palette.from_hex([COLOURS[0], *COLOURS[:0:-1]], 0)
    changes: list[dict[str, Any]] = [
        {"species": "x"},
        {"weight": 2},
        {"split": "test"},
        {"group": "g"},
        {"parts": None},
        {"name": ""},
        {"factors": {"kind": "crab"}},
        {"parameters": {}},
        {"palette": swapped},
        {"origin": Origin("y")},
    ]
    others = [base[::-1], base[:3], *([blob(0, **change), *base[1:]] for change in changes)]
    hashes = [hashed(tmp_path, changed) for changed in others]
    hashes.append(hashed(tmp_path, base, factors={"kind": FACTORS["kind"][::-1], "depth": FACTORS["depth"]}))
    assert len({plain, *hashes}) == len(hashes) + 1


def test_declared_values_come_first_in_their_order(tmp_path: Path) -> None:
    written = [blob(n, factors={"kind": kind}) for n, kind in enumerate(["eel", "weed", "ray", "fish"])]
    facts = write_corpus(tmp_path / "c.parquet", written, FACTORS)
    assert facts.factors == {"kind": ("fish", "crab", "weed", "eel", "ray"), "depth": ("low", "deep")}
    assert list(facts.cells) == ["fish", "weed", "eel", "ray"]


def test_factors_are_those_of_the_first_entries_unless_declared(tmp_path: Path) -> None:
    written = [blob(0, factors={}), blob(1, factors={"b": "x"}), blob(2, factors={"a": "y", "b": "z"})]
    assert write_corpus(tmp_path / "c.parquet", written).factors == {"b": ("x", "z"), "a": ("y",)}
    late = itertools.chain(blobs(GROUP_ROWS, 2), [blob(0, factors={"new": "x"})])
    with pytest.raises(InputError, match="Declare them all"):
        write_corpus(tmp_path / "d.parquet", late)
    assert not (tmp_path / "d.parquet").exists()


@pytest.mark.parametrize("names", [["width"], ["a", "b", "c", "d", "e", "f", "g", "h", "i"], [""], ["a\n"], ["x" * 65]])
def test_a_factor_can_not_be_another_column(tmp_path: Path, names: list[str]) -> None:
    with pytest.raises(InputError, match="factor"):
        write_corpus(tmp_path / "c.parquet", blobs(1, factors={}), dict.fromkeys(names, ()))


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"palette": Palette.from_hex(["000000"])}, "palette indices"),
        ({"parts": np.full((8, 8), 200, np.uint8)}, "part labels"),
        ({"weight": float("nan")}, "finite number"),
        ({"weight": -1.0}, "finite number"),
        ({"parameters": {"a": float("inf")}}, "JSON"),
        ({"parameters": {"a": object()}}, "JSON"),
        ({"name": "x" * 70_000}, "characters"),
    ],
)
def test_a_wrong_entry_is_refused_and_the_old_file_stays(tmp_path: Path, changes: dict[str, Any], rule: str) -> None:
    path = tmp_path / "c.parquet"
    write_corpus(path, blobs(3), FACTORS)
    before = path.read_bytes()
    with pytest.raises(InputError, match=rule):
        write_corpus(path, [blob(0), blob(1, **changes)], FACTORS)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_nothing_is_no_corpus(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="at least one sprite"):
        write_corpus(tmp_path / "c.parquet", [])
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_is_no_text_is_kept_readable(tmp_path: Path) -> None:
    write_corpus(tmp_path / "c.parquet", [blob(0, name="a\udcffb")])
    assert next(iter(open_corpus(tmp_path / "c.parquet"))).name == "a?b"


def test_history_is_asked_for_at_the_end_and_kept_short(tmp_path: Path) -> None:
    taken: list[str] = []

    def importing() -> Iterator[Entry]:
        for entry in blobs(3):
            taken.append(entry.name)
            yield entry

    write_corpus(tmp_path / "c.parquet", importing(), history=lambda: {"taken": taken, "many": [0] * 5000})
    history = open_corpus(tmp_path / "c.parquet").history
    assert history["taken"] == ["blob 0", "blob 1", "blob 2"]
    assert history["many"][999:] == [0, "… and 4,000 more"]


def test_the_columns_are_plain_and_in_the_documented_order(tmp_path: Path) -> None:
    write_corpus(tmp_path / "c.parquet", blobs(2), FACTORS)
    schema = pq.read_schema(tmp_path / "c.parquet")
    assert " ".join(schema.names) == (
        "grid width height palette transparent kind depth cell name species parameters parts split group weight "
        "source author licence address hash generator"
    )
    assert {str(kind) for kind in schema.types} == {"binary", "int32", "string", "double"}
    row = pq.read_table(tmp_path / "c.parquet").to_pylist()[1]
    entry = blob(1)
    assert row["palette"] == " ".join(COLOURS)
    assert row["parameters"] == '{"number":1,"shares":[0.5,0.25]}'
    assert (row["cell"], row["hash"], row["kind"]) == ("crab/low", entry.hash, "crab")
    assert np.frombuffer(row["grid"], np.uint8).reshape(8, 8).tolist() == entry.cells.tolist()


def test_arrays_are_what_the_entries_say(tmp_path: Path) -> None:
    written = [blob(n, weight=n / 4) for n in range(700)]
    written[5] = blob(5, factors={"depth": "deep"})
    write_corpus(tmp_path / "c.parquet", written, FACTORS)
    corpus = open_corpus(tmp_path / "c.parquet")
    batch = corpus.arrays()
    assert np.array_equal(batch.cells, np.stack([entry.cells for entry in written]))
    assert batch.parts is not None
    assert np.array_equal(batch.parts, np.stack([entry.parts for entry in written if entry.parts is not None]))
    assert batch.palette == PALETTE
    assert batch.cell == [entry.cell for entry in written]
    assert batch.labels["kind"][:6].tolist() == [0, 1, 2, 0, 1, -1]
    assert batch.weights[3] == 0.75
    assert batch.rows.tolist() == list(range(700))
    assert sum(len(part) for part in corpus.batches()) == 700


def test_arrays_need_one_size_and_one_palette(tmp_path: Path) -> None:
    for name, odd in (("size", blob(1, 9)), ("palette", blob(1, palette=Palette(PALETTE.rgb)))):
        write_corpus(tmp_path / name, [blob(0), odd], FACTORS)
        with pytest.raises(InputError, match=f"share one size and one palette, got more than one {name}"):
            open_corpus(tmp_path / name).arrays()
    write_corpus(tmp_path / "far", itertools.chain(blobs(600), [blob(1, 9)]), FACTORS)
    with pytest.raises(InputError, match="more than one size"):
        open_corpus(tmp_path / "far").arrays()


def test_a_sprite_without_parts_leaves_none(tmp_path: Path) -> None:
    write_corpus(tmp_path / "c.parquet", [blob(0), blob(1, parts=None)], FACTORS)
    assert open_corpus(tmp_path / "c.parquet").arrays().parts is None


def test_a_selection_is_a_corpus(tmp_path: Path) -> None:
    write_corpus(tmp_path / "c.parquet", (blob(n, split="test" if n % 5 == 0 else "train") for n in range(60)), FACTORS)
    corpus = open_corpus(tmp_path / "c.parquet")
    crabs = corpus.select(cell="crab/*")
    assert crabs.count == 20
    assert {entry.cell for entry in crabs} == {"crab/low", "crab/deep"}
    assert len(crabs.arrays()) == 20
    assert crabs.table(["name"]).column("name").to_pylist()[:2] == ["blob 1", "blob 4"]
    both = corpus.select(cell=["crab/low", "fish/low"], split="test")
    assert [entry.name for entry in both] == ["blob 0", "blob 25", "blob 30", "blob 55"]
    assert list(crabs.cells()) == ["crab/low", "crab/deep"]
    assert corpus.select(cell="nowhere").count == 0
    assert crabs.hash != corpus.hash


def test_rows_can_be_picked(tmp_path: Path) -> None:
    write_corpus(tmp_path / "c.parquet", blobs(GROUP_ROWS + 700, 2), FACTORS)
    corpus = open_corpus(tmp_path / "c.parquet")
    rows = [3, 0, 255, 256, 257, GROUP_ROWS - 1, GROUP_ROWS, GROUP_ROWS + 699, 10**6]
    found = corpus.at(rows)
    assert {row: entry.name for row, entry in found.items()} == {row: f"blob {row}" for row in sorted(rows)[:-1]}
    assert {cell: of[:2].tolist() for cell, of in corpus.cells().items()}["crab/deep"] == [4, 10]
    assert corpus.sizes() == [(2, 2)]


def test_a_file_from_elsewhere_is_a_corpus(tmp_path: Path) -> None:
    table = pa.table({"grid": [b"\0\1", b"\1\1"], "width": [2, 1], "height": [1, 2], "palette": ["000000 ff0000"] * 2})
    pq.write_table(table, tmp_path / "c.parquet")
    corpus = open_corpus(tmp_path / "c.parquet")
    first, second = corpus
    assert (first.cells.tolist(), second.cells.tolist()) == ([[0, 1]], [[1], [1]])
    assert (first.cell, first.weight, first.parts, first.palette.transparent) == ("all", 1.0, None, None)
    assert (corpus.count, corpus.factors, corpus.history) == (2, {}, {})
    assert corpus.origins() == [Origin("")]


@pytest.mark.parametrize("large", [False, True])
def test_a_file_that_lost_its_footer_keeps_its_factors_and_its_hash(tmp_path: Path, large: bool) -> None:
    """As DuckDB and Polars write it back: no footer of ours, columns in another order, other kinds of text."""
    facts = write_corpus(tmp_path / "c.parquet", blobs(300), FACTORS)
    table = pq.read_table(tmp_path / "c.parquet").replace_schema_metadata(None)
    if large:
        wide = {pa.string(): pa.large_string(), pa.binary(): pa.large_binary(), pa.int32(): pa.int64()}
        table = table.cast(pa.schema([(one.name, wide.get(one.type, one.type)) for one in table.schema]))
        table = table.set_column(5, "kind", table["kind"].combine_chunks().dictionary_encode())
    names = [name for name in table.schema.names if name not in ("kind", "depth")]
    pq.write_table(table.select([*names, "kind", "depth"]), tmp_path / "d.parquet")
    corpus = open_corpus(tmp_path / "d.parquet")
    assert corpus.factors == FACTORS
    assert corpus.hash == facts.hash
    assert corpus.arrays().cell == open_corpus(tmp_path / "c.parquet").arrays().cell


def test_palettes_may_be_lists(tmp_path: Path) -> None:
    lists = pa.array([["000000", "ff0000"]] * 2)
    table = pa.table({"grid": [b"\0\1"] * 2, "width": [2] * 2, "height": [1] * 2, "palette": lists})
    pq.write_table(table, tmp_path / "c.parquet")
    corpus = open_corpus(tmp_path / "c.parquet")
    assert [entry.palette.hex() for entry in corpus] == [["000000", "ff0000"]] * 2
    assert len(corpus.arrays()) == 2


def test_sources_without_a_licence_are_found(tmp_path: Path) -> None:
    origins = [Origin("a", licence="CC0-1.0"), Origin("b"), Origin("c", licence="Unknown"), Origin("b")]
    write_corpus(tmp_path / "c.parquet", [blob(n, origin=one) for n, one in enumerate(origins)])
    found = open_corpus(tmp_path / "c.parquet").origins()
    assert check_licences(found, allow_unknown=True) == ("b", "c")
    with pytest.raises(InputError, match=r"sources 'b', 'c' must have a licence, got none\. Give one"):
        check_licences(found)
    assert check_licences(found[:1]) == ()


@pytest.mark.parametrize("reader", ["datasets", "duckdb", "polars"])
def test_others_open_it_as_it_is(tmp_path: Path, reader: str) -> None:
    module = pytest.importorskip(reader, reason=f"{reader} is not installed")
    path = str(write_corpus(tmp_path / "c.parquet", blobs(30), FACTORS).path)
    if reader == "datasets":
        rows = module.Dataset.from_parquet(path, cache_dir=str(tmp_path)).to_list()
    elif reader == "duckdb":
        result = module.sql(f"select * from '{path}'")
        rows = [dict(zip(result.columns, row, strict=True)) for row in result.fetchall()]
    else:
        rows = module.read_parquet(path).to_dicts()
    assert rows == pq.read_table(path).to_pylist()
