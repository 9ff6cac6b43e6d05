"""Pixelreef measures how precisely a model places pixels, and grows small models that place them well.

The rooms are sub-packages, imported by name (`from pixelreef.core import Palette`): importing `pixelreef` itself
loads nothing, so that `pixelreef --help` stays quick.
"""

__version__ = "0.1.0"
