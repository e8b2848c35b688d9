"""People who play, look things up, chat and make mistakes."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from random import Random
from threading import Condition, Event
from typing import Any

from pbem.bootstrap import find_games
from tests.conversations.mamba import next_line
from tests.reliability.posts import PASSWORD, MailProgram, Post, address
from tests.soak.logs import CARELESS, GUEST, QUESTION, REFUSED, Logs
from tests.soak.receiver import Receiver, Vain
from tests.support.mail import PATIENCE, Mail

_MOST_UNANSWERED = 4
"""Letters of one mail program that may wait for their answers."""
_NEW = re.compile(r"New \S+ Board ([0-9]+)")
_GAMES = find_games()
_OF_TWO = ("superbo", "superbo", "mambo", "lambo", "palago", "mamba")
_SIGNUP = QUESTION + " your pbem account {}"
_LOOK_AGAIN = 0.2
"""Seconds between two looks whether the town is closing."""
_TWICE = 0.3
"""The share of the moves with a password that two mail programs make at the same time."""
_BY_REPLY = 0.3
"""The share of the moves that are made without a password."""


@dataclass
class SoakTown:
    """The things that all people share."""

    receiver: Receiver
    logs: Logs
    closing: Event = field(default_factory=Event)
    boards: dict[int, list[Any]] = field(default_factory=dict)
    """The moves that the events of each board must hold."""
    _begun: Condition = field(default_factory=Condition)

    def begin(self, board: int) -> list[Any]:
        """Note that a board has begun; what must stand in its events is to be noted in what is returned."""
        with self._begun:
            self.boards[board] = []
            self._begun.notify_all()
        return self.boards[board]

    def wait_for_boards(self, count: int) -> None:
        """Wait until so many have begun.

        Raises:
            Vain: they do not.
        """
        with self._begun:
            if not self._begun.wait_for(lambda: len(self.boards) >= count, PATIENCE):
                raise Vain(f"only {len(self.boards)} boards have begun")


class People(MailProgram):
    """Those who share one mail program; what they write next follows from what they were told.

    Args:
        name: theirs.
        town: where they live.
        chance: decides what they do.
    """

    def __init__(self, name: str, town: SoakTown, chance: Random) -> None:
        super().__init__(name)
        self._town = town
        self._chance = chance
        self._unanswered: deque[Post] = deque()

    def letters(self) -> Iterator[Post]:
        """Everything that they write until the town closes; each letter must be sent before the next is asked for."""
        try:
            yield from self._life()
            self._wait(0)
        except Vain as vain:
            self._town.logs.complaints.append(f"{self.name}: {vain}")
        except Exception as failed:  # noqa: BLE001 - they were told what they cannot have been told
            self._town.logs.complaints.append(f"{self.name}: {type(failed).__name__}: {failed}")

    def _life(self) -> Iterator[Post]:
        raise NotImplementedError

    def _say(self, userid: str, subject: str, *told: str, answered: str = "", **more: str) -> Iterator[Post]:
        """Write a letter; there are never many that wait for an answer."""
        letter = self.letter(userid, subject, *told, answered=answered, **more)
        yield letter
        self._unanswered.append(letter)
        self._wait(_MOST_UNANSWERED)

    def _wait(self, most: int) -> None:
        while len(self._unanswered) > most:
            self._town.receiver.answer_to(self._unanswered.popleft())

    def _ask(self, userid: str, subject: str, *told: str, answered: str = "", **more: str) -> Iterator[Post]:
        """The same, and what is answered becomes `heard`."""
        letter = self.letter(userid, subject, *told, answered=answered, **more)
        yield letter
        self._wait(0)
        self.heard = self._town.receiver.answer_to(letter)

    def _reply(self, userid: str, mail: Mail, body: str, *told: str, answered: str = "") -> Iterator[Post]:
        yield from self._say(userid, f"Re: {mail.subject}", *told, body=body, to=mail.reply_to, answered=answered)


class Strangers(People):
    """Nobody twice: they look around, and some do not care whether they are answered."""

    def _life(self) -> Iterator[Post]:
        number = 0
        while not self._town.closing.is_set():
            number += 1
            kind = self._chance.choice([GUEST, GUEST, CARELESS, REFUSED])
            who = f"{kind}-{self.name}-{number}"
            subject = self._chance.choice(["help", "list", "superbo standings", "help superbo", f"frob {number}"])
            letter = self.letter(who, subject)
            yield letter
            if kind == GUEST:
                self._unanswered.append(letter)
                self._wait(_MOST_UNANSWERED)
            else:
                self._town.closing.wait(0.05)


class Echo(People):
    """A second mail program of the players of a table: it writes at the same time as the first."""

    def __init__(self, name: str, town: SoakTown, chance: Random) -> None:
        super().__init__(name, town, chance)
        self._to_write: SimpleQueue[Callable[[Echo], Post]] = SimpleQueue()

    def write(self, make: Callable[[Echo], Post]) -> None:
        """Have a letter written, as soon as those before it are sent."""
        self._to_write.put(make)

    def _life(self) -> Iterator[Post]:
        while not self._town.closing.is_set():
            with suppress(Empty):
                letter = self._to_write.get(timeout=_LOOK_AGAIN)(self)
                yield letter
                self._unanswered.append(letter)
                self._wait(_MOST_UNANSWERED)


class Players(People):
    """Players of one table: they sign up, and play one game after the other.

    Args:
        name, town, chance: as of all people.
        echo: their other mail program.
        count: how many they are.
    """

    def __init__(self, name: str, town: SoakTown, chance: Random, echo: Echo, count: int = 2) -> None:
        super().__init__(name, town, chance)
        self._echo = echo
        self._userids = [f"{name}-{place}" for place in "abcd"[:count]]

    def _life(self) -> Iterator[Post]:
        for userid in self._userids:
            yield from self._ask(userid, f"signup {userid} {PASSWORD}", answered=_SIGNUP.format(userid))
            yield from self._reply(userid, self.heard, "yes", answered=f"Welcome to pbem, {userid}")
            self._wait(0)
            if self._chance.random() < 0.8:
                yield from self._say(userid, f"set {userid} {PASSWORD} mail=text")
        while not self._town.closing.is_set():
            yield from self._game()

    def _game(self) -> Iterator[Post]:
        name = self._chance.choice(_OF_TWO) if len(self._userids) == 2 else "mamba"
        options = "-inorder " if name == "mamba" else ""
        yield from self._ask(
            self._userids[0],
            f"{name} challenge {options}{' '.join(self._userids)}",
            *self._userids,
            answered=f"New {name} Board ",
        )
        found = _NEW.match(self.heard.subject)
        assert found is not None, self.heard.subject
        board = int(found[1])
        events = self._town.begin(board)
        position = _GAMES[name].begin({}, len(self._userids))
        while position.to_act is not None and not self._town.closing.is_set():
            mover, said = self._userids[position.to_act], self._input(name, position)
            read = _GAMES[name].read_input(position, said)
            after = _GAMES[name].play_input(position, read.steps)
            mail = self._mail_of(board, mover, len(events)) if self._chance.random() < _BY_REPLY else None
            events.append(_GAMES[name].input_record(position, read.steps))
            yield from self._move(f"{name} Board {board}", mover, f"{said}#{position.ply + 1}", mail, after)
            position = after
            if self._chance.random() < 0.35:
                yield from self._something_else(name, board, position)

    def _input(self, name: str, position: Any) -> str:
        """The text of what somebody may play."""
        if name == "mamba":
            return next_line(position, (0,), self._chance).text
        now = position
        while now.outcome is None and now.ply == position.ply:
            now = now.play(self._chance.choice(now.legal()))
        return str(_GAMES[name].input_text(now, ()).move)

    def _mail_of(self, board: int, userid: str, event: int) -> Mail:
        """The newest mail of the board that somebody has; so many events lie behind it."""
        self._wait(0)
        return self._town.receiver.of_board(address(userid), board, event)

    def _move(self, subject: str, mover: str, said: str, mail: Mail | None, after: Any) -> Iterator[Post]:
        """Play by a reply to a mail, or by the password."""
        answered = subject if after.to_act is None else f"{subject} {self._userids[after.to_act]}"
        if mail is not None:
            yield from self._reply(mover, mail, said, *self._userids, answered=answered)
        else:
            command = f"{subject.lower().replace(' board ', ' move ')} {mover} {PASSWORD} {said}"
            rival = ""
            if not subject.startswith("mamba") and self._chance.random() < _TWICE:
                rival = f"{subject} {said}"
                self._echo.write(
                    lambda echo: echo.letter(mover, command, *self._userids, answered=answered, rival=rival)
                )
            yield from self._say(mover, command, *self._userids, body="Well!", answered=answered, rival=rival)

    def _something_else(self, name: str, board: int, position: Any) -> Iterator[Post]:
        """Letters that people write between their moves."""
        me = self._chance.choice(self._userids)
        kind = self._chance.choice(["look", "look", "chat", "newcomer", "mistake", "resign", "set"])
        if kind == "look":
            subject = self._chance.choice(["help", f"show {board}", f"{name} standings", f"who {me}", f"{name} games"])
            self._echo.write(lambda echo: echo.letter(me, subject))
            yield from self._say(me, subject)
        elif kind == "chat":
            subject = f"{name} chat {board} {me} {PASSWORD}"
            yield from self._say(me, subject, *self._userids, body="Well!", answered=f"{name} chat {board} {me}")
        elif kind == "newcomer":
            newcomer = f"{self.name}-new{self._count}"
            yield from self._say(newcomer, f"signup {newcomer} {PASSWORD}", answered=_SIGNUP.format(newcomer))
        elif kind == "mistake":
            subject = self._chance.choice([f"mvoe 99999 {me} {PASSWORD} a1", f"grumble {board}", f"superbo shwo {me}"])
            yield from self._say(me, subject)
        elif kind == "set":
            yield from self._say(me, f"set {me} {PASSWORD} mail={self._chance.choice(['text', 'text', 'both'])}")
        elif position.to_act is not None and position.ply >= 4 and name != "mamba":
            # Announced and taken back: one of the two lost or done twice, and the board ends too soon. Whose turn it is
            # decides what they mean, and letters of two players may be handled in another order than they came.
            waiting = self._userids[1 - position.to_act]
            self._wait(0)
            for _ in range(2):
                yield from self._say(waiting, f"resign {board} {waiting} {PASSWORD}")
            self._wait(0)
