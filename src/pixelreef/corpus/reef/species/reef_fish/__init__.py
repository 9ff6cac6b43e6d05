"""Fishes of the reef's kind, wherever they live."""
