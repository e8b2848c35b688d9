"""The record of a game as a file: anybody may ask for it, and it says all that was played."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conversations import mamba
from tests.conversations.playing import begin, form, played
from tests.support.mail import attached
from tests.support.server import GameServer

WON = ("b3", "c4,k5", "g2,h7", "d8,r10", "a7,v6")


@pytest.mark.parametrize("line", ["superbo export {}", "export {}", "EXPORT {}", "Re: superbo export {}"])
def test_anybody_gets_the_record_of_any_board(server: GameServer, line: str) -> None:
    table = begin(server, "ann", "ben")
    table.play("b3")
    stranger = server.person("stranger")
    stranger.says(line.format(table.number))
    answer = stranger.hears()
    assert answer.subject == f"Record of superbo Board {table.number}"
    record_is = f"The record of superbo Board {table.number}"
    attached_as = f"is attached as superbo-{table.number}.json. It has 1 turn."
    assert f"{record_is}, the game of ann and ben, {attached_as}" in answer.words
    for player, opponent in ((table.one, "ben"), (table.other, "ann")):
        player.says(line.format(table.number))
        assert f"{record_is}, your game against {opponent}, {attached_as}" in player.hears().words
    assert "It's ben's move." in answer.text
    name, kind, record = attached(answer)
    assert (name, kind) == (f"superbo-{table.number}.json", "application/json")
    turn = [{"q": 1, "r": -1, "state": 3}]
    players = {"players": ["ann", "ben"], "first": 0}
    assert record == {
        "format": "pbem-game/1", "game": "superbo", "options": {}, **players, "turns": [turn], "rules": 1
    }  # fmt: skip


def test_a_finished_game_has_its_result_in_the_record(shared: GameServer) -> None:
    table = begin(shared, "cleo", "dora")
    table.play(*WON)
    reader = shared.person("reader")
    reader.says(f"export {table.number}")
    answer = reader.hears()
    assert "cleo won." in answer.text
    _, _, record = attached(answer)
    assert [len(turn) for turn in record["turns"]] == [1, 2, 2, 2, 2]
    assert record["result"] == {"winner": 0, "reason": "eye"}


def test_a_player_is_told_of_all_the_others(shared: GameServer) -> None:
    table = mamba.begin(shared, "olga", "pete", "ruth")
    table.people[1].says(f"export {table.number}")
    assert f"Board {table.number}, your game against olga and ruth, is attached" in table.people[1].hears().words
    reader = shared.person("reader")
    reader.says(f"export {table.number}")
    assert f"Board {table.number}, the game of olga, pete and ruth, is attached" in reader.hears().words


def test_a_game_against_oneself_is_called_so(shared: GameServer) -> None:
    alone = shared.player("solo")
    alone.says("superbo challenge solo solo")
    number = alone.hears().subject.split()[3]
    alone.says(f"export {number}")
    assert f"Board {number}, your game against yourself, is attached" in alone.hears().words


def test_a_resignation_is_an_event_of_the_record(shared: GameServer) -> None:
    table = begin(shared, "ella", "finn")
    table.play("b3", "c4,k5", "resign")
    table.other.says(f"export {table.number}")
    _, _, record = attached(table.other.hears())
    assert record["turns"][2] == {"seat": 0, "event": "resign"}
    assert record["result"] == {"winner": 1, "reason": "resigned"}


def test_the_word_alone_is_enough_in_an_answer_and_the_record_can_be_answered_with_a_move(
    shared: GameServer,
) -> None:
    table = begin(shared, "gina", "hugo")
    table.one.answers(table.one_mail, "export")
    answer = table.one.hears()
    assert attached(answer)[2]["turns"] == []
    table.one.answers(answer, "b3")
    table.hear()
    assert table.one_mail.subject == f"superbo Board {table.number} hugo"


def test_each_record_of_a_letter_of_many_commands_comes_in_a_mail_of_its_own(shared: GameServer) -> None:
    table = begin(shared, "ines", "jack")
    reader = shared.person("reader")
    reader.says("multiple", f"export {table.number}\nhelp export\nsuperbo export {table.number}")
    mails = [reader.hears() for _ in range(3)]
    assert sum(len(list(mail.parsed.iter_attachments())) for mail in mails) == 2


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("export 999", "There is no board 999."),
        ("export", "board"),
        ("export bob", "is not a board number"),
        ("export {} bob", "before word 3"),
        ("mambo export {}", "is superbo, not mambo"),
    ],
)
def test_what_cannot_be_exported_is_refused_with_the_right_form(shared: GameServer, line: str, reason: str) -> None:
    number = _board(shared)
    reader = shared.person("reader")
    reader.says(line.format(number))
    answer = reader.hears()
    assert "rror" in answer.subject
    assert reason in answer.words
    assert form("export") in answer.text
    assert not list(answer.parsed.iter_attachments())


def test_a_declined_challenge_has_no_record(shared: GameServer) -> None:
    table = begin(shared, "karl", "lena")
    table.other.answers(table.other_mail, "resign")
    table.hear()
    table.one.says(f"export {table.number}")
    assert "there is no game to write down" in table.one.hears().words


def test_asking_for_a_record_changes_nothing(shared: GameServer) -> None:
    number = _board(shared)
    before = played(shared)
    reader = shared.person("reader")
    reader.says(f"export {number}")
    reader.hears()
    assert played(shared) == before


_BOARDS: dict[Path, str] = {}


def _board(server: GameServer) -> str:
    """A board of the server that is only looked at."""
    if server.folder not in _BOARDS:
        _BOARDS[server.folder] = begin(server, "mona", "nils").number
    return _BOARDS[server.folder]
