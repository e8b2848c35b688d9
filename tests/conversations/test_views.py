"""Looking: help, the list of games, boards drawn and in tables. Anybody may."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conversations.playing import ask, begin, seat
from tests.support.in_process import in_process_server
from tests.support.server import GameServer

SUBJECTS = (
    "challenge",
    "commands",
    "games",
    "help",
    "list",
    "move",
    "multiple",
    "resign",
    "show",
    "signup",
    "subjects",
    "superbo",
    "tutorial",
)


def test_help_about_a_command_of_a_game_brings_the_page_of_the_command(shared: GameServer) -> None:
    answer = ask(shared.person("commanded"), "superbo help move")
    assert answer.text.startswith(ask(shared.person("commanded"), "help move").text.rstrip())
    assert answer.text.endswith("\n\nThe rules of the game:  help superbo\n")


@pytest.mark.parametrize("line", ["help", "HELP", "Re: help", "superbo help", "help superbo", "Fwd: [x] help move"])
def test_help_is_for_everybody(shared: GameServer, line: str) -> None:
    answer = ask(shared.person("passer-by"), line)
    assert answer.subject.startswith("pbem help")
    assert "There is no help" not in answer.text
    assert answer.envelope_sender == "<>"


@pytest.mark.parametrize("subject", SUBJECTS)
def test_every_subject_of_the_help_has_a_page(shared: GameServer, subject: str) -> None:
    reader = shared.person("reader")
    answer = ask(reader, f"help {subject.upper()}")
    assert "There is no help" not in answer.text
    assert max(map(len, answer.text.splitlines())) <= 78


def test_the_subjects_are_listed(shared: GameServer) -> None:
    listed = ask(shared.person("reader"), "help subjects").text.split(":\n", 1)[1].split()
    assert set(SUBJECTS) <= set(listed)


def test_an_unknown_subject_leads_to_the_closest_ones(shared: GameServer) -> None:
    answer = ask(shared.person("reader"), "help supeerbo")
    assert "I have no help page about that." in answer.text
    assert "Did you mean:  help superbo?\n" in answer.text
    answer = ask(shared.person("reader"), "help rules")
    assert '"rules" has no page of its own.\nSee:  help lambo, help mamba, ' in answer.text


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("help annn pw4annX", "these words"),
        ("help ann pw4annX", "these words"),
        ("help challenge pw4annX", "one of these words"),
        ("help moove pw4annX", "these words"),
        ("help challenge annn pw4annX", "some of these words"),
    ],
)
def test_of_several_words_none_is_repeated_that_may_be_a_password(shared: GameServer, line: str, words: str) -> None:
    answer = ask(shared.person("stranger"), line)
    assert f"There is no help about {words}.\n" in answer.text
    assert "pw4annX" not in answer.raw.decode()


def test_of_many_unknown_words_it_is_said_once_that_there_is_no_help(shared: GameServer) -> None:
    answer = ask(shared.person("seller"), "help BUY CHEAP PILLS AT OUR NEW STORE TODAY VISIT NOW")
    assert answer.text == "There is no help about these words.\n\nAll subjects:  help subjects\n"


@pytest.mark.parametrize("word", ["hex", "loa", "Reversi", "nine_mens_morris"])
def test_a_game_that_is_not_installed_is_said_to_be_so_under_all_its_names(shared: GameServer, word: str) -> None:
    reader, said = shared.player(f"absent{word}"), f"The game {word.lower()} is not installed here."
    assert ask(reader, f"{word} challenge bob").words.startswith(f"{said} The games here: lambo, ")
    assert ask(reader, f"help {word}").text == f"{said}\n\nAll subjects:  help subjects\n"
    assert ask(reader, f"help {word} superbo").words.startswith(f"{said} All subjects: help subjects ===")


def test_known_words_among_unknown_ones_get_their_pages(shared: GameServer) -> None:
    told, _, page = ask(shared.person("reader"), "help chalenge supeerbo lambo").text.partition(f"\n\n{'=' * 78}\n\n")
    assert told == (
        "There is no help about some of these words.\n"
        "Did you mean:  help challenge, help superbo?\n\n"
        "All subjects:  help subjects"
    )
    assert page.startswith("LAMBO")


def test_words_that_other_pages_tell_about_are_answered_together(shared: GameServer) -> None:
    told = ask(shared.person("reader"), "help rules password supeerbo").words
    assert told.startswith(
        '"rules" and "password" have no pages of their own. '
        "See: help lambo, help mamba, help mambo, help palago, help superbo, help change, help forgot "
        "There is no help about one of these words. "
        "Did you mean: help superbo? "
    )


@pytest.fixture(scope="module")
def trusting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """A server that takes the address of a letter for proof of its sender."""
    with in_process_server(tmp_path_factory.mktemp("trusting"), trust_from="true") as server:
        server.player("annabel")
        yield server


def test_several_unknown_words_are_not_named_since_one_may_be_a_password(trusting: GameServer) -> None:
    told = ask(trusting.person("annabel"), "help chalenge supeerbo xyzzy").text
    assert told == (
        "There is no help about these words.\n"
        "Did you mean:  help challenge, help superbo?\n\n"
        "All subjects:  help subjects\n"
    )


@pytest.mark.parametrize(
    "line",
    ["help annabell pw4annX", "help challenge annabell pw4annX", "help robot1 pw4annX", "help anna/pw4annX move"],
)
def test_beside_other_words_no_unknown_one_is_named_even_to_its_writer(trusting: GameServer, line: str) -> None:
    answer = ask(trusting.person("annabel"), line)
    assert "There is no help about " in answer.text
    assert "pw4annX" not in answer.raw.decode()


def test_no_word_is_named_to_a_sender_without_a_userid(trusting: GameServer) -> None:
    assert "There is no help about these words.\n" in ask(trusting.person("newcomer"), "help annabell pw4annX").text


def test_help_asked_for_a_thousand_times_comes_in_a_short_mail(shared: GameServer) -> None:
    reader = shared.person("reader")
    for body in ("help " + "move " * 40, "help " + " ".join(f"none{i}" for i in range(40)), "help " + "x" * 50_000):
        reader.says("", body)
        answer = reader.hears()
        assert len(answer.raw) < 10_000
        assert len(answer.subject) < 200


def test_no_board_is_drawn_twice_and_not_too_many_in_one_mail(shared: GameServer) -> None:
    table = begin(shared, "may", "mel")
    answer = ask(shared.person("reader"), f"show {' '.join([table.number] * 15)}")
    assert answer.text.count("Summary of superbo Board") == 1
    table.play(*["b3", "c4,k5", "g2,h7", "d8,r10"])
    moments = " ".join(f"{table.number}#{i}" for i in (1, 2, 3, 4, 0, 1, 2))
    assert ask(shared.person("reader"), f"show {moments}").text.count("Summary of superbo Board") == 5


@pytest.mark.parametrize("line", ["list", "list superbo", "superbo list", "list superbo superbo"])
def test_the_games_are_listed(shared: GameServer, line: str) -> None:
    answer = ask(shared.person("reader"), line)
    assert answer.text.splitlines().count("  superbo") == 1
    assert "finished board" in answer.text


def test_a_board_is_shown_to_everybody_but_the_reply_address_to_its_players(shared: GameServer) -> None:
    table = begin(shared, "ann1", "bob1")
    seen = ask(shared.person("reader"), f"show {table.number}")
    assert seen.subject == f"superbo Board {table.number} ann1"
    assert "It's ann1's move." in seen.text
    assert seen.reply_to == "pbem@localhost"
    assert "Your move" not in seen.text
    own = ask(table.one, f"superbo show {table.number}")
    assert "Your move, ann1." in own.text
    assert own.reply_to.startswith("pbem+")
    table.one.answers(own, "b3")
    assert table.other.hears().subject == f"superbo Board {table.number} bob1"


def test_a_board_is_shown_as_it_was(shared: GameServer) -> None:
    table = begin(shared, "ann2", "bob2")
    table.play("b3", "c4,k5", "g2,h7")
    reader = shared.person("reader")
    for moveno, turn in ((0, "It's ann2's move."), (1, "It's bob2's move."), (2, "It's ann2's move.")):
        answer = ask(reader, f"show {table.number}#{moveno}")
        assert f"Summary of superbo Board {table.number} after move {moveno}\n" in answer.text
        assert turn in answer.text
        assert ("2. C4,K5" in answer.text) == (moveno == 2)
        assert "G2,H7" not in answer.text
    now = ask(reader, f"show {table.number}#3")
    assert f"Summary of superbo Board {table.number}\n" in now.text


def test_an_old_position_shown_to_its_player_is_no_way_to_move(shared: GameServer) -> None:
    table = begin(shared, "ann3", "bob3")
    table.play("b3", "c4,k5")
    shown = ask(table.one, f"show {table.number}#1")
    assert shown.reply_to == "pbem@localhost"
    assert "Answer this mail" not in shown.text


def test_a_finished_game_is_shown_with_its_end(shared: GameServer) -> None:
    table = begin(shared, "ann4", "bob4")
    table.play("b3", "c4,k5", "g2,h7", "d8,r10", "a7,v6")
    answer = ask(shared.person("reader"), f"show {table.number}")
    assert answer.subject == f"superbo Board {table.number}"
    assert "\nann4 won. ann4 played A7,V6.\n" in answer.text
    assert "O has a closed group with an eye." in answer.text
    assert "5. A7,V6" in answer.text
    assert "fits" not in answer.text


def test_boards_are_shown_and_tabled_by_player_and_state(shared: GameServer) -> None:
    first = begin(shared, "ann5", "bob5")
    carl = shared.player("carl5")
    second = seat(shared, first.other, carl)
    third = seat(shared, carl, first.one)
    third.play("b3")
    third.one.answers(third.one_mail, "help")
    third.one.hears()
    second.play("b3", "c4,k5")
    second.one.answers(second.one_mail, "resign")
    second.hear()
    reader = shared.person("reader")
    numbers = (first.number, second.number, third.number)
    expected = {
        "ann5": (first, third),
        "ann5 active": (first, third),
        "BOB5 all": (first, second),
        "carl5 inactive": (second,),
        "ann5 next": (first, third),
        "bob5 next": (),
        "bob5 carl5": (first, third),
        "carl5 ALL": (second, third),
    }
    for who, tables in expected.items():
        wanted = {table.number for table in tables}
        for line in (f"games {who}", f"superbo games {who}"):
            text = ask(reader, line).text
            assert {number for number in numbers if f"\n   {number}  superbo" in text} == wanted, line
        shown = ask(reader, f"superbo show {who}")
        assert {number for number in numbers if f"Summary of superbo Board {number}\n" in shown.text} == wanted, who
        if len(wanted) > 1:
            assert shown.subject == "Boards " + " ".join(sorted(wanted))


def test_a_table_says_how_each_board_stands(shared: GameServer) -> None:
    table = begin(shared, "ann6", "bob6")
    reader = shared.person("reader")
    text = ask(reader, "games ann6").text
    assert re.search(r"^ Board  Game     Moves  To move     Since \(UTC\)    Players$", text, re.MULTILINE)
    moment = r"[0-9]{1,2} [A-Z][a-z]{2}, [0-9]{2}:[0-9]{2} ?"
    assert re.search(rf"^ *{table.number}  superbo      0  ann6        {moment}  ann6 - bob6$", text, re.MULTILINE)
    table.play("b3", "c4,k5", "g2,h7", "d8,r10", "a7,v6")
    answer = ask(reader, "superbo games ann6 inactive")
    assert answer.subject == "List of superbo games"
    row = rf"^ *{table.number}  superbo      5  \(over\)      {moment}  ann6 - bob6: won by ann6$"
    assert re.search(row, answer.text, re.MULTILINE)


def test_a_table_shows_times_as_the_clock_of_its_reader_does(shared: GameServer) -> None:
    begin(shared, "ann-tz", "bob-tz")
    kathmandu = shared.player("kathmandu")
    kathmandu.says("set kathmandu secret timezone=asia/kathmandu")
    kathmandu.hears()
    assert "Since (+0545)  Players" in ask(kathmandu, "games ann-tz").text


def test_a_long_row_goes_on_behind_a_margin(shared: GameServer) -> None:
    long, longer = "v" * 32, "w" * 32
    table = begin(shared, long, longer)
    text = ask(shared.person("reader"), f"games {long}").text
    rows = text.partition("(UTC)\n")[2].splitlines()
    assert rows[0].startswith(f"   {table.number}  superbo      0  {long}  ")
    assert rows[1:] == [f"        {long} - {longer}"]


def test_a_table_that_is_cut_says_how_to_see_the_rest(tmp_path: Path) -> None:
    with in_process_server(tmp_path, max_boards_shown="1") as server:
        alice = server.player("alice")
        for _ in range(11):
            alice.says("mambo challenge alice alice")
            alice.hears()
        reader = server.person("reader")
        for line, hint in (
            ("games", "games <userid>"),
            ("games alice", "<game> games alice"),
            ("mambo games alice", "room for 10 boards"),
        ):
            text = ask(reader, line).text
            assert text.count("  mambo  ") == 10
            assert "... and more than fit here.\n" in text
            assert hint in text
            assert f"\nThe next ones:  {line} 2\n" in text
        second = ask(reader, "games 2").text
        assert second.count("  mambo  ") == 1
        assert "more than fit" not in second
        reader.says("multiple", "mambo games alice\nlist")
        assert "Send this one alone to see more." in reader.hears().words


def test_the_hint_names_the_game_that_was_asked_for(shared: GameServer) -> None:
    answer = ask(shared.person("reader"), "palago games all")
    assert "palago challenge <userid>" in answer.text


def test_a_slip_in_the_second_word_is_told_above_the_page_that_was_meant(shared: GameServer) -> None:
    told, _, page = ask(shared.person("reader"), "help lambo tactic").text.partition(f"\n\n{'=' * 78}\n\n")
    assert "There is no help about one of these words.\nBelow is what comes closest:  lambo tactics\n" in told
    assert page.startswith("LAMBO: TACTICS\n")


def test_without_boards_there_is_a_hint(shared: GameServer) -> None:
    shared.player("newbie")
    answer = ask(shared.person("reader"), "show newbie")
    assert "There are no active boards of newbie." in answer.text
    assert "superbo challenge <userid>" in answer.text


def test_a_table_says_that_it_has_no_room_for_boards_of_long_ago(shared: GameServer) -> None:
    shared.player("newcomer")
    for line, told in (
        ("games newcomer inactive", "There are no boards of newcomer that ended in the last 14 days."),
        ("games newcomer all", "There are no boards of newcomer that are active or ended in the last 14 days."),
    ):
        assert told in ask(shared.person("reader"), line).words


def test_of_the_words_for_kinds_of_boards_one_is_enough(shared: GameServer) -> None:
    answer = ask(shared.person("reader"), "superbo games all tournament")
    assert "complete before word 4" in answer.words
    assert "Nobody here is called" not in answer.text


def test_a_table_says_which_variant_is_played(shared: GameServer) -> None:
    alice = shared.player("vera")
    alice.says("mambo challenge -mambogo vera vera")
    alice.hears()
    assert "vera - vera -mambogo" in ask(alice, "games vera").text


def test_the_list_of_one_game_has_a_table_of_its_boards(shared: GameServer) -> None:
    alice, bob = shared.player("lena"), shared.player("luke")
    table = seat(shared, alice, bob)
    assert re.search(rf"^ +{table.number}  superbo +0  lena ", ask(alice, "list superbo").text, re.MULTILINE)


def test_show_alone_shows_ones_own_boards_and_seek_alone_who_looks_for_whom(shared: GameServer) -> None:
    nora = shared.player("nora")
    assert "There are no active boards of nora." in ask(nora, "show").text
    nora.says("mambo challenge nora nora")
    number = nora.hears().subject.split()[3]
    assert f"Summary of mambo Board {number}" in ask(nora, "show").text
    ask(nora, "lambo seek nora secret -must_contain")
    assert "nora, 1 board:  lambo seek -must_contain" in ask(shared.person("reader"), "seek").text.replace(
        "lambo -must", "lambo seek -must"
    )


@pytest.mark.parametrize("word", ["digest", "nag", "pace", "eye", "options", "ratings", "loops", "robots", "swiss"])
def test_words_that_no_page_is_called_by_lead_to_one(shared: GameServer, word: str) -> None:
    answer = ask(shared.person("reader"), f"help {word}")
    assert "There is no help" not in answer.text


def test_a_game_that_is_played_in_the_classic_layout_reads_as_old_programs_expect(shared: GameServer) -> None:
    kate, liam = shared.player("kate"), shared.player("liam")
    ask(kate, "set kate secret layout=classic")
    table = seat(shared, kate, liam)
    table.play("b3", "c4,k5", "resign")
    assert re.search(r"^1 B3 +2 C4,K5$", table.one_mail.text, re.MULTILINE)
    assert re.search(r"^Game ended\.{6} [A-Z][a-z]{2} [0-9]{2} [0-9]{2}:[0-9]{2}$", table.one_mail.text, re.MULTILINE)
    assert "\nMoves:  1. B3" in table.other_mail.text
    assert "Game ended" not in table.other_mail.text
