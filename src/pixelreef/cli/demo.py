"""`pixelreef demo`: the main job, end to end."""


def demo() -> None:
    """X."""
