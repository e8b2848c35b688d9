"""Finds the commands of a letter: in the Subject, in the first line of the body, or in all its lines."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from pbem.commands import small_talk
from pbem.commands.accounts import SignUp
from pbem.commands.answers import without_phrases, words_of
from pbem.commands.below import (
    begins_branch,
    begins_else,
    plan_below,
    take_plan,
    with_kind_words_apart,
    without_bullets,
    without_own,
)
from pbem.commands.command import SpokenCommand
from pbem.commands.grammar import begins_command, parse
from pbem.commands.lenient import is_small_talk
from pbem.commands.line import SENTENCE_ENDS, BoardAnswered, about
from pbem.commands.normal import HARMLESS, is_move, normalised
from pbem.commands.planning import MakePlan
from pbem.commands.playing import ANSWERS_ALONE, PlayedMove
from pbem.commands.refusals import MissingWord, MoveWithoutBoard, ReadsAsSentence, UnknownGame
from pbem.commands.secrets import HIDDEN, withheld
from pbem.commands.steps import begins_step, take_steps, undecorated
from pbem.commands.subjects import Subject
from pbem.commands.userids import SENTENCE_WORDS, looks_like_placement
from pbem.commands.verb import Care
from pbem.commands.verbs import SAID, VERBS, closest, translation_of, verb_of
from pbem.errors import PbemError, Unreadable
from pbem.games.plans import MOST_OF_PLAN, TooManyBranches, with_bare_moves
from pbem.ids import BoardNumber

_THANKS = re.compile(
    r"(?:(?:ok|okay|great|many)[\s,.!]+)?"
    r"(?:thanks|thank you|thx|ty|cheers|merci|danke|vielen dank|gracias|grazie|obrigad[oa])(?:[\s,.;:!)]|$)",
    re.IGNORECASE,
)
"""Kind words at the beginning of a first line that says nothing else."""
MOST_CHARACTERS = 4000
"""Most characters of a line with a command; reading it word by word costs time."""

_END_OF_COMMANDS = ("end", "quit", "--")


class NoCommand(Unreadable):
    """Neither the Subject nor the body holds a command; the facts are the first word of each."""

    def __init__(self, subject: str, body: str, verbs: Sequence[str], games: Collection[str]) -> None:
        PbemError.__init__(self, subject=subject[:40], body=body[:40], verbs=tuple(verbs), games=tuple(sorted(games)))


class EmptyLetter(Unreadable):
    """The letter has no words at all."""


class AnswerLost(Unreadable):
    """The letter seems to answer the question for a new password, but not which one; none of it is repeated."""


class NothingAsked(Unreadable):
    """Somebody thanks for a mail of ours; the fact is the board of that mail, if it was about one."""

    told_of: BoardNumber | None


class NothingListed(Unreadable):
    """A letter of many commands contains none."""


class LineTooLong(Unreadable):
    """The line of a command is too long to be read; none of it is repeated."""

    most: int


class TooManyCommands(Unreadable):
    """A letter of many commands contains more of them than are taken at once."""

    most: int


@dataclass(frozen=True, slots=True)
class Reading:
    """The requests of a letter: its command lines, and the words meant for the opponents."""

    lines: tuple[str, ...]
    comment: str = ""
    answered: BoardAnswered | None = None
    multiple: bool = False
    undone: tuple[str, ...] = ()
    """Lines with more commands, for which a letter of one command has no room."""
    plan: str = ""
    """The branches of a plan below the command, which is a move."""

    def begins_like_commands(self, games: Collection[str]) -> bool:
        """Return True if a line begins like a command or a move, right or wrong, rather than like a sentence."""
        return any(begins_command(line, games) or _begins_move(line) for line in self.lines)


def _begins_move(subject: str) -> bool:
    """Return True if a Subject that names no board begins like a move; in an answer to a board's mail it is one."""
    first = re.split(r"[\s,;#]", subject, maxsplit=1)[0].lower().rstrip(SENTENCE_ENDS)
    return looks_like_placement(first) or first in ANSWERS_ALONE or begins_step(subject)


def _begins_translated(subject: str, games: Collection[str]) -> bool:
    """Return True if a Subject begins with a verb of another language.

    One that names a board to which the lines below belong is no title: ``studie 101``.
    """
    words = re.findall(r"\w+", subject)
    verb = translation_of(next(iter(words[1:2] if words and words[0].lower() in games else words[:1]), ""))
    return verb is not None and not (VERBS[verb].keeps_lines and any(map(str.isdecimal, words)))


def _is_translated(subject: str) -> bool:
    """Return True if a Subject is only a word of another language that may be the answer to a board's mail."""
    return translation_of(subject.rstrip(SENTENCE_ENDS)) in ANSWERS_ALONE


def _first_words(body: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The first line of a body that is not empty, and the lines behind it."""
    for index, line in enumerate(body):
        if line.strip():
            return line.strip(), body[index + 1 :]
    return "", ()


def _comment(lines: Sequence[str]) -> str:
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def read_letter(
    subject: str,
    body: Sequence[str],
    games: Collection[str],
    *,
    most: int,
    answered: BoardAnswered | None = None,
) -> Reading:
    """Find the commands of a letter.

    Args:
        subject: the decoded Subject, on one line.
        body: the sender's own lines, quotes and signature taken off.
        games: the names of the games that the server plays.
        most: how many commands a letter may hold.
        answered: the board that the letter's reply address proves it to answer.

    Raises:
        Unreadable: no command was found, or too many, or one that is too long.
    """
    known = Subject.of(subject)
    if known.asks_for_a_password:
        raise AnswerLost
    if known.text.lower() == "multiple":
        reading = Reading(_many(body, most), multiple=True)
    else:
        reading = _read_one(known, body, games, answered or known.board)
    for line in reading.lines:
        if len(line) > MOST_CHARACTERS:
            if not _is_plan(line, games, answered):
                raise LineTooLong(MOST_CHARACTERS)
            if len(line) > MOST_OF_PLAN:
                raise TooManyBranches
    return reading


def _read_one(subject: Subject, body: Sequence[str], games: Collection[str], answered: BoardAnswered | None) -> Reading:
    """Find the one command of a letter: in its Subject, in its body, or else in a Subject that may be ours.

    A Subject that begins with a verb of another language may be a title: it is a command only if the body has none.
    """
    line, rest = _first_words(body)
    is_title = line != "" and _begins_translated(subject.text, games)
    is_command = not is_title and begins_command(subject.text, games)
    line, rest = (_behind_greetings if answered is None else _plan_behind_greetings)(line, rest, games)
    is_said = answered is not None and (_begins_move(subject.text) or (not line and _is_translated(subject.text)))
    if not subject.is_ours and (is_command or is_said):
        return _of_subject(subject.text, body, line, rest, games, answered)
    if _THANKS.match(line) and (answered is not None or (subject.is_reply and subject.has_our_form)):
        raise NothingAsked(answered.board if answered else None)
    line, rest = (line, rest) if answered is None else _as_answer(undecorated(line), rest)
    if line and (answered is not None or begins_command(line, games)):
        return with_lines_below(*take_steps(line, rest), games, answered)
    is_answer = subject.is_ours and bool(line) and subject.is_reply
    if is_command and not is_answer and subject.may_be_typed:
        return with_lines_below(subject.text, body, games, answered)
    if line and subject.is_about_resets:
        raise AnswerLost
    if answered is None and not is_command and (below := _below_sentence(line, rest, games)) is not None:
        return with_lines_below(*below, games, answered)
    if is_title and not subject.is_ours and begins_command(subject.text, games):
        return _of_subject(subject.text, body, line, rest, games, answered)
    is_bare = subject.text.split()[-1:] == [str(subject.board and subject.board.board)]  # ours name a player, too
    if subject.board is not None and is_command and is_bare and not line and not subject.is_reply:
        with about(subject.board.board):
            raise MissingWord("move", "move")
    raise _nothing_found("" if subject.has_our_form else subject.text, line, games)


def _of_subject(
    subject: str,
    body: Sequence[str],
    line: str,
    rest: Sequence[str],
    games: Collection[str],
    answered: BoardAnswered | None,
) -> Reading:
    """Read the command of a Subject, which ``line`` of the body may carry on, with ``rest`` below it."""
    carried_on = _carried_on(subject, line, games, answered)
    if carried_on is None:
        return with_lines_below(subject, body, games, answered)
    return with_lines_below(carried_on, rest, games, answered)


def _as_answer(line: str, rest: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The first line of an answer to the mail of a board, and those below it, as they are meant."""
    first, *below = with_kind_words_apart(line, rest)
    plan = with_bare_moves(first)
    return (f"plan {plan}", below) if begins_branch(plan) or begins_else(plan) else _excused(line, rest)


def _excused(line: str, rest: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The harmless verb alone of a line such as ``Undo, please.``; its excuse goes to the lines below.

    Any other line stays as it is.
    """
    verb, *words = without_phrases(words_of(line), small_talk.ASKING) or [""]
    excuses = small_talk.EXCUSES.get(verb, frozenset())
    if "?" in line or not excuses or without_phrases(words, excuses | _KIND | small_talk.ONES_MOVE):
        return line, rest
    beside = re.split(verb, line, maxsplit=1, flags=re.IGNORECASE)[1].strip(" ,.;:!-\u2013\u2014")
    is_excused = without_phrases(words, small_talk.ASKING | small_talk.THANKS | small_talk.ONES_MOVE)
    return verb, [beside, *rest] if is_excused else rest


_KIND = small_talk.THANKS | small_talk.WISHES | small_talk.GREETINGS | small_talk.PRAISE


def _behind_greetings(line: str, rest: Sequence[str], games: Collection[str]) -> tuple[str, Sequence[str]]:
    """The command right below greetings, and the lines behind it; the first line if there is none."""
    first, below = line, rest
    while first and not begins_command(first, games):
        if _THANKS.match(first) or not is_small_talk(first, _OURSELVES):
            return line, rest
        first, below = _first_words(below)
    return (first, below) if first else (line, rest)


_OURSELVES = ("pbem", "server")


_PLAN_ANNOUNCED = re.compile(r"\A(?:(?:(?:here is|hier ist|voici) )?(?:my|mein|mon) )?plan\s*(?::\s*|$)", re.IGNORECASE)


def _plan_behind_greetings(line: str, rest: Sequence[str], games: Collection[str]) -> tuple[str, Sequence[str]]:
    """The beginning of a plan below greetings, and the lines behind it; the first line if there is none."""
    first, below = line, rest
    while first and all(is_small_talk(each, _OURSELVES) for each in re.split("[,.!]", first)):
        first, below = _first_words(below)
    first, *below = with_kind_words_apart(first, below)
    begun = _PLAN_ANNOUNCED.sub("plan ", undecorated(*without_bullets([first]))).strip()
    is_plan = begins_branch(begun) or (_is_plan(begun, games, None) and begins_command(begun, games))
    return (begun, below) if is_plan else (line, rest)


def _is_title(subject: str, games: Collection[str]) -> bool:
    """Return True if a Subject begins with a game, and has nothing else of a command."""
    words = subject.split()
    return (
        len(words) > 1
        and words[0].lower() in games
        and not re.search(r"[0-9#=@]", subject)
        and not any(verb_of(word) or closest(word, SAID) for word in words[1:])
    )


_LOOKED_AT = 6
"""Lines of a body that are searched for a command below sentences."""


def _below_sentence(line: str, rest: Sequence[str], games: Collection[str]) -> tuple[str, Sequence[str]] | None:
    """The only complete command below the first sentences of a body, and the lines below it.

    None if there is more than one, or if a sentence above could take it back.
    """
    lines = (line, *rest)
    said = [place for place, each in enumerate(lines) if each.strip()][:_LOOKED_AT]
    found = [place for place in said if _is_command(lines[place], games)]
    if len(found) != 1 or "<" in lines[found[0]]:
        return None
    command = lines[found[0]].strip()
    above = re.findall(r"[\w']+|\?", " ".join(lines[: found[0]]).lower().replace("\u2019", "'"))
    verbs = {verb_of(word) for word in normalised(command, games).split()[:2]}
    if "?" in above or not small_talk.DENIED.isdisjoint(above) or _most_care(verbs) >= Care.STRICT:
        return None
    return command, lines[found[0] + 1 :]


def with_lines_below(
    line: str, below: Sequence[str], games: Collection[str], answered: BoardAnswered | None
) -> Reading:
    """Read the one command of a letter, and tell apart the lines below it.

    Some are words for others, some a plan, and some are for nobody else: notes, and commands that are not carried out.
    """
    plan, verb = "", _verb_meant(line, games, answered)
    named = _without_game(line, games, answered)[1:2]
    boards = {*named} if named and named[0].isdecimal() else {str(answered.board)} if answered else {*words_of(line)}
    if verb is not None and VERBS[verb].keeps_lines:
        return Reading((line,), _comment(below), answered)
    if verb == "plan":
        line, *below = with_kind_words_apart(line, below)
        line, below = take_plan(line, without_bullets(below))
    elif verb not in _TALK:
        plan, below = plan_below(below, boards)
    same = _without_game(line, games, answered)
    private = list[str]()
    if verb not in _TALK:
        whole = below
        below, kept = without_own(whole, boards)
        private = [_label(kept, whole[len(below)], answered)] if kept else []
    others = [each for each in below if _is_command(each, games)]
    undone = tuple(each.strip() for each in (*others, *private) if _without_game(each, games, answered) != same)
    comment = _comment([each for each in below if each not in others])
    return Reading((line,), comment, answered, undone=undone, plan=plan)


def _label(kept: str, line: str, answered: BoardAnswered | None) -> str:
    """A line that begins a note or a study, as it is named: in an answer without other words than its number."""
    number = next(filter(str.isdecimal, words_of(line)), answered and answered.board)
    return line if answered is None else f"{kept} {number}"


_TALK = frozenset(("chat", "message", "report"))
"""Verbs below which all lines are meant for others."""


def _is_plan(line: str, games: Collection[str], answered: BoardAnswered | None) -> bool:
    """Return True if a line begins a plan, which may go on below it."""
    return _verb_meant(line, games, answered) == "plan"


def _verb_meant(line: str, games: Collection[str], answered: BoardAnswered | None) -> str | None:
    words = _without_game(line, games, answered)
    return verb_of(words[0]) or translation_of(words[0]) if words else None


def _without_game(line: str, games: Collection[str], answered: BoardAnswered | None) -> list[str]:
    words = normalised(line, games, answered).split()
    return words[1:] if words[:1] and words[0].lower() in games else words


def _is_command(line: str, games: Collection[str]) -> bool:
    """Return True if a line below a command is another one, and no words for the opponent, nor a line of our mails."""
    if re.search(r"<[a-z]+>", line) or re.match(r"\s*[0-9]{1,2}\.\s", line):  # a form, or a turn in the list of them
        return False
    words = normalised(line, games).split()
    is_sentence = len(words) > _MOST_OF_ANOTHER or any(word.lower() in SENTENCE_WORDS for word in words)
    if len(words) < 2 or (is_sentence and "plan" not in map(verb_of, words[:2])):
        return False
    try:
        command = parse(line, games)
    except Unreadable:
        return False
    if is_sentence:
        return isinstance(command, MakePlan)
    if isinstance(command, PlayedMove):
        return is_move(command.move_text.split()) or command.move_text.lower() in ANSWERS_ALONE
    if isinstance(command, SignUp):
        return True
    is_marked = words[0].lower() in games or any(re.search(r"[0-9#=@]", word) or word.startswith("-") for word in words)
    return is_marked or (isinstance(command, SpokenCommand) and command.speaker is not None)


_MOST_OF_ANOTHER = 30
"""Most words of a second command; more are a sentence."""


def _carried_on(subject: str, line: str, games: Collection[str], answered: BoardAnswered | None) -> str | None:
    """The command of which the Subject has only the game or the verb, or lacks the move, and the body the rest."""
    if not line:
        return None
    is_titled = answered is None and _is_title(subject, games) and _is_command(line, games)
    if is_titled or (answered is None and _is_said_of(subject, line, games)):
        return line
    begun = normalised(subject, games, answered)
    is_head = all(word.lower() in games or verb_of(word) is not None for word in begun.split())
    try:
        parse(begun, games, answered)
        is_whole = True
    except Unreadable as wrong:
        is_whole, lacks = False, wrong.facts.get("what")
    if not is_whole and lacks == "move" and is_move(line.split()):
        return f"{begun} {line}"
    words, first = begun.split(), line.split()[0]
    repeated = verb_of(words[-1]) in {verb_of(word) for word in normalised(line, games).split()[:2]} - {None}
    if not is_head or (is_whole and not repeated):
        return None
    joins = words[0].lower() in games or first.lower() in games
    numbered = re.match("#?[0-9]", first) and verb_of(words[-1]) in HARMLESS
    tried = (line, f"{words[0]} {line}" if joins else line, f"{begun} {line}" if numbered else line)
    return next((each for each in tried if begins_command(each, games) and _is_read(each, games)), None)


def _is_said_of(subject: str, line: str, games: Collection[str]) -> bool:
    """Return True if a Subject begins like a command but is a sentence, and the first line of the text is a command.

    Below a command that touches accounts, or cannot be taken back, no line is read as another.
    """
    said, words = ([verb_of(word.rstrip(SENTENCE_ENDS)) for word in text.split()[:3]] for text in (subject, line))
    verbs = set(filter(None, (*said, *words)))
    begun = re.findall(r"[\w']+", normalised(subject, games).casefold())
    is_sentence = not SENTENCE_WORDS.isdisjoint(begun) or ("help" in said and not _HELPLESS.isdisjoint(begun))
    if not (is_sentence or not _is_read(subject, games)) or _most_care(verbs) >= Care.PERSONAL:
        return False
    if not small_talk.DENIED.isdisjoint(begun):
        return False
    return (is_sentence or subject.endswith("?")) and any(words) and "<" not in line and _is_read(line, games)


def _most_care(verbs: Iterable[str | None]) -> Care:
    return max((VERBS[verb].care for verb in verbs if verb is not None), default=Care.HARMLESS)


_HELPLESS = frozenset(("needed", "wanted", "required", "urgently"))
"""Words that make ``help`` a call for it instead of the name of a page."""


def _is_read(line: str, games: Collection[str]) -> bool:
    try:
        parse(line, games)
    except Unreadable:
        return False
    return True


def _nothing_found(subject: str, line: str, games: Collection[str]) -> Unreadable:
    for words in (subject, line):
        try:
            parse(words, games)
        except UnknownGame as better:
            hidden = withheld(words, games)
            said = [word for word in str(better.facts["said"]).split() if word not in hidden or verb_of(word)]
            first = HIDDEN if hidden & {words.split()[0], better.facts["word"]} else str(better.facts["word"])
            return UnknownGame(first, sorted(games), " ".join(said))
        except (MoveWithoutBoard, ReadsAsSentence) as better:
            return better
        except Unreadable:
            continue
    if not subject and not line:
        return EmptyLetter()
    return NoCommand(_first_word(subject, games), _first_word(line, games), SAID, games)


def _first_word(line: str, games: Collection[str]) -> str:
    """The first word of a line, if it cannot be a password."""
    first = next(iter(line.split(maxsplit=1)), "")
    return HIDDEN if first in withheld(line, games) else first


def _many(body: Sequence[str], most: int) -> tuple[str, ...]:
    lines: list[str] = []
    for line in (line.strip() for line in body):
        if line.lower() in _END_OF_COMMANDS:
            break
        if line and not line.startswith("#"):
            lines.append(line)
    if not lines:
        raise NothingListed
    if len(lines) > most:
        raise TooManyCommands(most)
    return tuple(lines)
