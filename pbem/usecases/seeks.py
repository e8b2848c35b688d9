"""Looking for somebody to play with; seeks that meet start a board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import cache

from pbem.commands import challenges
from pbem.commands.internal import LetSeeksMeet
from pbem.domain.mails import Notice
from pbem.domain.players import Player
from pbem.domain.seeks import OF_SEEK, USUAL_PLAYERS, Seek, Sought, Terms, companions
from pbem.domain.vacations import under_way
from pbem.errors import NotAllowed, PlayerError
from pbem.usecases.challenging import Agreement, ChallengerUnreachable, as_one, begin_boards, check_for, read_agreement
from pbem.usecases.context import Context, handles
from pbem.usecases.notices import to_players, to_sender
from pbem.usecases.ratings import known_pace
from pbem.usecases.seats import bar_to_seats, room_left

_MOST = 10
"""The most seeks of one player for one game."""
_MOST_LISTED = 20
"""The most seeks of others that an answer shows."""


class TooManySeeks(NotAllowed):
    """The speaker already has so many seeks for a game."""

    game: str
    most: int


@handles(challenges.Seek)
def seek(command: challenges.Seek, context: Context) -> list[Notice]:
    """Save a seek of the speaker, or end one; players who seek the same get a board with them at once.

    A seek for the same as one of their own replaces it. With no options, 0 ends all of them.

    Raises:
        NoSuchGame: the server does not play it.
        ChallengerUnreachable: the speaker would not hear of a board.
        TooManySeeks: the speaker has too many.
        PlayerError: one option is wrong.
        OptionsRefused: several are.
    """
    name, speaker = context.game(command.game).name, context.speaker.known
    mine = _of(speaker, name, context)
    if not command.wanted and not command.options:
        return [_end(mine, name, context)]
    sought, wanted_pace = _read(command, context)
    same = [each for each in mine if each.sought == sought]
    if not command.wanted:
        return [_end(same, name, context)]
    if bar_to_seats(speaker) is not None:
        raise ChallengerUnreachable(speaker.userid, context.policy.operator, stopped=speaker.mail_stopped)
    if len(mine) - len(same) >= _MOST:
        raise TooManySeeks(name, _MOST)
    for each in same:
        context.uow.seeks.save(each.ended)
    number = context.uow.seeks.next_id()
    new = Seek(number, speaker.id, speaker.userid, sought, command.wanted, context.now, wanted_pace)
    context.uow.seeks.save(new)
    notices = _meet(new, context)
    is_over = all(each.id != number for each in _of(speaker, name, context))
    return notices if is_over else [*notices, _told(name, context, replaced=same)]


def _of(player: Player, game: str, context: Context) -> list[Seek]:
    return [each for each in context.uow.seeks.of_game(game) if each.player == player.id]


def _read(command: challenges.Seek, context: Context) -> tuple[Sought, timedelta | None]:
    """The object of a seek, and the pace that the others must have."""
    game = context.game(command.game)
    agreed, reasons = read_agreement(command.options, game, OF_SEEK, context)
    terms = agreed.terms
    players = terms.players or max(USUAL_PLAYERS, game.players.start)
    if not reasons:
        try:
            check_for(agreed, players)
        except PlayerError as wrong:
            reasons.append(wrong)
    if reasons:
        raise as_one(reasons)
    return Sought(game.name, agreed.options, players, terms.clock, terms.rated), terms.pace


def _end(seeks: Sequence[Seek], game: str, context: Context) -> Notice:
    for each in seeks:
        context.uow.seeks.save(each.ended)
    return _told(game, context, ended=seeks)


def meet_again(player: Player, game: str, context: Context) -> list[Notice]:
    """Start the boards that a player's seeks can have, now that something in their way has changed."""
    return [notice for each in _of(player, game, context) for notice in _meet(each, context)]


@handles(LetSeeksMeet)
def let_seeks_meet(command: LetSeeksMeet, context: Context) -> list[Notice]:
    """Start the boards that the seeks for a game can have: of a player who is back, say, or whose board is over."""
    notices: list[Notice] = []
    for number in [each.id for each in context.uow.seeks.of_game(command.game)]:
        now = (each for each in context.uow.seeks.of_game(command.game) if each.id == number)
        notices += [notice for each in now for notice in _meet(each, context)]
    return notices


def _meet(seek: Seek, context: Context) -> list[Notice]:
    """Start a board with players who seek the same and fit together, and again while more are wanted."""
    notices: list[Notice] = []
    while seek.wanted and _why_asleep(seek, context) is None:
        found = companions(seek, context.uow.seeks.of_game(seek.sought.game), _fitting(context))
        if found is None:
            break
        table = [each.fewer for each in (seek, *found)]
        for each in table:
            context.uow.seeks.save(each)
        notices += _set_down(table, context)
        seek = table[0]
    return notices


def _fitting(context: Context) -> Callable[[Seek, Seek], bool]:
    """A test that says if the player of a seek with a place at a board and that of another seek fit together there."""
    apart_from = cache(context.uow.blocks.apart_from)
    pace_here = cache(lambda player: known_pace(context.uow.players.get(player), context))

    def fit(one: Seek, other: Seek) -> bool:
        if other.player in apart_from(one.player) or _why_asleep(other, context) is not None:
            return False
        since = max(one.created_at, other.created_at)
        if context.uow.boards.have_begun(one.player, other.player, one.sought.game, since):
            return False  # each looks for several others, not for one of them again and again
        pairs = ((one, other), (other, one))
        return all(each.pace is None or each.likes(pace_here(whom.player)) for each, whom in pairs)

    return fit


def _why_asleep(seek: Seek, context: Context) -> str | None:
    """The reason why a seek cannot lead to a board now: ``away``, ``vacation`` or ``limit``; None if it can."""
    player = next(iter(context.uow.players.listed([seek.player])), None)
    if player is None or bar_to_seats(player) is not None:
        return "away"
    if under_way(player.vacations, context.now) is not None:
        return "vacation"
    return "limit" if room_left(player, seek.sought.game, context) <= 0 else None


def _set_down(table: Sequence[Seek], context: Context) -> list[Notice]:
    """Start the board of seeks that have met; everybody is told how many more boards they seek."""
    sought = table[0].sought
    terms = Terms(clock=sought.clock, rated=sought.rated, random=True)
    players = context.uow.players.get_all(each.player for each in table)
    (board,) = begin_boards(Agreement(context.games[sought.game], sought.options, terms), players, context)
    facts = {"random": True, "sought": {each.player: each for each in table}}
    return to_players("new_board", board, context, facts)


def seeks_of_others(game: str, context: Context) -> Sequence[Seek]:
    """The seeks for a game that could lead to a board now, the oldest first, without the speaker's own.

    Players who are kept apart from the speaker are left out, too; a guest sees all.
    """
    speaker = context.speaker.player
    hidden = set() if speaker is None else {speaker.id, *context.uow.blocks.apart_from(speaker.id)}
    shown = (each for each in context.uow.seeks.of_game(game) if each.player not in hidden)
    return [each for each in shown if _why_asleep(each, context) is None]


@handles(challenges.ShowSeeks)
def show_seeks(command: challenges.ShowSeeks, context: Context) -> list[Notice]:
    """The open seeks, game by game."""
    rows = []
    for name in sorted(context.games):
        shown = seeks_of_others(name, context)
        if shown:
            rows.append((context.games[name], shown[:_MOST_LISTED], len(shown) - _MOST_LISTED))
    return [to_sender("open_seeks", context, {"rows": rows})]


def _told(game: str, context: Context, ended: Sequence[Seek] = (), replaced: Sequence[Seek] = ()) -> Notice:
    """The speaker's seeks now, and those of others."""
    mine, others = _of(context.speaker.known, game, context), seeks_of_others(game, context)
    facts = {
        "game": context.games[game],
        "mine": mine,
        "ended": ended,
        "replaced": replaced,
        "asleep": _why_asleep(mine[0], context) if mine else None,
        "others": others[:_MOST_LISTED],
        "more": len(others) - _MOST_LISTED,
        "comment_dropped": bool(context.comment.strip()),
    }
    return to_sender("seeks", context, facts)
