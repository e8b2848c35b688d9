"""Positions of Mamba as text, read back from it, and as pictures."""
