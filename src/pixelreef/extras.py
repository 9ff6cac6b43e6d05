"""The optional groups of packages, and the one way to ask for one of them.

Call `require("bench", "inspect_ai")` at the top of a function that needs it; at the command line a missing package
becomes one line with the exact pip command, exit 2. Nothing here imports the package.
"""

from __future__ import annotations

from importlib.util import find_spec

from pixelreef.errors import MissingExtra

EXTRAS = ("bench", "local", "train", "tune", "serve", "onnx", "hub")


def require(extra: str, *modules: str) -> None:
    """Raise `MissingExtra` unless every one of `modules` can be imported.

    >>> require("bench", "json")
    >>> require("serve", "no_such_module")
    Traceback (most recent call last):
    pixelreef.errors.MissingExtra: package 'no_such_module' must be installed for this, got none. \
Add it with: pip install 'pixelreef[serve]'
    """
    if extra not in EXTRAS:
        raise ValueError(f"extra must be one of {EXTRAS}, got {extra!r}")
    for module in modules:
        if find_spec(module) is None:
            raise MissingExtra(extra, module)
