"""Puzzles: positions in which the player to act wins by force or is to survive, and the judgement of a try.

The turns that solve a puzzle, and the answers that refute all others, were found when it was made
(`pbem.bots.finding`) and are stored with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pbem.errors import PlayerError
from pbem.games.game import Game, Options, Position

MOST_WINNING = 3
"""Winning first turns that a puzzle may have."""
FEWEST_TURNS = 20
"""Possible first turns that a puzzle must have."""
MOST_TO_WIN = 3
"""In how many turns of the winner it is over."""
MOST_SAVING = 6
"""Turns that may solve a puzzle to survive."""
MOST_THREATS = 12
"""Turns that together refute all others there."""
_FEW_SAVING = 2
"""Turns that solve a hard puzzle to survive, at most."""


class Goal(StrEnum):
    """The task of the player to act."""

    WIN = "win"
    """Win by force in so many turns."""
    SURVIVE = "survive"
    """Find a turn after which the other cannot win at once."""


class Difficulty(StrEnum):
    """The difficulty of a puzzle for people."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position to be won or survived."""

    number: int
    """From 1; it never means another puzzle."""
    game: str
    options: Options
    turns: tuple[str, ...]
    """The turns before the puzzle, as they are typed."""
    goal: Goal
    wins_in: int
    """Turns that the player to act needs to win, whatever the other plays; 0 where the goal is to survive."""
    lines: tuple[tuple[str, ...], ...]
    """For each first turn that solves it: it, and what may follow up to a win."""
    refutations: Mapping[str, str]
    """For first turns that do not win an answer that saves the other; none where one more turn is too late anyway."""
    threats: tuple[str, ...] = ()
    """To survive: turns of the other, one of which wins after each turn that does not solve it."""

    @property
    def difficulty(self) -> Difficulty:
        """Its difficulty, by how far one must look ahead and by how many first turns solve it.

        A win in one turn is easy, in two medium, in three hard; a single first turn that wins makes it one harder.
        Surviving is hard if at most `_FEW_SAVING` turns do it, else medium.
        """
        if self.goal is Goal.SURVIVE:
            return Difficulty.HARD if len(self.lines) <= _FEW_SAVING else Difficulty.MEDIUM
        steps = self.wins_in + (len(self.lines) == 1)
        return {1: Difficulty.EASY, 2: Difficulty.MEDIUM}.get(steps, Difficulty.HARD)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of a try at a puzzle."""

    is_right: bool
    line: tuple[str, ...]
    """The try as it is written; and, if it is right, what may follow up to a win, else the answer that refutes it,
    where one is known."""


def begin(puzzle: Puzzle, game: Game[Any, Any]) -> Position[Any]:
    """The position that a puzzle begins with."""
    return after(game, game.begin(puzzle.options, 2), puzzle.turns)


def after(game: Game[Any, Any], position: Position[Any], turns: Sequence[str]) -> Position[Any]:
    """The position after some turns.

    Raises:
        PlayerError: one of them cannot be played.
    """
    for turn in turns:
        position = game.read_input(position, turn).position
    return position


def judge(puzzle: Puzzle, game: Game[Any, Any], move: str) -> Verdict:
    """Judge if a turn solves a puzzle.

    Raises:
        PlayerError: it cannot be read, or the rules forbid it.
    """
    position = begin(puzzle, game)
    played = game.read_input(position, move)
    text, reached = game.input_text(played.position, played.steps).move, game.report(played.position)
    if played.position.outcome is not None and position.to_act in played.position.outcome.winners:
        return Verdict(is_right=True, line=(text,))
    if played.position.outcome is None:
        # two first turns may come to the same, with what follows from them by itself
        for line in sorted(puzzle.lines, key=lambda each: each[0] != text):
            if game.report(after(game, position, line[:1])) == reached:
                return Verdict(is_right=True, line=(text, *line[1:]))
    answer = (
        _winning_threat(puzzle, game, played.position)
        if puzzle.goal is Goal.SURVIVE
        else next(
            (
                puzzle.refutations[each]
                for each in _orders(game, position, played.steps, text, reached)
                if each in puzzle.refutations
            ),
            None,
        )
    )
    return Verdict(is_right=False, line=(text,) if answer is None else (text, answer))


def _winning_threat(puzzle: Puzzle, game: Game[Any, Any], position: Position[Any]) -> str | None:
    """A threat of the puzzle with which the player to act wins at once; None once the game is over."""
    if position.outcome is not None:
        return None
    return next((each for each in puzzle.threats if wins_with(game, position, each)), None)


def wins_with(game: Game[Any, Any], position: Position[Any], turn: str) -> bool:
    """Return True if a turn can be played, and wins for the player to act."""
    try:
        there = game.read_input(position, turn).position
    except PlayerError:
        return False
    return there.outcome is not None and position.to_act in there.outcome.winners


def _orders(
    game: Game[Any, Any], position: Position[Any], steps: Sequence[Any], text: str, reached: object
) -> list[str]:
    """The ways to write a turn: as it was played, and in the opposite order if that is equivalent."""
    try:
        other = game.play_input(position, steps[::-1])
    except PlayerError:
        return [text]
    same = game.report(other) == reached
    return [text, game.input_text(other, steps[::-1]).move] if same else [text]


def to_json(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle as it is stored: one JSON object, turns parted by ``|``, first turns of one refutation together."""
    told = {
        "number": puzzle.number,
        "game": puzzle.game,
        "options": dict(puzzle.options),
        "turns": "|".join(puzzle.turns),
    }
    lines = ["|".join(line) for line in puzzle.lines]
    if puzzle.goal is Goal.SURVIVE:
        return {**told, "goal": puzzle.goal.value, "lines": lines, "threats": "|".join(puzzle.threats)}
    saved: dict[str, list[str]] = {}
    for turn, answer in puzzle.refutations.items():
        saved.setdefault(answer, []).append(turn)
    refutations = {answer: "|".join(turns) for answer, turns in saved.items()}
    return {**told, "wins_in": puzzle.wins_in, "lines": lines, "refutations": refutations}


def from_json(value: Mapping[str, Any]) -> Puzzle:
    """The puzzle that was stored so; without a goal it is to be won."""
    return Puzzle(
        number=value["number"],
        game=value["game"],
        options=value["options"],
        turns=tuple(value["turns"].split("|")),
        goal=Goal(value.get("goal", Goal.WIN)),
        wins_in=value.get("wins_in", 0),
        lines=tuple(tuple(line.split("|")) for line in value["lines"]),
        refutations={
            turn: answer for answer, turns in value.get("refutations", {}).items() for turn in turns.split("|")
        },
        threats=tuple(value["threats"].split("|")) if "threats" in value else (),
    )
