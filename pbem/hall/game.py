"""A game of the hall, as the server uses any game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pbem.games.formats import FileFormat
from pbem.games.game import (
    LONGEST_QUOTE,
    CanonicalForm,
    Game,
    Input,
    InputText,
    Options,
    SearchResult,
    Seat,
    TurnRecord,
    UnreadableMove,
)
from pbem.games.options import Vocabulary, in_words, telling
from pbem.games.records import Happening, RecordedResult
from pbem.hall.engine import engine_version
from pbem.hall.positions import SWAP, HallPosition, Kind, Step, expect
from pbem.hall.refusals import (
    AmbiguousMove,
    BoardTooSmall,
    CannotBePlayed,
    NotPlayableNow,
    SwapNotPossible,
    TurnGoesOn,
    TurnIsComplete,
)
from pbem.hall.search import think
from pbem.hall.symmetry import canonical

_VERB = re.compile(r"(?i)move\s+(?=\S)")
"""The word that answers may have in front of cells."""
_MOST_MEANT = 5
"""Moves that are named where a word can mean several."""


class HallGame(Game[HallPosition, Step]):
    """A game whose rules OpenSpiel knows.

    Args:
        kind: its description.
        file_format: in which programs for the game write it, if there is one.
    """

    family = "hall"
    for_robots = True
    has_search = True

    def __init__(self, kind: Kind, file_format: FileFormat | None = None) -> None:
        self.kind = kind
        self.file_format = file_format
        self.strokes_in_moves = kind.strokes_in_moves
        self.vocabulary: Vocabulary = kind.vocabulary

    @property
    def name(self) -> str:
        """The word players type."""
        return self.kind.name

    @property
    def title(self) -> str:
        """As players know it."""
        return self.kind.title

    def sides(self, position: HallPosition) -> tuple[str, ...]:
        """The names of the sides in the order of seats."""
        begins = (position.first + position.swapped) % 2
        return self.kind.sides if not begins else self.kind.sides[::-1]

    def begin(self, options: Options, players: int, first: Seat = 0, rules: int | None = None) -> HallPosition:
        """The position before the first turn."""
        checked = self.vocabulary.check(options)
        if not self.kind.can_be_won(checked):
            raise BoardTooSmall([in_words(name, value) for name, value in checked.items()])
        return HallPosition(name=self.name, options=checked, engine_game=self.kind.engine_game(checked), first=first)

    def read_input(self, position: HallPosition, text: str) -> Input[Step, HallPosition]:
        """Read and play a whole turn."""
        found = self.read_part(position, text)
        if found.position.mid_turn:
            raise TurnGoesOn(found.steps[-1].text, found.position.legal()[0].text)
        return found

    def read_part(self, position: HallPosition, text: str) -> Input[Step, HallPosition]:
        """Read and play what may be the beginning of a turn."""
        rest, steps, after = self.kind.apart(_VERB.sub("", text.strip(), count=1)).strip(), list[Step](), position
        while True:
            step, rest = self._first_step(after, rest)
            steps.append(step)
            after = after.play(step)
            if not rest:
                return Input(tuple(steps), after)
            if not after.mid_turn:
                raise TurnIsComplete(steps[-1].text, rest.split()[0])

    def _first_step(self, position: HallPosition, text: str) -> tuple[Step, str]:
        """The step that a text begins with, the longest that fits, and the rest of the text."""
        steps = position.legal()
        words = text.split()
        for count in range(len(words), 0, -1):
            found = _meant(steps, "".join(words[:count]), self.kind.plain)
            if len(found) > 1:
                raise AmbiguousMove(" ".join(words[:count]), [step.text for step in found[:_MOST_MEANT]])
            if found:
                return found[0], " ".join(words[count:])
        if text.lower() == str(SWAP):
            raise SwapNotPossible
        example = self._example(steps)
        if count := self._notation_words(words, steps):
            raise NotPlayableNow(_quotable(words[:count]), example)
        raise CannotBePlayed(_quotable(words), self.title, example or self.kind.example)

    def _notation_words(self, words: Sequence[str], steps: Sequence[Step]) -> int:
        """The number of words in front that are a step of this game in another position, as many as possible."""
        beginnings = (("".join(words[:count]), count) for count in range(len(words), 0, -1))
        return next(
            (count for each, count in beginnings if each.lower() == "pass" or self.kind.is_notation(each, steps)), 0
        )

    def _example(self, steps: Sequence[Step]) -> str:
        """A move that can be played: the usual example if it can; empty if there is none."""
        playable = [step.text for step in steps]
        if not playable or self.kind.example in playable:
            return self.kind.example if playable else ""
        return playable[len(playable) // 2]

    def input_text(self, position: HallPosition, steps: Sequence[Step]) -> InputText:
        """The steps as they are typed, and the pass that followed."""
        return InputText(" ".join(step.text for step in steps), ("pass",) if position.passed else ())

    def input_record(self, position: HallPosition, steps: Sequence[Step]) -> TurnRecord:
        """The steps as they are typed, and their numbers in this version of OpenSpiel."""
        actions = [list(step.actions) for step in steps]
        return {"move": [step.text for step in steps], "actions": actions, "engine": engine_version()}

    def expect(self, position: HallPosition, records: Sequence[TurnRecord]) -> None:
        """Ask OpenSpiel for all positions at once."""
        expect(position, list(_numbers(records)))

    def input_steps(self, position: HallPosition, record: TurnRecord) -> tuple[Step, ...]:
        """The steps that a record has: by their numbers if OpenSpiel is still the same, else as they are typed."""
        match record:
            case {"move": list(texts), "actions": list(actions), "engine": engine} if len(texts) == len(actions):
                if engine == engine_version():
                    return tuple(Step(tuple(each), text) for each, text in zip(actions, texts, strict=True))
                return self.read_input(position, " ".join(texts)).steps
            case str():
                return self.read_input(position, record).steps
        raise UnreadableMove(why=f"A turn in a record of {self.title} is a text.")

    def essential(self, options: Options) -> Options:
        """The options without those that say what is usual."""
        return telling(options, lambda given: (self.kind.engine_game(given), given.get("swap")))

    def canonical(self, position: HallPosition) -> CanonicalForm[Step]:
        """The form of a position under the symmetries of its board, whichever seat has begun."""
        return canonical(position)

    def think(self, position: HallPosition, playouts: int, seed: int) -> SearchResult:
        """Look for the best turn with OpenSpiel's search."""
        return think(self, position, playouts, seed)

    def report(self, position: HallPosition) -> dict[str, Any]:
        """The pieces by place."""
        figure = position.figure
        return {
            "pieces": {name: [piece.side, piece.kind] for name, piece in sorted(figure.pieces.items())},
            "drawn": position.drawn,
        }


def texts_of(turn: TurnRecord) -> Sequence[str]:
    """The steps of a turn in a record, as they are typed; none for an event."""
    if isinstance(turn, str):
        return [turn]
    texts: Sequence[str] = turn.get("move", ())
    return texts


def ending_event(result: RecordedResult, position: HallPosition, *, late: bool) -> TurnRecord:
    """The event with which a game ended that its moves do not decide; ``late``: the loser's time was over."""
    if not result.winners:
        return {"seat": position.to_act, "event": Happening.DRAW.value}
    lost = Happening.FORFEIT if late else Happening.RESIGN
    return {"seat": 1 - result.winners[0], "event": lost.value}


def _quotable(words: Sequence[str]) -> str:
    """The first words, as far as they are quoted whole; the first one may be longer."""
    count = 1
    while count < len(words) and len(" ".join(words[: count + 1])) <= LONGEST_QUOTE:
        count += 1
    return " ".join(words[:count])


def _meant(steps: Sequence[Step], text: str, plain: Callable[[str], str]) -> Sequence[Step]:
    """The steps that a text can mean: the one that is written so, or else all that differ in case and signs only."""
    written = [step for step in steps if step.text.replace(" ", "") == text]
    if len(written) == 1:
        return written
    for spelt in (str, str.lower, plain):
        wanted = spelt(text)
        found = [step for step in steps if wanted in (spelt(each.replace(" ", "")) for each in (step.text, *step.also))]
        if found:
            return found
    return ()


def _numbers(records: Sequence[TurnRecord]) -> Iterator[int]:
    """The actions of records, as far as this version of OpenSpiel has made them."""
    for record in records:
        match record:
            case {"actions": list(actions), "engine": engine} if engine == engine_version():
                for step in actions:
                    yield from step
            case _:
                return
