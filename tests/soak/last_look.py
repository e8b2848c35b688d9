"""The auditor's last look: into the database, when everything is at rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import select

from pbem.storage.models import EventRow
from tests.cli.running import pbem
from tests.soak.logs import REFUSED, Fate, Logs
from tests.soak.server import OPERATOR
from tests.support.databases import KEY, Database

_QUEUES = ("inbox", "outbox", "tasks")
_WHY = "id, state, attempts, next_attempt_at, lease_until, last_error"
_SHOWN = 5


def look(database: Database, logs: Logs, boards: Mapping[int, Sequence[Any]]) -> Iterator[str]:
    """Yield the faults in the database.

    Args:
        database: of the server, which has ended.
        logs: what senders and receivers know.
        boards: what must stand in the events of each board.
    """
    if not database.is_sound():
        yield "the database is damaged"
    for queue in _QUEUES:
        but = f"NOT (state = 'failed' AND recipient LIKE '{REFUSED}%')" if queue == "outbox" else "true"
        query = f"(state NOT IN ('done', 'sent') OR lease_owner IS NOT NULL) AND {but} ORDER BY id"
        left = database.rows(f"SELECT {_WHY} FROM {queue} WHERE {query}")  # noqa: S608 - ours
        if left:
            yield f"{len(left)} in {queue} are left or leased; {_WHY} of the first: {left[:_SHOWN]}"
    yield from _letters(database, logs)
    yield from _mails(database, logs)
    for board, expected in boards.items():
        yield from _events(database, board, expected)


def checked(database: Database, folder: Path) -> Iterator[str]:
    """The faults that ``pbem db check`` finds, run in a folder; it plays every board through."""
    done = pbem(folder, "db", "check", database_url=database.url, secret_key=KEY)
    if done.returncode != 0:
        yield f"pbem db check says:\n{done.stdout}{done.stderr}"


def _letters(database: Database, logs: Logs) -> Iterator[str]:
    ((stored,),) = database.rows("SELECT count(*) FROM inbox")
    accepted = sum(letter.fate == Fate.ACCEPTED for letter in logs.sent)
    if not accepted <= stored <= len(logs.sent):
        yield f"{stored} letters are stored, {accepted} were accepted, {len(logs.sent) - accepted} perhaps"


def _mails(database: Database, logs: Logs) -> Iterator[str]:
    stored = {name: (to, state) for name, to, state in database.rows("SELECT message_id, recipient, state FROM outbox")}
    kept = {mail.message_id for mail in logs.arrived if mail.is_kept}
    alarms = {mail.message_id for mail in logs.arrived if mail.recipient == OPERATOR}  # they go past the database
    for name in kept - stored.keys() - alarms:
        yield f"{name} has arrived and is not stored"
    for name in stored.keys() - kept:
        to, state = stored[name]
        if state != "failed" or not to.startswith(REFUSED):
            yield f"{name} to {to} is {state} and has not arrived"


def _events(database: Database, board: int, expected: Sequence[Any]) -> Iterator[str]:
    columns = EventRow.number, EventRow.kind, EventRow.record
    events = database.rows(select(*columns).where(EventRow.board_number == board).order_by(EventRow.number))
    numbers = [number for number, _, _ in events]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"the events of board {board} are {numbers}"
    if [record for _, _, record in events] != list(expected) or {kind for _, kind, _ in events} - {"move"}:
        yield f"board {board} has other events than were written: {events[len(expected) - 2 :]}"
