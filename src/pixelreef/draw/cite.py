"""How to cite Pixelreef, as BibTeX: the entry of `CITATION.cff`, which an installed package does not carry.

A test holds the two together.
"""

from __future__ import annotations

from pixelreef import __version__

TITLE = "Pixelreef"
AUTHORS = "The Pixelreef developers"
LICENSE = "Apache-2.0"


def bibtex() -> str:
    """The entry, on one line.

    >>> bibtex()[:22]
    '@software{pixelreef, t'
    """
    return (
        f"@software{{pixelreef, title = {{{{{TITLE}}}}}, author = {{{{{AUTHORS}}}}}, "
        f"version = {{{__version__}}}, license = {{{LICENSE}}}}}"
    )
