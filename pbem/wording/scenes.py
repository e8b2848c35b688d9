"""The boards of Mamba on the help pages: moves are played, and the page's words checked against them.

A scene shows a board before and after. It is played by the rules when the page is made, and the page says with
each scene what happens there, thing by thing; a word that is not so is a fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any
from zlib import crc32

from pbem.diagrams.mamba import Picture, draw, svg
from pbem.games.mamba import events
from pbem.games.mamba.events import Event
from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.position import Position, TurnSoFar
from pbem.games.mamba.ruleset import Ruleset
from pbem.games.mamba.squares import EMPTY, MARKS, Cell, Grid, look_at, suffocated, with_mark
from pbem.wording.drawings import INDENT, BadFigure, Drawing, Drawings, Letters, beside, indented
from pbem.wording.layout import columns

_PLAYER = re.compile(r"([AB]):([^;]*)")
_INPUTS = " / "
"""Between two inputs, such as a turn and the answer to a decision in it."""
_THINGS = "; "
"""Between the things that happen."""


def functions(drawings: Drawings) -> dict[str, Callable[..., str]]:
    """The functions that templates may call, by name; ``drawings`` caches the drawn boards."""

    def kept(make: Callable[..., Letters]) -> Callable[..., str]:
        def made(*args: Any, **more: Any) -> str:
            found = make(*args, **more)
            return drawings.keep(found, found.drawings)

        return made

    scenes: dict[str, Callable[..., Letters]] = {"mamba_start": start, "mamba_scene": scene, "mamba_game": game}
    return {**{name: kept(make) for name, make in scenes.items()}, "mamba_moves": moves}


def start(players: int, size: int = 9) -> Letters:
    """The board before the first turn."""
    rules = Ruleset(players, size)
    return _beside((indented(draw(rules.start, size)), _drawing(rules, rules.start)))


def scene(pieces: str, inputs: str, happens: str, *, asked: str = "", rows: str = "", after: bool = False) -> Letters:
    """A board on which two play, drawn before and after something was played on it.

    Args:
        pieces: the cells of each player's pieces, the player on turn first: ``A: c4 d4; B: f4 g4``.
        inputs: what is played, ``/`` between the inputs.
        happens: all results, in order, as `_in_words` has it.
        asked: the decision at the end: ``B: cut f4 or cut j4``.
        rows: which rows are drawn, ``1-5``; all of them if it is empty.
        after: whether it is drawn as it was after that alone.

    Raises:
        IllegalMove, UnreadableMove: something else than a turn is played.
        BadFigure: the board was not at rest before, or something else happens.
    """
    before = _position(pieces)
    now = _as_said(before, inputs, happens, asked)
    one, other = _before_and_after(before, now, rows)
    return _beside(other) if after else _beside(one, other)


def game(inputs: str, happens: str, *, asked: str = "", ending: str = "") -> Letters:
    """A game of two from its beginning, drawn before and after the last of some inputs.

    ``happens`` is what that one brings, ``ending`` how the game has ended by then; for the rest see `scene`.
    """
    *first, last = inputs.split(_INPUTS)
    before, _ = _played(MAMBA.begin({}, 2), first)
    now = _as_said(before, last, happens, asked)
    _check(inputs, ending, now.outcome.ending if now.outcome else "")
    return _beside(*_before_and_after(before, now, ""))


def moves(inputs: str) -> str:
    """The inputs of a game of two with the numbers of their turns, in columns."""
    position, cells = MAMBA.begin({}, 2), []
    for text in inputs.split(_INPUTS):
        cells.append(f"{position.ply + 1}. {text}")
        position = MAMBA.read_input(position, text).position
    return columns(cells, len(INDENT))


def _as_said(before: Position, inputs: str, happens: str, asked: str) -> Position:
    """The position after what is played, if nothing else than the page says comes of it."""
    after, happened = _played(before, inputs.split(_INPUTS))
    _check(inputs, happens, happened)
    _check(inputs, asked, _question(after))
    return after


def _position(pieces: str) -> Position:
    """A board at rest, with the first player named on turn."""
    rules = Ruleset(2)
    owners = {mark: cells.split() for mark, cells in _PLAYER.findall(pieces)}
    squares = EMPTY * rules.size**2
    for mark, cells in owners.items():
        for cell in cells:
            squares = with_mark(squares, rules.grid.by_name[cell], mark)
    if suffocated(rules.grid, squares) or look_at(rules.grid, squares).too_long():
        raise BadFigure(pieces)
    first, *others = (MARKS.index(mark) for mark in owners)
    return Position(rules, squares, first, TurnSoFar(squares), tuple(sorted((first, *others))), first=first)


def _played(position: Position, inputs: Sequence[str]) -> tuple[Position, str]:
    """The position after some inputs, and what has happened."""
    things: list[Event] = []
    for text in inputs:
        known = len(position.turn.happened)
        position = MAMBA.read_input(position, text).position
        things += position.latest.happened[known:] if position.latest else ()
    return position, _THINGS.join(_in_words(position.rules.grid, each) for each in things)


def _check(where: str, said: str, true: str) -> None:
    if " ".join(said.split()) != true:
        raise BadFigure(where, said, true)


def _question(position: Position) -> str:
    decision = position.decision
    return f"{MARKS[decision.owner]}: {' or '.join(decision.options)}" if decision else ""


def _in_words(grid: Grid, event: Event) -> str:
    """A thing that has happened, as the pages write it beside a scene."""

    def named(*cells: Cell) -> str:
        return " ".join(grid.names[cell] for cell in cells)

    match event:
        case events.Laid(seat, by, cell):
            return f"{MARKS[seat]} lays {named(by)}>{named(cell)}"
        case events.Moved(seat, begin, end):
            return f"{MARKS[seat]} moves {named(begin)}-{named(end)}"
        case events.Passed(seat):
            return f"{MARKS[seat]} passes"
        case events.Suffocated(seat, cell):
            return f"{MARKS[seat]} {named(cell)} suffocates"
        case events.Cut(seat, cells, length, line):
            return f"{MARKS[seat]} loses {named(*cells)} of {length} on {line}"
        case events.Turned(cell, old, new, longer, shorter, line):
            return f"{MARKS[old]} {named(cell)} turns to {MARKS[new]}, {longer} to {shorter} on {line}"
        case events.Blocked(cell, seat):
            return f"{MARKS[seat]} {named(cell)} is blocked"
        case events.Out(seat, cells, left):
            return f"{MARKS[seat]} {'leaves' if left else 'is out'} with {named(*cells)}"


def _beside(*drawn: tuple[str, Drawing]) -> Letters:
    letters = [each for each, _ in drawn]
    return Letters.drawn(beside(*letters), [drawing for _, drawing in drawn])


def _drawing(rules: Ruleset, squares: str, changed: Sequence[Cell] = ()) -> Drawing:
    """A board as pages draw it; what its cells have in common has names of its own on the page."""
    picture = Picture(squares, rules.size, rules.edges, frozenset(changed))
    prefix = f"on-{crc32(repr(picture).encode()):x}"
    return Drawing(lambda: svg.draw_still(picture, prefix))


def _before_and_after(before: Position, after: Position, rows: str) -> tuple[tuple[str, Drawing], tuple[str, Drawing]]:
    changed = [cell for cell, mark in enumerate(after.squares) if mark != before.squares[cell]]
    size = before.rules.size
    drawings = draw(before.squares, size), draw(after.squares, size, changed)
    one, other = (indented("\n".join(_cropped(drawing.split("\n"), rows))) for drawing in drawings)
    was, now = _drawing(before.rules, before.squares), _drawing(before.rules, after.squares, changed)
    return (one, replace(was, phase="before")), (other, replace(now, phase="after"))


def _cropped(lines: list[str], rows: str) -> Iterator[str]:
    """Some rows of a drawing, with the letters above and below."""
    lowest, _, highest = rows.partition("-")
    for line in lines:
        number = line.split()[0]
        if not rows or not number.isdigit() or int(lowest) <= int(number) <= int(highest):
            yield line
