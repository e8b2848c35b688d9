"""The database of a server, and all that was sent held against all that came."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Executable, select

from pbem.storage.models import BoardRow, EventRow
from pbem.storage.packed_mails import without_pictures
from tests.reliability.posts import LONG, PlayingPair, Post
from tests.support.databases import Database
from tests.support.kept_mails import words_of_kept
from tests.support.parsing import parsed
from tests.support.server import RunningServer


class Ledger:
    """The server's database, read from outside."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def rows(self, query: str | Executable, /, **values: object) -> list[Any]:
        """The rows that a query finds."""
        return self._database.rows(query, **values)

    def is_sound(self) -> bool:
        """Return True if nothing in it is damaged."""
        return self._database.is_sound()

    def waiting(self) -> tuple[int, int]:
        (row,) = self.rows(
            "SELECT (SELECT count(*) FROM inbox WHERE state = 'waiting'),"
            " (SELECT count(*) FROM outbox WHERE state = 'waiting')"
        )
        return row[0], row[1]

    def wait_until_more_is_done_than(self, done: int) -> int:
        """Wait until another letter is handled, or none is left; return how many are."""
        deadline = time.monotonic() + LONG
        while True:
            ((now,),) = self.rows("SELECT count(*) FROM inbox WHERE state = 'done'")
            if now > done or self.waiting()[0] == 0:
                return int(now)
            assert time.monotonic() < deadline, self.waiting()
            time.sleep(0.005)

    def wait_until_idle(self) -> None:
        """Wait until every letter is handled and every mail handed over."""
        deadline = time.monotonic() + LONG
        while self.waiting() != (0, 0):
            assert time.monotonic() < deadline, self.waiting()
            time.sleep(0.05)


def check_exactly_once(server: RunningServer, accepted: Sequence[Post], pairs: Iterable[PlayingPair]) -> Counter[str]:
    """Hold the database and the postbox against the letters that were answered 250.

    Returns:
        How often each Message-ID arrived.
    """
    ledger = Ledger(server.database)
    assert ledger.is_sound()
    assert len({letter.message_id for letter in accepted}) == len(accepted)
    letters = ledger.rows("SELECT id, state FROM inbox")
    assert Counter(state for _, state in letters) == {"done": len(accepted)}
    _check_answers(ledger, accepted)
    for pair in pairs:
        _check_board(ledger, pair)
    return _check_arrivals(ledger, server)


def _check_answers(ledger: Ledger, accepted: Sequence[Post]) -> None:
    """Every letter has led to its mails, once; no mail is there for any other reason.

    An answer to a stranger refers to no letter, so it is known by whom it is for.
    """
    told: defaultdict[str, list[str]] = defaultdict(list)
    answered: dict[str, list[str]] = defaultdict(list)
    for key, recipient, packed, raw in ledger.rows("SELECT key, recipient, packed, raw FROM outbox"):
        told[key.partition("-")[0]].append(recipient)
        headers = parsed(_words(packed, raw))
        if headers["Auto-Submitted"] == "auto-replied":
            answered[str(headers["In-Reply-To"] or recipient)].append(key.partition("-")[0])
    assert {len(keys) for keys in answered.values()} == {1}
    names = [letter.message_id if letter.message_id in answered else letter.told[0] for letter in accepted]
    assert sorted(answered) == sorted(names)
    assert len(told) == len(accepted)
    for letter, name in zip(accepted, names, strict=True):
        assert sorted(told[answered[name][0]]) == sorted(letter.told)


def _check_board(ledger: Ledger, pair: PlayingPair) -> None:
    columns = EventRow.number, EventRow.kind, EventRow.record
    events = ledger.rows(select(*columns).where(EventRow.board_number == pair.board).order_by(EventRow.number))
    assert [number for number, _, _ in events] == list(range(1, len(pair.expected) + 1))
    assert {kind for _, kind, _ in events} == {"move"}
    assert [record for _, _, record in events] == pair.expected
    if pair.plays_on:
        ends = select(BoardRow.active, BoardRow.to_act).where(BoardRow.number == pair.board)
        assert ledger.rows(ends) == [(False, None)]
        return
    seats = ledger.rows("SELECT resigning FROM seats WHERE board_number = :board ORDER BY seat", board=pair.board)
    assert seats[(len(pair.expected) + 1) % 2] == (True,)
    assert seats[len(pair.expected) % 2] == (False,)


def _check_arrivals(ledger: Ledger, server: RunningServer) -> Counter[str]:
    """Every mail has arrived, as it is in the outbox, however often."""
    kept = ledger.rows("SELECT message_id, recipient, state, packed, raw FROM outbox")
    written = {row[0]: row[1:] for row in kept}
    assert {row[1] for row in written.values()} == {"sent"}
    arrived = [(str(mail.parsed["Message-ID"]), mail) for mail in server.postbox.mails]
    assert {message_id for message_id, _ in arrived} == set(written)
    for message_id, mail in arrived:
        recipient, _, packed, raw = written[message_id]
        assert (mail.recipient, without_pictures(mail.raw)) == (recipient, _words(packed, raw))
    return Counter(message_id for message_id, _ in arrived)


def _words(packed: bytes | None, raw: bytes | None) -> bytes:
    """A mail that was sent, without pictures; those of a version before this one are kept as they were."""
    if packed is not None:
        return words_of_kept(packed)
    assert raw is not None
    return without_pictures(raw)
