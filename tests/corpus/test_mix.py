from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from typer.testing import CliRunner

from pixelreef.cli.corpus_mix import mix as mix_command
from pixelreef.core import Palette, reef_palette
from pixelreef.core.grid import Cells
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.mix import MixOptions, MixReport, amount_from_text, mix, shares_from_text, write_mix
from pixelreef.corpus.mix.amounts import resolved
from pixelreef.corpus.mix.roll import Line
from pixelreef.corpus.mix.split import SPLITS, joined_groups, split_of
from pixelreef.corpus.store import Corpus, open_corpus, write_corpus
from pixelreef.errors import InputError
from pixelreef.metrics.likeness import NEAR_COPY, distances, signatures

REEF, PHOTOS = Origin("reef", licence="CC0-1.0"), Origin("photos", licence="CC-BY-4.0")
HALVES = (0.5, 0.25, 0.25)


def cells(seed: int, size: int = 16) -> Cells:
    """Random patches of 2×2, a third transparent: no two are near-copies."""
    patches = np.random.default_rng(seed).integers(0, 6, (size // 2, size // 2), dtype=np.uint8)
    return np.where(patches < 2, 0, patches).astype(np.uint8).repeat(2, axis=0).repeat(2, axis=1)


def entry(seed: int, origin: Origin = REEF, cell: str = "coral/abyss", **fields: Any) -> Entry:
    category, _, zone = cell.partition("/")
    factors = {name: value for name, value in (("category", category), ("zone", zone)) if value}
    made = Entry(cells(seed), reef_palette(), origin, factors, name=f"{origin.source}-{seed}")
    return replace(made, **fields)


def recoloured(one: Entry, by: int = 20, **fields: Any) -> Entry:
    """Mirrored, with other colours: a near-copy that is no copy."""
    return replace(one, cells=np.where(one.cells, one.cells + by, 0).astype(np.uint8)[:, ::-1].copy(), **fields)


def corpus(path: Path, entries: Sequence[Entry]) -> Corpus:
    write_corpus(path, entries, {"category": (), "zone": ()})
    return open_corpus(path)


def mixed(corpora: Sequence[Corpus], **options: Any) -> tuple[list[Entry], MixReport]:
    entries, report = mix(corpora, MixOptions(**options))
    return list(entries), report


def amounts(*texts: str) -> list[Any]:
    return [amount_from_text(text, "--cap") for text in texts]


class TestCopies:
    def test_the_copy_with_a_licence_then_labels_then_weight_then_the_first(self, tmp_path: Path) -> None:
        first = corpus(
            tmp_path / "a.parquet",
            [
                entry(1, Origin("found")),
                entry(2, PHOTOS, cell=""),
                entry(3, PHOTOS),
                entry(4, PHOTOS),
            ],
        )
        second = corpus(
            tmp_path / "b.parquet",
            [entry(1), entry(2), entry(3, weight=2.0), entry(4), entry(4)],
        )
        found, report = mixed([first, second], allow_unknown_licence=True)
        assert {one.hash: one.origin.source for one in found} == {
            entry(1).hash: "reef",
            entry(2).hash: "reef",
            entry(3).hash: "reef",
            entry(4).hash: "photos",
        }
        assert report.counts == {
            "read": 9,
            "refused": 0,
            "copies": 5,
            "copies with another label": 0,
            "near-copies": 0,
            "over a cap": 0,
            "kept": 4,
            "groups": 4,
            "largest group": 1,
        }
        assert report.sources == {"found": (1, 0), "photos": (3, 1), "reef": (5, 3)}

    def test_source_weights_decide_which_copy(self, tmp_path: Path) -> None:
        both = [corpus(tmp_path / "a.parquet", [entry(1, PHOTOS)]), corpus(tmp_path / "b.parquet", [entry(1)])]
        found, _ = mixed(both, weights=amounts("reef=3"))
        assert [(one.origin.source, one.weight) for one in found] == [("reef", 3.0)]

    def test_near_copies_are_merged_inside_a_cell_only(self, tmp_path: Path) -> None:
        one = entry(1)
        all_of_them = corpus(
            tmp_path / "a.parquet",
            [one, recoloured(one), recoloured(one, 30, factors={"category": "coral", "zone": "hadal"}), entry(2)],
        )
        found, report = mixed([all_of_them])
        assert [(one.name, one.cell) for one in found] == [
            ("reef-1", "coral/abyss"),
            ("reef-1", "coral/hadal"),
            ("reef-2", "coral/abyss"),
        ]
        assert report.counts["near-copies"] == 1
        assert found[0].group == found[1].group != ""
        assert found[0].split == found[1].split
        assert found[2].group == ""
        kept, report = mixed([all_of_them], keep_near=True)
        assert len(kept) == 4
        assert report.counts["near-copies"] == 0

    def test_of_a_chain_of_near_copies_several_stay(self, tmp_path: Path) -> None:
        bars = [np.array([[1] * n + [0] * (30 - n)], np.uint8) for n in range(8, 30)]
        chain = corpus(tmp_path / "a.parquet", [entry(0, cells=bar, name=str(len(bar))) for bar in bars])
        found, report = mixed([chain])
        facts = signatures(np.stack([one.cells for one in found]), 0)
        assert (distances(facts, facts)[~np.eye(len(found), dtype=bool)] > NEAR_COPY).all()
        assert 3 <= len(found) == report.counts["kept"] == 22 - report.counts["near-copies"]
        backwards = corpus(tmp_path / "b.parquet", [entry(0, cells=bar) for bar in bars[::-1]])
        assert {one.hash for one in mixed([backwards])[0]} == {one.hash for one in found}

    def test_the_near_copy_of_more_worth_stays(self, tmp_path: Path) -> None:
        plain, poor = entry(1), recoloured(entry(1), origin=PHOTOS)
        both = corpus(tmp_path / "a.parquet", [plain, poor])
        assert [one.hash for one in mixed([both], weights=amounts("photos=2"))[0]] == [poor.hash]
        assert [one.hash for one in mixed([both], weights=amounts("reef=2"))[0]] == [plain.hash]

    def test_a_creature_holds_together_through_a_frame_that_went(self, tmp_path: Path) -> None:
        frame, other = entry(1, group="walk"), entry(2, group="walk")
        better = recoloured(entry(1), origin=PHOTOS, weight=2.0)
        found, _ = mixed([corpus(tmp_path / "a.parquet", [frame, other, better])])
        assert {one.hash for one in found} == {better.hash, other.hash}
        assert found[0].group == found[1].group != ""

    def test_one_picture_with_two_labels_is_counted(self, tmp_path: Path) -> None:
        both = corpus(tmp_path / "a.parquet", [entry(1), entry(1, cell="coral/hadal"), entry(1, cell="")])
        found, report = mixed([both])
        assert [one.cell for one in found] == ["coral/abyss"]
        assert report.counts["copies with another label"] == 1


class TestAmounts:
    def test_caps_of_sources_and_cells(self, tmp_path: Path) -> None:
        reef = corpus(
            tmp_path / "reef.parquet", [entry(n, cell=f"coral/{'abyss' if n < 20 else 'hadal'}") for n in range(40)]
        )
        photos = corpus(tmp_path / "photos.parquet", [entry(100 + n, PHOTOS) for n in range(20)])
        found, report = mixed([reef, photos], caps=amounts("photos=6", "*/hadal=3"), cap_cell=15)
        assert Counter(one.cell for one in found) == {"coral/abyss": 15, "coral/hadal": 3}
        assert sum(one.origin.source == "photos" for one in found) <= 6
        assert report.counts["over a cap"] == 60 - 18
        assert [one.hash for one in found] == [
            one.hash for one in mixed([reef, photos], caps=amounts("photos=6", "*/hadal=3"), cap_cell=15)[0]
        ]

    def test_a_cap_of_0_leaves_out(self, tmp_path: Path) -> None:
        both = corpus(tmp_path / "a.parquet", [entry(1), entry(2, PHOTOS)])
        assert [one.origin.source for one in mixed([both], caps=amounts("photos=0"))[0]] == ["reef"]
        with pytest.raises(InputError, match="the mix must keep at least one sprite, got 0"):
            mixed([both], caps=amounts("source:*=0"))

    def test_weights_multiply_and_move_the_odds_of_a_cap(self, tmp_path: Path) -> None:
        entries = [entry(n, REEF if n % 2 else PHOTOS, weight=0.5) for n in range(600)]
        found, _ = mixed(
            [corpus(tmp_path / "a.parquet", entries)], weights=amounts("reef=4", "coral/abyss=3"), cap_cell=100
        )
        assert {(one.origin.source, one.weight) for one in found} == {("reef", 6.0), ("photos", 1.5)}
        reef = sum(one.origin.source == "reef" for one in found)
        assert 70 <= reef <= 90  # four times the odds: about 78 of the first hundred

    def test_names_and_patterns(self) -> None:
        found = resolved(amounts("ree*=2", "*/abyss=3", "cell:all=4"), ["reef", "all"], ["a/abyss", "all"], "--cap")
        assert found.sources == {"reef": 2}
        assert found.cells == {"a/abyss": 3, "all": 4}
        assert [str(one) for one in amounts("cell:all=4", "reef=0.5")] == ["cell:all=4", "reef=0.5"]

    @pytest.mark.parametrize("text", ["reef", "reef=", "=2", "reef=-1", "reef=many", "reef=nan", "a=b=2", "reef=inf"])
    def test_what_is_no_amount(self, text: str) -> None:
        with pytest.raises(InputError, match="--cap must be a source or cell and a number from 0 up, as in reef=2"):
            amounts(text)

    def test_names_that_fit_nothing_or_both(self) -> None:
        with pytest.raises(
            InputError, match=r"--cap must name a source or a cell that there is, got 'reff=2'. There are reef"
        ):
            resolved(amounts("reff=2"), ["reef"], ["all"], "--cap")
        with pytest.raises(InputError, match=r"not both, got 'all=2'. Write source:all or cell:all"):
            resolved(amounts("all=2"), ["all"], ["all"], "--cap")


class TestAlike:
    def test_other_palettes_and_sizes_are_refused_or_brought(self, tmp_path: Path) -> None:
        other = Palette.from_hex(["000000", "ff0000", "00ff00", "0000ff", "ffff00", "ffffff"], transparent=0)
        reef = corpus(tmp_path / "reef.parquet", [entry(1)])
        foreign = corpus(tmp_path / "other.parquet", [entry(2, PHOTOS, palette=other)])
        large = corpus(
            tmp_path / "large.parquet", [entry(3, PHOTOS, cells=cells(3, 32), parts=np.ones((32, 32), np.uint8))]
        )
        with pytest.raises(
            InputError, match=r"other.parquet' must have the palette of the sprites before it, .* Give --palette"
        ):
            mixed([reef, foreign])
        with pytest.raises(
            InputError, match=r"large.parquet' must have sprites of 16 × 16, .* got 32 × 32. Give --size"
        ):
            mixed([reef, large])
        found, _ = mixed([reef, foreign, large], palette=reef_palette(), size=(16, 16))
        assert {one.palette for one in found} == {reef_palette()}
        assert {one.cells.shape for one in found} == {(16, 16)}
        assert found[0].hash == entry(1).hash
        assert found[2].parts is None

    def test_what_cannot_be_brought_is_listed(self, tmp_path: Path) -> None:
        opaque = Palette.from_hex(["102030", "ffffff"])
        wide = Entry(np.eye(4, dtype=np.uint8), opaque, REEF, name="wide")
        fits = Entry(np.eye(3, dtype=np.uint8), opaque, REEF, name="fits")
        found, report = mixed([corpus(tmp_path / "a.parquet", [wide, fits])], size=(3, 3))
        assert [one.name for one in found] == ["fits"]
        assert report.counts["refused"] == 1
        assert report.document()["refused"][0]["item"] == "a.parquet: wide"
        with pytest.raises(InputError, match="corpora to mix must have at least one sprite that can be read"):
            mixed([corpus(tmp_path / "b.parquet", [wide])], size=(3, 3))

    def test_factors_are_joined(self, tmp_path: Path) -> None:
        a = corpus(tmp_path / "a.parquet", [entry(1)])
        b = tmp_path / "b.parquet"
        write_corpus(b, [entry(2, factors={"age": "old", "zone": "hadal"})], {"age": ("young", "old"), "zone": ()})
        out = tmp_path / "mix.parquet"
        facts, _ = write_mix(out, [a, open_corpus(b)], MixOptions())
        assert facts.factors == {"category": ("coral",), "zone": ("abyss", "hadal"), "age": ("young", "old")}
        assert [one.cell for one in open_corpus(out)] == ["coral/abyss", "hadal/old"]

    def test_unknown_licences_need_a_word(self, tmp_path: Path) -> None:
        both = corpus(tmp_path / "a.parquet", [entry(1), entry(2, Origin("found"))])
        with pytest.raises(InputError, match="source 'found' must have a licence"):
            mixed([both])
        assert len(mixed([both], allow_unknown_licence=True)[0]) == 2

    def test_nothing_to_mix(self) -> None:
        with pytest.raises(InputError, match="corpora to mix must be at least one, got 0"):
            mixed([])


def line(number: int, group: str = "", source: str = "reef") -> Line:
    return Line(f"{number:032x}", source, "a/b", group, True, 2, 1.0)


class TestGroups:
    def test_near_copies_and_named_groups_join_through_each_other(self) -> None:
        lines = [line(5), line(3, "walk"), line(4, "walk"), line(9, "walk", source="photos"), line(7)]
        found = joined_groups(lines, np.array([0, 0, 1, 2, 3]))
        assert found == [f"{3:032x}"] * 3 + [f"{9:032x}", f"{7:032x}"]

    @given(st.lists(st.tuples(st.integers(0, 8), st.sampled_from(["", "", "x", "y", "z"])), min_size=1, max_size=25))
    def test_against_plain_joining(self, given: list[tuple[int, str]]) -> None:
        lines = [line(number, group) for number, (_, group) in enumerate(given)]
        near: NDArray[np.intp] = np.array([label for label, _ in given], np.intp)
        label = list(range(len(lines)))
        for i, (a, x) in enumerate(given):
            for j, (b, y) in enumerate(given):
                if a == b or (x and x == y):
                    label = [min(label[i], label[j]) if one in (label[i], label[j]) else one for one in label]
        assert joined_groups(lines, near) == [f"{one:032x}" for one in label]


GROUPED = st.lists(
    st.tuples(st.integers(0, 60), st.sampled_from(["coral/abyss", "coral/hadal", "grazer/abyss"])),
    min_size=1,
    max_size=200,
)
SHARES = st.sampled_from([(0.8, 0.1, 0.1), (0.5, 0.25, 0.25), (1.0, 0.0, 0.0), (0.9, 0.1, 0.0), (1 / 3, 1 / 3, 1 / 3)])


class TestSplit:
    @given(sprites=GROUPED, shares=SHARES, seed=st.integers(0, 5))
    def test_shares_are_kept_as_well_as_groups_allow(
        self, sprites: list[tuple[int, str]], shares: tuple[float, float, float], seed: int
    ) -> None:
        groups, cells = [f"{group:032x}" for group, _ in sprites], [cell for _, cell in sprites]
        found = split_of(groups, cells, shares, seed)
        assert set(found) == set(groups)
        held = Counter(found[group] for group in groups)
        # Dealing to whoever lacks most, no split is over its share by more than the last group it was given.
        most = max(Counter(groups).values())
        for split, share in zip(SPLITS, shares, strict=True):
            assert held[split] <= share * len(sprites) + most * len(set(cells))
            assert share > 0 or not held[split]

    @given(sprites=GROUPED, seed=st.integers(0, 5), order=st.randoms(use_true_random=False))
    def test_the_order_of_sprites_decides_nothing(self, sprites: list[tuple[int, str]], seed: int, order: Any) -> None:
        shuffled = sprites[:]
        order.shuffle(shuffled)
        both = [
            split_of([f"{group:032x}" for group, _ in some], [cell for _, cell in some], HALVES, seed)
            for some in (sprites, shuffled)
        ]
        assert both[0] == both[1]

    def test_every_cell_has_its_shares(self) -> None:
        cells = [f"c{number % 7}" for number in range(7 * 40)]
        groups = [f"{number:032x}" for number in range(len(cells))]
        found = split_of(groups, cells, (0.8, 0.1, 0.1), seed=3)
        by_cell: Mapping[str, Counter[str]] = defaultdict(Counter)
        for group, cell in zip(groups, cells, strict=True):
            by_cell[cell][found[group]] += 1
        assert all(held == {"train": 32, "validation": 4, "test": 4} for held in by_cell.values())
        assert found != split_of(groups, cells, (0.8, 0.1, 0.1), seed=4)

    def test_small_cells_fill_the_whole_in_turn(self) -> None:
        cells = [f"c{number // 5}" for number in range(100)]
        groups = [f"{number:032x}" for number in range(100)]
        held = Counter(split_of(groups, cells, (0.8, 0.1, 0.1), seed=0).values())
        assert held == {"train": 80, "validation": 10, "test": 10}

    @pytest.mark.parametrize("text", ["80/10", "80/10/x", "-1/1/1", "0/0/0", "a", "nan/1/1"])
    def test_what_are_no_shares(self, text: str) -> None:
        with pytest.raises(InputError, match="--split must be three shares for train, validation and test"):
            shares_from_text(text)


class TestWhole:
    def entries(self) -> list[Entry]:
        made = []
        for n in range(60):
            one = entry(n, REEF if n % 3 else PHOTOS, cell=f"coral/{'abyss' if n % 2 else 'hadal'}")
            made.append(replace(one, group=f"walk-{n // 4}") if n < 20 else one)
            if n % 5 == 0:
                made.append(recoloured(one, name=f"near-{n}"))
        return made

    def test_nothing_near_and_no_creature_straddles(self, tmp_path: Path) -> None:
        entries = self.entries()
        found, _ = mixed([corpus(tmp_path / "a.parquet", entries)], keep_near=True, shares=HALVES)
        creatures = {one.hash: (one.origin.source, one.group) for one in entries if one.group}
        for kind in (lambda one: creatures.get(one.hash), lambda one: one.group or None):
            splits = defaultdict(set)
            for one in found:
                splits[kind(one)].add(one.split)
            splits.pop(None)
            assert splits
            assert all(len(of) == 1 for of in splits.values())
        facts = signatures(np.stack([one.cells for one in found]), 0)
        near = np.argwhere(np.triu(distances(facts, facts) <= NEAR_COPY, 1))
        assert len(near) == 12
        assert all(found[a].split == found[b].split for a, b in near)
        assert {one.split for one in found} == set(SPLITS)

    def test_another_order_and_other_files_give_the_same_splits(self, tmp_path: Path) -> None:
        entries = self.entries()
        one = mixed([corpus(tmp_path / "a.parquet", entries)], shares=HALVES, keep_near=True)[0]
        turned = [corpus(tmp_path / "b.parquet", entries[40::-1]), corpus(tmp_path / "c.parquet", entries[:40:-1])]
        two = mixed(turned, shares=HALVES, keep_near=True)[0]
        assert {entry.hash: (entry.split, entry.group) for entry in one} == {
            entry.hash: (entry.split, entry.group) for entry in two
        }
        assert [entry.hash for entry in one] != [entry.hash for entry in two]

    def test_the_same_bytes_twice_and_its_history(self, tmp_path: Path) -> None:
        a = corpus(tmp_path / "a.parquet", self.entries())
        options = MixOptions(weights=amounts("reef=2"), caps=amounts("coral/abyss=9"), seed=4)
        facts, report = write_mix(tmp_path / "one.parquet", [a], options)
        write_mix(tmp_path / "two.parquet", [a], options)
        assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()
        made = open_corpus(tmp_path / "one.parquet")
        assert made.count == facts.count == report.counts["kept"]
        history = made.history
        assert history["by"] == "mix"
        assert history["parents"] == [{"hash": a.hash, "count": 72, "file": "a.parquet", "before": []}]
        assert history["weights"] == ["reef=2"]
        assert history["caps"] == ["coral/abyss=9"]
        assert history["split"]["seed"] == 4
        assert history["counts"] == report.counts
        again, _ = mix([made], MixOptions())
        assert sum(1 for _ in again) == made.count
        held = {cell: Counter(one.split for one in made.select(cell=cell)) for cell in report.splits}
        assert {cell: {split: of[split] for split in SPLITS} for cell, of in held.items()} == report.splits

    def test_progress_is_told(self, tmp_path: Path) -> None:
        a = corpus(tmp_path / "a.parquet", [entry(n) for n in range(1100)])
        heard: list[tuple[str, int, int]] = []
        write_mix(tmp_path / "mix.parquet", [a], MixOptions(), lambda *told: heard.append(told))
        assert {words for words, _, _ in heard} == {"reading", "merging", "comparing", "writing"}
        assert all(0 <= done <= total for _, done, total in heard)
        for words in ("reading", "merging", "comparing", "writing"):
            assert all(a <= b for a, b in pairwise(done for what, done, _ in heard if what == words))


class TestCommand:
    def run(self, *arguments: str) -> Any:
        app = typer.Typer()
        app.command()(mix_command)
        return CliRunner().invoke(app, list(arguments))

    def test_prints_what_became_of_the_sprites(self, tmp_path: Path) -> None:
        a, b = str(tmp_path / "a.parquet"), str(tmp_path / "b.parquet")
        corpus(Path(a), [entry(n) for n in range(10)])
        corpus(Path(b), [entry(5 + n, PHOTOS) for n in range(10)])
        out = str(tmp_path / "mix.parquet")
        done = self.run(a, b, "--out", out, "--weight", "reef=2", "--cap-cell", "12")
        assert done.exit_code == 0, done.output
        assert (
            "read: 20; refused: 0; copies: 5; copies with another label: 0; near-copies: 0; over a cap: 3; kept: 12"
            in done.output
        )
        assert "train 10, validation 1, test 1" in done.output
        done = self.run(
            a, b, "--out", out, "--json", "--palette", "reef", "--size", "16", "--split", "50/25/25", "--seed", "3"
        )
        document = json.loads(done.stdout)
        assert document["corpus"]["count"] == 15
        assert document["mix"]["counts"]["kept"] == 15

    @pytest.mark.parametrize("size", ["0", "x", "32x", "9999", "-3"])
    def test_what_is_no_size(self, size: str, tmp_path: Path) -> None:
        corpus(tmp_path / "a.parquet", [entry(1)])
        done = self.run(str(tmp_path / "a.parquet"), "--out", str(tmp_path / "b.parquet"), "--size", size)
        assert isinstance(done.exception, InputError)
        assert str(done.exception).startswith("--size must be a number from 1 to")

    def test_its_module_is_quick_to_import(self) -> None:
        code = "import sys, pixelreef.cli.corpus_mix; print(sorted({'numpy', 'scipy', 'pyarrow'} & set(sys.modules)))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "[]"
