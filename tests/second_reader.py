"""A second strict reader of `rows` replies, written without the first one and without the json module.

It walks the text character by character: object, two keys in any order, two lists of strings.
"""

from __future__ import annotations

LIMIT = 256 * 1024
DIGITS = "0123456789"
HEX = DIGITS + "abcdefABCDEF"
ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class Wrong(Exception):
    pass


class Walker:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def space(self) -> None:
        while self.at < len(self.text) and self.text[self.at] in " \t\n\r":
            self.at += 1

    def next(self) -> str:
        if self.at >= len(self.text):
            raise Wrong
        self.at += 1
        return self.text[self.at - 1]

    def sign(self, wanted: str) -> str:
        """One of the signs, with space around it."""
        self.space()
        found = self.next()
        if found not in wanted:
            raise Wrong
        self.space()
        return found

    def string(self) -> str:
        if self.next() != '"':
            raise Wrong
        made = ""
        while (sign := self.next()) != '"':
            if ord(sign) < 32:
                raise Wrong
            made += self.escape() if sign == "\\" else sign
        return made

    def escape(self) -> str:
        sign = self.next()
        if sign == "u":
            digits = [self.next() for _ in range(4)]
            if any(digit not in HEX for digit in digits):
                raise Wrong
            return chr(int("".join(digits), 16))
        if sign not in ESCAPES:
            raise Wrong
        return ESCAPES[sign]

    def strings(self) -> list[str]:
        self.sign("[")
        found = [self.string()]
        while self.sign(",]") == ",":
            found.append(self.string())
        return found

    def fields(self) -> dict[str, list[str]]:
        self.sign("{")
        key = self.string()
        self.sign(":")
        found = {key: self.strings()}
        self.sign(",")
        other = self.string()
        self.sign(":")
        if other == key:
            raise Wrong
        found[other] = self.strings()
        self.sign("}")
        if self.at != len(self.text):
            raise Wrong
        return found


def is_strict(text: str) -> bool:
    if len(text) > LIMIT:
        return False
    try:
        fields = Walker(text).fields()
    except Wrong:
        return False
    if sorted(fields) != ["grid", "palette"]:
        return False
    palette, grid = fields["palette"], fields["grid"]
    if not 2 <= len(palette) <= 10 or len(grid) != 24:
        return False
    if any(len(colour) != 6 or any(sign not in HEX for sign in colour) for colour in palette):
        return False
    allowed = DIGITS[: len(palette)]
    return all(len(row) == 24 and all(sign in allowed for sign in row) for row in grid)
