"""Masks: how precisely an image model paints a semantic mask, whoever made it and however it was saved."""
