"""Positions as text, drawn for mails and read back, and as pictures.

What is here draws hexagonal tiles, but for `curves`, `elements`, `pen`, `palettes` and `paths`, which any game's
pictures are made with; Mamba has a package of its own.
"""
