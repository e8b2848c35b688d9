"""``pbem admin sign-in``: a link to the operator's page."""

from __future__ import annotations

import secrets
from datetime import datetime

import click
from sqlalchemy import Connection

from pbem.cli.admin.opening import at_desk
from pbem.cli.exits import end, read_settings
from pbem.domain.sessions import OPERATOR_LINK_FOR, hashed
from pbem.storage.operators import add_link


@click.command(name="sign-in")
def sign_in() -> None:
    """Print a link to the page /admin, which shows how the server is doing.

    The link works once, within a quarter of an hour, for whoever has it; nobody else can see that page. The request is
    recorded.
    """
    settings = read_settings()
    if settings.web_listen is None and settings.web_url is None:
        end("there are no pages: PBEM_WEB_LISTEN is off")
    secret = secrets.token_urlsafe(32)
    with at_desk(settings) as desk:

        def write(connection: Connection, now: datetime) -> None:
            add_link(connection, hashed(secret), desk.operator, now)

        desk.do("sign-in", "/admin", write=write)
    click.echo(f"{settings.site_url}/admin/sign-in/{secret}")
    minutes = int(OPERATOR_LINK_FOR.total_seconds()) // 60
    click.echo(f"pbem: good once, within {minutes} minutes; do not pass it on", err=True)
