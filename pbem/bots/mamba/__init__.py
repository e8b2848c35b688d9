"""Mamba on integers alone: a board as one array, every change undone, games by lot that are broken off and judged."""
