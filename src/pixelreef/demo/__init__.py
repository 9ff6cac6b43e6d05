"""The main job, end to end, offline, on the base install: what `make demo` runs.

Each room adds its part in `PARTS`: what is alive and beautiful stands first on the page, boards below. Nothing here
imports torch or inspect_ai.
"""

from pixelreef.demo.run import DemoResult, run_demo

__all__ = ["DemoResult", "run_demo"]
