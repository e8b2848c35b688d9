"""Puzzles: find one that a player has not solved yet, and judge a move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pbem.bots.puzzles import Puzzle, judge
from pbem.commands.server import AnswerPuzzle, NextPuzzle, ShowPuzzle
from pbem.domain.boards import Board
from pbem.domain.events import EventKind
from pbem.domain.game_state import GameState, begin, follow
from pbem.domain.mails import Notice
from pbem.domain.replies import Purpose
from pbem.errors import NotAllowed, PlayerError, Unreadable
from pbem.usecases.context import Context, handles
from pbem.usecases.notices import to_sender
from pbem.usecases.seats import board_of_nobody, facts_of_nobodys


class NoSuchPuzzle(NotAllowed):
    """No puzzle has this number; there are ``count``."""

    number: int
    count: int


class PuzzleOfOtherGame(NotAllowed):
    """The puzzle is of another game than the sender takes it to be."""

    number: int
    game: str
    said: str


class NoPuzzles(NotAllowed):
    """There are no puzzles of this game; ``games`` are those that have some."""

    game: str | None
    games: Sequence[str]


class AllSolved(NotAllowed):
    """The speaker has solved every puzzle, of one game or of all."""

    game: str | None
    count: int


class NoMoveForPuzzle(Unreadable):
    """An answer to a puzzle has no move, or several, among other words."""


@handles(NextPuzzle)
def next_puzzle(command: NextPuzzle, context: Context) -> list[Notice]:
    """Show a puzzle that the speaker has not solved yet; for a stranger any puzzle may be new.

    Raises:
        NoSuchGame, NoPuzzles: there are none.
        AllSolved: the speaker has solved them all.
    """
    game = None if command.game is None else context.game(command.game).name
    there = puzzles_of(game, context)
    if not there:
        raise NoPuzzles(game, sorted({each.game for each in context.puzzles.values()}))
    left = first_unsolved(game, context)
    if left is None:
        raise AllSolved(game, len(there))
    return [_about("puzzle", left, facts_of_puzzle(left, context), context)]


@handles(ShowPuzzle)
def show_puzzle(command: ShowPuzzle, context: Context) -> list[Notice]:
    """Show a puzzle.

    Raises:
        NoSuchPuzzle, PuzzleOfOtherGame: there is none like this.
    """
    puzzle = find_puzzle(command.number, command.game, context)
    return [_about("puzzle", puzzle, facts_of_puzzle(puzzle, context), context)]


@handles(AnswerPuzzle)
def answer_puzzle(command: AnswerPuzzle, context: Context) -> list[Notice]:
    """Judge a move; a solved puzzle is remembered for its player, even if others may have written in their name.

    Raises:
        NoSuchPuzzle, PuzzleOfOtherGame: there is none like this.
        PlayerError: the move cannot be read, or the rules forbid it.
    """
    puzzle = find_puzzle(command.number, command.game, context)
    game, player = context.games[puzzle.game], context.speaker.player
    try:
        verdict = judge(puzzle, game, command.move)
    except PlayerError as wrong:
        wrong.facts.setdefault("form", command.form)
        raise
    if verdict.is_right and player is not None:
        context.uow.solved_puzzles.solved(player.id, puzzle.number, context.now)
    facts = {
        **facts_of_puzzle(puzzle, context),
        **_shown(puzzle, verdict.line, context),
        "verdict": verdict,
        "following": first_unsolved(puzzle.game, context, after=puzzle.number),
    }
    return [_about("puzzle_answered", puzzle, facts, context)]


def _about(name: str, puzzle: Puzzle, facts: Mapping[str, object], context: Context) -> Notice:
    """A mail whose answer answers the puzzle."""
    reply = context.topic_reply(Purpose.PUZZLE, context.speaker.player, puzzle.number)
    return replace(to_sender(name, context, facts), reply=reply)


def find_puzzle(number: int, game: str | None, context: Context) -> Puzzle:
    """A puzzle by its number.

    Raises:
        NoSuchPuzzle: there is none.
        PuzzleOfOtherGame: it is of another game than ``game``.
    """
    puzzle = context.puzzles.get(number)
    if puzzle is None or puzzle.game not in context.games:
        raise NoSuchPuzzle(number, len(context.puzzles))
    if game is not None and game.lower() != puzzle.game:
        raise PuzzleOfOtherGame(number, puzzle.game, game.lower())
    return puzzle


def puzzles_of(game: str | None, context: Context) -> list[Puzzle]:
    """The puzzles of a game, or all, in their order."""
    return [each for each in context.puzzles.values() if each.game in context.games and game in (None, each.game)]


def solved_by_speaker(context: Context) -> frozenset[int]:
    """The numbers of the puzzles that the speaker has solved; none if the speaker is unknown."""
    player = context.speaker.player
    return frozenset() if player is None else context.uow.solved_puzzles.solved_by(player.id)


def first_unsolved(game: str | None, context: Context, after: int = 0) -> Puzzle | None:
    """The first puzzle after a number that the speaker has not solved, or else the first of all; None if there is none.

    For a stranger no puzzle counts as solved.
    """
    solved = solved_by_speaker(context)
    left = [each for each in puzzles_of(game, context) if each.number not in solved and each.number != after]
    return min(left, key=lambda each: (each.number < after, each.number), default=None)


def facts_of_puzzle(puzzle: Puzzle, context: Context) -> dict[str, object]:
    """The facts of a puzzle."""
    there, solved = puzzles_of(puzzle.game, context), solved_by_speaker(context)
    return {
        **_shown(puzzle, (), context),
        "puzzle": puzzle,
        "to_solve": begun(puzzle, context)[1].to_act,
        "is_solved": puzzle.number in solved,
        "solved": sum(each.number in solved for each in there),
        "count": len(there),
        "is_known": context.speaker.player is not None,
    }


def _shown(puzzle: Puzzle, turns: Sequence[str], context: Context) -> dict[str, object]:
    board, course = begun(puzzle, context, turns)
    return facts_of_nobodys(board, course, context.games[puzzle.game])


def begun(puzzle: Puzzle, context: Context, turns: Sequence[str] = ()) -> tuple[Board, GameState]:
    """The board of a puzzle, with nobody in its seats, and its game state, after some more turns."""
    game = context.games[puzzle.game]
    board = board_of_nobody(game, puzzle.options, 2, context.now)
    course = begin(board, game)
    for turn in (*puzzle.turns, *turns):
        record = game.input_record(course.position, game.read_input(course.position, turn).steps)
        board = board.with_event(EventKind.MOVE, course.to_act or 0, context.now, record)
        course = follow(board, game, course)
    return board, course
