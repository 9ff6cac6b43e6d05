"""The prompt: what an image model is asked, in our own words, from a dataset's task and a colour code.

The wording is versioned: a changed prompt is a new version, and a run says which one it used. It is zero-shot: no
example of a photograph with its mask is shown.
"""

from __future__ import annotations

import hashlib

from pixelreef.masks.classes import Classes
from pixelreef.masks.dataset import Task

PROMPT_VERSION = 1
SHOTS = 0

_ENDING = """Return one picture and nothing else: the mask, with the framing and the proportions of the photograph. \
Every pixel has exactly one of the colours above. Areas are flat: no shading, no texture, no outlines, no text, no \
legend, and no blending at the edges."""


def prompt(lead: str, task: Task, shown: Classes, *, only_these: bool, has_ignored: bool) -> str:
    """The whole text of one request. `lead` says what the pictures are; `only_these`: no other class is in sight.

    >>> from pixelreef.masks.datasets import dataset
    >>> suim = dataset("suim")
    >>> text = prompt("The picture is the photograph.", suim.task, suim.classes, only_these=False, has_ignored=False)
    >>> [line for line in text.splitlines() if line.startswith("diver: [")]
    ['diver: [0, 0, 255]']
    """
    which = "All of these classes are in sight, and no other:" if only_these else "Not every class need be in sight:"
    code = [f"{name}: [{red}, {green}, {blue}]" for name, (red, green, blue) in named_colours(shown)]
    parts = [
        f"Paint the segmentation mask of a photograph. {lead}",
        task.text,
        f"The colour of each class is given as [red, green, blue], from 0 to 255. {which}\n" + "\n".join(code),
        *(["What belongs to none of these classes is not scored: paint it like what is around it."] * has_ignored),
        _ENDING,
    ]
    return "\n\n".join(parts) + "\n"


def named_colours(classes: Classes) -> list[tuple[str, list[int]]]:
    """Name and [red, green, blue] of the scored classes, in order."""
    return list(zip(classes.names, classes.rgb.tolist(), strict=True))


def prompt_hash(text: str) -> str:
    """What a log keeps of a prompt, so that an answer can be told from one to another wording."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
