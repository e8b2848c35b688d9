"""Many letters of many people, and what each must lead to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from email import policy
from email.message import EmailMessage
from random import Random
from typing import Any

from pbem.games.hextile.superbo import SUPERBO
from tests.support.mail import PATIENCE
from tests.support.parsing import parsed

PASSWORD = "secret"
SERVER = "pbem@localhost"
LONG = 4 * PATIENCE
"""Seconds that anything may take while processes are killed."""


@dataclass(frozen=True)
class Post:
    """A letter to be mailed, and who must be mailed because of it."""

    message_id: str
    raw: bytes
    sender: str
    told: tuple[str, ...]
    to: str = SERVER
    subject: str = ""
    """The beginning of the Subject of the answer, as far as that is known before."""
    rival: str = ""
    """The thing that several letters ask for and only one can have."""

    @property
    def author(self) -> str:
        """Its writer, who gets the answer."""
        return str(parsed(self.raw)["From"])


def address(userid: str) -> str:
    return f"{userid}@example.org"


def random_turns(seed: int, most: int | None = None) -> list[tuple[str, Any]]:
    """The turns of a random game: as a player writes them, and as they are kept.

    Args:
        seed: of the game.
        most: the number of turns, the last one of the game excepted; None: all of them.
    """
    random = Random(seed)
    position, turns = SUPERBO.begin({}, players=2), list[tuple[str, Any]]()
    while position.outcome is None and (most is None or len(turns) < most):
        before = position
        while position.outcome is None and position.ply == before.ply:
            position = position.play(random.choice(position.legal()))
        if position.outcome is not None and most is not None:
            break
        text = SUPERBO.input_text(position, ()).move
        turns.append((text, SUPERBO.input_record(before, SUPERBO.read_input(before, text).steps)))
    return turns


class MailProgram:
    """A mail program that sends the letters of several people.

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


class PlayingPair(MailProgram):
    """Two players, their board, and the letters that are sent for both of them."""

    def __init__(self, name: str, board: int) -> None:
        super().__init__(name)
        self.board = board
        self.expected: list[Any] = []
        """The moves that the events of their board must hold."""
        self.plays_on = False
        """True if the game comes to its end by the rules, and nobody resigns."""

    @property
    def players(self) -> tuple[str, str]:
        return f"{self.name}-a", f"{self.name}-b"

    def signups(self) -> list[Post]:
        return [self.letter(userid, f"signup {userid} {PASSWORD}") for userid in self.players]

    def challenge(self) -> Post:
        return self.letter(self.players[0], f"superbo challenge {self.players[1]}", *self.players)

    def moves(self, seed: int, most: int | None = None) -> Iterator[Post]:
        for ply, (text, record) in enumerate(random_turns(seed, most)):
            mover = self.players[ply % 2]
            self.expected.append(record)
            command = f"superbo move {self.board} {mover} {PASSWORD} {text}#{ply + 1}"
            yield self.letter(mover, command, *self.players, body=f"My move number {ply + 1}.")

    def whole_game(self, seed: int) -> list[Post]:
        """All moves of a game, and some sign-ups between them."""
        self.plays_on = True
        letters: list[Post] = []
        for number, move in enumerate(self.moves(seed)):
            letters.append(move)
            if number % 5 == 0:
                newcomer = f"{self.name}-new{number}"
                letters.append(self.letter(newcomer, f"signup {newcomer} {PASSWORD}"))
        return letters

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
