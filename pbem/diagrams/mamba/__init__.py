"""Positions of Mamba as text and as pictures."""
