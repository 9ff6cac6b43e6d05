"""The prompt: what a model is asked, in our own words, from a subject and an encoding.

The wording is versioned: a changed prompt is a new version, and a board says which one its scores come from. A data
set's own prompts can be used instead; the log says so then.
"""

from __future__ import annotations

import hashlib

from pixelreef.core.palette import Palette
from pixelreef.draw.encoding import Encoding
from pixelreef.draw.subject import Subject

PROMPT_VERSION = 1


def prompt(subject: Subject, encoding: Encoding, palette: Palette | None = None) -> str:
    """The whole text of one request.

    >>> from pixelreef.draw.encodings import encoding
    >>> from pixelreef.draw.find import find_subject
    >>> prompt(find_subject("sun"), encoding("rows")).splitlines()[0]
    'Draw this subject as pixel art: the sun'
    """
    return prompt_from_text(subject.text, encoding, palette)


def prompt_from_text(text: str, encoding: Encoding, palette: Palette | None = None) -> str:
    """The same of a subject that is only a text."""
    return f"Draw this subject as pixel art: {text}\n\n{encoding.instructions(palette)}"


def prompt_hash(text: str) -> str:
    """What a log keeps of a prompt, so that a reply can be told from one to another wording."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
