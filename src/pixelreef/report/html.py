r"""Text made safe for a page: the one door through which words reach HTML.

`Html` is a string that may stand in a page as it is; every other `str` is text and has to pass `text`, `attribute` or
`script_json` first, so that mypy tells the two apart. Nothing here cleans or parses HTML: text never becomes markup.

    Html(f'<p title="{attribute(name)}">{text(reply)}</p>')

Text from a model can hold more than angle brackets. Control characters, lone surrogates and the signs that reverse the
direction of writing (with which `evil.exe` can be shown as `exe.live`) are replaced by something that can be seen.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, NewType

Html = NewType("Html", str)

# Everything that HTML forbids or that hides or reorders its neighbours; tab and newline may stay.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]")
_MARKUP = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord('"'): "&quot;", ord("'"): "&#39;"}


def visible(value: str) -> str:
    r"""Text in which nothing is hidden: a control sign as its picture, anything else unseen as its number.

    >>> visible("a\x00b\r\nc")
    'a␀b\nc'
    >>> visible("\u202eexe.live")
    '⟨U+202E⟩exe.live'
    """
    return _UNSEEN.sub(_picture, value.replace("\r\n", "\n"))


def text(value: str) -> Html:
    """Text as the content of an element.

    >>> text("<b> & co")
    '&lt;b&gt; &amp; co'
    """
    return Html(visible(value).translate(_MARKUP))


def attribute(value: str) -> Html:
    r"""Text as the value of an attribute, between double quotes. Line breaks are kept as references.

    >>> attribute('5" disc\n')
    '5&quot; disc&#10;'
    """
    return Html(text(value).replace("\n", "&#10;").replace("\t", "&#9;"))


def script_json(value: Any) -> Html:
    r"""A JSON document as the content of `<script type="application/json">`; NaN is refused with a ValueError.

    Pure ASCII, so lone surrogates and U+2028 travel as escapes; and with no sign that could end the element.

    >>> script_json({"a": "</script>"})
    '{"a":"\\u003c/script\\u003e"}'
    """
    document = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return Html(document.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def joined(pieces: Iterable[Html], between: str = "") -> Html:
    """Pieces of HTML in a row."""
    return Html(between.join(pieces))


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)  # the block of control pictures runs in the order of the controls
    return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"
