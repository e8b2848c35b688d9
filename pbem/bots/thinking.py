"""Thinking about a position: the worth of each turn, the expected line, and a robot's decisions on offers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from typing import Any

from pbem.bots import kernel
from pbem.bots.boards import FAMILY, HEXTILE, SEATS
from pbem.bots.forcing import Foresight
from pbem.bots.hextile import has_single_steps
from pbem.bots.tree import Branch, Search, Settings
from pbem.games.game import Candidate, Decision, Game, Position, SearchResult, Seat

_MOST_CANDIDATES = 5
_SEEN_ENOUGH = 8
"""Visits of a node below which a line says nothing."""
_MOST_MOVES = 6
"""The most moves of an expected line that are told."""
_FIRST_PART = 0.75
"""The part of the playouts that goes to the first step of a turn; if more steps follow, the rest is theirs."""
_FEWEST = 16
"""Playouts for a step that has not been searched before."""
_BATCHES = 20
_LOOKS_FROM = 100
"""Playouts for a turn from which on every turn is tried, too: the weakest robot overlooks what wins at once."""
_MOST_TRIED = 20_000_000
"""Steps that may be tried to see if a turn wins at once."""
_TRIED_A_PLAYOUT = 400
"""Steps that may be tried for each playout to find a win in two turns."""


class Memory:
    """A tree that is kept from turn to turn of a game, so that earlier searches are not lost."""

    def __init__(self) -> None:
        """Remember nothing."""
        self.search: Search | None = None

    def follow(self, steps: Iterable[Any]) -> None:
        """Let the game go on; what is not in the tree is forgotten."""
        for step in steps:
            if self.search is not None and not self.search.advance(step):
                self.search = None


def think(
    game: Game[Any, Any],
    position: Position[Any],
    *,
    playouts: int,
    seed: int,
    settings: Settings | None = None,
    memory: Memory | None = None,
    told: Callable[[int], None] | None = None,
) -> SearchResult:
    """Think about a position of a game that is not over.

    Args:
        game: the game.
        position: one in which a player has to act.
        playouts: the most to make; a few more where a turn has many steps.
        seed: of the random numbers; the same one gives the same result.
        settings: those of the search; None: the best known.
        memory: what was thought before of the same game, up to this position; it is added to.
        told: hears how many playouts were made so far, now and then.
    """
    if game.has_search:
        return game.think(position, playouts, seed)
    if position.decision is not None:
        return _decide(game, position, position.decision, playouts, seed, settings)
    search = memory.search if memory else None
    if search is None:
        search = Search(*kernel.from_position(position), settings, seed=seed, playouts=playouts)
    if memory is not None:
        memory.search = search
    foresight = _foresight_of(search) if playouts >= _LOOKS_FROM and not position.mid_turn else None
    if foresight is not None:
        _foresee(search, foresight, playouts)
    made = _search_turn(search, position, playouts, told)
    if foresight is not None:
        made += _avoid_loss(search, foresight, position, _most_tried(search, playouts))
    candidates = tuple(islice(_candidates(game, position, search), _MOST_CANDIDATES))
    return SearchResult(candidates, made, search.is_proven)


def _decide(
    game: Game[Any, Any],
    position: Position[Any],
    decision: Decision,
    playouts: int,
    seed: int,
    settings: Settings | None,
) -> SearchResult:
    """Think about a decision: each answer has an equal part of the playouts, and whatever is asked next its default."""
    answers = position.legal()
    found: list[Candidate] = []
    part = max(1, playouts // len(answers))
    for answer in answers:
        after = position.play(answer)
        move = game.input_text(after, [answer]).move
        while after.decision is not None:
            after = after.play(after.legal()[0])
        search = Search(*kernel.from_position(after), settings, seed=seed, playouts=part)
        made = search.add(part)
        worth = search.worth_of(decision.owner)
        found.append(Candidate((move,), worth, made, proven=after.outcome is not None))
    best = sorted(found, key=lambda each: each.worth, reverse=True)
    return SearchResult(tuple(best), sum(each.visits for each in found))


def _search_turn(search: Search, position: Position[Any], playouts: int, told: Callable[[int], None] | None) -> int:
    """Search for a whole turn, step by step; how many playouts it took.

    A step that goes on in the same turn may prove to be bad by what follows; then the next best is looked at.
    """
    made, grown = _grow(search, (), int(_FIRST_PART * playouts), 0, told), set[int]()
    while True:
        line = _line_to_end(search, position)
        node, left = line[-1].node if line else search.root, playouts - made
        part = max(left // 2, _FEWEST) if line and node not in grown else left
        added = _grow(search, line, part, made, told)
        made += added
        if node in grown and not added:
            return made
        grown.add(node)


def _foresight_of(search: Search) -> Foresight | None:
    """A look ahead; None where more than two play."""
    return Foresight(search.board, search.log) if search.board[SEATS] == 2 else None


def _most_tried(search: Search, playouts: int) -> int:
    """The most steps that may be tried to see if a turn wins at once; turns of Mamba have no end soon."""
    return _MOST_TRIED if search.board[FAMILY] == HEXTILE else _TRIED_A_PLAYOUT * playouts


def _foresee(search: Search, foresight: Foresight, playouts: int) -> None:
    """Look for a turn that wins at once, and where turns have one step for one that wins in two."""
    line, is_of_tiles = foresight.winning_turn(1, _most_tried(search, playouts)), search.board[FAMILY] == HEXTILE
    if not line and is_of_tiles and has_single_steps(search.board):
        line = foresight.winning_turn(2, _TRIED_A_PLAYOUT * playouts)
    if line:
        search.know(line, kernel.to_act(search.board))
    if line and is_of_tiles:  # the tree may have its tiles in the other order
        search.know(line[::-1], kernel.to_act(search.board))


def _avoid_loss(search: Search, foresight: Foresight, position: Position[Any], most: int) -> int:
    """Look at other turns as long as the other player wins at once after the best; how many playouts it took."""
    made, other = 0, 1 - kernel.to_act(search.board)
    while True:
        line, is_whole = _best_turn(search, position)
        if not is_whole and search.is_full:
            line = _best_whole_turn(search, position)
            is_whole = bool(line)
            if not is_whole or line[-1].proven:
                return made
        if search.is_proven or (is_whole and line[-1].proven and line[-1].worth):
            return made
        if is_whole and not line[-1].proven:
            steps = [each.step for each in line]
            if not foresight.loses_at_once(steps, most):
                return made
            search.know(steps, other)
            line = []
        added = search.add(_FEWEST, line[:-1] if is_whole else line)
        made += added
        if not added:
            return made


def _line_to_end(search: Search, position: Position[Any]) -> list[Branch]:
    """The best steps of the turn as far as it goes on after them."""
    line, is_whole = _best_turn(search, position)
    return line[:-1] if is_whole else line


def _best_turn(search: Search, position: Position[Any]) -> tuple[list[Branch], bool]:
    """The best steps of the turn, as far as they are known, and True if the turn is over after them."""
    return _followed(search, position, search.branches(search.root)[:1])


def _best_whole_turn(search: Search, position: Position[Any]) -> list[Branch]:
    """The steps of the best turn that is known to its end; none if there is no such turn."""
    lines = (_followed(search, position, [branch]) for branch in search.branches(search.root))
    return next((line for line, is_whole in lines if is_whole), [])


def _followed(search: Search, position: Position[Any], following: Sequence[Branch]) -> tuple[list[Branch], bool]:
    """The first of some steps, the best ones after it, and True if the turn is over after them."""
    line: list[Branch] = []
    while following:
        line.append(following[0])
        position = position.play(kernel.to_step(search.board, following[0].step))
        if _is_over(position):
            return line, True
        following = search.branches(following[0].node)
    return line, False


def _grow(
    search: Search, line: Sequence[Branch], playouts: int, before: int, told: Callable[[int], None] | None
) -> int:
    """Add playouts behind a line, and tell now and then how many there were, with those before."""
    made, batch = 0, playouts if told is None else max(1, playouts // _BATCHES)
    while made < playouts:
        added = search.add(min(batch, playouts - made), line)
        made += added
        if told is not None:
            told(before + made)
        if not added:
            break
    return made


def _is_over(position: Position[Any]) -> bool:
    """Return True if the input that led to a position is complete: the next player acts, or a decision is due."""
    return position.outcome is not None or not position.mid_turn or position.decision is not None


def _candidates(game: Game[Any, Any], position: Position[Any], search: Search) -> Iterator[Candidate]:
    """The turns that a tree knows, the best first; of those that differ by the order of their steps one."""
    told = set[frozenset[Any]]()
    for branch in search.branches(search.root):
        turn, candidate = _candidate(game, position, search, branch)
        if candidate is not None and turn not in told:
            told.add(turn)
            yield candidate


def _candidate(
    game: Game[Any, Any], position: Position[Any], search: Search, branch: Branch
) -> tuple[frozenset[Any], Candidate | None]:
    """The best turn that begins with a step, and what a tree says of it; None if it knows no such turn to its end."""
    moves: list[str] = []
    steps: list[Any] = []
    visits, last, turn = branch.visits, branch, frozenset[Any]()
    while True:
        steps.append(kernel.to_step(search.board, branch.step))
        position = position.play(steps[-1])
        if not moves and (branch.proven or branch.visits >= _SEEN_ENOUGH):
            last = branch
        if _is_over(position):
            turn = turn or frozenset(steps)
            moves.append(game.input_text(position, steps).move)
            steps = []
        following = search.branches(branch.node)
        told_all = len(moves) >= _MOST_MOVES or not following or position.outcome or position.decision
        if told_all or (moves and following[0].visits < _SEEN_ENOUGH and not following[0].proven):
            break
        branch = following[0]
    return turn, Candidate(tuple(moves), last.worth, visits, last.proven) if moves else None


HOPELESS = 0.02
"""Whoever can expect less than this share of the points resigns."""
CERTAIN_FROM = 500
"""Playouts: fewer say too little to resign upon."""
FEWEST_TURNS = 3
"""Turns of each player before a robot resigns: nobody challenges a robot to see it give up."""
DRAWN_BELOW = 0.45
"""Whoever can expect less than this share of the points takes a draw."""
PLAYOUTS_FOR_DRAW = 1000
"""At least so many go before an offer is answered, at every level: fewer judge one position so differently that whoever
offers often enough would hear yes."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """The result of a search, reduced to the facts that decisions elsewhere need."""

    move: str
    """The best there is, as it is typed."""
    worth: float
    """The share of the points that it promises the player to act, 0..1."""
    proven: bool
    """``worth`` is certain."""
    playouts: int
    """The number of playouts."""


def opinion_of(thought: SearchResult) -> Opinion:
    """The opinion that a search result amounts to."""
    best = thought.candidates[0]
    return Opinion(best.moves[0], best.worth, best.proven, thought.playouts)


def seed_of(board: int, event: int, level: str, secret: str = "") -> int:
    """The random seed of a search: the same whenever, and wherever, the same search is repeated.

    Args:
        board: its number.
        event: the number of its last event.
        level: the userid of the robot that thinks.
        secret: at most 64 bytes; without it, anyone can compute the move before it is played.
    """
    said = f"{board} {event} {level}".encode()
    return int.from_bytes(blake2b(said, digest_size=8, key=secret.encode()).digest()) >> 1


def gives_up(opinion: Opinion, turns: Sequence[int]) -> bool:
    """Return True if the player who has thought resigns instead of making their best move.

    Args:
        opinion: on the position in which they are to act.
        turns: the number that each player has had; of more than two none resigns.
    """
    if len(turns) != 2 or min(turns) < FEWEST_TURNS:
        return False
    if opinion.proven:
        return opinion.worth == 0
    return opinion.worth < HOPELESS and opinion.playouts >= CERTAIN_FROM


def can_judge_draw(position: Position[Any], seat: Seat) -> bool:
    """Return True if thinking about a position tells the worth of a draw there to the player to act.

    With more than two players that says nothing of the others.
    """
    return position.to_act == seat or len(position.playing) == 2


def takes_draw(opinion: Opinion, *, is_to_act: bool) -> bool:
    """Return True if a draw is better than the result a player expects, beyond differences due to chance.

    Args:
        opinion: on the position.
        is_to_act: the player is the one to act there; if False, it is the only other player.
    """
    doubt = 0 if opinion.proven else 1 / math.sqrt(opinion.playouts)
    return (opinion.worth if is_to_act else 1 - opinion.worth) < DRAWN_BELOW - doubt


def allows_undo(*, rated: bool) -> bool:
    """Return True if a move may be taken back; in a game that counts it may not."""
    return not rated
