"""Mamba on integers alone: a board as one array, every change undone, random games that are broken off and judged."""
