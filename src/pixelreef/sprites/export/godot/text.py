"""Values as Godot's text files write them: `.tres`, `.tscn` and `project.godot` share one grammar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class Raw(str):
    """Text that is Godot's own already, such as `Vector2(1, 2)`."""

    __slots__ = ()


def value_text(value: object) -> str:
    r"""A value of Python as one of Godot's.

    >>> value_text({"name": 'a "b" \\', "speed": 8.0, "frames": [1, True]})
    '{\n"name": "a \\"b\\" \\\\",\n"speed": 8.0,\n"frames": [1, true]\n}'
    """
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        return "{\n" + ",\n".join(f"{quoted(key)}: {value_text(of)}" for key, of in value.items()) + "\n}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(value_text(one) for one in value) + "]"
    raise TypeError(f"no value of Godot: {type(value).__name__}")


def quoted(text: str) -> str:
    r"""A string between quotes; line ends stay inside it, as Godot allows.

    >>> quoted('a"b\\c')
    '"a\\"b\\\\c"'
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def name_text(text: str) -> Raw:
    """A StringName."""
    return Raw("&" + quoted(text))


def call(kind: str, *values: object) -> Raw:
    """A built-in type.

    >>> call("Rect2", 0, 0, 32, 32)
    'Rect2(0, 0, 32, 32)'
    """
    return Raw(f"{kind}({', '.join(value_text(value) for value in values)})")


def section(head: str, attributes: Mapping[str, object], body: Mapping[str, object] | None = None) -> str:
    """One `[head key=value]` and the assignments below it."""
    told = "".join(f" {key}={value_text(value)}" for key, value in attributes.items())
    lines = [f"[{head}{told}]", *(f"{key} = {value_text(value)}" for key, value in (body or {}).items())]
    return "\n".join(lines) + "\n"
