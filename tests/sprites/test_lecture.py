from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sprites.small_corpora import CELLS, lecture, reef_corpus, squares, tiny

from pixelreef.corpus.store import open_corpus, write_corpus
from pixelreef.errors import InputError
from pixelreef.sprites.lecture import lecture_from_corpus, whole_patches


def test_without_a_split_some_of_every_cell_are_held_back(tmp_path: Path) -> None:
    found = lecture(tmp_path)
    assert found.facts["split"] == "by seed"
    assert {cell: len(places) for cell, places in found.held_sprites.by_cell.items()} == dict.fromkeys(CELLS, 1)
    assert len(found.taught.grids) == 21
    assert list(found.cells) == list(CELLS)
    assert found.cells["jellyfish/abyss"].tolist() == [1, 1]
    assert found.config.ground == 0
    assert found.config.ramps is not None


def test_groups_stay_together(tmp_path: Path) -> None:
    entries = list(open_corpus(reef_corpus(tmp_path / "a.parquet", 9)))
    grouped = [replace(entry, group=f"{entry.cell} {number // 3 % 3}") for number, entry in enumerate(entries)]
    write_corpus(tmp_path / "b.parquet", grouped)
    found = lecture_from_corpus(open_corpus(tmp_path / "b.parquet"), tiny())
    taught, held = ({grouped[row].group for row in of.rows} for of in (found.sprites, found.held_sprites))
    assert held
    assert not taught & held


@pytest.mark.parametrize(
    ("splits", "held"), [(("train", "test"), "test"), (("train", "validation", "test"), "validation")]
)
def test_a_split_of_the_corpus_is_kept(tmp_path: Path, splits: tuple[str, ...], held: str) -> None:
    entries = list(open_corpus(reef_corpus(tmp_path / "a.parquet")))
    parted = [replace(entry, split=splits[number % len(splits)]) for number, entry in enumerate(entries)]
    write_corpus(tmp_path / "b.parquet", parted)
    found = lecture_from_corpus(open_corpus(tmp_path / "b.parquet"), tiny())
    assert found.facts["split"] == held
    assert {parted[row].split for row in found.sprites.rows} == {"train"}
    assert {parted[row].split for row in found.held_sprites.rows} == {held}
    assert len(found.sprites) + len(found.held_sprites) == (24 if len(splits) == 2 else 16)


def test_a_corpus_without_labels_has_one_cell(tmp_path: Path) -> None:
    found = lecture_from_corpus(open_corpus(squares(tmp_path / "s.parquet")), tiny())
    assert found.config.factors == {}
    assert list(found.cells) == ["all"]
    assert found.cells["all"].shape == (0,)
    assert found.config.ground == 1  # the commonest, for nothing is transparent


def test_a_label_that_is_missing_is_not_told(tmp_path: Path) -> None:
    entries = list(open_corpus(reef_corpus(tmp_path / "a.parquet")))
    bare = [replace(one, factors={"category": "coral"}) if one.cell == CELLS[0] else one for one in entries]
    write_corpus(
        tmp_path / "b.parquet", bare, {"category": ("coral", "jellyfish", "reef-fish"), "zone": ("abyss", "twilight")}
    )
    found = lecture_from_corpus(open_corpus(tmp_path / "b.parquet"), tiny())
    assert found.cells["coral"].tolist() == [0, 2]
    assert found.cells["jellyfish/abyss"].tolist() == [1, 0]


def test_odd_sizes_are_padded_or_cut_into_other_patches(tmp_path: Path) -> None:
    odd = np.ones((2, 9, 6), np.uint8)
    assert whole_patches(odd, 0, 4)[0].shape == (2, 12, 8)
    assert whole_patches(odd, 0, 4)[0].sum() == odd.sum()
    assert whole_patches(odd, None, 4)[1] == 3
    found = lecture_from_corpus(open_corpus(squares(tmp_path / "s.parquet", size=(9, 6))), tiny())
    assert (found.config.patch, found.config.height, found.config.width) == (3, 9, 6)


def test_one_sprite_can_not_be_taught_and_held_back(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="at least two groups"):
        lecture_from_corpus(open_corpus(squares(tmp_path / "s.parquet", count=1)), tiny())
