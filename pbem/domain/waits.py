"""The wait of a board for a player, as its clock sees it."""

from __future__ import annotations

from datetime import datetime, timedelta

from pbem.domain.boards import Board
from pbem.domain.clocks import VerdictKind, Wait, next_look
from pbem.domain.events import OfferKind
from pbem.domain.game_state import GameState
from pbem.domain.offers import Offer
from pbem.domain.vacations import OFFER, standing_for
from pbem.ids import PlayerId

_TWO = 2
_BY_SILENCE = {OfferKind.DRAW: VerdictKind.DRAW, OfferKind.UNDO: VerdictKind.LAPSE}


def waiting(board: Board, course: GameState) -> Wait | None:
    """The wait of the board; None once it is over."""
    if course.to_act is None:
        return None
    if course.offer is not None:
        return _for_answers(board, course, course.offer)
    player = board.seats[course.to_act].player
    clock = board.clock_of([player])
    return Wait(
        clock,
        course.waiting_since(board),
        VerdictKind.UNANSWERED if _is_unanswered(board, player) else VerdictKind.FORFEIT,
        pauses=standing_for(player, board.pauses),
        used=timedelta(0) if clock.total is None else course.used_before(board, course.to_act),
        nagged_at=board.nagged_at,
        forfeit_at=board.forfeit_at,
    )


def _for_answers(board: Board, course: GameState, offer: Offer) -> Wait:
    """The wait for answers to an offer; for its sake the clocks of turns stand, not this one."""
    asked = offer.waits_for(board, course.position.playing)
    pauses = (each for each in board.pauses if each.why != OFFER)
    is_draw = offer.kind is OfferKind.DRAW
    return Wait(
        board.clock_of(asked),
        offer.at,
        VerdictKind.UNANSWERED if is_draw and _is_unanswered(board, asked[0]) else _BY_SILENCE[offer.kind],
        tuple(each for each in pauses if not each.is_of_one or each.player in asked),
        nagged_at=board.answer_nagged_at,
        forfeit_at=board.answer_by,
    )


def _is_unanswered(board: Board, player: PlayerId) -> bool:
    """Return True if a challenge ends when a player is silent; where more than two play, the others go on instead."""
    return board.tournament is None and len(board.players) <= _TWO and not board.has_answered(player)


def waited_for(board: Board, course: GameState) -> tuple[PlayerId, ...]:
    """The players who are waited for, each once: the one to act, or all who have to answer."""
    if course.offer is not None:
        return course.offer.waits_for(board, course.position.playing)
    return () if course.to_act is None else (board.seats[course.to_act].player,)


def silence_ends_at(board: Board, course: GameState) -> datetime | None:
    """When silence counts as an answer to what is offered; None: nothing is, or its clock stands."""
    wait = None if course.offer is None else waiting(board, course)
    return None if wait is None else wait.ends_at


def nag_at(board: Board, course: GameState) -> datetime | None:
    """The moment of the next reminder; None: not before the player's time is up, or their clock stands."""
    wait = waiting(board, course)
    look = None if wait is None else next_look(wait)
    return look if wait is not None and wait.ends_at is not None and look is not None and look < wait.ends_at else None


def is_pressed(board: Board, course: GameState) -> bool:
    """Return True if so little is left of a total time that no nag comes before it is up."""
    wait = waiting(board, course)
    return wait is not None and wait.is_by_total and wait.limit == wait.grace


def clock_at(board: Board, course: GameState) -> datetime | None:
    """When the clock of a board must be looked at next, if nothing happens there before; None: not until then."""
    wait = waiting(board, course)
    if wait is None:
        return None
    looks = (next_look(wait), *(each.ends_by for each in board.stands))
    return min((each for each in looks if each is not None), default=None)


def total_left(board: Board, course: GameState, now: datetime) -> tuple[timedelta, ...]:
    """The rest of the total time of each seat's holder; empty if there is none."""
    if board.clock.total is None:
        return ()
    return tuple(max(board.clock.total - used, timedelta(0)) for used in time_used(board, course, now))


def time_used(board: Board, course: GameState, now: datetime) -> tuple[timedelta, ...]:
    """The time that the holder of each seat has kept the others waiting up to now."""
    used = list(course.time_used(board))
    wait = None if course.offer is not None else waiting(board, course)
    if wait is not None and course.to_act is not None and wait.rules is board.clock:
        used[course.to_act] = course.used_before(board, course.to_act) + wait.lasted(now)
    return tuple(used)
