"""Ratings and paces after a board."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from pbem.domain.boards import Board
from pbem.domain.game_state import BoardEnding
from pbem.domain.players import Player
from pbem.domain.ratings import (
    ACTIVE_FOR,
    MOST_BOARDS,
    RatingChange,
    Score,
    average,
    pace,
    pair_scores,
    pool_name,
    rated,
    scores,
)
from pbem.ids import BoardNumber, PlayerId
from pbem.usecases.context import Context


@dataclass(frozen=True, slots=True)
class Rated:
    """The facts that templates show about the rating of a finished board."""

    changes: tuple[RatingChange, ...] = ()
    """By seat; empty if it is not rated."""
    pair: BoardNumber | None = None
    """The other board of its pair, if that counts, or may once it is over."""
    waits: bool = False
    """True if the two are rated once that one is over, too."""
    pair_alone: bool = False
    """True if the other board is rated alone, since this one does not count."""


def rate(board: Board, context: Context) -> None:
    """Rate a board that is over; if it was annulled, undo its rating.

    A pair is rated once, when both its games are over, by their joint result; if one game of a pair does not count, the
    other is rated alone. Call this after saving the board.
    """
    both = [board, *other_half(board, context)]
    for each in both:
        if context.course(each).result is None:
            context.uow.boards.save(each)  # ending at the same time, each would leave it to the other
            return
    result = context.course(board).result
    if any(_live(half, context) for half in both) and result is not None and result.ending is not BoardEnding.ANNULLED:
        return
    for half in both:
        _take_back(half, context)
    counting = [each for each in both if _counts(each, context)]
    if counting and not _is_first_loss_to_robot(counting, context):
        _rate(counting, context)


def rated_facts(board: Board, context: Context) -> Rated | None:
    """The facts about the rating of a board; None while it is on."""
    if context.course(board).result is None:
        return None
    is_rated = _counts(board, context)
    other = next(iter(other_half(board, context)), None)
    if other is None:
        return Rated(_by_seat(_live(board, context), board))
    if context.course(other).result is None:
        may_count = other.number if is_rated or other.may_count else None
        return Rated(pair=may_count, waits=is_rated, pair_alone=not is_rated)
    changes = _live(board, context) or _live(other, context)
    return Rated(_by_seat(changes, board), other.number if _counts(other, context) else None, pair_alone=not is_rated)


def variant_of(board: Board, context: Context) -> str:
    """The named variant that a board is rated in; empty for the game as it is usually played."""
    return context.games[board.game].variant(board.options)


def was_rated(board: Board, context: Context) -> bool:
    """Return True if ratings have changed because of a board."""
    both = (board, *other_half(board, context))
    return _counts(board, context) and any(_live(half, context) for half in both)


def _live(board: Board, context: Context) -> list[RatingChange]:
    """The changes by a board that were not taken back."""
    return [each for each in context.uow.ratings.changes(board.number) if each.undone_at is None]


def _by_seat(changes: Sequence[RatingChange], board: Board) -> tuple[RatingChange, ...]:
    """The changes in the order of a board's seats; its pair may have had other players."""
    seats = {player: seat for seat, player in enumerate(board.players)}
    return tuple(sorted(changes, key=lambda each: seats.get(each.player, len(seats))))


def other_half(board: Board, context: Context) -> list[Board]:
    """The other board of a pair, if it is one."""
    other = None if board.pair is None else context.uow.boards.find(board.pair)
    return [] if other is None else [other]


def _counts(board: Board, context: Context) -> bool:
    """Return True if the game of a board is rated: it was played, and it may count."""
    result = context.course(board).result
    return result is not None and result.was_played and board.may_count


def _is_first_loss_to_robot(boards: Sequence[Board], context: Context) -> bool:
    """Return True if a player without a rating would begin with a loss to a computer opponent, which tells nothing."""
    players = context.uow.players.get_all(boards[0].players)
    if not any(player.is_robot for player in players):
        return False
    scored = zip(players, _outcome(boards, context), strict=True)
    lost = (player for player, score in scored if score is Score.LOSS and not player.is_robot)
    ratings, variant = context.uow.ratings, variant_of(boards[0], context)
    return any(not ratings.of(player.id, boards[0].game, variant).games for player in lost)


def _rate(boards: Sequence[Board], context: Context) -> None:
    """Rate the game of a board, or those of a pair as one; the change is noted with the first."""
    ratings, board = context.uow.ratings, boards[0]
    variant = variant_of(board, context)
    outcome = _outcome(boards, context)
    before = [ratings.of(player, board.game, variant) for player in board.players]
    level = average(*ratings.established(board.game, context.now - ACTIVE_FOR, variant))
    after = rated(before, outcome, level)
    changes = []
    for holder, was, value, score in zip(board.seats, before, after, outcome, strict=True):
        ratings.save(holder.player, board.game, was.with_game(value, score, context.now), variant)
        change = RatingChange(holder.player, holder.userid, was.value, value, was.games, score, context.now)
        changes.append(replace(change, variant=variant))
    ratings.note(board.number, board.game, changes)


def _outcome(boards: Sequence[Board], context: Context) -> tuple[Score, ...]:
    """The scores of a game, or of a pair, by the seats of the first board."""
    found = [_scores(board, context) for board in boards]
    of_first = [tuple(each[player] for player in boards[0].players) for each in found]
    return of_first[0] if len(of_first) == 1 else pair_scores(*of_first)


def _scores(board: Board, context: Context) -> dict[PlayerId, Score]:
    result = context.course(board).result
    winners = () if result is None else result.winners
    return dict(zip(board.players, scores(len(board.seats), winners), strict=True))


def _take_back(board: Board, context: Context) -> None:
    """Take the changes by a board back from the present ratings, if there are any."""
    ratings, live = context.uow.ratings, _live(board, context)
    for each in live:
        now = ratings.of(each.player, board.game, each.variant)
        undone = now.without_game(each.after - each.before, each.score)
        ratings.save(each.player, board.game, undone, each.variant)
    if live:
        ratings.note(board.number, board.game, [replace(each, undone_at=context.now) for each in live])


def pace_of(player: PlayerId, context: Context, without: BoardNumber | None = None) -> timedelta | None:
    """The median time per move of a player, ``without`` one board; None if they have made no move."""
    numbers = (each for each in context.uow.rankings.newest_boards(player, MOST_BOARDS) if each != without)
    return pace((board for board in map(context.uow.boards.find_listed, numbers) if board is not None), player)


def paces_of(player: PlayerId, context: Context) -> Mapping[str, timedelta]:
    """The median time per move of a player at their newest boards, by rating pool."""
    found: defaultdict[str, list[Board]] = defaultdict(list)
    for number in context.uow.rankings.newest_boards(player, MOST_BOARDS):
        board = context.uow.boards.find_listed(number)
        if board is not None:
            found[pool_name(board.game, variant_of(board, context))].append(board)
    paces = {pool: pace(boards, player) for pool, boards in found.items()}
    return {pool: each for pool, each in paces.items() if each is not None}


def known_pace(player: Player, context: Context) -> timedelta | None:
    """The pace of a player as noted when their last board ended; until one has, as far as their boards tell."""
    return pace_of(player.id, context) if player.pace is None else player.pace


def renew_paces(board: Board, context: Context) -> None:
    """Note the recent pace of each player of a board that is over, except those who have left the server.

    Call this after saving the board.
    """
    result = context.course(board).result
    unplayed = board.number if result is not None and not result.was_played else None
    for player in board.players:
        if not context.uow.players.get(player).has_left:
            context.uow.players.moves_at(player, pace_of(player, context, unplayed))
