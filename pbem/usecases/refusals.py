"""Refusals as notices: the reason, without any word that may be a password."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import cast

from pbem.commands import small_talk
from pbem.commands.accounts import SignUp
from pbem.commands.challenges import Challenge, Seek
from pbem.commands.command import BoardCommand, Command, SpokenCommand, passwords_in
from pbem.commands.doubts import is_for_oneself
from pbem.commands.grammar import begins_command, parse
from pbem.commands.line import DASHES, SENTENCE_ENDS, names_in, whole_number
from pbem.commands.normal import normalised
from pbem.commands.playing import ANSWERS_ALONE, ExploreGame
from pbem.commands.reading import NoCommand, NothingAsked
from pbem.commands.refusals import GameNeeded, PasswordMissing, UnknownCommand, UnknownGame, UnknownVerb
from pbem.commands.secrets import (
    HIDDEN,
    TYPED,
    WORDS_OF_PLANS,
    HiddenWord,
    StrangeWord,
    is_hidden,
    repeats,
    withheld,
)
from pbem.commands.server import AnswerPuzzle
from pbem.commands.steps import are_steps
from pbem.commands.userids import COMMAND_WORDS, could_be_userid, looks_like_placement
from pbem.commands.verbs import VERBS, closest, verb_of
from pbem.domain.boards import Board
from pbem.domain.letters import Letter
from pbem.domain.mails import Notice
from pbem.domain.preferences import Preferences
from pbem.domain.replies import Purpose
from pbem.errors import NotAllowed, NotNow, PlayerError, Unreadable
from pbem.games.game import IllegalMove, UnreadableMove
from pbem.games.options import AmbiguousOption, UnknownOption
from pbem.games.plans import BranchImpossible, BranchPastEnd, NotYetOnTurn
from pbem.ids import BoardNumber
from pbem.usecases.authentication import NotConfirmed, identify, own_userids
from pbem.usecases.challenging import InvalidChallenge, games_with_option
from pbem.usecases.context import Context, Proof
from pbem.usecases.moves import NotYourTurn
from pbem.usecases.notices import about_board
from pbem.usecases.puzzles import facts_of_puzzle
from pbem.usecases.understanding import BoardOver, NoSuchPlayer

_UNDERSTOOD = (IllegalMove, NotYourTurn, BranchImpossible, BranchPastEnd, NotYetOnTurn)
"""Refusals of moves and replies that were read: the board, by which another is found, comes before the form."""
REFUSALS = ("error", "board_error", "puzzle_error", "invalid_challenge", "no_more_questions")
"""Notices that say that nothing has been done; each has its refusal among its facts, as ``error``."""


def refusal(wrong: PlayerError, command: Command | None, line: str, context: Context) -> Notice:
    """The notice of a refusal, without any word that may be a password, and with the board or puzzle meant."""
    player = context.speaker.player
    game_name = _game_named(command, wrong, line, context)
    _look_for_options(wrong, command, line, context)
    if isinstance(wrong, UnreadableMove | NotYourTurn | BoardOver | NothingAsked):
        is_over, is_talk = isinstance(wrong, BoardOver), _is_talk(line, context)
        said = f"{line} {context.comment}" if is_talk else line
        wrong.facts["alone"] = None if is_over else _answer_within(said, context)
        wrong.facts.update(is_note=is_for_oneself(line), is_talk=is_talk)
        is_sentence = is_talk or line.lower().strip(" .!?,:\u2026") in small_talk.PONDERING
        wrong.facts["found_none"] = is_sentence and bool(wrong.facts.get("found_none"))
        wrong.facts.update(_offer_open(command, wrong, context))
    facts: dict[str, object] = {
        "error": _without_passwords(wrong, command, line, context),
        "form": command.form if command else wrong.facts.get("form") or _form_meant(wrong),
        "is_understood": isinstance(wrong, _UNDERSTOOD),
        "form_helps": not isinstance(wrong, NotNow),
        "game_name": game_name,
        "game_meant": context.games.get(game_name or ""),
    }
    board = _board_meant(command, wrong, context)
    if board is not None:
        return about_board("board_error", board, context, facts, reader=player, refusal=True)
    to = player or context.evidence.answer_to
    puzzle = context.puzzles.get(command.number) if isinstance(command, AnswerPuzzle) else None
    if puzzle is not None and puzzle.game in context.games:
        shown = {**facts, **facts_of_puzzle(puzzle, context)}
        reply = context.topic_reply(Purpose.PUZZLE, player, puzzle.number)
        return Notice("puzzle_error", to, shown, reply=reply, answers=True, from_nobody=True)
    if isinstance(wrong, InvalidChallenge):
        return Notice("invalid_challenge", to, facts, answers=True, from_nobody=True)
    return Notice("error", to, facts, answers=True, from_nobody=True)


def _look_for_options(wrong: PlayerError, command: Command | None, line: str, context: Context) -> None:
    """Add to a refusal the likely meaning, where the name of an option lacks its dash, its verb or its game."""
    reasons = wrong.facts.get("reasons", ())
    for each in (wrong, *(reasons if isinstance(reasons, tuple) else ())):
        match each:
            case UnknownGame():
                word = str(each.facts["word"])
                line = " ".join((word, str(each.facts["said"])))
                each.facts["suggested"] = _suggested(line.split(), context) if _names_option(word, context) else ""
            case GameNeeded():
                each.facts["suggested"] = _suggested(normalised(line, context.games).split(), context)
            case UnknownOption() if isinstance(command, Challenge | Seek):
                others = [
                    name for name in games_with_option(str(each.facts["option"]), context) if name != command.game
                ]
                each.facts["games_with"] = others
                is_shared = (
                    len(others) == len(context.games) - 1
                )  # such as -swap, which tells nothing of the game meant
                named = [] if is_shared else games_with_option(command.game, context)
                presets = [name for name in others if name in named]
                each.facts.update(variant_of=presets[0] if presets else "", named=command.game)
            case NoSuchPlayer() if isinstance(command, Challenge) and _names_option(str(each.facts["userid"]), context):
                each.facts["option_of"] = games_with_option(str(each.facts["userid"]), context)


_SHORTEST_NAME = 4
"""The shortest name of an option that is recognised without a dash."""


def _names_option(word: str, context: Context) -> bool:
    return len(word) >= _SHORTEST_NAME and bool(games_with_option(word, context))


def _suggested(words: Sequence[str], context: Context) -> str:
    """The challenge, seek or opening in words that lack a game or contain an option; empty if there is none.

    Only existing options and userids are repeated.
    """
    asked = (Challenge.form, Seek.form, ExploreGame.form)
    verb = next((verb for word in words[:2] if (verb := verb_of(word)) in asked), None)
    if verb is None:
        return ""
    options = [word.lstrip(DASHES).lower() for word in words if verb_of(word) is None and _is_option(word, context)]
    named = [word for word in names_in(tuple(words)) if context.uow.players.by_userid(word) is not None]
    games = [
        name for name in sorted(context.games) if all(name in games_with_option(each, context) for each in options)
    ]
    if not options or not games:
        return ""
    of_whom = (named or ["<userid>"]) if verb == Challenge.form else []
    return " ".join((games[0], verb, *(f"-{each}" for each in options), *of_whom))


_MOST_LOOKED_UP = 60
"""The most words of a sentence that may name somebody."""


def challenge_meant(lines: Sequence[str], context: Context) -> str:
    """The challenge that the sentences of a letter without a command ask for; empty if they ask for none.

    They name one game, and one player beside the sender. The sender of a letter that may be forged gets none.
    """
    if not (context.evidence.authenticated or context.policy.trust_from or context.speaker.session):
        return ""
    words = [word.strip(".,:;!?()\"'").casefold() for word in " ".join(lines).split()][:_MOST_LOOKED_UP]
    games = {word for word in words if word in context.games}
    if len(games) != 1 or small_talk.CHALLENGING.isdisjoint(words) or any(word.startswith("-") for word in words):
        return ""
    own = own_userids(context)
    tried = [word for word in dict.fromkeys(words) if could_be_userid(word, context.games) and word not in own]
    named = [player.userid for word in tried if (player := context.uow.players.by_userid(word)) is not None]
    return f"{games.pop()} challenge {named[0]}" if len(named) == 1 else ""


def _is_option(word: str, context: Context) -> bool:
    return _names_option(word.lstrip(DASHES).rstrip(":"), context)


def _answer_within(line: str, context: Context) -> str | None:
    """The command among the words of a line that would have to be alone, as in ``I resign``; None if there is none."""
    words = () if begins_command(line, context.games) else line.lower().split()
    said = f" {' '.join(re.findall(_WORD, line.lower().replace(chr(0x2019), chr(39))))} " if words else ""
    if said.strip() in ("remis", "draw"):
        return None  # one word is told what it was meant for already
    for meant, phrases in small_talk.SAID_FOR.items():
        if any(f" {' '.join(phrase)} " in said for phrase in phrases):
            return meant
    return next((word for each in words if (word := each.rstrip(SENTENCE_ENDS)) in ANSWERS_ALONE), None)


_WORD = r"[\w']+"
_FEWEST_WORDS_OF_TALK = 2
_KIND_WORDS = small_talk.PRAISE | small_talk.GREETINGS | small_talk.WISHES | small_talk.THANKS


def _is_talk(line: str, context: Context) -> bool:
    """Return True if a line has words as people write them to each other, and nothing of a command."""
    words = re.findall(r"[^\W\d_]{2,}", line)
    is_enough = len(words) >= _FEWEST_WORDS_OF_TALK or tuple(map(str.lower, words)) in _KIND_WORDS
    return is_enough and not begins_command(line, context.games) and not are_steps(line)


def _offer_open(command: Command | None, wrong: PlayerError, context: Context) -> dict[str, object]:
    """The offer that waits for the speaker's answer at the board in question: its player and its kind."""
    board, player = _board_meant(command, wrong, context), context.speaker.player
    if board is None or player is None or isinstance(wrong, BoardOver):
        return {}
    course = context.course(board)
    if course.offer is None or player.id not in course.offer.waits_for(board, course.position.playing):
        return {}
    return {"offerer": board.seats[course.offer.seat].userid, "offer_kind": course.offer.kind.value}


def _form_meant(wrong: PlayerError) -> str | None:
    """The verb that a mistyped one was meant for, if only one fits; a number in its place is that of a board."""
    if not isinstance(wrong, UnknownVerb | UnknownCommand | NoCommand):
        return None
    words = [str(wrong.facts[name]) for name in ("word", "subject", "body") if name in wrong.facts]
    if any(whole_number(word) is not None for word in words):
        return "move"
    if isinstance(wrong, NoCommand) or is_hidden(words[0]):
        return None
    verbs = {verb_of(verb) for verb in closest(words[0], wrong.verbs)}
    return verbs.pop() if len(verbs) == 1 else None


def _board_meant(command: Command | None, wrong: PlayerError, context: Context) -> Board | None:
    """The board that a command names, or that its refusal is about."""
    number = command.board if isinstance(command, BoardCommand) else wrong.facts.get("board")
    return context.uow.boards.find(BoardNumber(number)) if isinstance(number, int) else None


def _game_named(command: Command | None, wrong: PlayerError, line: str, context: Context) -> str | None:
    first = next((word for word in normalised(line, context.games).lower().split()[:1] if word in context.games), None)
    named = getattr(command, "game", None) or wrong.facts.get("game") or first
    return str(named).lower() if named else None


def _without_passwords(wrong: PlayerError, command: Command | None, line: str, context: Context) -> PlayerError:
    """Blank every fact that repeats a word which may be a password."""
    if isinstance(wrong, NotConfirmed):
        return wrong  # the password was right, so what it names is a userid
    secrets = _secrets(wrong, command, line, context)
    reasons = wrong.facts.get("reasons", ())
    every = (wrong, *(reasons if isinstance(reasons, tuple) else ()))
    typed = [fact for each in every for name, fact in each.facts.items() if name in TYPED and isinstance(fact, str)]
    if command is None and any(repeats(fact, secrets) for fact in typed):
        begun = proven_beginning(line, context)
        secrets = secrets if begun is None else passwords_in(begun)
    for each in every:
        for name, fact in each.facts.items():
            if name in TYPED and isinstance(fact, str):
                each.facts[name] = _said(fact, secrets, line)
            if name == "userids" and isinstance(fact, tuple):
                each.facts[name] = tuple(_said(userid, secrets, line) for userid in fact)
    return wrong


def _secrets(wrong: PlayerError, command: Command | None, line: str, context: Context) -> frozenset[str]:
    """The words of a line that may be a password, none of which is repeated; if one was right, only that."""
    if isinstance(command, SpokenCommand) and command.speaker and context.speaker.proof is Proof.PROVEN:
        return frozenset((command.speaker.password,))
    own = own_userids(context) or frozenset(line.casefold().split())
    hidden = withheld(line, context.games, own)
    if isinstance(wrong, PasswordMissing):
        hidden |= {wrong.userid}  # the password alone, without a userid, is as likely as anything else
    if isinstance(command, SignUp):
        hidden -= {command.userid}
    return frozenset(word for word in hidden if context.uow.players.by_userid(word) is None)


_BEFORE_PASSWORD = 5
"""The most words of a command up to its password: game, verb, board or action, userid."""


def proven_beginning(line: str, context: Context) -> SpokenCommand | None:
    """The command at the head of a line that is one except for its end, if its password is right; it proves who spoke.

    Then no other word of the line is a password.
    """
    words = line.split()
    for end in range(2, min(len(words), _BEFORE_PASSWORD + 1)):
        try:
            command = parse(" ".join(words[:end]), context.games)
            if isinstance(command, SpokenCommand) and command.speaker is not None:
                return command if identify(command, context).proof is Proof.PROVEN else None
        except Unreadable:
            continue
        except PlayerError:
            break
    return None


def _said(fact: str, secrets: frozenset[str], line: str) -> str:
    """A fact, or which word of the line it repeats."""
    if not repeats(fact, secrets):
        return fact
    words = enumerate(line.split(), start=1)
    place = next((place for place, word in words if word in secrets and repeats(fact, (word,))), None)
    return HIDDEN if place is None else HiddenWord(place)


def hide_beginnings(wrong: NoCommand, lines: Iterable[str], context: Context) -> None:
    """Hide the beginnings of the lines of a letter without a command, if the sender's userid is beside them."""
    hidden = {word for line in lines for word in withheld(line, context.games, own_userids(context))}
    wrong.facts.update({name: HIDDEN for name in ("subject", "body") if repeats(str(wrong.facts[name]), hidden)})


class SeveralReasons(NotAllowed):
    """There are several reasons against a command; ``reasons`` are the refusals."""

    reasons: Sequence[PlayerError]


class Reasons:
    """Gathers refusals."""

    def __init__(self) -> None:
        self._found: list[PlayerError] = []

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """A block of code whose refusal is kept instead of raised."""
        try:
            yield
        except PlayerError as wrong:
            self._found.append(wrong)

    def check(self) -> None:
        """Accept that nothing was refused.

        Raises:
            PlayerError: the one refusal that there was.
            SeveralReasons: there were more.
        """
        if len(self._found) == 1:
            raise self._found[0]
        if self._found:
            raise SeveralReasons(self._found)


_ALSO_SAID = "subjects words turns barred one other offered undone plan_left labels"
_SAID = TYPED.union(_ALSO_SAID.split()) - {"key"}
"""Facts that contain words of the sender; all others are our own."""
_PIECE = re.compile(r"\w+")
_NAME = re.compile(r"[\w-]{4,}")
"""The name of an option, whole or as far as it is typed."""
_REPLY_MARKS = re.compile(r"^(?:\s*\w{1,3}:)*")
_SHORT = 2
"""The longest piece that reveals nothing, such as the space ``aa``."""
_LONGEST_NUMBER = 6
"""The most digits of a number; a longer one may be a telephone number."""
_PREFERENCES = {*Preferences.names(), *(value for name in Preferences.names() for value in Preferences.values(name))}
_WORDS = frozenset(COMMAND_WORDS | set(VERBS) | _PREFERENCES | WORDS_OF_PLANS)


def without_strange_words(notices: Sequence[Notice], letter: Letter, context: Context) -> list[Notice]:
    """The notices that answer a letter which proves nothing, without words that only its sender can have written."""
    hide = _Hider(letter, context)
    return [hide.in_notice(notice) if notice.answers else notice for notice in notices]


class _Hider:
    """Takes the words of one letter out of its answers."""

    def __init__(self, letter: Letter, context: Context) -> None:
        self._text = "\n".join((context.evidence.from_address or "", letter.subject, *letter.body)).casefold()
        lines = (next(filter(str.strip, letter.body), ""), _REPLY_MARKS.sub("", letter.subject))
        self._places = {word: place for line in lines for place, word in enumerate(line.split(), start=1)}
        self._context = context

    def in_notice(self, notice: Notice) -> Notice:
        """A notice without words of the sender, and so those that it gathers."""
        facts = self._in_facts(notice.facts)
        if isinstance(error := facts.get("error"), PlayerError):
            self._in_error(error)
        if notice.name == "answers":
            parts = cast("Sequence[Sequence[Notice]]", facts["parts"])
            facts["parts"] = [[self.in_notice(each) for each in part] for part in parts]
        return replace(notice, facts=facts)

    def _in_error(self, error: PlayerError) -> None:
        for name, fact in error.facts.items():
            for each in fact if isinstance(fact, tuple) else (fact,):
                if isinstance(each, PlayerError):
                    self._in_error(each)
            if isinstance(fact, int) and len(str(fact)) > _LONGEST_NUMBER and str(fact) in self._text:
                error.facts[name] = HIDDEN
        is_as_typed = isinstance(error, UnknownOption | AmbiguousOption)
        error.facts.update(self._in_facts(error.facts, () if is_as_typed else ("option",)))

    def _in_facts(self, facts: Mapping[str, object], own: Sequence[str] = ()) -> dict[str, object]:
        names = _SAID.difference(own)
        return {name: self._shown(fact) if name in names else fact for name, fact in facts.items()}

    def _shown(self, fact: object) -> object:
        if isinstance(fact, str):
            return fact if is_hidden(fact) or self._is_known(fact) else StrangeWord(fact, self._places.get(fact))
        return type(fact)(map(self._shown, fact)) if isinstance(fact, tuple | list) else fact

    def _is_known(self, words: str) -> bool:
        """Return True if somebody else may have written some words: we, or a player with that userid."""
        strange = [each for each in _PIECE.findall(words.casefold()) if each in self._text and not self._knows(each)]
        if not strange or self._context.uow.players.by_userid(words) is not None:
            return True
        return _NAME.fullmatch(words) is not None and bool(games_with_option(words, self._context))

    def _knows(self, piece: str) -> bool:
        if piece.isdecimal():
            return len(piece) <= _LONGEST_NUMBER
        return len(piece) <= _SHORT or piece in _WORDS or piece in self._context.games or looks_like_placement(piece)
