"""Whole random games over the real SMTP port, in both identity forms, every answer read."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import TypeAlias

import pytest

from pbem.diagrams.hextile.letters import draw
from pbem.games.hextile.position import Position
from pbem.games.hextile.superbo import SUPERBO
from tests.conversations.playing import random_turn
from tests.support.mail import Mail, Person
from tests.support.server import GameServer

Say: TypeAlias = Callable[[Person, Mail, str, int], None]
CLIENTS_PATTERN = re.compile(r"(New\s+)?(\S+)\s+Board\s+(\S+)")
"""The pattern by which programs written for pbmserv find game and board."""


def by_password(player: Person, board: Mail, move: str, ply: int) -> None:
    userid = player.address.partition("@")[0]
    number = CLIENTS_PATTERN.match(board.subject)
    assert number is not None
    player.says(f"superbo move {number[3]} {userid} secret {move}#{ply}")


def by_reply(player: Person, board: Mail, move: str, ply: int) -> None:
    del ply
    player.answers(board, move)


def check_board(mail: Mail, position: Position, players: tuple[str, str]) -> None:
    """A mail shows the position as an independent replay has it, the turn just made included."""
    found = CLIENTS_PATTERN.match(mail.subject)
    assert found is not None
    assert found[2] == "superbo"
    assert draw(position.layout.tiles, position.layout.labels) in mail.text
    turn = SUPERBO.input_text(position, ())
    automatic = f" (auto {', '.join(turn.automatic)})" if turn.automatic else ""
    assert f" {position.ply}. {turn.move}{automatic}" in mail.words
    if position.to_act is not None:
        on_turn = players[position.to_act]
        assert mail.subject == f"superbo Board {found[3]} {on_turn}"
        told = f"Your move, {on_turn}." if mail.recipient.startswith(f"{on_turn}@") else f"It's {on_turn}'s move."
        assert f"\n\n{told} " in mail.text
        return
    assert mail.subject == f"superbo Board {found[3]}"
    assert position.outcome is not None
    ending = "The game is a tie."
    if position.outcome.winners:
        winner = players[position.outcome.winners[0]]
        ending = "You won!" if mail.recipient.startswith(f"{winner}@") else f"{winner} won."
    assert f"\n\n{ending} " in mail.text


@pytest.mark.parametrize(("say", "seed"), [(by_password, 1), (by_reply, 2)], ids=["password", "reply"])
def test_a_random_game_is_played_to_its_end(server: GameServer, say: Say, seed: int) -> None:
    chance = random.Random(seed)
    people = server.player("alice"), server.player("bob")
    people[0].says("superbo challenge bob")
    boards = [person.hears() for person in people]
    position = SUPERBO.begin({}, players=2)
    while position.to_act is not None:
        mover = position.to_act
        position = random_turn(position, chance)
        say(people[mover], boards[mover], SUPERBO.input_text(position, ()).move.lower(), position.ply)
        boards = [person.hears() for person in people]
        for board in boards:
            check_board(board, position, ("alice", "bob"))
    assert position.ply > 1
    assert all(not server.postbox.unread_for(person.address) for person in people)


def test_many_games_side_by_side_do_not_disturb_each_other(server: GameServer) -> None:
    chance = random.Random(3)
    people = server.player("alice"), server.player("bob")
    positions = {}
    for _ in range(4):
        people[0].says("superbo challenge bob")
        boards = [person.hears() for person in people]
        positions[boards[0].subject.split()[3]] = SUPERBO.begin({}, players=2)
    for _ in range(30):
        number = chance.choice(sorted(positions))
        mover = positions[number].to_act
        assert mover is not None
        positions[number] = random_turn(positions[number], chance)
        userid = ("alice", "bob")[mover]
        people[mover].says(f"move {number} {userid} secret {SUPERBO.input_text(positions[number], ()).move}")
        for person in people:
            board = person.hears()
            assert board.subject.split()[2] == number
            check_board(board, positions[number], ("alice", "bob"))
