"""Sprites over HTTP, for games and tools on this machine: `pixelreef sprites serve`.

`app` puts it together: one module `routes_…` for each thing that can be asked for, and `questions` for what these have
in common. `queue` draws what concurrent requests ask for together; `limits` and `wire` refuse what is too large or too
slow; `run` listens, and ends cleanly.
"""
