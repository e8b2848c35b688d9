"""Refusals → notices: what stood in the way, and never a word that may be a password."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pbem.commands.grammar import parse, verb_of
from pbem.commands.likeness import closest
from pbem.commands.model import (
    AddAddresses,
    AnswerPuzzle,
    BoardCommand,
    Challenge,
    ChangeAddresses,
    SendMessage,
    ShowPlayersBoards,
    SignUp,
    SpokenCommand,
    SubscribeTo,
    TableOfBoards,
    UnsubscribeFrom,
)
from pbem.commands.refusals import PasswordMissing, UnknownCommand, UnknownVerb
from pbem.commands.secrets import (
    HIDDEN,
    TYPED,
    HiddenWord,
    is_hidden,
    likely_either,
    never_repeated,
    pieces,
    repeats,
)
from pbem.domain.notices import Notice
from pbem.domain.players import userid_key
from pbem.errors import PlayerError, Unreadable
from pbem.ids import BoardNumber
from pbem.usecases.challenges.challenging import InvalidChallenge
from pbem.usecases.context import Proof
from pbem.usecases.notices.notifications import about_board
from pbem.usecases.proof.speakers import NotConfirmed, identify
from pbem.usecases.robots.puzzles import facts_of_puzzle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pbem.commands.model import Command
    from pbem.commands.reading import NoCommand
    from pbem.domain.boards import Board
    from pbem.usecases.context import Context

REFUSALS = ("error", "board_error", "puzzle_error", "invalid_challenge", "no_more_questions")
"""Notices that say that nothing has been done; each has its refusal among its facts, as ``error``."""
_BEFORE_PASSWORD = 5
"""Words of a command up to its password, at the most: game, verb, board or deed, userid."""


def refusal(wrong: PlayerError, command: Command | None, line: str, context: Context) -> Notice:
    """Word for word what stood in the way, never a word that may be a password, and the board or puzzle meant."""
    player = context.speaker.player
    game_name = _game_named(command, wrong, line, context)
    facts: dict[str, object] = {
        "error": _without_passwords(wrong, command, line, context),
        "form": command.form if command else wrong.facts.get("form") or _form_meant(wrong),
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
        return Notice("puzzle_error", to, shown, answers=True, from_nobody=True)
    if isinstance(wrong, InvalidChallenge):
        return Notice("invalid_challenge", to, facts, answers=True, from_nobody=True)
    return Notice("error", to, facts, answers=True, from_nobody=True)


def _form_meant(wrong: PlayerError) -> str | None:
    """The verb that a mistyped one was meant for, if it can only be that."""
    word = str(wrong.facts.get("word"))
    if not isinstance(wrong, UnknownVerb | UnknownCommand) or is_hidden(word):
        return None
    verbs = {verb_of(verb) for verb in closest(word, wrong.verbs)}
    return verbs.pop() if len(verbs) == 1 else None


def _board_meant(command: Command | None, wrong: PlayerError, context: Context) -> Board | None:
    """The board that a command names, or that its refusal is about."""
    number = command.board if isinstance(command, BoardCommand) else wrong.facts.get("board")
    return context.uow.boards.find(BoardNumber(number)) if isinstance(number, int) else None


def _game_named(command: Command | None, wrong: PlayerError, line: str, context: Context) -> str | None:
    first = next((word for word in line.lower().split(maxsplit=1)[:1] if word in context.games), None)
    named = getattr(command, "game", None) or wrong.facts.get("game") or first
    return str(named).lower() if named else None


def _without_passwords(wrong: PlayerError, command: Command | None, line: str, context: Context) -> PlayerError:
    """Blank every fact that repeats a word which may be a password."""
    if isinstance(wrong, NotConfirmed):
        return wrong  # the password was right, so what it names is a userid
    secrets = _secrets(wrong, command, line, context)
    reasons = wrong.facts.get("reasons", ())
    every = (wrong, *(reasons if isinstance(reasons, tuple) else ()))
    if command is None and any(repeats(word, secrets) for each in every for word in _typed(each)):
        secrets = _password_in_its_place(line, context) or secrets
    for each in every:
        for name, fact in each.facts.items():
            if name in TYPED and isinstance(fact, str):
                each.facts[name] = _said(fact, secrets, line)
            if name == "userids" and isinstance(fact, tuple):
                each.facts[name] = tuple(_said(userid, secrets, line) for userid in fact)
    return wrong


def _typed(wrong: PlayerError) -> Iterator[str]:
    """The words of a command that its refusal repeats."""
    return (fact for name, fact in wrong.facts.items() if name in TYPED and isinstance(fact, str))


def _said(fact: str, secrets: frozenset[str], line: str) -> str:
    """A fact, or which word of the line it repeats."""
    if not repeats(fact, secrets):
        return fact
    words = enumerate(line.split(), start=1)
    place = next((place for place, word in words if word in secrets and repeats(fact, (word,))), None)
    return HIDDEN if place is None else HiddenWord(place)


def _password_in_its_place(line: str, context: Context) -> frozenset[str]:
    """The password of a line that is a command but for its end, if it stands where it belongs and is right."""
    words = line.split()
    for end in range(2, min(len(words), _BEFORE_PASSWORD + 1)):
        try:
            command = parse(" ".join(words[:end]), context.games)
            if isinstance(command, SpokenCommand) and command.speaker is not None:
                is_right = identify(command, context).proof is Proof.PROVEN
                return frozenset((command.speaker.password,) if is_right else ())
        except Unreadable:
            continue
        except PlayerError:
            break
    return frozenset()


def _secrets(wrong: PlayerError, command: Command | None, line: str, context: Context) -> frozenset[str]:
    """The words of a line that may be a password, as far as the command that was read from it does not tell."""
    if isinstance(command, SpokenCommand) and command.speaker and context.speaker.proof is Proof.PROVEN:
        return frozenset((command.speaker.password,))
    own = own_userids(context)
    hidden = frozenset(word for word in never_repeated(line, context.games) if userid_key(word) not in own)
    if isinstance(wrong, PasswordMissing) and userid_key(wrong.userid) not in own:
        hidden |= {wrong.userid}  # the password alone, without a userid, is as likely as anything else
    match command:
        case SignUp(userid=userid):
            return hidden - {userid}
        case AddAddresses(addresses=named) | ChangeAddresses(addresses=named):
            hidden |= {word for word in named if "@" not in word}
        case Challenge(userids=named) | ShowPlayersBoards(userids=named) | TableOfBoards(userids=named):
            return _next_to_himself(named, context) | _behind_himself(named, context)
        case SendMessage(to=named):
            return _next_to_himself(named, context) | _behind_himself(named, context)
        case SubscribeTo(watched=watched) | UnsubscribeFrom(watched=watched):
            return _next_to_himself(watched.userids, context) | _behind_himself(watched.userids, context)
    return hidden | beside_himself(line.split()[1:], context)


def _next_to_himself(userids: Sequence[str], context: Context) -> frozenset[str]:
    """The words among userids that name nobody and stand next to the sender's; anybody's, if nobody knows who he is.

    There is no place for a password there, but many type one by habit.
    """
    there = {userid: context.uow.players.by_userid(userid) is not None for userid in userids}
    own = own_userids(context) or {userid_key(userid) for userid, is_there in there.items() if is_there}
    pairs = pairwise((*userids, *reversed(userids)))
    beside = {word for other, word in pairs if userid_key(other) in own and not there[word]}
    return frozenset(beside | {word for word in userids if own & set(map(userid_key, pieces(word)))} - own)


def _behind_himself(userids: Sequence[str], context: Context) -> frozenset[str]:
    """The last of some userids, if it names nobody and the sender's stands before it: many end a line by a password."""
    own = own_userids(context)
    is_named = any(userid_key(userid) in own for userid in userids[:-1])
    return frozenset(word for word in userids[-1:] if is_named and context.uow.players.by_userid(word) is None)


def beside_himself(words: Sequence[str], context: Context) -> frozenset[str]:
    """The words that may be a password, if the sender's own userid stands among them, where none belongs."""
    own = own_userids(context)
    if not any(userid_key(piece) in own for word in words for piece in pieces(word)):
        return frozenset()
    return frozenset(word for word in likely_either(words, context.games) if userid_key(word) not in own)


def hide_beginnings(wrong: NoCommand, lines: Iterable[str], context: Context) -> None:
    """Blank what the lines of a letter without a command begin with, if the sender's userid stands beside it."""
    hidden = {word for line in lines for word in beside_himself(line.split(), context)}
    wrong.facts.update({name: HIDDEN for name in ("subject", "body") if repeats(str(wrong.facts[name]), hidden)})


def own_userids(context: Context) -> frozenset[str]:
    """The keys of the userids that the sender of a letter may have: no secret, whatever word stands beside them."""
    sender = context.evidence.from_address
    players = [*context.uow.players.by_confirmed_address(sender)] if sender else []
    return frozenset(userid_key(each.userid) for each in (*players, context.speaker.player) if each is not None)
