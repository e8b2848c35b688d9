"""Comments and chat at a board: kept, and read again by those who were told."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from pbem.commands.accounts import Block
from pbem.commands.boards import Chat
from pbem.commands.command import Command
from pbem.commands.playing import MakeMove
from pbem.commands.watching import Subscribe
from pbem.domain.letters import CUT, Evidence
from pbem.domain.watches import LONGEST
from pbem.errors import PlayerError
from pbem.storage.passwords import Passwords
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import Context, Policy, Proof, Speaker
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.notices import remarks_of
from tests.support.handlers import GAMES, NUMBER, HandlerFixture


def context(handlers: HandlerFixture, uow: UnitOfWork, userid: str, comment: str = "") -> Context:
    speaker = Speaker(uow.players.by_userid(userid), Proof.PROVEN)
    passwords = cast("Passwords", None)  # nobody has to prove anything here
    policy, evidence = Policy("pbem@example.org"), Evidence("")
    known = Context(
        uow, handlers.now, GAMES, handlers.courses, passwords, policy, evidence, lambda *_: 0, lambda *_: "", speaker
    )
    return replace(known, comment=comment)


def writes(handlers: HandlerFixture, userid: str, command: Command, text: str) -> None:
    with handlers.work() as uow:
        dispatch(command, context(handlers, uow, userid, text))
        uow.commit()


def reads(handlers: HandlerFixture, userid: str) -> list[tuple[str, str, int, str]]:
    with handlers.work() as uow:
        found = remarks_of(handlers.board, context(handlers, uow, userid))
    return [(each.writer, each.kind.value, each.event, each.text) for each in found]


@pytest.fixture
def talking(handlers: HandlerFixture) -> HandlerFixture:
    """A board at which ann has moved with a word, and ben has answered."""
    handlers.challenges("ann", "ben")
    writes(handlers, "ann", MakeMove(NUMBER, "move f3-f5"), "Good luck!\n")
    writes(handlers, "ben", Chat(NUMBER), "<b>And you</b>")
    return handlers


SAID = [("ann", "comment", 1, "Good luck!"), ("ben", "chat", 1, "<b>And you</b>")]


def test_players_read_what_was_written_with_moves_and_in_chats(talking: HandlerFixture) -> None:
    assert reads(talking, "ann") == reads(talking, "ben") == SAID


def test_only_who_gets_the_mails_of_a_board_reads_it(talking: HandlerFixture) -> None:
    assert reads(talking, "cat") == []
    talking.asks("cat", Subscribe(NUMBER))
    assert reads(talking, "cat") == SAID


def test_nobody_reads_words_of_whom_he_has_blocked(talking: HandlerFixture) -> None:
    talking.asks("ann", Block("ben"))
    assert reads(talking, "ann") == SAID[:1]
    assert reads(talking, "ben") == SAID


def test_a_move_that_cannot_be_made_leaves_no_words_behind(talking: HandlerFixture) -> None:
    with pytest.raises(PlayerError):
        writes(talking, "ben", MakeMove(NUMBER, "z99"), "Take that!")
    assert reads(talking, "ben") == SAID


def test_silence_and_what_follows_a_cut_are_not_kept(talking: HandlerFixture) -> None:
    writes(talking, "ben", Chat(NUMBER), "x" * (LONGEST + 5) + CUT)
    assert len(reads(talking, "ben")[-1][3]) == LONGEST
    before = len(reads(talking, "ben"))
    talking.asks("ben", Subscribe(NUMBER))
    assert len(reads(talking, "ben")) == before
