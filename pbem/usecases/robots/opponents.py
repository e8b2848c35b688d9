"""Computer opponents: their accounts, whether they take one more board, and how they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbem.bots.levels import LEVELS, STRONGEST, Level
from pbem.bots.sizes import most_tiles, tiles_of
from pbem.commands.model import ShowRobots
from pbem.domain.notices import Notice
from pbem.domain.players import Player
from pbem.domain.rankings import Ranked
from pbem.errors import NotAllowed, PlayerError
from pbem.games.game import Game, Options
from pbem.ids import BoardNumber
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.boards.seats import bar_to_seats
from pbem.usecases.context import Context, Policy
from pbem.usecases.notices.notifications import to_sender


class RobotAtBoard(NotAllowed):
    """A robot plays as many boards with a player as it does at a time: ``boards``; ``is_you`` if he is the speaker."""

    userid: str
    other: str
    boards: Sequence[BoardNumber]
    is_you: bool


class BoardTooLarge(NotAllowed):
    """A robot would think for hours about each move: the game has so many ``tiles``, and it plays with ``most``."""

    userid: str
    game: str
    title: str
    tiles: int
    most: int


class NotForRobots(NotAllowed):
    """The player is a computer opponent, to whom this cannot be done."""

    userid: str


@dataclass(frozen=True, slots=True)
class Opponent:
    """A computer opponent, as it is shown."""

    userid: str
    number: int
    """1 is the weakest."""
    playouts: int
    """How much it thinks about a move."""
    ranked: Mapping[str, Ranked]
    """How it stands in each game that it has been challenged to."""
    is_strongest: bool
    """Whether ``robot`` means this one."""
    takes_challenges: bool
    """Whether the operator lets it play."""


def open_robots(uow: UnitOfWork, now: datetime) -> Sequence[str]:
    """Open the accounts of the robots that have none yet; return their userids."""
    missing = [userid for userid in LEVELS if uow.players.by_userid(userid) is None]
    for userid in missing:
        uow.players.save(Player(uow.players.next_id(), userid, addresses=(), created_at=now))
    return missing


def robots_to_challenge(uow: UnitOfWork) -> tuple[str, ...]:
    """The userids of the robots that take challenges, weakest first: not of those that the operator has stopped."""
    found = (uow.players.by_userid(userid) for userid in LEVELS)
    return tuple(player.userid for player in found if player is not None and bar_to_seats(player) is None)


def playouts_of(level: Level, policy: Policy, least: int = 0) -> int:
    """How much a robot thinks about a move here, or about something that takes so much at least."""
    wanted = max(level.playouts, least)
    return wanted if policy.most_playouts is None else min(wanted, policy.most_playouts)


def why_busy(robot: Player, players: Sequence[Player], context: Context) -> RobotAtBoard | None:
    """Why a robot does not sit down with these players; None if it does. The two boards of a pair are one."""
    for player in players:
        if player.is_robot:
            continue
        both = context.uow.boards.active_between(player.id, robot.id)
        boards = [each for each in both if _plays(player, each, context)]
        if len(boards) >= context.policy.boards_per_robot:
            is_you = player.id == context.speaker.known.id
            return RobotAtBoard(robot.userid, player.userid, boards, is_you=is_you)
    return None


def _plays(player: Player, number: BoardNumber, context: Context) -> bool:
    """Whether a player is still in the game at a board of his."""
    board = context.uow.boards.find_listed(number)
    return board is not None and any(seat not in board.left for seat in board.seats_of(player.id))


def why_too_large(robot: Player, game: Game[Any, Any], options: Options) -> BoardTooLarge | None:
    """Why a robot does not play under these options; None if it does, or nobody could."""
    try:
        tiles = tiles_of(game.begin(options, min(game.players)))
    except PlayerError:
        return None
    most = most_tiles(game)
    if tiles is None or most is None or tiles <= most:
        return None
    return BoardTooLarge(robot.userid, game.name, game.title, tiles, most)


def show_robots(command: ShowRobots, context: Context) -> list[Notice]:
    """The computer opponents, and how they stand in a game or in all.

    Raises:
        NoSuchGame: the server does not play it.
    """
    return [to_sender("robots", context, facts_of_robots(command, context))]


def facts_of_robots(command: ShowRobots, context: Context) -> dict[str, object]:
    """What the list of the computer opponents shows.

    Raises:
        NoSuchGame: the server does not play it.
    """
    game = None if command.game is None else context.game(command.game).name
    games = sorted(context.games) if game is None else [game]
    found = (_opponent(level, games, context) for level in LEVELS.values())
    return {
        "game_name": game,
        "games": games,
        "robots": [each for each in found if each is not None],
        "boards_per_robot": context.policy.boards_per_robot,
    }


def _opponent(level: Level, games: Sequence[str], context: Context) -> Opponent | None:
    """A robot as it is shown; None if the operator has taken it off."""
    player = context.uow.players.by_userid(level.userid)
    if player is None or not player.is_here:
        return None
    ranked = {each.game: each for each in context.uow.rankings.of_player(player.id, games)}
    playouts = playouts_of(level, context.policy)
    return Opponent(
        player.userid,
        level.number,
        playouts,
        ranked,
        is_strongest=level.userid == STRONGEST,
        takes_challenges=bar_to_seats(player) is None,
    )
