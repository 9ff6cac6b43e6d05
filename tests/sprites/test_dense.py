from __future__ import annotations

import numpy as np
import pytest

from pixelreef.core.seeds import rng
from pixelreef.sprites import blas, dense


@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize("quick", [True, False])
def test_few_rows_are_multiplied_as_many_are(rows: int, quick: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dense, "quick_with_few_rows", lambda: quick)
    random = rng(0, "few")
    x, matrix = (random.standard_normal(shape).astype(np.float32) for shape in ((rows, 24), (24, 40)))
    np.testing.assert_allclose(dense.times_few(x, matrix), x.astype(float) @ matrix, atol=1e-4)


def test_the_inverse_of_the_mean_square() -> None:
    x = rng(0, "square").standard_normal((3, 24)).astype(np.float32)
    wanted = 1 / (np.square(x.astype(float)).mean(axis=1, keepdims=True) + dense.EPSILON)
    np.testing.assert_allclose(dense.inverse_square(x), wanted, rtol=1e-5)
    np.testing.assert_allclose(dense.inverse_square_few(x[:1]), wanted[:1, 0], rtol=1e-5)
    np.testing.assert_allclose(dense.inverse_square_few(x[:2]), wanted[:2], rtol=1e-5)


@pytest.mark.parametrize(("names", "quick"), [(["SkylakeX"], True), (["Haswell"], False), ([None], False)])
def test_the_library_is_known_by_name(names: list[str | None], quick: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    class Libraries:
        def info(self) -> list[dict[str, str | None]]:
            return [{"user_api": "openmp"}, *({"user_api": "blas", "architecture": name} for name in names)]

    monkeypatch.setattr(blas, "_libraries", Libraries)
    assert blas.quick_with_few_rows.__wrapped__() is quick
