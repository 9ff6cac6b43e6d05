"""Abyssal creatures: mouths, lures, armour and worms of the dark."""
