"""Positions for the tests of Mamba: boards drawn by hand, dense boards by chance, recorded games."""

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from pbem.games.mamba.game import MAMBA, rows
from pbem.games.mamba.position import Position, TurnSoFar
from pbem.games.mamba.ruleset import PIECES, Ruleset
from pbem.games.mamba.squares import EMPTY, LONGEST, MARKS, Squares, grid, look_at, suffocated, without

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"


def playthroughs(name: str = "mamba") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (PLAYTHROUGHS / f"{name}.jsonl").read_text().splitlines()]


def playthroughs_by_version() -> list[tuple[dict[str, Any], int]]:
    """All recorded games, each with a version of the rules that it goes by.

    ``mamba`` has games that are the same under every version; ``rules-1`` and so on those that only that one knows.
    """
    versions = range(1, MAMBA.rules + 1)
    alike = [(game, version) for game in playthroughs() for version in versions]
    return alike + [(game, version) for version in versions for game in playthroughs(f"rules-{version}")]


def begun(record: dict[str, Any], version: int) -> Position:
    """The position before the first turn of a record, under a version of the rules."""
    return MAMBA.begin(record["options"], len(record["players"]), rules=version)


def drawn(board: str, on_turn: str = "A", players: int = 2, **options: Any) -> Position:
    """The position of a drawn board: rows from top to bottom, apart by blanks; upper rows that are empty left out.

    Everybody is still in play, whatever has been drawn, and the player on turn was the first to begin.
    """
    size = options.get("size", 9)
    lines = board.split()
    lines = [EMPTY * size] * (size - len(lines)) + lines
    assert {len(line) for line in lines} == {size}
    return standing("".join(reversed(lines)), MARKS.index(on_turn), Ruleset(players, **options))


def placed(cells: str, on_turn: str = "A", players: int = 2, **options: Any) -> Position:
    """The position with pieces on some cells: ``A: a1 b3 B: c4``; the options may say the ``version`` of the rules."""
    size = options.get("size", 9)
    squares, mark = [EMPTY] * size**2, EMPTY
    for word in cells.split():
        if word.endswith(":"):
            mark = word[:-1]
        else:
            squares[grid(size).by_name[word]] = mark
    return standing("".join(squares), MARKS.index(on_turn), Ruleset(players, **options))


def standing(squares: Squares, on_turn: int, rules: Ruleset) -> Position:
    """A position at the beginning of a turn."""
    start = MAMBA.begin({}, rules.players, on_turn)
    return replace(start, rules=rules, squares=squares, turn=TurnSoFar(squares), stood={(squares, on_turn): 1})


def after(position: Position, *lines: str) -> Position:
    """The position after these lines; nothing of them may be left over."""
    for line in lines:
        _, position, left_over = MAMBA.read_input(position, line)
        assert left_over == ""
    return position


def board(position: Position) -> list[str]:
    """The rows from top to bottom, the empty ones above left out."""
    lines = rows(position).split("/")
    while lines and not lines[0].strip(EMPTY):
        del lines[0]
    return lines


def cells(position: Position, mark: str) -> str:
    """A player's pieces: ``a1 b3``."""
    return " ".join(position.rules.grid.names[cell] for cell in position.pieces(MARKS.index(mark)))


def words(position: Position) -> list[str]:
    """All legal steps, as they are typed."""
    return [MAMBA.input_text(position, (step,)).move for step in position.legal()]


def is_balanced(position: Position) -> bool:
    """Return True if nobody suffocates and no alignment is too long."""
    own, squares = position.rules.grid, position.squares
    return not suffocated(own, squares) and not look_at(own, squares).too_long()


def dense(chance: random.Random, rules: Ruleset, pieces: int = PIECES - 1) -> Position:
    """A board full of runs and crossings that could stand at the beginning of a turn; some of its pieces may turn."""
    own, marks = rules.grid, MARKS[: rules.players]
    squares = list(EMPTY * rules.size**2)
    for _ in range(200):
        owner, step = chance.choice(marks), chance.choice((1, rules.size))
        start = chance.randrange(rules.size**2)
        line = [start + step * each for each in range(chance.randint(1, LONGEST))]
        held = squares.copy()
        for cell in line:
            if cell < rules.size**2 and (step > 1 or own.row_of(cell) == own.row_of(start)):
                held[cell] = owner
        if len(held) - held.count(EMPTY) <= pieces:
            squares = held
    return standing(_thinned(rules, "".join(squares), chance), chance.randrange(rules.players), rules)


def _thinned(rules: Ruleset, squares: Squares, chance: random.Random) -> Squares:
    """The board without what no balance leaves on it."""
    while True:
        too_long = [chance.choice(each.cells) for each in look_at(rules.grid, squares).too_long()]
        gone = [*too_long, *suffocated(rules.grid, squares)]
        if not gone:
            return squares
        squares = without(squares, gone)


@st.composite
def positions(draw: st.DrawFn, most_steps: int = 60) -> Position:
    """A position after some legal steps, perhaps in mid-turn, perhaps with a decision open."""
    players = draw(st.integers(2, 4))
    options = {"size": draw(st.sampled_from((9, 11))), "teams": players == 4 and draw(st.booleans())}
    options |= {name: draw(st.booleans()) for name in ("must_move", "strict_isolation")}
    given = {name: value for name, value in options.items() if value}
    position = MAMBA.begin(given, players, draw(st.integers(0, players - 1)))
    for choice in draw(st.lists(st.integers(0, 9999), max_size=most_steps)):
        steps = position.legal()
        if steps:
            position = position.play(steps[choice % len(steps)])
    return position
