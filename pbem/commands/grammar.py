"""One line of text → one command.

The language is that of Richard Rognlie's server: ``[<game>] <verb> <words>``.
If the first of the words that may be userid and password could
be a userid, they are taken as such; else the command is in its short form.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import partial

from pbem.commands.command import Command
from pbem.commands.line import SENTENCE_ENDS, BoardAnswered, Line, whole_number
from pbem.commands.normal import normalised
from pbem.commands.playing import read_bare_answer
from pbem.commands.refusals import (
    LeftOver,
    MoveWithoutBoard,
    NotOfOneGame,
    NoVerb,
    PasswordMissing,
    ReadsAsSentence,
    TooManyWords,
    UnknownCommand,
    UnknownGame,
    UnknownVerb,
)
from pbem.commands.steps import are_steps, begun_step
from pbem.commands.userids import SENTENCE_WORDS, could_be_userid, looks_like_placement
from pbem.commands.verb import Care, Scope
from pbem.commands.verbs import OTHER_NAMES, SAID, VERBS, closest, verb_of
from pbem.errors import Unreadable

MOST_WORDS = 200
"""Most words of a command; nothing that makes sense has more, and each may cost a database query."""


_PUNCTUATION = ".,:;!?()\"'"


def begins_command(line: str, games: Collection[str]) -> bool:
    """Return True if a line begins like a command, right or wrong, rather than like a sentence."""
    words = _without_all(tuple(normalised(line, games).split()))
    if not words or words[0].lower() in games:
        return bool(words)
    verb = verb_of(words[0])
    return verb is not None and not (_is_sentence(verb, words[1:]) and _is_refused(line, games))


def _is_sentence(verb: str, words: Sequence[str]) -> bool:
    """Return True if a verb and the words behind it look like a sentence to a human being."""
    return (
        VERBS[verb].begins_sentences
        and not any(re.search(r"[0-9#=@]", word) for word in words)
        and any(word.casefold().strip(_PUNCTUATION) in SENTENCE_WORDS for word in words)
    )


def _is_read_as_sentence(
    wrong: Unreadable, verb: str, words: Sequence[str], game: str | None, answered: BoardAnswered | None
) -> bool:
    """Return True if "this is a sentence" is the best explanation of an error behind a verb.

    The advice to leave words out is not given if a verb would be left that cannot be taken back. Nor is an answer to
    a board told that a word behind such a verb lacks a password.
    """
    if game is not None:
        return False
    if _is_sentence(verb, words):
        return True
    is_final = VERBS[verb].care is Care.FINAL
    if isinstance(wrong, PasswordMissing):
        is_meant = answered is not None and (is_final or verb in ("confirm", "undo"))
    else:
        is_meant = isinstance(wrong, LeftOver) and is_final
    return is_meant and whole_number(words[0].partition("#")[0]) is None


def _sentence(verb: str, wrong: Unreadable) -> ReadsAsSentence:
    sentence = ReadsAsSentence(verb)
    sentence.facts.update({name: fact for name, fact in wrong.facts.items() if name == "board"})
    return sentence


def _is_refused(line: str, games: Collection[str]) -> bool:
    try:
        parse(line, games)
    except Unreadable:
        return True
    return False


def _without_all(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words without an ``all`` in place of a game."""
    verb = verb_of(words[1]) if len(words) > 1 and words[0].lower() == "all" else None
    return words[1:] if verb is not None and VERBS[verb].scope is Scope.GAMES else words


def parse(line: str, games: Collection[str], answered: BoardAnswered | None = None) -> Command:
    """Read one line.

    Args:
        line: one line without line breaks.
        games: the names of the games that the server plays.
        answered: the board whose mail this answers; the line may then be just a move.

    Raises:
        Unreadable: the line is no command; its leaf says why.
    """
    typed = len(line.split(maxsplit=MOST_WORDS))
    words = tuple(normalised(line, games, answered).split(maxsplit=MOST_WORDS))
    game = words[0].lower() if words and words[0].lower() in games else None
    rest = words[1:] if game else _without_all(words)
    verb = verb_of(rest[0]) if rest else None
    if verb == "signoff" and answered is not None and rest[0].lower() != verb and len(rest) == 1:
        verb = None  # "delete" in an answer to a mail about something else
    if len(words) > MOST_WORDS and (verb is None or not VERBS[verb].takes_text):
        raise _too_long(words, answered)
    before = typed - len(rest) + 1
    is_userid = partial(could_be_userid, games=games)
    if verb is not None and not (rest[0].lower() == "board" and len(rest) < 3):
        if game is not None and VERBS[verb].scope is Scope.SERVER:
            raise NotOfOneGame(verb, game)
        try:
            return VERBS[verb].read(Line(verb, rest[1:], game, games, answered, is_userid, before))
        except Unreadable as wrong:
            if _is_read_as_sentence(wrong, verb, rest[1:], game, answered):
                raise _sentence(verb, wrong) from wrong
            raise
    if answered is not None and game is None and rest:
        return read_bare_answer(Line("move", rest, None, games, answered, is_userid), answered.board)
    raise _no_command(rest, game, games)


def _too_long(words: Sequence[str], answered: BoardAnswered | None) -> Unreadable:
    wrong = TooManyWords(MOST_WORDS)
    numbers = [number for number in map(whole_number, words[:3]) if number is not None]
    if numbers or answered is not None:
        wrong.facts["board"] = numbers[0] if numbers or answered is None else answered.board
    meant = next(filter(None, map(verb_of, words[:2])), "move" if answered is not None else None)
    if meant is not None:
        wrong.facts["form"] = meant
    return wrong


def _no_command(rest: Sequence[str], game: str | None, games: Collection[str]) -> Unreadable:
    known = sorted(games)
    if game is not None:
        of_games = [word for word in SAID if VERBS[OTHER_NAMES.get(word, word)].scope is not Scope.SERVER]
        return UnknownVerb(rest[0], game, of_games) if rest else NoVerb(game)
    move = _unasked_move(" ".join(rest))
    if move:
        return MoveWithoutBoard(move)
    if len(rest) > 1 and verb_of(rest[1]) is not None and not closest(rest[0], SAID):
        return UnknownGame(rest[0].rstrip(_PUNCTUATION), known, " ".join(rest[1:]))
    return UnknownCommand(rest[0] if rest else "", SAID, known)


def _unasked_move(line: str) -> str:
    """The move that a line is or begins with, if hardly anything else is written like it; else nothing."""
    placements = re.split(r"[\s,;]+", line.partition("#")[0].rstrip(SENTENCE_ENDS))
    if are_steps(line) or all(map(looks_like_placement, placements)):
        return line
    return begun_step(line)
