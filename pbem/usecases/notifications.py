"""Who is told what about a board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.domain.notices import BoardThread, Notice

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.domain.boards import Board
    from pbem.domain.players import Player
    from pbem.usecases.context import Context


def board_facts(board: Board, context: Context, reader: Player | None) -> dict[str, object]:
    """What every template that shows a board needs."""
    course = context.course(board)
    game = context.games[board.game]
    to_act = None if course.to_act is None else board.seats[course.to_act]
    return {
        "board": board,
        "course": course,
        "game": game,
        "sides": game.sides(board.options),
        "to_act": to_act,
        "reader": reader,
        "readers_turn": to_act is not None and reader is not None and to_act.player == reader.id,
    }


def to_player(
    name: str, player: Player, board: Board, context: Context, facts: Mapping[str, object] | None = None
) -> Notice:
    """A notice about a board for one player."""
    opens = board.event_number == 0 and name == "new_board"
    holds_seat = player.id in board.players
    return Notice(
        name,
        player,
        {**board_facts(board, context, player), "comment": None, **(facts or {})},
        BoardThread(board.number, board.event_number, opens),
        context.reply(player.id, board.number, board.event_number) if holds_seat else None,
        answers=context.speaker.player is not None and context.speaker.player.id == player.id,
    )


def to_players(name: str, board: Board, context: Context, facts: Mapping[str, object] | None = None) -> list[Notice]:
    """A notice about a board for everybody at it, with the speaker's comment for all."""
    speaker = context.speaker.player
    comment = {"writer": speaker.userid, "text": context.comment} if speaker and context.comment else None
    return [
        to_player(name, context.uow.players.get(player), board, context, {"comment": comment, **(facts or {})})
        for player in board.players
    ]


def to_sender(name: str, context: Context, facts: Mapping[str, object], *, refusal: bool = False) -> Notice:
    """An answer that is about no board: to the addresses on record of a known speaker, else where it came from."""
    player = context.speaker.player
    return Notice(name, player or context.evidence.answer_to, facts, answers=True, from_nobody=refusal)
