"""`godot`: a folder that Godot 4 opens as it is. Made by `project`, from `frames`, `scene`, `relight` and scripts."""

from pixelreef.sprites.export.godot.project import godot

__all__ = ["godot"]
