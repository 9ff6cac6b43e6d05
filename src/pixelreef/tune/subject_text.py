"""What a sprite of a corpus is a picture of, in words: its species or file name, then the values of its factors.

The words are the corpus' own, so nothing here knows the reef or any other world by name.
"""

from __future__ import annotations

import re

from pixelreef.corpus.entry import Entry

LONGEST = 120  # characters
_WORD = re.compile(r"[^\W\d_]+")


def subject_text(entry: Entry) -> str:
    """Comma-parted words, the most telling first; empty where nothing is known.

    >>> import numpy as np
    >>> from pixelreef.core.palette import Palette
    >>> from pixelreef.corpus.entry import Origin
    >>> cells, palette = np.zeros((1, 1), np.uint8), Palette.from_hex(["000000"])
    >>> factors = {"category": "jellyfish", "zone": "abyss"}
    >>> subject_text(Entry(cells, palette, Origin("a"), factors, "x-1", "moon-jelly"))
    'moon jelly, jellyfish, abyss'
    >>> subject_text(Entry(cells, palette, Origin("a"), {"category": "weapon"}, "long_sword_02"))
    'long sword, weapon'
    """
    named = entry.species or _unlabelled(entry)
    parts = [" ".join(_words(part)) for part in (named, *entry.factors.values())]
    return ", ".join(dict.fromkeys(part for part in parts if part))[:LONGEST]


def _unlabelled(entry: Entry) -> str:
    """The words of the name that no factor says again: names made by a generator are often nothing but factors."""
    said = {word for value in entry.factors.values() for word in _words(value)}
    return " ".join(word for word in _words(entry.name) if word not in said)


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text) if len(word) > 1]
