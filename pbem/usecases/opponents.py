"""Computer opponents and their boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice, pairwise
from typing import Any

from pbem.bots.analysis import PLAYOUTS_A_TURN, Look, Played, turning_points
from pbem.bots.boards import LEVELS, STRONGEST, Level, most_tiles, tiles_of
from pbem.commands.challenges import ShowRobots
from pbem.domain.boards import Board
from pbem.domain.events import EventKind
from pbem.domain.game_state import GameState, follow
from pbem.domain.mails import Notice
from pbem.domain.players import Player
from pbem.domain.ratings import Ranked
from pbem.domain.records import Replay, record_of, replay
from pbem.errors import NotAllowed, PlayerError
from pbem.games.game import Game, Options, Position
from pbem.ids import BoardNumber
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import Context, Policy, handles
from pbem.usecases.notices import to_sender
from pbem.usecases.seats import bar_to_seats


class RobotAtBoard(NotAllowed):
    """A robot already plays enough boards with a player, ``boards``; ``is_you`` if that is the speaker."""

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


class GameNotForRobots(NotAllowed):
    """No computer opponent knows the game, to play it or to look back at it."""

    title: str


class NotForRobots(NotAllowed):
    """The player is a computer opponent, to whom this cannot be done."""

    userid: str


@dataclass(frozen=True, slots=True)
class Opponent:
    """A computer opponent, as the list shows it."""

    userid: str
    number: int
    """1 is the weakest."""
    playouts: int
    """The most that it thinks about a move."""
    ranked: Mapping[str, Ranked]
    """Its place in each game that it has been challenged to."""
    is_strongest: bool
    """True if ``robot`` means this one."""
    takes_challenges: bool
    """True if the operator lets it play."""


def open_robots(uow: UnitOfWork, now: datetime) -> Sequence[str]:
    """Open the accounts of the robots that have none yet; return their userids."""
    missing = [userid for userid in LEVELS if uow.players.by_userid(userid) is None]
    for userid in missing:
        uow.players.save(Player(uow.players.next_id(), userid, addresses=(), created_at=now))
    return missing


def robots_to_challenge(uow: UnitOfWork) -> tuple[str, ...]:
    """The userids of the robots that take challenges, weakest first, without those that the operator has stopped."""
    found = (uow.players.by_userid(userid) for userid in LEVELS)
    return tuple(player.userid for player in found if player is not None and bar_to_seats(player) is None)


_MOST_FRIENDS = 6
"""People who are offered as opponents."""
_MOST_NAMES = 8
"""Userids that complete a beginning."""
_LOOKED_AT = 30
"""Boards of a player that are looked at for opponents."""


def played_lately(context: Context) -> tuple[str, ...]:
    """The people whom the speaker has played lately and can challenge, the last one first."""
    own = context.speaker.known.id
    numbers = context.uow.rankings.newest_boards(own, _LOOKED_AT)
    boards = (board for board in map(context.uow.boards.find_listed, numbers) if board is not None)
    others = dict.fromkeys(player for board in boards for player in board.players if player != own)
    found = (each for each in context.uow.players.listed(others) if not each.is_robot and bar_to_seats(each) is None)
    return tuple(each.userid for each in islice(found, _MOST_FRIENDS))


def names_beginning(begin: str, context: Context) -> list[str]:
    """The userids of those who can be challenged that begin so, in whatever case; none if nothing is given."""
    found = context.uow.players.beginning(begin, _LOOKED_AT) if begin.strip() else ()
    return [each.userid for each in found if bar_to_seats(each) is None][:_MOST_NAMES]


def playouts_of(level: Level, policy: Policy, position: Position[Any] | None = None, least: int = 0) -> int:
    """The playouts of a robot here for a turn in a position, or in most games, or for what takes at least so many."""
    wanted = max(level.playouts if position is None else level.playouts_in(position), least)
    return wanted if policy.most_playouts is None else min(wanted, policy.most_playouts)


def why_busy(robot: Player, players: Sequence[Player], context: Context) -> RobotAtBoard | None:
    """The reason why a robot does not play with these players; None if it does. A pair counts as one board."""
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
    """Return True if a player is still in the game at one of their boards."""
    board = context.uow.boards.find_listed(number)
    return board is not None and any(seat not in board.left for seat in board.seats_of(player.id))


def why_not_played(robot: Player, game: Game[Any, Any], options: Options) -> GameNotForRobots | BoardTooLarge | None:
    """The reason why a robot does not play a game under these options; None if it does, or nobody could."""
    if not game.for_robots:
        return GameNotForRobots(game.title)
    try:
        tiles = tiles_of(game.begin(options, min(game.players)))
    except PlayerError:
        return None
    most = most_tiles(game)
    if tiles is None or most is None or tiles <= most:
        return None
    return BoardTooLarge(robot.userid, game.name, game.title, tiles, most)


@handles(ShowRobots)
def show_robots(command: ShowRobots, context: Context) -> list[Notice]:
    """The computer opponents, and their places in a game or in all.

    Raises:
        NoSuchGame: the server does not play it.
    """
    return [to_sender("robots", context, facts_of_robots(command, context))]


def facts_of_robots(command: ShowRobots, context: Context) -> dict[str, object]:
    """The facts of the list of computer opponents.

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
    """A robot as the list shows it; None if the operator has taken it off."""
    player = context.uow.players.by_userid(level.userid)
    if player is None or not player.is_here:
        return None
    found = context.uow.rankings.of_player(player.id, games)
    ranked = {each.game: each for each in found if not each.variant}
    kind = context.games[games[0]] if len(games) == 1 else None
    begun = None if kind is None else kind.begin(kind.read_options(()), min(kind.players))
    playouts = playouts_of(level, context.policy, begun)
    return Opponent(
        player.userid,
        level.number,
        playouts,
        ranked,
        is_strongest=level.userid == STRONGEST,
        takes_challenges=bar_to_seats(player) is None,
    )


_MOST_DRAWN = 4
"""Inputs of one turn that are drawn, each with its position: a mail has room for so many pictures."""


def replayed(board: Board, course: GameState, game: Game[Any, Any]) -> Replay:
    """A board as its record replays it, without moves taken back and without words.

    Raises:
        NotPlayed: there is no game.
    """
    again = replay(record_of(board, course), game, board.last_at)
    return replace(again, board=replace(again.board, number=board.number, seats=board.seats))


def inputs_of(played: Replay, moveno: int | None = None) -> tuple[Played, ...]:
    """The inputs of a game, or those of one turn; none if nothing was played in it."""
    return tuple(each for _, each in _numbered(played, moveno))


def _numbered(played: Replay, moveno: int | None) -> list[tuple[int, Played]]:
    """The same, each with the number of events of the game before it."""
    changes = zip(played.board.events, pairwise(played.courses), strict=True)
    found = [
        (number, Played(each.moveno, each.seat, each.text.move, before.position, after.position))
        for number, (event, (before, after)) in enumerate(changes)
        if event.kind is EventKind.MOVE
        for each in after.inputs[len(before.inputs) :]
    ]
    return [(number, each) for number, each in found if moveno in (None, each.moveno)]


def most_playouts(moveno: int | None) -> int:
    """The playouts for a position: one turn gets as many as the strongest robot uses."""
    return PLAYOUTS_A_TURN if moveno is None else LEVELS[STRONGEST].playouts


def facts_of_looks(
    looks: Sequence[Look], played: Replay, game: Game[Any, Any], moveno: int | None, playouts: int
) -> dict[str, object]:
    """The facts for the template of an analysis, beside those of the board.

    Args:
        looks: at the inputs of the game, or of one turn.
        played: the game.
        game: its rules.
        moveno: the turn, if it is one.
        playouts: the number for each position.
    """
    drawn = turning_points(looks) if moveno is None else looks[:_MOST_DRAWN]
    before = [number for number, _ in _numbered(played, moveno)]
    return {
        "looks": tuple(looks),
        "drawn_looks": [_drawn_facts(look, before[look.index], played, game) for look in drawn],
        "moveno": moveno,
        "playouts": playouts,
    }


def _drawn_facts(look: Look, before: int, played: Replay, game: Game[Any, Any]) -> dict[str, object]:
    """The facts of an input with its position, and the position after the best line.

    Args:
        look: at the input.
        before: the number of events of the game before it.
        played: the game.
        game: its rules.
    """
    board, course = replace(played.board, events=played.board.events[:before]), played.courses[before]
    line_board, line_course = _after(look.best.moves, board, course, game)
    return {
        "look": look,
        "board": board,
        "course": course,
        "sides": game.sides(course.position),
        "line_board": line_board,
        "line_course": line_course,
    }


def _after(moves: Sequence[str], board: Board, course: GameState, game: Game[Any, Any]) -> tuple[Board, GameState]:
    """A board after more inputs."""
    for text in moves:
        steps = game.read_input(course.position, text).steps
        record = game.input_record(course.position, steps)
        board = board.with_event(EventKind.MOVE, course.position.to_act or 0, board.last_at, record)
        course = follow(board, game, course)
    return board, course
