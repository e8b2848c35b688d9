"""What players agree on: a game, its options and the terms beside them, read from option words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.domain.terms import Term, Terms, read_terms
from pbem.errors import PlayerError
from pbem.games.game import Game, Options
from pbem.games.options import AmbiguousOption, OptionsRefused, UnknownOption
from pbem.usecases.context import Context


@dataclass(frozen=True, slots=True)
class Agreement:
    """What the boards are to be like."""

    game: Game[Any, Any]
    options: Options
    terms: Terms = Terms()


def read_agreement(
    words: Sequence[str], game: Game[Any, Any], allowed: Collection[Term], context: Context
) -> tuple[Agreement, list[PlayerError]]:
    """What option words say, dashes taken off, and all that stands against them."""
    if len(game.players) == 1:
        allowed = [term for term in allowed if term is not Term.PLAYERS]
    read = read_terms(words, allowed, context.policy.clock, game.players)
    try:
        return Agreement(game, game.read_options(read.words), read.terms), read.reasons
    except PlayerError as wrong:
        for each in _each(wrong):
            known = each.facts.get("known")
            if isinstance(each, UnknownOption) and isinstance(known, tuple):
                each.facts["known"] = (*known, *(term.value for term in allowed))
        return Agreement(game, {}, read.terms), [*read.reasons, wrong]


def games_with_option(word: str, context: Context) -> list[str]:
    """The games that have an option of this name, or one that begins so."""
    return [name for name, game in sorted(context.games.items()) if _has_option(game, word)]


def _has_option(game: Game[Any, Any], word: str) -> bool:
    try:
        game.read_options([word])
    except (UnknownOption, AmbiguousOption):
        return False
    except PlayerError:
        return True  # there is the option, and its value is missing
    return True


def check_for(agreed: Agreement, players: int) -> None:
    """Accept that the options are for so many players, for whom the game is.

    Raises:
        PlayerError: they are not.
    """
    agreed.game.begin(agreed.options, players)


def as_one(reasons: Sequence[PlayerError]) -> PlayerError:
    """Several refusals as one."""
    each = [one for wrong in reasons for one in _each(wrong)]
    return each[0] if len(each) == 1 else OptionsRefused(each)


def _each(wrong: PlayerError) -> list[PlayerError]:
    return [*wrong.reasons] if isinstance(wrong, OptionsRefused) else [wrong]
