"""What anybody may look at: help, games, boards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pbem.commands.model import TableOfBoards
from pbem.commands.refusals import NotABoard
from pbem.domain.courses import up_to_move
from pbem.domain.parts import FIRST
from pbem.domain.players import userid_key
from pbem.errors import Ambiguous, NotAllowed
from pbem.usecases.boards.moves import find_board
from pbem.usecases.challenges.challenging import NoSuchPlayer
from pbem.usecases.notices.notifications import about_board, board_facts, table_facts, to_sender
from pbem.usecases.proof.consent import check_reachable
from pbem.usecases.refusals import beside_himself, own_userids

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pbem.commands.model import BoardMoment, Help, ListGames, ShowAs, ShowBoards, ShowPlayersBoards
    from pbem.domain.boards import Board
    from pbem.domain.notices import Notice
    from pbem.domain.parts import Part
    from pbem.ids import BoardNumber, PlayerId
    from pbem.usecases.context import Context


MOST_SUBJECTS = 10
"""Words for which one mail brings help pages."""

_LABEL = re.compile(r"[A-Z][0-9]{1,4}", re.IGNORECASE)
"""How the boards of a tournament are called there; no userid looks so."""
_MOST_NUMBERS = 10
"""Boards that a label is said to mean."""


class NoSuchMove(NotAllowed):
    """The board has fewer moves than the one asked for."""

    def __init__(self, board: BoardNumber, moveno: int, moves: int) -> None:
        super().__init__(board=board, moveno=moveno, moves=moves)


class SeveralOfOneLabel(Ambiguous):
    """Boards of several tournaments have this label; ``numbers`` are those of the newest."""

    def __init__(self, label: str, numbers: Sequence[BoardNumber]) -> None:
        super().__init__(name=label, numbers=tuple(numbers))


def help_(command: Help, context: Context) -> list[Notice]:
    """The help pages asked for; the templates are the pages, so finding them is left to the wording.

    Many put userid and password behind every command: what stands there is no subject, and not repeated.
    """
    hidden = beside_himself(command.subjects, context) if len(command.subjects) > 1 else ()
    own = own_userids(context) if hidden else ()
    subjects = [word for word in command.subjects if word not in hidden and userid_key(word) not in own]
    return [to_sender("help", context, {"subjects": tuple(subjects[:MOST_SUBJECTS])})]


def list_games(command: ListGames, context: Context) -> list[Notice]:
    """The games of the server with their boards.

    Raises:
        NoSuchGame: one of the games asked for is none of ours.
    """
    names = list(dict.fromkeys(context.game(name).name for name in command.games)) or sorted(context.games)
    rows = []
    for name in names:
        active, finished, players = context.uow.boards.count(name)
        seeks = context.uow.seeks.count(name)
        facts = {"active": active, "finished": finished, "players": players, "seeks": seeks}
        rows.append({"game": context.games[name], **facts})
    return [to_sender("games", context, {"rows": rows})]


def show_boards(command: ShowBoards, context: Context) -> list[Notice]:
    """The boards asked for, each as it stands or as it stood; no more than fit in one mail.

    Raises:
        NoSuchBoard, OtherGame, NoSuchMove: one of them is not there.
    """
    moments = list(dict.fromkeys(command.moments))
    most = context.most_boards
    boards = [at_moment(moment, command.game, context) for moment in moments[:most]]
    return [_drawn(boards, context, more=len(moments) > most)]


def at_moment(moment: BoardMoment, game: str | None, context: Context) -> Board:
    """A board as it stands, or as it stood.

    Raises:
        NoSuchBoard, OtherGame, NoSuchMove: it is not there.
    """
    board = find_board(moment.board, game, context)
    if moment.moveno is None:
        return board
    moves = context.course(board).ply
    if moment.moveno > moves:
        raise NoSuchMove(board.number, moment.moveno, moves)
    return up_to_move(board, context.course(board), moment.moveno)


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


def table_of_boards(command: TableOfBoards, context: Context) -> list[Notice]:
    """A table of boards, a line each.

    Raises:
        NoSuchPlayer, NoSuchGame: one of the players, or the game, is unknown.
    """
    return [to_sender("table_of_boards", context, facts_of_table(command, FIRST, context))]


def facts_of_table(command: TableOfBoards, part: Part, context: Context) -> dict[str, object]:
    """What a table of boards, or a part of it, shows.

    Raises:
        NoSuchPlayer, NoSuchGame, NoSuchPart: one of the players, the game, or the part is unknown.
    """
    boards, more = _boards_of(command, 10 * context.most_boards, context, part)
    return _table_facts(command, boards, more, context)


def show_as(command: ShowAs, context: Context) -> list[Notice]:
    """Boards with what their player alone may see there; the answer goes to his addresses on record.

    Raises:
        NobodyToAsk: no mail reaches any of them.
        NoSuchBoard, OtherGame, NoSuchMove, NoSuchGame: one of the boards is not there.
    """
    check_reachable(context)
    most = context.most_boards
    if command.moments:
        moments = list(dict.fromkeys(command.moments))
        boards: Sequence[Board] = [at_moment(moment, command.game, context) for moment in moments[:most]]
        return [_drawn(boards, context, more=len(moments) > most, is_own=True)]
    player = context.speaker.known
    own = TableOfBoards((player.userid,), command.which, command.game)
    boards, more = _boards_of(own, most, context)
    if not boards:
        return [_table(own, boards, more, context)]
    return [_drawn(boards, context, more=more, is_own=True)]


def _boards_of(
    command: ShowPlayersBoards | TableOfBoards, most: int, context: Context, part: Part = FIRST
) -> tuple[Sequence[Board], bool]:
    game = command.game and context.game(command.game).name
    players = [_player(userid, context) for userid in command.userids] or None
    lately = context.now - context.policy.archive_after
    boards = context.uow.boards.of_players(players, command.which, game, most, ended_since=lately, part=part)
    return boards[:most], len(boards) > most


def _player(userid: str, context: Context) -> PlayerId:
    player = context.uow.players.by_userid(userid)
    if player is None:
        raise NoSuchPlayer(userid)
    return player.id


def _is_present(board: Board, context: Context) -> bool:
    stored = context.uow.boards.find(board.number)
    return stored is not None and stored.event_number == board.event_number


def _drawn(boards: Sequence[Board], context: Context, *, more: bool = False, is_own: bool = False) -> Notice:
    reader = context.speaker.player
    facts = {"boards": [_drawn_facts(board, context, is_own=is_own) for board in boards], "more": more}
    if len(boards) > 1:
        return to_sender("own_boards" if is_own else "boards", context, facts)
    return about_board("own_boards" if is_own else "boards", boards[0], context, facts, reader=reader)


def _drawn_facts(board: Board, context: Context, *, is_own: bool) -> dict[str, object]:
    """What a drawn board shows; ``own`` are the speaker's seats there as he alone may see them."""
    reader, is_past = context.speaker.player, not _is_present(board, context)
    own = [] if reader is None or is_past or not is_own else board.seats_of(reader.id)
    return {**board_facts(board, context, reader), "past": is_past, "own": own}


def _since(board: Board, context: Context) -> datetime:
    """Since when a board waits for who is to act there, or when it ended."""
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
        "game": command.game,
    }
