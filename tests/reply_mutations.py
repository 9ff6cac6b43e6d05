"""Replies gone wrong, from a seed: good replies of every encoding, changed in one to four ways.

Some of the changes keep a reply strict (space, escapes, key order), so that a reader which refuses everything fails.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable

import numpy as np

from pixelreef.core import Grid, Palette
from pixelreef.draw.drawing import Drawing
from pixelreef.draw.encodings import encoding

CONFUSABLES = {"0": "О٠０oO", "1": "lI１|", "2": "２²", '"': "“”'＂", ":": "：", ",": "，،", "{": "｛", "a": "а"}
PROSE = (
    "Here is the picture:\n",
    "I'm sorry, I can't draw that.",
    "\n\nHope this helps! {smile}",
    'A 24" canvas [see below]: ',
    "<think>a fish {palette} maybe</think>",
    "// note\n",
    "\ufeff",
    "\u200b",
    "\x00",
)
TOKENS = re.compile(r'"[^"]*"|[0-9]+|[\[\]{}:,]|\s+|.', re.DOTALL)
HUGE = ("1e999", "-1", "9" * 30, "9" * 5000, "NaN", "-Infinity", "1.5", "true", "null", "00", "1e5", "{}", "[]", '""')


def drawing(rng: random.Random) -> Drawing:
    colours = rng.randint(2, 10)
    cells = np.full((24, 24), rng.randrange(colours), np.uint8)
    for _ in range(rng.randint(0, 6)):
        left, right = sorted(rng.choices(range(25), k=2))
        top, bottom = sorted(rng.choices(range(25), k=2))
        cells[top:bottom, left:right] = rng.randrange(colours)
    rgb = np.array([[rng.randrange(256) for _ in range(3)] for _ in range(colours)], np.uint8)
    return Drawing(Grid(cells), Palette(rgb))


def reply(rng: random.Random, name: str = "rows") -> tuple[str, Palette]:
    """A strict reply in one of the ways in which models lay it out, and its palette."""
    made = drawing(rng)
    text = encoding(name).encode(made)
    layout = rng.randrange(4)
    if layout == 0:
        text = json.dumps(json.loads(text), indent=rng.randrange(5))
    elif layout == 1:
        text = json.dumps(dict(reversed(json.loads(text).items())))
    elif layout == 2:
        text = f"\n {text}\r\n\t"
    return text, made.palette


def _place(rng: random.Random, text: str) -> int:
    return rng.randrange(len(text) + 1)


def _span(rng: random.Random, text: str) -> tuple[int, int]:
    start = _place(rng, text)
    return start, min(len(text), start + rng.choice([1, 1, 2, 5, 30, 200]))


def flip(rng: random.Random, text: str) -> str:
    data = bytearray(text.encode("utf-8", "surrogatepass") or b"0")
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return data.decode("utf-8", "replace")


def delete(rng: random.Random, text: str) -> str:
    start, end = _span(rng, text)
    return text[:start] + text[end:]


def repeat(rng: random.Random, text: str) -> str:
    start, end = _span(rng, text)
    return text[:end] + text[start:end] * rng.choice([1, 1, 2, 50]) + text[end:]


def insert(rng: random.Random, text: str) -> str:
    at = _place(rng, text)
    return text[:at] + rng.choice("{}[]\",:'\\\n 09afx#-\u00e9\ud800") + text[at:]


def swap(rng: random.Random, text: str) -> str:
    tokens = TOKENS.findall(text) or [""]
    first, second = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    tokens[first], tokens[second] = tokens[second], tokens[first]
    return "".join(tokens)


def replace_token(rng: random.Random, text: str) -> str:
    tokens = TOKENS.findall(text) or [""]
    tokens[rng.randrange(len(tokens))] = rng.choice(HUGE)
    return "".join(tokens)


def nest(rng: random.Random, text: str) -> str:
    before, after = rng.choice([("[", "]"), ('{"result":', "}"), ('{"a":[', "]}")])
    times = rng.choice([1, 1, 2, 40, 2000])
    return before * times + text + after * rng.choice([times, times, 0])


def nest_inside(rng: random.Random, text: str) -> str:
    at = _place(rng, text)
    return text[:at] + rng.choice(["[", "{", '{"a":', '["', "("]) * rng.choice([1, 5, 100, 3000]) + text[at:]


def confuse(rng: random.Random, text: str) -> str:
    at = rng.randrange(max(len(text), 1))
    sign = text[at : at + 1]
    return text[:at] + rng.choice(CONFUSABLES.get(sign, sign) or " ") + text[at + 1 :]


def truncate(rng: random.Random, text: str) -> str:
    return text[: _place(rng, text)]


def fence(rng: random.Random, text: str) -> str:
    return "```" + rng.choice(["json", "", "JSON "]) + f"\n{text}\n" + rng.choice(["```", "", "```\nDone."])


def prose(rng: random.Random, text: str) -> str:
    words = rng.choice(PROSE)
    return words + text if rng.random() < 0.5 else text + words


def join(rng: random.Random, text: str) -> str:
    return text + rng.choice(["", "\n", ", "]) + reply(rng)[0]


def space(rng: random.Random, text: str) -> str:
    return re.sub(r"(?<=[,:\[{])", lambda _: rng.choice(["", "", " ", "\n\t"]), text)


def escape(rng: random.Random, text: str) -> str:
    places = [match.start() for match in re.finditer("[0-9a-z]", text)] or [0]
    at = rng.choice(places)
    return text[:at] + "".join(f"\\u{ord(sign):04x}" for sign in text[at : at + 1]) + text[at + 1 :]


def upper(rng: random.Random, text: str) -> str:
    return re.sub("[a-f]", lambda found: found.group().upper() if rng.random() < 0.1 else found.group(), text)


def stretch(rng: random.Random, text: str) -> str:
    """A runaway: one part over and over, up to past the limit."""
    start, end = _span(rng, text)
    part = text[start:end] or " "
    return text[:end] + part * (rng.choice([2_000, 20_000, 300_000]) // len(part)) + text[end:]


def digit(rng: random.Random, text: str) -> str:
    places = [match.start() for match in re.finditer("[0-9]", text)]
    if not places:
        return text
    at = rng.choice(places)
    return text[:at] + rng.choice("0123456789") + text[at + 1 :]


Mutation = Callable[[random.Random, str], str]
KEEPING: tuple[Mutation, ...] = (space, escape, digit, upper)
BREAKING: tuple[Mutation, ...] = (
    flip,
    delete,
    repeat,
    insert,
    swap,
    replace_token,
    nest,
    nest_inside,
    confuse,
    truncate,
    fence,
    prose,
    join,
)


def mutated(seed: int, name: str = "rows") -> tuple[str, Palette]:
    """The reply of a seed, and the palette it was made with."""
    rng = random.Random(seed)
    text, palette = reply(rng, name)
    for _ in range(rng.choice([1, 1, 2, 3, 4])):
        if rng.random() < 0.01:
            text = stretch(rng, text)
        else:
            text = rng.choice(KEEPING if rng.random() < 0.3 else BREAKING)(rng, text)
    return text, palette
