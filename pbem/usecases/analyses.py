"""Analyses of boards by computer opponents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from pbem.bots.analysis import GameAnalysis, Look, SearchRequest, playouts_for, playouts_in_all
from pbem.bots.boards import LEVELS, STRONGEST
from pbem.bots.thinking import seed_of
from pbem.commands.boards import AnalyseBoard
from pbem.domain.boards import Board
from pbem.domain.events import EventKind
from pbem.domain.game_state import GameState
from pbem.domain.mails import Notice
from pbem.domain.players import Lookalikes, Player, fingerprint
from pbem.domain.robots import MOST_ANALYSES, Analysis, robots_at
from pbem.errors import NotAllowed, NotNow
from pbem.games.game import Game
from pbem.ids import BoardNumber, PlayerId
from pbem.usecases.confirmations import check_reachable
from pbem.usecases.context import Context, handles
from pbem.usecases.notices import about_board, to_sender
from pbem.usecases.opponents import GameNotForRobots, facts_of_looks, inputs_of, most_playouts, playouts_of, replayed
from pbem.usecases.understanding import NoSuchMove, find_board

NOBODY = PlayerId(0)
"""Asks for a guest, who is at no board."""

_COMMON_INPUTS = 4
"""With fewer inputs boards are alike by chance, and every opening would be in play somewhere."""
_COMMON_OF_THE_ASKER = 2
"""The same for boards of the asker: there are few, and the analysis would help them there."""


def same_in_play(
    board: Board, asker: PlayerId, context: Context, fewest: int = _COMMON_OF_THE_ASKER
) -> BoardNumber | None:
    """The number of a board that people play now and that has a position this one once had; None if there is none.

    The positions are alike but for a symmetry, whatever turns have led there. The rules may differ: what is best under
    some is good to know under others. Positions after very few moves do not count; at the asker's own boards the
    ``fewest`` moves are enough.

    Raises:
        NotPlayed: there was no game at the board.
    """
    game, course = context.games[board.game], context.course(board)
    once = [each for each in replayed(board, course, game).courses if len(each.inputs) >= fewest]
    if not once:
        return None
    lookalikes = _lookalikes(board, game, once, asker)
    for other in context.uow.boards.alike(lookalikes):
        is_between_people = len(set(other.players) - set(robots_at(other))) > 1
        if is_between_people:
            now, stood = context.course(other), lookalikes.players if asker in other.players else lookalikes.anybodys
            if now.result is None and fingerprint(game, now.position) in stood:
                return other.number
    return None


def _lookalikes(board: Board, game: Game[Any, Any], once: Sequence[GameState], asker: PlayerId) -> Lookalikes:
    """Search terms for the boards that may have the position of one of the states ``once``."""
    prints = [(fingerprint(game, each.position), len(each.inputs)) for each in once]
    return Lookalikes(
        game=board.game,
        anybodys={each for each, inputs in prints if inputs >= _COMMON_INPUTS},
        players={each for each, _ in prints},
        player=asker,
        records=[event.record for event in board.events if event.kind is EventKind.MOVE],
    )


WhyNot = Literal["in_play", "stuck", "dropped"]
"""The board is in play again, the search failed, or the operator has dropped it."""


class NotOver(NotNow):
    """The board is still in play, so nobody is told its prospects."""

    board: BoardNumber


class StandsTheSame(NotNow):
    """Another board, ``other``, is in play and has a position that this one once had."""

    board: BoardNumber
    other: BoardNumber


class NothingPlayed(NotNow):
    """There was no game at the board: nobody has moved, or no move counts."""

    board: BoardNumber


class OneAnalysis(NotNow):
    """The speaker already waits for another analysis, of the board ``waits``."""

    board: BoardNumber
    waits: BoardNumber


class TooManyAnalyses(NotNow):
    """So many analyses, ``most``, are waiting for all players together that no more are accepted for now."""

    board: BoardNumber
    most: int


class NoAnalyst(NotNow):
    """The operator has taken the strongest robot off."""


@handles(AnalyseBoard)
def analyse_board(command: AnalyseBoard, context: Context) -> list[Notice]:
    """Queue an analysis of a finished board, or of one move of it.

    Raises:
        NoSuchBoard, OtherGame, NoSuchMove: it is not there.
        NotOver, NothingPlayed: there is nothing to be analysed.
        StandsTheSame: it would help at a board in play.
        OneAnalysis: the speaker waits for one already.
        TooManyAnalyses: enough of them are waiting for others.
        NobodyToAsk: no mail reaches the speaker.
        NoAnalyst, GameNotForRobots: nobody here can do it.
    """
    board, moveno = find_board(command.board, command.game, context), command.moveno
    if not context.games[board.game].for_robots:
        raise GameNotForRobots(context.games[board.game].title)
    inquiry = _inquiry(board, moveno, context)
    budget = playouts_in_all(len(inquiry.inputs), inquiry.playouts)
    before = queue(board, moveno, budget, context)
    facts = {"board": board, "game": inquiry.game, "moveno": moveno, "before": before}
    return [to_sender("analysis_queued", context, facts)]


def queue(board: Board, moveno: int | None, budget: int, context: Context) -> int:
    """Have the strongest robot look at a board for the speaker; return how many others wait before them.

    Raises:
        StandsTheSame: it would help at another board in play.
        OneAnalysis: the speaker waits for one already.
        TooManyAnalyses: enough of them are waiting for others.
        NobodyToAsk: no mail reaches the speaker.
        NoAnalyst: the robot is not here.
    """
    asker = context.speaker.known.id
    check_reachable(context)
    waits = context.uow.analyses.find(asker)
    if waits is not None and may_come(waits, context):
        raise OneAnalysis(board.number, waits.board)
    if waits is not None:
        context.uow.analyses.withdraw(waits)
    if context.uow.analyses.count() >= MOST_ANALYSES:
        raise TooManyAnalyses(board.number, MOST_ANALYSES)
    other = same_in_play(board, asker, context)
    if other is not None:
        raise StandsTheSame(board.number, other)
    robot = analyst(context)
    if robot is None:
        raise NoAnalyst
    analysis = Analysis(board.number, board.event_number, robot, asker, moveno, budget, context.now)
    before = context.uow.analyses.before(analysis.due_at)
    context.uow.analyses.ask(analysis)
    return before


def is_hint(task: Analysis, context: Context) -> bool:
    """Return True if a look was asked for while the board was in play."""
    board = context.uow.boards.find(task.board)
    then = None if board is None else replace(board, events=board.events[: task.event])
    return then is not None and context.course(then).result is None


def may_come(task: Analysis, context: Context) -> bool:
    """Return False for a hint whose board has changed since it was asked for: none will come."""
    board = context.uow.boards.find(task.board)
    return not is_hint(task, context) or (board is not None and board.event_number == task.event)


def analyst(context: Context) -> PlayerId | None:
    """The robot that analyses; None if the operator has taken it off."""
    robot = context.uow.players.by_userid(STRONGEST)
    return None if robot is None or not robot.is_here else robot.id


def _inquiry(board: Board, moveno: int | None, context: Context) -> SearchRequest:
    """The request for a search of a board, or of one move of it."""
    course, game = context.course(board), context.games[board.game]
    if course.result is None:
        raise NotOver(board.number)
    if not course.result.was_played:
        raise NothingPlayed(board.number)
    inputs = inputs_of(replayed(board, course, game), moveno)
    if not inputs and moveno is not None:
        raise NoSuchMove(board.number, moveno, max((each.moveno for each in course.inputs), default=0))
    if not inputs:
        raise NothingPlayed(board.number)
    most = min(most_playouts(moveno), playouts_of(LEVELS[STRONGEST], context.policy))
    playouts = playouts_for(len(inputs), most, context.policy.playouts_per_analysis)
    return SearchRequest(game, inputs, playouts, seed_of(board.number, board.event_number, STRONGEST))


def inquiry_for(analysis: Analysis, context: Context) -> SearchRequest | None:
    """The request for the search that an analysis needs; None if the board is in play again, or gone."""
    board = context.uow.boards.find(analysis.board)
    try:
        return None if board is None else _inquiry(board, analysis.moveno, context)
    except NotAllowed:
        return None


def tell_analysis(analysis: Analysis, looks: Sequence[Look] | None, context: Context) -> list[Notice] | None:
    """Mail the result of an analysis to its asker, unless they have left; None if nobody waits for it any more.

    That of a whole game is kept with its board.

    Args:
        analysis: what was asked.
        looks: its result; None where there is nothing to look at.
        context: of the server.
    """
    if context.uow.analyses.find(analysis.asker) != analysis:
        return None
    board = context.uow.boards.find(analysis.board)
    if looks is None or board is None or context.course(board).result is None:
        return tell_no_analysis(analysis, "in_play", context)
    game, moveno = context.games[board.game], analysis.moveno
    playouts = _inquiry(board, moveno, context).playouts
    if moveno is None:
        kept = tuple(replace(look, candidates=look.candidates[:1]) for look in looks)
        context.uow.game_analyses.save(board.number, GameAnalysis(kept, playouts, context.now))
    facts = facts_of_looks(looks, replayed(board, context.course(board), game), game, moveno, playouts)
    reader = context.uow.players.get(analysis.asker)
    return unless_gone(reader, about_board("analysis", board, context, facts, reader=reader))


def kept_analysis(board: Board, context: Context) -> GameAnalysis | StandsTheSame | None:
    """The analysis that is kept with a finished board; None if there is none of the game as it was played.

    Returns:
        `StandsTheSame` in its place while it would help at a board in play.
    """
    course, analysis = context.course(board), context.uow.game_analyses.find(board.number)
    if analysis is None or course.result is None or not course.result.was_played:
        return None
    played = [(each.moveno, each.seat, each.text.move) for each in course.inputs]
    if [(look.moveno, look.seat, look.text) for look in analysis.looks] != played:
        return None
    player = context.speaker.player
    other = same_in_play(board, NOBODY if player is None else player.id, context)
    return analysis if other is None else StandsTheSame(board.number, other)


def tell_no_analysis(analysis: Analysis, why: WhyNot, context: Context) -> list[Notice]:
    """Tell the asker of an analysis that none will come, unless they have left."""
    board, reader = context.uow.boards.find(analysis.board), context.uow.players.get(analysis.asker)
    if board is None:
        return []
    facts: dict[str, object] = {"moveno": analysis.moveno, "why": why}
    return unless_gone(reader, about_board("analysis_failed", board, context, facts, reader=reader))


def unless_gone(reader: Player, notice: Notice) -> list[Notice]:
    """A mail that nobody has just asked for, unless its reader has left."""
    return [replace(notice, answers=False)] if reader.is_here else []
