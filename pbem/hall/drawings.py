"""Drawings of OpenSpiel that have more than pieces in rows: lines, links, seeds and points, read for our boards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from string import ascii_lowercase
from textwrap import wrap
from types import MappingProxyType

from pbem.games.figure import At, Bar, Held, Piece, Spot
from pbem.games.layouts import Layout, crossings, square
from pbem.hall.positions import Contents, HallPosition

_HAND_PITCH = 1.5
"""From a piece in hand to the next, with room for a number."""
_HAND = 2
"""The rows from the edge of a board to the pieces in hand."""
_NO_KINDS: Mapping[str, str] = MappingProxyType({})


def in_hand(
    letters: Iterable[str], layout: Layout, kinds: Mapping[str, str] = _NO_KINDS, usual: str = "koma"
) -> Iterator[Held]:
    """The pieces in hand: those of the first side, which are capitals, below the board, the other side's above.

    Args:
        letters: those of the pieces, in any order.
        layout: the board.
        kinds: the kinds of pieces by their small letters.
        usual: the kind of any other.
    """
    xs, ys = zip(*(spot.at for spot in layout.spots.values()), strict=True)
    counted = sorted(Counter(letters).items())
    for side, row in enumerate((max(ys) + _HAND, min(ys) - _HAND)):
        own = [each for each in counted if each[0].islower() == bool(side)]
        for place, (letter, count) in enumerate(own):
            at = min(xs) + place * _HAND_PITCH, row
            yield Held(at, Piece(side, letter, kinds.get(letter.lower(), usual)), count)


MORRIS_POINTS = re.findall("..", "a7d7g7b6d6f6c5d5e5a4b4c4e4f4g4c3d3e3b2d2f2a1d1g1")
"""The points of Nine Men's Morris as OpenSpiel numbers them."""
_MORRIS_LINES = re.findall("....", "a7g7b6f6c5e5a4c4e4g4c3e3b2f2a1g1a7a1b6b2c5c3d7d5d3d1e5e3f6f2g7g1")


def morris() -> Layout:
    """The points and lines of Nine Men's Morris."""
    whole = crossings(7, 7)
    spots = {name: replace(whole.spots[name], shade=1) for name in MORRIS_POINTS}
    lines = [(spots[line[:2]].at, spots[line[2:]].at) for line in _MORRIS_LINES]
    return replace(whole, spots=spots, lines=lines)


def dots(size: int) -> Layout:
    """Dots around so many boxes on each side; boxes have the name of the dot at their left and below, in capitals."""
    names, spots = ascii_lowercase[: size + 1], dict[str, Spot]()
    for row in range(size + 1):
        for column, letter in enumerate(names):
            spots[f"{letter}{size + 1 - row}"] = Spot((column, row), shade=1, free="+")
    for row in range(size):
        for column, letter in enumerate(names[:-1]):
            spots[f"{letter.upper()}{size - row}"] = Spot((column + 0.5, row + 0.5), free=" ")
    return Layout(spots, crossings(size + 1, size + 1).labels, pitch=4)


_ACROSS, _UPRIGHT = "─", "│"
_BOX = 4
"""Characters from a dot to the next in OpenSpiel's drawing, which has two lines for each row."""


def read_dots(position: HallPosition, layout: Layout) -> Contents:
    """The lines that are drawn, and the boxes with their owners."""
    rows = position.drawn.splitlines()
    pieces, bars = dict[str, Piece](), list[Bar]()
    for name, spot in layout.spots.items():
        x, y = spot.at
        line, column = rows[round(2 * y)], round(_BOX * x)
        if name.islower():
            if line[column + 2 : column + 3] == _ACROSS:
                bars.append(Bar((x, y), (x + 1, y)))
            if 2 * y + 1 < len(rows) and rows[round(2 * y) + 1][column : column + 1] == _UPRIGHT:
                bars.append(Bar((x, y), (x, y + 1)))
        elif (owner := line[column : column + 1]) in ("1", "2"):
            pieces[name] = Piece(int(owner) - 1, position.kind.marks[int(owner) - 1])
    return Contents(pieces, bars)


def count_pieces(position: HallPosition) -> tuple[float, float]:
    """The pieces of each side on the board."""
    sides = [piece.side for piece in position.figure.pieces.values()]
    return sides.count(0), sides.count(1)


def count_area(position: HallPosition) -> tuple[float, float]:
    """The stones of each side in Go and the empty points that only its stones adjoin (Tromp-Taylor), with the komi."""
    figure, counted = position.figure, [0.0, float(position.options.get("komi", "7.5"))]
    by_place = {spot.at: name for name, spot in figure.spots.items()}
    for piece in figure.pieces.values():
        counted[piece.side] += 1
    left = {at for at, name in by_place.items() if name not in figure.pieces}
    while left:
        area, edge, owners = set[At](), [left.pop()], set[int]()
        while edge:
            x, y = edge.pop()
            area.add((x, y))
            for beside in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if beside in left:
                    left.remove(beside)
                    edge.append(beside)
                elif (stone := figure.pieces.get(by_place.get(beside, ""))) is not None:
                    owners.add(stone.side)
        if len(owners) == 1:
            counted[owners.pop()] += len(area)
    return counted[0], counted[1]


def twixt(size: int) -> Layout:
    """Holes without the corners; Red connects the rows at the edge, Blue the columns."""
    whole, last = square(size, size, down=True), size - 1
    spots = {name: Spot(spot.at, shade=1) for name, spot in whole.spots.items() if not _is_corner(spot.at, last)}
    edges = [Bar((0.5, y), (last - 0.5, y), 0) for y in (0.5, last - 0.5)]
    edges += [Bar((x, 0.5), (x, last - 0.5), 1) for x in (0.5, last - 0.5)]
    return Layout(spots, whole.labels, edges=edges)


def _is_corner(at: At, last: int) -> bool:
    return at[0] in (0, last) and at[1] in (0, last)


_LINKED = [(across, down) for across in (-2, -1, 1, 2) for down in (-2, -1, 1, 2) if abs(across) != abs(down)]
"""The ways from a peg to those that it can be linked with."""


def links(pegs: Iterable[tuple[int, At]]) -> Iterator[Bar]:
    """The links of pegs that are put in one after the other, each at once to all others that no link keeps it from."""
    sides, there = dict[At, int](), list[Bar]()
    for side, (x, y) in pegs:
        sides[x, y] = side
        for across, down in _LINKED:
            end = x + across, y + down
            near = (bar for bar in there if abs(bar.start[0] - x) < 4 and abs(bar.start[1] - y) < 4)
            if sides.get(end) == side and not any(_cross(bar.start, bar.end, (x, y), end) for bar in near):
                there.append(Bar((x, y), end, side))
    yield from there


def _cross(start: At, end: At, from_: At, to: At) -> bool:
    """Two links cross, which does not count what only meets in a peg."""
    turns = [_turn(start, end, from_), _turn(start, end, to), _turn(from_, to, start), _turn(from_, to, end)]
    return turns[0] * turns[1] < 0 and turns[2] * turns[3] < 0


def _turn(start: At, end: At, at: At) -> float:
    return (end[0] - start[0]) * (at[1] - start[1]) - (end[1] - start[1]) * (at[0] - start[0])


def read_twixt(position: HallPosition, layout: Layout) -> Contents:
    """The pegs, and the links, which are lines below the board where it is drawn with letters."""
    size, spots = int(position.options.get("size", TWIXT_SIZE)), layout.spots
    # OpenSpiel numbers the holes column by column, each from below.
    names = [f"{ascii_lowercase[action // size]}{size - action % size}" for action in position.actions]
    pegs = {name: place % 2 for place, name in enumerate(names)}
    bars = tuple(links((side, spots[name].at) for name, side in pegs.items()))
    called = {spot.at: name for name, spot in spots.items()}
    marks = position.kind.marks
    below = [
        f"{marks[side]}: " + " ".join(f"{called[bar.end]}-{called[bar.start]}" for bar in bars if bar.side == side)
        for side in range(2)
        if any(bar.side == side for bar in bars)
    ]
    return Contents({name: Piece(side, marks[side]) for name, side in pegs.items()}, bars, below=_wrapped(below))


TWIXT_SIZE = 24
_WIDTH = 72


def _wrapped(lines: Iterable[str]) -> Sequence[str]:
    return [part for line in lines for part in wrap(line, _WIDTH, subsequent_indent="   ", break_on_hyphens=False)]


def houses() -> Layout:
    """Twelve houses: those of whoever begins below, counted from the left, the others above, counted from the right."""
    spots = {f"{letter}1": Spot((column, 1), _HOUSE) for column, letter in enumerate("abcdef")}
    spots |= {f"{letter}2": Spot((5 - column, 0), _HOUSE) for column, letter in enumerate("abcdef")}
    labels: list[tuple[At, str]] = []
    for column, letter in enumerate("abcdef"):
        labels += (((column, 2), letter), ((5 - column, -1), letter))
    return Layout(spots, labels, pitch=4)


_HOUSE: tuple[At, ...] = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
_NUMBER = re.compile(r"[0-9]+")


def read_kalah(position: HallPosition, layout: Layout) -> Contents:
    """The seeds in the houses, and the stores at both ends."""
    above, stores, below = (list(map(int, _NUMBER.findall(line))) for line in position.drawn.splitlines()[:3])
    return _seeds(layout, below, above[::-1], (stores[1], stores[0]))


def read_oware(position: HallPosition, layout: Layout) -> Contents:
    """The seeds in the houses, and those that were captured."""
    lines = position.drawn.removeprefix("[FINISHED]\n").splitlines()
    above, below = (list(map(int, _NUMBER.findall(line))) for line in lines[2:4])
    captured = [int(_NUMBER.findall(lines[place])[1]) for place in (5, 0)]
    return _seeds(layout, below, above[::-1], (captured[0], captured[1]))


def _seeds(layout: Layout, below: Iterable[int], above: Iterable[int], kept: tuple[int, int]) -> Contents:
    counted: Mapping[str, int] = dict(zip(layout.spots, (*below, *above), strict=True))
    pieces = {name: Piece(int(name[1]) - 1, str(count), "seeds") for name, count in counted.items() if count}
    return Contents(pieces, beside=(((6.5, 0.5), str(kept[0])), ((-1.5, 0.5), str(kept[1]))))


def pentago() -> Layout:
    """The board, with the letters that turn each quarter beside it and the way that it turns."""
    whole = square(6, 6, down=True)
    beside = [(at, text) for at, text in whole.labels if at[0] < 0 or at[1] > 5]
    ends = ((-0.5, "->"), (1, "{0}"), (4, "{1}"), (5.5, "<-"))
    turns = [((x, y), sign.format(*names)) for y, names in ((-1, "tu"), (7, "yx")) for x, sign in ends]
    ends = ((0, "\\/"), (1, "{0}"), (4, "{1}"), (5, "/\\"))
    turns += [((x, y), sign.format(*names)) for x, names in ((-2, "sz"), (7, "vw")) for y, sign in ends]
    return replace(whole, labels=(*beside, *turns))


QUARTERS: Mapping[str, At] = dict(
    zip("tuvwxyzs", ((1, -1), (4, -1), (6, 1), (6, 4), (4, 6), (1, 6), (-1, 4), (-1, 1)), strict=True)
)
"""The places beside the board from which each letter turns a quarter."""


def read_pentago(position: HallPosition, layout: Layout) -> Contents:
    """The marbles."""
    rows = [line.split()[-7:] for line in position.drawn.splitlines()[2:8]]
    men = "".join(letter for row in rows for letter in row if letter in ".O@")
    named = zip(layout.spots, men, strict=True)
    return Contents({name: Piece("O@".index(man), man) for name, man in named if man != "."})


def nine_boards() -> Layout:
    """The nine times nine cells of Ultimate Tic-Tac-Toe, with gaps between the small boards."""
    whole = square(9, 9)

    spots = {name: replace(spot, at=_apart(spot.at), shade=0) for name, spot in whole.spots.items()}
    return replace(whole, spots=spots, labels=[(_apart(at), text) for at, text in whole.labels])


def _apart(at: At) -> At:
    """A place with half a place between the small boards."""
    x, y = (each + min(max(each // 3, 0), 2) * 0.5 for each in at)
    return x, y


def read_nine_boards(position: HallPosition, layout: Layout) -> Contents:
    """The crosses and noughts; OpenSpiel draws the cells row by row.

    Below the board: whose are the small boards that have a row, and behind ``>`` the one to play on.
    """
    rows = [line.replace(" ", "") for line in position.drawn.splitlines() if re.fullmatch(r"[.xo ]{11}", line)]
    named = zip(layout.spots, "".join(rows), strict=True)
    won = ((man, number) for number in range(9) for man in "xo" if _has_row(rows, number, man))
    below = [f"{man.upper()} {_small_board(number)}" for man, number in won]
    forced = _FORCED.search(position.drawn)
    if forced and position.outcome is None:
        below.append(f"> {_small_board(int(forced[1]))}")
    return Contents({name: Piece("xo".index(man), man) for name, man in named if man != "."}, below=below)


_FORCED = re.compile(r"Forced board: ([0-8])")


def board_to_play_on(drawn: str) -> str:
    """The middle of the small board to play on; empty if any may be chosen."""
    forced = _FORCED.search(drawn)
    return f"{'beh'[int(forced[1]) % 3]}{8 - int(forced[1]) // 3 * 3}" if forced else ""


def _small_board(number: int) -> str:
    """The two corners of a small board: ``a7-c9`` is the first."""
    left, top = 3 * (number % 3), 9 - 3 * (number // 3)
    return f"{ascii_lowercase[left]}{top - 2}-{ascii_lowercase[left + 2]}{top}"


_ROWS_OF_THREE = ("012", "345", "678", "036", "147", "258", "048", "246")


def _has_row(rows: Sequence[str], number: int, man: str) -> bool:
    """Return True if three men of one side are in a row on a small board."""
    left, top = 3 * (number % 3), 3 * (number // 3)
    cells = "".join(row[left : left + 3] for row in rows[top : top + 3])
    return any(all(cells[int(cell)] == man for cell in row) for row in _ROWS_OF_THREE)
