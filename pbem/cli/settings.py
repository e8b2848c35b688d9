"""``pbem settings``: what the server would run with."""

from __future__ import annotations

import click

from pbem.cli.exits import read_settings


@click.command()
def settings() -> None:
    """Print every setting, its value and where it comes from.

    Secrets are masked.
    """
    from rich.console import Console  # which takes longer to load than most subcommands take
    from rich.table import Table

    table = Table("setting", "value", "from", box=None, header_style="bold", pad_edge=False)
    for row in read_settings().rows():
        table.add_row(*row)
    console = Console()
    Console(width=max(console.width, 120) if not console.is_terminal else None).print(table)
