"""``pbem admin boards`` beside a running server."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import pytest

from tests.cli.admin import admin, done, in_a_process, refused, told
from tests.cli.running import pbem
from tests.conversations.playing import begin, seat
from tests.support.server import GameServer


def numbers(server: GameServer, *words: str) -> list[int]:
    return [row["board"] for row in told(server.folder, "boards", "list", *words)]


def test_boards_are_listed_by_game_player_and_how_long_nothing_has_happened(shared: GameServer) -> None:
    leo = shared.player("leo")
    first, second = (seat(shared, shared.player(name), leo) for name in ("lea", "lia"))
    second.play("B3")
    lea, lia = int(first.number), int(second.number)
    row = next(row for row in told(shared.folder, "boards", "list") if row["board"] == lia)
    assert row["players"] == ["lia", "leo"]
    assert (row["game"], row["to_act"], row["ending"], row["trouble"]) == ("superbo", "leo", None, "")
    assert numbers(shared, "--player", "LEO") == [lea, lia]
    assert numbers(shared, "--player", "leo", "--limit", "1") == [lea]
    assert numbers(shared, "--game", "Mambo") == []
    assert numbers(shared, "--player", "leo", "--idle-since", row["last_at"]) == [lea]
    assert numbers(shared, "--idle-since", "2020-01-01") == []
    first.one.answers(first.one_mail, "resign")
    first.hear()
    assert numbers(shared, "--player", "leo") == [lia]
    assert numbers(shared, "--player", "leo", "--all") == [lia, lea]
    assert "lia, leo  leo" in done(shared.folder, "boards", "list", "--player", "lia")
    assert 'called "nobody"' in refused(shared.folder, "boards", "list", "--player", "nobody")


@pytest.mark.parametrize(
    "words",
    [
        ["--idle-since", "2999-01-01"],
        ["--idle-since", "yesterday"],
        ["--idle-since", "0001-01-01T00:00+14:00"],
        ["--idle-since", ""],
        ["--game", "chess"],
        ["--limit", "0"],
    ],
    ids=" ".join,
)
def test_a_list_of_boards_asks_for_what_there_can_be(shared: GameServer, words: list[str]) -> None:
    wrong = admin(shared.folder, "boards", "list", *words)
    assert wrong.exit_code == 2
    assert "Traceback" not in wrong.stderr


@pytest.mark.sqlite
def test_a_damaged_board_is_listed_with_its_trouble_and_hides_no_other(shared: GameServer) -> None:
    mel = shared.player("mel")
    whole, damaged, emptied = (seat(shared, shared.player(name), mel) for name in ("mae", "mia", "mur"))
    damaged.play("B3")
    with closing(sqlite3.connect(shared.folder / "pbem.db")) as database, database:
        database.execute("UPDATE boards SET options = '{', clock = 'x' WHERE number = ?", (damaged.number,))
        database.execute("UPDATE events SET at = 'noon', record = '{' WHERE board_number = ?", (damaged.number,))
        database.execute("UPDATE boards SET event_number = 7 WHERE number = ?", (emptied.number,))
    troubles = {row["board"]: row["trouble"] for row in told(shared.folder, "boards", "list")}
    assert troubles[int(whole.number)] == ""
    assert troubles[int(damaged.number)] == "the time of its last event cannot be read"
    assert troubles[int(emptied.number)] == "its last event is missing"


def test_an_annulled_board_is_off_the_lists_and_has_no_record(shared: GameServer) -> None:
    table = begin(shared, "abe", "bea")
    table.play("B3", "C4,K5")
    ended = in_a_process(shared.folder, "boards", "annul", table.number, "--reason", "Both asked for it.")
    assert (ended.returncode, ended.stdout) == (0, f"board {table.number} is annulled; 2 mails are on the way\n")
    for person in (table.one, table.other):
        mail = person.hears()
        assert mail.subject == f"superbo Board {table.number}"
        assert "annulled this board. It has been taken off the lists" in mail.words
        assert "Both asked for it." in mail.text
    table.one.answers(table.one_mail, "G2,H7")
    assert f"Board {table.number} is over" in table.one.hears().words
    table.one.says("games abe all")
    assert table.number not in table.one.hears().text
    table.one.says(f"show {table.number}")
    assert "The operator of this server has annulled this board." in table.one.hears().words
    table.one.says(f"export {table.number}")
    assert "there is no game to write down" in table.one.hears().words
    exported = pbem(shared.folder, "export", table.number)
    assert (exported.returncode, exported.stdout) == (1, "")
    assert "is over" in refused(shared.folder, "boards", "annul", table.number)


def test_a_game_is_ended_with_a_winner_whose_record_can_be_replayed(shared: GameServer) -> None:
    table = begin(shared, "cal", "dot")
    table.play("B3")
    done(shared.folder, "boards", "end", table.number, "--winner", "cal")
    for person, won in ((table.one, "You won!"), (table.other, "cal won.")):
        assert f"{won} The operator of this server ended the game." in person.hears().words
    exported = pbem(shared.folder, "export", table.number)
    assert json.loads(exported.stdout)["turns"][-1] == {"seat": 1, "event": "forfeit"}
    record = shared.folder / "ended.json"
    record.write_text(exported.stdout)
    assert json.loads(pbem(shared.folder, "replay", str(record)).stdout)["ok"]
    assert "is over" in refused(shared.folder, "boards", "end", table.number, "--draw")


def test_a_game_is_ended_as_a_draw(shared: GameServer) -> None:
    table = begin(shared, "eli", "flo")
    table.play("B3")
    done(shared.folder, "boards", "end", table.number, "--draw", "--reason", "Agreed by telephone.")
    for person in (table.one, table.other):
        words = person.hears().words
        assert "The game is a tie." in words
        assert "Agreed by telephone." in words
    assert told(shared.folder, "boards", "show", table.number)["ending"] == "drawn"


def test_a_seat_handed_over_is_played_on_by_its_new_holder_alone(shared: GameServer) -> None:
    table = begin(shared, "gil", "hua")
    table.play("B3", "C4,K5")
    ian = shared.player("ian")
    done(shared.folder, "boards", "hand-over", table.number, "gil", "ian", "--reason", "Gil has left us.")
    new, gone, other = ian.hears(), table.one.hears(), table.other.hears()
    assert "given you the seat of gil on this board" in new.words
    assert "Before your first move that is no loss" in new.words
    assert "given your seat on this board to ian" in gone.words
    assert "given the seat of gil on this board to ian" in other.words
    table.one.answers(table.one_mail, "G2,H7")
    assert "do not play on board" in table.one.hears().words
    table.other.answers(table.other_mail, "resign")
    assert table.other.hears().subject == f"superbo Board {table.number} Error"
    ian.answers(new, "G2,H7")
    assert ian.hears().subject == f"superbo Board {table.number} hua"
    table.other.hears()
    shown = told(shared.folder, "boards", "show", table.number)
    assert ([each["userid"] for each in shown["seats"]], shown["may_count"]) == (["ian", "hua"], False)
    assert shown["log"][2]["record"] == {"from": "gil", "to": "ian"}


def test_who_is_given_a_seat_may_decline_it(shared: GameServer) -> None:
    table = begin(shared, "jim", "kay")
    table.play("B3", "C4,K5")
    lou = shared.player("lou")
    done(shared.folder, "boards", "hand-over", table.number, "jim", "lou")
    lou.answers(lou.hears(), "resign")
    assert "You have declined to play." in lou.hears().words
    assert told(shared.folder, "boards", "show", table.number)["ending"] == "declined"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("annul", "999"), "There is no board 999."),
        (("end", "{}", "--winner", "nobody"), "nobody has no seat on board {} that is still in play."),
        (("hand-over", "{}", "nobody", "moe"), "nobody has no seat on board {} that is still in play."),
        (
            ("hand-over", "{}", "moe", "nobody"),
            'Nobody here is called "nobody". (Upper and lower case make no difference in userids.)',
        ),
        (("hand-over", "{}", "moe", "ned"), "ned already has a seat on board {}."),
    ],
    ids=" ".join,
)
def test_what_cannot_be_done_is_refused_in_one_sentence(shared: GameServer, words: tuple[str, ...], said: str) -> None:
    known = (
        told(shared.folder, "players", "show", "moe")["boards"] if told(shared.folder, "players", "list", "moe") else []
    )
    number = str(known[0]) if known else begin(shared, "moe", "ned").number
    filled = [word.format(number) for word in words]
    assert refused(shared.folder, "boards", *filled) == said.format(number)
