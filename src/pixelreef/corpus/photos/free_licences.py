"""Which licences are free: everyone may use, change and share the work, for any purpose. Others are refused.

Names as Wikimedia Commons and OpenGameArt write them become SPDX identifiers where there are such.
"""

from __future__ import annotations

import re

_CC = re.compile(r"cc[ -]by(?P<alike>[ -]sa)?(?:[ -](?P<version>[1-4]\.\d)(?:[ -](?P<place>[a-z]{2,3}))?)?")
_UNFREE = re.compile(r"\b(?:nc|nd|non-?free|non-?commercial\w*|no-?deriv\w*)\b")
_CC0 = re.compile(r"cc[ -]?0(?:[ -]1\.0)?|cc[ -]zero(?:[ -]1\.0)?|creative commons zero(?: 1\.0)?")
_PUBLIC = re.compile(r"(?:public domain|pd)(?:\b.*)?|no (?:known copyright )?restrictions")
_GNU = re.compile(r"(?P<which>a?gpl|lgpl|gfdl)[ -]?v?(?P<version>\d(?:\.\d)?)?(?P<later>\+|[ -]or[ -]later)?")
_NAMED = {
    "mit": "MIT",
    "apache 2.0": "Apache-2.0",
    "apache-2.0": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "bsd": "BSD",
    "bsd-3-clause": "BSD-3-Clause",
    "bsd-2-clause": "BSD-2-Clause",
    "fal": "Free Art License",
    "free art license": "Free Art License",
    "fal 1.3": "Free Art License",
    "ofl": "OFL-1.1",
    "ofl-1.1": "OFL-1.1",
    "ogl": "Open Government Licence",
    "ogl 3.0": "OGL-UK-3.0",
    "ogl 3": "OGL-UK-3.0",
    "attribution": "Attribution",
    "copyrighted free use": "Copyrighted free use",
    "oga-by 3.0": "OGA-BY-3.0",
    "oga-by 4.0": "OGA-BY-4.0",
    "cc-pddc": "CC-PDDC",
    "unlicense": "Unlicense",
    "wtfpl": "WTFPL",
}


def free_licence(name: str) -> str | None:
    """The licence's SPDX identifier, or its own name where it has none; None unless it is known to be free.

    >>> free_licence("CC BY-SA 4.0"), free_licence("CC0"), free_licence("Public domain")
    ('CC-BY-SA-4.0', 'CC0-1.0', 'Public domain')
    >>> free_licence("CC BY-NC 4.0"), free_licence("CC BY-ND 2.0"), free_licence("Fair use"), free_licence("")
    (None, None, None, None)
    """
    plain = " ".join(name.split()).lower()
    if _UNFREE.search(plain):
        return None
    if _CC0.fullmatch(plain):
        return "CC0-1.0"
    if match := _CC.fullmatch(plain):
        place = f"-{match['place'].upper()}" if match["place"] else ""
        version = f"-{match['version']}" if match["version"] else ""
        return f"CC-BY{'-SA' if match['alike'] else ''}{version}{place}"
    if _PUBLIC.fullmatch(plain):
        return "Public domain"
    if match := _GNU.fullmatch(plain):
        return _gnu(match)
    return _NAMED.get(plain)


def _gnu(match: re.Match[str]) -> str:
    version = match["version"] or ""
    if not version:
        return match["which"].upper()
    whole = version if "." in version else f"{version}.0"
    return f"{match['which'].upper()}-{whole}{'-or-later' if match['later'] else '-only'}"
