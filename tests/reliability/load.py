"""Mail programs that do not give up, many letters for them, and what must have become of each."""

from __future__ import annotations

import smtplib
import time
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass
from email import policy
from email.message import EmailMessage
from random import Random
from threading import Condition, Thread
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.games.hextile.superbo import SUPERBO
from pbem.storage.models import EventRow
from tests.support.mail import PATIENCE
from tests.support.parsing import parsed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sqlalchemy import Executable

    from tests.support.databases import Database
    from tests.support.server import RunningServer

PASSWORD = "secret"
SERVER = "pbem@localhost"
_LONG = 4 * PATIENCE


@dataclass(frozen=True)
class Post:
    """A letter to be mailed, and who must be mailed because of it."""

    message_id: str
    raw: bytes
    sender: str
    told: tuple[str, ...]
    to: str = SERVER
    subject: str = ""
    """What the Subject of the answer begins with, as far as that is known before."""
    rival: str = ""
    """What several letters want of which one can have it."""

    @property
    def author(self) -> str:
        """Who has written it, and is answered."""
        return str(parsed(self.raw)["From"])


def address(userid: str) -> str:
    return f"{userid}@example.org"


def random_turns(seed: int, most: int) -> list[tuple[str, Any]]:
    """The first turns of a random game, its last one excepted: as a player writes them, and as they are kept."""
    random = Random(seed)
    position, turns = SUPERBO.begin({}, players=2), list[tuple[str, Any]]()
    while len(turns) < most:
        before = position
        while position.outcome is None and position.ply == before.ply:
            position = position.play(random.choice(position.legal()))
        if position.outcome is not None:
            break
        text = SUPERBO.input_text(position, ()).move
        turns.append((text, SUPERBO.input_record(before, SUPERBO.read_input(before, text).steps)))
    return turns


class MailProgram:
    """What sends the letters of several people.

    One envelope sender, so that the server promises to take the letters in their order.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._count = 0

    def letter(
        self,
        userid: str,
        subject: str,
        *told: str,
        body: str = "",
        to: str = SERVER,
        answered: str = "",
        rival: str = "",
    ) -> Post:
        """A letter of somebody.

        Args:
            userid: who writes it.
            subject: its Subject.
            told: who must be mailed because of it; nobody: its writer.
            body: its text.
            to: where it goes.
            answered: what the Subject of the answer must begin with.
            rival: what others want, too, that only one can have.
        """
        self._count += 1
        letter = EmailMessage(policy=policy.SMTP)
        letter["From"] = address(userid)
        letter["To"] = to
        letter["Subject"] = subject
        letter["Message-ID"] = f"<{self.name}.{self._count}@example.org>"
        letter.set_content(body + "\n")
        everybody = tuple(address(each) for each in told or (userid,))
        sender = f"{self.name}@example.org"
        return Post(str(letter["Message-ID"]), letter.as_bytes(), sender, everybody, to, answered, rival)


class Pair(MailProgram):
    """Two players, their board, and the letters that are sent for both of them."""

    def __init__(self, name: str, board: int) -> None:
        super().__init__(name)
        self.board = board
        self.expected: list[Any] = []
        """What must stand in the events of their board."""

    @property
    def players(self) -> tuple[str, str]:
        return f"{self.name}-a", f"{self.name}-b"

    def signups(self) -> list[Post]:
        return [self.letter(userid, f"signup {userid} {PASSWORD}") for userid in self.players]

    def challenge(self) -> Post:
        return self.letter(self.players[0], f"superbo challenge {self.players[1]}", *self.players)

    def moves(self, seed: int, most: int) -> Iterator[Post]:
        for ply, (text, record) in enumerate(random_turns(seed, most)):
            mover = self.players[ply % 2]
            self.expected.append(record)
            command = f"superbo move {self.board} {mover} {PASSWORD} {text}#{ply + 1}"
            yield self.letter(mover, command, *self.players, body=f"My move number {ply + 1}.")

    def letters(self, seed: int, moves: int) -> list[Post]:
        """Moves with all kinds of other letters between them, and at last three announcements to resign.

        Each announcement takes the one before back: one lost, or one done twice, and the board shows it.
        """
        letters: list[Post] = []
        for number, move in enumerate(self.moves(seed, moves)):
            letters.append(move)
            player = self.players[number % 3 % 2]
            if number % 3 == 0:
                newcomer = f"{self.name}-new{number}"
                letters.append(self.letter(newcomer, f"signup {newcomer} {PASSWORD}"))
            elif number % 3 == 1:
                letters.append(self.challenge())
            else:
                letters.append(self.letter(player, "help" if number % 2 else f"superbo show {self.board}"))
        waiting = self.players[(len(self.expected) + 1) % 2]
        letters += [self.letter(waiting, f"resign {self.board} {waiting} {PASSWORD}") for _ in range(3)]
        return letters


class Mailers:
    """One thread for each list of letters; sends the same bytes again until it hears 250, as an MTA does."""

    rest = 0.01
    """Seconds until a letter is tried again."""

    def __init__(self, server: RunningServer, work: Iterable[Iterable[Post]]) -> None:
        self.accepted: list[Post] = []
        self._server = server
        self._is_up = True
        self._given_up = False
        self._changed = Condition()
        self._threads = [Thread(target=self._send_all, args=(letters,)) for letters in work]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def wait_for(self, accepted: int) -> None:
        """Wait until so many letters have been answered 250."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.accepted) >= accepted, _LONG), "letters are not accepted"

    def server_is(self, up: bool) -> None:
        with self._changed:
            self._is_up = up
            self._changed.notify_all()

    def join(self) -> None:
        for thread in self._threads:
            thread.join(_LONG)
            assert not thread.is_alive()

    def give_up(self) -> None:
        """Send no more; whatever is not accepted now is not tried again."""
        self._given_up = True
        self.server_is(True)
        self.join()

    def _send_all(self, letters: Iterable[Post]) -> None:
        client: smtplib.SMTP | None = None
        for letter in letters:
            while not self._given_up:
                try:
                    client = client or smtplib.SMTP("127.0.0.1", self._server.port, timeout=_LONG)
                    self._hand_over(client, letter)
                except (OSError, smtplib.SMTPException) as failed:
                    _hang_up(client)
                    client = None
                    if not self._tries_again(letter, failed):
                        break
                    with self._changed:
                        self._changed.wait_for(lambda: self._is_up, _LONG)
                    time.sleep(self.rest)
                    continue
                with self._changed:
                    self.accepted.append(letter)
                    self._changed.notify_all()
                break
        _hang_up(client)

    def _hand_over(self, client: smtplib.SMTP, letter: Post) -> None:
        """Try once; on return it has been answered 250."""
        client.sendmail(letter.sender, [letter.to], letter.raw)

    def _tries_again(self, _letter: Post, _failed: Exception) -> bool:
        """Whether a letter that has failed is tried again."""
        return True


def _hang_up(client: smtplib.SMTP | None) -> None:
    if client is not None:
        with suppress(OSError, smtplib.SMTPException):
            client.quit()
        client.close()


class Ledger:
    """The server's database, read from outside."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def rows(self, query: str | Executable, /, **values: object) -> list[Any]:
        """What a query finds."""
        return self._database.rows(query, **values)

    def is_sound(self) -> bool:
        """Whether nothing in it is damaged."""
        return self._database.is_sound()

    def waiting(self) -> tuple[int, int]:
        (row,) = self.rows(
            "SELECT (SELECT count(*) FROM inbox WHERE state = 'waiting'),"
            " (SELECT count(*) FROM outbox WHERE state = 'waiting')"
        )
        return row[0], row[1]

    def wait_until_more_is_done_than(self, done: int) -> int:
        """Wait until another letter is handled, or none is left; return how many are."""
        deadline = time.monotonic() + _LONG
        while True:
            ((now,),) = self.rows("SELECT count(*) FROM inbox WHERE state = 'done'")
            if now > done or self.waiting()[0] == 0:
                return int(now)
            assert time.monotonic() < deadline, self.waiting()
            time.sleep(0.005)

    def wait_until_idle(self) -> None:
        """Wait until every letter is handled and every mail handed over."""
        deadline = time.monotonic() + _LONG
        while self.waiting() != (0, 0):
            assert time.monotonic() < deadline, self.waiting()
            time.sleep(0.05)


def check_exactly_once(server: RunningServer, accepted: Sequence[Post], pairs: Iterable[Pair]) -> Counter[str]:
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
    """Every letter has led to its mails, once; no mail is there for any other reason."""
    told: defaultdict[str, list[str]] = defaultdict(list)
    answered: dict[str, list[str]] = defaultdict(list)
    for key, recipient, raw in ledger.rows("SELECT key, recipient, raw FROM outbox"):
        told[key.partition("-")[0]].append(recipient)
        headers = parsed(raw)
        if headers["Auto-Submitted"] == "auto-replied":
            answered[str(headers["In-Reply-To"])].append(key.partition("-")[0])
    assert {len(keys) for keys in answered.values()} == {1}
    assert set(answered) == {letter.message_id for letter in accepted}
    assert len(told) == len(accepted)
    for letter in accepted:
        assert sorted(told[answered[letter.message_id][0]]) == sorted(letter.told)


def _check_board(ledger: Ledger, pair: Pair) -> None:
    columns = EventRow.number, EventRow.kind, EventRow.record
    events = ledger.rows(select(*columns).where(EventRow.board_number == pair.board).order_by(EventRow.number))
    assert [number for number, _, _ in events] == list(range(1, len(pair.expected) + 1))
    assert {kind for _, kind, _ in events} == {"move"}
    assert [record for _, _, record in events] == pair.expected
    seats = ledger.rows("SELECT resigning FROM seats WHERE board_number = :board ORDER BY seat", board=pair.board)
    assert seats[(len(pair.expected) + 1) % 2] == (True,)
    assert seats[len(pair.expected) % 2] == (False,)


def _check_arrivals(ledger: Ledger, server: RunningServer) -> Counter[str]:
    """Every mail has arrived, as it is in the outbox, however often."""
    written = {row[0]: row[1:] for row in ledger.rows("SELECT message_id, recipient, raw, state FROM outbox")}
    assert {state for _, _, state in written.values()} == {"sent"}
    arrived = [(str(mail.parsed["Message-ID"]), mail) for mail in server.postbox.mails]
    assert {message_id for message_id, _ in arrived} == set(written)
    for message_id, mail in arrived:
        assert (mail.recipient, mail.raw) == written[message_id][:2]
    return Counter(message_id for message_id, _ in arrived)
