"""Queued moves by mail: kept, made by themselves, dropped, and never seen by anybody else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.running import pbem
from tests.conversations.mamba import ANSWERS, OPENINGS
from tests.conversations.mamba import begin as mamba
from tests.conversations.playing import begin, form
from tests.support.server import GameServer, running_server


def test_a_queued_move_is_made_when_its_turn_comes(shared: GameServer) -> None:
    table = begin(shared, "ann1", "bob1")
    table.play("b3")
    table.one.answers(table.one_mail, "queue g2,h7\n\nThis will surprise you.")
    kept = table.one.hears()
    assert kept.subject == f"superbo Board {table.number} bob1"
    assert kept.text.startswith(f"Summary of superbo Board {table.number}\n\nIt's bob1's move. You played B3.\n")
    assert "Your move is queued. I'll make it when your turn comes:\n\n    g2,h7\n" in kept.text
    assert "was not passed on" in kept.words
    table.other.answers(table.other_mail, "c4,k5")
    table.hear()
    assert table.one_mail.subject == table.other_mail.subject == f"superbo Board {table.number} bob1"
    assert "Your queued move was made:\n\n    g2,h7\n" in table.one_mail.text
    for mail in (table.one_mail, table.other_mail):
        assert "   3. G2,H7 (auto J1)" in mail.text
    assert "queue" not in table.other_mail.text
    assert "surprise" not in table.other_mail.text
    table.play("d8,r10")
    assert "queue" not in table.one_mail.text


@pytest.mark.parametrize("verb", ["queue", "qmove", "moveq"])
def test_every_name_of_the_command_is_known_and_on_turn_it_plays_at_once(shared: GameServer, verb: str) -> None:
    table = begin(shared, f"ann-{verb}", f"bob-{verb}")
    table.one.says(f"superbo {verb} {table.number} ann-{verb} secret b3#1")
    table.hear()
    assert table.other_mail.subject == f"superbo Board {table.number} bob-{verb}"


def test_one_that_is_not_legal_then_is_dropped_and_its_owner_told_why(shared: GameServer) -> None:
    table = begin(shared, "ann2", "bob2")
    table.play("b3")
    table.one.answers(table.one_mail, "queue k5")
    table.one.hears()
    table.other.answers(table.other_mail, "c4,k5")
    table.hear()
    assert table.one_mail.subject == f"superbo Board {table.number} ann2"
    assert "Your queued move could not be made and has been dropped:\n\n    k5\n\nk5: space K" in table.one_mail.text
    assert "Your move, ann2." in table.one_mail.words
    assert "queue" not in table.other_mail.text
    table.play("g2,h7", "d8,r10")
    assert "queue" not in table.one_mail.text


def test_it_is_replaced_and_taken_back(shared: GameServer) -> None:
    table = begin(shared, "ann3", "bob3")
    table.play("b3")
    table.one.says(f"queue {table.number} ann3 secret g2,h7")
    table.one.hears()
    table.one.says(f"queue {table.number} ann3 secret d8,r10#3")
    kept = table.one.hears()
    assert "if that is move 3:" in kept.words
    assert "It replaces the one that you had queued before." in kept.words
    table.one.answers(kept, "queue cancel")
    assert "Your queued move has been dropped; nobody has seen it:\n\n    d8,r10\n" in table.one.hears().text
    table.one.says(f"queue {table.number} ann3 secret cancel")
    assert "You have no move in the queue" in table.one.hears().words
    table.play("c4,k5")
    assert table.one_mail.subject == f"superbo Board {table.number} ann3"


def test_of_a_single_tile_where_a_turn_has_two_its_owner_is_told_when_it_can_be_made(shared: GameServer) -> None:
    table = begin(shared, "ann8", "bob8")
    table.play("b3")
    for move, is_told in (("k5", True), ("c4,k5", False), ("c4 k5", False), ("swap", False)):
        table.one.says(f"queue {table.number} ann8 secret {move}")
        kept = table.one.hears()
        assert "Your move is queued." in kept.words
        assert ("It is one tile, and a turn has two." in kept.words) is is_told


def test_an_undo_drops_it(shared: GameServer) -> None:
    table = begin(shared, "ann4", "bob4")
    table.play("b3", "c4,k5", "g2,h7")
    table.one.answers(table.one_mail, "queue a7,v6")
    table.one.hears()
    table.other.answers(table.other_mail, "undo")
    table.hear()
    table.one.answers(table.one_mail, "accept")
    table.hear()
    assert "The game has changed, so your queued move has been dropped:" in table.one_mail.words
    assert "queue" not in table.other_mail.text
    table.play("c4,k5")
    assert table.one_mail.subject == f"superbo Board {table.number} ann4"


def test_in_mamba_several_follow_each_other_and_a_decision_comes_first(shared: GameServer) -> None:
    table = mamba(shared, "ann5", "bob5", "cat5")
    table.answer(2, "queue pass")
    table.people[2].hears()
    table.answer(1, "queue pass")
    table.people[1].hears()
    table.answer(0, "pass")
    table.hear()
    for mail in table.mails:
        assert mail.subject == f"mamba Board {table.number} ann5"
    assert "Your queued move was made:" in table.mails[1].text
    assert "Your queued move was made:" in table.mails[2].text
    assert "queue" not in table.mails[0].text
    table = mamba(shared, "ann6", "bob6")
    table.play(*OPENINGS[2][:-1])
    table.answer(1, "queue move e8-e7")
    table.people[1].hears()
    table.play(OPENINGS[2][-1])
    assert table.mails[1].subject == f"mamba Board {table.number} bob6"
    assert "queue" not in table.mails[1].text
    table.play(ANSWERS[2][0], "pass")
    assert table.mails[1].subject == f"mamba Board {table.number} ann6"
    assert "Your queued move was made:\n\n    move e8-e7\n" in table.mails[1].text


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("queue {n} bob7 secret c4,k5,m3", "m3 is one tile too many: a turn of this game has 2 tiles."),
        ("queue {n} ann7 secret zz1 zz2 c4", "c4 is one tile too many: a turn of this game has 2 tiles."),
        ("queue {n} bob7 secret", "command is missing"),
        ("queue", "command is missing"),
        ("queue {n} bob7 secret cancel", "You have no move in the queue"),
        ("queue {n} bob7 secret c4,k5#1", "the next move on board {n} is number 2"),
        ("queue {n} ann7 secret c4,hello", "hello"),
        ("queue {n} ann7 secret pass", "You cannot pass in this game"),
        ("pass {n} bob7 secret", "You cannot pass in this game"),
        ("queue {n} bob7 secret resign", 'Only a move can follow "queue". To resign, send "resign {n}" instead.'),
        ("queue 9999 bob7 secret c4", "9999"),
        ("queue {n} bob7 wrong c4,k5", "do not match"),
    ],
)
def test_refusals(shared: GameServer, line: str, why: str) -> None:
    if not _boards:
        table = begin(shared, "ann7", "bob7")
        table.play("b3")
        _boards.append(table.number)
    person = shared.person("ann7" if "ann7" in line else "bob7")
    person.says(line.format(n=_boards[0]))
    refused = person.hears()
    assert why.format(n=_boards[0]) in refused.words
    assert "Nothing has changed." in refused.text
    is_right = "no move in the queue" in why or "the next move" in why
    assert (form("pass" if line.startswith("pass") else "queue") in refused.text) is not is_right
    assert "secret" not in refused.text


_boards: list[str] = []


@pytest.mark.system
def test_nobody_but_the_owner_ever_sees_it(tmp_path: Path) -> None:
    """No mail to anybody else, no log, nothing that the operator is shown, no table once it is made or dropped."""
    move, other = "g2,h7", "a9,v6"
    with running_server(tmp_path, log_level="debug") as server:
        table, watcher = begin(server, "ann", "bob"), server.player("cat")
        watcher.says(f"subscribe {table.number} cat secret")
        watcher.hears()
        table.play("b3")
        watcher.hears()
        number = table.number
        table.one.says(f"queue {number} ann secret {move}")
        table.one.hears()
        table.one.says(f"queue {number}", f"{move}")  # no proof: a question first
        table.one.says(f"queue {number} {move}")
        table.one.hears()
        table.one.hears()
        for person in (table.other, watcher):
            for line in (f"show {number}", f"mailed {number}", "show ann", "data", f"export {number}", "games ann"):
                person.says(f"{line} {'bob' if person is table.other else 'cat'} secret" if line == "data" else line)
            person.says(f"showas {'bob' if person is table.other else 'cat'} secret {number}")
        table.other.hears_nothing()
        operator = [
            pbem(tmp_path, "admin", *words).stdout
            for words in (["boards", "show", number], ["players", "show", "ann"], ["letters"], ["outbox", "list"])
        ]
        printed = "\n".join((*server.lines, *operator))
        seen = [mail for mail in server.postbox.mails if mail.recipient != table.one.address]
        assert number in printed
        assert not re.search(move, printed, re.IGNORECASE)
        assert len(seen) > 10
        for mail in seen:
            assert not re.search(move.replace(",", ".?"), mail.text, re.IGNORECASE), mail.subject
        table.one.says(f"queue {number} ann secret {other}")
        table.one.hears()
        table.other.says(f"move {number} bob secret c4,k5")
        server.postbox.wait_until(lambda mails: any("could not be made" in mail.text for mail in mails))
        for mail in server.postbox.mails:
            assert mail.recipient == table.one.address or "a9" not in mail.text.lower()
        assert server.database.rows("SELECT count(queued), count(*) FROM seats") == [(0, 2)]
