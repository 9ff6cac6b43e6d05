"""Sprites for other programs: `export(sprites, format, out)` writes them as pictures, sheets, or an engine's own files.

order.py     what is exported: names, scale, what is known of each sprite
pack.py      many frames on one picture
png.py, indexed.py, gif.py, sheet.py, aseprite.py, tiled.py, godot/     one format each: from an order to its files
gather.py    sprites from documents, pictures, Aseprite files and corpora
label.py     part labels for those that came without
run.py       the table of formats, and writing
"""

from pixelreef.sprites.export.order import Labelled
from pixelreef.sprites.export.run import FORMATS, export

__all__ = ["FORMATS", "Labelled", "export"]
