"""Taking games in that were played elsewhere, or here before: each record becomes a board of its own.

A game that is here already is not taken in twice, so that an import which failed half-way can simply be repeated.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import accumulate
from typing import Any, NamedTuple

from pbem.commands.userids import check_userid
from pbem.domain.administration import OnlyRobotsStay
from pbem.domain.boards import Board, SeatHolder
from pbem.domain.events import EventKind
from pbem.domain.game_state import is_left_to_robots
from pbem.domain.players import Player, userid_key
from pbem.domain.records import Replay, replay, studied_game, turns_of
from pbem.domain.studies import Study
from pbem.domain.vacations import ROBOT, UNREACHABLE
from pbem.errors import NotAllowed, PlayerError
from pbem.games.game import Game
from pbem.games.studies import annotated, to_json
from pbem.ids import BoardNumber
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.bounces import why_unmailed
from pbem.usecases.context import GameStateCache, Policy
from pbem.usecases.openings import count_opening
from pbem.usecases.rankings import read_line
from pbem.usecases.seats import CannotBeSeated, bar_to_seats, seated

_UNDONE = (EventKind.DECLINE, EventKind.ANNULMENT)
"""Events that leave no game behind."""


class UnsoundRecord(NotAllowed):
    """A turn of the record is illegal, or its result wrong (``turn`` is None then); ``wrong`` says why."""

    turn: int | None
    wrong: PlayerError


class PlayersNotHere(NotAllowed):
    """The game is not over, and these of its players have no account with which they could go on."""

    userids: Sequence[str]


class SignupUnderWay(NotAllowed):
    """Somebody has asked for this userid but confirmed no address yet, so nobody knows who it is."""

    userid: str


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of importing a record."""

    board: Board
    is_new: bool
    """True if the board was made from it; else the game had been here before."""
    goes_on: bool = False
    """True if more has been played here than the record tells."""
    opened: tuple[str, ...] = ()
    """The userids for which an account was opened that nobody can use."""


class _Here(NamedTuple):
    """The facts we keep of a board."""

    number: BoardNumber
    was_imported: bool
    prints: tuple[bytes, ...]


class GamesHere:
    """The games of the server, so that one that is here already is recognised.

    A board matches one record at most, so two equal games are both taken in. An imported board may have gone on since.
    Games without a turn are all alike, so such a record matches only an imported board without a turn.
    """

    def __init__(self, boards: Iterable[Board], courses: GameStateCache) -> None:
        self._courses = courses
        self._boards: dict[bytes, list[_Here]] = defaultdict(list)
        self._taken: set[BoardNumber] = set()
        for board in boards:
            if all(event.kind not in _UNDONE for event in board.played):
                prints = _prints(board)
                self._boards[prints[0]].append(_Here(board.number, _was_imported(board), prints))

    def find(self, board: Board, uow: UnitOfWork) -> Board | None:
        """The board that has the same game as this one or goes on with it, and matches no other record yet."""
        mine = _prints(board)
        free = [here for here in self._boards[mine[0]] if here.number not in self._taken]
        equal = (here for here in free if here.prints == mine and (board.events or here.was_imported))
        same = next((uow.boards.find(here.number) for here in equal), None)
        if same is not None or not board.events:
            return same
        longer = (here for here in free if here.was_imported and here.prints[: len(mine)] == mine != here.prints)
        boards = (uow.boards.find(here.number) for here in longer)
        return next((found for found in boards if found is not None and self._is_on(found)), None)

    def _is_on(self, board: Board) -> bool:
        return self._courses.of(board).result is None

    def take(self, number: BoardNumber) -> None:
        """Let a board match the present record and no other."""
        self._taken.add(number)


def _was_imported(board: Board) -> bool:
    """Return True if a board was imported: its first event is as old as it is, unlike that of an unrated challenge."""
    return not board.rated and all(event.at == board.begun_at for event in board.events[:1])


def import_line(
    line: bytes,
    games: Mapping[str, Game[Any, Any]],
    here: GamesHere,
    uow: UnitOfWork,
    now: datetime,
    *,
    policy: Policy,
) -> Imported:
    """Make a board of the record on a line, unless its game is here already; nobody is told, nothing is rated.

    A study in the record is kept for its author.

    Args:
        line: of JSON, or one game in a format of its own.
        games: that the server plays.
        here: the games that it has.
        uow: where the board is saved.
        now: when all of it is said to have happened.
        policy: for the clock of a game that goes on, and how long it may be stopped.

    Raises:
        Unreadable, NoSuchGame: there is no such record.
        UnsoundRecord: the rules forbid it.
        BadUserid, SignupUnderWay, PlayersNotHere, CannotBeSeated, OnlyRobotsStay: its players cannot hold the seats.
    """
    record, game = read_line(line, games)
    played = replay(record, game, now)
    if played.error is not None:
        raise UnsoundRecord(played.wrong_turn, played.error)
    known = here.find(played.board, uow)
    if known is not None:
        _keep_study(played, known, game, uow, now)
        return Imported(known, is_new=False, goes_on=known.event_number > played.board.event_number)
    is_on = played.last.result is None
    if is_on and is_left_to_robots(played.board, played.last.position):
        raise OnlyRobotsStay
    opened = () if is_on else _open_accounts(record.players, games, uow, now)
    players = _players(record.players, uow, is_on=is_on)
    board = replace(played.board, number=uow.boards.next_number(), clock=policy.clock)
    board = _going_on(board, players, uow, now, policy) if is_on else replace(board, seats=tuple(map(_seat, players)))
    uow.boards.save(board)
    if not is_on:
        count_opening(board, played.last, games[board.game], uow)
        _keep_study(played, board, game, uow, now)
    return Imported(board, is_new=True, opened=opened)


def _keep_study(played: Replay, board: Board, game: Game[Any, Any], uow: UnitOfWork, now: datetime) -> None:
    """Keep the study in a record for its author, if they have an account here and none of this game yet."""
    study = played.record.study
    author = None if study is None else uow.players.by_userid(study.author)
    if study is None or author is None or not (author.is_here and author.confirmed):
        return
    if uow.studies.find(author.id, board.number) is None:
        annotations = annotated((), study.moves, studied_game(played, game), in_records=True)
        uow.studies.save(Study(author.id, board.number, study.title, to_json(annotations), now))


def _open_accounts(
    userids: Sequence[str], games: Mapping[str, Game[Any, Any]], uow: UnitOfWork, now: datetime
) -> tuple[str, ...]:
    """Open accounts without address and password for those who are unknown; return their userids."""
    opened = []
    for userid in userids:
        if uow.players.by_userid(userid) is None:
            check_userid(userid, games)
            uow.players.save(Player(uow.players.next_id(), userid, addresses=(), created_at=now))
            opened.append(userid)
    return tuple(opened)


def _players(userids: Sequence[str], uow: UnitOfWork, *, is_on: bool) -> list[Player]:
    """The players who are to hold the seats; in a game that goes on, they must be able to play."""
    found = {userid: uow.players.by_userid(userid) for userid in userids}
    here = {
        userid: player
        for userid, player in found.items()
        if player and (player.confirmed or player.is_robot or not is_on)
    }
    missing = [userid for userid in found if userid not in here]
    if missing:
        raise PlayersNotHere(missing)
    for player in here.values():
        if not (player.confirmed or player.is_placeholder or player.is_robot):
            raise SignupUnderWay(player.userid)
    return [here[userid] for userid in userids]


def _seat(player: Player) -> SeatHolder:
    return SeatHolder(player.id, player.userid)


def _going_on(board: Board, players: Sequence[Player], uow: UnitOfWork, now: datetime, policy: Policy) -> Board:
    """The board of a game that goes on, with its players; its clocks stop while mail does not reach one of them."""
    for player in players:
        bar = bar_to_seats(player)
        if bar not in (None, "unreachable"):
            raise CannotBeSeated(player.userid, bar)
        for why in (ROBOT,) if player.is_robot else why_unmailed(player):
            most = policy.unreachable_for if why == UNREACHABLE else None
            board = board.with_pause(player.id, why, now, most)
    return replace(board, seats=tuple(seated(player, uow) for player in players))


def _prints(board: Board) -> tuple[bytes, ...]:
    """Fingerprints of a game before its first turn and after each: its beginning, and all that was played so far.

    The version of the rules is no part of it, since a record that leaves it out means the present one.
    """
    players = [userid_key(holder.userid) for holder in board.seats]
    begun = _print(b"", [board.game, dict(board.options), board.first, players])
    return tuple(accumulate(turns_of(board), _print, initial=begun))


def _print(before: bytes, value: object) -> bytes:
    said = json.dumps(value, sort_keys=True).encode()
    return hashlib.blake2b(before + said, digest_size=16).digest()
