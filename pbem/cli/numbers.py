"""Whole numbers on the command line."""

from __future__ import annotations

from typing import Any

import click

_LONGEST_QUOTE = 40


class Number(click.IntRange):
    """One within bounds; what is none is refused in plain words, and quoted in part if it is long."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a number."""
        if isinstance(value, str) and len(value) > _LONGEST_QUOTE:
            self.fail(f"{value[:_LONGEST_QUOTE]!r}... is not a valid number.", param, ctx)
        return super().convert(value, param, ctx)
