"""Every held-out kind: its references pass in any layout; other specifications, even next to it, and nulls do not."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from drawings import fits_shifted, jittered, lightened, mirrored, nulls, permuted, shifted

from pixelreef.core.palette import Palette
from pixelreef.core.seeds import rng
from pixelreef.draw.drawing import Drawing
from pixelreef.draw.heldout import distinct, reference, specification, subject, subject_from
from pixelreef.draw.heldout.canvas import PAINTS
from pixelreef.draw.heldout.kind import Kind
from pixelreef.draw.heldout.kinds import kinds
from pixelreef.draw.subject import CATEGORIES
from pixelreef.draw.vision.colours import NAMES, names
from pixelreef.errors import InputError

KINDS = list(kinds().values())
IDS = list(kinds())


def specifications(kind: Kind, count: int) -> list[dict[str, Any]]:
    return [{"kind": kind.name, **kind.make(rng(number, "test", kind.name))} for number in range(count)]


def neighbours(kind: Kind, specification: dict[str, Any], other: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Specifications that differ in one word or number, taken from another one; colours stay different."""
    for path, value in leaves(specification):
        found = dict(leaves(other)).get(path, value)
        if found == value or (found in NAMES and found in kind.colours(specification)):
            continue
        changed = copy.deepcopy(specification)
        place: Any = changed
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = found
        yield changed


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict | list):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, step))
    else:
        yield path, value


def variants(kind: Kind, drawing: Drawing, seed: int) -> Iterator[Drawing]:
    yield jittered(drawing, rng(seed, "jitter"))
    yield permuted(drawing, rng(seed, "permute"))
    yield lightened(drawing, 0.03)
    yield lightened(drawing, -0.03)
    if not kind.sided:
        yield mirrored(drawing)
    if not kind.fills:
        for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            if fits_shifted(drawing, down, right):
                yield shifted(drawing, down, right)


def figures(kind: Kind, count: int, null_count: int) -> Counter[str]:
    """How often each claim was tried, and how often it failed."""
    found: Counter[str] = Counter()
    made = specifications(kind, count)
    for number, spec in enumerate(made):
        drawings = [reference(spec, 3 * number + layout) for layout in range(3)]
        other = made[(number + 1) % count]
        trials = {
            "references": [not kind.check(spec, drawing).passed for drawing in drawings],
            "variants": [not kind.check(spec, drawing).passed for drawing in variants(kind, drawings[0], number)],
            "others": [kind.check(other, drawings[0]).passed] if other != spec else [],
            "neighbours": [kind.check(near, drawings[0]).passed for near in neighbours(kind, spec, other)],
            "nulls": [kind.check(spec, null).passed for _, null in nulls(drawings[0], null_count, seed=number)],
        }
        for claim, wrong in trials.items():
            found[claim] += len(wrong)
            found[claim + " wrong"] += sum(wrong)
    return found


def assert_figures(found: Counter[str]) -> None:
    assert found["references wrong"] == 0
    assert found["variants wrong"] <= 0.01 * found["variants"], found
    for claim in ("others", "neighbours", "nulls"):
        assert found[claim] > 0
        assert found[claim + " wrong"] <= 0.01 * found[claim], found


@pytest.mark.parametrize("kind", KINDS, ids=IDS)
def test_a_kind_keeps_its_word(kind: Kind) -> None:
    assert_figures(figures(kind, 50, 14))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=IDS)
def test_a_kind_keeps_its_word_at_length(kind: Kind) -> None:
    assert_figures(figures(kind, 500, 21))


@pytest.mark.parametrize("kind", KINDS, ids=IDS)
def test_a_check_is_rebuilt_from_json(kind: Kind) -> None:
    spec = specifications(kind, 1)[0]
    again = json.loads(json.dumps(spec))
    assert again == spec
    rebuilt, first = subject_from(again, "x"), subject_from(spec, "x")
    assert rebuilt.text == first.text
    assert rebuilt.reference == first.reference
    assert rebuilt.check is not None
    assert rebuilt.check(first.reference).passed


@pytest.mark.parametrize("kind", KINDS, ids=IDS)
def test_the_text_says_every_word_of_the_specification(kind: Kind) -> None:
    numbers = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
    for spec in specifications(kind, 20):
        text = kind.text(spec)
        for path, value in leaves(spec):
            words = {str(value), numbers[value]} if isinstance(value, int) else {value}
            if value == 1:
                words |= {"a", "an"}
            if path != ("kind",):
                assert any(word in text for word in words), (text, path, value)


def test_layouts_vary() -> None:
    for kind in KINDS:
        spec = specifications(kind, 1)[0]
        assert len({reference(spec, seed).sprite().grid for seed in range(12)}) >= 3, kind.name


def test_every_category_is_covered_and_equally_often() -> None:
    assert {kind.category for kind in KINDS} == set(CATEGORIES)
    assert [subject(3, number).category for number in range(10)] == [*CATEGORIES, *CATEGORIES]


def test_a_seed_gives_the_same_subject_always() -> None:
    first = subject(9, 4)
    assert (first.id, first.text) == (
        "heldout-9-4",
        "an abstract painting in a purple frame that runs along all four edges: a red triangle to the left of "
        "a brown cross, on a yellow ground",
    )
    assert subject(9, 4).reference == first.reference
    assert subject(8, 4).text != first.text


def test_a_million_are_distinct() -> None:
    assert distinct() == sum(kind.distinct for kind in KINDS) >= 1_000_000
    assert sum(kind.distinct >= 100_000 for kind in KINDS) >= 8, "not one kind alone"
    for category in CATEGORIES:
        assert sum(kind.distinct for kind in KINDS if kind.category == category) >= 100_000, category


def repeats(count: int) -> float:
    seen = {json.dumps(specification(1, number), sort_keys=True) for number in range(count)}
    return 1 - len(seen) / count


def test_few_repeats_in_ten_thousand() -> None:
    assert repeats(10_000) < 0.01


@pytest.mark.slow
def test_few_repeats_in_a_hundred_thousand() -> None:
    assert repeats(100_000) < 0.05


def test_the_smallest_kind_is_counted_rightly() -> None:
    """Each free choice of a checkerboard once, by hand: 11·10·9 colours, 5 sizes, 5 shapes."""
    assert kinds()["checkerboard"].distinct == 11 * 10 * 9 * 5 * 5


def test_paints_have_one_name_each_and_keep_it() -> None:
    for name, paints in PAINTS.items():
        for called in names(Palette.from_hex(paints)):
            assert called[0] == name
    assert set(PAINTS) == set(NAMES)
    drawing = Drawing(subject(0, 0).reference.grid, Palette.from_hex([paints[0] for paints in PAINTS.values()][:10]))
    for seed in range(20):
        moved = jittered(drawing, rng(seed, "paints"))
        assert [called[0] for called in names(moved.palette)] == list(PAINTS)[:10]


def test_an_unknown_kind_is_told() -> None:
    with pytest.raises(InputError, match="kind must be one of checkerboard, face"):
        subject_from({"kind": "dragon"}, "x")


def test_cells_are_what_was_painted() -> None:
    for number in range(50):
        made = subject(5, number)
        assert 2 <= len(made.reference.palette) <= 10
        assert np.unique(made.reference.cells).max() < len(made.reference.palette)
