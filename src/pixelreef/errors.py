"""Every exception that Pixelreef raises on purpose.

    PixelreefError
    ├── InputError          what was given is wrong: one line at the command line, exit 2
    │   ├── FileError       a file or folder that can't be read or written
    │   ├── ImageError      bytes that are not a picture we read
    │   ├── PaletteError    colours that do not make a palette
    │   ├── GridError       cells that do not make a grid
    │   ├── DocumentError   JSON that is not a document we know
    │   └── MissingExtra    a command whose optional packages are not installed
    └── GateFailed          a check said no: exit 1

A bad reply of a model is data, not an error: it is scored, with its reason, by the room that asked for it.
"""

from __future__ import annotations

SHOWN_CHARACTERS = 60


def shown(value: object) -> str:
    r"""An untrusted value as it may stand in a message: one line, plain ASCII, cut short.

    >>> shown("a\nb")
    "'a\\nb'"
    >>> shown("x" * 100)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…' (100 characters)"
    """
    if isinstance(value, str) and len(value) > SHOWN_CHARACTERS:
        return f"{ascii(value[:SHOWN_CHARACTERS])[:-1]}…' ({len(value)} characters)"
    if isinstance(value, int) and value.bit_length() > 200:  # int → str of a huge number is slow, or refused
        return f"a whole number of {value.bit_length()} bits"
    text = ascii(value)
    return text if len(text) <= 2 * SHOWN_CHARACTERS else f"{text[: 2 * SHOWN_CHARACTERS]}…"


class PixelreefError(Exception):
    """The root of the tree. Can be sent from one process to another, whatever it was made of."""

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), self.args, self.__dict__)


def _again(kind: type[PixelreefError], args: tuple[object, ...], fields: dict[str, object]) -> PixelreefError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(fields)
    return error


class InputError(PixelreefError):
    """`<what was typed> must be <rule>, got <value>. <what to do>`, as one line."""

    def __init__(self, what: str, rule: str, got: object = None, do: str = "", *, verbatim: bool = False) -> None:
        value = str(got) if verbatim else shown(got)
        super().__init__(f"{what} must {rule}, got {value}.{' ' + do if do else ''}")
        self.what = what
        self.rule = rule


class FileError(InputError):
    """A file or folder that can't be read or written."""


class ImageError(InputError):
    """Bytes that are not a picture we read."""


class PaletteError(InputError):
    """Colours that do not make a palette."""


class GridError(InputError):
    """Cells that do not make a grid."""


class DocumentError(InputError):
    """JSON that is not a document we know."""


class MissingExtra(InputError):
    """A command whose optional packages are not installed."""

    def __init__(self, extra: str, package: str) -> None:
        super().__init__(
            f"package {package!r}",
            "be installed for this",
            "none",
            f"Add it with: pip install 'pixelreef[{extra}]'",
            verbatim=True,
        )
        self.extra = extra


class GateFailed(PixelreefError):
    """A check said no."""
