"""Ramps exchanged: by hand, as a law, and the words for what is wrong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import sprites

from pixelreef.core import Grid, Palette, Ramps, Sprite, reef_palette
from pixelreef.core.reef import RAMP_NAMES, ramps_of
from pixelreef.errors import InputError, PaletteError
from pixelreef.sprites.recolour import recoloured, swaps_from_text, table_from_swaps


def test_coral_becomes_teal_and_teal_becomes_coral_step_by_step() -> None:
    coral, teal, sand = (1 + 7 * RAMP_NAMES.index(name) for name in ("coral", "teal", "sand"))
    sprite = Sprite.still(Grid.from_rows([[0, coral, coral + 6, teal + 2, sand]]), reef_palette())
    swapped = recoloured(sprite, [("coral", "Teal")])
    assert swapped.grid.cells.tolist() == [[0, teal, teal + 6, coral + 2, sand]]
    assert swapped.lineage == {"recoloured": ["coral=Teal"]}
    assert swapped.palette == sprite.palette


@given(st.permutations(RAMP_NAMES), st.integers(0, 4), st.integers(0, 2**32 - 1))
@settings(max_examples=50)
def test_a_swap_of_reef_ramps_is_a_permutation_and_its_own_inverse(names: list[str], pairs: int, seed: int) -> None:
    cells = np.random.default_rng(seed).integers(0, 64, (8, 8), dtype=np.uint8)
    sprite = Sprite.still(Grid(cells), reef_palette())
    swaps = list(zip(names[:pairs], names[pairs : 2 * pairs], strict=True))
    table = table_from_swaps(ramps_of(sprite.palette), swaps)
    assert sorted(table.tolist()) == list(range(64))
    assert recoloured(recoloured(sprite, swaps), swaps).grid == sprite.grid
    ramps = ramps_of(sprite.palette)
    assert np.array_equal(ramps.step_of[table], ramps.step_of)


@given(sprites(most_colours=40, side=8, frames=2), st.data())
@settings(max_examples=50)
def test_any_palette_keeps_its_order_of_steps_and_its_silhouette(sprite: Sprite, data: st.DataObject) -> None:
    ramps = ramps_of(sprite.palette)
    if len(ramps.lines) < 2:
        return
    one, other = data.draw(st.permutations(range(len(ramps.lines))))[:2]
    swapped = recoloured(sprite, [(str(one + 1), f"ramp {other + 1}")])
    for before, after in zip(sprite.frames, swapped.frames, strict=True):
        clear = sprite.palette.transparent
        assert clear is None or np.array_equal(before.grid.cells == clear, after.grid.cells == clear)
    table = table_from_swaps(ramps, [(str(one + 1), str(other + 1))])
    for line, onto in ((one, other), (other, one)):
        onto_steps = [ramps.lines[onto].index(int(table[index])) for index in ramps.lines[line]]
        assert onto_steps == sorted(onto_steps)
    untouched = [index for number, line in enumerate(ramps.lines) if number not in (one, other) for index in line]
    assert table[untouched].tolist() == untouched


def test_unequal_ramps_meet_ends_to_ends() -> None:
    ramps = Ramps(((0, 1, 2, 3, 4), (5, 6), (7,)), ("five", "two", "one"), 8)
    assert table_from_swaps(ramps, [("five", "two")]).tolist() == [5, 5, 6, 6, 6, 0, 4, 7]
    assert table_from_swaps(ramps, [("five", "one")]).tolist() == [7, 7, 7, 7, 7, 5, 6, 2]


def test_an_unknown_ramp_is_one_line_that_names_those_there_are() -> None:
    sprite = Sprite.still(Grid.from_rows([[0]]), reef_palette())
    with pytest.raises(PaletteError, match=r"got 'gold'\. There are: slate, sand, .*, kelp\.$"):
        recoloured(sprite, [("coral", "gold")])
    greys = Sprite.still(Grid.from_rows([[0]]), Palette.from_hex(["000000", "888888", "ffffff"]))
    with pytest.raises(PaletteError, match=r"There are: ramp 1\.$"):
        recoloured(greys, [("coral", "teal")])
    nothing = Sprite.still(Grid.from_rows([[0]]), Palette.from_hex(["000000"], transparent=0))
    with pytest.raises(PaletteError, match=r"It has none\.$"):
        recoloured(nothing, [("1", "2")])


@pytest.mark.parametrize("swaps", [[("coral", "coral")], [("coral", "teal"), ("teal", "sand")], [("4", "coral")]])
def test_a_ramp_can_be_named_only_once(swaps: list[tuple[str, str]]) -> None:
    with pytest.raises(PaletteError, match="name every ramp once"):
        recoloured(Sprite.still(Grid.from_rows([[0]]), reef_palette()), swaps)


@pytest.mark.parametrize("text", ["coral", "coral=", "=teal", "a=b=c", "", "coral=teal,"])
def test_what_is_no_pair_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="two ramps such as coral=teal"):
        swaps_from_text([text])


def test_no_swap_changes_nothing() -> None:
    sprite = Sprite.still(Grid.from_rows([[0]]), reef_palette())
    assert recoloured(sprite, []) is sprite
