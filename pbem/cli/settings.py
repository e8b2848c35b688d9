"""``pbem settings``: what the server would run with."""

from __future__ import annotations

import click
from rich.table import Table

from pbem.cli.exits import read_settings
from pbem.cli.tables import print_table


@click.command()
def settings() -> None:
    """Print every setting, its value and where it comes from.

    Secrets are masked.
    """
    table = Table("setting", "value", "from", box=None, header_style="bold", pad_edge=False)
    for row in read_settings().rows():
        table.add_row(*row)
    print_table(table)
