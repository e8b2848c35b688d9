"""Whole games of Mamba over the real SMTP port: two, three and four players and teams, every answer read."""

from __future__ import annotations

import random
from collections.abc import Collection

import pytest

from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.position import Position
from pbem.games.mamba.squares import MARKS
from tests.conversations.mamba import WHOLE, Round, begin, check, next_line
from tests.games.mamba.playing import playthroughs
from tests.support.server import GameServer


def send(table: Round, seat: int, line: str, ply: int, form: int) -> None:
    """Send a line as a reply, with the password, or from a confirmed address and with a second letter."""
    player = table.people[seat]
    if form == 0:
        table.answer(seat, line)
    elif form == 1:
        player.says(f"mamba move {table.number} {table.userids[seat]} secret {line}#{ply + 1}")
    else:
        player.says(f"move {table.number} {line}")
        question = player.hears()
        assert f"    move {table.number} {line}\n" in question.text
        player.answers(question, "yes")


def check_decision(table: Round, position: Position) -> None:
    """Check that the player who has to decide is asked, and nobody else."""
    decision = position.decision
    assert decision is not None
    for seat, mail in enumerate(table.mails):
        asked = f"{table.userids[seat]} <password> {decision.options[0]}\n"
        assert (asked in mail.text) == (seat == decision.owner)
        assert all(option in mail.words for option in decision.options)


def won_by(winners: str, reader: str) -> str:
    """The sentence about the winners that a reader gets."""
    names = winners.split(" and ")
    if reader not in names:
        return f"{winners} won."
    others = " and ".join(name for name in names if name != reader)
    return f"You won, together with {others}!" if others else "You won!"


@pytest.mark.parametrize(("options", "players", "seed", "seats", "winners"), WHOLE.values(), ids=WHOLE)
def test_a_game_is_played_to_its_end(
    server: GameServer, options: dict[str, bool], players: int, seed: int, seats: Collection[int], winners: str
) -> None:
    chance = random.Random(seed)
    names = ("alice", "bob", "carol", "dave")[:players]
    table = begin(server, *names, options=["-inorder", *(f"-{name}" for name in options)])
    position = MAMBA.begin(options, players)
    by_others, letter = 0, 0
    while position.to_act is not None:
        mover, line = position.to_act, next_line(position, seats, chance)
        send(table, mover, line.text, position.ply, letter % 3)
        position, letter = line.after, letter + 1
        table.hear()
        for seat, mail in enumerate(table.mails):
            check(mail, position, table)
            told = "The rest was not played" in mail.words
            assert told == (bool(line.left_over) and seat == mover)
        if position.decision is not None:
            check_decision(table, position)
            by_others += position.decision.owner != position.on_turn
    assert by_others
    for userid, mail in zip(table.userids, table.mails, strict=True):
        assert f"\n\n{won_by(winners, userid)} " in mail.text
    assert not any(server.postbox.unread_for(person.address) for person in table.people)


@pytest.mark.parametrize("number", [0, *(pytest.param(number, marks=pytest.mark.slow) for number in (1, 2, 4))])
def test_a_recorded_game_is_played_by_mail_input_by_input(server: GameServer, number: int) -> None:
    record, expected = (playthroughs()[number][name] for name in ("record", "expected"))
    table = begin(server, *("ann", "ben", "cleo", "dora")[: len(record["players"])])
    position = MAMBA.begin(record["options"], len(record["players"]))
    for turn, told in zip(record["turns"], expected["turns"], strict=True):
        assert table.to_act == turn["seat"]
        table.play(turn["input"])
        position = MAMBA.read_input(position, turn["input"]).position
        assert told["board"] == MAMBA.report(position)["board"]
        for mail in table.mails:
            check(mail, position, table)
    winner = table.userids[MARKS.index(expected["result"]["winner"])]
    assert f"\n\n{won_by(winner, table.userids[0])} " in table.mails[0].text


def test_a_pass_is_told_as_one(shared: GameServer) -> None:
    table = begin(shared, "pas1", "pas2")
    table.play("pass")
    assert "You passed." in table.mails[0].words
    assert "pas1 passed." in table.mails[1].words
    assert "played pass" not in table.mails[1].words
