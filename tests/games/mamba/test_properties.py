"""Properties of every game of Mamba under any options."""

import random
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.game import IllegalMove, UnreadableMove
from pbem.games.mamba import steps as written
from pbem.games.mamba.events import Cut, Laid, Moved, Out, Suffocated, Turned
from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.notation import read_line
from pbem.games.mamba.position import Position
from pbem.games.mamba.ruleset import PIECES, Ruleset
from pbem.games.mamba.squares import EMPTY, MARKS
from pbem.games.mamba.steps import PASS, Lay, Move, Step, Turn, in_words
from tests.games.mamba.playing import dense, is_balanced, positions, standing

WORDS = ("lay", "move", "turn", "cut", "pass", "a1", "e5", "e6", "i9", "k11", "z0", "-", ">", ",", " ", "\n", "É", "²")


@given(positions())
@settings(max_examples=80)
def test_a_board_at_rest_has_no_more_than_forty_pieces_none_suffocated_and_no_alignment_over_four(
    position: Position,
) -> None:
    assert 0 <= position.supply <= PIECES
    if position.pending is None:
        assert is_balanced(position)
        assert position.outcome is not None or position.on_turn in position.playing


@given(st.integers(0, 9999), st.integers(2, 4), st.sampled_from((9, 11)))
@settings(max_examples=60)
def test_dense_boards_come_to_rest_as_well(seed: int, players: int, size: int) -> None:
    chance = random.Random(seed)
    position = dense(chance, Ruleset(players, size))
    for _ in range(12):
        if position.legal():
            position = position.play(chance.choice(position.legal()))
        assert position.pending is not None or is_balanced(position)


def universe(position: Position) -> list[Step]:
    """Every step that could be written about the cells of a quarter of the board."""
    size = position.rules.size
    some = [cell for cell in range(size**2) if cell % size < 5 and cell // size < 5]
    pairs = list(product(some, some))
    single: list[Step] = [PASS, *map(Turn, some), *map(written.Cut, some)]
    return [*single, *(Lay(*pair) for pair in pairs), *(Move(*pair) for pair in pairs)]


def accepts(position: Position, step: Step) -> bool:
    try:
        position.play(step)
    except IllegalMove:
        return False
    return True


@given(positions())
@settings(max_examples=12)
def test_legal_is_what_play_accepts(position: Position) -> None:
    legal = position.legal()
    assert len(set(legal)) == len(legal)
    assert all(accepts(position, step) for step in legal)
    accepted = {step for step in universe(position) if step not in legal and accepts(position, step)}
    ends = {step.end for step in legal if isinstance(step, written.Cut)}
    assert all(isinstance(step, written.Cut) and step.end in ends for step in accepted)


@given(positions(most_steps=8), st.data())
@settings(max_examples=60)
def test_a_game_played_again_from_its_records_or_words_comes_out_the_same(start: Position, data: st.DataObject) -> None:
    played = again = told = start
    for choice in data.draw(st.lists(st.integers(0, 9999), max_size=40)):
        steps = played.legal()
        if not steps:
            break
        step = steps[choice % len(steps)]
        played = played.play(step)
        again = MAMBA.play_input(again, MAMBA.input_steps(again, MAMBA.input_record(again, [step])))
        found, told, left_over = MAMBA.read_input(told, MAMBA.input_text(told, [step]).move)
        assert (found, left_over) == ((step,), "")
    assert played == again == told


@given(positions())
@settings(max_examples=60)
def test_every_legal_step_is_read_as_it_is_printed(position: Position) -> None:
    grid = position.rules.grid
    for step in position.legal():
        assert [typed.step for typed in read_line(grid, in_words(grid, step))] == [step]


@given(positions(most_steps=20), st.one_of(st.text(), st.lists(st.sampled_from(WORDS)).map(" ".join)))
@settings(max_examples=200)
def test_any_text_is_a_line_or_refused(position: Position, text: str) -> None:
    try:
        steps, after, _ = MAMBA.read_input(position, text)
    except (UnreadableMove, IllegalMove):
        return
    assert steps
    assert after != position


def turned_cell(cell: int, size: int, mirrored: bool) -> int:
    """The place of a cell when the board is mirrored, or turned a quarter."""
    row, column = divmod(cell, size)
    return row * size + size - 1 - column if mirrored else column * size + size - 1 - row


def turned(position: Position, mirrored: bool) -> Position:
    size = position.rules.size
    squares = ["."] * size**2
    for cell, mark in enumerate(position.squares):
        squares[turned_cell(cell, size, mirrored)] = mark
    return standing("".join(squares), position.on_turn, position.rules)


@given(st.integers(0, 9999), st.integers(2, 4), st.booleans())
@settings(max_examples=120)
def test_a_board_turned_or_mirrored_comes_out_turned_or_mirrored(seed: int, players: int, mirrored: bool) -> None:
    chance = random.Random(seed)
    position = dense(chance, Ruleset(players), chance.randint(20, 39))
    moves = [step for step in position.legal() if isinstance(step, Move)]
    if not moves:
        return
    move = chance.choice(moves)
    there = Move(turned_cell(move.start, 9, mirrored), turned_cell(move.end, 9, mirrored))
    after, other = position.play(move), turned(position, mirrored).play(there)
    assert (after.pending is None) == (other.pending is None)
    if after.pending is None:
        assert turned(after, mirrored).squares == other.squares
        assert after.playing == other.playing
        assert after.outcome == other.outcome
    elif other.pending is not None and other.pending.certain and after.pending.certain:
        assert after.to_act == other.to_act


@given(positions(), st.integers(0, 3))
@settings(max_examples=80)
def test_whoever_leaves_the_others_go_on_or_have_won(position: Position, seat: int) -> None:
    left = position.leave(seat)
    if position.outcome is not None or seat not in position.playing:
        assert left is position
        return
    assert seat not in left.playing
    assert left.to_act != seat
    assert not left.pieces(seat)
    assert left.outcome is not None or left.pending is not None or is_balanced(left)
    if left.outcome is None:
        assert left.to_act in left.playing
        assert accepts(left, left.legal()[0])


@given(positions())
@settings(max_examples=60)
def test_what_is_told_of_a_turn_leads_from_the_board_before_it_to_the_one_after(position: Position) -> None:
    if position.latest is None:
        return
    squares = list(position.latest.began)
    for event in position.latest.happened:
        match event:
            case Laid(seat, _, cell):
                squares[cell] = MARKS[seat]
            case Moved(seat, start, end):
                squares[start], squares[end] = EMPTY, MARKS[seat]
            case Suffocated(seat, cell):
                assert squares[cell] == MARKS[seat]
                squares[cell] = EMPTY
            case Cut(seat, cells) | Out(seat, cells):
                assert {squares[cell] for cell in cells} == {MARKS[seat]}
                squares = [EMPTY if cell in cells else mark for cell, mark in enumerate(squares)]
            case Turned(cell, old, new):
                assert squares[cell] == MARKS[old]
                squares[cell] = MARKS[new]
    assert "".join(squares) == position.squares
