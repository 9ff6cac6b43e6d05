"""The pixels of an Aseprite file's cels, unpacked a few rows at a time and counted before they are.

A cel is a picture, raw or packed by zlib, or a map of tiles with flips. A small file can claim gigabytes, so zlib is
given no more room than the rows that are asked for, and the sum of all that is drawn has a limit.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.aseprite_chunks import Cel, Record, Tileset, broken
from pixelreef.core.blend import Bytes
from pixelreef.core.images import MAX_PIXELS
from pixelreef.errors import ImageError

MAX_DRAWN = 2**27  # pixels of all cels that are drawn: seconds of work
STRIP = 1 << 16  # pixels unpacked and blended at once
_FEED = 1 << 14  # bytes given to zlib at once
_ROW = 1 << 22  # pixels of one row of tiles, which are put side by side at once


class Pixels:
    """The cels of one file, unpacked on demand."""

    def __init__(self, record: Record, what: str) -> None:
        self._record, self._what, self._drawn = record, what, 0
        self._tiles: dict[int, Bytes] = {}

    def strips(self, cel: Cel) -> Iterator[tuple[tuple[slice, slice], Bytes]]:
        """Where on the canvas, and the pixels there, a few rows at once."""
        width, strips = self._map(cel) if cel.masks is not None else (cel.width, self._picture(cel))
        left, right = max(cel.x, 0), min(cel.x + width, self._record.width)
        y = cel.y
        for pixels in strips:
            top, bottom = max(y, 0), min(y + len(pixels), self._record.height)
            if left < right and top < bottom:
                inside = pixels[top - y : bottom - y, left - cel.x : right - cel.x]
                yield (slice(top, bottom), slice(left, right)), inside
            y += len(pixels)

    def _picture(self, cel: Cel) -> Iterator[Bytes]:
        self.count(cel.width * cel.height)
        return self._unpacked(cel.pixels, cel.width, cel.height, cel.compressed)

    def _unpacked(self, data: memoryview, width: int, height: int, compressed: bool = True) -> Iterator[Bytes]:
        """Strips of (rows, width) indices or (rows, width, 2 or 4) channels."""
        channels = self._record.depth // 8
        shape = (-1, width) if channels == 1 else (-1, width, channels)
        rows = max(1, STRIP // width)
        sizes = [min(rows, height - top) * width * channels for top in range(0, height, rows)]
        for part in _inflated(data, sizes, self._what) if compressed else _cut(data, sizes, self._what):
            yield np.frombuffer(part, np.uint8).reshape(shape)

    def _map(self, cel: Cel) -> tuple[int, Iterator[Bytes]]:
        number = self._record.layers[cel.layer].tileset
        tileset = self._record.tilesets.get(-1 if number is None else number)
        if tileset is None or number is None:
            self._record.notes["a map whose tiles are not there is left out"] = None
            return 0, iter(())
        row = cel.width * tileset.width * tileset.height
        if row > _ROW:
            raise ImageError(self._what, f"have at most {_ROW:,} pixels in a row of tiles", f"{row:,}", verbatim=True)
        self.count(row * cel.height)
        if number not in self._tiles:
            self._tiles[number] = self._unpacked_tiles(tileset)
        return cel.width * tileset.width, self._mapped(cel, tileset, self._tiles[number])

    def _unpacked_tiles(self, tileset: Tileset) -> Bytes:
        """(count + 1, height, width, …): the tiles, and an empty one at the end."""
        size = tileset.count * tileset.width * tileset.height
        if not size or sum(tiles[..., :1].size for tiles in self._tiles.values()) + size > MAX_PIXELS:
            raise broken(self._what, f"{tileset.count} tiles of {tileset.width} × {tileset.height}")
        rows = np.concatenate(list(self._unpacked(tileset.pixels, tileset.width, tileset.count * tileset.height)))
        tiles = rows.reshape(tileset.count, tileset.height, *rows.shape[1:])
        empty = np.full_like(tiles[:1], self._record.transparent if self._record.depth == 8 else 0)
        return np.concatenate([tiles, empty])

    def _mapped(self, cel: Cel, tileset: Tileset, tiles: Bytes) -> Iterator[Bytes]:
        assert cel.masks is not None
        of_id, across, down, diagonal = cel.masks
        empty = len(tiles) - 1
        for row in _inflated(cel.pixels, [4 * cel.width] * cel.height, self._what):
            codes = np.frombuffer(row, "<u4")
            ids = np.minimum((codes & of_id) >> _shift(of_id), empty)
            none = ids == 0 if tileset.zero_is_empty else codes == 0xFFFFFFFF
            pixels = tiles[np.where(none, empty, ids)]  # (width, tile height, tile width, …)
            if tileset.width == tileset.height:
                pixels = _where(_set(codes, diagonal), pixels.swapaxes(1, 2), pixels)
            pixels = _where(_set(codes, across), pixels[:, :, ::-1], pixels)
            pixels = _where(_set(codes, down), pixels[:, ::-1], pixels)
            joined = pixels.swapaxes(0, 1)
            yield joined.reshape(tileset.height, cel.width * tileset.width, *pixels.shape[3:])

    def count(self, pixels: int) -> None:
        """Add to the pixels drawn; one error when they are too many."""
        self._drawn += pixels
        if self._drawn > MAX_DRAWN:
            raise ImageError(self._what, f"have at most {MAX_DRAWN:,} pixels in all cels", "more", verbatim=True)


def _inflated(data: memoryview, sizes: list[int], what: str) -> Iterator[bytes]:
    """Unpacked pieces of these sizes; never more in memory than one of them."""
    stream = zlib.decompressobj()
    fed, waiting = 0, b""
    for size in sizes:
        piece = bytearray()
        while len(piece) < size:
            given = waiting or bytes(data[fed : fed + _FEED])
            fed += 0 if waiting else len(given)
            try:
                got = stream.decompress(given, size - len(piece))
            except zlib.error:
                raise broken(what, "pixels that do not unpack") from None
            waiting = stream.unconsumed_tail
            if not got and (not given or stream.eof):
                raise broken(what, "fewer pixels than it says")
            piece += got
        yield bytes(piece)


def _cut(data: memoryview, sizes: list[int], what: str) -> Iterator[memoryview]:
    at = 0
    for size in sizes:
        if at + size > len(data):
            raise broken(what, "fewer pixels than it says")
        yield data[at : at + size]
        at += size


def _shift(mask: int) -> int:
    """How far the lowest bit of a mask is from the right."""
    return (mask & -mask).bit_length() - 1 if mask else 0


def _set(codes: NDArray[np.uint32], mask: int) -> NDArray[np.bool_]:
    return np.asarray((codes & mask == mask) & (mask != 0))


def _where(which: NDArray[np.bool_], changed: Bytes, pixels: Bytes) -> Bytes:
    return np.where(which.reshape(-1, *[1] * (pixels.ndim - 1)), changed, pixels)
