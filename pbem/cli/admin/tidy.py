"""``pbem admin tidy``: what the running server does every hour, now."""

from __future__ import annotations

import json

import click

from pbem.bootstrap.parts import make_retention
from pbem.cli.admin.opening import as_json, at_desk
from pbem.cli.exits import read_settings


@click.command()
@as_json
def tidy(*, as_json: bool) -> None:
    """Forget what has been kept for long enough.

    The settings PBEM_KEEP_MAIL_DAYS and PBEM_KEEP_TRACES_DAYS say how long that is; a running server does the same
    every hour. The operator is told if letters that were set aside are among it.
    """
    settings = read_settings()
    with at_desk(settings) as desk:
        counts = make_retention(settings, desk.engine, desk.composer, desk.outbox).tidy()
        gone = {name: count for name, count in counts.items() if count}
        desk.do("tidy", "", ", ".join(f"{name} {count}" for name, count in gone.items()))
    if as_json:
        click.echo(json.dumps(counts))
        return
    for name, count in gone.items():
        click.echo(f"{name.replace('_', ' ')}: {count}")
    if not gone:
        click.echo("There is nothing to forget yet.")
