"""One line of text → one command.

The language is that of Richard Rognlie's server: ``[<game>] <verb> <words>``.
Where userid and password may stand, they do if the first of the words there could
be a userid; else the command is in its short form.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.commands.model import (
    BoardMoment,
    Challenge,
    Command,
    Credentials,
    ExportBoard,
    Help,
    ListGames,
    MakeMove,
    Resign,
    SetPreferences,
    ShowBoards,
    ShowPlayersBoards,
    ShowPreferences,
    SignUp,
    TableOfBoards,
    Which,
)
from pbem.commands.refusals import (
    GameNeeded,
    LeftOver,
    MissingWord,
    MoveWithoutBoard,
    NotABoard,
    NotAMoveNumber,
    NotASetting,
    NotOfOneGame,
    NoVerb,
    TooManyWords,
    UnknownCommand,
    UnknownGame,
    UnknownVerb,
)
from pbem.commands.steps import are_steps, begins_with_cells, begun_step
from pbem.commands.userids import SENTENCE_ENDS, could_be_userid, looks_like_placement
from pbem.errors import Unreadable
from pbem.ids import BoardNumber

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

MOST_WORDS = 200
"""Words of a command; nothing that makes sense has more, and each may cost a look into the database."""

DASHES = "-\u2013\u2014\u2212"
"""Before an option; a telephone makes a dash or a minus sign of what was typed as a hyphen, or as two."""

_WHICH: dict[str, Which] = {"all": "all", "active": "active", "inactive": "inactive", "next": "next"}


@dataclass(frozen=True, slots=True)
class BoardAnswered:
    """The board that a letter answers: a bare move, or a command without a number, is meant for it."""

    board: BoardNumber


@dataclass(frozen=True, slots=True)
class Line:
    """A line split in words, with what the readers of the verbs need to know beside it."""

    words: tuple[str, ...]
    """What stands behind the verb."""
    game: str | None
    games: Collection[str]
    answered: BoardAnswered | None
    before: int
    """How many words stand before ``words``."""


def _whole_number(word: str) -> int | None:
    return int(word) if re.fullmatch(r"[0-9]{1,9}", word) and int(word) else None


def _moment(form: str, word: str) -> BoardMoment:
    number, sign, moveno = word.partition("#")
    board = _whole_number(number)
    if board is None:
        raise NotABoard(form, word)
    if not sign:
        return BoardMoment(BoardNumber(board))
    with _about(BoardNumber(board)):
        if not re.fullmatch(r"[0-9]{1,6}", moveno):
            raise NotAMoveNumber(form, moveno)
    return BoardMoment(BoardNumber(board), int(moveno))


def _board_and_rest(form: str, line: Line) -> tuple[BoardNumber, tuple[str, ...]]:
    """The board's number and the words behind it; a reply to a board's mail may leave the number out."""
    first = line.words[0] if line.words else ""
    board = _whole_number(first)
    if board is not None:
        return BoardNumber(board), line.words[1:]
    if line.answered is not None:
        return line.answered.board, line.words
    if not line.words:
        raise MissingWord(form, "board")
    raise NotABoard(form, first)


def _credentials(
    form: str, words: tuple[str, ...], games: Collection[str]
) -> tuple[Credentials | None, tuple[str, ...]]:
    """Split off userid and password, if they are there."""
    if not words or not could_be_userid(words[0], games):
        return None, words
    if len(words) == 1:
        raise MissingWord(form, "password")
    return Credentials(words[0], words[1]), words[2:]


def _split_moveno(form: str, words: tuple[str, ...]) -> tuple[tuple[str, ...], int | None]:
    """Take ``#17`` off the end of the words, joined to the last of them or not."""
    if not words or "#" not in words[-1]:
        return words, None
    last, _, number = words[-1].rpartition("#")
    digits = number.rstrip(SENTENCE_ENDS)
    if not re.fullmatch(r"[0-9]{1,6}", digits):
        raise NotAMoveNumber(form, number)
    return (*words[:-1], last) if last else words[:-1], int(digits)


def _without_sentence_end(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a move without what ends a sentence: ``Pass.``."""
    return (*words[:-1], words[-1].rstrip(SENTENCE_ENDS) or words[-1]) if words else ()


@contextmanager
def _about(board: BoardNumber) -> Iterator[None]:
    """What is refused in here is about this board, so that the refusal can show it."""
    try:
        yield
    except Unreadable as wrong:
        wrong.facts["board"] = board
        raise


def _read_move(line: Line) -> Command:
    board, words = _board_and_rest("move", line)
    with _about(board):
        words, moveno = _split_moveno("move", words)
        speaker, words = _credentials("move", words, line.games)
        if not words:
            raise MissingWord("move", "move")
    words = _without_sentence_end(words)
    if [word.lower() for word in words] == ["resign"]:
        return Resign(board, game=line.game, speaker=speaker)
    if speaker is None and _whole_number(line.words[0]) is None and begins_with_cells(words):
        words = ("move", *words)  # an answer: the word is that of the step, and without it cells might mean another
    return MakeMove(board, " ".join(words), moveno, game=line.game, speaker=speaker)


def _read_resign(line: Line) -> Command:
    board, words = _board_and_rest("resign", line)
    with _about(board):
        speaker, words = _credentials("resign", words, line.games)
        if words:
            raise LeftOver("resign", line.before + len(line.words) - len(words) + 1)
    return Resign(board, game=line.game, speaker=speaker)


def _read_swap(line: Line) -> Command:
    board, words = _board_and_rest("swap", line)
    with _about(board):
        speaker, words = _credentials("swap", words, line.games)
        words, moveno = _split_moveno("swap", words)  # behind the password, which may hold a # itself
        if words:
            raise LeftOver("swap", line.before + len(line.words) - len(words) + 1)
    return MakeMove(board, "swap", moveno, game=line.game, speaker=speaker)


def _read_export(line: Line) -> Command:
    board, words = _board_and_rest("export", line)
    if words:
        with _about(board):
            raise LeftOver("export", line.before + len(line.words) - len(words) + 1)
    return ExportBoard(board, line.game)


def _read_challenge(line: Line) -> Command:
    if line.game is None:
        raise GameNeeded("challenge", sorted(line.games))
    options = tuple(word.lstrip(DASHES) for word in line.words if word[0] in DASHES)
    userids = tuple(word for word in line.words if word[0] not in DASHES)
    if not userids:
        raise MissingWord("challenge", "userid")
    return Challenge(line.game, userids, options)


def _players_and_which(line: Line) -> tuple[tuple[str, ...], Which]:
    words = line.words
    if words and words[-1].lower() in _WHICH:
        return words[:-1], _WHICH[words[-1].lower()]
    return words, "active"


def _read_show(line: Line) -> Command:
    words, which = _players_and_which(line)
    if not words and line.answered is not None:
        return ShowBoards((BoardMoment(line.answered.board),), line.game)
    if not words:
        raise MissingWord("show", "board")
    if words == line.words and re.match(r"[0-9]+(#|$)", words[0]):
        return ShowBoards(tuple(_moment("show", word) for word in words), line.game)
    return ShowPlayersBoards(words, which, line.game)


def _read_games(line: Line) -> Command:
    userids, which = _players_and_which(line)
    return TableOfBoards(userids, which, line.game)


def _read_signup(line: Line) -> Command:
    if not line.words:
        raise MissingWord("signup", "userid")
    userid, *rest = line.words
    return SignUp(userid, rest[0] if rest else None, tuple(rest[1:]))


def _read_set(line: Line) -> Command:
    speaker, words = _credentials("set", line.words, line.games)
    settings = tuple(_setting(word) for word in words)
    return SetPreferences(settings, speaker=speaker) if settings else ShowPreferences(speaker=speaker)


def _setting(word: str) -> tuple[str, str]:
    key, sign, value = word.partition("=")
    if not (key and sign and value):
        raise NotASetting("set", word)
    return key, value


def _read_help(line: Line) -> Command:
    return Help((line.game, *line.words) if line.game else line.words)


def _read_list(line: Line) -> Command:
    return ListGames((line.game, *line.words) if line.game else line.words)


VERBS: dict[str, Callable[[Line], Command]] = {
    "signup": _read_signup,
    "help": _read_help,
    "list": _read_list,
    "set": _read_set,
    "challenge": _read_challenge,
    "move": _read_move,
    "resign": _read_resign,
    "swap": _read_swap,
    "show": _read_show,
    "games": _read_games,
    "export": _read_export,
}
"""Every verb and who reads the words behind it."""

OF_THE_SERVER = ("signup", "set")
"""Verbs that no game may stand in front of."""

_SLIPS = {"mvoe": "move", "board": "move"}
_ABBREVIATED = {"chall": "challenge"}


def verb_of(word: str) -> str | None:
    """The verb that a word means: itself, a beginning that old hands use (``chall``), or a known slip (``mvoe``)."""
    folded = word.lower()
    if folded in VERBS:
        return folded
    if folded in _SLIPS:
        return _SLIPS[folded]
    for beginning, verb in _ABBREVIATED.items():
        if folded.startswith(beginning) and verb.startswith(folded):
            return verb
    return None


def begins_command(line: str, games: Collection[str]) -> bool:
    """Whether a line begins like a command, right or wrong, rather than like a sentence."""
    words = line.split(maxsplit=1)
    return bool(words) and (words[0].lower() in games or verb_of(words[0]) is not None)


def parse(line: str, games: Collection[str], answered: BoardAnswered | None = None) -> Command:
    """Read one line.

    Args:
        line: one line without line breaks.
        games: the names of the games that the server plays.
        answered: the board whose mail this answers; the line may then be just a move.

    Raises:
        Unreadable: the line is no command; its leaf says why.
    """
    words = tuple(line.split(maxsplit=MOST_WORDS))
    if len(words) > MOST_WORDS:
        raise _too_long(words, answered)
    game = words[0].lower() if words and words[0].lower() in games else None
    rest = words[1:] if game else words
    verb = verb_of(rest[0]) if rest else None
    before = len(words) - len(rest) + 1
    if verb is not None and not (rest[0].lower() == "board" and len(rest) < 3):
        if game is not None and verb in OF_THE_SERVER:
            raise NotOfOneGame(verb, game)
        return VERBS[verb](Line(rest[1:], game, games, answered, before))
    if answered is not None and game is None and rest:
        return _bare_answer(answered, rest)
    raise _no_command(rest, game, games)


def _too_long(words: Sequence[str], answered: BoardAnswered | None) -> Unreadable:
    wrong = TooManyWords(MOST_WORDS)
    numbers = [number for number in map(_whole_number, words[:3]) if number is not None]
    if numbers or answered is not None:
        wrong.facts["board"] = numbers[0] if numbers or answered is None else answered.board
    meant = next(filter(None, map(verb_of, words[:2])), "move" if answered is not None else None)
    if meant is not None:
        wrong.facts["form"] = meant
    return wrong


def _bare_answer(answered: BoardAnswered, words: tuple[str, ...]) -> Command:
    """The reply to a board's mail that is just the move; its sender has proved himself by replying."""
    words = _without_sentence_end(words)
    if [word.lower() for word in words] == ["resign"]:
        return Resign(answered.board)
    with _about(answered.board):
        words, moveno = _split_moveno("move", words)
        if not words:
            raise MissingWord("move", "move")
    return MakeMove(answered.board, " ".join(words), moveno)


def _no_command(rest: Sequence[str], game: str | None, games: Collection[str]) -> Unreadable:
    known = sorted(games)
    if game is not None:
        of_games = [verb for verb in VERBS if verb not in OF_THE_SERVER]
        return UnknownVerb(rest[0], game, of_games) if rest else NoVerb(game, of_games)
    move = _unasked_move(" ".join(rest))
    if move:
        return MoveWithoutBoard(move)
    if len(rest) > 1 and verb_of(rest[1]) is not None:
        return UnknownGame(rest[0], known)
    return UnknownCommand(rest[0] if rest else "", tuple(VERBS), known)


def _unasked_move(line: str) -> str:
    """The move that a line is or begins with, as hardly anything else would; else nothing."""
    placements = re.split(r"[\s,;]+", line.partition("#")[0].rstrip(SENTENCE_ENDS))
    if are_steps(line) or all(map(looks_like_placement, placements)):
        return line
    return begun_step(line)
