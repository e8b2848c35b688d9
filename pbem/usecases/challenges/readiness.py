"""To how many boards players may be challenged: ``accept``, ``reject`` and ``limit``."""

from __future__ import annotations

from pbem.commands.model import AcceptChallenges, LimitBoards, RejectChallenges, ShowLimit
from pbem.domain.notices import Notice
from pbem.errors import NotAllowed
from pbem.usecases.challenges.seeks import meet_again
from pbem.usecases.context import Context
from pbem.usecases.notices.notifications import to_sender

_HIGHEST = 999


class LimitTooHigh(NotAllowed):
    """Nobody plays at so many boards; ``most`` is the highest limit."""

    most: int


def accept_challenges(command: AcceptChallenges, context: Context) -> list[Notice]:
    """Let the speaker be challenged to any number of boards of a game.

    Raises:
        NoSuchGame: the server does not play it.
    """
    return _set(command.game, None, context)


def reject_challenges(command: RejectChallenges, context: Context) -> list[Notice]:
    """Let the speaker be challenged to no board of a game; his own challenges and seeks go on.

    Raises:
        NoSuchGame: the server does not play it.
    """
    return _set(command.game, 0, context)


def limit_boards(command: LimitBoards, context: Context) -> list[Notice]:
    """Let the speaker be challenged while he has fewer active boards of a game than this.

    Raises:
        NoSuchGame: the server does not play it.
        LimitTooHigh: that is no limit.
    """
    if command.most > _HIGHEST:
        raise LimitTooHigh(_HIGHEST)
    return _set(command.game, command.most, context)


def show_limit(command: ShowLimit, context: Context) -> list[Notice]:
    """To how many boards of a game the speaker may be challenged.

    Raises:
        NoSuchGame: the server does not play it.
    """
    return [_told(context.game(command.game).name, context, changed=False)]


def _set(game: str, most: int | None, context: Context) -> list[Notice]:
    name = context.game(game).name
    context.uow.readiness.save(context.speaker.known.id, name, most)
    found = meet_again(context.speaker.known, name, context)
    return [*found, _told(name, context, changed=True)]


def _told(game: str, context: Context, *, changed: bool) -> Notice:
    player = context.speaker.known
    facts = {
        "game": context.games[game],
        "changed": changed,
        "most": context.uow.readiness.most(player.id, game),
        "active": context.uow.boards.active_of(player.id, game),
        "seeks": [each for each in context.uow.seeks.of_game(game) if each.player == player.id],
    }
    return to_sender("limit", context, facts)
