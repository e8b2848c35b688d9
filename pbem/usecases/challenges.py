"""Starting boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.commands.userids import check_userid
from pbem.domain.boards import Board
from pbem.domain.players import userid_key
from pbem.errors import NotAllowed, PlayerError
from pbem.usecases.notifications import to_players
from pbem.usecases.seats import bar_to_seats, seated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.commands.model import Challenge
    from pbem.domain.notices import Notice
    from pbem.domain.players import Player
    from pbem.games.game import Game, Options
    from pbem.usecases.context import Context


class InvalidChallenge(NotAllowed):
    """A challenge cannot be made; ``reasons`` are all the refusals that stand against it."""

    def __init__(self, game: str, reasons: Sequence[PlayerError]) -> None:
        super().__init__(game=game, reasons=tuple(reasons))


class NoSuchPlayer(NotAllowed):
    """Nobody has signed up under this userid."""

    def __init__(self, userid: str) -> None:
        super().__init__(userid=userid[:40])


class PlayerNotConfirmed(NotAllowed):
    """The player cannot be challenged before an address of his is confirmed, or ever if he only played elsewhere."""

    def __init__(self, userid: str, *, is_placeholder: bool) -> None:
        super().__init__(userid=userid, is_placeholder=is_placeholder)


class PlayerNotAvailable(NotAllowed):
    """The player cannot be challenged now, or ever; ``reason``: ``frozen``, ``unreachable`` or ``gone``."""

    def __init__(self, userid: str, reason: str) -> None:
        super().__init__(userid=userid, reason=reason)


class ChallengerUnreachable(NotAllowed):
    """The speaker would not hear how the game goes: mails to him come back, or the operator has ``stopped`` them."""

    def __init__(self, userid: str, operator: str | None, *, stopped: bool) -> None:
        super().__init__(userid=userid, operator=operator, stopped=stopped)


class WrongNumberOfPlayers(NotAllowed):
    """The game is for another number of players."""

    def __init__(self, userids: Sequence[str], least: int, most: int) -> None:
        super().__init__(userids=tuple(userid[:40] for userid in userids[:10]), least=least, most=most)


def challenge(command: Challenge, context: Context) -> list[Notice]:
    """Start a board at once; the sender is put in front if he is not named.

    The first named moves first, unless the game draws lots.

    Raises:
        InvalidChallenge: with every reason at once.
    """
    game = context.game(command.game)
    userids = _with_sender(command.userids, context.speaker.known)
    reasons: list[PlayerError] = []
    players = _players(userids, context, reasons)
    options = _options(command.options, game, userids, reasons)
    if reasons:
        raise InvalidChallenge(game.name, reasons)
    board = _begun(game, options, players, context)
    context.uow.boards.save(board)
    return to_players("new_board", board, context)


def _with_sender(userids: Sequence[str], sender: Player) -> list[str]:
    is_named = userid_key(sender.userid) in map(userid_key, userids)
    return [*userids] if is_named else [sender.userid, *userids]


def _options(words: Sequence[str], game: Game[Any, Any], userids: Sequence[str], reasons: list[PlayerError]) -> Options:
    """The options, held against so many players; what stands against either is added to the reasons."""
    so_many = len(userids) in game.players
    if not so_many:
        reasons.append(WrongNumberOfPlayers(userids, game.players.start, game.players.stop - 1))
    try:
        options = game.read_options(words)
        if so_many:
            game.begin(options, len(userids))
    except PlayerError as wrong:
        reasons.append(wrong)
        return {}
    return options


def _begun(game: Game[Any, Any], options: Options, players: Sequence[Player], context: Context) -> Board:
    number = context.uow.boards.next_number()
    return Board(
        number=number,
        game=game.name,
        options=options,
        rules=game.rules,
        first=context.draw_lots(number, len(players)) if game.draws_lots(options) else 0,
        seats=tuple(seated(player, context.uow) for player in players),
        begun_at=context.now,
        clock=context.policy.clock,
    )


def _players(userids: Sequence[str], context: Context, reasons: list[PlayerError]) -> list[Player]:
    players = []
    for userid in userids:
        player = context.uow.players.by_userid(userid)
        if player is None:
            reasons.append(_why_unknown(userid, context))
        elif (reason := _why_not(player, context)) is not None:
            reasons.append(reason)
        else:
            players.append(player)
    return players


def _why_not(player: Player, context: Context) -> PlayerError | None:
    """Why a player cannot be challenged; of the reasons of the operator nobody else hears."""
    match bar_to_seats(player):
        case None:
            return None
        case "unconfirmed":
            return PlayerNotConfirmed(player.userid, is_placeholder=player.is_placeholder)
        case "unreachable" if player.id == context.speaker.known.id:
            return ChallengerUnreachable(player.userid, context.policy.operator, stopped=player.mail_stopped)
        case "banned" | "gone":
            return PlayerNotAvailable(player.userid, "gone")
        case bar:
            return PlayerNotAvailable(player.userid, bar)


def _why_unknown(userid: str, context: Context) -> PlayerError:
    try:
        check_userid(userid, context.games)
    except PlayerError as bad:
        return bad
    return NoSuchPlayer(userid)
