"""Octopuses, squids, cuttlefishes and the nautilus."""
