"""Files that are not what they seem: the set that `pixelreef show` has to survive.

`MALFORMED` maps a file name to its bytes. A name that starts with `ok-` must be read (it is only unusual); any other
must give one line and exit 2.
"""

from __future__ import annotations

import gzip
import io
import json
import struct
import zlib

import aseprite_made
import numpy as np
import pyarrow
import pyarrow.parquet
from aseprite_made import SAMPLE, TILED
from PIL import Image

NOISE = np.random.default_rng(11).integers(0, 256, (48, 48, 3), dtype=np.uint8)
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def encoded(container: str, image: Image.Image | None = None, **options: object) -> bytes:
    buffer = io.BytesIO()
    (image or Image.fromarray(NOISE)).save(buffer, container, **options)
    return buffer.getvalue()


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(width: int, height: int, pixels: bytes, depth: int = 8, colour: int = 6, between: bytes = b"") -> bytes:
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
    return PNG_SIGNATURE + header + between + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")


def bmp(width: int, height: int) -> bytes:
    info = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, 0, 0, 0, 0, 0)
    return b"BM" + struct.pack("<IHHI", 54, 0, 0, 54) + info


def gif_screen(width: int, height: int) -> bytes:
    frame = b",\0\0\0\0" + struct.pack("<HH", width, height) + b"\0\x02\x02\x44\x01\0;"
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\x80\0\0\0\0\0\xff\xff\xff" + frame


def sprite(**changes: object) -> bytes:
    base: dict[str, object] = {
        "format": "pixelreef-sprite",
        "version": 1,
        "palette": ["000000", "ffffff"],
        "frames": [{"rows": ["01", "10"]}],
    }
    return json.dumps({**base, **changes}).encode()


def parquet(footer: bytes | None = None, **changes: object) -> bytes:
    """A corpus of one sprite; a column that is changed to None is left out."""
    columns = {"grid": [b"\0\1"], "width": [2], "height": [1], "palette": ["000000 ff0000"], **changes}
    table = pyarrow.table({name: values for name, values in columns.items() if values is not None})
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(table.replace_schema_metadata({"pixelreef.corpus": footer} if footer else None), buffer)
    return buffer.getvalue()


def many_frames() -> bytes:
    frames = [Image.fromarray(np.roll(NOISE, shift, axis=0)) for shift in range(40)]
    return encoded("GIF", frames[0], save_all=True, append_images=frames[1:])


_IMAGES = {
    "empty.png": b"",
    "signature-only.png": PNG_SIGNATURE,
    "truncated.png": encoded("PNG")[:2000],
    "truncated.jpg": encoded("JPEG")[:900],
    "truncated.gif": encoded("GIF")[:1500],
    "truncated.bmp": encoded("BMP")[:3000],
    "truncated.webp": encoded("WEBP")[:300],
    "truncated.tiff": encoded("TIFF")[:3000],
    "bomb-square.png": png(50_000, 50_000, bytes(10)),
    "bomb-deep.png": png(50_000, 50_000, bytes(10), depth=16),
    "bomb-wide.png": png(2**31 - 1, 1, bytes(10)),
    "bomb-tall.png": png(1, 2**31 - 1, bytes(10)),
    "bomb-limit.png": png(4097, 4096, bytes(10)),
    "bomb-short-of-pixels.png": png(4096, 4096, bytes(10)),
    "bomb-real.png": png(9000, 9000, bytes(9001 * 900), colour=0),
    "bomb.bmp": bmp(50_000, 50_000),
    "negative-size.bmp": bmp(-5, -5),
    "bomb.gif": gif_screen(50_000, 50_000),
    "zero-size.png": png(0, 0, b""),
    "zero-width.png": png(0, 7, b""),
    "zero-size.gif": gif_screen(0, 0),
    "bad-depth.png": png(2, 2, bytes(18), depth=7),
    "bad-colour-type.png": png(2, 2, bytes(18), colour=5),
    "bad-crc.png": encoded("PNG")[:30] + b"\x00\x01" + encoded("PNG")[32:],
    "corrupt-middle.png": encoded("PNG")[:500] + b"\x55" * 64 + encoded("PNG")[564:],
    "corrupt-zlib.png": PNG_SIGNATURE
    + chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0))
    + chunk(b"IDAT", b"not zlib at all"),
    "text-bomb.png": png(2, 2, bytes(18), between=chunk(b"zTXt", b"k\0\0" + zlib.compress(bytes(80_000_000)))),
    "icc-bomb.png": png(2, 2, bytes(18), between=chunk(b"iCCP", b"p\0\0" + zlib.compress(bytes(80_000_000)))),
    "junk.png": np.random.default_rng(1).bytes(5000),
    "zeros.png": bytes(5000),
    "text.png": b"this is not a picture\n",
    "vector.png": b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    "postscript.png": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(/etc/passwd) run\n",
    "archive.png": gzip.compress(encoded("PNG")),
    "icon.png": b"\0\0\1\0\1\0\x10\x10\0\0\1\0\x20\0\x68\4\0\0\x16\0\0\0" + bytes(1128),
    "ok-wrong-ending.jpg": encoded("PNG"),
    "ok-trailing-junk.png": encoded("PNG") + b"<?php evil(); ?>" * 100,
    "ok-sixteen-bit.png": encoded("PNG", Image.fromarray(np.arange(65536, dtype=np.uint16).reshape(256, 256))),
    "ok-cmyk.jpg": encoded("JPEG", Image.fromarray(NOISE).convert("CMYK")),
    "ok-animated.gif": many_frames(),
    "ok-one-pixel.png": encoded("PNG", Image.new("1", (1, 1))),
    "ok-indexed.png": encoded("PNG", Image.fromarray(NOISE).quantize(7)),
    "ok-largest.png": png(4096, 4096, bytes(4096 * 513), depth=1, colour=0),
}
_PALETTES = {
    "empty.hex": b"",
    "blank.hex": b"\r\n\r\n  \n",
    "short.hex": b"fff\n",
    "word.hex": b"000000\nzzzzzz\n",
    "long-line.hex": b"0" * 900_000,
    "many.hex": b"000000\n" * 300,
    "huge.hex": b"000000\n" * 200_000,
    "sixteen.hex": "ff0000\n".encode("utf-16"),
    "binary.hex": bytes(range(256)) * 4,
    "negative.gpl": b"GIMP Palette\n-1 0 0\n",
    "large.gpl": b"GIMP Palette\n99999999999999999999 0 0\n",
    "only-header.gpl": b"GIMP Palette\nName: nothing\n",
    "count.pal": b"JASC-PAL\r\n0100\r\n4000000000\r\n0 0 0\r\n",
    "cut.pal": b"JASC-PAL\r\n01",
    "cut-riff.pal": b"RIFF\x10\0\0\0PAL data\xff\xff\xff\xff\0\3\xff\xff",
    "object.json": b"{}",
    "number-colours.json": b'{"palette": [1, 2, 3]}',
    "path-colours.json": b'{"palette": ["../../../etc/passwd"]}',
    "nan-transparent.json": b'{"palette": ["000000"], "transparent": NaN}',
    "huge-transparent.json": b'{"palette": ["000000"], "transparent": ' + b"9" * 4000 + b"}",
    "name-number.json": b'{"palette": ["000000"], "name": 7}',
    "ok-mark-and-crlf.hex": b"\xef\xbb\xbfFF0000\r\n00FF00\r\n",
    "ok-no-last-newline.hex": b"ff0000",
    "ok-path-name.json": b'{"palette": ["000000"], "name": "../../\\u0000\\u202e\\u001b[2Jx"}',
    "ok-wrong-ending.gpl": b'["ff0000", "00ff00"]',
}
_SPRITES = {
    "deep-lists.json": b"[" * 1_000_000,
    "deep-objects.json": b'{"a":' * 200_000 + b"1" + b"}" * 200_000,
    "deep-lineage.json": b'{"format":"pixelreef-sprite","lineage":' + b"[" * 5000 + b"]" * 5000 + b"}",
    "duplicate-keys.json": b'{"palette": ["000000"], "palette": ["ffffff"], "grid": ["0"]}',
    "trailing-comma.json": b'{"palette": ["000000"], "grid": ["0"],}',
    "truncated.json": sprite()[:-9],
    "two-documents.json": sprite() + sprite(),
    "nan.json": b'{"version": NaN, "palette": ["000000"], "grid": ["0"]}',
    "infinite.json": b'{"version": 1e999, "palette": ["000000"], "grid": ["0"]}',
    "negative-version.json": sprite(version=-1),
    "huge-version.json": sprite(version=10**3000),
    "float-version.json": sprite(version=1.0),
    "later-version.json": sprite(version=2),
    "negative-transparent.json": sprite(transparent=-1),
    "huge-milliseconds.json": sprite(frames=[{"rows": ["0"], "milliseconds": 10**400}]),
    "ragged.json": sprite(frames=[{"rows": ["01", "0"]}]),
    "outside-palette.json": sprite(frames=[{"rows": ["02"]}]),
    "wide-row.json": sprite(frames=[{"rows": ["0" * 2_000_000]}]),
    "many-rows.json": sprite(frames=[{"rows": ["0"] * 500_000}]),
    "many-frames.json": sprite(frames=[{"rows": ["0"]}] * 5000),
    "big-in-all.json": sprite(frames=[{"rows": ["0" * 1024] * 1024}] * 8),
    "too-many-colours.json": sprite(palette=["000000"] * 66),
    "unknown-key.json": sprite(__proto__={"x": 1}),
    "path-key.json": sprite(**{"../../x": 1}),
    "lone-surrogate-row.json": sprite(frames=[{"rows": ["\ud800"]}]),
    "grid-of-numbers.json": b'{"palette": ["000000"], "grid": [[0, 0], [0, 0]]}',
    "grid-null.json": b'{"palette": ["000000"], "grid": null}',
    "large.json": b'{"palette": ["000000"], "grid": ["' + b"0" * (17 * 2**20) + b'"]}',
    "utf16.json": '{"palette": ["000000"], "grid": ["0"]}'.encode("utf-16"),
    "ok-reply.json": b'{"palette": ["000000", "FF8800"], "grid": ["01", "10"]}',
    "ok-mark-and-crlf.json": b"\xef\xbb\xbf" + sprite().replace(b", ", b",\r\n"),
    "ok-path-name-sprite.json": sprite(name="../../etc/passwd\x1b[31m\u202e"),
    "ok-wrong-ending-sprite.png": sprite(),
}
_ASEPRITE = {
    "truncated.aseprite": SAMPLE[:-30],
    "header-only.aseprite": SAMPLE[:128],
    "half-a-header.aseprite": SAMPLE[:20],
    "no-magic.aseprite": SAMPLE[:4] + b"\0\0" + SAMPLE[6:],
    "bits.aseprite": SAMPLE[:12] + b"\x18\0" + SAMPLE[14:],
    "zero-size.aseprite": SAMPLE[:8] + bytes(4) + SAMPLE[12:],
    "bomb.aseprite": SAMPLE[:8] + b"\xff\xff\xff\xff" + SAMPLE[12:],
    "bomb-frames.aseprite": aseprite_made.file([aseprite_made.frame(aseprite_made.layer())] * 5000, (64, 64)),
    "bomb-cel.aseprite": aseprite_made.still(aseprite_made.layer(), aseprite_made.cel(bytes(2**22), (65_535, 65_535))),
    "bomb-tiles.aseprite": aseprite_made.still(
        aseprite_made.tileset(bytes(2**22), 2**32 - 1, (65_535, 65_535)),
        aseprite_made.layer(kind=2),
        aseprite_made.tilemap([1], (1, 1)),
    ),
    "deep.aseprite": aseprite_made.still(*(aseprite_made.layer(kind=1, level=level) for level in range(3000))),
    "short-pixels.aseprite": aseprite_made.still(aseprite_made.layer(), aseprite_made.cel(bytes(3))),
    "ok-sample.aseprite": SAMPLE,
    "ok-tiles.ase": TILED,
    "ok-wrong-ending-aseprite.png": SAMPLE,
    "ok-path-layer.aseprite": aseprite_made.still(aseprite_made.layer("../../\x1b[2J\u202e")),
    "ok-large-cel.aseprite": aseprite_made.still(
        aseprite_made.layer(), aseprite_made.cel(bytes(4 * 3000 * 3000), (3000, 3000))
    ),
}
_CORPORA = {
    "cut.parquet": parquet()[:200] + parquet()[-8:],
    "only-signs.parquet": b"PAR1PAR1",
    "noise.parquet": b"PAR1" + NOISE.tobytes() + b"\xff\xff\x00\x00PAR1",
    "endless-footer.parquet": b"PAR1" + b"\x15\x04" * 5000 + b"\xff\xff\xff\x7fPAR1",
    "no-palette.parquet": parquet(palette=None),
    "size-of-text.parquet": parquet(width=["2"]),
    "deep-footer.parquet": parquet(footer=b"[" * 100_000),
    "later-footer.parquet": parquet(footer=b'{"version": 99}'),
    "factor-nowhere.parquet": parquet(footer=b'{"version":1,"count":1,"hash":"","factors":[{"name":"a","values":[]}]}'),
    "ok-absurd-size.parquet": parquet(width=[2**40]),
    "ok-path-name.parquet": parquet(source=["../../\x1b[31m\u202e"], licence=["\x1b[31m\n\u202e"]),
    "ok-wrong-ending-corpus.png": parquet(),
}
MALFORMED: dict[str, bytes] = {**_IMAGES, **_PALETTES, **_SPRITES, **_ASEPRITE, **_CORPORA}
