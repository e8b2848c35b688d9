"""Plans in games of the hall, whose moves are written in many ways."""

from __future__ import annotations

import random
import re

import pytest

from pbem.hall.game import HallGame
from pbem.hall.games import AMAZONS, CHESS, MNK
from pbem.hall.positions import HallPosition
from tests.conversations.playing import MailBoard, ask, userid
from tests.hall.boards import begun
from tests.hall.openspiel import each_game
from tests.support.server import GameServer

_BEFORE = 4
"""Turns before the plan is made."""


def turn_at_random(game: HallGame, position: HallPosition, lot: random.Random) -> tuple[str, HallPosition]:
    """A turn as it is told, and the position after it."""
    steps, before = [], position.ply
    while position.ply == before and position.outcome is None:
        steps.append(lot.choice(position.legal()))
        position = position.play(steps[-1])
    return game.input_text(position, steps).move, position


@each_game
def test_a_plan_replies_in_every_game(shared: GameServer, game: HallGame) -> None:
    options = ["columns=5", "row=5"] if game is MNK else []
    table, lot = begun(shared, game, "plan", *options), random.Random(8)
    position = game.begin(game.read_options(options), 2)
    turns = list[str]()
    for _ in range(_BEFORE + 5):
        text, position = turn_at_random(game, position, lot)
        assert position.outcome is None
        turns.append(text)
    table.play(*turns[: _BEFORE + 1])
    one, two, three, four = turns[_BEFORE + 1 :]
    table.one.answers(table.one_mail, f"if {one} then {two} (if {three} then {four})")
    assert f"\n    if {one} then {two} (\n     if {three} then {four})\n" in table.one.hears().text
    table.other.answers(table.other_mail, one)
    table.hear()
    assert f"Your plan has replied with {two}." in table.one_mail.words
    assert re.search(f"{userid(table.one)} (played|sent:) {re.escape(two)}\\.", table.other_mail.words)
    table.other.answers(table.other_mail, three)
    table.hear()
    assert f"Your plan has replied with {four}, and that was its last move." in table.one_mail.words
    assert str(position) in table.one_mail.text


def kept(table: MailBoard, plan: str) -> str:
    """The answer to a plan of the first player."""
    table.one.answers(table.one_mail, plan)
    return table.one.hears().words


@pytest.mark.parametrize("shot", ["g10-g8/h8", "g10-g8(h8)", "g10-g8 h8", "G10 - G8, H8"])
def test_a_plan_may_write_moves_as_people_do(shared: GameServer, shot: str) -> None:
    table = begun(shared, AMAZONS, f"shot{len(shot)}{'/' in shot}")
    table.play("d1-d7 g7")
    assert "I'll make your reply" in kept(table, f"plan if {shot} then g1-g3(a3) (if a7-a8/b8 then g3-g2/g3)")
    table.other.answers(table.other_mail, "g10-g8 h8")
    table.hear()
    assert "Your plan has replied with g1-g3 a3." in table.one_mail.words
    table.other.answers(table.other_mail, "a7-a8 b8")
    table.hear()
    assert "Your plan has replied with g3-g2 g3, and that was its last move." in table.one_mail.words


def test_a_plan_that_cannot_be_played_is_refused_with_the_reason(shared: GameServer) -> None:
    table = begun(shared, CHESS, "planwrong")
    table.play("e4")
    for plan, told in [
        ("if e5 then Nf6", '"Nf6" is not possible here'),
        ("if e4 then Nf3", '"e4" is not possible here'),
        ("if e5 then hurrah!", "Write a move of Chess like this one: Nf3."),
        ("if e5 then Nf3 (if Nc6 then O-O)", '"O-O" is not possible here'),
    ]:
        assert told in kept(table, f"plan {plan}")
    assert "I'll make your reply" in kept(table, "if e5 then Nf3\nif c5 then Nf3 (if d6 then d4)\nelse d4")
    shown = ask(table.one, f"plan {table.number} {userid(table.one)} secret").text
    assert "    if e5 then Nf3\n    if c5 then Nf3 (\n     if d6 then d4)\n    else d4\n" in shown
    table.other.answers(table.other_mail, "d7-d5")
    table.hear()
    assert "Your plan has replied with d4, and that was its last move." in table.one_mail.words
