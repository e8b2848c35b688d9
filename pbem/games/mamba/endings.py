"""Who is out, and when the game is over (RULES 14 to 16)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.game import Ending, Outcome, Seat
from pbem.games.mamba.events import Event, Moved, Passed
from pbem.games.mamba.ruleset import Ruleset
from pbem.games.mamba.squares import MARKS, Squares, without


def too_few(rules: Ruleset, squares: Squares, playing: Sequence[Seat]) -> tuple[Seat, ...]:
    """The players who have too few pieces to go on (RULES 14)."""
    return tuple(seat for seat in playing if squares.count(MARKS[seat]) <= rules.too_few)


def remove_players(squares: Squares, seats: Sequence[Seat]) -> Squares:
    """The board without the pieces of some players."""
    marks = {MARKS[seat] for seat in seats}
    return without(squares, (cell for cell, mark in enumerate(squares) if mark in marks))


def last_in_play(rules: Ruleset, playing: Sequence[Seat], ending: Ending = Ending.LAST_IN_PLAY) -> Outcome | None:
    """The outcome if only one player, or one team, is left (RULES 15)."""
    parties = {rules.party(seat) for seat in playing}
    return Outcome(rules.winners(parties.pop()), ending) if len(parties) == 1 else None


def at_rest(rules: Ruleset, squares: Squares, playing: Sequence[Seat]) -> Outcome | None:
    """The outcome of a board that has come to rest, if the game is over (RULES 14, 15)."""
    gone = too_few(rules, squares, playing)
    if len(gone) == len(playing):
        return Outcome(rules.most_pieces(squares, playing), Ending.ALL_OUT)
    return last_in_play(rules, [seat for seat in playing if seat not in gone])


def is_quiet(happened: Sequence[Event]) -> bool:
    """Whether a turn had no laying, removal or transformation."""
    return all(isinstance(each, Moved | Passed) for each in happened)
