"""What anybody may ask about the server: its help, its games."""

from __future__ import annotations

from pbem.commands.model import Help, ListGames, TableOfBoards
from pbem.domain.list_parts import FIRST
from pbem.domain.notices import Notice
from pbem.domain.players import userid_key
from pbem.usecases.context import Context
from pbem.usecases.notices.notifications import to_sender
from pbem.usecases.proof.secrets import beside_himself, own_userids
from pbem.usecases.views.boards import facts_of_table

MOST_SUBJECTS = 10
"""Words for which one mail brings help pages."""


def help_(command: Help, context: Context) -> list[Notice]:
    """The help pages asked for; the templates are the pages, so finding them is left to the wording.

    Many put userid and password behind every command: what stands there is no subject, and not repeated.
    """
    hidden = beside_himself(command.subjects, context) if len(command.subjects) > 1 else ()
    own = own_userids(context) if hidden else ()
    subjects = [word for word in command.subjects if word not in hidden and userid_key(word) not in own]
    return [to_sender("help", context, {"subjects": tuple(subjects[:MOST_SUBJECTS])})]


def list_games(command: ListGames, context: Context) -> list[Notice]:
    """The games of the server, and of those that are named a table of their active boards.

    Raises:
        NoSuchGame: one of the games asked for is none of ours.
    """
    names = list(dict.fromkeys(context.game(name).name for name in command.games)) or sorted(context.games)
    rows = []
    for name in names:
        active, finished, players = context.uow.boards.count(name)
        seeks = context.uow.seeks.count(name)
        facts = {"active": active, "finished": finished, "players": players, "seeks": seeks}
        table = facts_of_table(TableOfBoards((), "active", name), FIRST, context) if command.games else {}
        rows.append({"game": context.games[name], **facts, "table": table})
    return [to_sender("games", context, {"rows": rows})]
