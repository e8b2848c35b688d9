"""What somebody who creates a tournament may choose: how it is paired, and the options of its boards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pbem.domain.clocks import ClockRules
from pbem.domain.terms import OF_CLOCK, read_terms
from pbem.domain.tournaments import MOST_ROUNDS, Kind
from pbem.errors import NotAllowed, PlayerError
from pbem.games.game import Game, Options
from pbem.games.options import NoSuchValue, Option, OptionsRefused

_ROUNDS = "rounds"
_KINDS = {"swiss": Kind.SWISS, "roundrobin": Kind.ROUND_ROBIN, "round_robin": Kind.ROUND_ROBIN}
AT_A_BOARD = 2
"""Players, in a tournament of whatever game."""


class TwoKinds(NotAllowed):
    """A tournament is either a Swiss or a round robin."""


class RoundsAreGiven(NotAllowed):
    """A round robin has as many rounds as its entrants make it."""


class NotForTwo(NotAllowed):
    """The boards of a tournament are for two, and the game is not."""

    game: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was chosen."""

    kind: Kind
    rounds: int | None
    options: Options
    clock: ClockRules | None
    """None: the usual one of tournaments."""


def read_chosen(words: Sequence[str], game: Game[Any, Any], usual: ClockRules) -> Chosen:
    """Read the options of a tournament, dashes taken off.

    Args:
        words: as they were typed.
        game: whose boards it has.
        usual: the clock of tournaments.

    Raises:
        PlayerError: the one thing that stands against them.
        OptionsRefused: with every reason, if there are several.
    """
    read = read_terms(words, OF_CLOCK, usual)
    reasons, words = read.reasons, read.words
    ours = [word for word in words if _name(word) in (_ROUNDS, *_KINDS)]
    kinds = {_kind(word, reasons) for word in ours if _name(word) != _ROUNDS}
    rounds = _rounds([word for word in ours if _name(word) == _ROUNDS], reasons)
    options = _options([word for word in words if word not in ours], game, reasons)
    if len(kinds) > 1:
        reasons.append(TwoKinds())
    elif Kind.ROUND_ROBIN in kinds and rounds is not None:
        reasons.append(RoundsAreGiven())
    if reasons:
        raise reasons[0] if len(reasons) == 1 else OptionsRefused(reasons)
    return Chosen(min(kinds, default=Kind.SWISS), rounds, options, read.terms.clock)


def _name(word: str) -> str:
    return word.partition("=")[0].lower().replace("-", "_")


def _kind(word: str, reasons: list[PlayerError]) -> Kind:
    """The kind that a word names; there is nothing to say behind it."""
    name, _, value = word.partition("=")
    if value:
        reasons.append(NoSuchValue(name, value, ()))
    return _KINDS[_name(word)]


def _rounds(words: Sequence[str], reasons: list[PlayerError]) -> int | None:
    """The number of rounds asked for; of several the last counts."""
    option = Option(_ROUNDS, range(1, MOST_ROUNDS + 1))
    rounds = None
    for word in words:
        try:
            rounds = int(option.read(word.partition("=")[2]))
        except PlayerError as wrong:
            reasons.append(wrong)
    return rounds


def _options(words: Sequence[str], game: Game[Any, Any], reasons: list[PlayerError]) -> Options:
    """The options of the boards, held against two players; what stands against them is added to the reasons."""
    if AT_A_BOARD not in game.players:
        reasons.append(NotForTwo(game.name))
        return {}
    try:
        options = game.read_options(words)
        game.begin(options, AT_A_BOARD)
    except OptionsRefused as refused:
        reasons += refused.reasons
        return {}
    except PlayerError as wrong:
        reasons.append(wrong)
        return {}
    return options
