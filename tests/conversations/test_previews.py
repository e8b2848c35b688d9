"""Boards as they would be, for anybody who asks."""

from __future__ import annotations

import pytest

from tests.conversations.mamba import ANSWERS, OPENINGS
from tests.conversations.playing import begin, form, played
from tests.support.server import GameServer


def test_a_board_is_shown_after_some_turns_to_somebody_unknown(shared: GameServer) -> None:
    table = begin(shared, "ann1", "bob1")
    table.play("b3")
    before = played(shared)
    someone = shared.person("someone")
    someone.says(f"preview {table.number} c4,k5 g2,h7")
    shown = someone.hears()
    assert shown.subject == f"superbo Board {table.number} Preview"
    assert shown.text.startswith(f"Preview of superbo Board {table.number}\n\nThis is how the board would look after 2")
    assert "It would then be bob1's turn." in shown.text
    assert "   3. G2,H7 (auto J1)\n" in shown.text
    assert "Where the first tile fits, and in which states:" in shown.text
    assert f"\n    preview {table.number} c4,k5 g2,h7 " in shown.text
    assert "Answer this mail" not in shown.text
    assert "<img" not in shown.html  # strangers get no pictures
    assert shown.parsed["In-Reply-To"] != table.one_mail.parsed["Message-ID"]
    assert shown.reply_to == "pbem@localhost"
    assert played(shared) == before


def test_from_an_earlier_move_and_in_an_answer(shared: GameServer) -> None:
    table = begin(shared, "ann2", "bob2")
    table.play("b3", "c4,k5")
    table.one.says(f"superbo prev {table.number}#1 c2")
    refused = table.one.hears()
    assert refused.subject == f"superbo Board {table.number} Error"
    assert "Turn 1, c2:" in refused.words
    table.one.says(f"superbo prev {table.number}#1 c4,k6")
    assert table.one.hears().text.startswith(f"Preview of superbo Board {table.number} after move 1\n")
    table.one.answers(table.one_mail, "preview g2,h7")
    assert table.one.hears().subject == f"superbo Board {table.number} Preview"
    table.one.says(f"preview {table.number}")
    unplayed = table.one.hears()
    assert "This is how the board looks." in unplayed.text
    assert "\nIt is ann2's turn.\n" in unplayed.text
    assert "then" not in unplayed.words


@pytest.mark.parametrize("game", ["superbo", "mambo", "lambo", "palago", "mamba"])
def test_a_new_board_of_every_game(shared: GameServer, game: str) -> None:
    someone = shared.person(f"new-{game}")
    someone.says(f"{game} preview new")
    shown = someone.hears()
    assert shown.subject == f"{game} Preview"
    line = next(each.strip() for each in shown.text.split("\n") if each.startswith(f"    {game} preview new"))
    someone.says(line)
    assert "after one more turn" in someone.hears().words


def test_options_players_and_strokes(shared: GameServer) -> None:
    someone = shared.person("options")
    someone.says("mamba preview new 2 -size=9 --unrated " + " / ".join((*OPENINGS[2], ANSWERS[2][0], "pass")))
    shown = someone.hears()
    assert shown.subject == "mamba Preview"
    assert "after 7 more turns" in shown.words
    assert "It would then be B's turn." in shown.text
    someone.says("superbo preview new -swap b3 swap")
    assert "It would then be X's turn." in someone.hears().text  # the first player goes on with the other side
    someone.says("superbo preview new b3 c4,k5 g2,h7 d8,r10 a7,v6")
    assert "The game would then be over, won by O." in someone.hears().text


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("preview", "the number of the board"),
        ("preview new", "game"),
        ("preview 9999 b3", "9999"),
        ("superbo preview new 3", "The game is for 2 players, not for 3."),
        ("mamba preview new 5", "The game is for 2 to 4 players, not for 5."),
        ("superbo preview new -fast", "There is no such option. The options here: -num_tiles"),
        ("superbo preview new b3 c4,k5 zz", "Turn 3, zz:"),
        ("superbo preview new " + "b3 " * 61, "at most 60 turns"),
        ("mamba preview new " + " / ".join((*OPENINGS[2][:-1], OPENINGS[2][-1] + " pass")), "Turn 5"),
        ("poker preview new", "is in the place for the name of a game"),
    ],
)
def test_refusals(shared: GameServer, line: str, why: str) -> None:
    someone = shared.person("refused")
    someone.says("", line)
    refused = someone.hears()
    assert why in refused.words
    assert "Nothing has changed." in refused.text
    if not line.startswith("poker"):
        assert form("preview") in refused.text
