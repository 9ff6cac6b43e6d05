"""Creatures of the sea floor that graze: on legs, on a foot, on tubes or with flippers."""
