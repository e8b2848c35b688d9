"""Tournaments: entries, rounds, tables."""
