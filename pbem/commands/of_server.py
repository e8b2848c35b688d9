"""The verbs of the whole server: what stands behind them → the command."""

from __future__ import annotations

from pbem.commands.line import Line, credentials, nothing_left, speaker_and_others, whole_number, without_to
from pbem.commands.model import Broadcast, Command, Help, ListGames, ReportPlayer, SendMessage, ShowRobots, ShowWho
from pbem.commands.refusals import MissingWord, NotABoard
from pbem.ids import BoardNumber


def read_help(line: Line) -> Command:
    """``help [<subject>+]``."""
    return Help((line.game, *line.words) if line.game else line.words)


def read_list(line: Line) -> Command:
    """``list [<game>*]``."""
    return ListGames((line.game, *line.words) if line.game else line.words)


def read_who(line: Line) -> Command:
    """``who [<userid>]``."""
    nothing_left("who", line, line.words[1:])
    return ShowWho(line.words[0] if line.words else None)


def read_robot(line: Line) -> Command:
    """``[<game>] robot``."""
    nothing_left("robot", line, line.words)
    return ShowRobots(line.game)


def read_message(line: Line) -> Command:
    """``message [<userid> <password>] <to>+``; short also ``message to <to>+``."""
    speaker, words = speaker_and_others("message", line)
    return SendMessage(words, speaker=speaker)


def read_broadcast(line: Line) -> Command:
    """``broadcast [<userid> <password>]``."""
    speaker, words = credentials("broadcast", line.words, line.games)
    nothing_left("broadcast", line, words)
    return Broadcast(speaker=speaker)


def read_report(line: Line) -> Command:
    """``report [<userid> <password>] <other> [<board>]``; short also ``report to <other> [<board>]``.

    Without ``to``, one word, or one and a number, are the player and the board; credentials need more.
    """
    words = line.words
    if words[:1] and words[0].lower() == "to":
        speaker, words = None, words[1:]
    elif len(words) == 1 or (len(words) == 2 and whole_number(words[1]) is not None):
        speaker = None
    else:
        speaker, words = credentials("report", words, line.games)
        words = without_to(words)
    if not words:
        raise MissingWord("report", "userid")
    about, *rest = words
    number = whole_number(rest[0]) if rest else None
    if rest and number is None:
        raise NotABoard("report", rest[0])
    nothing_left("report", line, tuple(rest[1:]))
    if number is None and line.answered is not None:
        return ReportPlayer(about, line.answered.board, speaker=speaker)
    return ReportPlayer(about, None if number is None else BoardNumber(number), speaker=speaker)
