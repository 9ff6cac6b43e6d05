"""Seeds: the one rule by which all randomness is derived.

A user gives one whole number. Everything that needs chance names what it is for, and gets a stream of its own:

    rng(7, "corpus", "jellyfish/abyss", 12)

The 64-bit key of a stream is the first 8 bytes, little-endian, of BLAKE2b over the seed and the names, each written
as a JSON array element (so ("a", "b") and ("ab",) differ). Adding a stream never changes another one.
"""

from __future__ import annotations

import hashlib
import json

import numpy as np

from pixelreef.errors import InputError

MAX_SEED = 2**63 - 1


def derive(seed: int, *names: str | int) -> int:
    """A 64-bit key from a seed and what it is for.

    >>> derive(0, "corpus", 1) == derive(0, "corpus", 1) != derive(0, "corpus", 2)
    True
    """
    if not 0 <= seed <= MAX_SEED:
        raise InputError("--seed", f"be from 0 to {MAX_SEED}", seed)
    text = json.dumps([seed, *names], separators=(",", ":"))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def rng(seed: int, *names: str | int) -> np.random.Generator:
    """A numpy generator (PCG64) of its own for what is named."""
    return np.random.Generator(np.random.PCG64(derive(seed, *names)))
