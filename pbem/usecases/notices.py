"""Notices: who is told what happened at a board."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from pbem.domain.boards import Board
from pbem.domain.letters import CUT
from pbem.domain.mails import BoardThread, DigestEntry, Notice, next_digest
from pbem.domain.players import Player
from pbem.domain.waits import is_pressed, time_up_at, time_used
from pbem.domain.watches import ANY_BOARD, LONGEST, Remark, RemarkKind, Watch, WatchKind, subscribers, waiting_for_end
from pbem.ids import PlayerId
from pbem.usecases.context import Context, Proof
from pbem.usecases.ratings import rated_facts

_AT_ONCE = ("board_deed",)
"""Notices about boards that wait for no daily mail: what the operator has to say stands nowhere else."""


def subscribers_of(board: Board, context: Context) -> tuple[Watch, ...]:
    """Who gets the mails of a board without playing there."""
    return subscribers(board, context.uow.watches.of_board(board))


def is_subscriber(board: Board, player: PlayerId, context: Context) -> bool:
    """Whether somebody gets the mails of a board without playing there."""
    return any(each.player == player for each in subscribers_of(board, context))


def listeners(board: Board, context: Context) -> Iterator[Player]:
    """The subscribers of a board whom mail reaches; of the others it need not be noted what they have missed."""
    players = context.uow.players.listed(each.player for each in subscribers_of(board, context))
    return (each for each in players if each.reachable)


def waiting_for_the_end(board: Board, context: Context) -> list[Player]:
    """Who is to be told that a board is over, if it is; who has waited for this one does so no longer."""
    result = context.course(board).result
    if result is None:
        return []
    watches = context.uow.watches.of_board(board)
    waiting = waiting_for_end(board, watches, was_played=result.was_played)
    for each in watches:
        if each.kind is WatchKind.END and each.board != ANY_BOARD:
            context.uow.watches.drop(each)
    return [each for each in context.uow.players.listed(waiting) if each.reachable]


def deaf_to_speaker(context: Context) -> frozenset[PlayerId]:
    """Those who have blocked the speaker: nothing that he writes comes to them, and he is not told."""
    speaker = context.speaker.player
    return frozenset() if speaker is None else context.uow.blocks.blockers_of(speaker.id)


def keeps_for_digest(name: str, reader: Player) -> bool:
    """Whether a notice that does not answer its reader waits for his daily mail."""
    return reader.preferences.digest == "daily" and name not in _AT_ONCE


def keep_for_digest(board: Board, reader: Player, comment: Mapping[str, str] | None, context: Context) -> None:
    """Have the next daily mail of a player tell how a board stands, and what somebody has written."""
    said = comment or {"writer": "", "text": ""}
    due_at = next_digest(context.now, reader.preferences.zone)
    context.uow.digests.add(DigestEntry(reader.id, board.number, context.now, due_at, said["writer"], said["text"]))


MOST_SHOWN = 100
"""Of one board."""


def comment_of_speaker(context: Context) -> str:
    """What the speaker has written below the command: nothing where a From address alone says that it was he."""
    return context.comment if context.speaker.proof >= Proof.AUTHENTICATED else ""


def keep_remark(kind: RemarkKind, board: Board, context: Context) -> None:
    """Keep what the speaker has written at a board, if anything."""
    player = context.speaker.player
    text = comment_of_speaker(context).partition(CUT)[0].strip("\n")[:LONGEST]
    if player is not None and text.strip():
        remark = Remark(board.number, board.event_number, player.id, player.userid, context.now, kind, text)
        context.uow.remarks.add(remark)


def may_read(board: Board, context: Context) -> bool:
    """Whether what is written at a board is for the speaker: for those who play there or get its mails.

    Who subscribes reads what was said before, too: anybody can, the players see who does below every mail, and write
    in the knowledge that it is no secret. To keep older words from him would need the moment of every watch, and those
    that cover boards to come have none for this board.
    """
    player = context.speaker.player
    return player is not None and (player.id in board.players or is_subscriber(board, player.id, context))


def remarks_of(board: Board, context: Context) -> Sequence[Remark]:
    """The last remarks at a board that are for the speaker, oldest first; none of whom he has blocked."""
    player = context.speaker.player
    if player is None or not may_read(board, context):
        return ()
    return context.uow.remarks.of_board(board.number, MOST_SHOWN, context.uow.blocks.blocked_by(player.id))


_FOR_ALL = ("new_board", "declined")
"""Notices that somebody may have to answer though it is not for him to play."""


def board_facts(board: Board, context: Context, reader: Player | None) -> dict[str, object]:
    """What every template that shows a board needs."""
    return {
        **table_facts(board, context, reader),
        "subscribers": tuple(each.userid for each in subscribers_of(board, context)),
        "ratings": rated_facts(board, context),
        "away": board.away_at(context.now),
        "used_so_far": _used_so_far(board, context),
        "time_up_at": _time_up_at(board, context, reader),
    }


def _used_so_far(board: Board, context: Context) -> tuple[timedelta, ...]:
    """The time that each seat has used while the game is on; empty where the clock is the usual one."""
    course = context.course(board)
    is_told = board.has_special_clock and course.result is None
    return time_used(board, course, context.now) if is_told else ()


def _time_up_at(board: Board, context: Context, reader: Player | None) -> datetime | None:
    """When the reader has used up his total time, if it is for him to act now."""
    course, stored = context.course(board), context.uow.boards.find(board.number)
    if reader is None or course.to_act is None or board.seats[course.to_act].player != reader.id:
        return None
    is_past = stored is None or stored.event_number != board.event_number
    return None if is_past else time_up_at(board, course)


def table_facts(board: Board, context: Context, reader: Player | None) -> dict[str, object]:
    """What a template needs that has a line for each of many boards."""
    course = context.course(board)
    game = context.games[board.game]
    to_act = None if course.to_act is None else board.seats[course.to_act]
    return {
        "board": board,
        "course": course,
        "game": game,
        "sides": game.sides(course.position),
        "to_act": to_act,
        "reader": reader,
        "plays": reader is not None and reader.id in board.players,
        "readers_turn": to_act is not None and reader is not None and to_act.player == reader.id,
    }


def about_board(
    name: str,
    board: Board,
    context: Context,
    facts: Mapping[str, object],
    *,
    reader: Player | None,
    refusal: bool = False,
) -> Notice:
    """A notice in the thread of a board; who holds a seat can answer it, unless it shows the past.

    Args:
        name: of the template.
        board: as it is shown.
        context: of the command.
        facts: beside those of the board.
        reader: who it goes to; None: to wherever the letter came from.
        refusal: whether it is one.
    """
    stored = context.uow.boards.find(board.number)
    answerable = stored is not None and stored.event_number == board.event_number
    return Notice(
        name,
        reader or context.evidence.answer_to,
        {**board_facts(board, context, reader), **facts},
        BoardThread(board.game, board.number, board.event_number, opens=name == "new_board"),
        replace(context.reply(reader.id, board.number, board.event_number), is_chat=name == "chat")
        if answerable and reader is not None and reader.id in board.players
        else None,
        answers=reader is None or _speaks(reader, context),
        from_nobody=refusal,
        unsubscribes=answerable and reader is not None and is_subscriber(board, reader.id, context),
    )


def to_players(
    name: str,
    board: Board,
    context: Context,
    facts: Mapping[str, object] | None = None,
    *,
    to_speaker: Mapping[str, object] | None = None,
    to_each: Mapping[PlayerId, Mapping[str, object]] | None = None,
    also: Sequence[PlayerId] = (),
) -> list[Notice]:
    """A notice for everybody at a board, not at it any more or watching it, with the speaker's comment, which is kept.

    A comment that he may not have written is dropped, and he is told so. Who watches is told nothing that is not for
    everybody. Who wants one mail a day is told there, unless he speaks. Who has blocked the speaker is told the same
    as the others, but for the comment.

    Args:
        name: of the template.
        board: as it is shown.
        context: of the command.
        facts: for all.
        to_speaker: facts for the speaker alone; the others have None for each.
        to_each: facts for some players alone, who are told at once.
        also: who has been at the board until now.
    """
    comment, deaf = _comment(context)
    keep_remark(RemarkKind.COMMENT, board, context)
    own = {"comment_dropped": comment is None and bool(context.comment), **(to_speaker or {})}
    shared = {**dict.fromkeys(own), **(facts or {})}
    notices = []
    for reader in _readers(name, board, context, also, to_each or ()):
        alone, heard = (to_each or {}).get(reader.id), None if reader.id in deaf else comment
        is_speaker = _speaks(reader, context)
        if not is_speaker and alone is None and _can_wait(name, board, reader, context):
            keep_for_digest(board, reader, heard, context)
            continue
        his = {**(own if is_speaker else {}), **(alone or {})}
        notice = about_board(name, board, context, {"comment": heard, **shared, **his}, reader=reader)
        is_alone = not is_speaker and not _hears(name, board, reader, context)
        notices.append(replace(notice, alone=True) if is_alone else notice)
    return [*notices, *_told_of_end(board, context)]


def _comment(context: Context) -> tuple[Mapping[str, str] | None, Collection[PlayerId]]:
    """What the speaker has written, if anything, and to whom it does not come."""
    speaker, text = context.speaker.player, comment_of_speaker(context)
    if speaker is None or not text:
        return None, ()
    return {"writer": speaker.userid, "text": text}, deaf_to_speaker(context)


def _speaks(reader: Player, context: Context) -> bool:
    return context.speaker.player is not None and context.speaker.player.id == reader.id


def _hears(name: str, board: Board, reader: Player, context: Context) -> bool:
    """Whether a reader would be told at once even if nothing were for him alone."""
    return not _can_wait(name, board, reader, context) and (name in _FOR_ALL or wants(board, reader.id, context))


def _can_wait(name: str, board: Board, reader: Player, context: Context) -> bool:
    """Whether a reader is told in his daily mail: not if it may be the only one that says when his time is up."""
    course = context.course(board)
    is_to_act = course.to_act is not None and board.seats[course.to_act].player == reader.id
    return keeps_for_digest(name, reader) and not (is_to_act and is_pressed(board, course))


def _readers(
    name: str, board: Board, context: Context, also: Sequence[PlayerId], asking: Collection[PlayerId]
) -> list[Player]:
    """Who wants to read a notice about a board, its players first; who is ``asking`` does in any case."""
    asking = (*asking, *(() if context.speaker.player is None else (context.speaker.player.id,)))
    known = (*board.players, *also)
    meant = (
        player
        for player in dict.fromkeys(known)
        if name in _FOR_ALL or player in asking or wants(board, player, context)
    )
    players = context.uow.players.get_all(meant)
    return [*players, *(each for each in listeners(board, context) if each.id not in known)]


def _told_of_end(board: Board, context: Context) -> list[Notice]:
    """The mails to those who have asked to be told when a board ends, if it has."""
    notices = []
    for reader in waiting_for_the_end(board, context):
        if keeps_for_digest("board_ended", reader):
            keep_for_digest(board, reader, None, context)
        else:
            notices.append(about_board("board_ended", board, context, {}, reader=reader))
    return notices


def wants(board: Board, player: PlayerId, context: Context) -> bool:
    """Whether somebody at a board wants a mail of it that does not answer him.

    Who has quietened it does only when it is for him to act or to answer, when he is answered, and when the game is
    over.
    """
    holders = [holder for holder in board.seats if holder.player == player]
    if not any(holder.quiet for holder in holders):
        return True
    course = context.course(board)
    if course.offer is not None and player in course.offer.waits_for(board, course.position.playing):
        return True
    if course.talk.ended is not None and board.seats[course.talk.ended.seat].player == player:
        return True
    return course.to_act is None or board.seats[course.to_act].player == player


def to_sender(name: str, context: Context, facts: Mapping[str, object]) -> Notice:
    """An answer that is about no board: to the addresses on record of a known speaker, else where it came from."""
    player = context.speaker.player
    return Notice(name, player or context.evidence.answer_to, facts, answers=True)
