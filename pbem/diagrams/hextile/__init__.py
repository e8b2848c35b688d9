"""Positions of the hexagonal tile games as text, read back from it, and as pictures."""
