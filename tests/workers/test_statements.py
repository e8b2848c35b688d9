"""The number of queries for one letter: over a network each is a round trip."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine, event

from tests.support.stepped_server import SteppedServer

PASSWORD = "hunter2-and-more"
MOST = 17
"""From the lease of a move to its answers; one of them is for PostgreSQL alone, which is told what need not last."""


@contextmanager
def counted(engine: Engine) -> Iterator[list[str]]:
    """The statements sent within; the beginnings of transactions do not count, since only one database is sent them."""
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if not statement.startswith("BEGIN"):
            asked.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    yield asked
    event.remove(engine, "before_cursor_execute", note)


def test_a_move_takes_few_statements(stepped: SteppedServer) -> None:
    for userid in ("alice", "bob"):
        stepped.gets(f"signup {userid} {PASSWORD}", sender=f"{userid}@example.org")
    stepped.gets("superbo challenge alice bob")
    stepped.gets(f"move 101 alice {PASSWORD} b3")
    stepped.gets(f"move 101 bob {PASSWORD} c4,k5", sender="bob@example.org")
    stepped.works()
    stepped.gets(f"move 101 alice {PASSWORD} g2,h7")
    with counted(stepped.server.engine) as asked:
        assert stepped.worker.step()
    assert any("INSERT INTO events" in each for each in asked)
    assert len(asked) <= MOST, f"{len(asked)}: {asked}"
    assert not any("UPDATE seats" in each or "clock_pauses (" in each for each in asked), "nothing of that has changed"


def test_of_many_players_those_who_do_not_speak_are_read_at_once(stepped: SteppedServer) -> None:
    players = ("alice", "bob", "carol", "dave")
    for userid in players:
        stepped.gets(f"signup {userid} {PASSWORD}", sender=f"{userid}@example.org")
    stepped.gets(f"mamba challenge -inorder {' '.join(players)}")
    stepped.gets(f"move 101 alice {PASSWORD} f3-h3")
    stepped.works()
    stepped.gets(f"move 101 bob {PASSWORD} b5-a5", sender="bob@example.org")
    with counted(stepped.server.engine) as asked:
        assert stepped.worker.step()
    assert any("INSERT INTO events" in each for each in asked)
    assert sum("FROM players" in each for each in asked) == 2, asked
