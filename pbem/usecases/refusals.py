"""Refusals → notices: what stood in the way, and never a word that may be a password."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pbem.commands.model import BoardCommand, Challenge, SpokenCommand
from pbem.commands.secrets import HIDDEN, TYPED, possible_passwords, repeats
from pbem.domain.notices import Notice
from pbem.ids import BoardNumber
from pbem.usecases.challenges import InvalidChallenge
from pbem.usecases.context import Proof
from pbem.usecases.notifications import about_board

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
    secrets = possible_passwords(line, context.games)
    if isinstance(command, SpokenCommand) and command.speaker and context.speaker.proof is Proof.PROVEN:
        secrets = frozenset((command.speaker.password,))
    if isinstance(command, Challenge):
        secrets = _behind_players(command.userids, context)
    reasons = wrong.facts.get("reasons", ())
    for each in (wrong, *(reasons if isinstance(reasons, tuple) else ())):
        for name, fact in each.facts.items():
            if name in TYPED and isinstance(fact, str) and repeats(fact, secrets):
                each.facts[name] = HIDDEN
            if name == "userids" and isinstance(fact, tuple):
                each.facts[name] = tuple(HIDDEN if repeats(userid, secrets) else userid for userid in fact)
    return wrong


def _behind_players(userids: Sequence[str], context: Context) -> frozenset[str]:
    """The words of a challenge that name nobody and stand behind somebody's userid.

    A challenge has no place for a password, but many type one there by habit.
    """
    there = {userid: context.uow.players.by_userid(userid) is not None for userid in userids}
    return frozenset(word for before, word in pairwise(userids) if there[before] and not there[word])
