"""Playing a step, and what follows from it: as `pbem.games.mamba.position`.

Wherever the rules ask a player to decide, the lowest cell is taken.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from pbem.bots.boards import DRAWN, NOBODY, SEATS, WINNER, put, take_back
from pbem.bots.compiling import compiled
from pbem.bots.mamba.balance import come_to_rest, remember
from pbem.bots.mamba.board import (
    FIRST,
    HASH,
    IN_PLAY,
    LAID,
    LAID_AT,
    MUST_MOVE,
    OFF,
    ON_TURN,
    PIECES,
    PLAYING,
    PLY,
    QUIET,
    QUIET_ROUNDS,
    REPETITIONS,
    ROUND,
    ROUNDS,
    SEAT_KEYS,
    SLOTS,
    STIRRED,
    STOOD_AT,
    TOO_FEW,
    WIDTH,
    end_of_cells,
    first_cell,
    is_isolated,
    party_of,
    set_square,
    supply_of,
)

PASS, LAY, MOVE = range(3)
"""The kinds of steps; a pass has no cells and is 0."""


@compiled
def has_laid(board: MutableSequence[int], cell: int) -> int:
    """1 if a piece has laid in the turn under way."""
    for each in range(board[LAID]):
        if board[LAID_AT + each] == cell:
            return 1
    return 0


@compiled
def list_steps(board: MutableSequence[int], found: MutableSequence[int], at: int) -> int:
    """Fill in every step from a place on, in the order of the rules; where they end."""
    own, count = board[ON_TURN] + 1, at
    first, end = first_cell(board), end_of_cells(board)
    if supply_of(board):
        for cell in range(first, end):
            if board[cell] == own:
                count = _layings_of(board, cell, found, count)
    before = count
    for cell in range(first, end):
        if board[cell] == own:
            count = _moves_of(board, cell, found, count)
    if count == before or not board[MUST_MOVE]:
        found[count] = PASS
        count += 1
    return count


@compiled
def _layings_of(board: MutableSequence[int], cell: int, found: MutableSequence[int], count: int) -> int:
    """Add the layings of a piece, if it may lay."""
    if not is_isolated(board, cell) or has_laid(board, cell):
        return count
    for row in range(-board[WIDTH], board[WIDTH] + 1, board[WIDTH]):
        for at in range(cell + row - 1, cell + row + 2):
            if at != cell and board[at] != OFF:
                found[count] = LAY << 16 | cell << 8 | at
                count += 1
    return count


@compiled
def _moves_of(board: MutableSequence[int], cell: int, found: MutableSequence[int], count: int) -> int:
    """Add the moves of a piece behind ``count`` steps, by where they end; how many steps there are then."""
    width, step = board[WIDTH], MOVE << 16 | cell << 8
    left, right = board[cell - 1] == 0, board[cell + 1] == 0
    below, above = board[cell - width] == 0, board[cell + width] == 0
    at = cell - width
    count = _add(found, count, step | at - width, below and board[at - width] == 0)
    count = _add(found, count, step | at - 1, (below or left) and board[at - 1] == 0)
    count = _add(found, count, step | at, below)
    count = _add(found, count, step | at + 1, (below or right) and board[at + 1] == 0)
    count = _add(found, count, step | cell - 2, left and board[cell - 2] == 0)
    count = _add(found, count, step | cell - 1, left)
    count = _add(found, count, step | cell + 1, right)
    count = _add(found, count, step | cell + 2, right and board[cell + 2] == 0)
    at = cell + width
    count = _add(found, count, step | at - 1, (above or left) and board[at - 1] == 0)
    count = _add(found, count, step | at, above)
    count = _add(found, count, step | at + 1, (above or right) and board[at + 1] == 0)
    return _add(found, count, step | at + width, above and board[at + width] == 0)


@compiled
def _add(found: MutableSequence[int], count: int, step: int, is_free: bool) -> int:
    """Add a step, if its way is free; how many there are then."""
    if is_free:
        found[count] = step
        return count + 1
    return count


_NEAR = 3
"""Pieces that a step removes or turns at most, nearly always."""


@compiled
def to_act(board: MutableSequence[int]) -> int:
    """The seat that plays the next step; `NOBODY` once the game is over."""
    return board[ON_TURN] if board[WINNER] == NOBODY else NOBODY


@compiled
def steps(board: MutableSequence[int], log: MutableSequence[int], found: MutableSequence[int], apart: int) -> int:
    """Every step that the rules allow now, in the order of the rules; none once the game is over.

    Args:
        found: filled in: the steps; and ``apart`` places after each the winner after it, or `NOBODY` if the game
            goes on or is not likely to end so soon.

    Returns:
        Their number.
    """
    if board[WINNER] != NOBODY:
        return 0
    count = list_steps(board, found, 0)
    tries, mark = _is_near_end(board), log[0]
    for each in range(count):
        winner = NOBODY
        if tries:
            play(board, log, found[each])
            winner = board[WINNER]
            take_back(board, log, mark)
        found[apart + each] = winner
    return count


@compiled
def _is_near_end(board: MutableSequence[int]) -> int:
    """1 if some player has so few pieces that a step may end the game, or a rule will that counts turns."""
    if board[QUIET] >= QUIET_ROUNDS * board[IN_PLAY] - 1 or (board[ROUNDS] and board[ROUND] == board[ROUNDS]):
        return 1
    for seat in range(board[SEATS]):
        if board[PLAYING + seat] and board[PIECES + seat] <= board[TOO_FEW] + _NEAR:
            return 1
    return 0


@compiled
def change(board: MutableSequence[int], log: MutableSequence[int], step: int) -> None:
    """Change the cells by a laying or a move until they are at rest, but nothing else in the game."""
    kind, start, cell = step >> 16, step >> 8 & 255, step & 255
    if kind == LAY:
        remember(board, 0, 0)
    else:
        remember(board, start, cell)
        set_square(board, log, start, 0)
    set_square(board, log, cell, board[ON_TURN] + 1)
    come_to_rest(board, log, cell)


@compiled
def play(board: MutableSequence[int], log: MutableSequence[int], step: int) -> None:
    """Play a legal step and all that follows from it."""
    if step == PASS:
        _end_turn(board, log)
        return
    moved = step >> 16 == MOVE
    if not moved:
        put(board, log, LAID_AT + board[LAID], step >> 8 & 255)
        put(board, log, LAID, board[LAID] + 1)
        put(board, log, STIRRED, 1)
    change(board, log, step)
    _remove_players(board, log)
    if moved or board[WINNER] != NOBODY or not board[PLAYING + board[ON_TURN]]:
        _end_turn(board, log)
    else:
        _forget_removed(board, log)


@compiled
def _forget_removed(board: MutableSequence[int], log: MutableSequence[int]) -> None:
    """A piece that was removed has not laid."""
    kept = 0
    for each in range(board[LAID]):
        cell = board[LAID_AT + each]
        if board[cell]:
            if kept != each:
                put(board, log, LAID_AT + kept, cell)
            kept += 1
    if kept != board[LAID]:
        put(board, log, LAID, kept)


@compiled
def _remove_players(board: MutableSequence[int], log: MutableSequence[int]) -> None:
    """Players with too few pieces go out, all at once, and the game may be over (RULES 14, 15)."""
    few, out = board[TOO_FEW], 0
    for seat in range(board[SEATS]):
        if board[PLAYING + seat] and board[PIECES + seat] <= few:
            out += 1
    if out == 0:
        return
    put(board, log, STIRRED, 1)
    if out == board[IN_PLAY]:
        put(board, log, WINNER, _most_pieces(board))
    for seat in range(board[SEATS]):
        if board[PLAYING + seat] and board[PIECES + seat] <= few:
            _remove_player(board, log, seat)
    if out < board[IN_PLAY]:
        _end_with_last(board, log)
    put(board, log, IN_PLAY, board[IN_PLAY] - out)


@compiled
def _remove_player(board: MutableSequence[int], log: MutableSequence[int], seat: int) -> None:
    """A player is out, with all pieces that are left."""
    put(board, log, PLAYING + seat, 0)
    if board[PIECES + seat]:
        for cell in range(first_cell(board), end_of_cells(board)):
            if board[cell] == seat + 1:
                set_square(board, log, cell, 0)


@compiled
def _end_with_last(board: MutableSequence[int], log: MutableSequence[int]) -> None:
    """The last player or team in play has won."""
    last = NOBODY
    for seat in range(board[SEATS]):
        if board[PLAYING + seat]:
            party = party_of(board, seat)
            if last != NOBODY and last != party:
                return
            last = party
    put(board, log, WINNER, last)


@compiled
def _most_pieces(board: MutableSequence[int]) -> int:
    """The winner by pieces among those in play; a team counts as its better member, and equal is a draw (RULES 15)."""
    most, winner = -1, DRAWN
    for seat in range(board[SEATS]):
        if board[PLAYING + seat]:
            count, party = board[PIECES + seat], party_of(board, seat)
            if count > most:
                most, winner = count, party
            elif count == most and party != winner:
                winner = DRAWN
    return winner


@compiled
def _end_turn(board: MutableSequence[int], log: MutableSequence[int]) -> None:
    """End the turn: the next player in play begins theirs, unless the game is over (RULES 7)."""
    put(board, log, PLY, board[PLY] + 1)
    put(board, log, QUIET, 0 if board[STIRRED] else board[QUIET] + 1)
    if board[STIRRED]:
        put(board, log, STIRRED, 0)
    if board[LAID]:
        put(board, log, LAID, 0)
    if board[WINNER] == NOBODY:
        _begin_next(board, log)


@compiled
def _begin_next(board: MutableSequence[int], log: MutableSequence[int]) -> None:
    """The next player in play begins their turn, unless that ends the game (RULES 16)."""
    seat, new_round = board[ON_TURN], 0
    while True:
        seat = (seat + 1) % board[SEATS]
        if seat == board[FIRST]:
            new_round = 1
        if board[PLAYING + seat]:
            break
    put(board, log, ON_TURN, seat)
    if new_round:
        put(board, log, ROUND, board[ROUND] + 1)
    times = count_stood(board, log, board[HASH] ^ board[SEAT_KEYS + seat], 1)
    if board[ROUNDS] and board[ROUND] > board[ROUNDS]:
        put(board, log, WINNER, _most_pieces(board))
    elif times >= REPETITIONS or board[QUIET] >= QUIET_ROUNDS * board[IN_PLAY]:
        put(board, log, WINNER, DRAWN)


@compiled
def count_stood(board: MutableSequence[int], log: MutableSequence[int], key: int, times: int) -> int:
    """Count a board that stands at the beginning of a turn; how often it has stood with this time.

    Where all slots are taken by others, it is not counted.
    """
    slots = board[SLOTS]
    for probe in range(slots):
        at = STOOD_AT + 2 * ((key + probe) & (slots - 1))
        if board[at + 1] == 0:
            put(board, log, at, key)
        if board[at] == key:
            put(board, log, at + 1, board[at + 1] + times)
            return board[at + 1]
    return times
