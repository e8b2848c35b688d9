"""Notices of what has happened at a board, and their readers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from pbem.domain.boards import Board
from pbem.domain.letters import CUT
from pbem.domain.mails import BoardThread, DigestEntry, Notice, next_digest
from pbem.domain.players import Player, is_robot
from pbem.domain.waits import is_pressed, time_used, waiting
from pbem.domain.watches import ANY_BOARD, LONGEST, Remark, RemarkKind, Watch, WatchKind, subscribers, waiting_for_end
from pbem.games.game import Game
from pbem.ids import PlayerId
from pbem.usecases.context import Context, Proof
from pbem.usecases.ratings import rated_facts

_AT_ONCE = ("board_deed",)
"""Notices about boards that wait for no daily mail: the operator's message is in no other mail."""


def subscribers_of(board: Board, context: Context) -> tuple[Watch, ...]:
    """The watches of those who get the mails of a board without playing there."""
    return subscribers(board, context.uow.watches.of_board(board))


def is_subscriber(board: Board, player: PlayerId, context: Context) -> bool:
    """Return True if a player gets the mails of a board without playing there."""
    return any(each.player == player for each in subscribers_of(board, context))


def listeners(board: Board, context: Context) -> Iterator[Player]:
    """The subscribers of a board whom mail reaches; nothing that the others miss is recorded."""
    players = context.uow.players.listed(each.player for each in subscribers_of(board, context))
    return (each for each in players if each.reachable)


def waiting_for_the_end(board: Board, context: Context) -> list[Player]:
    """The players to tell that a board is over, if it is; whoever waited for this one waits no longer."""
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
    """The players who have blocked the speaker: the speaker's words do not reach them, and the speaker is not told."""
    speaker = context.speaker.player
    return frozenset() if speaker is None else context.uow.blocks.blockers_of(speaker.id)


def keeps_for_digest(name: str, reader: Player) -> bool:
    """Return True if a notice that does not answer its reader waits for their daily mail."""
    return reader.preferences.digest == "daily" and name not in _AT_ONCE


def keep_for_digest(board: Board, reader: Player, comment: Mapping[str, str] | None, context: Context) -> None:
    """Have the next daily mail of a player show a board, with the words that somebody has written."""
    said = comment or {"writer": "", "text": ""}
    due_at = next_digest(context.now, reader.preferences.zone)
    context.uow.digests.add(DigestEntry(reader.id, board.number, context.now, due_at, said["writer"], said["text"]))


MOST_SHOWN = 100
"""The most remarks of one board."""


def comment_of_speaker(context: Context) -> str:
    """The words below the speaker's command; empty if only a From address says that the speaker wrote them."""
    return context.comment if context.speaker.proof >= Proof.AUTHENTICATED else ""


def keep_remark(kind: RemarkKind, board: Board, context: Context, event: int | None = None) -> None:
    """Keep the words that the speaker has written at a board, if any; they belong to its last event, or to another."""
    player = context.speaker.player
    text = comment_of_speaker(context).partition(CUT)[0].strip("\n")[:LONGEST]
    if player is not None and text.strip():
        event = board.event_number if event is None else event
        remark = Remark(board.number, event, player.id, player.userid, context.now, kind, text)
        context.uow.remarks.add(remark)


def may_read(board: Board, context: Context) -> bool:
    """Return True if the speaker may read what is written at a board: they play there or get its mails.

    New subscribers may read earlier words, too: anybody can subscribe, every mail shows the players who does, and they
    write knowing that it is no secret. To hide older words we would need the moment of every watch, and watches that
    cover future boards have none for this board.
    """
    player = context.speaker.player
    return player is not None and (player.id in board.players or is_subscriber(board, player.id, context))


def remarks_of(board: Board, context: Context) -> Sequence[Remark]:
    """The last remarks at a board that are for the speaker, oldest first; none by players they have blocked."""
    player = context.speaker.player
    if player is None or not may_read(board, context):
        return ()
    return context.uow.remarks.of_board(board.number, MOST_SHOWN, context.uow.blocks.blocked_by(player.id))


_FOR_ALL = ("new_board", "declined")
"""Notices that somebody may have to answer when it is not their turn."""


def board_facts(board: Board, context: Context, reader: Player | None) -> dict[str, object]:
    """The facts for every template that shows a board."""
    return {
        **table_facts(board, context, reader),
        "subscribers": tuple(each.userid for each in subscribers_of(board, context)),
        "ratings": rated_facts(board, context),
        "away": board.away_at(context.now),
        "used_so_far": _used_so_far(board, context),
        **_deadlines(board, context, reader),
        "is_beginner": _is_beginner(board, context, reader),
    }


_FIRST_MOVES = 2


def _is_beginner(board: Board, context: Context, reader: Player | None) -> bool:
    """Return True for the mails about a player's first moves in a family of games."""
    if reader is None or reader.preferences.legend != "first" or reader.id not in board.players:
        return False
    seats, course = board.seats_of(reader.id), context.course(board)
    if course.to_act not in seats or sum(played.seat in seats for played in course.inputs) >= _FIRST_MOVES:
        return False
    own = _family(context.games[board.game])
    alike = [name for name, game in context.games.items() if _family(game) is own]
    return not context.uow.boards.has_played(reader.id, alike, board.number)


def _family(game: Game[Any, Any]) -> type:
    """The mark of all games of a family: the class that stands next to `Game`."""
    classes = type(game).__mro__
    return classes[classes.index(Game) - 1]


def _used_so_far(board: Board, context: Context) -> tuple[timedelta, ...]:
    """The time that each seat has used while the game is on; empty where the clock is the usual one."""
    course = context.course(board)
    is_told = board.has_special_clock and course.result is None
    return time_used(board, course, context.now) if is_told else ()


def _deadlines(board: Board, context: Context, reader: Player | None) -> dict[str, datetime | None]:
    """When the reader's time for this move is up, if they are to move now, and if it is their total time that is up."""
    course, stored = context.course(board), context.uow.boards.find(board.number)
    is_now = stored is not None and stored.event_number == board.event_number
    if reader is None or not is_now or course.to_act is None or board.seats[course.to_act].player != reader.id:
        return {"move_by": None, "time_up_at": None}
    wait = waiting(board, course)
    ends_at = None if wait is None else wait.ends_at
    return {
        "move_by": None if course.offer else ends_at,
        "time_up_at": ends_at if wait is not None and wait.is_by_total else None,
    }


def table_facts(board: Board, context: Context, reader: Player | None) -> dict[str, object]:
    """The facts for a template that has a line for each of many boards."""
    course = context.course(board)
    game = context.games[board.game]
    to_act = None if course.to_act is None else board.seats[course.to_act]
    return {
        "board": board,
        "stored": board,
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
    """A notice in the thread of a board; a player with a seat can answer it, unless it shows the past.

    Args:
        name: of the template.
        board: as it is shown.
        context: of the command.
        facts: beside those of the board.
        reader: the player it goes to; None: to wherever the letter came from.
        refusal: True if it is one.
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
    """A notice for all at a board, just gone from it or watching it, with the speaker's comment, which is kept.

    A comment that the speaker may not have written is dropped, and they are told so. Watchers get only what is for
    everybody. Players who want one mail a day get it there, unless they are the speaker. Players who have blocked the
    speaker are told the same as the others, without the comment.

    Args:
        name: of the template.
        board: as it is shown.
        context: of the command.
        facts: for all.
        to_speaker: facts for the speaker alone; the others have None for each.
        to_each: facts for some players alone, who are told at once.
        also: players who have been at the board until now.
    """
    comment, deaf = _comment(context)
    own_event = (facts or {}).get("new_input")  # others may have been made by plans since
    keep_remark(RemarkKind.COMMENT, board, context, own_event if isinstance(own_event, int) and own_event else None)
    own = {"comment_dropped": comment is None and bool(context.comment), **(to_speaker or {})}
    shared = {**dict.fromkeys(own), **(facts or {})}
    notices = []
    for reader in _readers(name, board, context, also, to_each or ()):
        alone, heard = (to_each or {}).get(reader.id), None if reader.id in deaf else comment
        is_speaker = _speaks(reader, context)
        if not is_speaker and alone is None and _can_wait(name, board, reader, context):
            keep_for_digest(board, reader, heard, context)
            continue
        personal = {**(own if is_speaker else {}), **(alone or {})}
        notice = about_board(name, board, context, {"comment": heard, **shared, **personal}, reader=reader)
        if is_speaker and not any(personal.values()) and _awaits_robot(name, board, context):
            notice = replace(notice, leaves_at=context.now + context.policy.wait_for_robots, awaits_robot=True)
        elif name == "board" and context.speaker.player is not None and context.speaker.player.is_robot:
            notice = replace(notice, supersedes=True)
        is_alone = not is_speaker and not _hears(name, board, reader, context)
        notices.append(replace(notice, alone=True) if is_alone else notice)
    return [*notices, *_told_of_end(board, context)]


def _awaits_robot(name: str, board: Board, context: Context) -> bool:
    """Return True if a computer opponent may move at once, so that one mail can tell of both moves."""
    to_act = context.course(board).to_act
    is_mail_of_move = name == "board" and bool(context.policy.wait_for_robots) and context.course(board).offer is None
    return is_mail_of_move and to_act is not None and is_robot(board.seats[to_act].userid)


def _comment(context: Context) -> tuple[Mapping[str, str] | None, Collection[PlayerId]]:
    """The words of the speaker, if any, and the players whom they do not reach."""
    speaker, text = context.speaker.player, comment_of_speaker(context)
    if speaker is None or not text:
        return None, ()
    return {"writer": speaker.userid, "text": text}, deaf_to_speaker(context)


def _speaks(reader: Player, context: Context) -> bool:
    return context.speaker.player is not None and context.speaker.player.id == reader.id


def _hears(name: str, board: Board, reader: Player, context: Context) -> bool:
    """Return True if a reader would be told at once even if nothing were for them alone."""
    return not _can_wait(name, board, reader, context) and (name in _FOR_ALL or wants(board, reader.id, context))


def _can_wait(name: str, board: Board, reader: Player, context: Context) -> bool:
    """Return True if a reader can be told in their daily mail: not if no other mail would say when their time is up."""
    course = context.course(board)
    is_to_act = course.to_act is not None and board.seats[course.to_act].player == reader.id
    return keeps_for_digest(name, reader) and not (is_to_act and is_pressed(board, course))


def _readers(
    name: str, board: Board, context: Context, also: Sequence[PlayerId], asking: Collection[PlayerId]
) -> list[Player]:
    """The players who want to read a notice about a board; those ``asking`` do in any case.

    Whoever is to act comes first, then the other players: mails leave in this order.
    """
    asking = (*asking, *(() if context.speaker.player is None else (context.speaker.player.id,)))
    known = (*board.players, *also)
    meant = (
        player
        for player in dict.fromkeys(known)
        if name in _FOR_ALL or player in asking or wants(board, player, context)
    )
    players, to_act = context.uow.players.get_all(meant), context.course(board).to_act
    if to_act is not None:
        players = sorted(players, key=lambda each: each.id != board.seats[to_act].player)
    return [*players, *(each for each in listeners(board, context) if each.id not in known)]


def _told_of_end(board: Board, context: Context) -> list[Notice]:
    """The mails to those who have asked to be told when a board ends, if it has ended."""
    notices = []
    for reader in waiting_for_the_end(board, context):
        if keeps_for_digest("board_ended", reader):
            keep_for_digest(board, reader, None, context)
        else:
            notices.append(about_board("board_ended", board, context, {}, reader=reader))
    return notices


def wants(board: Board, player: PlayerId, context: Context) -> bool:
    """Return True if a player at a board wants a mail of it that does not answer them.

    A player who has quietened it wants mail only when they are to act or to answer, when they are answered, and when
    the game is over.
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
