"""Sprites from files of every kind, and what is said of those that can't be read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pixelreef.core import Grid, Palette, Sprite, gif_from_sprite, json_from_sprite, png_from_sprite
from pixelreef.core.aseprite_write import aseprite_from_sprite
from pixelreef.corpus.reef.make import make_sprite
from pixelreef.corpus.store import write_corpus
from pixelreef.errors import InputError
from pixelreef.sprites.export.gather import gather

SPRITE = Sprite.still(Grid.from_rows([[0, 1], [1, 1]]), Palette.from_hex(["000000", "ff8800"], transparent=0), "")


def test_a_sprite_is_read_from_any_file(tmp_path: Path) -> None:
    contents = {
        "a.json": json_from_sprite(SPRITE).encode(),
        "b.png": png_from_sprite(SPRITE),
        "c.gif": gif_from_sprite(SPRITE),
        "d.aseprite": aseprite_from_sprite(SPRITE),
    }
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)
    gathered = gather([tmp_path / name for name in contents])
    assert [one.sprite.name for one in gathered.sprites] == ["a", "b", "c", "d"]
    for one in gathered.sprites:
        assert np.array_equal(one.sprite.palette.rgba[one.sprite.grid.cells], SPRITE.palette.rgba[SPRITE.grid.cells])


def test_a_corpus_brings_its_sprites_with_parts_and_what_is_known(tmp_path: Path) -> None:
    entries = [make_sprite("coral", "hadal", 7, number) for number in range(2)]
    write_corpus(tmp_path / "some.parquet", entries)
    gathered = gather([tmp_path / "some.parquet"])
    for one, entry in zip(gathered.sprites, entries, strict=True):
        assert np.array_equal(one.sprite.grid.cells, entry.cells)
        assert entry.parts is not None
        assert np.array_equal(one.parts[0], entry.parts)
        assert one.sprite.lineage["cell"] == "coral/hadal"
        assert one.sprite.lineage["species"] == entry.species


def test_one_bad_file_of_several_is_recorded_and_a_lone_one_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "good.json").write_text(json_from_sprite(SPRITE))
    (tmp_path / "bad.png").write_bytes(b"no picture")
    gathered = gather([tmp_path / "bad.png", tmp_path / "good.json", tmp_path / "missing.png"])
    assert len(gathered.sprites) == 1
    assert list(gathered.refused) == [str(tmp_path / "bad.png"), str(tmp_path / "missing.png")]
    with pytest.raises(InputError, match=r"bad\.png"):
        gather([tmp_path / "bad.png"])
    with pytest.raises(InputError, match="at least one sprite"):
        gather([tmp_path / "bad.png", tmp_path / "missing.png"])


@pytest.mark.parametrize(("limit", "value"), [("MAX_SPRITES", 1), ("MAX_PIXELS", 5)])
def test_reading_stops_where_an_export_is_full(
    limit: str, value: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"pixelreef.sprites.export.gather.{limit}", value)
    (tmp_path / "a.json").write_text(json_from_sprite(SPRITE))
    assert len(gather([tmp_path / "a.json"]).sprites) == 1
    with pytest.raises(InputError, match=r"sprites must be at most .* got more\. Export fewer at once"):
        gather([tmp_path / "a.json", tmp_path / "a.json", tmp_path / "missing"])
