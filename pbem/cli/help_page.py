"""``pbem help``: the pages that players mail for, with the server's own settings and templates."""

from __future__ import annotations

import click

from pbem.bootstrap.wording import make_wording
from pbem.cli.exits import end, read_settings


@click.command("help")
@click.argument("words", metavar="[SUBJECT]...", nargs=-1)
def help_(words: tuple[str, ...]) -> None:
    """Print a page of the help, as players are mailed it."""
    for asked in make_wording(read_settings()).help.find(words):
        if asked.page is None or asked.is_missing:
            near = ", ".join(asked.near)
            end(f"There is no help about {asked.subject!r}." + (f" There is about: {near}." if near else ""))
        click.echo(asked.page.text, nl=False)
