"""Boards of the hall by mail."""

from __future__ import annotations

from pbem.hall.game import HallGame
from tests.conversations.playing import MailBoard, userid
from tests.support.server import GameServer


def begun(server: GameServer, game: HallGame, tag: str, *options: str) -> MailBoard:
    """A board whose first player is named first."""
    one, other = server.player(f"{game.name}{tag}one"), server.player(f"{game.name}{tag}two")
    words = " ".join((*(f"-{option}" for option in options), userid(one), userid(other)))
    one.says(f"{game.name} challenge {words}")
    mails = one.hears(), other.hears()
    return MailBoard(mails[0].subject.split()[3], one, other, *mails)
