"""Verbs of other languages at the head of a line: which lines mean the command, and which only use the word.

``zug 101 b3`` is a command, ``Zug und Gegenzug`` is talk, and a player may be called zug. So a line is a command only
if it has the whole form of one, and nothing of a sentence. In an answer to a board's mail, where any line could be a
move among words, it names that board besides, or is a single word. What cannot be taken back must be nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from pbem.commands import small_talk
from pbem.commands.accounts import SignUp
from pbem.commands.boards import TableOfBoards
from pbem.commands.command import Command, TurnCommand, passwords_in
from pbem.commands.line import DASHES, SENTENCE_ENDS, BoardAnswered, Line, whole_number
from pbem.commands.playing import ANSWERS_ALONE, MakeMove
from pbem.commands.refusals import MissingWord, UnknownGame
from pbem.commands.steps import are_steps
from pbem.commands.studying import StudyGame, deed_meant
from pbem.commands.userids import COMMAND_WORDS, SENTENCE_WORDS, could_be_userid, looks_like_placement
from pbem.commands.verb import Care, Place, Scope
from pbem.commands.verbs import TRANSLATIONS, VERBS, closest, translation_of
from pbem.errors import Unreadable
from pbem.games.game import Catalogue

_LEAST_BOARD = 100
"""A smaller number may be that of a move: ``Zug 17: b3``."""
_MOST_SUBJECTS = 3
"""The most words behind ``help``; a sentence has more."""
_TAKES_MOVES = frozenset(("move", "preview", "explore", "puzzle"))
_MARKS = "#=@" + DASHES
_PHRASES = (
    *(small_talk.GREETINGS, small_talk.THANKS, small_talk.ASKING, small_talk.OPENERS, small_talk.FILLERS),
    *(small_talk.WISHES, small_talk.ASKED_KINDLY, small_talk.BEHIND_ALONE, small_talk.PRAISE),
)
_ALONE_IN_TALK = frozenset(phrase[0] for phrases in _PHRASES for phrase in phrases if len(phrase) == 1)
"""Words that say nothing beside a move: ``Spiele`` above it."""
_TALK = (
    SENTENCE_WORDS
    | _ALONE_IN_TALK
    | small_talk.CHALLENGING
    | small_talk.DENIED
    | small_talk.DOUBTS
    | small_talk.HESITATIONS
    | small_talk.KIND
    | small_talk.AROUND_KIND
    | small_talk.PONDERING
    | small_talk.TO
    | small_talk.FROM
    | small_talk.DROPPING
    | frozenset(f"{small_talk.ASSENTING} {small_talk.AGREEING}".split())
) - {*COMMAND_WORDS, *TRANSLATIONS}
"""Words of sentences: a line that has one is a command in English only."""


def is_meant_alone(word: str, games: Collection[str], answered: BoardAnswered) -> bool:
    """Return True if a word is the whole answer to a board's mail, as ``resign`` may be."""
    said = word.rstrip(SENTENCE_ENDS).lower()
    verb = translation_of(said)
    if verb is None or said in _ALONE_IN_TALK:
        return False
    if VERBS[verb].care is Care.FINAL:
        return verb in ANSWERS_ALONE
    return isinstance(_read(verb, [verb], games, answered), Command)


def is_meant(
    verb: str, typed: Sequence[str], said: Sequence[str], games: Collection[str], answered: BoardAnswered | None
) -> bool:
    """Return True if a line of several words means a command, or is one of a single word outside a board's mail.

    Args:
        verb: the English verb.
        typed: the line, with the English verb in place of the other.
        said: the same in the order of the grammar.
        games: the names of the games that the server plays.
        answered: the board whose mail the line answers.
    """
    game = said[0] if said[0].lower() in games else None
    behind = said[1:] if game is None else said[2:]
    if said[len(said) - len(behind) - 1] != verb or (game is not None and VERBS[verb].scope is Scope.SERVER):
        return False
    if VERBS[verb].care is Care.FINAL and list(typed) != list(said):
        return False
    read = _read(verb, said, games, answered)
    if isinstance(read, MissingWord):
        is_begun = verb == "move" and read.facts["what"] == "move" and len(behind) == 1
        return is_begun and answered is None and _is_number(behind[0], answered)
    if isinstance(read, UnknownGame):
        return answered is None and not any(map(_is_talk, behind)) and _is_slip(str(read.facts["word"]), games)
    if not isinstance(read, Command):
        return False
    if isinstance(read, StudyGame):
        behind = behind[: len(behind) - len(read.title.split())]  # a title may be a sentence
    passwords = passwords_in(read)
    shown = [word for word in behind if word not in passwords and not _is_deed(word, verb)]
    if any(map(_is_talk, shown if any(map(_is_marked, behind)) else behind)):
        return False
    if not all(_has_place(word, verb, games) for word in shown):
        return False
    return _is_whole(read, behind) and _is_placed(read, behind, game, answered)


def _read(
    verb: str, said: Sequence[str], games: Collection[str], answered: BoardAnswered | None
) -> Command | Unreadable:
    """The command of a line in the order of the grammar, or the reason why it is none."""
    game = said[0].lower() if said[0].lower() in games else None
    words = tuple(said[1:] if game is None else said[2:])
    try:
        return VERBS[verb].read(Line(verb, words, game, games, answered, partial(could_be_userid, games=games)))
    except Unreadable as wrong:
        return wrong


def _is_slip(word: str, games: Collection[str]) -> bool:
    """Return True if a word in the place of a game is much like one, or names a variant."""
    variants = [name for game in games.values() for name in game.variants] if isinstance(games, Catalogue) else []
    return bool(closest(word, (*games, *variants)))


def _is_talk(word: str) -> bool:
    return word.endswith("?") or word.strip(".,:;!()\"'").lower() in _TALK


def _is_marked(word: str) -> bool:
    """Return True if a word is of a command rather than of a sentence: a number, an option, a setting, an address."""
    return any(letter.isdigit() or letter in _MARKS for letter in word)


def _is_deed(word: str, verb: str) -> bool:
    """Return True if a word says what is to be done with a note or a study: ``löschen``."""
    return verb in ("note", "study") and deed_meant(word) != ""


def _has_place(word: str, verb: str, games: Collection[str]) -> bool:
    """Return True if a word may be part of a command with this verb: a cell, for one, only where moves are."""
    if looks_like_placement(word):
        return verb in _TAKES_MOVES
    return (
        verb == "move"
        or _is_marked(word)
        or word.lower() in COMMAND_WORDS
        or word.lower() in games
        or could_be_userid(word, games)
    )


def _is_whole(command: Command, behind: Sequence[str]) -> bool:
    """Return True if a command is no beginning of a sentence by the number and the kind of its words."""
    if isinstance(command, MakeMove) and command.form == "move":
        text = command.move_text
        return are_steps(text) or text.lower() in ANSWERS_ALONE or all(map(_has_digit, text.split()))
    if isinstance(command, TableOfBoards) and command.userids:
        return command.game is not None or command.which != "active"
    if isinstance(command, SignUp):
        return command.password is not None and all("@" in each for each in command.addresses)
    return command.form != "help" or len(behind) <= _MOST_SUBJECTS


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))


def _is_placed(command: Command, behind: Sequence[str], game: str | None, answered: BoardAnswered | None) -> bool:
    """Return True if a line is about a board by its number, or about none where none is answered."""
    is_spoken = getattr(command, "speaker", None) is not None
    if VERBS[command.form].board is not Place.NOWHERE and any(map(_number_in, behind)):
        return is_spoken or all(_is_number(word, answered) for word in behind if _number_in(word))
    if answered is None:
        return True
    if game is not None:
        return not isinstance(command, TurnCommand)
    if command.form == "help":
        return True
    if VERBS[command.form].board is not Place.NOWHERE:
        return len(behind) == 1 and (behind[0][0] == "#" or _is_deed(behind[0], command.form))
    return not is_spoken and any(map(_has_digit, behind)) and VERBS[command.form].care is not Care.FINAL


def _number_in(word: str) -> int | None:
    return whole_number(word.partition("#")[0])


def _is_number(word: str, answered: BoardAnswered | None) -> bool:
    """Return True if a word is the number of a board that may be meant."""
    number = _number_in(word)
    return number is not None and (number >= _LEAST_BOARD if answered is None else number == answered.board)
