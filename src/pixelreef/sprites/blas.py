"""The library behind numpy's products of matrices: how many threads it takes, and what it is quick at."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

_SMALL = ("SkylakeX", "Cooperlake", "Sapphirerapids")  # what OpenBLAS calls processors with AVX-512


def one_blas_thread() -> AbstractContextManager[object]:
    """Meanwhile, in the whole process, products of matrices take one thread each."""
    limits: AbstractContextManager[object] = _libraries().limit(limits=1, user_api="blas")
    return limits


@cache
def quick_with_few_rows() -> bool:
    """Whether two rows times a matrix cost hardly more than one.

    OpenBLAS has kernels for small products where there is AVX-512: 7 µs for two rows times 192 × 384, 6 for one. With
    those for AVX2 it is 20 and 5. Told by name, not by a trial, so that sprites are the same every time.
    """
    return any(one.get("architecture") in _SMALL for one in _libraries().info() if one["user_api"] == "blas")


@cache
def _libraries() -> Any:
    """Those that this process has loaded; looking for them takes longer than a small sprite."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
