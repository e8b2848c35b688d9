"""Views of boards and games."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from pbem.commands.boards import ShowAs, ShowBoards, ShowPlayersBoards, TableOfBoards
from pbem.commands.refusals import NotABoard
from pbem.commands.secrets import StrangeWord, is_known, pieces
from pbem.commands.server import Help, ListGames
from pbem.domain.boards import Board
from pbem.domain.mails import Notice
from pbem.domain.players import userid_key
from pbem.domain.watches import FIRST, ListPart
from pbem.errors import Ambiguous
from pbem.ids import BoardNumber
from pbem.usecases.authentication import own_userids
from pbem.usecases.confirmations import check_reachable
from pbem.usecases.context import Context, handles
from pbem.usecases.notices import about_board, board_facts, table_facts, to_sender
from pbem.usecases.understanding import at_moment, find_player

_LABEL = re.compile(r"[A-Z][0-9]{1,4}", re.IGNORECASE)
"""Labels of boards in a tournament; no userid looks like one."""
_MOST_NUMBERS = 10
"""The most boards that a label is said to mean."""


class SeveralOfOneLabel(Ambiguous):
    """Boards of several tournaments have this label; ``numbers`` are those of the newest."""

    name: str
    numbers: Sequence[BoardNumber]


@handles(ShowBoards)
def show_boards(command: ShowBoards, context: Context) -> list[Notice]:
    """The boards asked for, each as it is or as it once was; no more than fit in one mail.

    Raises:
        NoSuchBoard, OtherGame, NoSuchMove: one of them is not there.
    """
    boards, damaged = _at_moments(command, context)
    return [_drawn(boards, context, more=len(set(command.moments)) > context.most_boards, damaged=damaged)]


def _at_moments(command: ShowBoards | ShowAs, context: Context) -> tuple[list[Board], list[BoardNumber]]:
    """The boards asked for, as many as fit, and the numbers of those that are damaged, if there are others to show."""
    moments = list(dict.fromkeys(command.moments))[: context.most_boards]
    boards, several = context.uow.boards, {moment.board for moment in moments}
    stored = boards.last_events(several) if len(several) > 1 else ()
    damaged = [number for number in stored if boards.find_listed(number) is None]
    if len(damaged) == len(several):
        damaged = []
    found = [at_moment(moment, command.game, context) for moment in moments if moment.board not in damaged]
    return found, sorted(damaged)


@handles(ShowPlayersBoards)
def show_players_boards(command: ShowPlayersBoards, context: Context) -> list[Notice]:
    """The boards of the players asked for, or those that have such labels in tournaments.

    Raises:
        NoSuchPlayer, NoSuchGame: one of them is unknown.
        NotABoard, SeveralOfOneLabel: a label does not tell the board.
    """
    if all(map(_LABEL.fullmatch, command.userids)):
        labels = list(dict.fromkeys(command.userids))
        labelled = [_labelled(label, command, context) for label in labels[: context.most_boards]]
        return [_drawn(labelled, context, more=len(labels) > len(labelled))]
    boards, more = _boards_of(command, context.most_boards, context)
    if not boards:
        return [_table(command, boards, more, context)]
    return [_drawn(boards, context, more=more)]


def _labelled(label: str, command: ShowPlayersBoards, context: Context) -> Board:
    """The one board that has a label in a tournament; if several have had it, the one that is on."""
    game = command.game and context.game(command.game).name
    found = context.uow.boards.labelled(label.upper(), game, _MOST_NUMBERS)
    meant = [each for each in found if context.course(each).result is None] or found
    if not meant:
        raise NotABoard(command.form, label)
    if len(meant) > 1:
        raise SeveralOfOneLabel(label.upper(), sorted(each.number for each in meant))
    return meant[0]


@handles(TableOfBoards)
def table_of_boards(command: TableOfBoards, context: Context) -> list[Notice]:
    """A table of boards, a line each.

    Raises:
        NoSuchPlayer, NoSuchGame, NoSuchPart: one of the players, the game, or the part is unknown.
    """
    return [to_sender("table_of_boards", context, facts_of_table(command, ListPart(command.page), context))]


def facts_of_table(command: TableOfBoards, part: ListPart, context: Context) -> dict[str, object]:
    """The facts of a table of boards, or of a part of it.

    Raises:
        NoSuchPlayer, NoSuchGame, NoSuchPart: one of the players, the game, or the part is unknown.
    """
    boards, more = _boards_of(command, 10 * context.most_boards, context, part)
    return _table_facts(command, boards, more, context)


@handles(ShowAs)
def show_as(command: ShowAs, context: Context) -> list[Notice]:
    """Boards with what only the speaker may see there; the answer goes to their addresses on record.

    Raises:
        NobodyToAsk: no mail reaches any of them.
        NoSuchBoard, OtherGame, NoSuchMove, NoSuchGame: one of the boards is not there.
    """
    check_reachable(context)
    most = context.most_boards
    if command.moments:
        found, damaged = _at_moments(command, context)
        more = len(set(command.moments)) > most
        return [_drawn(found, context, more=more, is_own=True, damaged=damaged)]
    player = context.speaker.known
    own = TableOfBoards((player.userid,), command.which, command.game)
    boards, more = _boards_of(own, most, context)
    if not boards:
        return [_table(own, boards, more, context)]
    return [_drawn(boards, context, more=more, is_own=True)]


def _boards_of(
    command: ShowPlayersBoards | TableOfBoards, most: int, context: Context, part: ListPart = FIRST
) -> tuple[Sequence[Board], bool]:
    game = command.game and context.game(command.game).name
    found = [find_player(userid, context) for userid in command.userids]
    players = [player.id for player in found] or None
    own = {"with_guests": bool(found) and all(player.is_guest for player in found)}
    lately = context.now - context.policy.archive_after
    boards = context.uow.boards.of_players(players, command.which, game, most, ended_since=lately, part=part, **own)
    return boards[:most], len(boards) > most


def _is_present(board: Board, context: Context) -> bool:
    stored = context.uow.boards.find(board.number)
    return stored is not None and stored.event_number == board.event_number


def _drawn(
    boards: Sequence[Board],
    context: Context,
    *,
    more: bool = False,
    is_own: bool = False,
    damaged: Sequence[BoardNumber] = (),
) -> Notice:
    reader = context.speaker.player
    facts = {"boards": [_drawn_facts(board, context, is_own=is_own) for board in boards], "more": more}
    facts["damaged"] = damaged
    if len(boards) > 1:
        return to_sender("boards", context, facts)
    return about_board("boards", boards[0], context, facts, reader=reader)


def _drawn_facts(board: Board, context: Context, *, is_own: bool) -> dict[str, object]:
    """The facts of a drawn board; ``own`` are the speaker's seats there, shown as only they may see them."""
    reader, is_past = context.speaker.player, not _is_present(board, context)
    own = [] if reader is None or is_past or not is_own else board.seats_of(reader.id)
    return {**board_facts(board, context, reader), "past": is_past, "own": own}


def _since(board: Board, context: Context) -> datetime:
    """The moment when a board began to wait for the player to act there, or when it ended."""
    course = context.course(board)
    return course.waiting_since(board) if course.result is None else board.last_at


def _table(command: ShowPlayersBoards | TableOfBoards, boards: Sequence[Board], more: bool, context: Context) -> Notice:
    return to_sender("table_of_boards", context, _table_facts(command, boards, more, context))


def _table_facts(
    command: ShowPlayersBoards | TableOfBoards, boards: Sequence[Board], more: bool, context: Context
) -> dict[str, object]:
    rows = [{**table_facts(board, context, None), "since": _since(board, context)} for board in boards]
    return {
        "rows": rows,
        "now": context.now,
        "more": more,
        "shares": context.commands > 1,
        "which": command.which,
        "userids": command.userids,
        "game_name": command.game,
        "page": command.page if isinstance(command, TableOfBoards) else 1,
    }


MOST_SUBJECTS = 10
"""The most words for which one mail brings help pages."""
_SHORT = 2
"""The longest word that is no password, such as a language."""


@handles(Help)
def help_(command: Help, context: Context) -> list[Notice]:
    """The help pages asked for; the templates are the pages, so the renderer finds them.

    Many players put userid and password behind every command; these words are no subjects, and are not repeated.
    """
    subjects, own = command.subjects, own_userids(context)
    if len(subjects) > 1 and any(userid_key(piece) in own for word in subjects for piece in pieces(word)):
        subjects = tuple(word for word in subjects if is_known(word, context.games))
    subjects = subjects[:MOST_SUBJECTS]
    strange = [word for word in subjects if len(word) > _SHORT and not is_known(word, context.games)]
    if len(subjects) > 1:  # one may be a userid, and those beside it the password
        subjects = tuple(StrangeWord(word, None) if word in strange else word for word in subjects)
    return [to_sender("help", context, {"subjects": subjects})]


@handles(ListGames)
def list_games(command: ListGames, context: Context) -> list[Notice]:
    """The games of the server; for those that are named, a table of their active boards.

    Raises:
        NoSuchGame: the server does not play one of them.
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
