"""Puzzles: that they are won or survived as they say, and by nothing else; how tries at them are judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from pbem.bootstrap.parts import stored_puzzles
from pbem.bots.finding import Solver, puzzle_at, puzzles_in, self_play, survival_at
from pbem.bots.puzzles import (
    FEWEST_TURNS,
    MOST_SAVING,
    MOST_THREATS,
    MOST_TO_WIN,
    MOST_WINNING,
    Difficulty,
    Goal,
    Puzzle,
    Verdict,
    after,
    begin,
    from_json,
    judge,
    to_json,
    wins_with,
)
from pbem.errors import PlayerError
from pbem.games.game import Position
from tests.bots.endgames import GAMES, begun, by_lot, share, worth
from tests.puzzles.__main__ import STORED

ALL = [*stored_puzzles().values()]
TO_WIN = [each for each in ALL if each.goal is Goal.WIN]
TO_SURVIVE = [each for each in ALL if each.goal is Goal.SURVIVE]
SOME = TO_WIN[::17]
LAMBO_LATER = [each for each in TO_SURVIVE if each.game == "lambo"][2:]
"""Trying every pair of tiles against every pair takes long by the rules alone."""
EACH_TO_SURVIVE = [
    pytest.param(each, id=str(each.number), marks=[pytest.mark.slow] if each in LAMBO_LATER else [])
    for each in TO_SURVIVE
]
LATER = min((each for each in ALL if each.game == "mambo" and each.wins_in == 2), key=lambda each: len(each.turns))


def wins(position: Position[Any], seat: int, turns: int) -> bool:
    """Return True if a seat wins in so many of its turns, found by trying everything by the rules."""
    if position.outcome is not None:
        return seat in position.outcome.winners
    if position.to_act == seat:
        return turns > 0 and any(_after_step(position, step, seat, turns) for step in position.legal())
    return all(_after_step(position, step, seat, turns) for step in position.legal())


def _after_step(position: Position[Any], step: Any, seat: int, turns: int) -> bool:
    there = position.play(step)
    is_over = position.to_act == seat and not there.mid_turn
    return wins(there, seat, turns - is_over)


def winning_by_the_rules(puzzle: Puzzle) -> list[Any]:
    """The reports of the positions after every first turn that wins, found by trying everything."""
    game, position = GAMES[puzzle.game], begin(puzzle, GAMES[puzzle.game])
    seat, found = position.to_act, list[Any]()
    assert seat is not None
    waiting = [position]
    while waiting:
        now = waiting.pop()
        for step in now.legal():
            there = now.play(step)
            if there.mid_turn and there.outcome is None:
                waiting.append(there)
            elif wins(there, seat, puzzle.wins_in - 1) and (report := game.report(there)) not in found:
                found.append(report)
    return found


def turns_by_the_rules(position: Position[Any]) -> Iterator[tuple[Any, ...]]:
    """The steps of every turn that can be played, of two orders both."""
    waiting = [(position, tuple[Any, ...]())]
    while waiting:
        now, steps = waiting.pop()
        for step in now.legal():
            there = now.play(step)
            if there.mid_turn and there.outcome is None:
                waiting.append((there, (*steps, step)))
            else:
                yield (*steps, step)


def is_sound(puzzle: Puzzle) -> None:
    """The lines are played to the win, the refutations can be played, and no line is longer than it says."""
    game = GAMES[puzzle.game]
    position = begin(puzzle, game)
    assert position.outcome is None
    assert not position.mid_turn
    assert 1 <= len(puzzle.lines) <= MOST_WINNING
    for line in puzzle.lines:
        last = after(game, position, line)
        assert share(last, position.to_act or 0) == 1
        assert len(line) in (2 * puzzle.wins_in - 1, 2 * puzzle.wins_in - 2)  # the other may end it
        verdict = judge(puzzle, game, line[0].lower())
        assert (verdict.is_right, verdict.line) == (True, line)
    for move, answer in [*puzzle.refutations.items()][:3]:
        assert after(game, position, (move, answer)).outcome is None or puzzle.wins_in > 1
        verdict = judge(puzzle, game, move)
        assert (verdict.is_right, verdict.line) == (False, (move, answer))


def test_numbers_go_up_from_one_and_there_are_a_few_hundred() -> None:
    assert [each.number for each in ALL] == [*range(1, len(ALL) + 1)]
    assert len({(each.game, str(each.options), each.turns) for each in ALL}) == len(ALL) > 150
    assert {each.game for each in ALL} == {"lambo", "mambo", "palago", "superbo"}
    assert {each.wins_in for each in TO_WIN} == {*range(1, MOST_TO_WIN + 1)}
    assert {each.game for each in TO_SURVIVE} >= {"lambo", "mambo", "superbo"}
    assert STORED.stat().st_size < 500_000


@pytest.mark.parametrize("puzzle", SOME, ids=lambda each: each.number)
def test_some_puzzles_are_sound(puzzle: Puzzle) -> None:
    is_sound(puzzle)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_all_puzzles_are_sound() -> None:
    for puzzle in TO_WIN:
        is_sound(puzzle)


@pytest.mark.parametrize("puzzle", EACH_TO_SURVIVE)
def test_by_the_rules_the_stored_turns_and_no_others_survive(puzzle: Puzzle) -> None:
    game = GAMES[puzzle.game]
    position = begin(puzzle, game)
    survivors, count = list[Any](), set[frozenset[Any]]()
    for steps in turns_by_the_rules(position):
        if frozenset(steps) in count:
            continue  # two tiles of Lambo in the other order
        count.add(frozenset(steps))
        there = game.play_input(position, steps)
        if there.outcome is not None:
            assert position.to_act not in there.outcome.winners, "to be survived, not to be won"
            assert there.outcome.winners, "nor to be drawn"
        elif not any(wins_with(game, there, each) for each in puzzle.threats):
            assert not any(there.to_act in winners for winners in _winners_at_once(there)), "a threat is not stored"
            if (report := game.report(there)) not in survivors:
                survivors.append(report)
    stored = [game.report(after(game, position, line)) for line in puzzle.lines]
    assert len(stored) == len(survivors) <= MOST_SAVING < FEWEST_TURNS <= len(count)
    assert all(report in survivors for report in stored)
    assert len(puzzle.threats) <= MOST_THREATS


def _winners_at_once(position: Position[Any]) -> Iterator[tuple[int, ...]]:
    """The winners after each turn that ends the game."""
    waiting = [position]
    while waiting:
        now = waiting.pop()
        there = [now.play(step) for step in now.legal()]
        yield from (each.outcome.winners for each in there if each.outcome is not None)
        waiting += [each for each in there if each.outcome is None and each.mid_turn]


@pytest.mark.parametrize("game", ["mambo", "palago"])
def test_what_wins_at_once_by_the_rules_is_what_is_stored(game: str) -> None:
    puzzle = min((each for each in ALL if each.game == game and each.wins_in == 1), key=lambda each: len(each.turns))
    assert len(winning_by_the_rules(puzzle)) == len(puzzle.lines)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_what_wins_by_the_rules_is_what_is_stored() -> None:
    at_once = [each for each in ALL if each.wins_in == 1 and each.game != "superbo"][::4]
    two_turns = sorted((each for each in ALL if each.wins_in == 2 and each.game == "mambo"), key=lambda e: len(e.turns))
    for puzzle in (*at_once, *two_turns[:12]):
        assert len(winning_by_the_rules(puzzle)) == len(puzzle.lines), puzzle.number


@pytest.mark.parametrize(
    "variant", ["superbo num_tiles=3", "mambo size=8", "lambo size=6", "superbo single num_tiles=2"]
)
@pytest.mark.parametrize("seed", range(3))
def test_the_solver_finds_what_trying_everything_finds(variant: str, seed: int) -> None:
    position = by_lot(variant, seed)[-3]
    assert bool(Solver(position).solve(MOST_TO_WIN).winning) == (worth(position) == 1)


def test_a_puzzle_is_solved_anew_as_it_is_stored() -> None:
    found = puzzle_at(GAMES[LATER.game], LATER.options, LATER.turns, LATER.wins_in)
    assert found is not None
    assert to_json(found) == {**to_json(LATER), "number": 0}
    assert puzzle_at(GAMES[LATER.game], LATER.options, LATER.turns, LATER.wins_in - 1) is None
    assert from_json(to_json(LATER)) == LATER


@pytest.mark.parametrize("game", ["mambo", "superbo"])
def test_a_puzzle_to_survive_is_solved_anew_as_it_is_stored(game: str) -> None:
    stored = min((each for each in TO_SURVIVE if each.game == game), key=lambda each: len(each.turns))
    found = survival_at(GAMES[game], stored.options, stored.turns)
    assert found is not None
    assert to_json(found) == {**to_json(stored), "number": 0}
    assert from_json(to_json(stored)) == stored
    assert survival_at(GAMES[game], stored.options, stored.turns[:1]) is None


@pytest.mark.parametrize("puzzle", TO_SURVIVE, ids=lambda each: each.number)
def test_what_does_not_survive_is_refuted_with_a_turn_that_wins(puzzle: Puzzle) -> None:
    game = GAMES[puzzle.game]
    position = begin(puzzle, game)
    for line in puzzle.lines:
        assert judge(puzzle, game, line[0].lower()) == Verdict(is_right=True, line=line)
    for steps in [*turns_by_the_rules(position)][::97]:
        move = game.input_text(game.play_input(position, steps), steps).move
        verdict = judge(puzzle, game, move)
        if not verdict.is_right:
            last = after(game, position, verdict.line)
            assert share(last, position.to_act or 0) == 0


def test_the_seed_alone_makes_a_game_and_its_puzzles() -> None:
    game, position = begun("mambo size=10")
    options = game.read_options(["size=10"])
    played = [self_play(game, options, 3, 4) for _ in range(2)]
    assert played[0] == played[1]
    assert after(game, position, played[0]).outcome is not None
    for puzzle in puzzles_in(game, options, played[0], 1):
        assert judge(puzzle, game, puzzle.lines[0][0]).is_right
        assert len(Solver(begin(puzzle, game)).turns()) >= FEWEST_TURNS


def test_a_turn_is_the_same_in_another_order_of_its_tiles() -> None:
    two = [each for each in ALL if each.game == "lambo" and each.wins_in == 1]
    game = GAMES["lambo"]
    for puzzle in two[:6]:
        first, second = puzzle.lines[0][0].split(",")
        try:
            verdict = judge(puzzle, game, f"{second},{first}")
        except PlayerError:
            continue  # the second tile lies on a space that only the first one makes
        assert verdict.is_right
        return
    pytest.fail("no puzzle whose tiles can be laid in another order")


@pytest.mark.parametrize("move", ["zz9", "steak", "", "a1,a1,a1", "pass", "swap"])
def test_what_cannot_be_played_is_no_try(move: str) -> None:
    with pytest.raises(PlayerError):
        judge(LATER, GAMES[LATER.game], move)


@pytest.mark.parametrize(
    ("goal", "wins_in", "solutions", "expected"),
    [
        (Goal.WIN, 1, 2, Difficulty.EASY),
        (Goal.WIN, 1, 1, Difficulty.MEDIUM),
        (Goal.WIN, 2, 3, Difficulty.MEDIUM),
        (Goal.WIN, 2, 1, Difficulty.HARD),
        (Goal.WIN, 3, 3, Difficulty.HARD),
        (Goal.SURVIVE, 0, 3, Difficulty.MEDIUM),
        (Goal.SURVIVE, 0, 2, Difficulty.HARD),
    ],
)
def test_looking_further_and_fewer_solutions_are_harder(
    goal: Goal, wins_in: int, solutions: int, expected: Difficulty
) -> None:
    lines = tuple((f"a{number}",) for number in range(1, solutions + 1))
    assert replace(SOME[0], goal=goal, wins_in=wins_in, lines=lines).difficulty == expected
