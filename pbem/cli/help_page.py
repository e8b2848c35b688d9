"""``pbem help``: the pages that players mail for, with the server's own settings and templates."""

from __future__ import annotations

import sys

import click

from pbem.bootstrap.wording import make_wording
from pbem.cli.output import FAILED, read_settings, safe


@click.command("help")
@click.argument("words", metavar="[SUBJECT]...", nargs=-1)
def help_(words: tuple[str, ...]) -> None:
    """Print a page of the help, as players are mailed it."""
    wording = make_wording(read_settings())
    found = wording.help.find(words)
    for asked in found:
        if asked.is_missing:
            told = wording.tool("help_missing", {"asked": asked}).splitlines()
            click.echo("pbem: " + "\n".join(map(safe, told)), err=True)
        if asked.page is not None:
            click.echo(asked.page.text, nl=False)
    if not all(asked.page for asked in found):
        sys.exit(FAILED)
