"""``pbem admin`` and ``pbem admin deeds``: how the server is doing, and what was done."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime

import click

from pbem.bootstrap.condition import condition
from pbem.bootstrap.wording import make_wording
from pbem.cli.admin.opening import as_json, at_desk, limit
from pbem.cli.exits import read_settings
from pbem.cli.tables import show
from pbem.storage.deeds import last_deeds
from pbem.storage.overview import overview
from pbem.usecases.admin.attention import judge


def show_overview(*, as_json: bool) -> None:
    """Print how the server is doing."""
    settings, now = read_settings(), datetime.now(UTC)
    with at_desk(settings) as desk:
        found = judge(condition(desk.engine, settings, now))
        with desk.reading() as connection:
            counts = overview(connection, now)
    if as_json:
        click.echo(json.dumps({**counts, "attention": [asdict(each) for each in found]}, default=datetime.isoformat))
        return
    click.echo(make_wording(settings).tool("attention", {"found": found}))
    width = max(map(len, counts))
    for name, count in counts.items():
        click.echo(f"{name.replace('_', ' '):{width}}  {count:>7}")


@click.command()
@limit
@as_json
def deeds(limit: int, *, as_json: bool) -> None:
    """List what operators have done, newest first."""
    with at_desk() as desk, desk.reading() as connection:
        rows = [asdict(deed) for deed in last_deeds(connection, limit)]
    show(rows, ("at", "operator", "deed", "subject", "reason"), as_json=as_json, nothing="Nothing has been done yet.")
