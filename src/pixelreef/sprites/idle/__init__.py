"""An idle animation of four frames from one sprite: its parts sway, or the whole of it breathes."""
