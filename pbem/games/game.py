"""The interface through which the server, the drawings and the robots use any game.

A `Game` is stateless; a `Position` is frozen and may stand in mid-turn. With
``to_act``, ``legal``, ``play`` and ``outcome`` a search plays every game.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any, Generic, NamedTuple, Self, TypeAlias, TypeVar

from pbem.errors import NotAllowed, Unreadable
from pbem.games.figure import Figure
from pbem.games.formats import FileFormat
from pbem.games.options import Vocabulary

Seat: TypeAlias = int
"""A player's place at a board, from 0."""

Options: TypeAlias = "Mapping[str, Any]"
"""A challenge's options as in a game record: names without the dash, JSON values."""

TurnRecord: TypeAlias = Any
"""One input as it stands among the turns of a game record: JSON values."""

Report: TypeAlias = "dict[str, Any]"
"""Facts about a turn or a position, for programs: JSON values under names that each game chooses."""

BETWEEN_TURNS = " / "
"""The separator of turns in a line that we write; `Game.split_turns` reads it."""

LONGEST_QUOTE = 20
"""Characters of a move that cannot be read, as far as they are repeated to the player."""


class UnreadableMove(Unreadable):
    """The text of a move cannot be understood."""


class IllegalMove(NotAllowed):
    """The move can be understood, but the rules forbid it."""


class Ending(StrEnum):
    """Why a game is over, as far as its own rules end it, in the words of the games that come with pbem."""

    KILLED = "killed"
    """A group of the loser's has no way out."""
    CLOSED = "closed"
    """A group was closed."""
    EYE = "eye"
    """A closed group has an eye."""
    EATEN = "eaten"
    """A group has eaten enough enemy groups."""
    CONTAINED = "contained"
    """A closed group contains a closed enemy group."""
    LOOPS = "loops"
    """A group has loops enough."""
    SUPPLY_EMPTY = "supply_empty"
    """Nothing was left to lay; what counts then has decided."""
    LAST_IN_PLAY = "last_in_play"
    """All others are out."""
    ALL_OUT = "all_out"
    """All went out together; the player with the most pieces has won."""
    REPETITION = "repetition"
    """The same board has come too often."""
    QUIET = "quiet"
    """Nothing that counts has happened for too long."""
    ROUNDS = "rounds"
    """The agreed number of rounds was played; the player with the most pieces has won."""
    LEFT = "left"
    """All others have left the game."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game by its rules; ``winners`` is empty for a draw."""

    winners: tuple[Seat, ...]
    ending: str
    """One of `Ending`, or a word of the game's own; records have it as the reason."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that one player must make before anything else, even during another player's turn."""

    kind: str
    """The kind of decision, in a word of the game."""
    owner: Seat
    """The player who decides."""
    options: tuple[str, ...]
    """The answers, as they are typed."""
    certain: bool = True
    """The answers are known to lead to different ends; if False, that was too much to find out."""


@dataclass(frozen=True, slots=True)
class InputText:
    """An input in words of the notation: what was played, and what happened by itself."""

    move: str
    automatic: tuple[str, ...] = ()


StepT = TypeVar("StepT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(ABC, Generic[StepT]):
    """The state of a game, mid-turn included; never changes.

    A game's own position is a frozen dataclass below this one. It provides `legal` and `play`. All else is as in a
    game of two players who take turns of one step; ``str`` draws the position for mails.
    """

    first: Seat = 0
    """The seat that began."""
    ply: int = 0
    """Turns played to their end so far."""
    outcome: Outcome | None = None
    """The end of the game, or None while it is on."""

    @property
    def to_act(self) -> Seat | None:
        """The seat that plays the next step; None once the game is over."""
        return None if self.outcome else (self.first + self.ply) % 2

    @property
    def mid_turn(self) -> bool:
        """The seat to act has played part of its turn."""
        return False

    @property
    def playing(self) -> Sequence[Seat]:
        """The seats that are still in play, in order."""
        return (0, 1)

    @property
    def contents(self) -> object:
        """The contents of each cell, as numbers and text; equal if and only if `Game.report` is."""
        return str(self)

    @property
    def may_swap(self) -> bool:
        """The seat to act may take the other side with ``swap``, in place of a turn."""
        return False

    @property
    def figure(self) -> Figure | None:
        """The board, from which mails and pages are drawn; None for a game that only has its ``str``."""
        return None

    def places(self, step: StepT) -> Sequence[str]:
        """The places of the figure by which a legal step is chosen, in the order in which they are: from, to."""
        return ()

    @property
    def decision(self) -> Decision | None:
        """The decision that the seat to act must make first, if any; then ``legal`` holds the answers."""
        return None

    @abstractmethod
    def legal(self) -> Sequence[StepT]:
        """Every step that the rules allow now, in a fixed order; none once the game is over."""

    @abstractmethod
    def play(self, step: StepT) -> Self:
        """Return the position after ``step`` and what follows from it by itself.

        Raises:
            IllegalMove: the rules forbid it; its facts say why.
        """

    def leave(self, seat: Seat) -> Self:
        """Return the position after a player has left the game for good.

        The last player to stay has won, with `Ending.LEFT`; a game for more may go on without the one that left.
        """
        return self if self.outcome else replace(self, outcome=Outcome((1 - seat,), Ending.LEFT))


PositionT = TypeVar("PositionT", bound=Position[Any])


class Input(NamedTuple, Generic[StepT, PositionT]):
    """The input of one letter: a turn, part of one, or the answer to a decision."""

    steps: tuple[StepT, ...]
    position: PositionT
    """After the steps."""
    left_over: str = ""
    """The rest of the text, which could not be played because another player has to decide something first."""


@dataclass(frozen=True, slots=True)
class CanonicalForm(Generic[StepT]):
    """The form that a position shares with all that are alike by a symmetry of the game."""

    key: str
    """Equal for positions that are alike, and for no others."""
    record: Callable[[Sequence[StepT]], TurnRecord]
    """The steps of an input from the position, as they are in the form."""
    steps: Callable[[TurnRecord], tuple[StepT, ...]]
    """The steps from the position that such a record means."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A turn that may be played, or what is left of one; or the answer to a decision."""

    moves: tuple[str, ...]
    """The text of this input as it is typed, then the expected line, one text for each input."""
    worth: float
    """The share of the points that the player to act can expect, from 0 to 1."""
    visits: int
    """The number of playouts that went this way."""
    proven: bool
    """It is proven to be won (its worth is 1), drawn or lost (0)."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of thinking about a position."""

    candidates: tuple[Candidate, ...]
    """The best first; never empty."""
    playouts: int
    """The number of playouts."""
    is_solved: bool = False
    """Nothing better than the first candidate can be played; without that, a first one that is lost proves nothing."""


class Game(ABC, Generic[PositionT, StepT]):
    """One game of the catalogue.

    It provides `name`, `begin`, `read_input` and `report`. All else is as in a game of two players whose turns are one
    step, typed and recorded as `step_text` writes it.
    """

    family: str = ""
    """The family under which pages list the game, in one word; ``templates/parts/families`` has its heading."""
    rules: int = 1
    """The present version of the rules; a board goes on under the one it began with."""
    for_robots: bool = False
    """The computer opponents play the game: they know it, or it has a search of its own."""
    has_search: bool = False
    """`think` is the game's own; of a game for two players."""
    players: range = range(2, 3)
    """The numbers of players that the game is for."""
    named_options: Sequence[str] = ()
    """Options that forms offer by name beside `variants`; games with and without them share their ratings."""
    strokes_in_moves: bool = False
    """Moves may contain ``/``; one that separates turns has blanks around it."""
    vocabulary: Vocabulary | None = None
    """The options, from which a form is made; None if there are none, or `read_options` reads them without."""
    file_format: FileFormat | None = None
    """The format in which programs for this game exchange records, beside our own."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The word players type: ``superbo``."""

    @property
    def title(self) -> str:
        """The name as it is printed in a sentence."""
        return self.name.capitalize()

    @property
    def variants(self) -> tuple[str, ...]:
        """The named variants, each with ratings of its own."""
        return () if self.vocabulary is None else self.vocabulary.presets

    def variant(self, options: Options) -> str:
        """The named variant that is played under these options; empty for the game as it is usually played.

        Other options make no variant, and keep the one that is named.
        """
        return next((name for name in self.variants if options.get(name)), "")

    def sides(self, position: PositionT) -> tuple[str, ...]:
        """The name of each seat's side, in the order of seats: ``("O", "X")``."""
        return ("First", "Second")

    def draws_lots(self, options: Options) -> bool:
        """The first player is drawn at random; if False, it is the player named first."""
        return False

    def think(self, position: PositionT, playouts: int, seed: int) -> SearchResult:
        """Look for the best turn in a position that is not over, in a process of a computer opponent.

        Args:
            position: the position.
            playouts: the strength, as games played to their end.
            seed: of the random numbers; the same one gives the same result.
        """
        raise NotImplementedError

    def read_options(self, words: Sequence[str]) -> Options:
        """Read option words, dashes taken off, into options.

        Raises:
            PlayerError: one of the refusals of `pbem.games.options`.
        """
        return (self.vocabulary or Vocabulary(())).read(words)

    @abstractmethod
    def begin(self, options: Options, players: int, first: Seat = 0, rules: int | None = None) -> PositionT:
        """The position before the first turn, which belongs to seat ``first``.

        Args:
            options: those of the challenge.
            players: how many play.
            first: the seat that begins.
            rules: the version of the rules, from 1 to the present one; None: the present one.

        Raises:
            PlayerError: the options, perhaps out of a record, are not those of this game.
        """

    @abstractmethod
    def read_input(self, position: PositionT, text: str) -> Input[StepT, PositionT]:
        """Read and play what one letter brings.

        Raises:
            UnreadableMove: the text is no move of this game.
            IllegalMove: it breaks a rule; or the turn is not complete, in a game whose turns come in one piece.
        """

    @property
    def turn_separator(self) -> str:
        """The pattern of the stroke between the turns of a line."""
        return r"(?<![^\s)}])/(?![^\s({])" if self.strokes_in_moves else "/"

    def split_turns(self, line: str) -> Sequence[str]:
        """The turns of a line: ``D5,E6 / C4,K7``. One may be empty, as behind a stroke at the end."""
        return [turn.strip() for turn in re.split(self.turn_separator, line)]

    def read_part(self, position: PositionT, text: str) -> Input[StepT, PositionT]:
        """Read and play what may be only the beginning of a turn: as `read_input`, but nothing need be complete.

        Raises:
            UnreadableMove, IllegalMove: as `read_input`.
        """
        return self.read_input(position, text)

    def most_steps(self, position: PositionT) -> int | None:
        """The most steps that an input can have in this position or any that may follow; None if that is not known."""
        return None

    def step_text(self, position: PositionT, step: StepT) -> str:
        """A step that is legal in ``position`` as it is typed, alone or after a blank behind others."""
        return str(step)

    def expect(self, position: PositionT, records: Sequence[TurnRecord]) -> None:
        """Get ready to play the inputs of these records from a position on; a game may do at once what takes long."""

    def play_input(self, position: PositionT, steps: Sequence[StepT]) -> PositionT:
        """Play the steps of one input.

        Raises:
            IllegalMove: as `read_input`.
        """
        for step in steps:
            position = position.play(step)
        return position

    def input_text(self, position: PositionT, steps: Sequence[StepT]) -> InputText:
        """The steps of the input that led to ``position``, in words."""
        return InputText(" ".join(self.step_text(position, step) for step in steps))

    def input_record(self, position: PositionT, steps: Sequence[StepT]) -> TurnRecord:
        """The steps of an input, played from ``position``, as they stand in a record; without the seat."""
        return self.input_text(position, steps).move

    def input_steps(self, position: PositionT, record: TurnRecord) -> tuple[StepT, ...]:
        """The steps of an input that stands in a record, to be played from ``position``.

        Raises:
            UnreadableMove: the record is not in the game's format.
            IllegalMove: as `read_input`; this may also be left to `play_input`.
        """
        if not isinstance(record, str):
            raise UnreadableMove(why=f"A turn in a record of {self.title} is a text.")
        return self.read_input(position, record).steps

    def essential(self, options: Options) -> Options:
        """The options without those that change nothing about how the game is played, by default all of them."""
        return options

    def canonical(self, position: PositionT) -> CanonicalForm[StepT]:
        """The form of a position under the symmetries of the game, by default the position itself.

        A game that draws lots for the first player has its own, which does not depend on seats where the rules do not.
        """
        said = [position.ply, position.mid_turn, position.to_act, *position.playing]
        key = json.dumps([said, position.contents])
        return CanonicalForm(key, partial(self.input_record, position), partial(self.input_steps, position))

    def input_report(self, before: PositionT, after: PositionT) -> Report:
        """The events of the one input that led from one position to the other: ``placements``, ``autos``.

        Includes the effects of a player's leaving in between, if there are any.
        """
        return {}

    @abstractmethod
    def report(self, position: PositionT) -> Report:
        """The visible facts of a position, such as ``tiles`` and ``groups``."""


class Catalogue(dict[str, Game[Any, Any]]):
    """The games that a server plays, by name.

    Args:
        offered: the games by the words that players may type for them, the names among them or not.
    """

    def __init__(self, offered: Mapping[str, Game[Any, Any]]) -> None:
        super().__init__((game.name, game) for game in offered.values())
        self.aliases: Mapping[str, str] = {word: game.name for word, game in offered.items() if word not in self}
        """The names behind the other words for them, in front of a verb and behind ``help``."""
