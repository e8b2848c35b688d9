"""Tables, facts and JSON on the standard output."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from itertools import zip_longest
from typing import Any

import click

from pbem.cli.output import safe


def show(
    rows: Sequence[dict[str, Any]], columns: Sequence[str], *, as_json: bool, nothing: str = "There is nothing."
) -> None:
    """Print rows as a table, or as a JSON list of objects."""
    if as_json:
        click.echo(json.dumps(rows, default=_plain))
        return
    if not rows:
        click.echo(nothing)
        return
    lines = [(column, *(_cell(row[column]) for row in rows)) for column in columns]
    widths = [max(len(line) for cell in column for line in cell.split("\n")) for column in lines]
    for number, cells in enumerate(zip(*lines, strict=True)):
        for parts in zip_longest(*(cell.split("\n") for cell in cells), fillvalue=""):
            line = "  ".join(f"{part:{width}}" for part, width in zip(parts, widths, strict=True)).rstrip()
            click.secho(line, bold=number == 0)


def show_one(facts: dict[str, Any], *, as_json: bool) -> None:
    """Print the facts of one thing, one on each line, or as a JSON object."""
    if as_json:
        click.echo(json.dumps(facts, default=_plain))
        return
    width = max(map(len, facts))
    for name, value in facts.items():
        lines = [_cell(each) for each in value] if isinstance(value, list | tuple) else _cell(value).split("\n")
        for number, line in enumerate(lines or [""]):
            click.echo(f"{name if number == 0 else '':{width}}  {line}".rstrip())


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, dict):
        return "  ".join(_cell(each) for each in value.values() if each not in (None, ""))
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(value, list | tuple):
        return ", ".join(map(_cell, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "\n".join(safe(line) for line in str(value).split("\n"))


def _plain(value: object) -> Any:
    return value.isoformat() if isinstance(value, datetime) else str(value)
