"""Whole games of Mamba over the real SMTP port: two, three and four players and teams, every answer read."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass

import pytest

from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.position import Position
from pbem.games.mamba.squares import MARKS
from pbem.games.mamba.steps import Step
from tests.conversations.mamba import Round, begin
from tests.diagrams.mamba.boards import read
from tests.games.mamba.playing import playthroughs
from tests.support.mail import Mail
from tests.support.server import GameServer

_MOST_WEIGHED = 14


@dataclass
class Line:
    """What a player sends, and what comes of it."""

    text: str
    after: Position
    left_over: str


def best_for(seats: Collection[int], position: Position, chance: random.Random) -> Step:
    """The step that serves some seats best, among a few: everybody plays for them, so that the game soon ends."""
    steps = position.legal()

    def worth(step: Step) -> int:
        after = position.play(step)
        pieces = (len(after.pieces(seat)) * (1 if seat in seats else -1) for seat in range(after.rules.players))
        return sum(pieces) + 100 * (after.outcome is not None)

    return max(chance.sample(steps, min(_MOST_WEIGHED, len(steps))), key=worth)


def next_line(position: Position, seats: Collection[int], chance: random.Random) -> Line:
    """A turn, or the beginning of it, with its answers; with one step too many where another has to decide."""
    mover, now, words = position.to_act, position, list[str]()
    while now.outcome is None and now.ply == position.ply and now.to_act == mover:
        if words and chance.random() < 0.3:
            return Line(" ".join(words), now, "")
        step = best_for(seats, now, chance)
        words.append(MAMBA.input_text(now, (step,)).move)
        now = now.play(step)
    is_others = now.decision is not None and now.ply == position.ply
    return Line(" ".join([*words, "pass"] if is_others else words), now, "pass" if is_others else "")


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


def check(mail: Mail, position: Position, table: Round) -> None:
    """A mail shows the position as an independent replay has it, and names who has to act."""
    if position.to_act is None:
        assert mail.subject == f"mamba Board {table.number}"
    else:
        to_act = table.userids[position.to_act]
        assert mail.subject == f"mamba Board {table.number} {to_act}"
        assert f"\nIt is {to_act}'s turn.\n" in mail.text
    assert read(mail.text).squares == position.squares
    for seat in position.playing:
        cells = sorted(position.rules.grid.names[cell] for cell in position.pieces(seat))
        assert f"{MARKS[seat]} has {len(cells)}: {' '.join(cells)}" in mail.words


def check_decision(table: Round, position: Position) -> None:
    """Who has to decide is asked, and nobody else is."""
    decision = position.decision
    assert decision is not None
    for seat, mail in enumerate(table.mails):
        asked = f"{table.userids[seat]} <password> {decision.options[0]}\n"
        assert (asked in mail.text) == (seat == decision.owner)
        assert all(option in mail.words for option in decision.options)


# players · seed · for whom all play · who has won
WHOLE = {
    "two": ({}, 2, 38, (1,), "bob"),
    "three": ({}, 3, 100, (2,), "carol"),
    "four": ({}, 4, 63, (1,), "bob"),
    "teams": ({"teams": True}, 4, 215, (1, 3), "bob and dave"),
}


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
            told = "What stood behind it has not been done" in mail.words
            assert told == (bool(line.left_over) and seat == mover)
        if position.decision is not None:
            check_decision(table, position)
            by_others += position.decision.owner != position.on_turn
    assert by_others
    assert all(f"\nGame won by {winners}.\n" in mail.text for mail in table.mails)
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
    assert f"\nGame won by {winner}.\n" in table.mails[0].text
