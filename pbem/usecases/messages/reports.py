"""Telling the operator about another player: ``report``."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

from pbem.commands.model import ReportPlayer
from pbem.domain.administration import Report
from pbem.domain.boards import Board
from pbem.domain.letters import CUT
from pbem.domain.mails import Notice
from pbem.domain.players import Player
from pbem.domain.records import NotPlayed
from pbem.errors import NotAllowed
from pbem.ids import BoardNumber
from pbem.usecases.context import Context
from pbem.usecases.notices import to_sender
from pbem.usecases.understanding import NoSuchPlayer, NotAtBoard, find_board
from pbem.usecases.views.records import record_file

MOST_REPORTS = 5
"""That one player makes within a day: he need not have met whom he reports, anybody can write to anybody."""
LONGEST_TEXT = 20_000
"""Characters that are kept."""


class ReportsOneself(NotAllowed):
    """The player who is reported is the one who reports."""


class OtherNotAtBoard(NotAllowed):
    """The player who is reported holds no seat at the board."""

    board: BoardNumber
    userid: str


class NothingSaid(NotAllowed):
    """The letter does not tell what happened."""


class TooManyReports(NotAllowed):
    """The player has reported often enough for a day."""

    most: int


class NoSuchReport(NotAllowed):
    """There is no report with this number, or it is closed already."""

    report: int
    closed: bool


def report_player(command: ReportPlayer, context: Context) -> list[Notice]:
    """Tell the operator about a player, who does not learn of it; keep it even if no operator reads mail.

    Raises:
        NoSuchPlayer, ReportsOneself: the player cannot be reported.
        NoSuchBoard, NotAtBoard, OtherNotAtBoard: the two are not at this board.
        NothingSaid, TooManyReports: not so.
    """
    player = context.speaker.known
    about = _about(command, player, context)
    board = None if command.board is None else _board(command.board, player, about, context)
    text, is_cut, _ = context.comment.partition(CUT)
    if not text.strip():
        raise NothingSaid
    if context.uow.reports.count_since(player.id, context.now - timedelta(days=1)) >= MOST_REPORTS:
        raise TooManyReports(MOST_REPORTS)
    report = Report(
        id=context.uow.reports.next_id(),
        at=context.now,
        player=player.id,
        about=about.id,
        board=board.number if board else None,
        text=text.strip("\n")[:LONGEST_TEXT] + (" [...]" if is_cut or len(text) > LONGEST_TEXT else ""),
    )
    context.uow.reports.save(report)
    facts = {"report": report, "player": player, "about": about, "board": board}
    return [to_sender("reported", context, facts), *_to_operator(facts, board, context)]


def _about(command: ReportPlayer, player: Player, context: Context) -> Player:
    about = context.uow.players.by_userid(command.about)
    if about is None or not (about.confirmed or about.is_placeholder or about.is_robot):
        raise NoSuchPlayer(command.about)
    if about.id == player.id:
        raise ReportsOneself
    return about


def _board(number: BoardNumber, player: Player, about: Player, context: Context) -> Board:
    """The board that the report is about: both must be there."""
    board = find_board(number, None, context)
    if player.id not in board.players:
        raise NotAtBoard(board.number, player.userid)
    if about.id not in board.players:
        raise OtherNotAtBoard(board.number, about.userid)
    return board


def _to_operator(facts: dict[str, object], board: Board | None, context: Context) -> list[Notice]:
    """The report as a mail, with the record of the board."""
    if context.policy.operator is None:
        return []
    notice = Notice("report_operator", context.policy.operator, facts, from_nobody=True)
    if board is not None:
        with suppress(NotPlayed):
            notice = replace(notice, attachment=record_file(board, context.course(board)))
    return [notice]


def close_report(report: int, note: str, context: Context) -> Report:
    """Note that the operator is done with a report.

    Raises:
        NoSuchReport: there is none, or it is closed already.
    """
    found = context.uow.reports.find(report)
    if found is None or found.closed_at is not None:
        raise NoSuchReport(report, closed=found is not None)
    closed = replace(found, closed_at=context.now, note=note or None)
    context.uow.reports.save(closed)
    return closed
