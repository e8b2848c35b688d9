"""The contents of mails about boards, whatever the game: position, example of a turn, moves in columns."""

from __future__ import annotations

import textwrap
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, singledispatch
from itertools import islice
from operator import is_
from typing import Any, ClassVar

from pbem.diagrams import figures
from pbem.domain.boards import Board
from pbem.domain.events import LEAVING, Event
from pbem.domain.game_state import GameState
from pbem.domain.players import Player, is_robot
from pbem.games.figure import Figure
from pbem.games.game import Game, InputText, Position, Seat
from pbem.wording.layout import WIDTH

AT_ONCE = 4
"""Boards whose mails may be written at once, by threads that share the templates."""

_MOST_TRIED = 20
"""Turns that are looked at for one that does not end the game."""


@dataclass(frozen=True)
class Shown:
    """A position as mails show it, as far as all games have it; a family adds what its own parts tell."""

    family: ClassVar[str] = "plain"
    """The folder of these parts: ``parts/plain``."""

    board: str
    """Drawn with letters."""

    def picture(self, viewer: Seat | None) -> bytes:
        """The same as PNG, from the side of one of the players or of nobody; empty if there is none."""
        return b""

    def is_turned(self, viewer: Seat | None) -> bool:
        """The picture is turned against the board drawn with letters."""
        return False


@dataclass(frozen=True)
class FigureShown(Shown):
    """A position of a game that describes its board."""

    family = "figure"

    figure: Figure
    may_swap: bool = False
    """The player to move may take the other side instead."""

    def picture(self, viewer: Seat | None) -> bytes:
        """The same as PNG, which looks the same from all sides."""
        return self._picture

    @cached_property
    def _picture(self) -> bytes:
        return figures.draw(self.figure)

    @cached_property
    def pieces(self) -> Mapping[str, tuple[str, ...]]:
        """The places of each side's pieces, by the name of the side: ``b2``, or ``e1=K`` where they are of kinds."""
        named = self.figure.pieces.items()
        return {
            name: tuple(
                place if piece.letter == self.mark(name) else f"{place}={piece.letter.upper()}"
                for place, piece in named
                if piece.side == side
            )
            for side, name in enumerate(self.figure.sides)
        }

    @property
    def held(self) -> Mapping[str, tuple[str, ...]]:
        """The pieces that each side can still put on the board, by the name of the side: ``3P``."""
        return {
            name: tuple(each.letters.upper() for each in self.figure.held if each.piece.side == side)
            for side, name in enumerate(self.figure.sides)
        }

    def mark(self, side: str) -> str:
        """The character for a piece of a side where boards are drawn with letters; empty if there are several."""
        return dict(zip(self.figure.sides, self.figure.marks, strict=False)).get(side, "")


@singledispatch
def show(position: object) -> Shown:
    """A position as its family has registered; of any other game its figure, or else its `str` without a picture."""
    if not isinstance(position, Position) or position.figure is None:
        return Shown(str(position))
    return FigureShown(position.figure.letters, position.figure, position.may_swap)


class Recent:
    """Calls a function, and keeps its last results: a turn is mailed to all its players at once.

    Args:
        make: the function.
        same: its first arguments, so many, are the same objects in a call whose result is taken again; the others
            are equal.
    """

    def __init__(self, make: Callable[..., Any], same: int = 1) -> None:
        self._make, self._same = make, same
        self._kept: deque[tuple[tuple[Any, ...], tuple[Any, ...], Any]] = deque(maxlen=AT_ONCE)

    def __call__(self, *facts: Any, **more: Any) -> Any:
        """The result for these arguments."""
        same, equal = facts[: self._same], (facts[self._same :], more)
        for known, others, result in tuple(self._kept):
            if all(map(is_, known, same)) and others == equal:
                return result
        made = self._make(*facts, **more)
        self._kept.append((same, equal, made))
        return made


def viewer(board: Board, course: GameState, reader: Player | None) -> Seat | None:
    """The seat from which a reader looks at a board; if they have two, the one that is to act."""
    seats = board.seats_of(reader.id) if reader else ()
    return course.to_act if course.to_act in seats else next(iter(seats), None)


def side_if_several(board: Board, course: GameState, sides: Sequence[str], seat: Seat) -> str:
    """The side of a seat whose player holds more than one that is in play; otherwise empty, as the userid is enough."""
    seats = [each for each in board.seats_of(board.seats[seat].player) if each in course.position.playing]
    return sides[seat] if len(seats) > 1 else ""


@dataclass(frozen=True, slots=True)
class Played:
    """An input, as a mail tells of it."""

    userid: str
    by_reader: bool
    move: str = ""
    automatic: tuple[str, ...] = ()
    left: Event | None = None
    """No input: the player has left the game."""


_MOST_NEWS = 4
"""Inputs and players who leave that a mail begins with: those of all others at the largest board, and one more."""


def played_lately(board: Board, course: GameState, reader: Player | None, new_input: int = 0) -> tuple[Played, ...]:
    """The inputs that a mail begins with: those since the reader's last one, or else the last input.

    A player who leaves the game is told of like an input of theirs.
    Moves that were made together are told together: a queued move with the one before it, which let it be made, and
    a move with the answer of a computer opponent.

    Args:
        board: the board.
        course: its game state.
        reader: the player who is told.
        new_input: the number of the first event that this mail is the first to tell; 0 if there is none.
    """
    seats = board.seats_of(reader.id) if reader else ()
    news = {
        played.event: Played(
            board.seats[played.seat].userid, played.seat in seats, played.text.move, played.text.automatic
        )
        for played in course.inputs
    }
    leaving = (each for each in board.played if each.kind in LEAVING)
    news |= {each.number: Played(board.seats[each.seat].userid, each.seat in seats, left=each) for each in leaving}
    numbers = sorted(news)
    inputs = [news[number] for number in numbers]
    own = max((index for index, played in enumerate(inputs) if played.by_reader), default=-1)
    begin = own + 1 if seats and own + 1 < len(inputs) else len(inputs) - 1
    if 0 <= own < begin and all(is_robot(played.userid) for played in inputs[begin:]):
        begin = own
    begin = min([begin, *(index for index, number in enumerate(numbers) if number == new_input)])
    return tuple(inputs[max(begin, 0) :][-_MOST_NEWS:])


def first_untold(board: Board, course: GameState, reader: Player | None, new_input: int = 0) -> int:
    """The number of the first turn whose end a reader has not been told, or at least of the last one.

    Readers already know the results of their own inputs, except of the one that is told only now.

    Args:
        board: the board.
        course: its game state.
        reader: the player who is told.
        new_input: the number of the event that this mail is the first to tell of; others may have followed from it.
    """
    first = _first_unended(board, course, reader)
    of_new = (played.moveno for played in course.inputs if 0 < new_input <= played.event)
    return min(first, next(of_new, first))


def _first_unended(board: Board, course: GameState, reader: Player | None) -> int:
    last = course.ply + course.position.mid_turn
    seats = board.seats_of(reader.id) if reader else ()
    own = [index for index, played in enumerate(course.inputs) if played.seat in seats]
    if not own:
        return 1 if seats else last
    index = own[-1]
    moveno, later = course.inputs[index].moveno, course.inputs[index + 1 :]
    has_ended = moveno <= course.ply and all(played.moveno > moveno for played in later)
    return min(moveno + has_ended, last)


@singledispatch
def legal_steps(position: Any) -> Iterable[Any]:
    """The legal steps of a position in their order; a family that can find the first without all others registers."""
    steps: Iterable[Any] = position.legal()
    return steps


@singledispatch
def play_legal(position: Any, step: Any) -> Any:
    """The position after one of its legal steps; a family that need not look at the step again registers."""
    return position.play(step)


@singledispatch
def example_turn(position: Any, game: Game[Any, Any]) -> str:
    """A whole turn that is legal in a position, in the words of the notation; if possible one that ends nothing.

    A family whose turns come in parts registers what is typical of them.
    """
    found: list[tuple[Position[Any], list[Any]]] = []
    for step in islice(legal_steps(position), _MOST_TRIED):
        found.append(_turn_with(position, step))
        if found[-1][0].outcome is None:
            break
    after, steps = found[-1] if found[-1][0].outcome is None else found[0]
    return game.input_text(after, steps).move


def _turn_with(position: Position[Any], step: Any) -> tuple[Position[Any], list[Any]]:
    """The position after a turn that begins with a step, and its steps."""
    after, steps = play_legal(position, step), [step]
    while after.ply == position.ply:
        steps.append(next(iter(legal_steps(after))))
        after = play_legal(after, steps[-1])
    return after, steps


_NUMBER = 5
"""Columns of a move's number, with its dot and the blank behind it."""

_NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class MoveList:
    """The sides and players, and under each the moves with their numbers."""

    sides: tuple[str, ...]
    userids: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], ...], ...]
    """For each round, for each seat, the lines of its turn; none if it has not played."""

    def __str__(self) -> str:
        width = WIDTH // len(self.userids)
        lines = [_row(self.sides, width), _row(self.userids, width)]
        for cells in self.rows:
            for depth in range(max(map(len, cells))):
                texts = [cell[depth] if depth < len(cell) else "" for cell in cells]
                lines.append("".join(text.ljust(width) for text in texts).rstrip())
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Line:
    """One thing in the list of moves."""

    event: int
    seat: Seat
    moveno: int
    """0 for what is no turn."""
    text: InputText


def move_list(
    board: Board,
    course: GameState,
    sides: Sequence[str],
    auto: str,
    *,
    most: int = 0,
    leaving: Mapping[str, str] = _NOTHING,
    classic: bool = False,
) -> MoveList:
    """The moves of a board.

    Args:
        board: the board.
        course: its game state.
        sides: the names of the seats.
        auto: marks automatic moves.
        most: the number of last lines to show; 0 for all.
        leaving: the text for each way of leaving the game; without them the list has only moves.
        classic: whether the number of a move begins the line and has no dot, as other programs expect.
    """
    number = "{} " if classic else "{:>3}. "
    width = WIDTH // len(board.seats) - _NUMBER - 1
    lines = _lines(board, course, leaving)[-most:]
    rounds = [{line.seat: _cell(line, auto, width, number) for line in row} for row in _rounds(lines)]
    rows = tuple(tuple(cells.get(seat, ()) for seat in range(len(board.seats))) for cells in rounds)
    return MoveList(tuple(sides), tuple(holder.userid for holder in board.seats), rows)


def move_texts(board: Board, course: GameState, auto: str, leaving: Mapping[str, str]) -> tuple[str, ...]:
    """The moves of a board, each with its number: ``2. C4,K5 (auto M3)``.

    Args:
        board: the board.
        course: its game state.
        auto: tells of automatic moves, which stand for ``%s`` in it.
        leaving: the text for each way of leaving the game.
    """
    texts = []
    for line in _lines(board, course, leaving):
        followed = [auto % ", ".join(line.text.automatic)] if line.text.automatic else []
        begins = board.seats[line.seat].userid if line.text.move in leaving.values() else f"{line.moveno}."
        texts.append(" ".join((begins, line.text.move, *followed)))
    return tuple(texts)


def _lines(board: Board, course: GameState, leaving: Mapping[str, str]) -> list[_Line]:
    """The lines of the list: moves, and players who left."""
    played = [_Line(each.event, each.seat, each.moveno, each.text) for each in course.inputs]
    turns = {event: moveno for moveno, event in enumerate(course.begun, start=1)}
    left = [
        _Line(event.number, event.seat, turns.get(event.number, 0), InputText(leaving[event.kind]))
        for event in board.played
        if event.kind in leaving
    ]
    return sorted(played + left, key=lambda line: line.event)


def _row(texts: Iterable[str], width: int) -> str:
    return "".join((" " * _NUMBER + text)[: width - 1].ljust(width) for text in texts).rstrip()


def _rounds(lines: Sequence[_Line]) -> list[list[_Line]]:
    """The lines row by row: a new row begins where the seats begin again."""
    rounds: list[list[_Line]] = []
    for line in lines:
        if rounds and line.seat > rounds[-1][-1].seat:
            rounds[-1].append(line)
        else:
            rounds.append([line])
    return rounds


def _cell(line: _Line, auto: str, width: int, numbered: str) -> tuple[str, ...]:
    first, *more = _wrapped(line.text.move, width)
    below = (*more, *(f"{each} {auto}" for each in line.text.automatic))
    number = numbered.format(line.moveno) if line.moveno else " " * _NUMBER
    return (f"{number}{first}", *(f"{'':{_NUMBER}}{each}" for each in below))


def _wrapped(move: str, width: int) -> list[str]:
    if len(move) <= width:
        return [move]
    return textwrap.wrap(move, width, break_long_words=False, break_on_hyphens=False) or [""]
