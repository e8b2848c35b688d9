"""A game of the family as the server knows it: turns in words, in records, and as steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.games.game import Options, Seat, TurnRecord, TurnText, UnknownOption
from pbem.games.hextile import notation, refusals, turns
from pbem.games.hextile import position as positions
from pbem.games.hextile.fills import by_hand
from pbem.games.hextile.grid import Cell, towards
from pbem.games.hextile.turns import Placement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.games.hextile.notation import Word
    from pbem.games.hextile.position import Position
    from pbem.games.hextile.ruleset import Ruleset


FARTHEST = 10_000
"""Columns or rows from the middle beyond which a record is not believed; no supply reaches so far."""


@dataclass(frozen=True, slots=True)
class HexTileGame:
    """One game for two players, by its ruleset."""

    name: str
    title: str
    rules: int
    """The version of the rules."""
    side_names: tuple[str, ...]
    ruleset: Ruleset

    @property
    def players(self) -> range:
        """All games of the family are for two."""
        return range(2, 3)

    def sides(self, options: Options) -> tuple[str, ...]:
        """The name of each seat's side, in the order of seats."""
        return self.side_names

    def read_options(self, words: Sequence[str]) -> Options:
        """Refuse every word: the game has no options yet."""
        return _none_of(dict.fromkeys(words, True))

    def begin(self, options: Options, players: int, first: Seat = 0) -> Position:
        """The position before the first turn, which belongs to seat ``first``.

        Raises:
            UnknownOption: an option is not one of this game.
        """
        _none_of(options)
        return positions.begin(self.ruleset, first)

    def read_turn(self, position: Position, text: str) -> tuple[tuple[Placement, ...], Position]:
        """Read and play one whole turn; return its steps and the position after it.

        Raises:
            UnreadablePlacement: a word of the text is no placement.
            IllegalMove: one of `refusals`.
        """
        now, steps = position, list[Placement]()
        for word in notation.read_words(text):
            turns.check_goes_on(position, now, word.typed)
            steps.append(_find(now, word))
            now = turns.play(now, steps[-1], word.typed)
        turns.check_complete(position, now)
        return tuple(steps), now

    def play_turn(self, position: Position, steps: Sequence[Placement]) -> Position:
        """Play the steps of one whole turn.

        Raises:
            IllegalMove: one of `refusals`.
        """
        now = position
        for step in steps:
            turns.check_goes_on(position, now, turns.in_words(now, step))
            now = now.play(step)
        turns.check_complete(position, now)
        return now

    def turn_text(self, position: Position) -> TurnText:
        """The turn that led to ``position``, each space by the label it had; ``A1,J12``."""
        tiles = position.last_turn
        automatic = tuple(tile.text for tile in tiles if tile.automatic)
        return TurnText(",".join(tile.text for tile in by_hand(tiles)), automatic)

    def turn_record(self, steps: Sequence[Placement]) -> TurnRecord:
        """The tiles that the player laid, as objects with ``q``, ``r`` and ``state``."""
        return [{"q": step.cell.q, "r": step.cell.r, "state": step.state} for step in steps]

    def turn_steps(self, record: TurnRecord) -> tuple[Placement, ...]:
        """The steps of a turn that stands in a record.

        Raises:
            UnreadableTurn: the record is no list of tiles, or one of them is no tile of this game.
        """
        if not isinstance(record, list) or not record:
            raise refusals.UnreadableTurn(which=0)
        return tuple(self._read_tile(tile, which) for which, tile in enumerate(record, start=1))

    def _read_tile(self, tile: object, which: int) -> Placement:
        match tile:
            case {"q": q, "r": r, "state": state, **more} if not more:
                # not isinstance: true and false are no numbers in a record
                are_numbers = all(type(number) is int for number in (q, r, state))
                if are_numbers and max(abs(q), abs(r)) <= FARTHEST and state in self.ruleset.states:
                    return Placement(Cell(q, r), state)
        raise refusals.UnreadableTurn(which)


def _none_of(options: Options) -> Options:
    """Refuse every option there is."""
    if options:
        raise UnknownOption(next(iter(options)), known=())
    return options


def _find(position: Position, word: Word) -> Placement:
    """The placement that a word means.

    Raises:
        NoSuchSpace: no space has this label, or the cell in this direction is filled.
        NothingToPointFrom: a direction on the first tile of a turn.
    """
    layout, laid = position.layout, by_hand(position.turn)
    which = len(laid) + 1
    if word.direction is None:
        cell = layout.space_labelled(word.label)
        if cell is None:
            filled = layout.was_labelled(word.label)
            raise refusals.NoSuchSpace(word.typed, which, space=word.label, filled=filled)
    elif laid:
        cell = towards(laid[-1].cell, word.direction)
        if cell not in layout.spaces:
            raise refusals.NoSuchSpace(word.typed, which, space=word.direction, filled=True)
    else:
        raise refusals.NothingToPointFrom(word.typed, which, direction=word.direction)
    return Placement(cell, word.state)
