"""From the untrusted columns of a file to checked entries and batches. Knows arrow's arrays, and no file.

`Rules` says what a row must be; both ways of reading, one entry at a time and many as arrays, keep to it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Cells
from pixelreef.core.palette import Palette
from pixelreef.core.strict_json import json_from_text
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.layout import MAX_SIDE, MAX_TEXT, Factors, Row, cell_of
from pixelreef.corpus.parts import PARTS
from pixelreef.errors import DocumentError, GridError, InputError, PaletteError

if TYPE_CHECKING:
    import pyarrow

_PALETTES = 1024  # kept at once
_PALETTE_TEXT = 256 * 7  # characters


@dataclass(frozen=True, eq=False)
class Batch:
    """Many sprites of one size and one palette as arrays."""

    cells: Cells
    """(N, H, W) palette indices."""
    parts: Cells | None
    """(N, H, W) part labels; None when any sprite has none."""
    palette: Palette
    factors: Factors
    labels: dict[str, NDArray[np.int16]]
    """Factor → (N,) places among its values, −1 where there is none."""
    weights: NDArray[np.float64]
    rows: NDArray[np.int64]
    """(N,) the row of each sprite in the file."""

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def cell(self) -> list[str]:
        """The cell of each sprite."""
        if not self.labels:
            return [cell_of(())] * len(self)
        values = [[*self.factors[name], None] for name in self.labels]  # −1 is the last
        rows = zip(*(labels.tolist() for labels in self.labels.values()), strict=True)
        return [cell_of(of[label] for of, label in zip(values, row, strict=True)) for row in rows]


@dataclass
class Rules:
    """What the rows of one corpus are held to."""

    factors: Factors
    _places: dict[str, dict[str, int]] = field(init=False)
    _palettes: dict[tuple[str, int | None], Palette] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._places = {name: {v: place for place, v in enumerate(values)} for name, values in self.factors.items()}

    def entry(self, row: Row) -> Entry:
        """A row as an entry, or one `InputError`. The row's own `cell` and `hash` are not believed."""
        cells = self._cells(row, "grid")
        palette = self.palette(row.get("palette"), row.get("transparent"))
        if (top := int(cells.max())) >= len(palette):
            raise GridError("grid", f"hold palette indices from 0 to {len(palette) - 1}", top)
        parts = None if row.get("parts") is None else self._cells(row, "parts")
        if parts is not None and (top := int(parts.max())) >= len(PARTS):
            raise GridError("parts", f"hold part labels from 0 to {len(PARTS) - 1}", top)
        return Entry(
            cells,
            palette,
            Origin(*(_text(row, name) for name in ("source", "author", "licence", "address"))),
            {name: value for name in self.factors if (value := self._factor(name, _text(row, name)))},
            _text(row, "name"),
            _text(row, "species"),
            _parameters(_text(row, "parameters")),
            parts,
            _text(row, "group"),
            _text(row, "split"),
            weight_of(row.get("weight")),
            _text(row, "generator"),
        )

    def batch(self, columns: pyarrow.RecordBatch, kept: NDArray[np.bool_]) -> tuple[Batch | None, list[int]]:
        """The kept rows as arrays, with their places in `columns` as `rows`; and the places of those that are wrong.

        Raises an `InputError` when sizes or palettes differ.
        """
        values = {name: plain_values(columns.column(name)) for name in columns.schema.names if name not in _BINARY}
        grids = _Bytes.of(columns.column("grid"))
        widths, heights = _whole(values["width"]), _whole(values["height"])
        palettes = self._palettes_of(values)
        weights = _weights(values.get("weight"), len(kept))
        labels = {name: self._labels(name, values[name]) for name in self.factors}
        fine = kept & (np.minimum(widths, heights) >= 1) & (np.maximum(widths, heights) <= MAX_SIDE)
        fine &= (grids.lengths == widths * heights) & np.isfinite(weights) & (weights >= 0)
        fine &= np.array([one is not None for one in palettes], bool)
        fine &= np.all([of >= -1 for of in labels.values()], axis=0) if labels else True
        good = np.flatnonzero(fine)
        wrong = np.flatnonzero(kept & ~fine).tolist()
        if not len(good):
            return None, wrong
        palette, size = palettes[good[0]], (int(widths[good[0]]), int(heights[good[0]]))
        if (widths[good] != size[0]).any() or (heights[good] != size[1]).any():
            raise mixed("size")
        if palette is None or any(palettes[place] is not palette and palettes[place] != palette for place in good):
            raise mixed("palette")
        cells = grids.stacked(good, size[0] * size[1])
        inside = cells.max(axis=1) < len(palette)
        parts = self._parts(columns, good, size[0] * size[1])
        if parts is not None:
            inside &= parts.max(axis=1) < len(PARTS)
        wrong += good[~inside].tolist()
        return _batch(cells, parts, inside, palette, size, self.factors, labels, weights, good), sorted(wrong)

    def palette(self, colours: Any, transparent: Any) -> Palette:
        """Hex colours as one text or as a list → a palette, kept for the next row."""
        if isinstance(colours, list) and all(isinstance(colour, str) for colour in colours[:257]):
            colours = " ".join(colours[:257])
        if not isinstance(colours, str) or len(colours) > _PALETTE_TEXT:
            raise PaletteError("palette", "be up to 256 hex colours with a space between them", colours)
        known = self._palettes.get((colours, transparent))
        if known is None:
            known = Palette.from_hex(colours.split(" "), transparent)
            if len(self._palettes) >= _PALETTES:
                self._palettes.clear()
            self._palettes[colours, transparent] = known
        return known

    def _cells(self, row: Row, name: str) -> Cells:
        width, height, data = row.get("width"), row.get("height"), row.get(name)
        if not (isinstance(width, int) and isinstance(height, int) and min(width, height) >= 1):
            raise GridError("width and height", "be at least 1", (width, height))
        if max(width, height) > MAX_SIDE:
            raise GridError("width and height", f"be at most {MAX_SIDE}", (width, height))
        if not isinstance(data, bytes) or len(data) != width * height:
            got = f"{len(data)} bytes" if isinstance(data, bytes) else "nothing"
            raise GridError(name, f"have one byte for each of {width} × {height} pixels", got, verbatim=True)
        return np.frombuffer(data, np.uint8).reshape(height, width)

    def _factor(self, name: str, value: str) -> str:
        if value and value not in self._places[name]:
            raise InputError(f"factor {name!r}", "have a value that the footer lists", value)
        return value

    def _labels(self, name: str, values: Sequence[str | None]) -> NDArray[np.int16]:
        """(N,) places of values, −1 for none, −2 for a value that the footer does not list."""
        places = self._places[name]
        return np.array([places.get(value, -2) if value else -1 for value in values], np.int16)

    def _palettes_of(self, values: dict[str, list[Any]]) -> list[Palette | None]:
        found: dict[tuple[str, Any], Palette | None] = {}
        made = []
        for colours, transparent in zip(
            values["palette"], values.get("transparent") or [None] * len(values["palette"]), strict=True
        ):
            key = (colours if isinstance(colours, str) else repr(colours)[:4096], transparent)
            if key not in found:
                try:
                    found[key] = self.palette(colours, transparent)
                except InputError:
                    found[key] = None
            made.append(found[key])
        return made

    def _parts(self, columns: pyarrow.RecordBatch, good: NDArray[np.intp], size: int) -> Cells | None:
        if "parts" not in columns.schema.names:
            return None
        parts = _Bytes.of(columns.column("parts"))
        return parts.stacked(good, size) if (parts.lengths[good] == size).all() else None


_BINARY = ("grid", "parts")


@dataclass(frozen=True)
class _Bytes:
    """A binary column as one run of bytes."""

    run: Cells
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    """−1 where there is nothing."""

    @classmethod
    def of(cls, column: pyarrow.Array) -> _Bytes:
        import pyarrow

        column = column.cast(pyarrow.large_binary())
        _, offsets, run = column.buffers()
        ends = np.frombuffer(offsets, np.int64)[column.offset : column.offset + len(column) + 1]
        lengths = np.where(column.is_valid().to_numpy(zero_copy_only=False), np.diff(ends), -1)
        return cls(np.frombuffer(run or b"", np.uint8), ends[:-1], lengths)

    def stacked(self, places: NDArray[np.intp], size: int) -> Cells:
        """(len(places), size): the bytes at these places, all of which have `size`; a view where they are in a row."""
        starts = self.starts[places]
        if (np.diff(starts) == size).all():
            return self.run[starts[0] : starts[0] + len(starts) * size].reshape(-1, size)
        gathered: Cells = self.run[starts[:, None] + np.arange(size)]
        return gathered


def _batch(
    cells: Cells,
    parts: Cells | None,
    inside: NDArray[np.bool_],
    palette: Palette,
    size: tuple[int, int],
    factors: Factors,
    labels: dict[str, NDArray[np.int16]],
    weights: NDArray[np.float64],
    good: NDArray[np.intp],
) -> Batch:
    places = good[inside]
    shape = (-1, size[1], size[0])
    return Batch(
        cells[inside].reshape(shape),
        None if parts is None else parts[inside].reshape(shape),
        palette,
        factors,
        {name: of[places] for name, of in labels.items()},
        weights[places],
        places.astype(np.int64),
    )


def mixed(what: str) -> InputError:
    """Sprites that do not fit one array."""
    todo = "Read them one by one, or bring them to one size and palette."
    return InputError(
        "sprites of a batch", "share one size and one palette", f"more than one {what}", todo, verbatim=True
    )


def plain_values(column: pyarrow.Array) -> list[Any]:
    """A column as Python values; text that is no UTF-8 has its stray bytes replaced."""
    import pyarrow

    try:
        return list(column.to_pylist())
    except UnicodeDecodeError:
        if pyarrow.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        return [
            None if v is None else v.decode("utf-8", "replace") for v in column.cast(pyarrow.large_binary()).to_pylist()
        ]


def plain_rows(columns: pyarrow.RecordBatch) -> Iterator[Row]:
    """Rows as dicts of Python values."""
    values = [plain_values(column) for column in columns.columns]
    names = columns.schema.names
    return (dict(zip(names, row, strict=True)) for row in zip(*values, strict=True))


def weight_of(value: Any) -> float:
    """A weight, 1 where none is given."""
    if value is None:
        return 1.0
    if isinstance(value, int | float) and math.isfinite(value) and value >= 0:
        return float(value)
    raise InputError("weight", "be a finite number from 0 up", value)


def _weights(values: Sequence[float | None] | None, count: int) -> NDArray[np.float64]:
    return np.array([1.0 if value is None else value for value in values or [None] * count], np.float64)


def _whole(values: Sequence[int | None]) -> NDArray[np.int64]:
    """Sides of sprites; 0, which is none, for what is missing or beyond any limit."""
    return np.array([value if value is not None and 0 <= value <= 2**31 else 0 for value in values], np.int64)


def _text(row: Row, name: str) -> str:
    value = row.get(name) or ""
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        raise InputError(name, f"be text of at most {MAX_TEXT:,} characters", value)
    return value


def _parameters(text: str) -> dict[str, Any]:
    if text in ("", "{}"):
        return {}
    made = json_from_text(text, "parameters")
    if not isinstance(made, dict):
        raise DocumentError("parameters", "be a JSON object", made)
    return made
