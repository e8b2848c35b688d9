"""The verbs of those who watch boards: what stands behind them → the command."""

from __future__ import annotations

from pbem.commands.line import Line, about, credentials, nothing_left, whole_number, without_to
from pbem.commands.model import (
    Command,
    Credentials,
    NotifyOfEnd,
    Subscribe,
    SubscribeTo,
    Unsubscribe,
    UnsubscribeFrom,
    Watched,
)
from pbem.commands.refusals import GameNeeded, MissingWord, NotABoard
from pbem.ids import BoardNumber

_ALL = "all"


def read_subscribe(line: Line) -> Command:
    """``subscribe [<userid> <password>] <board>+|all|<userid>+``, credentials also behind boards and ``all``."""
    watched, speaker = _watched("subscribe", line)
    if _is_one_board(watched):
        return Subscribe(watched.boards[0], game=line.game, speaker=speaker)
    return SubscribeTo(watched, line.game, speaker=speaker)


def read_unsubscribe(line: Line) -> Command:
    """``unsubscribe [<userid> <password>] <board>+|all|<userid>+``, credentials also behind boards and ``all``."""
    watched, speaker = _watched("unsubscribe", line)
    if _is_one_board(watched):
        return Unsubscribe(watched.boards[0], game=line.game, speaker=speaker)
    return UnsubscribeFrom(watched, line.game, speaker=speaker)


def _is_one_board(watched: Watched) -> bool:
    return len(watched.boards) == 1 and not watched.userids and not watched.everything


def _watched(form: str, line: Line) -> tuple[Watched, Credentials | None]:
    speaker, words = None, line.words
    if words and words[0].lower() == "to":
        words = words[1:]
    elif len(words) > 1:
        speaker, words = credentials(form, words, line.games)
        if speaker is None:
            words, speaker = _split_trailing(form, line, words)
        else:
            words = without_to(words)
    if not words and line.answered is not None:
        return Watched((line.answered.board,)), speaker
    if not words:
        raise MissingWord(form, "watched")
    boards = tuple(dict.fromkeys(BoardNumber(number) for word in words if (number := whole_number(word)) is not None))
    userids = tuple(word for word in words if word.lower() != _ALL and whole_number(word) is None)
    return Watched(boards, userids, any(word.lower() == _ALL for word in words)), speaker


def _split_trailing(form: str, line: Line, words: tuple[str, ...]) -> tuple[tuple[str, ...], Credentials | None]:
    """Boards or ``all``, and the credentials behind them, if there are any."""
    end = next((place for place, word in enumerate(words) if not _is_target(word)), len(words))
    targets, rest = words[:end], words[end:]
    if len(rest) < 2 and not targets:
        return words, None
    numbers = [number for number in map(whole_number, targets) if number is not None]
    if len(numbers) != 1:
        speaker, rest = credentials(form, rest, line.games)
        nothing_left(form, line, rest)
        return targets, speaker
    with about(BoardNumber(numbers[0])):
        speaker, rest = credentials(form, rest, line.games)
        nothing_left(form, line, rest)
    return targets, speaker


def _is_target(word: str) -> bool:
    return word.lower() == _ALL or whole_number(word) is not None


def read_notify(line: Line) -> Command:
    """``[<game>] notify [<userid> <password>] [<board>+]``, credentials also behind the boards."""
    speaker, words = credentials("notify", line.words, line.games)
    if speaker is None:
        words, speaker = _split_trailing("notify", line, words)
    boards = []
    for word in words:
        number = whole_number(word)
        if number is None:
            raise NotABoard("notify", word)
        boards.append(BoardNumber(number))
    if not boards and line.answered is not None and line.game is None:
        boards.append(line.answered.board)
    if not boards and line.game is None:
        raise GameNeeded("notify", sorted(line.games))
    return NotifyOfEnd(tuple(dict.fromkeys(boards)), line.game, speaker=speaker)
