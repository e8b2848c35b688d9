"""``pbem settings``: what the server would run with."""

from __future__ import annotations

import click

from pbem.cli.exits import read_settings
from pbem.cli.tables import show


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list of objects.")
def settings(*, as_json: bool) -> None:
    """Print every setting, its value and where it comes from.

    Secrets are masked.
    """
    columns = ("setting", "value", "from")
    rows = [dict(zip(columns, row, strict=True)) for row in read_settings().rows()]
    show(rows, columns, as_json=as_json)
