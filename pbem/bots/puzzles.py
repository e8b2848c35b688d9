"""Puzzles: positions in which the player to act wins by force, and the judgement of a try.

The winning turns, and the answers that refute all others, were found when a puzzle was made (`pbem.bots.finding`) and
are stored with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.errors import PlayerError
from pbem.games.game import Game, Options, Position

MOST_WINNING = 3
"""Winning first turns that a puzzle may have."""
FEWEST_TURNS = 20
"""Possible first turns that a puzzle must have."""
MOST_TO_WIN = 3
"""In how many turns of the winner it is over."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position to be won."""

    number: int
    """From 1; it never means another puzzle."""
    game: str
    options: Options
    turns: tuple[str, ...]
    """The turns before the puzzle, as they are typed."""
    wins_in: int
    """Turns that the player to act needs, whatever the other plays."""
    lines: tuple[tuple[str, ...], ...]
    """For each first turn that wins: it, and what may follow up to the end."""
    refutations: Mapping[str, str]
    """For first turns that do not win an answer that saves the other; none where one more turn is too late anyway."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of a try at a puzzle."""

    is_right: bool
    line: tuple[str, ...]
    """The try as it is written; and, if it is right, what may follow up to the end, else the answer that saves, where
    one is known."""


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
    """Judge if a turn is the first of a forced win.

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
    saves = next(
        (
            puzzle.refutations[each]
            for each in _orders(game, position, played.steps, text, reached)
            if each in puzzle.refutations
        ),
        None,
    )
    return Verdict(is_right=False, line=(text,) if saves is None else (text, saves))


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
    saved: dict[str, list[str]] = {}
    for turn, answer in puzzle.refutations.items():
        saved.setdefault(answer, []).append(turn)
    return {
        "number": puzzle.number,
        "game": puzzle.game,
        "options": dict(puzzle.options),
        "turns": "|".join(puzzle.turns),
        "wins_in": puzzle.wins_in,
        "lines": ["|".join(line) for line in puzzle.lines],
        "refutations": {answer: "|".join(turns) for answer, turns in saved.items()},
    }


def from_json(value: Mapping[str, Any]) -> Puzzle:
    """The puzzle that was stored so."""
    return Puzzle(
        number=value["number"],
        game=value["game"],
        options=value["options"],
        turns=tuple(value["turns"].split("|")),
        wins_in=value["wins_in"],
        lines=tuple(tuple(line.split("|")) for line in value["lines"]),
        refutations={turn: answer for answer, turns in value["refutations"].items() for turn in turns.split("|")},
    )
