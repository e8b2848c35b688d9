"""What a handler is handed beside its command, and the states of boards lately in use."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum
from threading import Lock
from typing import Any, TypeAlias, TypeVar

from pbem.bots.puzzles import Puzzle
from pbem.commands.command import Command
from pbem.domain.boards import Board
from pbem.domain.clocks import ClockRules
from pbem.domain.correspondents import Limits
from pbem.domain.events import Event
from pbem.domain.game_state import GameState, follow
from pbem.domain.letters import Evidence
from pbem.domain.mails import Notice
from pbem.domain.players import Player
from pbem.domain.replies import BoardReply, Purpose, TopicReply
from pbem.errors import NotAllowed, Quoted
from pbem.games.game import Game, Seat
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.passwords import Passwords
from pbem.storage.unit_of_work import UnitOfWork

_Key: TypeAlias = "tuple[BoardNumber, datetime, int]"
"""A board, when it began, and how many events it has."""


class GameStateCache:
    """A cache: never the only copy of anything, safe to share between threads.

    A course is kept with the events that it covers, all of which are held against those of a board that seems to be
    the same: what was decided upon may not have been stored after all.
    """

    def __init__(self, games: Mapping[str, Game[Any, Any]], size: int = 256) -> None:
        self._games = games
        self._size = size
        self._kept: OrderedDict[_Key, tuple[tuple[Event, ...], GameState]] = OrderedDict()
        self._lock = Lock()

    def of(self, board: Board) -> GameState:
        """What the rules make of a board's events."""
        known = self._known(board, board.events)
        if known is not None:
            return known
        course = follow(board, self._games[board.game], self._known(board, board.events[:-1]))
        self.keep(board, course)
        return course

    def keep(self, board: Board, course: GameState) -> None:
        """Know what the rules make of a board's events."""
        key = _key(board, board.events)
        with self._lock:
            self._kept[key] = board.events, course
            self._kept.move_to_end(key)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)

    def _known(self, board: Board, events: tuple[Event, ...]) -> GameState | None:
        """What is known of a board as it is, or once was, with these events."""
        key = _key(board, events)
        with self._lock:
            kept = self._kept.get(key)
            if kept is None or kept[0] != events:
                return None
            self._kept.move_to_end(key)
            return kept[1]


def _key(board: Board, events: tuple[Event, ...]) -> _Key:
    return board.number, board.begun_at, len(events)


Handler = TypeVar("Handler", bound=Callable[..., list[Notice]])


def handles(*commands: type[Command]) -> Callable[[Handler], Handler]:
    """Declare the commands that a function carries out; `pbem.usecases.dispatcher` finds it."""

    def declare(handler: Handler) -> Handler:
        handler.commands = commands  # type: ignore[attr-defined]  # functions may have attributes of any name
        return handler

    return declare


class NoSuchGame(NotAllowed):
    """The server does not play this game."""

    word: Quoted
    games: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Policy:
    """What the operator decides about players."""

    address: str
    """The server's own; nobody signs up with it."""
    confirm_signup: bool = True
    trust_from: bool = False
    max_commands: int = 20
    max_boards_shown: int = 20
    confirm_for: timedelta = timedelta(days=7)
    reply_for: timedelta = timedelta(days=90)
    clock: ClockRules = ClockRules()
    """Of boards that have none of their own."""
    tournament_clock: ClockRules = ClockRules(timedelta(days=1), timedelta(days=7))
    unreachable_for: timedelta = timedelta(days=14)
    """How long the clocks of a board stand at most because a player's mails come back."""
    vacation_days: int = 30
    """In any 365."""
    archive_after: timedelta = timedelta(days=14)
    """How long finished boards stay on the lists."""
    broadcasts_per_day: int = 1
    """That a player may send."""
    messages_per_day: int = 100
    """Mails with his words that a player may have others get."""
    challenges_per_day: int = 100
    """Boards that a player may begin by them."""
    limits: Limits = Limits()
    unproven_challenges_per_day: int = 10
    wrong_passwords_per_userid: int = 5
    """In an hour, from a familiar source, and from all others together."""
    wrong_passwords_per_domain: int = 20
    """In an hour from one unfamiliar source, for whatever userids."""
    boards_per_robot: int = 1
    """That a player may have in play with each computer opponent at a time; a pair counts once."""
    most_playouts: int | None = None
    """That a computer opponent may think about a move; None: as many as its level says."""
    playouts_per_analysis: int = 400_000
    """That the strongest computer opponent may think about a game that it analyses."""
    operator: str | None = None
    """Who runs the server, if he reads mail."""


class Proof(IntEnum):
    """How well the speaker is proven, weakest first."""

    NONE = 0
    """Nobody known speaks."""
    CLAIMED = 1
    """The From address says so, and anybody can write that."""
    AUTHENTICATED = 2
    """Our own MTA says that the domain of the From address stands for it."""
    PROVEN = 3
    """A password, a signed reply address or an answered question."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who a command comes from."""

    player: Player | None
    proof: Proof = Proof.NONE
    answers_event: int | None = None
    """The event that the command answers, when a mail of ours or a question is what proves it."""
    session: str | None = None
    """The hash of the session or token that proves him, if one does; of a signup on the web: of what its browser keeps
    to be known by."""

    @property
    def proven_id(self) -> PlayerId | None:
        """The player, where more than a From address says that it is he."""
        return None if self.player is None or self.proof <= Proof.CLAIMED else self.player.id

    @property
    def known(self) -> Player:
        """The player, where the dispatcher has made sure that there is one."""
        if self.player is None:
            raise AssertionError("a handler asked for a player it did not declare to need")
        return self.player


@dataclass(frozen=True, slots=True)
class Context:
    """The world around one command."""

    uow: UnitOfWork
    now: datetime
    games: Mapping[str, Game[Any, Any]]
    courses: GameStateCache
    passwords: Passwords
    policy: Policy
    evidence: Evidence
    draw_lots: Callable[[BoardNumber, int], Seat]
    """Who of so many players begins at a board: for the same board always the same."""
    fingerprint: Callable[..., str]
    """What recognises some words again and does not tell them."""
    speaker: Speaker = Speaker(None)
    comment: str = ""
    below: str = ""
    """The comment before lines with passwords were left out of it."""
    commands: int = 1
    """How many the letter has."""
    puzzles: Mapping[int, Puzzle] = field(default_factory=dict)
    """All that there are, by number."""
    verified: dict[tuple[str, str], bool] = field(default_factory=dict, repr=False)
    """Whether the passwords that the letter says are right, by userid and password; filled as they are looked at."""
    silenced_by: list[str] = field(default_factory=list)
    """The settings that keep the letter's sender from being answered, for the log; filled as the letter is decided."""
    answered: list[str] = field(default_factory=list)
    """Those whose limits the answers to the letter count towards; filled likewise."""

    @property
    def most_boards(self) -> int:
        """How many boards the answer to one command may show."""
        return max(1, self.policy.max_boards_shown // self.commands)

    def course(self, board: Board) -> GameState:
        """What the rules make of a board."""
        return self.courses.of(board)

    def game(self, name: str) -> Game[Any, Any]:
        """A game by its name in any case.

        Raises:
            NoSuchGame: the server does not play it.
        """
        try:
            return self.games[name.lower()]
        except KeyError:
            raise NoSuchGame(name, tuple(sorted(self.games))) from None

    def reply(self, player: PlayerId, board: BoardNumber, event: int) -> BoardReply:
        """What a mail about this event of a board proves when this player answers it."""
        return BoardReply(player, board, event, (self.now + self.policy.reply_for).date())

    def topic_reply(self, kind: Purpose, player: Player | None, number: int) -> TopicReply:
        """What a mail of no single board proves when its reader answers it."""
        expires = (self.now + self.policy.reply_for).date()
        return TopicReply(kind, PlayerId(0) if player is None else player.id, number, expires)
