"""Where the commands stand in a letter: Subject, first line of the body, or all lines of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.commands.grammar import SAID, begins_command, parse
from pbem.commands.line import BoardAnswered
from pbem.commands.refusals import MoveWithoutBoard, NotYet, UnknownGame
from pbem.commands.secrets import HIDDEN, never_repeated
from pbem.commands.steps import begins_step, take_steps, undecorated
from pbem.commands.userids import SENTENCE_ENDS, looks_like_placement
from pbem.errors import Unreadable
from pbem.ids import BoardNumber

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_PREFIX = re.compile(
    r"\s*(?:(?:re|fwd?|aw|wg|sv|vs|vb|antw|ant|odp|res|enc|ref|rif|tr|ynt|回复|答复|转发)"
    r"\s*(?:\[[0-9]{1,3}\]|\([0-9]{1,3}\)|\^[0-9]{1,3})?\s*[:\uff1a]|\[[^\]]{0,60}\])\s*",
    re.IGNORECASE,
)
_OUR_BOARD = re.compile(r"(?:new |nag: )?[a-z0-9_]+ board (?P<board>[0-9]{1,9})(?: [^\s,]+)?(?: \*\*)?", re.IGNORECASE)
_OUR_OTHER = re.compile(
    r"[a-z0-9_]+ (?:error|standings|limit|seeks|preview|chat [0-9]+ \S+)(?: \*\*)?"
    r"|[a-z0-9_]+ (?:tournaments|tournament [a-z0-9_-]{1,32}(?: is over| is called off| round [0-9]+)?)"
    r"|invalid challenge|list of (?:[a-z0-9_]+ )?games|vacation of \S+|signup for pbem account \S+",
    re.IGNORECASE,
)
_OUR_NEWS = re.compile(
    r"about \S+|players of late|what this server holds about \S+|what \S+ watches|what was mailed about .+"
    r"|record of \S+ board [0-9]{1,9}|boards(?: [0-9 ]+(?:in all)?)?|finished (?:\S+ )?games(?: of \S+)?"
    r"|preferences of \S+|pbem help(?:: .+)?|your (?:message to|report about) .+|your words to all players"
    r"|\S+ has written to (?:you|all players)|\S+ is on vacation|you have (?:un|not )?blocked \S+"
    r"|answers? to your (?:[0-9]+ )?commands?|your \S+(?: \S+)? command|please confirm\b.+"
    r"|as you wish: nothing has happened|welcome to pbem, \S+|goodbye, \S+|your account is .+"
    r"|new address(?:es)? for \S+|address confirmed for \S+|addresses of \S+|this address is no longer one of \S+"
    r"|mails to one of your addresses come back, \S+|my mails reach you again, \S+|your boards: .+"
    r"|a notice from the operator of pbem|pbem (?!error)\S+ .+",
    re.IGNORECASE,
)
"""Those of our Subjects that are no commands and begin none."""
_THANKS = re.compile(
    r"(?:(?:ok|okay|great|many)[\s,.!]+)?"
    r"(?:thanks|thank you|thx|ty|cheers|merci|danke|vielen dank|gracias|grazie|obrigad[oa])(?:[\s,.;:!)]|$)",
    re.IGNORECASE,
)
"""What a first line begins with that is only kind."""
_NEVER_MEANT = re.compile(r"vacation of .*|signup for pbem account .*", re.IGNORECASE)
"""Those that would be commands of other people, with passwords; the others somebody may have typed."""
_OUR_RESET = re.compile(r"a new password for \S+", re.IGNORECASE)
_ABOUT_RESETS = re.compile(r"a forgotten password|the password of \S+ has been changed", re.IGNORECASE)
"""Mails beside the question for a new password, which some answer in its place."""
_IN_PLACE_OF_A_MOVE = ("pass", "swap", "propose", "undo", "accept", "reject", "resign")
_END_OF_COMMANDS = ("end", "quit", "--")


class NoCommand(Unreadable):
    """Neither the Subject nor the body holds a command; the facts are the first word of each."""

    def __init__(self, subject: str, body: str, verbs: Sequence[str], games: Collection[str]) -> None:
        super().__init__(subject=subject[:40], body=body[:40], verbs=tuple(verbs), games=tuple(sorted(games)))


class EmptyLetter(Unreadable):
    """The letter has no words at all."""


class AnswerLost(Unreadable):
    """The letter seems to answer the question for a new password, and does not show which; none of it is repeated."""


class NothingAsked(Unreadable):
    """Somebody thanks for a mail of ours; the fact is the board that it tells of, if it is a board's."""

    def __init__(self, told_of: BoardNumber | None) -> None:
        super().__init__(told_of=told_of)


class NothingListed(Unreadable):
    """A letter of many commands has none."""


class TooManyCommands(Unreadable):
    """A letter of many commands has more of them than are taken at once."""

    def __init__(self, most: int) -> None:
        super().__init__(most=most)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a letter asks for: its command lines, and the words meant for the opponents."""

    lines: tuple[str, ...]
    comment: str = ""
    answered: BoardAnswered | None = None
    multiple: bool = False

    def begins_like_commands(self, games: Collection[str]) -> bool:
        """Whether one of the lines begins like a command or a move, right or wrong, rather than like a sentence."""
        return any(begins_command(line, games) or _begins_move(line) for line in self.lines)


def strip_prefixes(subject: str) -> str:
    """Take any number of reply and forward marks and list tags off a Subject."""
    while match := _PREFIX.match(subject):
        subject = subject[match.end() :]
    return subject.strip()


def _answered_board(subject: str) -> BoardAnswered | None:
    """The board of a Subject that has the form of one of ours; a move behind the number makes it a command."""
    match = _OUR_BOARD.fullmatch(subject)
    if match is None:
        return None
    last = subject.removesuffix(" **").split()[-1].lower()
    if looks_like_placement(last) or last in _IN_PLACE_OF_A_MOVE:
        return None
    return BoardAnswered(BoardNumber(int(match["board"])))


def _has_our_form(subject: str) -> bool:
    """Whether a Subject without reply marks is, by its looks, one of ours."""
    return any(form.fullmatch(subject) for form in (_OUR_BOARD, _OUR_OTHER, _OUR_NEWS, _ABOUT_RESETS))


def _begins_move(subject: str) -> bool:
    """Whether a Subject that names no board begins like a move; in an answer to a board's mail it is one."""
    first = re.split(r"[\s,;#]", subject, maxsplit=1)[0].lower().rstrip(SENTENCE_ENDS)
    return looks_like_placement(first) or first in _IN_PLACE_OF_A_MOVE or begins_step(subject)


def _first_words(body: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The first line of a body that says something, and the lines behind it."""
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
        Unreadable: no command was found, or too many.
    """
    whole, subject = subject, strip_prefixes(subject)
    if _OUR_RESET.fullmatch(subject):
        raise AnswerLost
    if subject.lower() == "multiple":
        return Reading(_many(body, most), multiple=True)
    ours = _answered_board(subject)
    is_ours = ours is not None or _OUR_OTHER.fullmatch(subject) is not None
    answered = answered or ours
    if not is_ours and (begins_command(subject, games) or (answered is not None and _begins_move(subject))):
        return Reading((subject,), _comment(body), answered)
    line, rest = _first_words(body)
    is_reply = subject != whole.strip()
    if _THANKS.match(line) and (answered is not None or (is_reply and _has_our_form(subject))):
        raise NothingAsked(answered.board if answered else None)
    line = line if answered is None else undecorated(line)
    if line and (answered is not None or begins_command(line, games)):
        line, rest = take_steps(line, rest)
        return Reading((line,), _comment(rest), answered)
    is_answer = is_ours and bool(line) and is_reply
    if begins_command(subject, games) and ours is None and not is_answer and not _NEVER_MEANT.fullmatch(subject):
        return Reading((subject,), _comment(body), answered)
    if line and _ABOUT_RESETS.fullmatch(subject):
        raise AnswerLost
    raise _nothing_found("" if _has_our_form(subject) else subject, line, games)


def _nothing_found(subject: str, line: str, games: Collection[str]) -> Unreadable:
    for words in (subject, line):
        try:
            parse(words, games)
        except UnknownGame:
            return UnknownGame(_first_word(words, games), sorted(games))
        except (MoveWithoutBoard, NotYet) as better:
            return better
        except Unreadable:
            continue
    if not subject and not line:
        return EmptyLetter()
    return NoCommand(_first_word(subject, games), _first_word(line, games), SAID, games)


def _first_word(line: str, games: Collection[str]) -> str:
    """The first word of a line, if it cannot be a password."""
    first = next(iter(line.split(maxsplit=1)), "")
    return HIDDEN if first in never_repeated(line, games) else first


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
