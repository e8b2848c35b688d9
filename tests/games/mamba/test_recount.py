"""The balance against `naive`, which reckons it a second time from the text of the rules alone."""

import random

import pytest

from pbem.games.mamba import position as positions
from pbem.games.mamba.balance import Option, unsettled
from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.position import Position
from pbem.games.mamba.ruleset import Ruleset
from pbem.games.mamba.squares import EMPTY, MARKS, Squares, look_at, with_mark
from pbem.games.mamba.steps import Lay, Move, Step
from tests.games.mamba import naive
from tests.games.mamba.playing import begun, dense, playthroughs_by_version

BRANCHES = 12
"""Ways through the decisions of one turn that are followed."""


def pieces(squares: Squares, size: int) -> naive.Pieces:
    return {(cell % size, cell // size): MARKS.index(mark) for cell, mark in enumerate(squares) if mark != EMPTY}


def recount(position: Position, squares: Squares, moved: Move | None = None) -> naive.Tree:
    """The tree that follows when the board has become ``squares`` by the player on turn."""
    rules = position.rules
    way = None if moved is None else (place(moved.start, rules.size), place(moved.end, rules.size))
    step = naive.Step(pieces(position.squares, rules.size), pieces(squares, rules.size), way)
    table = naive.MambaTable(rules.size, rules.players, frozenset(position.playing), position.on_turn, rules.version)
    return naive.Recount(table, step).tree


def place(cell: int, size: int) -> naive.Cell:
    return cell % size, cell // size


def ends(tree: naive.Tree, position: Position) -> dict[tuple[int, ...], naive.Tree]:
    """The tree that follows each option, by the cells that the game's option names."""
    assert isinstance(tree, naive.Asked)
    size, found = position.rules.size, {}
    for option, following in tree.options:
        named = option
        if tree.kind == "cut":
            way = (option[1][0] - option[0][0], option[1][1] - option[0][1])
            board = pieces(position.squares, size)
            line = [option[0], *naive.run(board, option[0], way)]
            named = tuple(line[: len(line) - naive.LONGEST])
        found[tuple(row * size + column for column, row in named)] = following
    return found


def is_same_question(tree: naive.Tree, position: Position) -> bool:
    if not isinstance(tree, naive.Asked) or position.pending is None:
        return False
    choice = position.pending.choice
    asked = [option.cells for option in choice.options]
    return (tree.owner, tree.kind) == (choice.owner, choice.kind.value) and sorted(ends(tree, position)) == asked


def follow(before: Position, position: Position, tree: naive.Tree, chance: random.Random) -> int:
    """Go one way through all decisions, and hold each against the tree; tells how many were asked."""
    asked = 0
    while position.pending is not None:
        option = chance.choice(position.pending.choice.options)
        if is_same_question(tree, position):
            tree = ends(tree, position)[option.cells]
        else:
            assert not position.pending.certain, (position.pending, tree)
        asked += 1
        position = answered(position, option)
    assert isinstance(tree, naive.Settled)
    assert pieces(position.squares, position.rules.size) == dict(tree.pieces)
    assert set(before.playing) - set(position.playing) == tree.out
    if tree.counts is not None:
        best = max(tree.counts)
        leading = tuple(seat for seat, count in enumerate(tree.counts) if count == best)
        assert position.outcome is not None
        assert position.outcome.winners == (leading if len(leading) == 1 else ())
    return asked


def answered(position: Position, option: Option) -> Position:
    assert position.pending is not None
    choice = position.pending.choice
    return position.play(dict(zip(choice.options, positions.answers(choice), strict=True))[option])


def hold(before: Position, position: Position, tree: naive.Tree, chance: random.Random) -> int:
    return sum(follow(before, position, tree, chance) for _ in range(BRANCHES if position.pending else 1))


def put(position: Position, cell: int) -> tuple[Position, Squares]:
    """The board after a new piece has come from the supply, whether or not some piece may lay it."""
    squares = with_mark(position.squares, cell, MARKS[position.on_turn])
    before = look_at(position.rules.grid, position.squares).turnable()
    return positions.go_on(position, unsettled(position.rules, position.on_turn, squares, before)), squares


def stepped(position: Position, step: Step) -> tuple[Position, Squares]:
    """The position after a step, and the board as it is before anything follows."""
    own = MARKS[position.on_turn]
    match step:
        case Lay(_, cell):
            return position.play(step), with_mark(position.squares, cell, own)
        case Move(start, end):
            return position.play(step), with_mark(with_mark(position.squares, start, EMPTY), end, own)
        case _:
            return position.play(step), position.squares


def disturb_and_hold(chance: random.Random, rules: Ruleset) -> int:
    """One dense board, changed by a laying or by a move; -1 where the tree is too wide."""
    before = dense(chance, rules, chance.randint(20, 39))
    moves = [step for step in before.legal() if isinstance(step, Move)]
    moved = chance.choice(moves) if moves and chance.random() < 0.5 else None
    if moved is not None:
        position, squares = stepped(before, moved)
    else:
        free = [cell for cell, mark in enumerate(before.squares) if mark == EMPTY]
        position, squares = put(before, chance.choice(free))
    try:
        tree = recount(before, squares, moved)
    except naive.TooWide:
        return -1
    return hold(before, position, tree, chance)


def disturb_all(seeds: range) -> list[int]:
    """A dense board for each seed, every fourth one under the first version of the rules."""
    asked = []
    for seed in seeds:
        chance, version = random.Random(seed), 1 if seed % 4 == 3 else MAMBA.rules
        rules = Ruleset(chance.randint(2, 4), chance.choice((9, 9, 9, 11)), version=version)
        asked.append(disturb_and_hold(chance, rules))
    return asked


def test_dense_boards_come_to_rest_as_reckoned_again() -> None:
    asked = disturb_all(range(400))
    assert asked.count(-1) < 5
    assert sum(count > 0 for count in asked) > 20


@pytest.mark.slow
def test_ten_thousand_dense_boards_come_to_rest_as_reckoned_again() -> None:
    asked = disturb_all(range(1000, 11_000))
    assert asked.count(-1) < 20
    assert sum(count > 0 for count in asked) > 500


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_go_as_reckoned_again(players: int) -> None:
    chance = random.Random(players)
    position = MAMBA.begin({}, players)
    while position.outcome is None and position.ply < 250:
        step = random_step(position, chance)
        following, squares = stepped(position, step)
        if isinstance(step, Lay | Move):
            hold(position, following, recount(position, squares, step if isinstance(step, Move) else None), chance)
        while following.pending is not None:
            following = answered(following, chance.choice(following.pending.choice.options))
        position = following
    assert position.ply > 100


def random_step(position: Position, chance: random.Random) -> Step:
    """A laying half of the time that there is one, else a move."""
    steps = position.legal()
    layings = [step for step in steps if isinstance(step, Lay)]
    others = [step for step in steps if not isinstance(step, Lay)]
    return chance.choice(layings if layings and chance.random() < 0.5 else others)


def test_the_recorded_games_go_as_reckoned_again() -> None:
    chance = random.Random(1)
    for game, version in playthroughs_by_version():
        position = begun(game["record"], version)
        for recorded in game["record"]["turns"]:
            for step in MAMBA.input_steps(position, {"input": recorded["input"]}):
                if isinstance(step, Lay | Move):
                    following, squares = stepped(position, step)
                    moved = step if isinstance(step, Move) else None
                    hold(position, following, recount(position, squares, moved), chance)
                position = MAMBA.play_input(position, [step])
