"""Links to the operator's page, without the command that prints them."""

from __future__ import annotations

from datetime import UTC, datetime
from secrets import token_urlsafe

from pbem.domain.credentials import hashed
from pbem.storage.engine import make_engine, writing
from pbem.storage.operators import add_link
from tests.support.server import GameServer


def link_to_admin(server: GameServer) -> str:
    """The end of a link to the operator's page, good once."""
    secret, engine = token_urlsafe(16), make_engine(server.database.url)
    with writing(engine) as connection:
        add_link(connection, hashed(secret), "root", datetime.now(UTC))
    engine.dispose()
    return secret
