"""Looking back at a game: what each turn was worth, what would have been better, and where the game turned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from pbem.bots import kernel
from pbem.bots.boards import DRAWN
from pbem.bots.thinking import think
from pbem.bots.tree import Search
from pbem.games.game import Candidate, Game, Position, Seat

FALL = 0.2
"""A game turns where a player gives away this share of the points, or more."""
FALL_OF_A_WIN = 0.1
"""The same where a win was proven."""
MOST_TURNING_POINTS = 3
_MOST_CHECKED = 2 * MOST_TURNING_POINTS
"""Inputs that are looked at once more, since they seem to have turned the game."""
_THOUGHTS_AN_INPUT = 2
"""An input takes thoughts about the positions before and after it; the latter is often before the next one, too."""
_SHARE_OF_TIE = 0.5
_SEEN_ENOUGH = 0.1
"""Of all visits: what was played is judged by its own where it has such a part of them."""
PLAYOUTS_A_TURN = 2_000
"""For each position of a whole game."""


@dataclass(frozen=True, slots=True)
class Played:
    """An input as it was played."""

    moveno: int
    seat: Seat
    text: str
    """As it is typed."""
    before: Position[Any]
    after: Position[Any]


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A request to look at positions, as it goes to another process."""

    game: Game[Any, Any]
    inputs: tuple[Played, ...]
    playouts: int
    """For each position."""
    seed: int

    def answer(self) -> tuple[Look, ...]:
        """Look at it."""
        return analyse(self.game, self.inputs, playouts=self.playouts, seed=self.seed)


@dataclass(frozen=True, slots=True)
class HintRequest:
    """A request to look at a position that is still to be played, as it goes to another process."""

    game: Game[Any, Any]
    position: Position[Any]
    moveno: int
    playouts: int
    seed: int

    def answer(self) -> tuple[Look, ...]:
        """Look at the best input as if it had been played."""
        candidates = think(self.game, self.position, playouts=self.playouts, seed=self.seed).candidates
        best, seat = candidates[0], self.position.to_act or 0
        look = Look(0, self.moveno, seat, best.moves[0], candidates, best.worth, best.worth, is_best=True)
        return (replace(look, is_proven=best.proven),)


@dataclass(frozen=True, slots=True)
class Look:
    """The result of looking at an input that was played."""

    index: int
    """Among the inputs that were looked at, from 0."""
    moveno: int
    seat: Seat
    text: str
    """The input as it is typed."""
    candidates: tuple[Candidate, ...]
    """The inputs that could have been played, the best first; never empty."""
    worth: float
    """The share of the points that the player could expect after this input, from 0 to 1."""
    could: float
    """The same after the best input; that is, the worth of the position to the player."""
    is_best: bool
    """The player chose the best input."""
    is_proven: bool = False
    """``worth`` is certain; for ``could``, see the best candidate."""
    is_turning_point: bool = False

    @property
    def best(self) -> Candidate:
        """The best that could have been played."""
        return self.candidates[0]

    @property
    def is_uneven(self) -> bool:
        """Return True if a candidate stands above another with more percent: that one was tried less often."""
        chances = [round(100 * each.worth) for each in self.candidates if not each.proven]
        return chances != sorted(chances, reverse=True)

    @property
    def fall(self) -> float:
        """The share of the points that was given away."""
        return 0.0 if self.is_best else max(0.0, self.could - self.worth)


@dataclass(frozen=True, slots=True)
class GameAnalysis:
    """The looks at all inputs of a finished game, each with its best candidate alone; it is kept with the board."""

    looks: tuple[Look, ...]
    playouts: int
    """For each position."""
    made_at: datetime


def playouts_for(inputs: int, most: int, altogether: int) -> int:
    """The number of playouts for each position, if so many inputs are looked at.

    Args:
        inputs: their number.
        most: for one position.
        altogether: for all of them.
    """
    return max(1, min(most, altogether // _positions(inputs)))


def playouts_in_all(inputs: int, playouts: int) -> int:
    """The most playouts that looking at so many inputs takes, with so many for each position."""
    return _positions(inputs) * playouts


def _positions(inputs: int) -> int:
    """The most positions that are thought about."""
    return _THOUGHTS_AN_INPUT * (inputs + min(inputs, _MOST_CHECKED))


def analyse(
    game: Game[Any, Any],
    inputs: Sequence[Played],
    *,
    playouts: int,
    seed: int,
    told: Callable[[int], None] | None = None,
) -> tuple[Look, ...]:
    """Look at inputs of a game that follow each other.

    Where one seems to have turned the game, the input played and the better one are compared once more, in the
    same way, by thoughts about the positions that they lead to.

    Args:
        game: the game.
        inputs: as they were played.
        playouts: for each position.
        seed: of the random numbers; the same one gives the same looks.
        told: hears how many playouts were made so far, now and then.
    """
    analyst = _Analyst(game, playouts, seed, told)
    looks = analyst.looks_at(inputs)
    suspects = sorted(filter(_has_turned, looks), key=lambda look: look.fall, reverse=True)
    checked = [analyst.check(look, inputs[look.index]) for look in suspects[:_MOST_CHECKED]]
    turned = sorted(filter(_has_turned, checked), key=lambda look: look.fall, reverse=True)[:MOST_TURNING_POINTS]
    better = {look.index: look for look in checked}
    better |= {look.index: replace(look, is_turning_point=True) for look in turned}
    return tuple(better.get(look.index, look) for look in looks)


def turning_points(looks: Sequence[Look]) -> tuple[Look, ...]:
    """The turning points of a game, in its order."""
    return tuple(look for look in looks if look.is_turning_point)


def _has_turned(look: Look) -> bool:
    is_won = look.best.proven and look.best.worth == 1
    return look.fall >= (FALL_OF_A_WIN if is_won else FALL)


class _Share(NamedTuple):
    """The share of the points that someone can expect."""

    worth: float
    is_proven: bool = False


class _Analyst:
    """Thinks about one position after the other."""

    def __init__(
        self, game: Game[Any, Any], playouts: int, seed: int, told: Callable[[int], None] | None = None
    ) -> None:
        self._game = game
        self._playouts = playouts
        self._seed = seed
        self._told = told
        self._made = 0

    def looks_at(self, inputs: Sequence[Played]) -> list[Look]:
        """Look at inputs, each once; the last first, since what a position is worth tells of the input before it."""
        looks: list[Look] = []
        following: tuple[Position[Any], _Share] | None = None
        for index in range(len(inputs) - 1, -1, -1):
            played = inputs[index]
            candidates = self._candidates(played.before)
            known = following[1] if following and following[0] is played.after else None
            looks.append(self._look(index, played, candidates, known))
            following = played.before, _Share(candidates[0].worth, candidates[0].proven)
        return looks[::-1]

    def check(self, look: Look, played: Played) -> Look:
        """A look with its input and the best compared once more."""
        after = self._game.read_input(played.before, look.best.moves[0]).position
        could = look.best.worth if look.best.proven else self._share(after, look.seat).worth
        share = _Share(look.worth, is_proven=True) if look.is_proven else self._share(played.after, look.seat)
        return replace(look, could=could, worth=share.worth, is_proven=share.is_proven)

    def _look(self, index: int, played: Played, candidates: tuple[Candidate, ...], following: _Share | None) -> Look:
        """The result of thinking about the position before an input.

        Args:
            index: of the input.
            played: the input.
            candidates: the inputs that could have been played.
            following: the worth of the position after it to the player to act there, if known.
        """
        same = next((each for each in candidates if self._is_same(each, played)), None)
        is_seen = same is not None and same.visits >= _SEEN_ENOUGH * self._playouts
        is_known = following is not None and following.is_proven
        if same is not None and (same.proven or (is_seen and not is_known)):
            share = _Share(same.worth, same.proven)
        else:
            share = self._share(played.after, played.seat, following)
        is_best, could = same is candidates[0], candidates[0].worth
        who = played.moveno, played.seat, played.text
        return Look(index, *who, candidates, share.worth, could, is_best, share.is_proven)

    def _is_same(self, candidate: Candidate, played: Played) -> bool:
        """Return True if a candidate is the same as the input played, in any order."""
        if candidate.moves[0] == played.text:
            return True
        after = self._game.read_input(played.before, candidate.moves[0]).position
        return after.to_act == played.after.to_act and self._game.report(after) == self._game.report(played.after)

    def _share(self, position: Position[Any], seat: Seat, known: _Share | None = None) -> _Share:
        """The share of the points that a player can expect; ``known``: that of the player to act, if it is known."""
        while position.decision is not None and len(position.playing) > 2 and position.outcome is None:
            position, known = position.play(position.legal()[0]), None
        if position.outcome is not None:
            return _Share(self._share_of_end(position, seat), is_proven=True)
        if position.to_act != seat and len(position.playing) > 2:
            return _Share(self._share_of_playouts(position, seat))
        if known is None:
            best = self._candidates(position)[0]
            known = _Share(best.worth, best.proven)
        return known if position.to_act == seat else known._replace(worth=1 - known.worth)

    def _share_of_end(self, position: Position[Any], seat: Seat) -> float:
        if position.outcome and position.outcome.winners:
            return float(seat in position.outcome.winners)
        if self._game.has_search:
            return _SHARE_OF_TIE
        board, _ = kernel.from_position(position)
        return float(kernel.share(board, DRAWN, seat))

    def _share_of_playouts(self, position: Position[Any], seat: Seat) -> float:
        """The average worth of all playouts to a player who is not to act."""
        search = Search(*kernel.from_position(position), None, seed=self._next_seed(), playouts=self._playouts)
        self._tell(search.add(self._playouts))
        return search.worth_of(seat)

    def _candidates(self, position: Position[Any]) -> tuple[Candidate, ...]:
        before = self._made
        told = None if self._told is None else lambda made: self._tell(made, before)
        thought = think(self._game, position, playouts=self._playouts, seed=self._next_seed(), told=told)
        self._tell(thought.playouts, before)
        best, *others = thought.candidates
        if best.worth < 1 and not thought.is_solved:  # what was not looked at may be better
            best = replace(best, proven=False)
        return best, *others

    def _next_seed(self) -> int:
        self._seed += 1
        return self._seed

    def _tell(self, made: int, before: int | None = None) -> None:
        """Tell how many playouts there were, with those before."""
        self._made = made + (self._made if before is None else before)
        if self._told is not None:
            self._told(self._made)
