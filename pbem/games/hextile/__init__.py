"""The games of hexagonal tiles, as the server knows them: turns in words, in records, and as steps."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from pbem.games.game import CanonicalForm, Game, Input, InputText, Options, Report, Seat, TurnRecord
from pbem.games.hextile import facts, notation
from pbem.games.hextile import notation as refusals
from pbem.games.hextile import position as positions
from pbem.games.hextile.fills import by_hand
from pbem.games.hextile.grid import Cell, Colour, towards
from pbem.games.hextile.notation import Word
from pbem.games.hextile.position import SWAP, Placement, Position, Step, Swap
from pbem.games.hextile.ruleset import Ruleset
from pbem.games.hextile.symmetry import canonical
from pbem.games.options import Vocabulary, telling

SWAP_WORD = "swap"
"""The word that a player types, and a record's event, when sides are swapped."""

_PASSING = "pass"
_ARROW = re.compile("[-=\u2010-\u2015\u2212]*[>\u2192\u21d2]+")


class HexTileGame(Game[Position, Step]):
    """One game of the family, for two players: its options, and the rules that they make."""

    family = "tiles"
    for_robots = True
    side_names: Mapping[Colour, str] = {Colour.O: "O", Colour.X: "X"}
    """Names of the players, by colour."""
    vocabulary: Vocabulary

    @abstractmethod
    def ruleset(self, options: Options) -> Ruleset:
        """The rules under options that the vocabulary knows.

        Raises:
            PlayerError: they cannot be played.
        """

    def sides(self, position: Position) -> tuple[str, ...]:
        """The name of each seat's side, in the order of seats."""
        return tuple(self.side_names[colour] for colour in position.colours)

    def read_options(self, words: Sequence[str]) -> Options:
        """Read option words, dashes taken off, into options.

        Raises:
            PlayerError: one of the refusals of `pbem.games.options`.
        """
        options = self.vocabulary.read(words)
        self._rules_under(options)
        return options

    def begin(self, options: Options, players: int, first: Seat = 0, rules: int | None = None) -> Position:
        """The position before the first turn, which belongs to seat ``first``; there is one version of the rules.

        Raises:
            PlayerError: one of the refusals of `pbem.games.options`.
        """
        return positions.begin(self._rules_under(self.vocabulary.check(options)), first)

    def _rules_under(self, options: Options) -> Ruleset:
        return _ruleset(self.ruleset, tuple(options.items()))

    def split_turns(self, line: str) -> Sequence[str]:
        """The turns of a line; an arrow, which joins the cells of a move in other games, separates them too."""
        return super().split_turns(_ARROW.sub("/", line))

    def read_input(self, position: Position, text: str) -> Input[Step, Position]:
        """Read and play one whole turn.

        Raises:
            UnreadablePlacement, NoPassing: a word of the text is no placement.
            TooManyTiles: there are more of them than a turn ever has.
            IllegalMove: one of `refusals`.
        """
        played = self.read_part(position, text)
        positions.check_complete(position, played.position)
        return played

    def read_part(self, position: Position, text: str) -> Input[Step, Position]:
        """Read and play a turn or the first tiles of one.

        Raises:
            UnreadablePlacement, NoPassing: a word of the text is no placement.
            TooManyTiles: there are more of them than a turn ever has.
            IllegalMove: one of `refusals`.
        """
        if text.strip().lower() == _PASSING:
            raise refusals.NoPassing
        if text.strip().lower() == SWAP_WORD:
            return Input((SWAP,), position.play(SWAP))
        now, steps, words = position, list[Placement](), notation.read_words(text)
        most = position.rules.tiles_a_turn
        if len(words) > most:
            raise refusals.TooManyTiles(words[most].typed, most)
        for word in words:
            positions.check_goes_on(position, now, word.typed)
            steps.append(_find(now, word))
            now = positions.play_step(now, steps[-1], word.typed)
        return Input(tuple(steps), now)

    def most_steps(self, position: Position) -> int:
        """The tiles of a turn."""
        return position.rules.tiles_a_turn

    def step_text(self, position: Position, step: Step) -> str:
        """A placement by the label of its space, or the word for the swap."""
        return SWAP_WORD if isinstance(step, Swap) else positions.in_words(position, step)

    def play_input(self, position: Position, steps: Sequence[Step]) -> Position:
        """Play the steps of one whole turn.

        Raises:
            IllegalMove: one of `refusals`.
        """
        now = position
        for step in steps:
            positions.check_goes_on(position, now, self.step_text(now, step))
            now = now.play(step)
        positions.check_complete(position, now)
        return now

    def input_text(self, position: Position, steps: Sequence[Step]) -> InputText:
        """The turn, or what there is of it, that led to ``position``, each space by the label it had; ``A1,J12``."""
        tiles = position.turn or position.last_turn
        if not tiles:
            return InputText(SWAP_WORD)
        automatic = tuple(tile.text for tile in tiles if tile.automatic)
        return InputText(",".join(tile.text for tile in by_hand(tiles)), automatic)

    def input_record(self, position: Position, steps: Sequence[Step]) -> TurnRecord:
        """The tiles that the player laid, as objects with ``q``, ``r`` and ``state``; a swap is an event."""
        if SWAP in steps:
            return {"event": SWAP_WORD}
        return [_tile_record(step.cell, step.state) for step in steps if isinstance(step, Placement)]

    def input_steps(self, position: Position, record: TurnRecord) -> tuple[Step, ...]:
        """The steps of a turn that stands in a record.

        Raises:
            UnreadableTurn: the record is no list of tiles, or one of them is no tile of this game.
        """
        if record == {"event": SWAP_WORD}:
            return (SWAP,)
        if not isinstance(record, list) or not record:
            raise refusals.UnreadableTurn(which=0)
        return tuple(self._read_tile(tile, which) for which, tile in enumerate(record, start=1))

    def essential(self, options: Options) -> Options:
        """The options without those that say what is usual."""
        return telling(options, lambda given: self._rules_under(self.vocabulary.check(given)))

    def canonical(self, position: Position) -> CanonicalForm[Step]:
        """The form of a position under rotations, reflections and, where the rules allow, an exchange of colours."""
        return canonical(position)

    def input_report(self, before: Position, after: Position) -> Report:
        """``placements`` and ``autos``, tiles as in a record, and ``fitting``; or the event that was a swap.

        Nothing where no turn was played.

        ``fitting`` is how many placements, space and state, fitted before the turn by corners and supply alone.
        """
        tiles = after.last_turn
        if after.ply == before.ply:
            return {}
        if not tiles:
            return {"seat": before.to_act, "event": SWAP_WORD}
        return {
            "placements": [_tile_record(tile.cell, tile.state.number) for tile in tiles if not tile.automatic],
            "autos": [_tile_record(tile.cell, tile.state.number) for tile in tiles if tile.automatic],
            "fitting": sum(map(len, before.fitting().values())),
        }

    def report(self, position: Position) -> Report:
        """``tiles`` and ``groups``, as `facts` has them; the start tile, or the first one, is at 0, 0."""
        layout = position.layout
        return {"tiles": facts.tiles_json(layout.tiles), "groups": facts.groups_json(facts.group_facts(layout))}

    def _read_tile(self, tile: object, which: int) -> Placement:
        match tile:
            case {"q": q, "r": r, "state": state, **more} if not more:
                # not isinstance: true and false are no numbers in a record
                if all(type(number) is int for number in (q, r, state)):
                    return Placement(Cell(q, r), state)
        raise refusals.UnreadableTurn(which)


def _tile_record(cell: Cell, state: int) -> dict[str, int]:
    return {"q": cell.q, "r": cell.r, "state": state}


@lru_cache(maxsize=256)
def _ruleset(made_by: Callable[[Options], Ruleset], options: tuple[tuple[str, Any], ...]) -> Ruleset:
    """The same rules are the same object: they keep what they have found out about themselves."""
    return made_by(dict(options))


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
