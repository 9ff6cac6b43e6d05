"""Corals and their kin: sessile, a base on the ground and polyps above it."""
