"""The context that a handler gets beside its command, and a cache of game states."""

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
from pbem.errors import DamagedBoard, NotAllowed, PlayerError, Quoted
from pbem.games.game import Game, Seat
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.passwords import Passwords
from pbem.storage.unit_of_work import UnitOfWork

_Key: TypeAlias = "tuple[BoardNumber, datetime, Seat, int]"
"""A board, when it began, who moves first there, and how many events it has."""


class GameStateCache:
    """A cache: never the only copy of anything, safe to share between threads.

    A state is kept with the events that it covers. These are compared with those of a board that seems to be the same,
    since an event that was decided on may not have been stored after all.
    """

    def __init__(self, games: Mapping[str, Game[Any, Any]], size: int = 256) -> None:
        self.games = games
        self._size = size
        self._kept: OrderedDict[_Key, tuple[tuple[Event, ...], GameState]] = OrderedDict()
        self._lock = Lock()

    def of(self, board: Board) -> GameState:
        """The game state after a board's events.

        Raises:
            DamagedBoard: the rules do not allow them.
        """
        known = self._known(board, board.events)
        if known is not None:
            return known
        try:
            course = follow(board, self.games[board.game], self._known(board, board.events[:-1]))
        except PlayerError as wrong:
            raise DamagedBoard(board.number, str(wrong)) from wrong
        self.keep(board, course)
        return course

    def keep(self, board: Board, course: GameState) -> None:
        """Remember the game state after a board's events."""
        key = _key(board, board.events)
        with self._lock:
            self._kept[key] = board.events, course
            self._kept.move_to_end(key)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)

    def _known(self, board: Board, events: tuple[Event, ...]) -> GameState | None:
        """The known state of a board after these events, if there is one."""
        key = _key(board, events)
        with self._lock:
            kept = self._kept.get(key)
            if kept is None or kept[0] != events:
                return None
            self._kept.move_to_end(key)
            return kept[1]


def _key(board: Board, events: tuple[Event, ...]) -> _Key:
    return board.number, board.begun_at, board.first, len(events)


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
    """The operator's decisions about players."""

    address: str
    """The server's own; nobody signs up with it."""
    confirm_signup: bool = True
    trust_from: bool = False
    max_commands: int = 20
    max_boards_shown: int = 20
    confirm_for: timedelta = timedelta(days=7)
    reply_for: timedelta = timedelta(days=90)
    wait_for_robots: timedelta = timedelta()
    """The time that the mail about a player's own move waits for a computer opponent's, which then says both."""
    clock: ClockRules = ClockRules()
    """For boards without a clock of their own."""
    tournament_clock: ClockRules = ClockRules(timedelta(days=1), timedelta(days=7))
    unreachable_for: timedelta = timedelta(days=14)
    """The longest time that the clocks of a board are stopped because a player's mails come back."""
    vacation_days: int = 30
    """In any 365."""
    archive_after: timedelta = timedelta(days=14)
    """The time that finished boards stay on the lists."""
    broadcasts_per_day: int = 1
    """The most that a player may send."""
    messages_per_day: int = 100
    """The most mails with their words that a player may send to others."""
    challenges_per_day: int = 100
    """The most boards that a player may begin by challenging."""
    limits: Limits = Limits()
    unproven_challenges_per_day: int = 10
    wrong_passwords_per_userid: int = 5
    """In an hour, from a familiar source, and from all others together."""
    wrong_passwords_per_domain: int = 20
    """In an hour from one unfamiliar source, for whatever userids."""
    boards_per_robot: int = 1
    """The most boards that a player may have in play with each computer opponent; a pair counts once."""
    most_playouts: int | None = None
    """The most that a computer opponent may think about a move; None: as many as its level says."""
    playouts_per_analysis: int = 400_000
    """The most that the strongest computer opponent may think about a game that it analyses."""
    takes_guests: bool = True
    """Visitors may play the weakest computer opponent without an account."""
    guests_for: timedelta = timedelta(days=7)
    """The time after the beginning of their last board when guests and their boards are deleted."""
    guests_per_host: int = 20
    """In a day, from one IPv4 address or one /64 network of IPv6."""
    guests_per_day: int = 500
    operator: str | None = None
    """The address of whoever runs the server, if they read mail."""


class Proof(IntEnum):
    """The strength of the proof of a speaker, weakest first."""

    NONE = 0
    """Nobody known speaks."""
    CLAIMED = 1
    """The From address says so, and anybody can write that."""
    AUTHENTICATED = 2
    """Our own MTA says that the domain of the From address vouches for it."""
    PROVEN = 3
    """A password, a signed reply address or an answered question."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """The player that a command comes from, and the proof of it."""

    player: Player | None
    proof: Proof = Proof.NONE
    answers_event: int | None = None
    """The event that the command answers, when a mail of ours or a question is what proves it."""
    session: str | None = None
    """The hash of the session or token that proves the player, if one does; for a signup on the web, of the secret that
    its browser keeps."""
    guest: PlayerId | None = None
    """For a signup on the web: the guest who keeps their boards by it."""

    @property
    def proven_id(self) -> PlayerId | None:
        """The player, where more than a From address proves them."""
        return None if self.player is None or self.proof <= Proof.CLAIMED else self.player.id

    @property
    def known(self) -> Player:
        """The player, where the dispatcher has made sure that there is one."""
        if self.player is None:
            raise AssertionError("a handler asked for a player it did not declare to need")
        return self.player


def _no_picture(_position: Any, _seat: Seat | None) -> bytes:
    return b""


@dataclass(frozen=True, slots=True)
class Context:
    """All that a handler needs beside its command."""

    uow: UnitOfWork
    now: datetime
    games: Mapping[str, Game[Any, Any]]
    courses: GameStateCache
    passwords: Passwords
    policy: Policy
    evidence: Evidence
    draw_lots: Callable[[BoardNumber, int], Seat]
    """The seat that begins at a board for so many players: always the same for the same board."""
    fingerprint: Callable[..., str]
    """A fingerprint of some words: it recognises them again and does not reveal them."""
    speaker: Speaker = Speaker(None)
    comment: str = ""
    below: str = ""
    """The comment before lines with passwords were left out of it."""
    plan: str = ""
    """The branches of a plan below a move."""
    commands: int = 1
    """The number of commands in the letter."""
    draw_board: Callable[[Any, Seat | None], bytes] = _no_picture
    """Draws a position as PNG, from the side of a seat or of nobody."""
    puzzles: Mapping[int, Puzzle] = field(default_factory=dict)
    """All puzzles, by number."""
    verified: dict[tuple[str, str], bool] = field(default_factory=dict, repr=False)
    """The passwords in the letter, by userid and password: True if right; filled as they are verified."""
    silenced_by: list[str] = field(default_factory=list)
    """The settings that keep the letter's sender from being answered, for the log; filled as the letter is decided."""
    answered: list[str] = field(default_factory=list)
    """The addresses whose limits the answers to the letter count towards; filled likewise."""

    @property
    def most_boards(self) -> int:
        """The most boards that the answer to one command may show."""
        return max(1, self.policy.max_boards_shown // self.commands)

    def course(self, board: Board) -> GameState:
        """The game state of a board."""
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
        """The proof in this player's answer to a mail about this event of a board."""
        return BoardReply(player, board, event, (self.now + self.policy.reply_for).date())

    def topic_reply(self, kind: Purpose, player: Player | None, number: int) -> TopicReply:
        """The proof in an answer to a mail that is about no single board."""
        expires = (self.now + self.policy.reply_for).date()
        return TopicReply(kind, PlayerId(0) if player is None else player.id, number, expires)
