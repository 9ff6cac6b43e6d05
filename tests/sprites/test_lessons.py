from __future__ import annotations

import numpy as np
import pytest
import torch
from sprites.small_corpora import tiny

from pixelreef.core.seeds import rng
from pixelreef.errors import InputError
from pixelreef.sprites.config import Config
from pixelreef.sprites.lecture import Material
from pixelreef.sprites.lessons import Lessons

CONFIG = Config(height=8, width=8, colours=8, factors={"kind": ("a", "b", "c")})
MATERIAL = Material(rng(0, "grids").integers(0, 8, (24, 8, 8)).astype(np.uint8), np.arange(24)[:, None] % 3)


def flat(parts: list[object]) -> list[bytes]:
    return [b"" if part is None else part.numpy().tobytes() for part in parts]  # type: ignore[attr-defined]


def test_a_step_is_the_same_whenever_it_is_asked_for() -> None:
    lessons = Lessons(MATERIAL, CONFIG, tiny())
    later = Lessons(MATERIAL, CONFIG, tiny())
    for step in (7, 2, 2, 40):
        assert flat(list(lessons.at(step))) == flat(list(later.at(step)))


def test_other_seeds_and_steps_are_other_lessons() -> None:
    plain = tiny(plain=1.0)
    first = Lessons(MATERIAL, CONFIG, plain).at(0)
    assert flat([first.codes]) != flat([Lessons(MATERIAL, CONFIG, plain).at(1).codes])
    assert flat([first.codes]) != flat([Lessons(MATERIAL, CONFIG, tiny(plain=1.0, seed=1)).at(0).codes])


@pytest.mark.parametrize("plain", [0.0, 1.0])
def test_two_processes_see_together_what_one_would(plain: float) -> None:
    recipe = tiny(plain=plain, flip=True)
    whole = Lessons(MATERIAL, CONFIG, recipe).at(5)
    parts = [Lessons(MATERIAL, CONFIG, recipe, rank=rank, world=2).at(5) for rank in (0, 1)]
    for name in ("codes", "factors", *(["known"] if plain < 1 else [])):
        assert torch.equal(getattr(whole, name), torch.cat([getattr(part, name) for part in parts]))
    assert (whole.known is None) == (plain == 1)


def test_every_sprite_comes_once_an_epoch() -> None:
    lessons = Lessons(MATERIAL, CONFIG, tiny(plain=1.0, batch=6, untold=0.0))
    seen = torch.cat([lessons.at(step).codes for step in range(4)]).numpy()
    assert sorted(one.tobytes() for one in seen.astype(np.uint8)) == sorted(one.tobytes() for one in MATERIAL.grids)


def test_some_sprites_are_not_told_what_they_are() -> None:
    lessons = Lessons(MATERIAL, CONFIG, tiny(plain=1.0, untold=0.25))
    told = torch.cat([lessons.at(step).factors for step in range(100)])
    assert 0.2 < float((told == 3).float().mean()) < 0.3


def test_what_is_known_is_true_and_never_all() -> None:
    batch = Lessons(MATERIAL, CONFIG, tiny(plain=0.25, batch=24)).at(0)
    assert batch.known is not None
    given = batch.known != CONFIG.unknown
    assert torch.equal(batch.known[given], batch.codes[given])
    shares = given.float().mean(dim=(1, 2))
    assert float(shares.max()) < 1
    assert 2 <= int((shares == 0).sum()) <= 12


def test_an_odd_number_of_processes_is_refused() -> None:
    with pytest.raises(InputError, match="divisor"):
        Lessons(MATERIAL, CONFIG, tiny(), rank=0, world=3)
