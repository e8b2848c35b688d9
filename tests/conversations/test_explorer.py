"""The opening explorer by mail: what was played in finished games, in the words of whatever position is asked about."""

from __future__ import annotations

import pytest

from tests.conversations.playing import ask, begin
from tests.storage.stock import WON
from tests.support.server import GameServer


def test_finished_games_are_explored_and_those_in_play_are_not(server: GameServer) -> None:
    table = begin(server, "una", "bob")
    for turn in WON[:-1]:
        table.play(turn)
    nothing = ask(table.one, "explore superbo")
    assert nothing.subject == "superbo Explorer"
    assert "No turn has been played here in a finished game yet." in nothing.words
    table.play(WON[-1])
    found = ask(table.one, "explore superbo")
    assert "What was played here, in 1 finished game of people:" in found.words
    assert (
        "\n    Turn      People Points Rating  Computers Points\n    B3             1    100   1800          -\n"
        in found.text
    )
    assert "    explore superbo B3\n" in found.text
    behind = ask(table.one, "superbo explore b3")
    assert "\n    C4,K5          1      0   1400          -\n" in behind.text
    assert "O is to lay" not in behind.text
    assert "    explore superbo b3 C4,K5\n" in behind.text
    board = ask(table.one, f"explore {table.number}#1")
    assert board.subject == f"superbo Board {table.number} Explorer"
    assert "    C4,K5          1      0" in board.text
    over = ask(table.one, f"explore {table.number}")
    assert "The game is over here." in over.words
    behind = ask(table.one, f"explore {table.number} c1")
    assert "The game is over, so no more moves can be made. To go on from an earlier position," in behind.words
    assert f'behind the number of the board, as in "{table.number}#1".' in behind.words
    assert f"earlier position, for example:\n\n    explore {table.number}#{len(WON) - 1}\n" in over.text
    assert "earlier" not in board.text
    table.one.answers(table.one_mail, "explore")
    assert "The game is over here." in table.one.hears().words


def test_behind_the_last_turn_of_a_game_nothing_was_played(server: GameServer) -> None:
    table = begin(server, "una", "bob")
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, "resign")
    table.hear()
    behind = ask(table.one, "explore superbo b3 c4,k5")
    assert "No turn has been played here in a finished game yet." in behind.words
    assert "not come up" not in behind.words


@pytest.mark.parametrize("end", ["resign", "draw"])
def test_the_rules_alone_end_the_turns_of_a_position(server: GameServer, end: str) -> None:
    played, table = begin(server, "una", "bob"), begin(server, "cleo", "dan")
    played.play(*WON)
    table.play(*WON[:2])
    if end == "resign":
        table.one.answers(table.one_mail, "resign")
    else:
        table.one.answers(table.one_mail, "propose")
        table.hear()
        table.other.answers(table.other_mail, "accept")
    table.hear()
    for asked in (f"explore {table.number}", f"explore {table.number}#2", f"explore {table.number}#1 {WON[1]}"):
        found = ask(table.one, asked)
        assert "over here" not in found.words
        assert "in 1 finished game of people:" in found.words
        assert f"    {WON[2].upper()} " in found.text
    assert f"    {WON[3].upper()} " in ask(table.one, f"explore {table.number} {WON[2]}").text


@pytest.mark.parametrize(("language", "head"), [("en", "Rating:"), ("fr", "Cote :")])
def test_the_columns_are_explained_by_their_heads(server: GameServer, language: str, head: str) -> None:
    table = begin(server, "una", "bob")
    table.play(*WON)
    ask(table.one, f"set una secret language={language}")
    found = ask(table.one, "explore superbo")
    assert head in found.words
    assert f" {head.strip(' :')} " in found.text


def test_positions_that_are_alike_count_together_in_the_names_of_each(server: GameServer) -> None:
    for names, turns in ((("una", "bob"), ("b3", "c4,d1")), (("cleo", "dan"), ("b3", "d1,c4"))):
        table = begin(server, *names)
        for turn in turns:
            table.play(turn)
        table.one.says(f"superbo resign {table.number} {names[0]} secret")
        table.hear()
    found = ask(table.one, "explore superbo b3")
    assert "in 2 finished games of people:" in found.words
    assert found.text.count("    C4,D1          2    100") + found.text.count("    D1,C4          2    100") == 1


def test_other_options_are_another_game(server: GameServer) -> None:
    una, bob = server.player("una"), server.player("bob")
    una.says("superbo challenge -single una bob")
    begun = una.hears()
    bob.hears()
    una.answers(begun, "b3")
    una.hears()
    bob.answers(bob.hears(), "c4")
    bob.hears()
    una.answers(una.hears(), "resign")
    assert "You resigned." in una.hears().words
    assert "No turn has been played here" in ask(una, "explore superbo").words
    explored = ask(una, "explore superbo -single").text
    assert explored.startswith("Openings of Superbo\n\nOptions:  -single\n\n")
    assert "\n    explore superbo -single B3\n" in explored


def test_the_moves_of_a_board_stand_apart_from_what_was_played(server: GameServer) -> None:
    una = server.player("una")
    una.says("mamba challenge -inorder una una")
    number = una.hears().subject.split()[3]
    ask(una, f"mamba move {number} una secret pass")
    assert "in a finished game yet.\n\nMove 1:\n" in ask(una, f"explore {number}").text


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("explore", 'Please put the name of a game behind "explore"'),
        ("explore superbo zz9", "Turn 1: zz9: there is no space ZZ"),
        ("explore superbo b3 b3", "b3"),
        ("explore superbo b3 / resign", 'Turn 2, resign: "resign" is a command. Only moves of the game can be tried'),
        ("explore superbo b3 c4,k5 g2,h7 d8,r10 a7,v6 c1 d1", "Turn 6, c1, comes too late: the game is over"),
        ("explore superbo -nonsense", "There is no such option."),
        ("explore chess2", 'Please put the name of a game behind "explore"'),
        ("explore supebo b3", "Word 2 of your command is in the place for the name of a game. Did you mean superbo?"),
        ("explore mambogo", 'Did you mean "mambo explore -mambogo"?'),
        ("erkunden supebo", "Did you mean superbo?"),
        ("eröffnungen supebo -single b3", "Did you mean superbo?"),
        ("ouvertures mambogo", 'Did you mean "mambo explore -mambogo"?'),
        ("explore 999", "999"),
        ("explore mamba 7", "7"),
        ("explore superbo " + "b3 " * 70, "I can look at most 60 turns ahead at once."),
    ],
)
def test_what_cannot_be_explored_is_refused_with_the_reason(server: GameServer, line: str, said: str) -> None:
    una = server.player("una")
    refused = ask(una, line)
    assert "Nothing has changed" in refused.words or "All commands" in refused.words or "Error" in refused.subject
    assert said in refused.words
    assert "explore <game>" in refused.text or said in ("999", "7", "There is no such option.")


def test_the_players_of_no_board_are_named_in_the_language_of_the_reader(server: GameServer) -> None:
    una = server.player("una")
    ask(una, "set una secret language=de")
    pieces = ask(una, "explore mamba").text
    assert "(Person 1)" in pieces
    assert "(first)" not in pieces


def test_a_turn_is_named_once_where_a_colon_has_a_blank_in_front(server: GameServer) -> None:
    una = server.player("una")
    ask(una, "set una secret language=fr")
    refused = ask(una, "explore superbo zz9").text.replace("\u00a0", " ")
    assert refused.count("zz9 :") == 1
    assert "Tour 1 : zz9 : " in " ".join(refused.split())


@pytest.mark.parametrize("line", ["superbo B3 -> C4,K5", "superbo b3\u2192c4,k5", "superbo -single b3 => c4"])
def test_arrows_stand_between_turns(server: GameServer, line: str) -> None:
    assert "No turn has been played here" in ask(server.player("una"), f"explore {line}").words
