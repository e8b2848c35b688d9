"""Chat, messages, broadcasts and reports to the operator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

from pbem.commands.accounts import ReportPlayer
from pbem.commands.boards import Chat
from pbem.commands.server import Broadcast as BroadcastCommand
from pbem.commands.server import SendMessage
from pbem.domain.administration import Broadcast, Report
from pbem.domain.boards import Board
from pbem.domain.letters import CUT
from pbem.domain.mails import Notice
from pbem.domain.players import Player, Standing
from pbem.domain.records import NotPlayed
from pbem.domain.replies import Purpose
from pbem.domain.watches import LONGEST, RemarkKind
from pbem.errors import NotAllowed
from pbem.ids import BoardNumber, PlayerId
from pbem.usecases.context import Context, handles
from pbem.usecases.notices import about_board, deaf_to_speaker, is_subscriber, keep_remark, listeners, to_sender
from pbem.usecases.rankings import record_files
from pbem.usecases.refusals import Reasons
from pbem.usecases.understanding import NoSuchPlayer, NotAtBoard, find_board, find_player

MOST_REPORTS = 5
"""The most that one player makes within a day; they need not have met the other, as anybody can write to anybody."""
LONGEST_TEXT = 20_000
"""The most characters that are kept."""


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


@handles(ReportPlayer)
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
    """Find the board that the report is about; both players must be there."""
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
            notice = replace(notice, attachments=record_files(board, context.course(board), context.games[board.game]))
    return [notice]


def close_report(report: int, note: str, context: Context) -> Report:
    """Close a report with the operator's note.

    Raises:
        NoSuchReport: there is none, or it is closed already.
    """
    found = context.uow.reports.find(report)
    if found is None or found.closed_at is not None:
        raise NoSuchReport(report, closed=found is not None)
    closed = replace(found, closed_at=context.now, note=note or None)
    context.uow.reports.save(closed)
    return closed


MOST_READERS = 20
"""The most readers of one message."""
_DAY = timedelta(days=1)


class NoWords(NotAllowed):
    """There are no words below a command that passes words on; among ``several`` commands there can be none.

    ``on_web``: the command came from a page.
    """

    several: bool = False
    on_web: bool = False


class NotListening(NotAllowed):
    """The speaker neither plays at the board nor gets its mails, so they would not hear the answers."""

    number: BoardNumber


class NeverPlayed(NotAllowed):
    """The board was declined or annulled, so its players have nothing to do with each other any more."""

    number: BoardNumber


class NoMailTo(NotAllowed):
    """Nobody can write to the player; ``reason``: ``gone``, ``robot``, ``unconfirmed`` or ``unreachable``."""

    userid: str
    reason: str


class WritesToOneself(NotAllowed):
    """A message is for nobody but its writer."""


class TooManyReaders(NotAllowed):
    """A message is for more players than are allowed."""

    most: int


class SaidEnough(NotAllowed):
    """The speaker has written to others often enough for a day; ``kind``: ``message`` or ``broadcast``."""

    kind: str
    most: int


@handles(Chat)
def chat(command: Chat, context: Context) -> list[Notice]:
    """Pass words on to all who play at a board or get its mails; whoever has blocked the speaker does not get them.

    Raises:
        NoSuchBoard, OtherGame, NotListening, NeverPlayed: not there.
        NoWords, SaidEnough: not so.
    """
    board, player = find_board(command.board, command.game, context), context.speaker.known
    if not board.seats_of(player.id) and not is_subscriber(board, player.id, context):
        raise NotListening(board.number)
    result = context.course(board).result
    if result is not None and not result.was_played:
        raise NeverPlayed(board.number)
    told = say(board, {}, context)
    keep_remark(RemarkKind.CHAT, board, context)
    return told


def say(board: Board, facts: Mapping[str, object], context: Context) -> list[Notice]:
    """Pass words on to all who play at a board or get its mails, with more facts about them.

    Raises:
        NoWords, SaidEnough: not so.
    """
    comment, player = _words(context), context.speaker.known
    players = context.uow.players.get_all(each for each in board.players if each != player.id)
    others = [*players, *(each for each in listeners(board, context) if each.id != player.id)]
    _count(len(players), context)
    return [
        about_board("chat", board, context, {**facts, "comment": comment}, reader=each)
        for each in (player, *_who_listen(others, context))
    ]


@handles(SendMessage)
def send_message(command: SendMessage, context: Context) -> list[Notice]:
    """Pass words on to some players; nobody learns an address, or that they are blocked.

    Raises:
        NoSuchPlayer, NoMailTo, WritesToOneself, TooManyReaders: not to them.
        NoWords, SaidEnough: not so.
        SeveralReasons: more than one of the players cannot be written to.
    """
    readers, comment = _readers(command.to, context), _words(context)
    _count(len(readers), context)
    facts = {"comment": comment, "writer": context.speaker.known, "readers": readers}
    writer = context.speaker.known.id
    told = [
        Notice(
            "message", each, {**facts, "player": each}, reply=context.topic_reply(Purpose.MESSAGE, each, int(writer))
        )
        for each in _who_listen(readers, context)
    ]
    return [to_sender("message_sent", context, facts), *told]


def _readers(userids: Sequence[str], context: Context) -> list[Player]:
    """The players that a message is for, each once."""
    reasons, found = Reasons(), {}
    for userid in userids:
        with reasons.gathered():
            reader = _reader(userid, context)
            found[reader.id] = reader
    reasons.check()
    found.pop(context.speaker.known.id, None)
    if not found:
        raise WritesToOneself
    if len(found) > MOST_READERS:
        raise TooManyReaders(MOST_READERS)
    return [*found.values()]


def _reader(userid: str, context: Context) -> Player:
    player = find_player(userid, context)
    if not player.is_here:
        raise NoMailTo(player.userid, "gone")
    if player.is_robot:
        raise NoMailTo(player.userid, "robot")
    if not player.confirmed:
        raise NoMailTo(player.userid, "unconfirmed")
    if player.is_unreachable:
        raise NoMailTo(player.userid, "unreachable")
    return player


def _who_listen(readers: Sequence[Player], context: Context) -> list[Player]:
    """The readers who have not blocked the speaker."""
    deaf = deaf_to_speaker(context)
    return [each for each in readers if each.id not in deaf]


@handles(BroadcastCommand)
def broadcast(command: BroadcastCommand, context: Context) -> list[Notice]:
    """Accept words for everybody; they are mailed in batches.

    Raises:
        NoWords, SaidEnough: not so.
    """
    player, most = context.speaker.known, context.policy.broadcasts_per_day
    comment = _words(context)
    if context.uow.broadcasts.count_since(player.id, context.now - _DAY) >= most:
        raise SaidEnough("broadcast", most)
    words = Broadcast(context.uow.broadcasts.next_id(), player.id, context.now, comment["text"])
    context.uow.broadcasts.save(words)
    return [to_sender("broadcast_taken", context, {"comment": comment})]


def _words(context: Context) -> dict[str, str]:
    """The words below a command, as mails show them."""
    text, cut, _ = context.comment.partition(CUT)
    text = text.strip("\n")
    if not text.strip():
        raise NoWords(several=context.commands > 1, on_web=context.speaker.session is not None)
    if cut or len(text) > LONGEST:
        text = f"{text[:LONGEST]}\n{CUT}"
    return {"writer": context.speaker.known.userid, "text": text}


def _count(mails: int, context: Context) -> None:
    """Count the mails that the speaker causes to others who have not asked for them."""
    known = context.uow.correspondents.of(f"!{context.speaker.known.id}", context.now).wrote(mails)
    if known.answers > context.policy.messages_per_day:
        raise SaidEnough("message", context.policy.messages_per_day)
    context.uow.correspondents.save(known)


AT_ONCE = 50
"""The most players told at a time: letters wait meanwhile."""


def tell_next(broadcast: Broadcast, context: Context) -> Mapping[PlayerId, Notice]:
    """The notices of a broadcast to the next players; also notes how far it has come.

    Players who want no such mails, or nothing from its writer, are left out. If the writer has left, or the operator
    has silenced them, nobody else hears of it.
    """
    writer = context.uow.players.get(broadcast.player)
    batch = context.uow.broadcasts.listeners(broadcast.sent_to, AT_ONCE) if writer.standing is Standing.ACTIVE else ()
    if not batch:
        context.uow.broadcasts.save(replace(broadcast, done_at=context.now))
        return {}
    context.uow.broadcasts.save(replace(broadcast, sent_to=batch[-1]))
    left_out = {writer.id, *context.uow.blocks.blockers_of(writer.id)}
    facts = {"comment": {"writer": writer.userid, "text": broadcast.text}, "writer": writer}
    readers = context.uow.players.listed(each for each in batch if each not in left_out)
    return {
        each.id: Notice("broadcast", each, {**facts, "player": each}, stopped_by="broadcast")
        for each in readers
        if each.preferences.broadcast == "on"
    }


def give_up(number: int, error: str, context: Context) -> list[Notice]:
    """Stop a broadcast that cannot be written, and tell the operator.

    Args:
        number: its id.
        error: the reason.
        context: of the moment.
    """
    broadcast = context.uow.broadcasts.find_unsent(number)
    if broadcast is None:
        return []
    context.uow.broadcasts.save(replace(broadcast, done_at=context.now))
    facts = {"broadcast": broadcast, "writer": context.uow.players.get(broadcast.player), "error": error}
    operator = context.policy.operator
    return [Notice("broadcast_given_up", operator, facts, from_nobody=True)] if operator is not None else []
