"""The game of Mamba: options, and inputs as text, as records, and as steps."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from pbem.games.game import CanonicalForm, Game, Input, Options, Report, Seat, TurnRecord
from pbem.games.mamba import notation, refusals
from pbem.games.mamba import notation as inputs
from pbem.games.mamba import position as positions
from pbem.games.mamba.position import Position
from pbem.games.mamba.ruleset import VERSION, Ruleset
from pbem.games.mamba.squares import MARKS
from pbem.games.mamba.steps import Step, in_words
from pbem.games.mamba.symmetry import canonical
from pbem.games.options import Option, Vocabulary, telling

MOST_ROUNDS = 1000

VOCABULARY = Vocabulary(
    (
        Option("size", range(9, 12, 2)),
        Option("teams"),
        Option("must_move"),
        Option("strict_isolation"),
        Option("rounds", range(1, MOST_ROUNDS + 1)),
        Option("inorder"),
    )
)


class Status(StrEnum):
    """The results of an input, in the words of records (RULES, "Record")."""

    OPEN = "open"
    """The same player continues their turn."""
    TURN = "turn"
    """The next player's turn begins."""
    PENDING = "pending"
    """Somebody has to decide something."""
    OVER = "over"
    """The game is over."""


class MambaGame(Game[Position, Step]):
    """The game for two to four players."""

    name = "mamba"
    family = "pieces"
    for_robots = True
    rules = VERSION
    players = range(2, 5)
    vocabulary = VOCABULARY

    def sides(self, position: Position) -> tuple[str, ...]:
        """The mark of each seat's pieces."""
        return tuple(MARKS[: position.rules.players])

    def draws_lots(self, options: Options) -> bool:
        """The first player is drawn at random, unless the players are named in order (RULES 4)."""
        return not options.get("inorder")

    def begin(self, options: Options, players: int, first: Seat = 0, rules: int | None = None) -> Position:
        """The position before the first turn, which belongs to seat ``first``.

        Raises:
            PlayerError: one of the refusals of `pbem.games.options`.
            TeamsNeedFour: teams of fewer than four players.
        """
        known = VOCABULARY.check(options)
        if known.get("teams") and players != 4:
            raise refusals.TeamsNeedFour("teams", players)
        return positions.begin(Ruleset(players, **_of_rules(known), version=rules or VERSION), first)

    def read_input(self, position: Position, text: str) -> Input[Step, Position]:
        """Read and play a line: a whole turn or the beginning of one, what is left of it, or the answer to a decision.

        Steps after a decision that belongs to someone else are left over. A step that fails is passed over, to
        find the others that do.

        Raises:
            UnreadableMove, IllegalMove: one of `refusals`.
        """
        return inputs.play_line(position, notation.read_steps(position.rules.grid, text))

    def step_text(self, position: Position, step: Step) -> str:
        """A step as records have it."""
        return in_words(position.rules.grid, step)

    def play_input(self, position: Position, steps: Sequence[Step]) -> Position:
        """Play the steps of one input.

        Raises:
            IllegalMove: one of `refusals`.
        """
        return inputs.play_steps(position, steps)

    def input_record(self, position: Position, steps: Sequence[Step]) -> TurnRecord:
        """``{"input": …}`` with the steps as they are typed, every choice that was asked for among them.

        An end to lose is named as the decision has it, however the steps name it.
        """
        return {"input": self.input_text(position, inputs.resolved(position, steps)).move}

    def input_steps(self, position: Position, record: TurnRecord) -> tuple[Step, ...]:
        """The steps of an input that stands in a record.

        Raises:
            UnreadableInput: the record is not in the format.
            UnreadableMove: its line is none.
        """
        match record:
            case {"input": str(text), **more} if not more:
                return tuple(typed.step for typed in notation.read_line(position.rules.grid, text))
        raise refusals.UnreadableInput

    def essential(self, options: Options) -> Options:
        """The options without those that say who begins, or what is usual."""
        return telling(options, lambda given: Ruleset(4, **_of_rules(given)))

    def canonical(self, position: Position) -> CanonicalForm[Step]:
        """The form of a position under rotations and reflections; seats count from the player on turn."""
        return canonical(position)

    def input_report(self, before: Position, after: Position) -> Report:
        """``status`` as in `Status`, ``board``, and ``decision`` if there is one to make."""
        told: Report = {"status": _status(after), "board": rows(after)}
        decision = after.decision
        if decision is not None:
            told["decision"] = {"kind": decision.kind, "seat": decision.owner, "options": list(decision.options)}
        return told

    def report(self, position: Position) -> Report:
        """``board``, the ``pieces`` of every seat, the ``supply``, and which seats are still ``playing``."""
        names = position.rules.grid.names
        seats = range(position.rules.players)
        return {
            "board": rows(position),
            "pieces": [[names[cell] for cell in position.pieces(seat)] for seat in seats],
            "supply": position.supply,
            "playing": list(position.playing),
        }


def _of_rules(options: Options) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name != "inorder"}


def rows(position: Position) -> str:
    """The board as records have it: rows from top to bottom, joined by ``/``."""
    size, squares = position.rules.size, position.squares
    return "/".join(squares[start : start + size] for start in range(size * (size - 1), -1, -size))


def _status(after: Position) -> Status:
    if after.outcome is not None:
        return Status.OVER
    if after.pending is not None:
        return Status.PENDING
    return Status.OPEN if after.mid_turn else Status.TURN


MAMBA = MambaGame()
