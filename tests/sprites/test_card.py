from __future__ import annotations

from typing import Any

from sprite_models import perturbed, small_config, weights

from pixelreef.sprites.card import card_from_weights


def card(**facts: Any) -> str:
    return card_from_weights(weights(perturbed(small_config()), **facts))


def test_a_card_tells_what_the_weights_know() -> None:
    told = card(
        corpus="c0ffee",
        minutes=12.5,
        recipe={"shape": "reef", "steps": 24, "judged": 64},
        losses={"a/x": 0.25, "a/y": 0.5},
        verdicts={"a/x": "learned", "a/y": "noise"},
        calibration="ad48",
    )
    assert "| corpus | c0ffee |" in told
    assert "| minutes | 12.500 |" in told
    assert "| steps | 24 |" in told
    assert "| a/x | 0.250 | learned |" in told
    assert "| a/y | 0.500 | noise |" in told
    assert "| calibration | ad48 |" in told


def test_cells_come_in_the_order_of_their_factors() -> None:
    told = card(losses={"coral/top": 0.1, "fish/deep": 0.2, "fish/top": 0.3, "stranger": 0.4})
    cells = [line.split(" | ")[0].removeprefix("| ") for line in told.splitlines() if line.endswith("not asked |")]
    assert cells == ["fish/top", "fish/deep", "coral/top", "stranger"]


def test_a_card_of_nothing_is_still_one() -> None:
    assert card().startswith("# Card of a sprite model\n\nDraws sprites of ")
    assert "parameters" in card(recipe=3, losses=[], verdicts="x")


def test_what_others_wrote_stays_text() -> None:
    told = card(corpus="<script>|x`[a](b)" + "y" * 200, losses={"a|b": 0.1})
    assert not set("<>`[](") & set(told.split("| corpus |")[1].split("\n")[0])
    assert max(map(len, told.split("A verdict")[0].split("\n"))) < 200
    assert "| a b | 0.100 | not asked |" in told
