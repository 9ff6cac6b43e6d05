"""What Inspect finds through the entry point of this package: tasks as `pixelreef/…`, and models as `local/…`."""

from pixelreef.draw.task import draw
from pixelreef.masks.task import masks
from pixelreef.runs.models import register

register()

__all__ = ["draw", "masks"]
