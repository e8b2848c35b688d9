"""Refusals → notices: what stood in the way, and never a word that may be a password."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pbem.commands.model import (
    BoardCommand,
    Challenge,
    SendMessage,
    ShowPlayersBoards,
    SignUp,
    SpokenCommand,
    SubscribeTo,
    TableOfBoards,
    UnsubscribeFrom,
)
from pbem.commands.secrets import HIDDEN, TYPED, likely_either, never_repeated, repeats
from pbem.domain.notices import Notice
from pbem.domain.players import userid_key
from pbem.ids import BoardNumber
from pbem.usecases.challenges import InvalidChallenge
from pbem.usecases.context import Proof
from pbem.usecases.notifications import about_board
from pbem.usecases.proof import NotConfirmed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.commands.model import Command
    from pbem.domain.boards import Board
    from pbem.errors import PlayerError
    from pbem.usecases.context import Context


def refusal(wrong: PlayerError, command: Command | None, line: str, context: Context) -> Notice:
    """Word for word what stood in the way, never a word that may be a password, and the board if one is meant."""
    player = context.speaker.player
    game_name = _game_named(command, wrong, line, context)
    facts: dict[str, object] = {
        "error": _without_passwords(wrong, command, line, context),
        "form": command.form if command else wrong.facts.get("form"),
        "game_name": game_name,
        "game_meant": context.games.get(game_name or ""),
    }
    board = _board_meant(command, wrong, context)
    if board is not None:
        return about_board("board_error", board, context, facts, reader=player, refusal=True)
    to = player or context.evidence.answer_to
    if isinstance(wrong, InvalidChallenge):
        return Notice("invalid_challenge", to, facts, answers=True, from_nobody=True)
    return Notice("error", to, facts, answers=True, from_nobody=True)


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
    secrets = _secrets(command, line, context)
    reasons = wrong.facts.get("reasons", ())
    for each in (wrong, *(reasons if isinstance(reasons, tuple) else ())):
        for name, fact in each.facts.items():
            if name in TYPED and isinstance(fact, str) and repeats(fact, secrets):
                each.facts[name] = HIDDEN
            if name == "userids" and isinstance(fact, tuple):
                each.facts[name] = tuple(HIDDEN if repeats(userid, secrets) else userid for userid in fact)
    return wrong


def _secrets(command: Command | None, line: str, context: Context) -> frozenset[str]:
    """The words of a line that may be a password, as far as the command that was read from it does not tell."""
    if isinstance(command, SpokenCommand) and command.speaker and context.speaker.proof is Proof.PROVEN:
        return frozenset((command.speaker.password,))
    own = own_userids(context)
    hidden = frozenset(word for word in never_repeated(line, context.games) if userid_key(word) not in own)
    match command:
        case SignUp(userid=userid):
            return hidden - {userid}
        case Challenge(userids=named):
            return _behind_players(named, context)
        case ShowPlayersBoards(userids=named) | TableOfBoards(userids=named) | SendMessage(to=named):
            return _behind_players(named, context) | beside_himself(line.split()[1:], context)
        case SubscribeTo(watched=watched) | UnsubscribeFrom(watched=watched):
            return _behind_players(watched.userids, context) | beside_himself(line.split()[1:], context)
    return hidden | beside_himself(line.split()[1:], context)


def _behind_players(userids: Sequence[str], context: Context) -> frozenset[str]:
    """The words among userids that name nobody and stand behind somebody's.

    There is no place for a password there, but many type one by habit.
    """
    there = {userid: context.uow.players.by_userid(userid) is not None for userid in userids}
    return frozenset(word for before, word in pairwise(userids) if there[before] and not there[word])


def beside_himself(words: Sequence[str], context: Context) -> frozenset[str]:
    """The words that may be a password, if the sender's own userid stands among them, where none belongs."""
    own = own_userids(context)
    if not any(userid_key(word) in own for word in words):
        return frozenset()
    return frozenset(word for word in likely_either(words, context.games) if userid_key(word) not in own)


def own_userids(context: Context) -> frozenset[str]:
    """The keys of the userids that the sender of a letter may have: no secret, whatever word stands beside them."""
    sender = context.evidence.from_address
    players = [*context.uow.players.by_confirmed_address(sender)] if sender else []
    return frozenset(userid_key(each.userid) for each in (*players, context.speaker.player) if each is not None)
