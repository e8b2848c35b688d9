"""Games that were taken in: everybody can look at them, and nobody can become one of their players."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.games.hextile.superbo import SUPERBO
from tests.conversations.playing import imported
from tests.games.hextile.playing import playthroughs
from tests.support.in_process import in_process_server
from tests.support.mail import attached
from tests.support.server import GameServer

RECORD: dict[str, Any] = {**playthroughs("superbo")[0]["record"], "players": ["zoe", "yves"]}


def test_an_imported_game_is_shown_and_its_players_are_nobody(server: GameServer) -> None:
    assert "unusable accounts created for: zoe, yves" in imported(server, RECORD)
    reader = server.person("reader")
    reader.says("superbo show 101")
    shown = reader.hears().text
    assert "zoe" in shown
    assert "This game was not rated." in shown
    reader.says("export 101")
    record = attached(reader.hears())[2]
    assert {name: record[name] for name in ("players", "turns")} == {
        name: RECORD[name] for name in ("players", "turns")
    }
    reader.says("games zoe all")
    assert "101" in reader.hears().text


@pytest.mark.parametrize(
    ("event", "won", "how"),
    [
        ("resign", "zoe won.", "yves resigned."),
        ("forfeit", "zoe won.", "yves forfeited the game."),
        ("draw", "The game is a draw:", "the players agreed on it."),
    ],
)
def test_how_an_imported_game_ended_is_told(shared: GameServer, event: str, won: str, how: str) -> None:
    done = imported(shared, RECORD | {"turns": [RECORD["turns"][0], {"seat": 1, "event": event}]})
    reader = shared.person("reader")
    reader.says(f"show {done.splitlines()[0].split()[-1]}")
    shown = reader.hears().text
    assert won in shown
    assert how in shown


def test_the_userid_of_an_imported_player_is_taken(server: GameServer) -> None:
    imported(server, RECORD)
    zoe = server.person("zoe")
    for line in ("signup zoe secret", "signup ZOE", "signup Zoe secret zoe@example.org"):
        zoe.says(line)
        assert 'The userid "zoe" is taken' in zoe.hears().words
    zoe.says("move 101 zoe secret a1")
    assert "do not match" in zoe.hears().words
    anna = server.player("anna")
    anna.says("superbo challenge zoe")
    assert "zoe is known here only from games that were played elsewhere" in anna.hears().words
    assert zoe.hears_nothing()


@pytest.mark.postgresql
def test_a_game_that_is_on_goes_on_by_mail(server: GameServer) -> None:
    zoe, yves = server.player("zoe"), server.player("yves")
    assert imported(server, RECORD | {"turns": RECORD["turns"][:1]}) == "imported: 1, board 101\n"
    assert zoe.hears_nothing()
    assert yves.hears_nothing()
    yves.says("superbo show yves next")
    mail = yves.hears()
    assert mail.subject == "superbo Board 101 yves"
    yves.answers(mail, second_turn())
    assert zoe.hears().subject == "superbo Board 101 zoe"
    zoe.says("export 101")
    assert attached(zoe.hears())[2]["turns"] == RECORD["turns"][:2]
    begun = RECORD | {"turns": RECORD["turns"][:1]}
    assert imported(server, begun) == "imported: 0\nalready in play here: board 101\n"


def test_who_does_not_go_on_is_reminded_and_forfeits_when_the_settings_say(tmp_path: Path) -> None:
    day, settings = timedelta(days=1), {"nag_days": "2", "forfeit_days": "4"}
    with in_process_server(tmp_path, timedelta(0), clock_seconds="1", **settings) as server:
        zoe, yves = server.player("zoe"), server.player("yves")
        imported(server, RECORD | {"turns": RECORD["turns"][:3]}, **settings)
        server.passes(2 * day)
        assert yves.hears().subject == "Nag: superbo Board 101 yves"
        server.passes(3 * day)
        assert yves.hears().subject == "Nag: superbo Board 101 yves"
        server.passes(4 * day)
        assert "You won! yves ran out of time and forfeited the game." in zoe.hears().words
        assert "zoe won. You ran out of time and forfeited the game." in yves.hears().words


def test_a_game_that_is_on_is_not_dropped_for_one_that_is_over(server: GameServer) -> None:
    for userid in RECORD["players"]:
        server.player(userid)
    over = RECORD | {"turns": [RECORD["turns"][0], {"seat": 1, "event": "resign"}]}
    assert imported(server, over) == "imported: 1, board 101\n"
    for board, turns in ((102, 1), (103, 0)):
        begun = RECORD | {"turns": RECORD["turns"][:turns]}
        assert imported(server, begun) == f"imported: 1, board {board}\n"
        assert imported(server, begun) == f"imported: 0\nalready here: 1, board {board}\n"


def second_turn() -> str:
    """The record's second turn as a player types it."""
    position = SUPERBO.begin({}, players=2)
    for turn in RECORD["turns"][:2]:
        position = SUPERBO.play_input(position, SUPERBO.input_steps(position, turn))
    return SUPERBO.input_text(position, ()).move
