"""Whole numbers on the command line."""

from __future__ import annotations

import click


class Number(click.IntRange):
    """One within bounds; what is none is refused in a word that is no programmer's."""

    name = "number"
